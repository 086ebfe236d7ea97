// What a number depends on: whether on a given at all, and on which most.

const NUDGE = 0.1; // a step of the slider
const MOST_TRIED = 64; // numbers of a given that are tried one by one
const MOST_COMPUTED = 4000; // numbers of a calculation, from which on none is tried

export const isSame = (cell, other) => Boolean(cell && other) && cell.every((part, k) => part === other[k]);

// The number of a given that moves a cell most when it is moved a little, as [matrix, row, column]; null if it
// depends on none. Of the first given of whose numbers `isShown` says that any is in sight, else of the first.
export function strongest(cell, calculation, isShown = () => true) {
  const chain = calculation.chain(cell);
  const read = calculation.givens.filter((matrix) => chain.has(matrix)).map((matrix) => chain.get(matrix).cells());
  if (!read.length) return null;
  const shown = read.map((cells) => cells.filter((other) => isShown(...other)));
  const cells = shown.find((some) => some.length) ?? read[0];
  const [[given]] = cells;
  const size = calculation.matrices.reduce((sum, { rowCount, columnCount }) => sum + rowCount * columnCount, 0);
  if (cells.length === 1) return cells[0];
  if (cells.length > MOST_TRIED || size > MOST_COMPUTED) return cells.find(([, row, column]) => given.at(row, column)) ?? cells[0];
  return mostMoving(cell, cells, given, calculation);
}

function mostMoving([matrix, row, column], cells, given, calculation) {
  const fresh = calculation.matrices.filter((other) => !other.isStale);
  const before = given.values;
  const now = matrix.at(row, column);
  const moved = before.slice();
  given.numbers = moved;
  const effect = ([, i, j]) => {
    const at = i * given.columnCount + j;
    moved[at] += NUDGE;
    calculation.compute([given]);
    const size = Math.abs(matrix.at(row, column) - now) || 0;
    moved[at] = before[at];
    return size;
  };
  const effects = cells.map(effect);
  given.numbers = before;
  calculation.compute([given]);
  for (const other of fresh) other.values; // computed again, as they were
  const most = Math.max(...effects);
  return cells[effects.findIndex((size) => size >= most * (1 - 1e-9))]; // of equal ones the first
}
