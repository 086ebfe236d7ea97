// Layout of a slide: a step with the matrices it reads, or the givens.

const [WHOLE_EMS, DECIMAL_EMS, LABEL_EMS] = [2.4, 3.2, 1.5]; // sizes of type that a column takes, and labels beside it
const [ROW_EMS, HEAD_EMS] = [1.85, 3.2]; // a row, and what stands above a matrix
const TIMES_LARGER = 1.1; // before matrices leave the columns that they share
const SMALLEST_AS_ON_PAPER = 12.5; // pixels of a number
const MAX_PLACES = 16; // columns or rows: larger matrices have a window

const aloneInRow = (matrix, isCopy = false) => ({ left: null, main: [matrix.index, isCopy], right: [] });

// A step with what it reads: a product as on paper, where there is room for that; else in one column, or side by
// side where that gives larger type in a room so wide and high. `matrices` are all, `layout` is its block's sheet.
export function layoutOfStep(step, matrices, layout, isRows, room) {
  const track = layout.find((rows) => rows.some(({ main }) => main[0] === step.index));
  const row = track?.find(({ main }) => main[0] === step.index);
  if (row?.left) return product(step, matrices, row, track[0], room);
  const [above, beside] = operandsOf(step, isRows);
  if (!beside.length) return largest([[[...above, step]], [above, [step]], [...above, step].map((matrix) => [matrix])], { ...room, isRows });
  return [[...above.map((matrix) => aloneInRow(matrix)), { ...aloneInRow(step), right: beside.map((matrix) => [matrix.index, false]) }]];
}

// The left operand of a product and the one above it, as on paper; on a phone one stands above the other.
function product(step, matrices, row, { main: above }, room) {
  const [left, top] = [row.left, above].map(([place]) => matrices[place]);
  const main = (block) => ({ left: null, main: block, right: [] });
  const size = typeIn(room, [[left], [top, step]]);
  if (size >= SMALLEST_AS_ON_PAPER || typeIn(room, [[left, top, step]]) < TIMES_LARGER * size) return [[main(above), row]];
  return [[main(row.left)], [main(above), { ...row, left: null }]];
}

// The arrangement (tracks of matrices) with the largest type; an earlier one unless that is much larger.
function largest(arrangements, room) {
  const found = arrangements.filter((tracks) => tracks.every((matrices) => matrices.length));
  const best = found.reduce((one, other) => (typeIn(room, other) > TIMES_LARGER * typeIn(room, one) ? other : one));
  return best.map((matrices) => matrices.map((matrix) => aloneInRow(matrix)));
}

// What it reads: matrices with its own columns (rows, where tokens are rows), and others.
export function operandsOf(step, isRows) {
  const isAlike = (matrix) => (isRows ? matrix.rowCount === step.rowCount : matrix.columnCount === step.columnCount);
  return [step.operands.filter(isAlike), step.operands.filter((matrix) => !isAlike(matrix))];
}

// About how large the type of tracks is in a room: each is a column, beside the others; a row, where tokens are rows.
function typeIn({ width, height, isRows = false }, tracks) {
  const sum = (lengths) => lengths.reduce((a, b) => a + b, 0);
  const most = (lengths) => Math.max(...lengths);
  const [along, beside] = isRows ? [most, sum] : [sum, most];
  const across = along(tracks.map((matrices) => beside(matrices.map(wideOf))));
  const down = beside(tracks.map((matrices) => along(matrices.map(highOf))));
  return Math.min(width / across, height / down);
}

const highOf = ({ rowCount }) => ROW_EMS * Math.min(rowCount, MAX_PLACES) + HEAD_EMS;

function wideOf({ columnCount, values }) {
  const wide = values.every(Number.isInteger) ? WHOLE_EMS : DECIMAL_EMS;
  return wide * Math.min(columnCount, MAX_PLACES) + LABEL_EMS;
}

export const layoutOfGivens = ({ givens }) => givens.map((matrix) => [aloneInRow(matrix)]);
