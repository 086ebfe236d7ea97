// Moving a given: by the slider, by typing, by dragging the number itself, by keys.

import { SliderTarget } from "./slider_target.js";
import { show, showOf, typeset } from "../record/numbers.js";
import { parseNumber } from "../record/parse_number.js";
import { KEEPS_KEYS, cellNodes, claim, tag } from "../page/dom.js";

const STEPS = { ArrowUp: 1, ArrowDown: -1, PageUp: 10, PageDown: -10 };
const COARSE_FROM = 1e6; // from here on a step of 1 is too small
const SMALL = 0.1; // the step of any other slider
const LARGEST_END = Number.MAX_VALUE / 2; // both ends of a slider, and the way between them, are numbers
const NOTHING_TO_MOVE = "This sheet has no givens, so there is nothing to change.";
let count = 0; // for ids that labels refer to, within one page

// The ends of the slider and its step, which still moves a number with many digits. A small number that is never
// negative, such as a learning rate, goes from 0 to ten times as much as at the start.
export function sliderRange(start, now, isNeverNegative = false) {
  if (isNeverNegative && start > 0 && start < SMALL) {
    const unit = 10 ** Math.floor(Math.log10(start));
    const top = Math.max(10 * start, Math.ceil(now / unit) * unit);
    return { bottom: Math.min(0, now), top, step: unit / 10 };
  }
  const top = Math.min(Math.ceil(Math.max(5, 2 * Math.abs(start), Math.abs(now))), LARGEST_END);
  return { bottom: -top, top, step: top > COARSE_FROM ? 10 ** (Math.floor(Math.log10(top)) - 3) : top > 50 ? 1 : 0.1 };
}

export class InputControl {
  constructor(explorer) {
    this.explorer = explorer;
    const id = `handcalc-${(count += 1)}`;
    this.label = tag("label", { for: id });
    this.field = tag("input", {
      id, type: "text", inputmode: "decimal", role: "spinbutton", autocomplete: "off", spellcheck: "false",
      "aria-describedby": `${id}-trouble`, ...KEEPS_KEYS,
    });
    this.slider = tag("input", { type: "range", ...KEEPS_KEYS });
    this.ends = tag("div", { class: "hc-ends", "aria-hidden": "true" });
    this.trouble = tag("p", { id: `${id}-trouble`, class: "hc-trouble", role: "alert" });
    this.element = tag("div", { class: "hc-control" },
      tag("div", { class: "hc-target" }, this.label, this.field), this.slider, this.ends, this.trouble);
    this.bind();
    if (!explorer.hasGivens) this.element.replaceChildren(tag("p", { class: "hc-why" }, NOTHING_TO_MOVE));
  }

  bind() {
    const { slider, field, explorer } = this;
    slider.addEventListener("input", () => this.move(slider.valueAsNumber));
    slider.addEventListener("change", () => explorer.edits.commit());
    field.addEventListener("focus", () => field.select());
    field.addEventListener("input", () => this.read());
    field.addEventListener("blur", () => this.settle());
    field.addEventListener("keydown", (event) => this.onFieldKey(event));
  }

  get value() {
    const [matrix, row, column] = this.target;
    return matrix.at(row, column);
  }

  aim(matrix, row, column) {
    this.target = [matrix, row, column];
    for (const control of [this.slider, this.field]) control.setAttribute("aria-label", this.name() + this.spot());
    this.label.replaceChildren("Change ", tag("b", {}, cellNodes(this.target)), tag("span", { class: "hc-spot" }, this.spot()));
    this.fitRange();
    this.show();
  }

  // Set the range of the slider: past the start and past the present value, both ways alike.
  fitRange() {
    const [matrix, row, column] = this.target;
    const start = matrix.start[row * matrix.columnCount + column];
    Object.assign(this, sliderRange(start, this.value, matrix.entry.never_negative && matrix.start.length === 1));
    Object.assign(this.slider, { min: this.bottom, max: this.top, step: this.step });
    const places = this.top < 1 ? null : 0;
    const marks = [this.bottom, (this.bottom + this.top) / 2, this.top].map((n) => tag("span", {}, typeset(show(n, places))));
    this.ends.replaceChildren(...marks);
  }

  name() {
    const [matrix, row, column] = this.target;
    return matrix.cellName(row, column);
  }

  spot() {
    const [matrix, row, column] = this.target;
    const words = [matrix.labels(0)?.[row], matrix.labels(1)?.[column]].filter(Boolean).join(", ");
    return words && ` · ${words}`;
  }

  written() {
    return showOf(this.target[0], this.value, this.explorer.places);
  }

  show() {
    if (!this.target) return;
    const text = this.written();
    if (this.value > this.top || this.value < this.bottom) this.fitRange();
    this.slider.value = this.value;
    this.field.setAttribute("aria-valuenow", this.value);
    for (const control of [this.field, this.slider]) control.setAttribute("aria-valuetext", typeset(text));
    if (!this.isTyping) this.field.value = typeset(text);
  }

  move(value) {
    this.explorer.companions.get(SliderTarget).isByHand = true;
    this.explorer.edits.move(...this.target, value);
  }

  // Move by whole steps of the slider from where it was: 2, 2.1, 2.2.
  nudge(steps, from = this.value) {
    this.move(Number((from + steps * this.step).toFixed(10)));
  }

  // typing ------------------------------------------------------------------------------------

  type(text = null) {
    this.field.focus();
    if (text === null) return;
    this.field.value = text;
    this.field.setSelectionRange(text.length, text.length); // the same text as before would stay selected
    this.read();
  }

  read() {
    this.isTyping = true;
    const { value } = parseNumber(this.field.value);
    const isWell = Number.isFinite(value);
    this.field.setAttribute("aria-invalid", String(!isWell && !/^[-−+.,]?$/.test(this.field.value.trim())));
    this.trouble.textContent = "";
    if (isWell) this.move(value);
  }

  // Typing has ended: a number counts; anything else gets a sentence, and the number stays as it was.
  settle() {
    if (!this.isTyping) return;
    const { value, trouble } = parseNumber(this.field.value);
    this.isTyping = false;
    if (!Number.isFinite(value)) this.explorer.edits.cancel(); // what it began with was not a number either
    if (trouble || Math.abs(value) === Infinity) {
      const kept = `${this.name()} stays at ${typeset(this.written())}.`;
      this.trouble.textContent = `${trouble || "A given must be a finite number."} ${kept}`;
    }
    this.field.setAttribute("aria-invalid", "false");
    this.show();
    this.explorer.edits.commit();
  }

  onFieldKey(event) {
    const steps = STEPS[event.key];
    if (steps && !event.altKey && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      this.isTyping = false;
      this.nudge(event.shiftKey ? 10 * Math.sign(steps) : steps);
      this.explorer.edits.commit();
    } else if (event.key === "Enter" || event.key === "Escape") {
      claim(event);
      if (event.key === "Escape") {
        this.isTyping = false;
        this.trouble.textContent = "";
        this.field.setAttribute("aria-invalid", "false");
        this.explorer.edits.cancel();
      }
      this.settle();
      this.explorer.focus(this.target);
    }
  }

  // Keys on the number itself. Returns whether the key was one of ours.
  onCellKey(event, cell) {
    if (event.ctrlKey || event.metaKey) return false;
    const isOurs = event.altKey ? STEPS[event.key] : /^([-+.,\d]|Enter|F2)$/.test(event.key);
    if (!isOurs) return false;
    this.explorer.pick(cell);
    if (event.altKey) {
      this.nudge(event.shiftKey ? 10 * Math.sign(STEPS[event.key]) : STEPS[event.key]);
      this.explorer.edits.commit();
    } else {
      this.type(event.key.length > 1 ? null : event.key);
    }
    claim(event);
    return true;
  }

  // dragging ----------------------------------------------------------------------------------

  // Whether the click that comes now only ends a drag: what was being watched stays chosen.
  hasDragged() {
    const was = this.dragged;
    this.dragged = false;
    return was;
  }

  // A mouse drags any given; a finger the one that was tapped before, so that pages still scroll.
  press(event, cell) {
    this.dragged = false;
    const { owner, row, column } = cell.handcalc;
    const isMouse = event.pointerType !== "touch";
    if (!owner.isGiven || event.button !== 0 || !(isMouse || cell.classList.contains("hc-active-given"))) return;
    cell.setPointerCapture(event.pointerId);
    new Drag(this, event, [owner, row, column]);
  }
}

const PIXELS = 6; // of dragging, to a step
const STARTS = 4; // pixels until a press is a drag

// A given under a hand: dragged up or down, dropped, or put back by Escape.
class Drag {
  // Listens on the document: the sheet may be drawn again under the hand.
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
    companions.get(SliderTarget).hold(this.given);
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
    claim(event);
    this.end(false);
  }
}
