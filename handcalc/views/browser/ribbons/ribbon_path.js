// A way as a path of SVG: rounded at its bends, with a small head where it ends.

import { svgTag } from "../page/dom.js";

const CORNER_RADIUS = 7; // pixels

export function wirePath({ points, isAgain }) {
  const d = roundedPath(points) + (isAgain ? "" : arrowHead(points.at(-2), points.at(-1)));
  return svgTag("path", { d, class: isAgain ? "hc-again" : "" });
}

function roundedPath(points) {
  const pieces = points.slice(1, -1).map((corner, k) => {
    const [before, after] = [points[k], points[k + 2]];
    const radius = Math.min(CORNER_RADIUS, lengthBetween(before, corner) / 2, lengthBetween(corner, after) / 2);
    return `L${pointTowards(corner, before, radius)}Q${corner} ${pointTowards(corner, after, radius)}`;
  });
  return `M${points[0]}${pieces.join("")}L${points.at(-1)}`;
}

// A chevron at its end.
function arrowHead([a, b], [x, y]) {
  const [along, down] = [Math.sign(x - a) * 3.5, Math.sign(y - b) * 3.5];
  return `M${x - along - down},${y - down - along}L${x},${y}L${x - along + down},${y - down + along}`;
}

const lengthBetween = ([a, b], [c, d]) => Math.abs(a - c) + Math.abs(b - d);

function pointTowards([x, y], [u, v], length) {
  return [x + Math.sign(u - x) * length, y + Math.sign(v - y) * length];
}
