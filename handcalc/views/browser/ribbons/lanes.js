// The way from one matrix to another, as points: straight where they are neighbours, else along one lane between the
// matrices. A way that would run through one is none.

const CLEAR = 2; // pixels between a way and a matrix
const FROM_WORDS = [3, -1]; // and between it and words, or as little, where there is no other way
const LANES = [8, 13, 18, 23]; // from a matrix's edge, one way beside another
const ABOVE = 3; // pixels from the head of a way to the caption that it points at
const LEAST_LEVEL = 4; // pixels from a matrix to the lane
const APART = 4;
const ENDS = [0, 7, -7]; // pixels from the middle of a matrix, where ways of several sources end
const MIN_FACING = 8; // pixels of each other's edges that neighbours see

const middle = (a, b) => (a + b) / 2;
const first = (list, find) => list.reduce((found, one) => found ?? find(one), undefined);

// A sheet is as wide as `width`; `boxes` are all matrices on it, {left, top, right, bottom, cells}, whose numbers begin at
// `cells`, and `words` what is written there. Each way has two of the boxes, and a source. Ways of one source may run
// together. Returns a list of points for each, or null.
export function waysBetween(sheet, wires) {
  const taken = []; // upright stretches and lanes, with whose they are
  return wires.map(({ from, to, source }) => {
    const isFree = (points, gap) => isClearWay(points, sheet, [from, to], gap) && !stretchesOf(points).some((one) => isTaken(one, taken, source));
    const bent = (gap) => first(BENT, (ways) => ways(from, to, sheet.boxes).find((points) => isFree(points, gap)));
    const points = straight(from, to).find((way) => isFree(way)) ?? first(FROM_WORDS, bent) ?? null;
    if (points) taken.push(...stretchesOf(points).map((one) => ({ ...one, source })));
    return points;
  });
}

// The same way moved to two numbers, or frames of numbers, in the matrices at its ends: in their rows where it is level
// there, in their columns where it is upright, and as far `aside` as before. Null where no straight one touches both.
export function ledTo(points, from, to, box) {
  const isLevel = points[0][1] === points[1][1];
  const [[a, b], [c, d]] = [from, to].map((one) => (isLevel ? [one.top, one.bottom] : [one.left, one.right]));
  const [high, low] = [Math.max(a, c), Math.min(b, d)];
  if (points.length === 2 && high > low) return null;
  const aside = isLevel ? points.at(-1)[1] - middle(box.cells, box.bottom) : points.at(-1)[0] - middle(box.left, box.right);
  const [start, end] = points.length === 2 ? [middle(high, low), middle(high, low)] : [middle(a, b), middle(c, d) + aside];
  return points.map(([x, y], k) => {
    const place = k < points.length / 2 ? start : end;
    return isLevel ? [x, place] : [place, y];
  });
}

// The same way on to the head of its column, past the caption; null where it does not end above that or is not free.
export function pastCaption(points, sheet, from, to) {
  const [start, end] = points;
  if (points.length > 2 || end[1] !== to.top - ABOVE) return null;
  const past = [start, [end[0], to.head - CLEAR]];
  const boxes = sheet.boxes.map((box) => (box === to ? { ...box, top: box.head } : box));
  return isClearWay(past, { ...sheet, boxes }, [from], FROM_WORDS[0]) ? past : null;
}

function straight(from, to) {
  const found = [];
  const [high, low] = [Math.max(from.cells, to.cells), Math.min(from.bottom, to.bottom)];
  const [near, far] = [Math.max(from.left, to.left), Math.min(from.right, to.right)];
  if (low - high >= MIN_FACING) {
    const y = middle(high, low);
    found.push(from.right < to.left ? [[from.right, y], [to.left, y]] : [[from.left, y], [to.right, y]]);
  }
  if (far - near >= MIN_FACING && from.bottom < to.top) found.push([[middle(near, far), from.bottom], [middle(near, far), to.top - ABOVE]]);
  return found;
}

// Out at one side, along a lane, and in at one side; the shortest first.
function around(from, to, boxes, aside) {
  const lanes = [...new Set(boxes.flatMap(({ left, right }) => LANES.flatMap((off) => [left - off, right + off])))];
  const [y, end] = [from, to].map(({ cells, bottom }) => middle(cells, bottom));
  const z = end + aside;
  if (z > to.bottom - APART || z < to.cells + APART) return [];
  const sides = (box) => [box.left, box.right];
  const ways = lanes.flatMap((x) => sides(from).flatMap((a) => sides(to).map((b) => ({ points: [[a, y], [x, y], [x, z], [b, z]], start: Math.abs(a - x), end: Math.abs(b - x) }))));
  return ways.filter(({ start, end }) => Math.min(start, end) >= LEAST_LEVEL).sort((one, other) => one.start + one.end - other.start - other.end || one.start - other.start).map(({ points }) => points);
}

// The same from above and below, along a lane that lies across.
const across = (from, to, boxes, aside) => around(flipped(from), flipped({ ...to, top: to.top - ABOVE }), boxes.map(flipped), aside).map((points) => points.map(([y, x]) => [x, y]));
const flipped = ({ left, top, right, bottom }) => ({ left: top, top: left, right: bottom, bottom: right, cells: left });

const BENT = ENDS.flatMap((aside) => [around, across].map((ways) => (...all) => ways(...all, aside)));

const within = (box, gap) => ({ left: box.left - gap, right: box.right + gap, top: box.top - gap, bottom: box.bottom + gap });

// Whether a way keeps clear of all matrices and words but those of its ends.
export function isClearWay(points, { width, boxes, words }, ends, fromWords = FROM_WORDS.at(-1)) {
  const all = [...boxes.map((box) => [box, CLEAR]), ...words.map((box) => [box, fromWords])];
  return points.every(([x]) => x >= 1 && x < width) && points.slice(1).every((end, k) => isClear(points[k], end, all, ends));
}

// Whether a stretch keeps clear of all matrices but those that it connects, which it only touches.
function isClear([a, b], [c, d], boxes, ends) {
  const [left, right, top, bottom] = [Math.min(a, c), Math.max(a, c), Math.min(b, d), Math.max(b, d)];
  return boxes.every(([box, gap]) => {
    const area = within(box, ends.includes(box) ? -1 : gap);
    return right <= area.left || left >= area.right || bottom <= area.top || top >= area.bottom;
  });
}

// The stretches of a way that run beside no other: upright ones, and its lane. Level ones may meet before a matrix.
function stretchesOf(points) {
  const all = points.slice(1).map(([c, d], k) => {
    const [a, b] = points[k];
    const [at, here, there] = a === c ? [a, b, d] : [b, a, c];
    return { isUpright: a === c, isLane: k === 1, at, low: Math.min(here, there), high: Math.max(here, there) };
  });
  return all.filter(({ isUpright, isLane }) => isUpright || isLane);
}

function isTaken({ isUpright, at, low, high }, taken, source) {
  return taken.some((other) => other.source !== source && other.isUpright === isUpright && Math.abs(other.at - at) < APART && other.low < high && other.high > low);
}
