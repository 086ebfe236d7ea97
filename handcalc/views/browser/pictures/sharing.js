// The shares in a record: which matrix of shares a sheet has, whose shares a number has to do
// with, whether they go to the tokens that give them, and which steps a softmax consists of.

import { downOf, isShares, listsOf } from "../record/shares.js";

const MAX_KEYS = 16; // as many as a picture has room for
const MAX_CHAINED = 50_000; // numbers of a calculation whose chains are followed at every choice

// The last matrix of shares among these steps whose rows and columns have labels: keys against queries.
export function sharedOut(steps, calculation) {
  const down = downOf(calculation);
  const isFit = (matrix) => matrix.labels(0) && matrix.labels(1) && listsOf(matrix, down).length <= MAX_KEYS;
  return steps.findLast((matrix) => isFit(matrix) && isShares(matrix, down)) ?? null;
}

// The query that a number belongs to: the only list of shares that it is in, affects, or depends on; otherwise null.
export function queryOf(cell, shares, calculation) {
  const lists = new Set();
  const down = downOf(calculation);
  const add = ([, row, column]) => lists.add(down === 0 ? column : row);
  const size = calculation.matrices.reduce((sum, { rowCount, columnCount }) => sum + rowCount * columnCount, 0);
  if (cell[0] === shares) add(cell);
  else if (size <= MAX_CHAINED) calculation.chain(cell, cell[0].index < shares.index).get(shares)?.cells().forEach(add);
  return lists.size === 1 ? [...lists][0] : null;
}

function ancestors(matrix) {
  const found = new Set([matrix]);
  for (const each of found) for (const input of each.inputs) found.add(input);
  return found;
}

// Whether keys and queries are the same tokens: both operands of the product that the shares come from go back to
// one matrix that has as many of them.
export function isAmongThemselves(shares, calculation) {
  const { count, length } = listsOf(shares, downOf(calculation));
  const isAlike = ({ rowCount, columnCount }) => rowCount === shares.rowCount && columnCount === shares.columnCount;
  const ways = [...ancestors(shares)].filter(isAlike);
  const product = count === length && ways.find(({ operation }) => operation?.name === "matmul");
  if (!product) return false;
  const [left, right] = product.inputs.map(ancestors);
  return [...left].some((matrix) => right.has(matrix) && listsOf(matrix, downOf(calculation)).count === count);
}

const isSoftmax = ({ operation, inputs: [powers, sums] }) =>
  operation?.name === "divide" && sums.operation?.name === "sums" && sums.inputs[0] === powers && powers.operation?.name === "exp";

// The softmax that a number is a step of, and its list there: scores, their powers, the sums, the shares.
export function softmaxOf([matrix, row, column], calculation) {
  const shares = calculation.matrices.find((other) => isSoftmax(other) && (other === matrix || other.inputs.includes(matrix)));
  if (!shares) return null;
  const [powers, sums] = shares.inputs;
  const down = sums.operation.axis;
  let [scores] = powers.inputs;
  while (scores.isIdle) [scores] = scores.inputs;
  return { scores, powers, sums, shares, down, list: down === 0 ? column : row };
}

// A label in a sentence: a word in quotation marks, x₁ as it is.
export const quoted = (label) => (/^\p{L}?[\d₀-₉]+$/u.test(label) ? label : `“${label}”`);
