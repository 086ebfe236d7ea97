// Where the rows of a sheet's towers stand. What goes on from a step number by number stands at its right where there is
// room, one strip from scores to shares, with sums below it; elsewhere several strips, or all below one another.

const [LABELS, LEAST_BASE, NARROWEST] = [235, 38, 25]; // pixels that a strip leaves to labels and gaps; of its columns at least; of any
const WIDE = 1000; // pixels, of a page

// Towers of rows as tracks of rows with their `band`, counted down, and `column`, counted from the left.
export function arranged(towers, matrices, widthOf, width, isRows) {
  const shown = (block) => (matrices[block[0]].isIdle ? 0 : widthOf(block));
  const fits = (rows) => !isRows && pixelsOf(rows, shown) <= width;
  const fitBeside = (one, other) => width < WIDE && pixelsOf(one, shown, NARROWEST) + pixelsOf(other, shown, NARROWEST) - LABELS <= width;
  return strips(towers, matrices, isRows).flatMap((rows) => {
    const isWhole = rows.some(({ column }) => column > 0) && !isRows && pixelsOf(rows, widthOf) <= width;
    return isWhole ? [rows] : folded(rows, fits, fitBeside);
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

// How wide it is with columns of the least width.
function pixelsOf(rows, widthOf, base = LEAST_BASE) {
  const most = (blocks) => Math.max(0, ...blocks.map((block) => (block ? widthOf(block) : 0)));
  const columns = [...Map.groupBy(rows, ({ column }) => column).values()];
  const left = most(rows.map((row) => row.left));
  return LABELS + base * columns.reduce((all, own) => all + most(own.map(({ main }) => main)), left);
}

// Below one another: a track up to a product, and one for what goes on from it; that one in strips where a page is wide,
// or too narrow for both.
function folded(rows, fits, fitBeside) {
  const runs = [];
  rows.forEach((row, k) => {
    if (k === 0 || (row.column > rows[k - 1].column && rows[k - 1].left)) runs.push([]);
    runs.at(-1).push(row);
  });
  return runs.flatMap((run, k) => {
    const end = run.findIndex(({ left }) => left);
    const strips = k === 0 || fitBeside(tower(runs[k - 1]), tower(run)) ? [] : lines(run.slice(0, end < 0 ? run.length : end), fits);
    const isWorthIt = strips.some((line) => line.some(({ column }) => column > 0));
    return isWorthIt ? [...strips, ...(end < 0 ? [] : products(run.slice(end)))] : [tower(run)];
  });
}

const tower = (rows) => rows.map((row, band) => ({ ...row, band, column: 0, isLow: false }));

// Each product with what is below it.
function products(run) {
  const found = [];
  for (const row of run) (row.left ? found[found.push([]) - 1] : found.at(-1)).push(row);
  return found.map(tower);
}

// As few strips as there is room for.
function lines(run, fits) {
  const found = [];
  for (const row of run) {
    const last = found.at(-1);
    if (last && (row.column === last.at(-1).column || fits([...last, row]))) last.push(row);
    else found.push([row]);
  }
  return found.map((rows) => rows.map((row) => ({ ...row, column: row.column - rows[0].column, band: row.band - rows[0].band })));
}
