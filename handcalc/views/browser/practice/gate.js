// The fields that may be filled in at present: none while a class is paused, and none of a later step; and those in
// which a click hides a number, while the others stay the copies that they are.

import { dictionary } from "../record/dictionary.js";
import { show, typeset } from "../record/numbers.js";

const LATER = "later";

// The sentence for a class that goes step by step.
export const laterWords = (last) => ["Fields marked “later” open when your teacher goes on. Now: up to ", last, "."];

export class Gate {
  // `blank` are the names of the steps, in order.
  constructor(blank) {
    Object.assign(this, { blank, isPaused: false, until: null });
  }

  // The last step that is open; without one, or with one that is not on this sheet, all are.
  set({ paused, until }) {
    this.isPaused = Boolean(paused);
    this.last = this.blank.indexOf(until ?? "");
  }

  isLater(step) {
    return this.last >= 0 && this.blank.indexOf(step) > this.last;
  }

  // The last step that is open, while others are not.
  get lastOpen() {
    return this.last >= 0 && this.last < this.blank.length - 1 ? this.blank[this.last] : null;
  }

  isOpen(step) {
    return !this.isPaused && !this.isLater(step);
  }

  // Close or open fields; a closed one stays in place, and its text can be read.
  apply(fields, recordOf) {
    for (const field of fields) {
      const { name } = recordOf(field).owner;
      const isLater = this.isLater(name);
      field.readOnly = !this.isOpen(name);
      field.closest("td").classList.toggle("hc-later", isLater);
      field.placeholder = isLater ? LATER : "";
    }
  }
}

const HIDDEN = "−∞";

export class Hiding {
  // `plan.hiding` has how many numbers each of these steps hides.
  constructor({ plan, blank, places }) {
    Object.assign(this, { counts: dictionary(plan?.hiding ?? {}), blank, places });
  }

  has(step) {
    return step in this.counts;
  }

  count(step) {
    return this.counts[step];
  }

  toggle(field) {
    field.value = field.value ? "" : HIDDEN;
  }

  // Show a number that the mask leaves, taken from the sheet or from the typed text.
  show({ owner, row, column, field, element }, texts) {
    if (!this.has(owner.name)) return;
    const [source] = owner.inputs;
    const isTyped = this.blank.includes(source.name);
    element.classList.add("hc-hides");
    field.readOnly = true;
    field.placeholder = isTyped ? (texts[source.name]?.[[row, column]] ?? "") : typeset(show(source.at(row, column), this.places));
  }
}
