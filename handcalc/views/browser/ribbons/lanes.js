// The way from one matrix to another, as points: straight where they are neighbours, else along one lane between the
// matrices. A way that would run through one is none.

const CLEAR = 2; // pixels between a way and a matrix
const LANES = [8, 13, 18, 23]; // from a matrix's edge, one way beside another
const APART = 4;
const MIN_FACING = 8; // pixels of each other's edges that neighbours see

const middle = (a, b) => (a + b) / 2;

// `boxes` are all matrices of a sheet, {left, top, right, bottom, cells}, whose numbers begin at `cells`, and `words` what
// is written there; each way has two of the boxes, and a source. Ways of one source may run together. Returns a list of
// points for each, or null.
export function waysBetween(boxes, words, wires) {
  const taken = []; // upright stretches, with whose they are
  return wires.map(({ from, to, source }) => {
    const isFree = (points) => isClearWay(points, boxes, words, [from, to]) && points.slice(1).every((end, k) => !isTaken(points[k], end, taken, source));
    const points = straight(from, to).find(isFree) ?? around(from, to, boxes).find(isFree) ?? across(from, to, boxes).find(isFree) ?? null;
    points?.slice(1).forEach((end, k) => points[k][0] === end[0] && taken.push({ x: end[0], low: Math.min(points[k][1], end[1]), high: Math.max(points[k][1], end[1]), source }));
    return points;
  });
}

// The same way moved to two numbers, or frames of numbers, in the matrices at its ends: in their rows where it is level
// there, in their columns where it is upright. Null where no straight one touches both.
export function ledTo(points, from, to) {
  const isLevel = points[0][1] === points[1][1];
  const [[a, b], [c, d]] = [from, to].map((box) => (isLevel ? [box.top, box.bottom] : [box.left, box.right]));
  const [high, low] = [Math.max(a, c), Math.min(b, d)];
  if (points.length === 2 && high > low) return null;
  const [start, end] = points.length === 2 ? [middle(high, low), middle(high, low)] : [middle(a, b), middle(c, d)];
  return points.map(([x, y], k) => {
    const place = k < points.length / 2 ? start : end;
    return isLevel ? [x, place] : [place, y];
  });
}

function straight(from, to) {
  const found = [];
  const [high, low] = [Math.max(from.cells, to.cells), Math.min(from.bottom, to.bottom)];
  const [near, far] = [Math.max(from.left, to.left), Math.min(from.right, to.right)];
  if (low - high >= MIN_FACING) {
    const y = middle(high, low);
    found.push(from.right < to.left ? [[from.right, y], [to.left, y]] : [[from.left, y], [to.right, y]]);
  }
  if (far - near >= MIN_FACING && from.bottom < to.top) found.push([[middle(near, far), from.bottom], [middle(near, far), to.top]]);
  return found;
}

// Out at one side, along a lane, and in at one side; the shortest first.
function around(from, to, boxes) {
  const lanes = [...new Set(boxes.flatMap(({ left, right }) => LANES.flatMap((off) => [left - off, right + off])))];
  const [y, z] = [from, to].map(({ cells, bottom }) => middle(cells, bottom));
  const sides = (box) => [box.left, box.right];
  const ways = lanes.flatMap((x) => sides(from).flatMap((a) => sides(to).map((b) => ({ points: [[a, y], [x, y], [x, z], [b, z]], length: Math.abs(a - x) + Math.abs(b - x), start: Math.abs(a - x) }))));
  return ways.sort((one, other) => one.length - other.length || one.start - other.start).map(({ points }) => points);
}

// The same from above and below, along a lane that lies across.
const across = (from, to, boxes) => around(flipped(from), flipped(to), boxes.map(flipped)).map((points) => points.map(([y, x]) => [x, y]));
const flipped = ({ left, top, right, bottom }) => ({ left: top, top: left, right: bottom, bottom: right, cells: left });

const within = (box, gap) => ({ left: box.left - gap, right: box.right + gap, top: box.top - gap, bottom: box.bottom + gap });

// Whether a way keeps clear of all matrices and words but those of its ends.
export function isClearWay(points, boxes, words, ends) {
  const all = [...boxes.map((box) => [box, CLEAR]), ...words.map((box) => [box, -1])];
  return points.slice(1).every((end, k) => isClear(points[k], end, all, ends));
}

// Whether a stretch keeps clear of all matrices but those that it connects, which it only touches.
function isClear([a, b], [c, d], boxes, ends) {
  const [left, right, top, bottom] = [Math.min(a, c), Math.max(a, c), Math.min(b, d), Math.max(b, d)];
  return left >= 1 && boxes.every(([box, gap]) => {
    const area = within(box, ends.includes(box) ? -1 : gap);
    return right <= area.left || left >= area.right || bottom <= area.top || top >= area.bottom;
  });
}

function isTaken([a, b], [c, d], taken, source) {
  if (a !== c) return false;
  const [low, high] = [Math.min(b, d), Math.max(b, d)];
  return taken.some((other) => other.source !== source && Math.abs(other.x - a) < APART && other.low < high && other.high > low);
}
