// Events from the server for as long as the page is open; after a break the page reconnects.

const SILENCE_LIMIT = 5000; // milliseconds without a word: the server says something every few seconds
const RETRY_PAUSES = [300, 1000, 2000, 4000]; // until it is tried again, longer each time

class GoneError extends Error {}

// `onMessage` gets each event. `onState` gets true while the server answers, false when it does not, and the
// sentence of a refusal, after which the page stops trying.
export async function followEvents(path, token, onMessage, onState) {
  let failures = 0;
  for (;;) {
    try {
      await followOnce(path, token, (message) => {
        failures = 0;
        onState(true);
        onMessage(message);
      });
    } catch (error) {
      if (error instanceof GoneError) return onState(error.message);
    }
    onState(false);
    await new Promise((resolve) => setTimeout(resolve, RETRY_PAUSES[Math.min(failures, RETRY_PAUSES.length - 1)]));
    failures += 1;
  }
}

async function followOnce(path, token, onMessage) {
  const stop = new AbortController();
  let timer = setTimeout(() => stop.abort(), SILENCE_LIMIT);
  try {
    const answer = await fetch(path, { headers: { Authorization: `token ${token}` }, signal: stop.signal });
    if (answer.status === 401 || answer.status === 403) throw new GoneError((await answer.json()).sentence);
    if (!answer.ok) return;
    const read = makeEventReader(onMessage);
    for await (const part of chunks(answer.body)) {
      clearTimeout(timer);
      timer = setTimeout(() => stop.abort(), SILENCE_LIMIT);
      read(part);
    }
  } finally {
    clearTimeout(timer);
    stop.abort();
  }
}

async function* chunks(body) {
  const source = body.pipeThrough(new TextDecoderStream()).getReader();
  for (;;) {
    const { done, value } = await source.read();
    if (done) return;
    yield value;
  }
}

// Assembles server-sent events from parts, wherever these are cut.
export function makeEventReader(onMessage) {
  let text = "";
  return (part) => {
    const events = (text + part).split("\n\n");
    text = events.pop();
    for (const event of events) if (event.startsWith("data: ")) onMessage(JSON.parse(event.slice("data: ".length)));
  };
}

// The token: it comes after the # of the address, is removed from there, and is kept as long as the tab is
// open. Behind a Hub the page itself brings it.
export function findToken(place) {
  if (document.body.dataset.token) return document.body.dataset.token;
  const name = `handcalc ${place}`;
  const found = location.hash.slice(1);
  if (found) {
    sessionStorage.setItem(name, found);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return found || sessionStorage.getItem(name) || "";
}
