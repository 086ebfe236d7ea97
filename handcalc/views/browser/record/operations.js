// The operations of handcalc/operations/, each written once: what one cell is made of.
//
// `m` is the way to read it. With `arithmetic` the parts are numbers and the result is the cell's
// value; with `writing` (expression.js) they are pieces of text and the result is its explanation.
// `read` are the inputs, each (row, column) => part; `shapes` are their [rows, columns].

// Where Math has another name for it, or another answer than "not a number".
const UNLIKE_MATH = {
  ln: (a) => (a > 0 ? Math.log(a) : NaN),
  equal: (a, b) => (a === b ? 1 : 0),
  sign: (a) => Math.sign(a) + 0, // no minus zero
  step: (a) => (Number.isNaN(a) ? NaN : a > 0 ? 1 : 0),
  "sin°": (degrees) => sineOfDegrees(degrees),
  "cos°": (degrees) => sineOfDegrees(degrees + 90),
  "Φ": (x) => shareBelow(x),
};

// To 15 places, so that a quarter turn ends in whole numbers.
const sineOfDegrees = (degrees) => Math.round(Math.sin(degrees * (Math.PI / 180)) * 1e15) / 1e15;

// Φ, the share of the normal distribution below x: near its middle by a series, in its tails by a fraction in
// fractions, so that no digits are lost where it is tiny.
function shareBelow(x) {
  const z = Math.abs(x);
  const height = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    let [term, total] = [z, z];
    for (let n = 3; term > total * 1e-17; n += 2) total += term *= (z * z) / n;
    return 0.5 + Math.sign(x) * total * height;
  }
  let below = z;
  for (let n = 60; n > 0; n -= 1) below = z + n / below;
  return x < 0 ? height / below : 1 - height / below;
}

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
  call: (name, ...parts) => (UNLIKE_MATH[name] ?? Math[name])(...parts),
  // The place of the highest, counted from 1; of equal ones the first.
  highest: (told, parts) => (parts.some(Number.isNaN) ? NaN : parts.indexOf(Math.max(...parts)) + 1),
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

const broadcast = (shape, i, j) => [shape[0] > 1 ? i : 0, shape[1] > 1 ? j : 0];

// ln(1 + e^a), where e^a may be too large for a number.
const softplus = (a) => Math.max(a, 0) + Math.log1p(Math.exp(-Math.abs(a)));

// GPT-2's form of GELU: 0.5·a·(1 + tanh(√(2 / π)·(a + 0.044715·a³))).
function bentByTanh(m, a) {
  return m.product(m.product(m.constant(0.5), a), m.sum(2, (k) => (k ? bent(m, a) : m.constant(1))));
}

const root = (m) => m.root(m.quotient(m.constant(2), m.pi));

function bent(m, a) {
  const cubed = m.product(m.constant(0.044715), m.power(a, m.constant(3)));
  return m.call("tanh", m.product(root(m), m.sum(2, (k) => (k ? cubed : a))));
}

const STRAIGHT_GELU = 40; // from where on a GELU is straight: its slope is 0 or 1

const withinTheBend = (a) => Math.max(-STRAIGHT_GELU, Math.min(a, STRAIGHT_GELU));

// How steep it is: 0.5·(1 + tanh …) + 0.5·a·(1 − tanh² …)·(√(2 / π)·(1 + 0.134145·a²)).
function steepnessByTanh(m, a) {
  const squared = m.product(m.constant(3 * 0.044715), m.power(a, m.constant(2)));
  const steep = m.product(root(m), m.sum(2, (k) => (k ? squared : m.constant(1))));
  const rest = m.difference(m.constant(1), m.power(bent(m, a), m.constant(2)));
  const through = m.product(m.constant(0.5), m.sum(2, (k) => (k ? bent(m, a) : m.constant(1))));
  return m.sum(2, (k) => (k ? m.product(m.product(m.product(m.constant(0.5), a), rest), steep) : through));
}

// Of the form with Φ: Φ(a) + a·e^(−a²/2)/√(2π).
function steepnessOfBell(m, a) {
  const fallen = m.power(m.e, m.negative(m.quotient(m.power(a, m.constant(2)), m.constant(2))));
  const height = m.quotient(fallen, m.root(m.product(m.constant(2), m.pi)));
  return m.sum(2, (k) => (k ? m.product(a, height) : m.call("Φ", a)));
}

const steepness = (m, a, op) => (op.approximate ? steepnessByTanh(m, a) : steepnessOfBell(m, a));

// Number by number: `write` makes one from those at its place, in kernels.js in a loop over all. Where its arithmetic
// as it is written would lose digits or become too large on the way, `compute` makes the number another way.
const elementwise = (write, compute = (a, b, op) => write(arithmetic, a, b, op)) => {
  const make = (m, ...parts) => (m === arithmetic ? compute(...parts) : write(m, ...parts));
  const cell = (op, m, read, shapes, i, j) => make(m, ...read.map((part, k) => part(...broadcast(shapes[k], i, j))), op);
  return Object.assign(cell, { compute });
};

// Which pixel cell (i, j) of a picture cut into patches is: patches go along the rows, and so do their pixels.
export const pixelOf = (op, shape, i, j) => {
  const [pixel, patch] = op.axis ? [i, j] : [j, i];
  const across = shape[op.axis] / op.size;
  const row = Math.floor(patch / across) * op.size + Math.floor(pixel / op.size);
  const column = (patch % across) * op.size + (pixel % op.size);
  return op.axis ? [row, column] : [column, row];
};

// And the way back: where a pixel of the picture stands in the patches.
export const placeOf = (op, i, j) => {
  const [row, column] = op.axis ? [i, j] : [j, i];
  const pixel = (row % op.size) * op.size + (column % op.size);
  const patch = Math.floor(row / op.size) * (op.width / op.size) + Math.floor(column / op.size);
  return op.axis ? [pixel, patch] : [patch, pixel];
};

export const operations = {
  matmul: (op, m, [a, b], shapes, i, j) =>
    m.sum(shapes[0][1], (k) => m.product(a(i, k), b(k, j))),

  add: elementwise((m, a, b) => m.sum(2, (k) => (k ? b : a)), (a, b) => a + b), // two minus zeros stay one
  subtract: elementwise((m, a, b) => m.difference(a, b)),
  multiply: elementwise((m, a, b) => m.product(a, b)),
  negate: elementwise((m, a) => m.negative(a)),
  divide: elementwise((m, a, b) => m.quotient(a, b)),
  power: elementwise((m, a, op) => m.power(a, m.constant(op.exponent))),
  exp: elementwise((m, a, op) => m.power(op.base === Math.E ? m.e : m.constant(op.base), a)),
  sqrt: elementwise((m, a) => m.root(a)),
  log: elementwise((m, a) => m.call("ln", a)),
  tanh: elementwise((m, a) => m.call("tanh", a)),
  sigmoid: elementwise((m, a) =>
    m.quotient(m.constant(1), m.sum(2, (k) => (k ? m.power(m.e, m.negative(a)) : m.constant(1))))),
  softplus: elementwise((m, a) => m.call("ln", m.sum(2, (k) => (k ? m.power(m.e, a) : m.constant(1)))), softplus),
  relu: elementwise((m, a) => m.call("max", m.constant(0), a)),
  gelu: elementwise((m, a, op) => (op.approximate ? bentByTanh(m, a) : m.product(a, m.call("Φ", a)))),
  leaky_relu: elementwise((m, a, op) => m.call("max", m.product(m.constant(op.alpha), a), a)),
  absolute: elementwise((m, a) => m.call("abs", a)),
  floor: elementwise((m, a) => m.call("floor", a)),
  mask: (op, m, [a], shapes, i, j) => (op.allowed[i][j] ? a(i, j) : m.constant(-Infinity)),

  step: elementwise((m, a, op) => (op.below ? m.call("max", m.constant(op.below), m.call("step", a)) : m.call("step", a))),
  sign: elementwise((m, a) => m.call("sign", a)),
  gelu_slope: elementwise(steepness, (a, op) => steepness(arithmetic, withinTheBend(a), op)),
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
    const cell = line(op, a, i, j);
    const all = Array.from({ length: shapes[0][op.axis] }, (_, k) => cell(k));
    return m.difference(a(i, j), m.call("max", ...all));
  },

  argmax: (op, m, [a], shapes, i, j) => {
    const cell = line(op, a, i, j);
    const word = (k) => (op.words ? `, “${op.words[k]}”` : "");
    const told = (k) => `${op.axis === 0 ? "row" : "column"} ${k + 1}${word(k)}`;
    return m.highest(told, Array.from({ length: shapes[0][op.axis] }, (_, k) => cell(k)));
  },
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
    if (Math.abs(highest) > (op.limit ?? EXPONENT_LIMIT)) return false;
  }
  return true;
}
