// Steps that hide numbers: a click hides one, and the others stay the copies that they are.

import { dictionary } from "../record/dictionary.js";
import { show, typeset } from "../record/numbers.js";

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
