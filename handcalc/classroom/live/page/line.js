// The line to the class's server of somebody who has a ticket: requests, messages, and all anew when it was cut.

import { Live, ask } from "./server.js";
import { standing } from "./ticket.js";

const [LATE, SOON] = [12_000, 1000]; // ms until marks have had the time to come: by the socket, or without one

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
    const wasCut = !this.notice.isReached;
    this.notice.reached(isReached, !this.post.unsent.length);
    if (!isReached) return;
    this.post.again.now();
    if (wasCut || !this.isKnown) this.anew();
    this.isKnown = true;
  }

  // An answer; or nothing, and a sentence that says why.
  async ask(path, body) {
    const found = await ask(path, this.token, body).catch((error) => error);
    const where = standing(found);
    if (where === "in") return found;
    if (where === "out") this.out();
    else if (where === "away") this.notice.reached(false, false);
    else this.notice.pass(found.message);
    return null;
  }

  // Marks are to come. A socket may seem to be open and carry nothing.
  expect(code) {
    this.timer ??= setTimeout(() => this.lookAgain(code), this.live.isOpen ? LATE : SOON);
  }

  lookAgain(code) {
    this.timer = null;
    if (this.isCut || !this.post.unmarked.of(code, []).length) return;
    if (this.live.isOpen) this.live.renew();
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
