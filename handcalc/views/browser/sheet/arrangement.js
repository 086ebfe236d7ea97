// Where the rows of a sheet's strips stand: as they are where there is room, elsewhere in several strips, or all below
// one another.

const [LABELS, LEAST_BASE, NARROWEST] = [235, 38, 25]; // pixels that a strip leaves to labels and gaps; of its columns at least; of any
const WIDE = 1000; // pixels, of a page

// Strips of rows with their `band`, counted down, and `column`, counted from the left, as tracks that a width has room for.
export function arranged(strips, matrices, widthOf, width, isRows) {
  const shown = (block) => (matrices[block[0]].isIdle ? 0 : widthOf(block));
  const fits = (rows) => !isRows && pixelsOf(rows, shown) <= width;
  const fitBeside = (one, other) => width < WIDE && pixelsOf(one, shown, NARROWEST) + pixelsOf(other, shown, NARROWEST) - LABELS <= width;
  return strips.map(dense).flatMap((rows) => {
    const isWhole = rows.some(({ column }) => column > 0) && !isRows && pixelsOf(rows, widthOf) <= width;
    return isWhole ? [rows] : folded(rows, fits, fitBeside);
  });
}

// Without the bands and columns of steps that are switched off.
function dense(rows) {
  const placeIn = (name) => {
    const all = [...new Set(rows.map((row) => row[name]))].sort((one, other) => one - other);
    return (row) => all.indexOf(row[name]);
  };
  const [bandOf, columnOf] = ["band", "column"].map(placeIn);
  return rows.map((row) => ({ ...row, band: bandOf(row), column: columnOf(row) }));
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
