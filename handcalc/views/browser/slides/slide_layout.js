// Layout of a slide: a step with the matrices it reads, or the givens.

import { WHOLE_UP_TO } from "../record/visible_window.js";

const [WHOLE_EMS, DECIMAL_EMS, LABEL_EMS] = [2.4, 3.2, 1.5]; // sizes of type that a column takes, and labels beside it
const [ROW_EMS, HEAD_EMS] = [1.85, 3.2]; // a row, and what stands above a matrix
const TIMES_LARGER = 1.1; // before matrices leave the columns that they share
const SMALLEST_AS_ON_PAPER = 12.5; // pixels of a number
const ROOMS = [16, 12, 10, 8, 6, 5, 4]; // rows or columns of a large matrix that a slide may show
const SEEN_FROM_BEHIND = 28 / 1920; // of the width of a window: a number of a large matrix, for the back row
const WITH_GAPS = 1.2; // times more room than its matrices take
const STRIP_EMS = 3.5; // of a matrix with fewer columns than there are: what stands above its numbers

const aloneInRow = (matrix, isCopy = false) => ({ left: null, main: [matrix.index, isCopy], right: [] });

// A step with what it reads: a product as on paper, where there is room for that; else in one column, or side by
// side where that gives larger type in a room so wide and high. `matrices` are all, `layout` is its block's sheet.
export function layoutOfStep(step, matrices, layout, isRows, room) {
  const track = layout.find((rows) => rows.some(({ main }) => main[0] === step.index));
  const row = track?.find(({ main }) => main[0] === step.index);
  const above = track?.slice(0, track.indexOf(row)).findLast(({ main }) => step.operands.includes(matrices[main[0]])) ?? track?.[0];
  if (row?.left) return product(step, matrices, row, above, room);
  const [alike, beside] = operandsOf(step, isRows);
  if (!beside.length) return largest([[[...alike, step]], [alike, [step]], [...alike, step].map((matrix) => [matrix])], { ...room, isRows });
  return [[...alike.map((matrix) => aloneInRow(matrix)), { ...aloneInRow(step), right: beside.map((matrix) => [matrix.index, false]) }]];
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

// The operands of a step: those with its own columns (rows, where tokens are rows), and others.
export function operandsOf(step, isRows) {
  const isAlike = (matrix) => (isRows ? matrix.rowCount === step.rowCount : matrix.columnCount === step.columnCount);
  return [step.operands.filter(isAlike), step.operands.filter((matrix) => !isAlike(matrix))];
}

// The rows and columns that a slide shows: as many as can be read from the back row, where it has a large matrix.
export function roomOfStep(layout, matrices, stage, least) {
  const placed = (blocks) => blocks.filter(Boolean).map(([place]) => matrices[place]);
  const tracks = layout.flatMap((rows) => [rows.map(({ left }) => left), rows.map(({ main }) => main), rows.flatMap(({ right }) => right)])
    .map(placed).filter((column) => column.length);
  const shown = tracks.flat();
  if (shown.every(({ rowCount, columnCount }) => Math.max(rowCount, columnCount) <= WHOLE_UP_TO)) return {};
  const wanted = WITH_GAPS * Math.max(least, SEEN_FROM_BEHIND * stage.window);
  const rooms = ROOMS.flatMap((rows) => ROOMS.map((columns) => ({ rows, columns, whole: 0 })));
  const good = rooms.filter((room) => typeIn({ ...stage, room }, tracks) >= wanted);
  const numbers = ({ rows, columns }) => shown.reduce((sum, matrix) => sum + Math.min(rows, matrix.rowCount) * Math.min(columns, matrix.columnCount), 0);
  return good.reduce((one, other) => (numbers(other) > numbers(one) ? other : one), rooms.at(-1));
}

// About how large the type of tracks is in a room: each is a column, beside the others; a row, where tokens are rows.
function typeIn({ width, height, isRows = false, room = { rows: WHOLE_UP_TO, columns: WHOLE_UP_TO } }, tracks) {
  const [wide, high] = [wideOf, highOf].map((lengthOf) => (matrix) => lengthOf(matrix, room));
  const sum = (lengths) => lengths.reduce((a, b) => a + b, 0);
  const most = (lengths) => Math.max(...lengths);
  const [along, beside] = isRows ? [most, sum] : [sum, most];
  const across = along(tracks.map((matrices) => beside(matrices.map(wide))));
  const down = beside(tracks.map((matrices) => along(matrices.map(high))));
  return Math.min(width / across, height / down);
}

const highOf = ({ rowCount, columnCount }, { rows, columns }) => ROW_EMS * Math.min(rowCount, rows) + HEAD_EMS + (columns < columnCount ? STRIP_EMS : 0);

function wideOf({ columnCount, values }, { columns }) {
  const wide = values.every(Number.isInteger) ? WHOLE_EMS : DECIMAL_EMS;
  return wide * Math.min(columnCount, columns) + LABEL_EMS;
}

export const layoutOfGivens = ({ givens }) => givens.map((matrix) => [aloneInRow(matrix)]);
