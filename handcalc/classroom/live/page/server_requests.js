// Requests to the class's server: JSON both ways, the token in a header; and how long to wait before the next try.

const REQUEST_TIMEOUT = 5000; // milliseconds until a request has failed
const [FIRST_WAIT, LONGEST_WAIT] = [400, 8000]; // milliseconds until the next try

// What the server refuses, in its own words; `status` is 0 where it cannot be reached.
export class Refused extends Error {
  constructor(sentence, status, after = 0, isOurs = true) {
    super(sentence);
    Object.assign(this, { status, after, isOurs });
  }

  // Nobody is there, or somebody else: a proxy, or another class at the same address.
  get isAway() {
    const isAnothers = !this.isOurs && [401, 403].includes(this.status);
    return isAnothers || [0, 404, 408, 421].includes(this.status) || this.status >= 500;
  }

  // This learner is not in the class, or not any more.
  get isOut() {
    return this.isOurs && this.status === 403;
  }
}

export async function ask(path, token, body) {
  const class_ = globalThis.document?.body.dataset.class;
  const options = { headers: { ...(token && { Authorization: `token ${token}` }), ...(class_ && { Class: class_ }) }, signal: AbortSignal.timeout?.(REQUEST_TIMEOUT) };
  if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body) }).headers["Content-Type"] = "application/json";
  const answer = await fetch(path, options).catch(() => null);
  if (!answer) throw new Refused("The teacher’s computer cannot be reached.", 0);
  const found = await answer.json().catch(() => null);
  if (answer.ok && found) return found;
  const after = 1000 * (Number(answer.headers.get("Retry-After")) || 0);
  throw new Refused(found?.sentence ?? "The teacher’s computer did not understand this.", answer.ok ? 0 : answer.status, after, Boolean(found?.sentence));
}

// Twice as long each time, and never all phones at once.
export const retryDelay = (failures, random = Math.random) => Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.5 + 0.5 * random());

// One thing that is tried again and again until it works: `later()` after a while, `now()` at once.
export class Retry {
  constructor(run, { random = Math.random, wait = setTimeout, stop = clearTimeout } = {}) {
    Object.assign(this, { run, random, wait: (...how) => wait(...how), stop: (timer) => stop(timer), failures: 0, timer: null });
  }

  later(least = 0) {
    this.stop(this.timer);
    this.timer = this.wait(() => this.run(), Math.max(least, retryDelay(this.failures, this.random)));
    this.failures += 1;
  }

  now() {
    this.worked();
    return this.run();
  }

  // The next time that it does not work is the first one.
  worked() {
    this.stop(this.timer);
    this.failures = 0;
  }
}
