// What an answer is given with: options to choose from, or a field for a number or a few words.

import { KEEPS_KEYS, tag, typesetNodes } from "../page/dom.js";
import { signTag } from "../steps/score.js";
import { longest } from "./judging.js";

let questionCount = 0; // on this page: a choice has a name of its own

// One of a few. `lineOf(field, html)` may draw an option in its own way, a word of a sentence or a picture.
export class Options {
  constructor({ options }, lineOf = inALine) {
    questionCount += 1;
    this.fields = options.map(([text]) => tag("input", { type: "radio", name: `hc-guess-${questionCount}`, value: text, ...KEEPS_KEYS }));
    this.lines = options.map(([, html], k) => lineOf(this.fields[k], html, k));
    this.element = tag("fieldset", { class: "hc-options", role: "none" }, ...this.lines);
  }

  get text() {
    return this.fields.find((field) => field.checked)?.value ?? "";
  }

  focus() {
    const free = this.fields.filter((field) => !field.disabled);
    (free.find((field) => field.checked) ?? free[0])?.focus();
  }

  // Nothing is chosen, and everything may be.
  clear() {
    this.element.disabled = false;
    for (const field of this.fields) Object.assign(field, { checked: false, disabled: false });
    for (const line of this.lines) line.querySelector(".hc-sign")?.remove();
  }

  // This one was wrong: it stays to be seen, and another one may be chosen.
  strike(text) {
    this.fields.forEach((field, k) => {
      if (field.value !== text) return;
      Object.assign(field, { checked: false, disabled: true });
      sign(this.lines[k], "wrong");
    });
  }

  // It is over: the chosen option and the right one have their signs.
  settle(guess, { options, answer }) {
    this.element.disabled = true;
    this.fields.forEach((field, k) => {
      const isRight = k === answer - 1;
      field.checked = options[k][0] === guess;
      if (isRight || field.checked) sign(this.lines[k], isRight ? "right" : "wrong");
    });
  }
}

const inALine = (field, html) => tag("label", {}, field, tag("span", {}, typesetNodes(html)));

function sign(line, kind) {
  line.querySelector(".hc-sign")?.remove();
  line.append(signTag(kind));
}

// A number or a few words. The field may stand elsewhere, in the cell that is asked for.
export class Typed {
  constructor({ kind }) {
    this.field = tag("input", { type: "text", "aria-label": "Your guess", maxlength: longest(kind), autocomplete: "off", spellcheck: "false", ...KEEPS_KEYS });
    this.fields = [this.field];
    this.element = tag("fieldset", { class: `hc-${kind}`, role: "none" }, this.field);
  }

  // In a cell: what is asked for is named, and "?" stands in it until something is typed.
  moveInto(label) {
    this.field.setAttribute("aria-label", `Your guess: ${label}`);
    this.field.setAttribute("placeholder", "?");
    this.element.hidden = true;
  }

  get text() {
    return this.field.value.trim();
  }

  focus() {
    this.field.focus();
    this.field.select();
  }

  clear() {
    this.element.disabled = false;
    this.field.value = "";
  }

  strike() {
    this.field.select();
  }

  settle(guess) {
    this.element.disabled = true;
    this.field.value = guess;
  }
}
