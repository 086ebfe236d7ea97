// A question asked on its sheet: "?" in the asked cells, what they are made from framed, what is not known yet hatched.

import { lineOf } from "../record/expression.js";
import { show } from "../record/numbers.js";
import { Variants } from "../record/variants.js";
import { columnsIn } from "../record/visible_window.js";
import { Flight } from "../motion/flight.js";
import { choreography } from "../motion/choreography.js";
import { prefersReducedMotion } from "../page/reduced_motion.js";
import { Highlight } from "../sheet/highlight.js";
import { frameMarks } from "../sheet/frames.js";
import { Sheet } from "../sheet/sheet.js";
import { layoutOfStep } from "../slides/slide_layout.js";
import { button, tag, typesetNodes } from "../page/dom.js";

const ROOM = { width: 900, height: 460 }; // pixels that a question may take: beside it stands what is said of it
const LEAST_BESIDE = 240; // pixels for what is typed and told: a little more than in asking.css
const MOST_MARKED = 40; // asked cells, of which all are marked with what they read

export class AskedSheet {
  // `drawn` is what views/asking/asked_sheet.py hands over: {spec, asked: [name, row, column], reads}, where no
  // row is every row.
  constructor({ spec, asked: [name, row, column], reads }, places) {
    Object.assign(this, { places, field: null });
    this.calculation = new Variants([{ arithmetic: "exact", spec }]).calculate(spec.convention, "exact", {});
    this.matrix = this.calculation.byName.get(name);
    this.cells = [];
    this.matrix.forEachCell((i, j) => (row ?? i) === i && (column ?? j) === j && this.cells.push([this.matrix, i, j]));
    this.hidden = this.calculation.matrices.filter((matrix) => matrix === this.matrix || !matrix.isGiven);
    this.sheet = new Sheet(this.calculation, places, this.layout(reads), { columns: columnsIn(innerWidth) }, null, this.hidden);
    this.line = tag("p", { class: "hc-arithmetic" });
    this.watching = button("Watch it", () => this.watch(), { class: "hc-watch-it" });
    this.element = tag("div", { class: "hc-drawn", "data-drawn": "sheet" }, this.sheet.element);
    this.sheet.reveal(this.cells);
    this.mark();
    this.markAsked();
    new ResizeObserver(() => this.settle()).observe(this.element);
  }

  // The page has another width: a sheet with wide captions moves the answer further to the right.
  settle() {
    const { width = 0 } = this.element.parentElement?.getBoundingClientRect() ?? {};
    this.sheet.captions.lay(width - LEAST_BESIDE);
  }

  layout(reads) {
    const alone = ({ index }) => [{ left: null, main: [index, false], right: [] }];
    if (reads.length) return [...reads.map((name) => this.calculation.byName.get(name)), this.matrix].map(alone);
    const { matrices, spec } = this.calculation;
    const room = { ...ROOM, width: Math.min(ROOM.width, innerWidth - 40) };
    return layoutOfStep(this.matrix, matrices, spec.layout, spec.convention === "rows", room);
  }

  get isOneNumber() {
    return this.cells.length === 1;
  }

  // Take the field for one number into its cell.
  take(answer) {
    this.field = answer.field;
    answer.moveInto(this.label);
    this.markAsked();
  }

  // Ask the question again, with nothing told.
  ask() {
    this.end();
    this.sheet.conceal(this.hidden);
    this.line.replaceChildren();
    this.markAsked();
  }

  // Mark the asked cells with a "?", or with their field.
  markAsked() {
    for (const { element } of this.records()) {
      element.classList.add("hc-asked");
      if (this.field) element.append(this.field);
    }
  }

  // The asked cells on the sheet, without copies.
  records() {
    const found = this.cells.flatMap((cell) => this.sheet.recordsOf(...cell));
    return found.filter(({ block }) => !block.isCopy);
  }

  mark() {
    const highlight = new Highlight({ chosen: this.cells[0] });
    const isFew = this.cells.length <= MOST_MARKED && this.cells.length < this.matrix.values.length;
    this.roleOf = highlight.roleOf();
    for (const [source, role] of isFew || this.isOneNumber ? this.cells.flatMap((cell) => highlight.roles(cell)) : []) {
      for (const element of this.sheet.showing(...source)) element.classList.add(role);
    }
    for (const { element } of this.records()) element.classList.add("hc-chosen");
    frameMarks(this.sheet.element);
  }

  // A sentence on a wrong number that stands where row and column have changed places; else empty.
  slipOf(value) {
    const [[matrix, row, column]] = this.cells;
    if (!this.isOneNumber || row === column || column >= matrix.rowCount || row >= matrix.columnCount) return "";
    const isThat = show(matrix.at(column, row), this.places) === show(value, this.places);
    return isThat ? `That is ${matrix.cellHtml(column, row)}: the row comes first, then the column.` : "";
  }

  // Tell the numbers; `isNew` if a reader has just answered, and sees them fly.
  reveal(isNew) {
    this.field?.remove();
    for (const { element } of this.records()) element.classList.remove("hc-asked");
    this.sheet.conceal([]);
    if (!this.isOneNumber) return;
    this.line.replaceChildren(typesetNodes(lineOf(this.cells[0], this.places)));
    this.watching.hidden = !this.canBeWatched;
    if (isNew) queueMicrotask(() => this.watch());
  }

  get canBeWatched() {
    const [[, row, column]] = this.cells;
    return !prefersReducedMotion() && this.isOneNumber && this.matrix.sources(row, column).length > 0;
  }

  watch() {
    this.end();
    if (!this.canBeWatched) return;
    const [record] = this.records();
    if (!record?.element.checkVisibility()) return;
    this.flight = new Flight(this.sheet, record, choreography(this.cells[0], this.places), this.roleOf);
    this.flight.start(() => this.end());
  }

  end() {
    this.flight?.end();
    this.flight = null;
  }

  dispose() {
    this.end();
    this.sheet.dispose();
  }

  // The field's label for listeners.
  get label() {
    const [[matrix, row, column]] = this.cells;
    return matrix.cellName(row, column);
  }
}
