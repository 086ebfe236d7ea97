// The line to the class's server of somebody who has a ticket: requests, messages, and all anew when it was cut.

import { Live, ask } from "./server.js";
import { standing } from "./ticket.js";

const [LATE, SOON] = [12_000, 1000]; // ms until marks have had the time to come: by the socket, or without one
const SETTLED = 5000; // ms after which a socket is heard at the other end

export class Line {
  // `about` is {token, post, notice, hear(message), anew(), out()}: what the server says of its own accord, that
  // something may have been missed, and that it does not know the token.
  constructor(about) {
    Object.assign(this, about);
    this.live = new Live(this.token, {
      onMessage: this.hear,
      onOut: () => this.anew(),
      onState: (isReached) => this.onState(isReached),
    });
  }

  onState(isReached) {
    if (!isReached) return this.anew(); // it may be the socket alone: some networks let none through
    this.openedAt = Date.now();
    const wasCut = !this.notice.isReached;
    this.reached();
    if (wasCut || !this.isKnown) this.anew();
    this.isKnown = true;
  }

  // What waits goes out as soon as there is an answer of any kind.
  reached() {
    if (!this.notice.isReached) this.post.again.now();
    this.notice.reached(true, !this.post.unsent.length);
  }

  // An answer; or nothing, and a sentence that says why.
  async ask(path, body) {
    const found = await ask(path, this.token, body).catch((error) => error);
    const where = standing(found);
    if (where === "out") this.out();
    else if (where === "away") this.notice.reached(false, false);
    else this.reached();
    if (where === "busy") this.notice.pass(found.message);
    return where === "in" ? found : null;
  }

  // A socket that is there, and has been for so long that marks come by it.
  get isSettled() {
    return this.live.isOpen && Date.now() - this.openedAt > SETTLED;
  }

  // Marks are to come.
  expect(code) {
    const { isSettled } = this;
    this.timer ??= setTimeout(() => this.lookAgain(code, isSettled), isSettled ? LATE : SOON);
  }

  // A socket may seem to be open and carry nothing.
  lookAgain(code, isSettled) {
    this.timer = null;
    if (this.isCut || !this.post.unmarked.of(code, []).length) return;
    if (isSettled && this.live.isOpen) this.live.renew();
    this.anew();
  }

  // Somebody looks at the page again, or the network has changed.
  wake() {
    this.live.wake();
    this.post.again.now();
    this.anew();
  }

  cut() {
    this.isCut = true;
    this.live.stop();
  }
}
