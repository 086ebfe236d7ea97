// Whole matrices at once: loops for the operations in which large matrices spend their time, the same
// arithmetic in the same order as in operations.js, which does all others cell by cell.

import { arithmetic, operations } from "./operations.js";

// Write the operation's result into `values`; `shapes` are the inputs' [rows, columns], `shape` its own.
export function compute(op, inputs, shapes, shape, values) {
  const whole = kernels[op.name] ?? (operations[op.name].write ? numberByNumber : cellByCell);
  whole(op, inputs, shapes, shape, values);
}

export function cellByCell(op, inputs, shapes, [rows, columns], values) {
  const read = inputs.map((numbers, k) => (i, j) => numbers[i * shapes[k][1] + j]);
  const cell = operations[op.name];
  for (let i = 0, at = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1, at += 1) values[at] = cell(op, arithmetic, read, shapes, i, j);
  }
}

function numberByNumber(op, [a, b], [first, second], [rows, columns], values) {
  const { write } = operations[op.name];
  const step = ([height, width]) => [height > 1 ? width : 0, width > 1 ? 1 : 0]; // one row or column serves all
  const [aDown, aRight] = step(first);
  const [bDown, bRight] = b ? step(second) : [0, 0];
  for (let i = 0, at = 0; i < rows; i += 1) {
    for (let j = 0; j < columns; j += 1, at += 1) {
      const x = a[i * aDown + j * aRight];
      values[at] = b ? write(arithmetic, x, b[i * bDown + j * bRight], op) : write(arithmetic, x, op);
    }
  }
}

const kernels = {
  // Term by term for a whole row of results, so that both operands are read in the order they lie in.
  matmul(op, [a, b], [[rows, count], [, columns]], shape, values) {
    for (let i = 0; i < rows; i += 1) {
      const row = values.subarray(i * columns, (i + 1) * columns);
      for (let j = 0; j < columns; j += 1) row[j] = a[i * count] * b[j];
      for (let k = 1; k < count; k += 1) {
        const factor = a[i * count + k];
        for (let j = 0, at = k * columns; j < columns; j += 1, at += 1) row[j] += factor * b[at];
      }
    }
  },

  subtract_max(op, [a], shapes, [rows, columns], values) {
    const highest = new Float64Array(op.axis === 0 ? columns : rows).fill(-Infinity);
    const line = (at) => (op.axis === 0 ? at % columns : Math.floor(at / columns));
    for (let at = 0; at < a.length; at += 1) highest[line(at)] = Math.max(highest[line(at)], a[at]);
    for (let at = 0; at < a.length; at += 1) values[at] = a[at] - highest[line(at)];
  },
};
