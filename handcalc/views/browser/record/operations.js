// The operations of handcalc/operations/, each written once: what one cell is made of.
//
// `m` is the way to read it. With `arithmetic` the parts are numbers and the result is the cell's
// value; with `writing` (expression.js) they are pieces of text and the result is its explanation.
// `read` are the inputs, each (row, column) => part; `shapes` are their [rows, columns].
// Those that work number by number are written from Python's rows into elementwise.js.

import { comparing } from "./comparing.js";
import { elementwise } from "./elementwise.js";
import { special } from "./special_functions.js";

export const arithmetic = {
  sum: (count, term) => {
    let total = 0;
    for (let k = 0; k < count; k += 1) total += term(k);
    return total;
  },
  difference: (a, b) => a - b,
  product: (a, b) => a * b,
  quotient: (a, b) => a / b,
  power: (base, exponent) => (base === Math.E ? Math.exp(exponent) : Math.pow(base, exponent)),
  root: (a) => Math.sqrt(a),
  negative: (a) => 0 - a, // no minus zero
  call: (name, ...parts) => (special[name] ?? Math[name])(...parts),
  // The place of the highest, counted from 1; of equal ones the first.
  highest: (told, parts) => (parts.some(Number.isNaN) ? NaN : parts.indexOf(Math.max(...parts)) + 1),
  compared: (name, told, parts, other) => comparing[name].find(parts, other),
  constant: (value) => value,
  e: Math.E,
  pi: Math.PI,
  // Between the smallest and the largest number: the mean of equal numbers is that number.
  mean: (count, term) => {
    let [total, lowest, highest] = [0, Infinity, -Infinity];
    for (let k = 0; k < count; k += 1) {
      const value = term(k);
      total += value;
      lowest = Math.min(lowest, value);
      highest = Math.max(highest, value);
    }
    return Number.isFinite(total) ? Math.min(Math.max(total / count, lowest), highest) + 0 : total;
  },
};

// The cells of the column (axis 0) or the row (axis 1) that cell (i, j) lies in.
const line = (op, read, i, j) => (op.axis === 0 ? (k) => read(k, j) : (k) => read(i, k));

const wholeLine = (op, read, shapes, i, j) => Array.from({ length: shapes[0][op.axis] }, (_, k) => line(op, read, i, j)(k));

// What stands at a place of that line: row 2, “cat”.
const told = (op) => (k) => `${op.axis === 0 ? "row" : "column"} ${k + 1}${op.words ? `, “${op.words[k]}”` : ""}`;

const broadcast = (shape, i, j) => [shape[0] > 1 ? i : 0, shape[1] > 1 ? j : 0];

// Number by number: what is written is made of the parts at its place; of all numbers kernels.js makes a loop.
export const elementwiseOperation = ({ write, compute }) => {
  const make = (m, parts, op) => (m === arithmetic ? compute(...parts, op) : write(m, ...parts, op));
  const cell = (op, m, read, shapes, i, j) => make(m, read.map((part, k) => part(...broadcast(shapes[k], i, j))), op);
  return Object.assign(cell, { compute });
};

// Which pixel cell (i, j) of a picture cut into patches is: patches go along the rows, and so do their pixels.
const pixelOf = (op, shape, i, j) => {
  const [pixel, patch] = op.axis ? [i, j] : [j, i];
  const across = shape[op.axis] / op.size;
  const row = Math.floor(patch / across) * op.size + Math.floor(pixel / op.size);
  const column = (patch % across) * op.size + (pixel % op.size);
  return op.axis ? [row, column] : [column, row];
};

// And the way back: where a pixel of the picture stands in the patches.
const placeOf = (op, i, j) => {
  const [row, column] = op.axis ? [i, j] : [j, i];
  const pixel = (row % op.size) * op.size + (column % op.size);
  const patch = Math.floor(row / op.size) * (op.width / op.size) + Math.floor(column / op.size);
  return op.axis ? [pixel, patch] : [patch, pixel];
};

export const operations = {
  matmul: (op, m, [a, b], shapes, i, j) =>
    m.sum(shapes[0][1], (k) => m.product(a(i, k), b(k, j))),

  ...Object.fromEntries(Object.entries(elementwise).map(([name, row]) => [name, elementwiseOperation(row)])),

  mask: (op, m, [a], shapes, i, j) => (op.allowed[i][j] ? a(i, j) : m.constant(-Infinity)),

  keep: (op, m, [a], shapes, i, j) => (op.allowed[i][j] ? a(i, j) : m.constant(0)),
  passed: (op, m, [a], shapes, i, j) => a(i, j),
  repeat: (op, m, [a], shapes, i, j) => (op.axis === 0 ? a(0, j) : a(i, 0)),
  scatter: (op, m, [a], shapes, i, j) => {
    const k = op.indices.indexOf(op.axis === 0 ? i : j);
    return k < 0 ? m.constant(0) : op.axis === 0 ? a(k, j) : a(i, k);
  },

  sums: (op, m, [a], shapes, i, j) => m.sum(shapes[0][op.axis], line(op, a, i, j)),
  means: (op, m, [a], shapes, i, j) => m.mean(shapes[0][op.axis], line(op, a, i, j)),
  subtract_max: (op, m, [a], shapes, i, j) => {
    return m.difference(a(i, j), m.call("max", ...wholeLine(op, a, shapes, i, j)));
  },

  maxima: (op, m, [a], shapes, i, j) => m.call("max", ...wholeLine(op, a, shapes, i, j)),
  argmax: (op, m, [a], shapes, i, j) => m.highest(told(op), wholeLine(op, a, shapes, i, j)),
  sort: (op, m, [a], shapes, i, j) => m.compared("large", told(op), wholeLine(op, a, shapes, i, j), m.constant([i, j][op.axis] + 1)),
  rank: (op, m, [a], shapes, i, j) => m.compared("rank", told(op), wholeLine(op, a, shapes, i, j), m.constant([i, j][op.axis] + 1)),
  take_ranked: (op, m, [a, ranks], shapes, i, j) => m.call("index", ...wholeLine(op, a, shapes, i, j), ranks(i, j)),
  sample: (op, m, [bounds, r], shapes, i, j) => m.compared("sample", told(op), wholeLine(op, bounds, shapes, i, j), r(i, j)),
  cumulative_sums: (op, m, [a], shapes, i, j) => {
    const [cell, own, count] = [line(op, a, i, j), [i, j][op.axis], shapes[0][op.axis]];
    return op.from_end ? m.sum(count - own, (k) => cell(count - 1 - k)) : m.sum(own + 1, cell);
  },
  cumulative_maxima: (op, m, [a], shapes, i, j) => m.call("max", ...wholeLine(op, a, shapes, i, j).slice(0, [i, j][op.axis] + 1)),

  one_hot: (op, m, [a], shapes, i, j) =>
    (op.axis === 0 ? m.call("equal", a(0, j), m.constant(i + 1)) : m.call("equal", a(i, 0), m.constant(j + 1))),

  same: (op, m, [a], shapes, i, j) => a(i, j),
  transpose: (op, m, [a], shapes, i, j) => a(j, i),
  concat: (op, m, read, shapes, i, j) => {
    const place = [i, j];
    let k = 0;
    for (; place[op.axis] >= shapes[k][op.axis]; k += 1) place[op.axis] -= shapes[k][op.axis];
    return read[k](...place);
  },
  slice: (op, m, [a], shapes, i, j) => (op.axis === 0 ? a(i + op.start, j) : a(i, j + op.start)),
  gather: (op, m, [a], shapes, i, j) =>
    op.axis === 0 ? a(op.indices[i], j) : a(i, op.indices[j]),

  patches: (op, m, [a], [shape], i, j) => a(...pixelOf(op, shape, i, j)),
  assemble: (op, m, [a], shapes, i, j) => a(...placeOf(op, i, j)),

  constant: (op, m) => m.constant(op.value),
  fixed_one_hot: (op, m, read, shapes, i, j) =>
    m.constant(op.indices[op.axis === 0 ? j : i] === (op.axis === 0 ? i : j) ? 1 : 0),
  positions: (op, m, read, shapes, i, j) => {
    const [feature, position] = op.axis === 0 ? [i, j] : [j, i];
    const odd = feature % 2;
    const exponent = m.quotient(m.constant(feature - odd), m.constant(op.d_model));
    const turned = op.turn ? m.product(m.constant(position), m.constant(op.turn, "°")) : m.constant(position);
    const angle = m.quotient(turned, m.power(m.constant(op.base), exponent));
    return m.call((odd ? "cos" : "sin") + (op.turn ? "°" : ""), angle);
  },
};

// An operation that changes nothing just now returns its input, and readers see through it.
const EXPONENT_LIMIT = 700;

// A mask puts −∞ where looking is not allowed; everywhere else that is a number too large.
export const hides = (op) => op.name === "mask";

// The place of a step that is not switched on: it never changes anything.
export const isOff = (op) => op?.name === "same";

export const canBeIdle = (op) => op?.name === "subtract_max" || isOff(op);

export function isIdle(op, values, [rows, columns]) {
  if (isOff(op)) return true;
  const lines = op.axis === 0 ? columns : rows;
  for (let l = 0; l < lines; l += 1) {
    let highest = -Infinity;
    for (let k = 0; k < rows * columns / lines; k += 1) {
      highest = Math.max(highest, values[op.axis === 0 ? k * columns + l : l * columns + k]); // NaN where one is not known
    }
    if (Number.isFinite(highest) && Math.abs(highest) > (op.limit ?? EXPONENT_LIMIT)) return false;
  }
  return true;
}

// The cells that an operation reads, in the order in which expression.js writes them: a third way to read it.
const together = (...parts) => parts.flat();
const inTurn = (count, term) => Array.from({ length: count }, (_, k) => term(k)).flat();
const nothing = [];

export const reading = {
  cell: (matrix, row, column, operand) => [[matrix, row, column, operand]],
  constant: () => nothing,
  e: nothing,
  pi: nothing,
  sum: inTurn,
  mean: inTurn,
  difference: together,
  product: together,
  quotient: together,
  power: together,
  root: together,
  negative: together,
  highest: (told, parts) => parts.flat(),
  compared: (name, told, parts, other) => [...parts.flat(), ...other],
  call: (name, ...parts) => parts.flat(),
};
