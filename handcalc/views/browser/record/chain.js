// Chains of cells through a calculation, back to the givens or forward to all that they affect: a flag for
// each cell of each matrix that has any, so that a long chain costs no more than the numbers it runs through.

import { reach } from "./reach.js";

export class Marks {
  constructor(matrix) {
    this.matrix = matrix;
    this.flags = new Uint8Array(matrix.rowCount * matrix.columnCount);
    this.count = 0;
  }

  has(row, column) {
    return this.flags[row * this.matrix.columnCount + column] === 1;
  }

  add(place) {
    if (this.flags[place]) return;
    this.flags[place] = 1;
    this.count += 1;
  }

  // The marked cells row by row, as [matrix, row, column]; at most `most`.
  cells(most = Infinity) {
    const found = [];
    const { columnCount } = this.matrix;
    for (let at = 0; at < this.flags.length && found.length < most; at += 1) {
      if (this.flags[at]) found.push([this.matrix, Math.floor(at / columnCount), at % columnCount]);
    }
    return found;
  }
}

// An idle step is its input.
const waysOf = (matrix) =>
  matrix.isIdle
    ? [{ height: 1, width: 1, corner: (i, j) => i * matrix.columnCount + j }]
    : reach(matrix.operation, matrix.inputs.map((input) => input.entry.shape));

// Mark what the marked cells of a matrix read in one of its inputs.
function markRead(marks, { height, width, corner, size }, read) {
  const seen = new Uint8Array(read.flags.length);
  const { columnCount } = read.matrix;
  for (let at = 0; at < marks.flags.length; at += 1) {
    if (!marks.flags[at]) continue;
    const [row, column] = [Math.floor(at / marks.matrix.columnCount), at % marks.matrix.columnCount];
    const start = corner(row, column);
    if (start < 0 || (seen[start] && !size)) continue;
    seen[start] = 1;
    const [high, wide] = size?.(row, column) ?? [height, width];
    for (let i = 0; i < high; i += 1) {
      for (let j = 0; j < wide; j += 1) read.add(start + i * columnCount + j);
    }
  }
}

// Mark the cells of a matrix that read any of the marked cells of one of its inputs.
function markReaders(marks, { height, width, corner, size }, readers) {
  const known = new Uint8Array(marks.flags.length); // by corner: 1 without marks, 2 with some
  const { matrix: { columnCount: across }, flags } = marks;
  const isMarked = (start, [high, wide] = [height, width]) => {
    for (let i = 0; i < high; i += 1) {
      for (let j = 0; j < wide; j += 1) if (flags[start + i * across + j]) return true;
    }
    return false;
  };
  let at = 0;
  readers.matrix.forEachCell((row, column) => {
    const start = corner(row, column);
    if (size) {
      if (isMarked(start, size(row, column))) readers.add(at);
    } else if (start >= 0) {
      known[start] ||= isMarked(start) ? 2 : 1;
      if (known[start] === 2) readers.add(at);
    }
    at += 1;
  });
}

function started([matrix, row, column]) {
  const marks = new Marks(matrix);
  marks.add(row * matrix.columnCount + column);
  return new Map([[matrix, marks]]);
}

const shown = (found, start) =>
  new Map([...found].filter(([matrix, { count }]) => matrix !== start && count && !matrix.isInline));

// All that a cell depends on: matrix -> Marks.
export function chainBack(start) {
  const found = started(start);
  const waiting = [start[0]];
  while (waiting.length) {
    waiting.sort((a, b) => a.index - b.index);
    const matrix = waiting.pop(); // a reader before what it reads
    if (matrix.isGiven) continue;
    const ways = waysOf(matrix);
    matrix.inputs.forEach((input, k) => {
      if (!ways[k]) return;
      if (!found.has(input)) waiting.push(input);
      if (!found.has(input)) found.set(input, new Marks(input));
      markRead(found.get(matrix), ways[k], found.get(input));
    });
  }
  return shown(found, start[0]);
}

// All that a cell affects: matrix -> Marks; with `isDirect` only its readers, seen through inline matrices.
export function chainForward(start, matrices, isDirect = false) {
  const found = started(start);
  for (const reader of matrices.slice(start[0].index + 1)) {
    const sources = reader.inputs.map((input) => (found.has(input) && (!isDirect || input === start[0] || input.isInline) ? found.get(input) : null));
    if (!sources.some((marks) => marks?.count)) continue;
    const ways = waysOf(reader);
    const marks = new Marks(reader);
    sources.forEach((source, k) => source?.count && ways[k] && markReaders(source, ways[k], marks));
    if (marks.count) found.set(reader, marks);
  }
  return shown(found, start[0]);
}
