// The explorer: click a number and read its arithmetic, pick a given and move it.

import { counted, show, typeset } from "./numbers.js";
import { Calculation } from "./record.js";
import { SOURCE_CLASSES, Sheet, formulaTags, tag } from "./sheet.js";

const LIT = ["hc-chosen", "hc-feeds", ...SOURCE_CLASSES];
const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };
let count = 0; // for ids that labels refer to, within one page

export class Explorer {
  // `onGivens` hears {name: rows} of the changed givens when the hand lets go.
  constructor(root, spec, { places = 2, onGivens = () => {} } = {}) {
    this.root = root;
    this.spec = spec;
    this.places = places;
    this.onGivens = onGivens;
    this.calculation = new Calculation(spec);
    this.sheet = new Sheet(this.calculation, places);
    root.classList.add("handcalc-explorer");
    root.replaceChildren(this.header(), this.sheet.element, this.panel());
    this.bind();
    this.choose(...this.first((m) => !m.isGiven, true));
    this.aim(...this.first((m) => m.isGiven));
  }

  first(wanted, last = false) {
    const all = this.calculation.matrices.filter((m) => m.isSeen && wanted(m));
    return [all.at(last ? -1 : 0) ?? this.calculation.matrices[0], 0, 0];
  }

  // what stands on the page -------------------------------------------------------------------

  header() {
    const convention = this.spec.convention === "rows" ? "tokens as rows" : "tokens as columns";
    return tag("div", { class: "hc-header" },
      tag("strong", {}, this.spec.title), tag("span", {}, convention));
  }

  panel() {
    const id = `handcalc-${(count += 1)}`;
    this.why = tag("p", { class: "hc-why" });
    this.line = tag("p", { class: "hc-arithmetic" });
    this.links = tag("p", { class: "hc-links" });
    const live = tag("div", { class: "hc-said", role: "status", "aria-live": "polite" }, this.why, this.line, this.links);
    this.target = tag("label", { for: id });
    this.amount = tag("output", { for: id, "aria-live": "off" }); // a slider tells its value by itself
    this.slider = tag("input", { id, type: "range", "data-lm-suppress-shortcuts": "true" });
    this.ends = tag("div", { class: "hc-ends", "aria-hidden": "true" });
    this.reset = tag("button", { type: "button", "data-lm-suppress-shortcuts": "true" }, "Reset");
    const control = tag("div", { class: "hc-control" },
      tag("div", { class: "hc-target" }, this.target, this.amount), this.slider, this.ends,
      tag("div", { class: "hc-foot" }, tag("span", {}, "Pick a given, then move it."), this.reset));
    return tag("div", { class: "hc-panel" }, live, control);
  }

  bind() {
    const cellOf = (event) => event.target.closest?.("td[data-row]");
    this.sheet.element.addEventListener("click", (event) => {
      const cell = cellOf(event);
      if (cell) cell.focus();
      if (cell) this.pick(cell);
    });
    this.sheet.element.addEventListener("focusin", (event) => {
      if (cellOf(event)) this.pick(cellOf(event));
    });
    this.sheet.element.addEventListener("keydown", (event) => this.walk(event, cellOf(event)));
    this.slider.addEventListener("input", () => this.move(this.slider.valueAsNumber));
    this.slider.addEventListener("change", () => this.tell());
    this.reset.addEventListener("click", () => this.restore());
  }

  // choosing a number -------------------------------------------------------------------------

  pick(cell) {
    const { owner, row, column } = cell.handcalc;
    this.choose(owner, row, column);
    if (owner.isGiven) this.aim(owner, row, column);
  }

  walk(event, cell) {
    const step = ARROWS[event.key];
    if (!cell || !step || event.altKey || event.ctrlKey || event.metaKey) return;
    event.preventDefault();
    event.stopPropagation();
    const line = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + step[0]];
    const next = line?.cells[cell.cellIndex + step[1]];
    if (next?.matches("td[data-row]")) next.focus();
  }

  choose(matrix, row, column) {
    this.chosen = [matrix, row, column];
    this.explain();
    this.light();
  }

  light() {
    for (const cell of this.sheet.element.querySelectorAll(LIT.map((name) => `.${name}`).join())) {
      cell.classList.remove(...LIT);
    }
    const mark = (address, name) => {
      for (const cell of this.sheet.showing(...address)) cell.classList.add(name);
    };
    for (const reader of this.calculation.feeds(...this.chosen)) mark(reader, "hc-feeds");
    for (const [source, name] of this.roles()) mark(source, name);
    mark(this.chosen, "hc-chosen");
    for (const { table } of this.sheet.blocks) this.stop(table);
  }

  // One tab stop a matrix: its chosen number, or its first one.
  stop(table) {
    const now = table.querySelector("td[tabindex='0']");
    const next = table.querySelector("td.hc-chosen") ?? now ?? table.querySelector("td[data-row]");
    if (now !== next) now?.setAttribute("tabindex", "-1");
    next?.setAttribute("tabindex", "0");
  }

  // Each source with the accent of the operand it came through: first, second, third.
  roles() {
    const order = [];
    return this.chosen[0].sources(this.chosen[1], this.chosen[2]).map((source) => {
      const role = `${source[3]}:${source[0].index}`;
      if (!order.includes(role)) order.push(role);
      return [source, SOURCE_CLASSES[order.indexOf(role) % SOURCE_CLASSES.length]];
    });
  }

  explain() {
    const [matrix, row, column] = this.chosen;
    const name = matrix.cellName(row, column);
    const result = typeset(show(matrix.at(row, column), this.places));
    const words = [matrix.isGiven ? "given" : "", matrix.entry.meaning].filter(Boolean).join(" · ");
    const formula = matrix.isGiven ? [] : [" · ", ...formulaTags(matrix.entry.formula)];
    this.why.replaceChildren(tag("strong", {}, name), ...formula, words ? ` · ${words}` : "");
    const parts = [tag("b", { class: "hc-result" }, name)];
    if (!matrix.isGiven) parts.push(" = ", ...this.tokens(matrix, row, column));
    this.line.replaceChildren(...parts, " = ", tag("b", { class: "hc-result" }, result));
    if (this.line.textContent.endsWith(` = ${result} = ${result}`)) {
      this.line.replaceChildren(parts[0], " = ", tag("b", { class: "hc-result" }, result));
    }
    this.links.textContent = typeset(this.linksText());
  }

  tokens(matrix, row, column) {
    const roles = new Map(this.roles().map(([[m, i, j], role]) => [`${m.index}:${i}:${j}`, role]));
    return matrix.explain(row, column, this.places).tokens.map((token) => {
      if (typeof token === "string") return typeset(token);
      const role = roles.get(`${token.matrix.index}:${token.row}:${token.column}`);
      return tag("span", { class: role, title: token.matrix.cellName(token.row, token.column) }, typeset(token.text));
    });
  }

  isSound() {
    return this.calculation.matrices.every((m) => m.values.every((v) => !Number.isNaN(v) && v !== Infinity));
  }

  linksText() {
    if (!this.isSound()) return "A division by zero, or a number beyond all bounds: move the given elsewhere.";
    const sources = condensed(this.chosen[0].sources(this.chosen[1], this.chosen[2]));
    const readers = condensed(this.calculation.feeds(...this.chosen));
    const from = this.chosen[0].isGiven ? "a given" : sources.length ? `reads ${sources.join(", ")}` : "reads nothing";
    return `${from}  |  ${readers.length ? `feeds ${readers.join(", ")}` : "feeds nothing further"}`;
  }

  // moving a given ----------------------------------------------------------------------------

  aim(matrix, row, column) {
    if (!matrix.isGiven) return;
    for (const cell of this.sheet.element.querySelectorAll(".hc-moved")) cell.classList.remove("hc-moved");
    for (const cell of this.sheet.showing(matrix, row, column)) cell.classList.add("hc-moved");
    this.aimed = [matrix, row, column];
    const reach = Math.max(5, 2 * Math.abs(matrix.entry.values[row][column]), Math.abs(matrix.at(row, column)));
    const top = Math.ceil(reach);
    Object.assign(this.slider, { min: -top, max: top, step: top > 50 ? 1 : 0.1 });
    this.ends.replaceChildren(...[-top, 0, top].map((n) => tag("span", {}, typeset(String(n)))));
    this.target.textContent = this.aimedName();
    this.slider.setAttribute("aria-label", this.aimedName());
    this.showAmount();
  }

  aimedName() {
    const [matrix, row, column] = this.aimed;
    const spot = [matrix.labels(0)?.[row], matrix.labels(1)?.[column]].filter(Boolean).join(", ");
    return matrix.cellName(row, column) + (spot ? ` · ${spot}` : "");
  }

  showAmount() {
    const value = this.aimed[0].at(this.aimed[1], this.aimed[2]);
    this.slider.value = value;
    this.amount.textContent = typeset(show(value, this.places));
  }

  move(value) {
    const [matrix, row, column] = this.aimed;
    matrix.values[row * matrix.columnCount + column] = value;
    this.follow([matrix]);
  }

  follow(changed) {
    const idle = this.calculation.idleSteps();
    const dirty = this.calculation.compute(changed);
    this.sheet.patch(dirty);
    this.showAmount();
    this.explain();
    if (idle !== this.calculation.idleSteps()) this.light();
  }

  // Python hears what can be calculated; it raises an error for the rest, such as a division by zero.
  tell() {
    if (!this.isSound()) return;
    const same = (m) => m.values.every((v, k) => v === m.entry.values.flat()[k]);
    const changed = this.calculation.givens.filter((m) => !same(m));
    this.onGivens(Object.fromEntries(changed.map((m) => [m.name, m.toRows()])));
  }

  // Take givens from outside, {name: rows}; those that are not named go back to the start.
  setGivens(givens) {
    for (const matrix of this.calculation.givens) matrix.fill(givens[matrix.name] ?? matrix.entry.values);
    this.follow(this.calculation.givens);
  }

  restore() {
    this.setGivens({});
    this.aim(...this.aimed);
    this.tell();
  }
}

// Addresses in few words: `V[2,·]` for a row, `A[·,1]` for a column, `X (8 numbers)` for more.
function condensed(addresses) {
  const groups = new Map();
  for (const address of addresses) {
    if (!groups.has(address[0])) groups.set(address[0], []);
    groups.get(address[0]).push(address);
  }
  return [...groups].map(([matrix, cells]) => {
    const rows = new Set(cells.map((cell) => cell[1]));
    const columns = new Set(cells.map((cell) => cell[2]));
    if (cells.length === 1) return matrix.cellName(cells[0][1], cells[0][2]);
    if (rows.size === 1 && columns.size === matrix.columnCount) return `${matrix.name}[${counted([...rows][0])},·]`;
    if (columns.size === 1 && rows.size === matrix.rowCount) return `${matrix.name}[·,${counted([...columns][0])}]`;
    return `${matrix.name} (${cells.length} numbers)`;
  });
}
