// One matrix of a calculation in the browser: its numbers, computed on demand.

import { unpackNumbers } from "./packed_numbers.js";
import { printedLine } from "./calculator.js";
import { compute } from "./kernels.js";
import { counted, label, showOf } from "./numbers.js";
import { canBeIdle, isIdle, isOff, operations, reading } from "./operations.js";
import { placesFromLargest } from "./comparing.js";
import { writing } from "./expression.js";

// Stands in for the numbers of a step that is worked out by hand, which may have none.
const unknown = ([rows, columns]) => new Float64Array(rows * columns).fill(NaN);
const ownStart = (entry) => (entry.decoded ??= entry.values ? unpackNumbers(entry.values) : unknown(entry.shape));

const LABELS = ["rows", "columns"];

const place = (row, column) => `[${counted(row)},${counted(column)}]`;

export class Matrix {
  constructor(entry, index, startOf = ownStart) {
    this.index = index;
    this.startOf = startOf;
    this.name = entry.name;
    this.entry = entry;
    this.typeset = entry.typeset; // as the sheet that is looked at writes it
    [this.rowCount, this.columnCount] = entry.shape;
    this.operation = entry.operation ?? null;
    this.inputs = [];
    this.numbers = null;
    this.isStale = true; // an input has changed, or nobody has asked yet
  }

  get isGiven() {
    return this.operation === null && !this.entry.by_hand;
  }

  // Whether it is on the sheet at present, under its own name.
  get isVisible() {
    return Boolean(this.name) && !this.isIdle;
  }

  // Whether its arithmetic is written inside that of its readers.
  get isInline() {
    return !this.isGiven && !this.isVisible;
  }

  // Whether it changes nothing at present.
  get isIdle() {
    if (!canBeIdle(this.operation)) return false;
    if (isOff(this.operation)) return true;
    if (this.isStale) this.refresh();
    return this.isIdleNow;
  }

  get values() {
    if (this.isStale) this.refresh();
    return this.numbers;
  }

  // givens --------------------------------------------------------------------------------------

  // The numbers that a given had at first.
  get start() {
    return this.startOf(this.entry);
  }

  // Give it other numbers, as rows; null for those at the start, which are read on demand.
  fill(rows) {
    this.isStale = !rows;
    this.numbers = rows ? Float64Array.from(rows.flat()) : null;
    this.sound = undefined;
  }

  put(row, column, value) {
    if (this.values === this.start) this.numbers = this.start.slice();
    this.numbers[row * this.columnCount + column] = value;
    this.sound = undefined;
  }

  get hasMoved() {
    if (this.isStale) return false;
    const { numbers, start } = this;
    return numbers !== start && numbers.some((value, k) => value !== start[k]);
  }

  // computing -----------------------------------------------------------------------------------

  // Compute it, and first what it needs: in order, as a chain may be too long to follow by calls.
  refresh() {
    const needed = new Set([this]);
    for (const matrix of needed) {
      for (const input of matrix.inputs) if (input.isStale) needed.add(input);
    }
    for (const matrix of [...needed].sort((a, b) => a.index - b.index)) matrix.compute();
  }

  compute() {
    this.isStale = false;
    if (!this.operation) {
      this.numbers = this.start;
      return;
    }
    const values = this.inputs.map((input) => input.numbers);
    const shapes = this.inputs.map((input) => input.entry.shape);
    this.sound = undefined;
    this.isIdleNow = canBeIdle(this.operation) && isIdle(this.operation, values[0], shapes[0]);
    if (!isOff(this.operation)) this.numbers ??= new Float64Array(this.rowCount * this.columnCount);
    if (isOff(this.operation)) this.numbers = values[0]; // it has none of its own
    else if (this.isIdleNow) this.numbers.set(values[0]);
    else compute(this.operation, values, shapes, this.entry.shape, this.numbers);
    this.moveLabels();
  }

  // Whether it, or what it was made of, was sorted.
  get followsOrder() {
    return (this.isOrdered ??= this.operation?.name === "sort" || this.inputs.some((input) => input.followsOrder));
  }

  // Words go with numbers that are sorted, and on to all that was labelled with them.
  moveLabels() {
    if (!this.followsOrder) return;
    const { inputs: [input], operation } = this;
    if (operation.name === "sort") {
      const words = this.entry[LABELS[operation.axis]] && input.labels(operation.axis);
      this.moved = words && { [operation.axis]: Array.from(placesFromLargest(input.numbers), (k) => words[k]) };
    } else if (input?.moved) {
      this.moved = input.moved;
      if (operation.words) this.operation = { ...operation, words: input.moved[operation.axis] };
    }
  }

  // Whether every number can be written: no division by zero, nothing too large.
  get isSound() {
    if (this.isStale) this.refresh(); // what was found of its numbers before says nothing of these
    if (this.isGiven && this.values === this.start) return true;
    return (this.sound ??= this.values.every((value) => !Number.isNaN(value) && value !== Infinity));
  }

  // The matrices that it reads, unnamed and idle ones seen through.
  get operands() {
    const found = new Set();
    const waiting = [...this.inputs];
    while (waiting.length) {
      const matrix = waiting.pop();
      if (matrix.isInline) waiting.push(...matrix.inputs);
      else found.add(matrix);
    }
    return [...found].sort((a, b) => a.index - b.index);
  }

  // cells ---------------------------------------------------------------------------------------

  at(row, column) {
    return this.values[row * this.columnCount + column];
  }

  toRows() {
    return Array.from({ length: this.rowCount }, (_, i) =>
      Array.from(this.values.subarray(i * this.columnCount, (i + 1) * this.columnCount)));
  }

  forEachCell(visit) {
    for (let i = 0; i < this.rowCount; i += 1) {
      for (let j = 0; j < this.columnCount; j += 1) visit(i, j);
    }
  }

  // The arithmetic of one cell as pieces of text, unnamed and idle matrices seen through: `isTrue` where a calculator
  // gets the result as it is printed with `places`, from operands with `ofOperands`; `isTruncated` where only the largest
  // terms of a long sum are written.
  explain(row, column, places, how = writing) {
    const value = this.at(row, column);
    const result = showOf(this, value, places);
    return printedLine((ofOperands) => this.written(how(ofOperands), row, column, result, ofOperands), value, result, places);
  }

  // A number that only moved is written as the result is.
  written(m, row, column, result, ofOperands) {
    const expression = this.expression(m, null, row, column);
    const [token] = expression.tokens;
    const tokens = token.matrix && !expression.isOperation ? [{ ...token, text: m.result(result) }] : expression.tokens;
    return { ...expression, tokens, isTruncated: m.isTruncated, ofOperands };
  }

  expression(m, operand, row, column) {
    if (!this.operation) return m.cell(this, row, column, operand ?? 0);
    const read = this.inputs.map((input, k) => (i, j) => input.part(m, operand ?? k, i, j));
    const shapes = this.inputs.map((input) => input.entry.shape);
    return operations[this.operation.name](this.operation, m, read, shapes, row, column);
  }

  part(m, operand, row, column) {
    if (this.isIdle) return this.inputs[0].part(m, operand, row, column);
    return this.isInline ? this.expression(m, operand, row, column) : m.cell(this, row, column, operand);
  }

  // The cells read directly, each once, in reading order, as [matrix, row, column, operand].
  sources(row, column) {
    if (!this.operation) return [];
    const found = new Map();
    for (const cell of this.expression(reading, null, row, column)) {
      const [matrix, i, j] = cell;
      const at = `${matrix.index}:${i}:${j}`;
      if (!found.has(at)) found.set(at, cell);
    }
    return [...found.values()];
  }

  // Its name for tool tips and screen readers: in words, or the formula it stands for.
  get inWords() {
    const { called, spoken } = this.typeset;
    return called.join("") || spoken;
  }

  // In words, for tool tips and screen readers: S scaled[2,4], Q[2,4] of head 1.
  cellName(row, column) {
    const [name, block] = this.typeset.called;
    return `${name}${place(row, column)}${block}`;
  }

  // Typeset, as HTML of text, <sub> and <sup>.
  cellHtml(row, column) {
    return this.typeset.name + place(row, column);
  }

  labels(axis) {
    const labels = this.entry[LABELS[axis]];
    if (Array.isArray(labels) && this.followsOrder) {
      if (this.isStale) this.refresh();
      if (this.moved?.[axis]?.length === labels.length) return this.moved[axis];
    }
    if (typeof labels !== "string") return labels;
    this.counts ??= [];
    return (this.counts[axis] ??= Array.from({ length: this.entry.shape[axis] }, (_, k) => label(labels, k)));
  }
}
