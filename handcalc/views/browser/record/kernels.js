// Whole matrices at once: loops for the operations in which large matrices spend their time, the same
// arithmetic in the same order as in operations.js, which does all others cell by cell.

import { arithmetic, hides, operations } from "./operations.js";
import { reach } from "./reach.js";

const isHidden = (value) => value === -Infinity;
export const isInfinite = (value) => Math.abs(value) === Infinity;

// Write the operation's result into `values`, NaN where there is no number; `shapes` are the inputs' [rows, columns],
// `shape` its own. A result may be −∞ only if a number that it reads `isEndless`: −∞ of a mask, or any ∞ of a learner.
export function compute(op, inputs, shapes, shape, values, isEndless = isHidden) {
  const whole = kernels[op.name] ?? (operations[op.name].compute ? numberByNumber : cellByCell);
  whole(op, inputs, shapes, shape, values);
  if (!hides(op) && values.includes(-Infinity)) refuseTooLarge(op, inputs, shapes, shape, values, isEndless);
}

// A cell that is −∞ and reads no such number has become too large.
function refuseTooLarge(op, inputs, shapes, [, columns], values, isEndless) {
  const ways = reach(op, shapes);
  values.forEach((value, at) => {
    const [i, j] = [Math.floor(at / columns), at % columns];
    const readsEndless = (way, k) => isAny(isEndless, inputs[k], shapes[k][1], way.size?.(i, j) ?? [way.height, way.width], way.corner(i, j));
    if (value === -Infinity && !ways.some(readsEndless)) values[at] = NaN;
  });
}

function isAny(isEndless, values, columns, [height, width], corner) {
  if (corner < 0) return false; // nothing is read
  for (let row = 0; row < height; row += 1) {
    const start = corner + row * columns;
    for (let at = start; at < start + width; at += 1) if (isEndless(values[at])) return true;
  }
  return false;
}

export function cellByCell(op, inputs, shapes, [rows, columns], values) {
  const read = inputs.map((numbers, k) => (i, j) => numbers[i * shapes[k][1] + j]);
  const cell = operations[op.name];
  for (let i = 0, at = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1, at += 1) values[at] = cell(op, arithmetic, read, shapes, i, j);
  }
}

function numberByNumber(op, [a, b], [first, second], [rows, columns], values) {
  const { compute: number } = operations[op.name];
  const step = ([height, width]) => [height > 1 ? width : 0, width > 1 ? 1 : 0]; // one row or column serves all
  const [aDown, aRight] = step(first);
  const [bDown, bRight] = b ? step(second) : [0, 0];
  for (let i = 0, at = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1, at += 1) {
      const x = a[i * aDown + j * aRight];
      values[at] = b ? number(x, b[i * bDown + j * bRight], op) : number(x, op);
    }
  }
}

const kernels = {
  // Term by term for a whole row of results, so that both operands are read in the order they lie in.
  matmul(op, [a, b], [[rows, count], [, columns]], shape, values) {
    for (let i = 0; i < rows; i += 1) {
      const row = values.subarray(i * columns, (i + 1) * columns);
      row.fill(0);
      for (let k = 0; k < count; k += 1) {
        const factor = a[i * count + k];
        for (let j = 0, at = k * columns; j < columns; j += 1, at += 1) row[j] += factor * b[at];
      }
    }
  },

  subtract_max(op, [a], shapes, [rows, columns], values) {
    const highest = new Float64Array(op.axis === 0 ? columns : rows).fill(-Infinity);
    const line = (at) => (op.axis === 0 ? at % columns : Math.floor(at / columns));
    for (let at = 0; at < a.length; at += 1) highest[line(at)] = Math.max(highest[line(at)], a[at]);
    const shift = highest.map((value) => (Math.abs(value) === Infinity ? 0 : value + 0)); // no minus zero
    for (let at = 0; at < a.length; at += 1) values[at] = a[at] - shift[line(at)];
  },

  // Only a place can be chosen: other numbers give NaN.
  one_hot(op, inputs, shapes, shape, values) {
    cellByCell(op, inputs, shapes, shape, values);
    const isPlace = (chosen) => Number.isInteger(chosen) && chosen >= 1 && chosen <= op.count;
    for (let at = 0; at < values.length; at += 1) {
      const place = op.axis === 0 ? at % shape[1] : Math.floor(at / shape[1]);
      if (!isPlace(inputs[0][place])) values[at] = NaN;
    }
  },
};
