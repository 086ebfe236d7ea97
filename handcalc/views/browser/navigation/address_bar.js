// The address of a saved page: what stands after # says which block is open, and which number is chosen.

import { inLink, linkTo } from "../record/cell_address.js";

const SETTLES = 300; // milliseconds until a chosen number is written: browsers mind many changes at once

export class AddressBar {
  // `onArrive` gets the text after #, and the visit that it belongs to, if it is one of ours.
  constructor(isOn, onArrive) {
    this.isOn = isOn;
    if (isOn) window.addEventListener("popstate", ({ state }) => {
      this.forget(); // it was for the place that was left
      onArrive(this.text, state?.handcalc);
    });
  }

  get text() {
    return this.isOn ? inLink(location.hash) : "";
  }

  add(text, at) {
    this.settle();
    this.write("pushState", text, at);
  }

  replace(text, at) {
    clearTimeout(this.timer);
    this.waiting = [text, at];
    this.timer = setTimeout(() => this.settle(), SETTLES);
  }

  settle() {
    clearTimeout(this.timer);
    if (this.waiting) this.write("replaceState", ...this.waiting);
    this.waiting = null;
  }

  forget() {
    clearTimeout(this.timer);
    this.waiting = null;
  }

  write(how, text, at) {
    if (!this.isOn) return;
    try {
      history[how]({ handcalc: at }, "", linkTo(text));
    } catch {
      this.isOn = false; // a frame that has no address of its own
    }
  }

  go(steps) {
    this.settle();
    history.go(steps);
  }
}
