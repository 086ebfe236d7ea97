// Requests to the class's server: JSON both ways, the token in a header.

import { Again } from "./backoff.js";

const PATIENCE = 5000; // milliseconds until a request has failed
const [NOT_OURS, UNWANTED] = [4403, 1008]; // why a server closes a socket: it does not know the token, or has enough of them

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
  const options = { headers: { ...(token && { Authorization: `token ${token}` }), ...(class_ && { Class: class_ }) }, signal: AbortSignal.timeout?.(PATIENCE) };
  if (body) Object.assign(options, { method: "POST", body: JSON.stringify(body) }).headers["Content-Type"] = "application/json";
  const answer = await fetch(path, options).catch(() => null);
  if (!answer) throw new Refused("The teacher’s computer cannot be reached.", 0);
  const found = await answer.json().catch(() => null);
  if (answer.ok && found) return found;
  const after = 1000 * (Number(answer.headers.get("Retry-After")) || 0);
  throw new Refused(found?.sentence ?? "The teacher’s computer did not understand this.", answer.ok ? 0 : answer.status, after, Boolean(found?.sentence));
}

// Marks and decisions as they come. `onMessage` gets each, `onState` whether the server can be reached, and
// `onOut` is called where it does not know the token.
export class Live {
  constructor(token, { onMessage, onState, onOut = () => {} }, how = {}) {
    Object.assign(this, { token, onMessage, onState, onOut, socket: null });
    this.again = new Again(() => this.open(), how);
    this.open();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    if (this.isStopped || (this.socket && this.socket.readyState < WebSocket.CLOSING)) return;
    const socket = (this.socket = new WebSocket(new URL("api/live", location.href.replace(/^http/, "ws"))));
    socket.onopen = () => {
      this.again.worked();
      socket.send(JSON.stringify({ token: this.token }));
      this.onState(true);
    };
    socket.onmessage = ({ data }) => this.onMessage(JSON.parse(data));
    socket.onclose = ({ code }) => this.onClose(code);
  }

  onClose(code) {
    if (this.isStopped) return;
    if (code === UNWANTED) return; // until somebody looks at this page again
    this.again.later();
    if (code === NOT_OURS) this.onOut();
    else if (this.again.failures > 1) this.onState(false); // once may be a phone that was asleep
  }

  // Another socket in place of one that says nothing: that it has closed would be heard after a minute.
  renew() {
    this.drop();
    this.open();
  }

  drop() {
    const { socket } = this;
    this.socket = null;
    if (!socket) return;
    socket.onclose = socket.onmessage = socket.onopen = null;
    socket.close();
  }

  // Try at once, if there is no connection.
  wake() {
    if (!this.isOpen) this.again.now();
  }

  stop() {
    this.isStopped = true;
    this.again.worked();
    this.drop();
  }
}
