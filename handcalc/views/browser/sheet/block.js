// One matrix on the sheet: a table of its numbers or, of a large one, of a window of them.

import { KEEPS_KEYS, meaningInWords, meaningNodes, nameTag, tag, typesetNodes } from "../page/dom.js";
import { clamp, counted } from "../record/numbers.js";
import { origin } from "./ports.js";
import { Strip, WindowFields } from "./strip.js";
import { Window } from "../record/visible_window.js";

// A number's element; each is a copy of this one.
let model = null;
const cellModel = () => (model ??= tag("td", { role: "gridcell", tabindex: "-1", ...KEEPS_KEYS }, tag("span", {}, " ")));

const SHORT_FORMULA = 20; // letters that stand in one line
const lettersIn = (html) => html.replace(/<[^>]*>/g, "").length;

export class Block {
  // `rowOf` is the step whose row of the sheet it is in.
  constructor(sheet, matrix, isCopy, rowOf) {
    Object.assign(this, { sheet, matrix, isCopy, rowOf });
    this.window = new Window(matrix.entry.shape, sheet.room);
    this.attribute = isCopy ? "data-copy" : "data-step";
    this.records = [];
    this.table = tag("table", { class: "hc-matrix", role: "grid", "aria-label": describe(matrix, sheet.typesetOf(matrix), isCopy) });
    if (isCopy) this.table.classList.add("hc-copy");
    if (sheet.level?.inputs.includes(matrix)) this.table.classList.add("hc-incoming");
    if (!this.window.isWhole) this.openWindow();
    this.caption = this.makeCaption();
    this.table.append(...(this.window.isWhole ? [this.caption] : []), ...this.heads(), this.body());
    this.element = this.window.isWhole ? this.table : tag("div", { class: "hc-window" }, this.caption, this.table);
  }

  // Add the parts beside a window on the numbers: the whole matrix as a strip, and the place of the window.
  openWindow() {
    const { matrix, window, table, sheet } = this;
    const move = (top, left) => sheet.move(this, top, left);
    table.classList.add("hc-windowed");
    table.setAttribute("aria-rowcount", matrix.rowCount);
    table.setAttribute("aria-colcount", matrix.columnCount);
    this.strip = new Strip(matrix, window, sheet.places, move);
    this.places = new WindowFields(matrix, window, move);
    watchWheel();
    table.addEventListener("wheel", (event) => this.onWheel(event), { passive: false });
  }

  // The caption; for a matrix from another block, it names that block and links to it.
  makeCaption() {
    const { matrix, sheet: { level } } = this;
    const typeset = this.sheet.typesetOf(matrix);
    const right = matrix.name && typeset.formula ? `= ${typeset.formula}` : "";
    const from = level?.inputs.includes(matrix) ? origin(level, matrix) : matrix.isGiven && !matrix.entry.from_outside ? "given" : "";
    const words = [from, meaningNodes(matrix)].filter(Boolean).flatMap((word, k) => (k ? [" · ", word] : [word]));
    const kind = `hc-formula${lettersIn(right) > SHORT_FORMULA ? " hc-long" : ""}`;
    this.number = tag("span", { class: "hc-step-number", "aria-hidden": "true" });
    const quiet = tag("span", {}, " ", right && tag("span", { class: kind }, typesetNodes(right)), right && words.length ? " · " : "", ...words);
    const above = this.window.isWide ? this.strip.element : null;
    const name = this.window.isWhole ? "caption" : "div"; // a grid has rows in it and no controls
    return tag(name, { class: "hc-caption", title: describe(matrix, typeset, this.isCopy) }, nameTag({ typeset }), this.number, quiet, this.places?.element ?? null, above);
  }

  // The text of the caption, as a range: it may be wider than the matrix.
  get words() {
    const range = document.createRange();
    range.selectNodeContents(this.caption);
    return range;
  }

  // The label of a row (axis 0) or column (axis 1); its number, where it has none.
  label(axis, place) {
    return this.matrix.labels(axis)?.[place] ?? String(counted(place));
  }

  hasLabels(axis) {
    return Boolean(this.matrix.labels(axis)) || (axis ? this.window.isWide : this.window.isTall);
  }

  heads() {
    this.columnHeads = [];
    if (!this.hasLabels(1)) return [];
    const { left, width } = this.window;
    this.columnHeads = Array.from({ length: width }, (_, j) => tag("th", { scope: "col" }, this.label(1, left + j)));
    const corner = this.hasLabels(0) ? tag("td") : null;
    return [tag("thead", {}, tag("tr", {}, corner, ...this.columnHeads))];
  }

  body() {
    const { top, left, width, height, isBeside } = this.window;
    this.rowHeads = this.hasLabels(0) ? Array.from({ length: height }, (_, i) => tag("th", { scope: "row" }, this.label(0, top + i))) : [];
    const body = tag("tbody");
    for (let i = 0; i < height; i += 1) {
      const cells = Array.from({ length: width }, (_, j) => this.cell(top + i, left + j));
      body.append(tag("tr", {}, this.rowHeads[i] ?? null, ...cells));
    }
    if (isBeside) body.rows[0].append(tag("td", { class: "hc-beside-numbers", rowspan: height }, this.strip.element));
    return body;
  }

  cell(row, column) {
    const element = cellModel().cloneNode(true);
    const record = { element, number: element.firstChild.firstChild, matrix: this.matrix, block: this, place: this.records.length };
    element.handcalc = record;
    this.records.push(record);
    this.aim(record, row, column);
    return element;
  }

  // Let an element show this number. A copy shows numbers that live elsewhere: its elements stand for those.
  aim(record, row, column) {
    const { matrix, sheet } = this;
    const home = matrix.name ? [matrix, row, column] : (matrix.sources(row, column)[0] ?? [matrix, row, column]);
    const [owner, i, j] = home;
    sheet.forget(record);
    Object.assign(record, { owner, row: i, column: j, at: row * matrix.columnCount + column });
    sheet.keep(record);
    const { element } = record;
    element.setAttribute(this.table.hidden ? "data-idle-step" : this.attribute, owner.name ?? "");
    element.setAttribute("data-row", i);
    element.setAttribute("data-column", j);
    element.classList.toggle("hc-given", owner.isGiven);
    if (sheet.calculation.slips.size) element.classList.toggle("hc-slip", Boolean(sheet.calculation.slipAt(owner, i, j)));
  }

  // The window has moved: every element shows another number.
  follow() {
    const { top, left, width } = this.window;
    this.writeLabels();
    this.records.forEach((record, k) => this.aim(record, top + Math.floor(k / width), left + (k % width)));
    this.strip.place();
    this.places.refresh();
  }

  writeLabels() {
    const { top, left } = this.window;
    this.columnHeads.forEach((head, j) => (head.textContent = this.label(1, left + j)));
    this.rowHeads.forEach((head, i) => (head.textContent = this.label(0, top + i)));
  }

  // The texts in its cells at present.
  texts() {
    return this.records.map((record) => record.text).filter(Boolean);
  }

  // The wheel over a window moves it; a scroll of the page that began elsewhere continues over it.
  onWheel(event) {
    const { window, sheet } = this;
    if (event.ctrlKey || turn.over !== this.table) return;
    const [down, right] = event.shiftKey && !event.deltaX ? [0, event.deltaY] : [event.deltaY, event.deltaX];
    const rows = (pixels) => Math.sign(pixels) * Math.ceil(Math.abs(pixels) / (event.deltaMode ? 1 : 40));
    const hasMoved = sheet.move(this, window.top + rows(down), window.left + rows(right));
    if (hasMoved) event.preventDefault();
  }

  // The number that is [down, right] from the one that an element shows, in the same matrix.
  beside(record, down, right) {
    const { window, records, sheet } = this;
    const at = records.indexOf(record);
    const [row, column] = [window.top + Math.floor(at / window.width) + down, window.left + (at % window.width) + right];
    const [i, j] = [clamp(row, 0, window.rowCount - 1), clamp(column, 0, window.columnCount - 1)];
    const isStep = Math.abs(down) + Math.abs(right) === 1;
    if (isStep && (i !== row || j !== column)) return null;
    sheet.move(this, ...window.showing([i, i], [j, j]));
    return records[(i - window.top) * window.width + j - window.left].element;
  }
}

// A turn of the wheel belongs to what it began over.
const PAUSE_OF_WHEEL = 250; // milliseconds
let turn = null;

function watchWheel() {
  if (turn) return;
  turn = { time: -Infinity, over: null };
  const note = ({ target, timeStamp }) => {
    if (timeStamp - turn.time > PAUSE_OF_WHEEL) turn.over = target.closest?.("table.hc-windowed") ?? null;
    turn.time = timeStamp;
  };
  document.addEventListener("wheel", note, { capture: true, passive: true });
}

// A matrix in words for listeners: its equation, meaning and size; for a copy, that it is shown again.
function describe(matrix, { called, spoken }, isCopy) {
  const size = `${matrix.rowCount} by ${matrix.columnCount}`;
  const isAgain = isCopy && matrix.name;
  const words = [isAgain ? called.join("") : spoken, meaningInWords(matrix), isAgain ? "shown again" : "", size];
  return words.filter(Boolean).join(", ");
}
