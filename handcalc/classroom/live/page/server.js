// Requests to the class's server: JSON both ways, the token in a header.

export class Refused extends Error {}

export async function ask(path, token, body) {
  const options = { headers: token ? { Authorization: `token ${token}` } : {} };
  if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body) }).headers["Content-Type"] = "application/json";
  const answer = await fetch(path, options);
  const found = await answer.json();
  if (!answer.ok) throw new Refused(found.sentence);
  return found;
}

// Marks and decisions as they come; `onMessage` gets each, `onState` whether the server can be reached.
export function listen(token, onMessage, onState) {
  const socket = new WebSocket(new URL("api/live", location.href.replace(/^http/, "ws")));
  socket.onopen = () => {
    socket.send(JSON.stringify({ token }));
    onState(true);
  };
  socket.onmessage = (event) => onMessage(JSON.parse(event.data));
  socket.onclose = () => {
    onState(false);
    setTimeout(() => listen(token, onMessage, onState), 2000);
  };
}

// Server-sent events by fetch, which can carry the token: `onMessage` gets each.
export async function follow(path, token, onMessage) {
  const answer = await fetch(path, { headers: { Authorization: `token ${token}` } });
  let text = "";
  for await (const part of answer.body.pipeThrough(new TextDecoderStream())) {
    const events = (text + part).split("\n\n");
    text = events.pop();
    for (const event of events) onMessage(JSON.parse(event.slice("data: ".length)));
  }
}
