// Which cells of its inputs a cell reads, by the operation alone: for each input a rectangle, whose corner
// depends on the cell. It serves both ways, back to what is read and forward to what reads.

import { operations, pixelOf, placeOf } from "./operations.js";

const single = (corner) => ({ height: 1, width: 1, corner });

// The column (axis 0) or the row (axis 1) that the cell lies in.
const lineOf = (op, [[rows, columns]]) =>
  op.axis === 0 ? [{ height: rows, width: 1, corner: (i, j) => j }] : [{ height: 1, width: columns, corner: (i) => i * columns }];

const ways = {
  matmul: (op, [[, count]]) => [
    { height: 1, width: count, corner: (i) => i * count },
    { height: count, width: 1, corner: (i, j) => j },
  ],
  mask: (op, [[, columns]]) => [single((i, j) => (op.allowed[i][j] ? i * columns + j : -1))],
  keep: (op, [[, columns]]) => [single((i, j) => (op.allowed[i][j] ? i * columns + j : -1))],
  passed: (op, [[, columns]]) => [single((i, j) => i * columns + j)],
  repeat: (op) => [single((i, j) => (op.axis === 0 ? j : i))],
  scatter: (op, [[, columns]]) => {
    const from = (place) => op.indices.indexOf(place);
    return [single((i, j) => {
      const k = from(op.axis === 0 ? i : j);
      return k < 0 ? -1 : op.axis === 0 ? k * columns + j : i * columns + k;
    })];
  },
  sums: lineOf,
  means: lineOf,
  subtract_max: lineOf,
  argmax: lineOf,
  one_hot: (op) => [single((i, j) => (op.axis === 0 ? j : i))],
  same: (op, [[, columns]]) => [single((i, j) => i * columns + j)],
  transpose: (op, [[, columns]]) => [single((i, j) => j * columns + i)],
  concat: (op, shapes) => {
    let end = 0;
    return shapes.map(([rows, columns]) => {
      const start = end;
      end += op.axis === 0 ? rows : columns;
      const stop = end;
      const isInside = (place) => place >= start && place < stop;
      return op.axis === 0
        ? single((i, j) => (isInside(i) ? (i - start) * columns + j : -1))
        : single((i, j) => (isInside(j) ? i * columns + j - start : -1));
    });
  },
  slice: (op, [[, columns]]) => [single((i, j) => (op.axis === 0 ? (i + op.start) * columns + j : i * columns + j + op.start))],
  gather: (op, [[, columns]]) => [single((i, j) => (op.axis === 0 ? op.indices[i] * columns + j : i * columns + op.indices[j]))],
  patches: (op, [shape]) => [
    single((i, j) => {
      const [row, column] = pixelOf(op, shape, i, j);
      return row * shape[1] + column;
    }),
  ],
  assemble: (op, [[, columns]]) => [
    single((i, j) => {
      const [row, column] = placeOf(op, i, j);
      return row * columns + column;
    }),
  ],
};

// Number by number; where an input has one row or column, every cell reads that.
const everywhere = (op, shapes) =>
  shapes.map(([rows, columns]) => single((i, j) => (rows > 1 ? i * columns : 0) + (columns > 1 ? j : 0)));

// For each input {height, width, corner(row, column)}: the corner's place in it, or -1 where nothing is read.
export function reach(op, shapes) {
  const way = ways[op.name] ?? (operations[op.name].compute || !shapes.length ? everywhere : null);
  if (!way) throw new Error(`reach.js does not say what ${op.name} reads.`);
  return way(op, shapes);
}
