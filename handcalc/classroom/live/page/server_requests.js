// Requests to the class's server: JSON both ways, the token in a header; and how long to wait before the next try.

const REQUEST_TIMEOUT = 5000; // milliseconds until a request has failed
const [FIRST_WAIT, LONGEST_WAIT] = [400, 8000]; // milliseconds until the next try

// A refusal in the server's own words; `status` is 0 if the server cannot be reached.
export class Refused extends Error {
  constructor(sentence, status, after = 0, isOurs = true) {
    super(sentence);
    Object.assign(this, { status, after, isOurs });
  }

  // Whether the class's server is away: nothing answers, or something else: a proxy, or another class there.
  get isAway() {
    const isAnothers = !this.isOurs && [401, 403].includes(this.status);
    return isAnothers || [0, 404, 408, 421].includes(this.status) || this.status >= 500;
  }

  // Whether this learner is not in the class, or no longer.
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

// The wait doubles each time, with a random part so that phones do not all retry at once.
export const retryDelay = (failures, random = Math.random) => Math.min(LONGEST_WAIT, FIRST_WAIT * 2 ** failures) * (0.5 + 0.5 * random());

// An action that is retried until it works: `later()` after a wait, `now()` at once.
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

  // Notes a success: the next failure counts as the first one.
  worked() {
    this.stop(this.timer);
    this.failures = 0;
  }
}
