// A free place for a small box near something: it covers none of what is there, and is no further away
// than it has to be. Boxes are {left, top, width, height}.

const CLEAR_OF = 5; // pixels around it
const SIDEWARD = 1.2; // how much further below or above may be, rather than to the side: arithmetic is read in lines

const rightEdge = ({ left, width }) => left + width;
const lowerEdge = ({ top, height }) => top + height;

// Whether two boxes come nearer to each other than `gap`.
export function touches(a, b, gap = CLEAR_OF) {
  return a.left < rightEdge(b) + gap && b.left < rightEdge(a) + gap && a.top < lowerEdge(b) + gap && b.top < lowerEdge(a) + gap;
}

const apartBy = (start, end, from, to) => Math.max(0, from - end, start - to);

// The distance between two boxes.
function farFrom(a, b) {
  const across = apartBy(a.left, rightEdge(a), b.left, rightEdge(b));
  const down = apartBy(a.top, lowerEdge(a), b.top, lowerEdge(b));
  return Math.hypot(SIDEWARD * across, down);
}

// The free place nearest to `at` for a box of this size, `within` a box and clear of `obstacles`; null if all are
// further away than `reach`.
export function nearestFreePlace({ width, height }, at, obstacles, within, reach) {
  const close = obstacles.filter((box) => touches(box, at, reach + Math.max(width, height)));
  const lefts = [at.left, rightEdge(at) - width, at.left + (at.width - width) / 2];
  const tops = [at.top + (at.height - height) / 2, at.top, lowerEdge(at) - height];
  for (const box of [at, ...close]) {
    lefts.push(rightEdge(box) + CLEAR_OF, box.left - CLEAR_OF - width);
    tops.push(lowerEdge(box) + CLEAR_OF, box.top - CLEAR_OF - height);
  }
  const fits = (from, length, start, whole) => from >= start && from + length <= start + whole;
  const across = [...new Set(lefts)].filter((left) => fits(left, width, within.left, within.width));
  const down = [...new Set(tops)].filter((top) => fits(top, height, within.top, within.height));
  let best = null;
  for (const left of across) {
    for (const top of down) {
      const place = { left, top, width, height };
      const far = farFrom(place, at);
      if (far > reach || (best && far >= best.far)) continue;
      if (!close.some((box) => touches(place, box, CLEAR_OF - 1))) best = { ...place, far };
    }
  }
  return best;
}
