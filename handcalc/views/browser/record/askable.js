// The number of a step that is worth asking for, and the one that a sheet opens with.
import { downOf, isShares, largestShare } from "./shares.js";

const MAX_COMPARED_CELLS = 2500; // numbers that are compared; of a larger matrix evenly spaced ones

// A number that shows the step's effect: −∞ of a mask, a number that ReLU cuts off. Among those, not a zero if there is
// another, and neither the largest nor the smallest.
export function cellToAsk(matrix) {
  const cells = changedCells(matrix, sampledCells(matrix));
  const size = ([m, row, column]) => Math.abs(m.at(row, column));
  const sizes = new Map(cells.map((cell) => [cell, size(cell)]));
  const interesting = cells.filter((cell) => sizes.get(cell) > 0 && sizes.get(cell) < Infinity);
  const sorted = (interesting.length ? interesting : cells).sort((a, b) => sizes.get(a) - sizes.get(b));
  return sorted[Math.floor(sorted.length * 0.65)];
}

// The numbers that the step has changed, if it leaves some as they are; otherwise all.
function changedCells(matrix, cells) {
  const read = matrix.operands.filter((other) => other.rowCount === matrix.rowCount && other.columnCount === matrix.columnCount);
  const changed = cells.filter(([, row, column]) => read.every((other) => other.at(row, column) !== matrix.at(row, column)));
  return changed.length ? changed : cells;
}

function sampledCells(matrix) {
  const { rowCount, columnCount } = matrix;
  const count = rowCount * columnCount;
  const step = Math.ceil(count / MAX_COMPARED_CELLS);
  const cells = [];
  for (let at = 0; at < count; at += step) cells.push([matrix, Math.floor(at / columnCount), at % columnCount]);
  return cells;
}

const MAX_COMPARED = 256; // numbers: as many as stand on the page without a window

// The number that a sheet opens with: the largest share of the last step that holds shares; otherwise a good number of the last step.
export function cellToOpenWith(steps, calculation) {
  const shares = steps.findLast((matrix) => isShares(matrix, downOf(calculation)));
  if (shares) return largestShare(shares);
  const last = steps.at(-1);
  return last.values.length > MAX_COMPARED ? [last, 0, 0] : cellToAsk(last);
}
