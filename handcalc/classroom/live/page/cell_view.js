// The view of an opened cell: the student's numbers, and the feedback that the student reads.

import { tag, typesetNodes } from "../../../views/browser/page/dom.js";
import { BY_NAME } from "../../../views/browser/practice/states.js";
import { button } from "./elements.js";
import { countedWords, plainName } from "./teacher_words.js";

export const markOf = (cell) => BY_NAME[cell.state] ?? BY_NAME["not attempted"];
const stateOf = (cell) => markOf(cell).counted;

// The number to look at first: the first wrong one, else the first close, following or right one.
export function firstToLookAt(cells) {
  const all = cells.flatMap((line, row) => line.map((cell, column) => ({ row, column, state: stateOf(cell) })));
  for (const state of ["wrong", "close", "following", "right"]) {
    const found = all.find((cell) => cell.state === state);
    if (found) return [found.row, found.column];
  }
  return [0, 0];
}

// The mistakes seen in a step, and those that are only possible: "and" joins mistakes in different numbers, "or"
// joins explanations of the same numbers.
export function describeMistakes({ seen, instead, possible }) {
  const inWords = (names) => [...new Set(names)].map((name) => name.replaceAll("-", " "));
  const readings = [inWords(seen).join(" and "), ...inWords(instead)].filter(Boolean);
  return { seen: readings.join(", or as "), possible: possible.length ? `Possible, not sure: ${inWords(possible).join(" or ")}` : "" };
}

// The feedback that the student reads, line by line.
export const told = (messages) => messages.map((line) => tag("p", {}, typesetNodes(line)));

// A number that follows, worked with the student's own numbers, folded until it is opened.
export const workedOnOwn = (line) => (line ? [tag("details", {}, tag("summary", {}, "How it follows"), tag("p", {}, typesetNodes(line)))] : []);

export class CellView {
  constructor(page, code, step) {
    Object.assign(this, { page, code, step, found: null, chosen: null, isWritten: true });
  }

  get codes() {
    return [this.code];
  }

  get row() {
    return this.page.known.rows.get(this.code);
  }

  get about() {
    return this.page.known.kinds[this.row.kind].steps.find(({ name }) => name === this.step);
  }

  label() {
    return `${this.page.naming.of(this.row.number)}, ${plainName(this.step)}`;
  }

  title() {
    return [this.page.naming.of(this.row.number), " · ", typesetNodes(this.about.long)];
  }

  // Fetches the cell again, as it stands now.
  async load() {
    [this.found] = await this.page.look(this.code, this.step);
    this.chosen ??= firstToLookAt(this.found.cells);
  }

  show() {
    if (!this.found) return [tag("p", { class: "quiet" }, "…")];
    const { formula, cells, messages, own } = this.found;
    const { seen, possible } = describeMistakes(this.found);
    const hints = this.row.hints[this.step];
    return [
      tag("p", { class: "formula" }, typesetNodes(formula)),
      this.numbers(cells),
      this.one(cells),
      ...workedOnOwn(own),
      seen ? tag("p", { class: "seen" }, "Seen as ", tag("b", {}, seen)) : null,
      possible ? tag("p", { class: "quiet" }, possible) : null,
      messages.length ? tag("div", { class: "told" }, tag("h3", {}, "What the student reads"), ...told(messages)) : null,
      hints ? tag("p", { class: "quiet" }, `${countedWords(hints, "hint")} asked for`) : null,
    ].filter(Boolean);
  }

  numbers(cells) {
    const line = (cell, row, column) => {
      const { counted: state, sign, word } = markOf(cell);
      const isChosen = row === this.chosen[0] && column === this.chosen[1];
      const words = `Row ${row + 1}, column ${column + 1}: ${cell.text || "blank"}, ${word}${state === "right" ? "" : `; the right number is ${cell.right}`}`;
      const choose = () => {
        this.chosen = [row, column];
        this.page.panel.refresh();
      };
      const node = button("", choose, { "data-state": state, "aria-pressed": String(isChosen), "aria-label": words, "data-key": `${row},${column}` });
      node.append(tag("span", {}, cell.text || "–"), tag("b", {}, sign));
      return tag("td", {}, node);
    };
    const rows = cells.map((all, row) => tag("tr", {}, ...all.map((cell, column) => line(cell, row, column))));
    return tag("div", { class: "written" }, tag("table", { "aria-label": "What is written" }, tag("tbody", {}, ...rows)));
  }

  // The chosen number: the right value, and a button that shows it on the projector.
  one(cells) {
    const [row, column] = this.chosen;
    const { text, right, state } = cells[row][column];
    const place = tag("b", {}, typesetNodes(this.about.long), `[${row + 1},${column + 1}]`);
    const isRight = state === "correct";
    const words = isRight ? [`: ${text || right} is right.`] : [`: ${text ? `${text} was written` : "nothing is written there yet"}${state === "follows" ? `, which ${BY_NAME.follows.teacher}` : ""}; ${right} is right.`];
    const box = tag("input", { type: "checkbox", "data-key": "written" });
    box.checked = this.isWritten;
    box.addEventListener("change", () => (this.isWritten = box.checked));
    const show = button("Show this number on the projector", () => this.project(), { class: "go", "data-key": "project" });
    return tag("div", { class: "one" }, tag("p", {}, place, ...words), tag("div", { class: "acts" }, show, isRight || !text ? null : tag("label", {}, box, " with what was written")));
  }

  project() {
    const [row, column] = this.chosen;
    const { text, state } = this.found.cells[row][column];
    const written = this.isWritten && Boolean(text) && state !== "correct";
    return this.page.project({ kind: "number", code: this.code, step: this.step, row, column, written, asked: written });
  }
}
