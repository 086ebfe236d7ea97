// A share is guessed as a bar: drag it, tap it, or use the arrow keys. The others are told with the answer.

import { show, typeset } from "../record/numbers.js";
import { KEEPS_KEYS, tag } from "../page/dom.js";

const STEP = 0.01;

export class Bars {
  // `drawn` is what views/asking/drawings.py hands over: {labels, at, shares}; `at` is the asked one.
  constructor({ labels, at, shares }) {
    Object.assign(this, { at, shares });
    this.field = tag("input", { type: "range", min: 0, max: 1, step: STEP, value: 0, "aria-label": `Your guess: the share of ${labels[at]}`, ...KEEPS_KEYS });
    this.fields = [this.field];
    this.numbers = labels.map(() => tag("span", { class: "hc-share-number" }, "?"));
    this.bars = labels.map((_, k) => tag("span", { class: "hc-share-room" }, tag("span", { class: "hc-share-bar" }), k === at ? this.field : null));
    const rows = labels.map((label, k) => tag("div", { class: k === at ? "hc-share-row hc-share-asked" : "hc-share-row" }, tag("span", {}, label), this.bars[k], this.numbers[k]));
    this.element = tag("div", { class: "hc-shares", "data-drawn": "bars" }, ...rows);
    this.field.addEventListener("input", () => this.set(at, this.field.value, (this.isMoved = true)));
    this.clear();
  }

  set(k, share) {
    this.bars[k].style.setProperty("--hc-share", share ?? 0);
    this.bars[k].classList.toggle("hc-unknown", share === null);
    this.numbers[k].textContent = share === null ? "?" : typeset(show(Number(share), 2));
  }

  get nothing() {
    return "Move the bar first.";
  }

  get text() {
    return this.isMoved ? String(Number(this.field.value)) : "";
  }

  focus() {
    this.field.focus();
  }

  clear() {
    this.isMoved = false;
    this.field.value = 0;
    this.field.disabled = false;
    this.shares.forEach((_, k) => this.set(k, null));
  }

  strike() {
    this.isMoved = false;
  }

  settle() {
    this.field.disabled = true;
  }

  reveal() {
    this.shares.forEach((share, k) => this.set(k, share));
  }
}
