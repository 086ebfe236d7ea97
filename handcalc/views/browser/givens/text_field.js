// What a model reads, to be typed: another text of its letters or words. What it cannot read gets a sentence.

import { readText, textOf } from "../record/other_text.js";
import { KEEPS_KEYS, claim, tag } from "../page/dom.js";

export class TextField {
  constructor(explorer) {
    this.explorer = explorer;
    if (!explorer.variants.opening.spec.what_ifs?.text) return;
    this.field = tag("input", { type: "text", autocomplete: "off", autocapitalize: "off", spellcheck: "false", ...KEEPS_KEYS });
    this.trouble = tag("span", { class: "hc-trouble", role: "alert" });
    const { most, text, between } = textOf(this.spec);
    this.field.size = between ? text.length : Math.max(4, most);
    explorer.toolbar.title.after(tag("span", { class: "hc-reads" }, tag("label", {}, "It reads", this.field), this.trouble));
    this.field.addEventListener("change", () => this.read());
    this.field.addEventListener("keydown", (event) => this.onKey(event));
    this.settle();
  }

  get spec() {
    return this.explorer.calculation.spec;
  }

  read() {
    const { explorer, field } = this;
    const { trouble = "", text } = readText(this.spec, field.value);
    this.say(trouble);
    if (trouble || text === textOf(this.spec).text) return;
    explorer.edits.make(explorer.comparison.asked.reading(text));
  }

  say(trouble) {
    this.trouble.textContent = trouble;
    this.field.setAttribute("aria-invalid", String(Boolean(trouble)));
  }

  onKey(event) {
    if (event.key !== "Enter" && event.key !== "Escape") return;
    claim(event);
    if (event.key === "Enter") this.read();
    else this.settle();
  }

  // What is read now, however that came about.
  settle() {
    if (!this.field) return;
    this.field.value = textOf(this.spec).text;
    this.say("");
  }
}
