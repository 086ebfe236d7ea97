// Matrices of shares, told by their numbers and operations: what each column gives to its rows adds up to 1.

import { IN_WINDOW } from "./visible_window.js";

const OFF = 1e-9; // of a sum, by rounding
const NEARLY_ALL = 0.95;

// The axis along which a calculation's columns run: 0 down, with tokens as rows 1 along.
export const downOf = (calculation) => (calculation.spec.convention === "rows" ? 1 : 0);

// A matrix as lists of numbers: how many there are, how long each is, and the place of its k-th number.
export function listsOf({ rowCount, columnCount }, down) {
  return down === 0
    ? { count: columnCount, length: rowCount, at: (list, k) => k * columnCount + list }
    : { count: rowCount, length: columnCount, at: (list, k) => list * columnCount + k };
}

// Whether it holds shares: never negative, every list adds up to 1, and there is something to share out.
export function isShares(matrix, down) {
  if (!matrix.entry.never_negative || matrix.isGiven) return false;
  const { values } = matrix;
  const { count, length, at } = listsOf(matrix, down);
  let isSplit = false;
  for (let list = 0; list < count; list += 1) {
    let sum = 0;
    for (let k = 0; k < length; k += 1) {
      const share = values[at(list, k)];
      sum += share;
      if (share > OFF && share < 1 - OFF) isSplit = true;
    }
    if (!(Math.abs(sum - 1) < OFF)) return false;
  }
  return isSplit;
}

// The largest share that is well below the whole, of those in sight at first: a share of 1 says nothing. Where
// there is none but traces, the largest of all.
export function largestShare(matrix) {
  const cells = [];
  for (let row = 0; row < Math.min(matrix.rowCount, IN_WINDOW); row += 1) {
    for (let column = 0; column < Math.min(matrix.columnCount, IN_WINDOW); column += 1) cells.push([matrix, row, column]);
  }
  const split = cells.filter(([, row, column]) => matrix.at(row, column) < NEARLY_ALL);
  const largest = (best, cell) => (matrix.at(cell[1], cell[2]) > matrix.at(best[1], best[2]) ? cell : best);
  const found = split.length && split.reduce(largest);
  return found && matrix.at(found[1], found[2]) > 1 - NEARLY_ALL ? found : cells.reduce(largest);
}
