// A given under a hand: dragged up or down, dropped, or put back by Escape.

import { Aim } from "./aim.js";

const PIXELS = 6; // of dragging, to a step
const STARTS = 4; // pixels until a press is a drag

export class Drag {
  // Heard on the document: the sheet may be drawn anew under the hand.
  constructor(input, { clientY, pointerId }, given) {
    const [owner, row, column] = given;
    const heard = { pointermove: (event) => this.follow(event), pointerup: () => this.end(true), pointercancel: () => this.end(false) };
    Object.assign(this, { input, given, clientY, from: owner.at(row, column), steps: 0, isOn: false, leaving: new AbortController() });
    const listen = (name, act) => document.addEventListener(name, act, { capture: true, signal: this.leaving.signal });
    for (const [name, act] of Object.entries(heard)) listen(name, (event) => event.pointerId === pointerId && act(event));
    listen("keydown", (event) => event.key === "Escape" && this.escape(event));
  }

  // A calculation that is switched has other givens: then there is nothing left to move.
  follow({ clientY, shiftKey }) {
    if (!this.input.explorer.calculation.givens.includes(this.given[0])) return this.end(true);
    const far = this.clientY - clientY;
    if (!this.isOn && Math.abs(far) < STARTS) return;
    if (!this.isOn) this.begin();
    const steps = Math.round(far / PIXELS) * (shiftKey ? 10 : 1);
    if (steps !== this.steps) this.input.nudge(steps, this.from);
    this.steps = steps;
  }

  begin() {
    const { companions, element } = this.input.explorer;
    this.isOn = true;
    companions.get(Aim).hold(this.given);
    element.classList.add("hc-dragging");
  }

  end(isKept) {
    const { edits, element } = this.input.explorer;
    this.leaving.abort();
    element.classList.remove("hc-dragging");
    this.input.dragged = this.isOn;
    if (this.isOn) (isKept ? edits.commit() : edits.cancel());
  }

  escape(event) {
    event.preventDefault();
    event.stopPropagation();
    this.end(false);
  }
}
