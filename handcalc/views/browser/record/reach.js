// The cells of its inputs that a cell reads, by the operation alone: for each input a rectangle, whose corner
// depends on the cell, as its size may. It serves both ways, back to sources and forward to consumers.

import { operations } from "./operations.js";

const single = (corner) => ({ height: 1, width: 1, corner });

// The column (axis 0) or the row (axis 1) that the cell lies in.
const lineOf = (op, [[rows, columns]]) =>
  op.axis === 0 ? [{ height: rows, width: 1, corner: (i, j) => j }] : [{ height: 1, width: columns, corner: (i) => i * columns }];

// The cells of that line up to the cell, or from it on: `size` is the rectangle's, where it depends on the cell.
const soFar = (op, shapes) => {
  const [rows, columns] = shapes[0];
  const [along, count] = op.axis === 0 ? [(i) => i, rows] : [(i, j) => j, columns];
  const length = (i, j) => (op.from_end ? count - along(i, j) : along(i, j) + 1);
  const size = (i, j) => (op.axis === 0 ? [length(i, j), 1] : [1, length(i, j)]);
  const corner = (i, j) => (op.from_end ? i * columns + j : op.axis === 0 ? j : i * columns);
  return [{ ...lineOf(op, shapes)[0], corner, size }];
};

const readingMany = {
  matmul: (op, [[, count]]) => [
    { height: 1, width: count, corner: (i) => i * count },
    { height: count, width: 1, corner: (i, j) => j },
  ],
  sums: lineOf,
  means: lineOf,
  subtract_max: lineOf,
  argmax: lineOf,
  maxima: lineOf,
  sort: lineOf,
  rank: lineOf,
  take_ranked: (op, shapes) => [...lineOf(op, shapes), single((i, j) => i * shapes[1][1] + j)],
  sample: (op, shapes) => [...lineOf(op, shapes), single((i, j) => i * shapes[1][1] + j)],
  cumulative_sums: soFar,
  cumulative_maxima: soFar,
};

// Number by number; where an input has one row or column, every cell reads that.
const everywhere = (op, shapes) =>
  shapes.map(([rows, columns]) => single((i, j) => (rows > 1 ? i * columns : 0) + (columns > 1 ? j : 0)));

const NOWHERE = -1;
const places = { constant: () => NOWHERE, call: (name, place) => place };

// Any other reads one number of an input, or none: which, its line in operations.js says when it reads places.
const oneAtMost = (op, shapes) =>
  shapes.map((_, k) => {
    const read = shapes.map(([, columns], other) => (i, j) => (other === k ? i * columns + j : NOWHERE));
    return single((i, j) => operations[op.name](op, places, read, shapes, i, j));
  });

// For each input {height, width, corner(row, column)}: the corner's place in it, or -1 where nothing is read.
export function reach(op, shapes) {
  const way = readingMany[op.name] ?? (operations[op.name].compute ? everywhere : oneAtMost);
  return way(op, shapes);
}
