// The places of rows in a sheet's towers. Steps that continue another one number by number are at its right if there is
// room, one strip from scores to shares, with sums below it. Elsewhere all are below one another.

const [LABELS, LEAST_BASE] = [235, 38]; // pixels that a strip leaves to labels and gaps, and of a column at least

// Towers of rows as tracks of rows with their `band`, counted down, and `column`, counted from the left.
export function arranged(towers, matrices, widthOf, width, isRows) {
  return strips(towers, matrices, isRows).flatMap((rows) => {
    const isStrip = rows.some(({ column }) => column > 0);
    return isStrip && !isRows && pixelsOf(rows, widthOf) <= width ? [rows] : folded(rows);
  });
}

function strips(towers, matrices, isRows) {
  const found = [];
  let strip = null;
  for (const tower of towers) {
    tower.forEach((row, k) => {
      const matrix = matrices[row.main[0]];
      if (k === 0 && !(strip?.goesOnIn(row, matrix) && strip.isAlike(matrix))) found.push((strip = new Strip(isRows)).rows);
      strip.add(row, matrix, strip.goesOnIn(row, matrix));
    });
  }
  return found;
}

// One strip of rows in their order: the steps that continue one another, and the rows below them.
class Strip {
  constructor(isRows) {
    this.shapeOf = ({ rowCount, columnCount }) => (isRows ? [columnCount, rowCount] : [rowCount, columnCount]);
    [this.rows, this.members, this.column] = [[], [], 0];
    [this.band, this.bottom] = [-1, -1];
  }

  goesOnIn({ left, main: [, isCopy] }, matrix) {
    const isAlike = (operand) => this.members.includes(operand) && this.shapeOf(operand)[1] === this.shapeOf(matrix)[1];
    return !left && !isCopy && !matrix.isGiven && !this.isClosed && matrix.operands.some(isAlike);
  }

  isAlike(matrix) {
    return String(this.shapeOf(matrix)) === String(this.shapeOf(this.members[0]));
  }

  add(row, matrix, isOn) {
    if (isOn && this.shapeOf(matrix)[0] < this.shapeOf(this.members[0])[0]) return this.put(row, (this.bottom += 1), this.rows.every(({ isLow }) => !isLow));
    if (isOn && this.isAlike(matrix)) {
      this.column += 1;
      this.members.push(matrix);
    } else {
      this.band = this.bottom + 1;
      this.members = [matrix];
      this.isClosed = false;
    }
    this.bottom = Math.max(this.bottom, this.band);
    if (row.right.length) this.isClosed = true; // what it reads besides stands there
    return this.put(row, this.band);
  }

  // Add a row to the strip; `isLow` for the first of the rows below, whose name is at its left, where there is room.
  put(row, band, isLow = false) {
    this.rows.push({ ...row, band, column: this.column, isLow });
  }
}

// The width of these rows, with columns of the least width.
function pixelsOf(rows, widthOf) {
  const most = (blocks) => Math.max(0, ...blocks.map((block) => (block ? widthOf(block) : 0)));
  const columns = [...Map.groupBy(rows, ({ column }) => column).values()];
  const left = most(rows.map((row) => row.left));
  return LABELS + LEAST_BASE * columns.reduce((all, own) => all + most(own.map(({ main }) => main)), left);
}

// Rows below one another: a track up to a product, and one for the steps that continue it.
function folded(rows) {
  const tracks = [];
  rows.forEach((row, k) => {
    const isNew = k === 0 || (row.column > rows[k - 1].column && rows[k - 1].left);
    if (isNew) tracks.push([]);
    tracks.at(-1).push({ ...row, band: tracks.at(-1).length, column: 0, isLow: false });
  });
  return tracks;
}
