// The places that a reader has visited: back and on, and the address of a saved page, in which the text after # says which
// block is open, and which number is chosen.

import { inLink, linkTo } from "../record/cell_address.js";
import { allow, button } from "../page/dom.js";
import { History } from "../page/history.js";

const MAX_VISITS = 100;
const SETTLES = 300; // milliseconds until a chosen number is written: browsers mind many changes at once

export class Visits {
  // `isPage` is whether the address is ours; `open(path, cell)` opens a place again. `arrive` gets the text of another
  // address, and the visit that it belongs to, if it is one of ours.
  constructor(isPage, open, arrive) {
    Object.assign(this, { isPage, open });
    this.history = new History(null, MAX_VISITS);
    this.toBack = button("Back to the block before", () => this.go(-1), { symbol: "left" });
    this.toOn = button("On again", () => this.go(1), { symbol: "right" });
    if (isPage) window.addEventListener("popstate", ({ state }) => {
      this.settle(false); // it was for the place that was left
      arrive(this.address, state?.handcalc);
    });
  }

  get address() {
    return this.isPage ? inLink(location.hash) : "";
  }

  // A reader is at a place: in another block as a new visit, else as the same one; returns which. An address written
  // by hand has its place among the browser's already, and what a page opens with changes nothing in it.
  note(path, cell, text, isByHand = false) {
    const { history } = this;
    const isNew = history.now && history.now.path !== path && !this.isArriving;
    history[isNew ? "add" : "replace"]({ path, cell });
    if (this.isBegun) this.write(text, isNew && !isByHand);
    this.isBegun = true;
    allow(this.toBack, history.canGoBack);
    allow(this.toOn, history.canGoOn);
    return isNew;
  }

  write(text, isNew) {
    this.settle(isNew);
    this.waiting = [isNew ? "pushState" : "replaceState", { handcalc: this.history.at }, "", linkTo(text)];
    if (isNew) this.settle();
    else this.timer = setTimeout(() => this.settle(), SETTLES);
  }

  settle(isKept = true) {
    clearTimeout(this.timer);
    const [how, ...entry] = this.waiting ?? [];
    this.waiting = null;
    if (!how || !isKept || !this.isPage) return;
    try {
      history[how](...entry);
    } catch {
      this.isPage = false; // a frame that has no address of its own
    }
  }

  go(steps) {
    this.settle();
    if (this.isPage) history.go(steps);
    else if (this.history.go(steps)) this.revisit();
  }

  async revisit(at = this.history.at) {
    this.history.at = at;
    this.isArriving = true;
    await this.open(this.history.now.path, this.history.now.cell);
    this.isArriving = false;
  }
}
