// Filling blanks on the page: a sheet whose blank numbers are fields, marked by Python as they come.

import { Calculation } from "./record.js";
import { Sheet } from "./sheet.js";
import { typeset } from "./numbers.js";
import { KEEPS_KEYS, button, formulaTags, tag } from "./tags.js";

const SIGNS = { correct: "✓", follows: "→", wrong: "✗" };
const SAID = {
  correct: "right", follows: "follows from your own earlier numbers", wrong: "not right", unread: "no number", "not attempted": "",
};
const DOWN = { ArrowDown: 1, Enter: 1, ArrowUp: -1 };

// A sheet on which what is asked for stands empty; copies of a blank matrix show what was typed.
class BlankSheet extends Sheet {
  constructor(calculation, places, blank, typed) {
    super(calculation, places);
    this.blank = blank;
    this.typed = typed; // (name, row, column) -> what stands there
    for (const block of this.blocks) {
      for (const record of block.records) if (blank.has(record.owner.name)) this.empty(record);
    }
  }

  write(record, largest) {
    if (this.blank?.has(record.owner.name)) this.refill(record);
    else super.write(record, largest);
  }

  empty(record) {
    const { element, owner, row, column } = record;
    const isHome = element.hasAttribute("data-step");
    element.style.backgroundColor = "transparent";
    element.classList.add("hc-blank");
    if (isHome) {
      const name = `${owner.cellName(row, column)}`;
      record.field = tag("input", { type: "text", inputmode: "text", autocomplete: "off", spellcheck: "false", "aria-label": name, ...KEEPS_KEYS });
      record.sign = tag("i", { "aria-hidden": "true" });
      element.replaceChildren(record.field, record.sign);
      element.removeAttribute("tabindex");
    }
    this.refill(record);
  }

  refill(record) {
    const text = this.typed(record.owner.name, record.row, record.column);
    if (record.field) {
      if (document.activeElement !== record.field) record.field.value = text;
    } else record.number.data = typeset(text);
    record.element.setAttribute("data-value", text);
  }
}

export class Practice {
  // `state` is what Python knows: {spec, blank, places, texts, states, said, score, hint, code};
  // `onText` hears (name, row, column, text), `onAsk` "hint" with a step, or "next".
  constructor(root, state, { onText, onAsk }) {
    Object.assign(this, { element: root, onText, onAsk });
    root.classList.add("handcalc-explorer", "handcalc-practice");
    this.title = tag("strong", { role: "heading", "aria-level": 3 });
    this.score = tag("span", { class: "hc-score", role: "status" });
    this.stage = tag("div", { class: "hc-stage" });
    this.about = tag("p", { class: "hc-why" });
    this.said = tag("div", { class: "hc-said", role: "status", "aria-live": "polite" });
    this.hint = tag("p", { class: "hc-because", role: "status" });
    this.hinting = button("Hint", () => this.onAsk("hint", this.step));
    this.next = button("Next problem", () => this.onAsk("next", null));
    const acts = tag("div", { class: "hc-acts" }, this.hinting, this.next);
    const panel = tag("div", { class: "hc-panel" }, tag("div", {}, this.about, this.said), tag("div", {}, this.hint, acts));
    root.replaceChildren(tag("div", { class: "hc-header" }, this.title, this.score), this.stage, panel);
    this.stage.addEventListener("change", (event) => this.hear(event.target));
    this.stage.addEventListener("focusin", (event) => this.look(event.target));
    this.stage.addEventListener("keydown", (event) => this.walk(event));
    this.open(state);
  }

  open(state) {
    this.state = state;
    this.texts = structuredClone(state.texts);
    this.calculation = new Calculation(state.spec);
    const typed = (name, row, column) => this.texts[name]?.[`${row},${column}`] ?? "";
    this.sheet = new BlankSheet(this.calculation, state.places, new Set(state.blank), typed);
    this.stage.replaceChildren(this.sheet.element);
    this.fields = [...this.stage.querySelectorAll(".hc-blank input")];
    this.title.textContent = `${state.spec.title} · ${state.code}`;
    this.step = state.blank[0];
    this.tell(state);
    this.about.replaceChildren(...this.aboutStep());
  }

  recordOf(field) {
    return field.closest?.("td")?.handcalc;
  }

  look(field) {
    const record = this.recordOf(field);
    if (!record?.field) return;
    this.step = record.owner.name;
    this.about.replaceChildren(...this.aboutStep());
    field.select();
  }

  aboutStep() {
    const { entry } = this.calculation.byName.get(this.step);
    return [tag("strong", {}, ...formulaTags(entry.formula)), ` · ${entry.why ?? ""} Write ${this.state.places} decimals.`];
  }

  hear(field) {
    const record = this.recordOf(field);
    const { owner, row, column } = record;
    const text = field.value.trim();
    this.texts[owner.name] ??= {};
    if ((this.texts[owner.name][`${row},${column}`] ?? "") === text) return;
    this.texts[owner.name][`${row},${column}`] = text;
    this.sheet.patch();
    this.onText(owner.name, row, column, text);
  }

  // Enter and the arrows go down and up a column, and then to the next or the last blank.
  walk(event) {
    const way = DOWN[event.key];
    const record = this.recordOf(event.target);
    if (!way || !record?.field) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") this.hear(event.target);
    const table = event.target.closest("table");
    const below = [...table.querySelectorAll("input")].find((field) => {
      const other = this.recordOf(field);
      return other.column === record.column && other.row === record.row + way;
    });
    const next = below ?? this.fields[this.fields.indexOf(event.target) + way];
    next?.focus();
  }

  // What Python says of it: a state for every blank, lines, a score, a hint.
  tell(state) {
    this.state = { ...this.state, ...state };
    const { states, said, score, hint, finished } = this.state;
    for (const field of this.fields) {
      const record = this.recordOf(field);
      const now = states[record.owner.name]?.[record.row]?.[record.column] ?? "not attempted";
      field.className = `hc-${now.replace(" ", "-")}`;
      field.setAttribute("aria-invalid", String(now === "wrong" || now === "unread"));
      const told = SAID[now] ?? "";
      field.setAttribute("aria-label", `${record.owner.cellName(record.row, record.column)}${told && `, ${told}`}`);
      field.title = told;
      record.sign.textContent = SIGNS[now] ?? "";
      record.sign.className = field.className;
    }
    this.said.replaceChildren(...said.map((line) => tag("p", {}, typeset(line))));
    this.score.textContent = score;
    this.hint.textContent = typeset(hint);
    this.next.classList.toggle("hc-go", Boolean(finished));
  }
}
