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
  call: (name, ...parts) => parts.flat(),
};
