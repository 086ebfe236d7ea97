// A calculation in the browser: the spec that `Calculation.to_spec` wrote, computed again.

import { arithmetic, isIdle, operations } from "./operations.js";
import { writing } from "./writing.js";
import { counted, label } from "./numbers.js";

export class Calculation {
  constructor(spec) {
    this.spec = spec;
    this.matrices = spec.matrices.map((entry, index) => new Matrix(entry, index));
    for (const matrix of this.matrices) {
      matrix.inputs = (matrix.entry.inputs ?? []).map((place) => this.matrices[place]);
    }
    this.byName = new Map(this.matrices.filter((m) => m.name).map((m) => [m.name, m]));
    this.compute();
  }

  get givens() {
    return this.matrices.filter((m) => m.isGiven);
  }

  // What is worked out just now, in order.
  get steps() {
    return this.matrices.filter((m) => m.isVisible && !m.isGiven);
  }

  // The matrix of this name, if it is on the sheet just now.
  visible(name) {
    const matrix = this.byName.get(name);
    return matrix?.isVisible ? matrix : null;
  }

  // Compute every matrix that depends on one of `changed` (all of them if it is left out).
  compute(changed = null) {
    const dirty = new Set(changed);
    const idle = this.idleSteps();
    for (const matrix of this.matrices) {
      if (changed && !matrix.inputs.some((input) => dirty.has(input))) continue;
      matrix.compute();
      dirty.add(matrix);
    }
    if (idle !== this.idleSteps()) this.feedsOf = null; // nothing else changes dependencies
    return dirty;
  }

  // Whether every number can be written: no division by zero, nothing too large.
  isSound() {
    return this.matrices.every((m) => m.values.every((v) => !Number.isNaN(v) && v !== Infinity));
  }

  // Which steps change nothing just now, as one comparable word.
  idleSteps() {
    return this.matrices.map((m) => (m.isIdle ? "1" : "0")).join("");
  }

  // The cells that read a cell directly, as [matrix, row, column].
  feeds(matrix, row, column) {
    this.feedsOf ??= this.findFeeds();
    return this.feedsOf.get(key(matrix, row, column)) ?? [];
  }

  // All that a cell depends on, back to the givens, or all that depends on it: matrix -> its cells.
  chain(start, isForward = false) {
    const found = new Map();
    const seen = new Set([key(...start)]);
    const waiting = [start];
    while (waiting.length) {
      const [matrix, row, column] = waiting.pop();
      const next = isForward ? this.feeds(matrix, row, column) : matrix.sources(row, column);
      for (const [other, i, j] of next) {
        if (seen.has(key(other, i, j))) continue;
        seen.add(key(other, i, j));
        if (!found.has(other)) found.set(other, []);
        found.get(other).push([other, i, j]);
        waiting.push([other, i, j]);
      }
    }
    return found;
  }

  findFeeds() {
    const found = new Map();
    for (const reader of this.matrices.filter((m) => m.isVisible && !m.isGiven)) {
      reader.forEachCell((row, column) => {
        for (const source of reader.sources(row, column)) {
          const at = key(...source);
          if (!found.has(at)) found.set(at, []);
          found.get(at).push([reader, row, column]);
        }
      });
    }
    return found;
  }
}

const key = (matrix, row, column) => `${matrix.index}:${row}:${column}`;

export class Matrix {
  constructor(entry, index) {
    this.index = index;
    this.name = entry.name;
    this.entry = entry;
    [this.rowCount, this.columnCount] = entry.shape;
    this.operation = entry.operation ?? null;
    this.inputs = [];
    this.values = new Float64Array(this.rowCount * this.columnCount);
    this.isIdle = false;
    if (this.isGiven) this.fill(entry.values);
  }

  get isGiven() {
    return this.operation === null;
  }

  // Whether it is on the sheet, under its own name, just now.
  get isVisible() {
    return Boolean(this.name) && !this.isIdle;
  }

  fill(rows) {
    this.values.set(rows.flat());
  }

  toRows() {
    return Array.from({ length: this.rowCount }, (_, i) =>
      Array.from(this.values.subarray(i * this.columnCount, (i + 1) * this.columnCount)));
  }

  at(row, column) {
    return this.values[row * this.columnCount + column];
  }

  forEachCell(visit) {
    for (let i = 0; i < this.rowCount; i += 1) {
      for (let j = 0; j < this.columnCount; j += 1) visit(i, j);
    }
  }

  compute() {
    if (this.isGiven) return;
    const [source] = this.inputs;
    this.isIdle = Boolean(source) && isIdle(this.operation, source.values, source.entry.shape);
    if (this.isIdle) {
      this.values.set(source.values);
      return;
    }
    const read = this.inputs.map((m) => (i, j) => m.values[i * m.columnCount + j]);
    const shapes = this.inputs.map((m) => m.entry.shape);
    const cell = operations[this.operation.name];
    let at = 0;
    this.forEachCell((i, j) => {
      this.values[at] = cell(this.operation, arithmetic, read, shapes, i, j);
      at += 1;
    });
  }

  // The arithmetic of one cell as pieces of text, unnamed and idle matrices seen through.
  explain(row, column, places) {
    return this.expression(writing(places), null, row, column);
  }

  expression(m, operand, row, column) {
    if (this.isGiven) return m.cell(this, row, column, operand ?? 0);
    const read = this.inputs.map((input, k) => (i, j) => input.part(m, operand ?? k, i, j));
    const shapes = this.inputs.map((input) => input.entry.shape);
    return operations[this.operation.name](this.operation, m, read, shapes, row, column);
  }

  part(m, operand, row, column) {
    if (this.isIdle) return this.inputs[0].part(m, operand, row, column);
    if (this.isGiven || this.name) return m.cell(this, row, column, operand);
    return this.expression(m, operand, row, column);
  }

  // The cells read directly, each once, in reading order, as [matrix, row, column, operand].
  sources(row, column) {
    if (this.isGiven) return [];
    const found = new Map();
    for (const token of this.explain(row, column, 2).tokens) {
      if (!token.matrix) continue;
      const at = key(token.matrix, token.row, token.column);
      if (!found.has(at)) found.set(at, [token.matrix, token.row, token.column, token.operand]);
    }
    return [...found.values()];
  }

  cellName(row, column) {
    return `${this.name ?? ""}[${counted(row)},${counted(column)}]`;
  }

  labels(axis) {
    const labels = axis === 0 ? this.entry.rows : this.entry.columns;
    if (typeof labels !== "string") return labels;
    return Array.from({ length: this.entry.shape[axis] }, (_, k) => label(labels, k));
  }
}
