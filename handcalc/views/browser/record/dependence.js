// The dependence of a number on givens: whether it depends on one at all, and on which most.

const NUDGE = 0.1; // a step of the slider
const MAX_TRIED = 64; // numbers of a given that are tried one by one
const MAX_COMPUTED = 4000; // numbers of a calculation, from which on none is tried
const MAX_FOLLOWED = 100_000; // numbers of a calculation, from which on only the largest term is followed

export const isSame = (cell, other) => Boolean(cell && other) && cell.every((part, k) => part === other[k]);

const sizeOf = ({ matrices }) => matrices.reduce((sum, { rowCount, columnCount }) => sum + rowCount * columnCount, 0);

const isTooLarge = (calculation) => sizeOf(calculation) > MAX_FOLLOWED;

// Whether a cell depends on a number of a given; null where it may, but finding out would take too long.
export function dependsOn(cell, given, calculation) {
  if (isSame(cell, given)) return true;
  if (isTooLarge(calculation)) return descendants(given[0], calculation).has(cell[0]) ? null : false;
  return Boolean(calculation.chain(cell).get(given[0])?.has(given[1], given[2]));
}

// The number of a given that moves a cell most when it is moved a little, as [matrix, row, column]; null if it
// depends on none. It is from the first given with a number in sight (`isShown`), otherwise from the first.
export function strongest(cell, calculation, isShown = () => true) {
  if (isTooLarge(calculation)) return largestTerm(cell, calculation);
  const chain = calculation.chain(cell);
  const read = calculation.givens.filter((matrix) => chain.has(matrix)).map((matrix) => chain.get(matrix).cells());
  if (!read.length) return null;
  const shown = read.map((cells) => cells.filter((other) => isShown(...other)));
  const cells = shown.find((some) => some.length) ?? read[0];
  const [[given]] = cells;
  if (cells.length === 1) return cells[0];
  const isTried = cells.length <= MAX_TRIED && sizeOf(calculation) <= MAX_COMPUTED;
  return isTried ? mostMoving(cell, cells, given, calculation) : (cells.find(([, row, column]) => given.at(row, column)) ?? cells[0]);
}

// Whether a cell moves when a number of a given that it depends on does: not where that is multiplied by 0, say.
// Where finding out would take too long, it is taken to move.
export function isMovedBy(cell, [given, row, column], calculation) {
  return sizeOf(calculation) > MAX_COMPUTED || effectsOn(cell, [[given, row, column]], given, calculation)[0] > 0;
}

function mostMoving(cell, cells, given, calculation) {
  const effects = effectsOn(cell, cells, given, calculation);
  const most = Math.max(...effects);
  return cells[effects.findIndex((size) => size >= most * (1 - 1e-9))]; // of equal ones the first
}

// The change of a cell with each of these numbers of a given, when that is moved a little.
function effectsOn([matrix, row, column], cells, given, calculation) {
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
  return effects;
}

// All matrices that depend on one, and itself.
function descendants(matrix, calculation) {
  const found = new Set([matrix]);
  for (const other of calculation.matrices) if (other.inputs.some((input) => found.has(input))) found.add(other);
  return found;
}

// Follow the largest number that is read, back to a number of the first given; null if that leads elsewhere.
function largestTerm(cell, calculation) {
  const given = calculation.givens.find((matrix) => descendants(matrix, calculation).has(cell[0]));
  if (!given) return null;
  const onWay = descendants(given, calculation);
  const size = ([matrix, row, column]) => Math.abs(matrix.at(row, column));
  let at = cell;
  while (at && at[0] !== given) {
    const read = at[0].sources(at[1], at[2]).filter(([matrix]) => onWay.has(matrix));
    at = read.length ? read.reduce((best, other) => (size(other) > size(best) ? other : best)) : null;
  }
  return at && at.slice(0, 3);
}
