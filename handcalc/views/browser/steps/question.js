// The question before a step: which number it asks for, the field that a guess is typed into.

import { parseNumber } from "../record/parse_number.js";
import { KEEPS_KEYS, button, cellNodes, onSubmit, tag } from "../page/dom.js";

const NOTHING_TYPED = "Type a number, or press “Just show it”.";
const OTHERS = "Or choose another ? and guess that number instead.";
const INFINITE = "For −∞, type -inf.";

export class Question {
  // `onGuess` gets a number and the text that it was read from; `onShow` is called when nobody wants to guess,
  // `onStop` when nobody wants to be asked again.
  constructor({ onGuess, onShow, onStop }) {
    this.onGuess = onGuess;
    this.label = tag("label", { class: "hc-asking" });
    this.field = tag("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", ...KEEPS_KEYS });
    this.label.append(this.field);
    this.trouble = tag("p", { class: "hc-trouble", role: "alert" });
    this.note = tag("p", { class: "hc-quiet" });
    const form = tag("form", {}, this.label, button("Check", () => {}, { type: "submit" }), button("Just show it", onShow), button("Stop asking", onStop));
    this.element = tag("div", { class: "hc-question", hidden: "" }, form, this.trouble, this.note);
    onSubmit(form, () => this.check(), (target) => target === this.field && this.field.value.trim());
  }

  get hasFocus() {
    return this.element.contains(document.activeElement);
  }

  // A new question: nothing is typed yet.
  clear() {
    this.field.value = "";
    this.trouble.textContent = "";
  }

  // Show the question for this number, or hide it for none.
  show(cell) {
    this.element.hidden = !cell;
    if (!cell) return;
    const [matrix] = cell;
    this.label.replaceChildren(tag("span", {}, "Your guess: what is ", cellNodes(cell), "?"), this.field);
    const notes = [matrix.rowCount * matrix.columnCount > 1 ? OTHERS : "", matrix.values.includes(-Infinity) ? INFINITE : ""];
    this.note.textContent = notes.filter(Boolean).join(" ");
  }

  check() {
    const text = this.field.value;
    const { value, trouble } = parseNumber(text);
    if (!Number.isNaN(value)) return this.onGuess(value, text);
    this.trouble.textContent = trouble || NOTHING_TYPED;
    this.field.focus();
    this.field.select();
  }
}
