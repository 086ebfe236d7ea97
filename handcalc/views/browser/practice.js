// Filling blanks on the page: a sheet whose blank numbers are fields, marked by Python as they come.

import { Calculation } from "./record.js";
import { Sheet } from "./sheet.js";
import { typeset } from "./numbers.js";
import { KEEPS_KEYS, allow, button, formulaTags, tag } from "./tags.js";

const SIGNS = { correct: "✓", follows: "→", wrong: "✗", unread: "?" };
const SAID = {
  correct: "right", follows: "follows from your own earlier numbers", wrong: "not right", unread: "no number", "not attempted": "",
};
const UNSAVED = "What you typed last is not in the file yet: nobody answers. It is kept in this browser; run the cell again.";
const PATIENCE = 2500; // ms until it is said that nobody answers
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

// The fields of a matrix, column by column.
function downwards(table) {
  const fields = [...table.querySelectorAll("input")];
  const column = (field) => field.closest("td").handcalc.column;
  return fields.sort((one, two) => column(one) - column(two)); // rows keep their order
}

// What was typed and is not in the file yet, kept in the browser until it is: {"step,row,column": text}.
class Waiting {
  constructor(file, code) {
    this.key = `handcalc ${file} ${code}`;
    this.texts = {};
    try {
      this.texts = JSON.parse(localStorage.getItem(this.key)) ?? {};
    } catch {} // no storage here: then it waits as long as the page is open
  }

  get entries() {
    return Object.entries(this.texts).map(([place, text]) => {
      const [, step, row, column] = place.match(/^(.*),(\d+),(\d+)$/);
      return [step, Number(row), Number(column), text];
    });
  }

  add(step, row, column, text) {
    this.texts[[step, row, column]] = text;
    this.keep();
  }

  // Whatever stands in the file by now waits no more.
  settle(texts) {
    for (const [step, row, column, text] of this.entries) {
      if (texts[step]?.[[row, column]] === text) delete this.texts[[step, row, column]];
    }
    this.keep();
  }

  keep() {
    try {
      if (this.entries.length) localStorage.setItem(this.key, JSON.stringify(this.texts));
      else localStorage.removeItem(this.key);
    } catch {}
  }
}

export class Practice {
  // `state` is what Python knows: {spec, blank, places, texts, states, said, score, hint, code, file};
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
    this.back = button("Back", () => this.onAsk("back", null), { title: "The problem before this one" });
    const acts = tag("div", { class: "hc-acts" }, this.hinting, this.back, this.next);
    this.panel = tag("div", { class: "hc-panel" }, tag("div", {}, this.about, this.said), tag("div", {}, this.hint, acts));
    root.replaceChildren(tag("div", { class: "hc-header" }, this.title, this.score), this.stage, this.panel);
    this.stage.addEventListener("change", (event) => this.hear(event.target));
    this.stage.addEventListener("focusin", (event) => this.look(event.target));
    this.stage.addEventListener("keydown", (event) => this.walk(event));
    this.open(state);
  }

  open(state) {
    this.state = state;
    this.waiting = new Waiting(state.file, state.code);
    this.texts = {};
    this.calculation = new Calculation(state.spec);
    const typed = (name, row, column) => this.texts[name]?.[[row, column]] ?? "";
    this.sheet = new BlankSheet(this.calculation, state.places, new Set(state.blank), typed);
    this.stage.replaceChildren(this.sheet.element);
    this.fields = [...this.stage.querySelectorAll("table")].flatMap((table) => downwards(table));
    this.title.textContent = `${state.spec.title} · ${state.code}`;
    this.step = state.blank[0];
    this.tell(state);
    this.about.replaceChildren(...this.aboutStep());
    for (const typed of this.waiting.entries) this.send(...typed);
  }

  send(step, row, column, text) {
    this.onText(step, row, column, text);
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.unsaved(), PATIENCE);
  }

  unsaved() {
    if (this.waiting.entries.length) this.said.replaceChildren(tag("p", { class: "hc-unsaved" }, UNSAVED));
  }

  // What stands in the file, and over it what waits to get there.
  take(texts) {
    this.waiting.settle(texts);
    this.texts = structuredClone(texts);
    for (const [step, row, column, text] of this.waiting.entries) (this.texts[step] ??= {})[[row, column]] = text;
    this.sheet.patch();
  }

  recordOf(field) {
    return field.closest?.("td")?.handcalc;
  }

  look(field) {
    const record = this.recordOf(field);
    if (!record?.field) return;
    this.step = record.owner.name;
    this.about.replaceChildren(...this.aboutStep());
    this.say();
    field.select();
    this.uncover(field);
  }

  // The panel covers a part of the window: what is being filled scrolls clear of it.
  uncover(field) {
    const covers = getComputedStyle(this.panel).position === "sticky" ? this.panel.offsetHeight : 0;
    this.element.style.setProperty("--hc-covered", `${covers}px`);
    field.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // What is said of the step that is being filled; where nothing is, of the first one; and who else waits.
  say() {
    const { said } = this.state;
    const steps = Object.keys(said);
    const shown = said[this.step] ? this.step : steps[0];
    const others = steps.filter((step) => step !== shown && step !== this.step);
    const lines = [...(said[shown] ?? []), ...(others.length ? [`Look again at ${others.join(", ")}, too.`] : [])];
    this.said.replaceChildren(...lines.map((line) => tag("p", {}, typeset(line))));
  }

  aboutStep() {
    const { entry } = this.calculation.byName.get(this.step);
    return [tag("strong", {}, ...formulaTags(entry.formula)), ` · Round to ${this.state.places} decimals what you write.`];
  }

  hear(field) {
    const record = this.recordOf(field);
    const { owner, row, column } = record;
    const text = field.value.trim();
    const texts = (this.texts[owner.name] ??= {});
    if ((texts[[row, column]] ?? "") === text) return;
    texts[[row, column]] = text;
    this.waiting.add(owner.name, row, column, text);
    this.sheet.patch();
    this.send(owner.name, row, column, text);
  }

  // Enter and the arrows go down and up a column, then to the next or the last column, then matrix.
  walk(event) {
    const way = DOWN[event.key];
    const record = this.recordOf(event.target);
    if (!way || !record?.field) return;
    event.preventDefault();
    event.stopPropagation();
    if (event.key === "Enter") this.hear(event.target);
    this.fields[this.fields.indexOf(event.target) + way]?.focus();
  }

  // What Python says of it: a state for every blank, lines, a score, a hint.
  tell(state) {
    this.state = { ...this.state, ...state };
    const { states, score, hint, finished, back } = this.state;
    this.take(this.state.texts);
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
    this.say();
    this.score.textContent = score;
    this.hint.textContent = typeset(hint);
    this.next.classList.toggle("hc-go", Boolean(finished));
    allow(this.back, back);
  }
}
