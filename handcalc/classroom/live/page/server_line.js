// A learner's line to the class's server: requests, messages, and a refresh after every break.

import { Retry, ask } from "./server_requests.js";
import { findStanding } from "./ticket.js";

const [MARKS_LATE, MARKS_SOON] = [12_000, 1000]; // ms until marks have had the time to come: by the socket, or without one
const [NOT_OURS, UNWANTED] = [4403, 1008]; // why a server closes a socket: it does not know the token, or has enough of them
const SETTLED_AFTER = 5000; // ms after which a socket is heard at the other end

// A socket for marks and decisions as they come. `onMessage` gets each of them, `onState` whether the server can
// be reached, and `onOut` is called if the server does not know the token.
export class MarksSocket {
  constructor(token, { onMessage, onState, onOut = () => {} }, how = {}) {
    Object.assign(this, { token, onMessage, onState, onOut, socket: null });
    this.retry = new Retry(() => this.open(), how);
    this.open();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    if (this.isStopped || (this.socket && this.socket.readyState < WebSocket.CLOSING)) return;
    const socket = (this.socket = new WebSocket(new URL("api/live", location.href.replace(/^http/, "ws"))));
    socket.onopen = () => {
      this.retry.worked();
      socket.send(JSON.stringify({ token: this.token }));
      this.onState(true);
    };
    socket.onmessage = ({ data }) => this.onMessage(JSON.parse(data));
    socket.onclose = ({ code }) => this.onClose(code);
  }

  onClose(code) {
    if (this.isStopped) return;
    if (code === UNWANTED) return; // until somebody looks at this page again
    this.retry.later();
    if (code === NOT_OURS) this.onOut();
    else if (this.retry.failures > 1) this.onState(false); // once may be a phone that was asleep
  }

  // Replaces a silent socket: it would take a minute to learn that it has closed.
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

  // Connects at once if there is no connection.
  wake() {
    if (!this.isOpen) this.retry.now();
  }

  stop() {
    this.isStopped = true;
    this.retry.worked();
    this.drop();
  }
}

export class ServerLine {
  // `about` is {token, outbox, notice, takeMessage(message), refresh(), out()}; the callbacks are for messages of the server,
  // for a break in which some may have been missed, and for a token that the server does not know.
  constructor(about) {
    Object.assign(this, about);
    this.socket = new MarksSocket(this.token, {
      onMessage: this.takeMessage,
      onOut: () => this.refresh(),
      onState: (isReached) => this.onState(isReached),
    });
  }

  onState(isReached) {
    if (!isReached) return this.refresh(); // it may be the socket alone: some networks let none through
    this.openedAt = Date.now();
    const wasCut = !this.notice.isReached;
    this.reached();
    if (wasCut || !this.isKnown) this.refresh();
    this.isKnown = true;
  }

  // Sends the waiting texts as soon as the server answers at all.
  reached() {
    if (!this.notice.isReached) this.outbox.retry.now();
    this.notice.reached(true, !this.outbox.unsent.length);
  }

  // The response to a request; or null, with a notice that says why.
  async ask(path, body) {
    const found = await ask(path, this.token, body).catch((error) => error);
    const where = findStanding(found);
    if (where === "out") this.out();
    else if (where === "away") this.notice.reached(false, false);
    else this.reached();
    if (where === "busy") this.notice.showBriefly(found.message);
    return where === "in" ? found : null;
  }

  // Whether the socket has been open for long enough for marks to come by it.
  get isSettled() {
    return this.socket.isOpen && Date.now() - this.openedAt > SETTLED_AFTER;
  }

  // Looks again if the expected marks do not come in time.
  expectMarks(code) {
    const { isSettled } = this;
    this.timer ??= setTimeout(() => this.lookAgain(code, isSettled), isSettled ? MARKS_LATE : MARKS_SOON);
  }

  // Asks for the marks; a socket may seem open and carry nothing.
  lookAgain(code, isSettled) {
    this.timer = null;
    if (this.isCut || !this.outbox.unmarked.of(code, []).length) return;
    if (isSettled && this.socket.isOpen) this.socket.renew();
    this.refresh();
    this.expectMarks(code); // they may not be made yet
  }

  // Reconnects when the learner looks at the page again, or the network has changed.
  wake() {
    this.socket.wake();
    this.outbox.retry.now();
    this.refresh();
  }

  cut() {
    this.isCut = true;
    this.socket.stop();
  }
}
