// The free lines of a sheet, on which ways run around its boxes: horizontal and vertical ones with room to every box.

const CLEAR = 2.5; // pixels between a line and a box
const ROOMY = 8; // as many as there should be
const BESIDE_BOX = [6, 11, 16]; // from a box's edge, one way beside another
const LINES_APART = 3.5; // pixels between two lines

// Sorted, each apart from the one before; those that come first in `wanted` are kept before others.
function linesApart(wanted, others) {
  const kept = [];
  const isFree = (at) => kept.every((other) => Math.abs(other - at) >= LINES_APART);
  for (const at of [...wanted, ...others]) if (isFree(at)) kept.push(at);
  return Float64Array.from(kept).sort();
}

// From an edge on, the nearest lines first, so that a way in a narrow gap runs in its middle.
function linesBeside(boxes, low, high, [least, most]) {
  const found = BESIDE_BOX.flatMap((off) => boxes.flatMap((box) => [box[low] - off, box[high] + off]));
  return found.filter((at) => at >= least && at <= most);
}

// The middles of gaps that are too narrow for more than one way.
function middlesOf(boxes, low, high) {
  const ends = boxes.map((box) => box[high]);
  return boxes.flatMap((box) => ends.map((end) => box[low] - end).filter((gap) => gap > 2 * CLEAR && gap < 2 * BESIDE_BOX[0] + LINES_APART).map((gap) => box[low] - gap / 2));
}

// The lines between two places: the first, and the one after the last.
function linesBetween(all, low, high) {
  const [from, to] = [all.findIndex((at) => at > low), all.findIndex((at) => at >= high)];
  return { from: from < 0 ? all.length : from, to: to < 0 ? all.length : to };
}

export class Grid {
  // `levels` are heights at which ways begin and end, `rules` drawn lines that none should run along.
  constructor(boxes, levels, { width, height, rules }) {
    this.boxes = boxes;
    this.xs = linesApart(middlesOf(boxes, "left", "right"), linesBeside(boxes, "left", "right", [1, width - 1]));
    this.ys = linesApart(levels, [...middlesOf(boxes, "top", "bottom"), ...linesBeside(boxes, "top", "bottom", [1, height - 1])]);
    this.columns = this.xs.length;
    this.size = this.columns * this.ys.length;
    this.x = Float64Array.from({ length: this.size }, (_, node) => this.xs[node % this.columns]);
    this.y = Float64Array.from({ length: this.size }, (_, node) => this.ys[Math.floor(node / this.columns)]);
    [this.closed, this.tight] = [0, 0].map(() => [new Uint8Array(this.size), new Uint8Array(this.size)]); // from a node to the right, and down
    for (const box of boxes) this.mark(this.closed, box, CLEAR);
    for (const box of boxes) this.mark(this.tight, box, ROOMY);
    for (const rule of rules) this.mark([this.tight[0], null], rule, ROOMY, 3);
  }

  // The edges that come nearer to a box than so many pixels.
  mark([right, down], { left, right: end, top, bottom }, margin, how = 1) {
    const [x, y] = [linesBetween(this.xs, left - margin, end + margin), linesBetween(this.ys, top - margin, bottom + margin)];
    for (let row = y.from; row < y.to; row += 1) right.fill(how, row * this.columns + Math.max(0, x.from - 1), row * this.columns + x.to);
    for (let row = Math.max(0, y.from - 1); row < y.to; row += 1) down?.fill(how, row * this.columns + x.from, row * this.columns + x.to);
  }

  // Where a way at this height leaves a box: the line next to its edge, on the left (-1) or the right (1).
  door(box, side, level) {
    const row = levelAt(this.ys, level);
    const column = side < 0 ? this.xs.findLastIndex((x) => x <= box.left - CLEAR) : this.xs.findIndex((x) => x >= box.right + CLEAR);
    if (column < 0) return null;
    const [low, high] = side < 0 ? [this.xs[column], box.left] : [box.right, this.xs[column]];
    const isShut = this.boxes.some((other) => other !== box && other.right > low - CLEAR && other.left < high + CLEAR && other.top < this.ys[row] + CLEAR && other.bottom > this.ys[row] - CLEAR);
    return isShut ? null : { node: row * this.columns + column, point: [side < 0 ? box.left : box.right, this.ys[row]] };
  }

  // How far it is from one node to another, along the lines.
  between(node, other) {
    const { x, y } = this;
    return Math.abs(x[node] - x[other]) + Math.abs(y[node] - y[other]);
  }

  point(node) {
    return [this.x[node], this.y[node]];
  }
}

function levelAt(all, wanted) {
  let found = 0;
  for (let k = 1; k < all.length; k += 1) if (Math.abs(all[k] - wanted) < Math.abs(all[found] - wanted)) found = k;
  return found;
}
