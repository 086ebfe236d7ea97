// The operation on each way, as a small badge; ways that meet in one operation share it.

import { lengthBetween, wirePath } from "./ribbon_path.js";
import { svgTag } from "../page/dom.js";

const BADGE = 14; // pixels
const ASIDE = [0, 3, -3, 6, -6, 10, -10]; // pixels from the line
const ALONG = [0.5, 0.62, 0.38, 0.74, 0.26, 0.86, 0.14]; // where on its way, if there is room

export class Badges {
  constructor(ways, { drawn, taken, size }) {
    this.size = size;
    this.taken = [...taken, ...drawn.flatMap(({ parts }) => parts)];
    this.boxes = [];
    this.marks = new Map(); // way -> its badge
    this.joined = new Map(); // way -> what it has in common with those that meet it
    const groups = Map.groupBy(ways.filter(({ badge }) => badge), ({ to, by }) => `${by.index}:${ways.findIndex((way) => way.to === to)}`);
    this.nodes = [...groups.values()].map((group) => this.badge(group)).filter(Boolean);
    this.trunks = [...groups.values()].map((group) => this.trunk(group)).filter(Boolean);
    this.element = svgTag("g", { class: "hc-badges" }, ...this.nodes);
  }

  badge(group) {
    const pieces = badgePieces(group[0].badge);
    const width = Math.max(BADGE, 9 + pieces.reduce((sum, [text, shift]) => sum + widthOf(text) * (shift ? 0.75 : 1), 0));
    const place = placesFor(group, width).find((spot) => this.isFree(spot, width));
    if (!place) return null;
    const [x, y] = place;
    this.boxes.push({ left: x - width / 2, right: x + width / 2, top: y - BADGE / 2, bottom: y + BADGE / 2 });
    const node = svgTag("g", { class: "hc-badge", transform: `translate(${x},${y})` },
      svgTag("rect", { x: -width / 2, y: -BADGE / 2, width, height: BADGE, rx: BADGE / 2 }), badgeText(pieces));
    for (const way of group) this.marks.set(way, node);
    return node;
  }

  // From where ways meet to their end: lit in the colour of what is made.
  trunk(group) {
    const points = commonEnd(group.map((way) => way.points));
    if (group.length < 2 || points.length < 2) return null;
    const node = wirePath({ points });
    for (const way of group) this.joined.set(way, node);
    return node;
  }

  isFree([x, y], width) {
    if (x - width / 2 < 0 || x + width / 2 > this.size.width) return false;
    return [...this.taken, ...this.boxes].every(({ left, right, top, bottom }) =>
      x + width / 2 <= left || x - width / 2 >= right || y + BADGE / 2 < top + 1 || y - BADGE / 2 > bottom - 1);
  }

  // Those through which the chosen number is made; `isRead` and `isComing` are asked by the places of ways.
  light(ways, isRead, isComing) {
    const [read, coming] = [isRead, isComing].map((asked) => ways.filter((_, k) => asked(k)));
    for (const [nodes, name, which] of [[this.marks, "hc-ribbon-reads", read], [this.marks, "hc-coming", coming], [this.joined, "hc-ribbon-made", read]]) {
      const wanted = new Set(which.map((way) => nodes.get(way)));
      for (const node of new Set(nodes.values())) node.classList.toggle(name, wanted.has(node));
    }
  }
}

// Where a badge may be: where its ways meet, else along the way.
function placesFor(group, width) {
  const common = commonEnd(group.map(({ points }) => points));
  const meeting = group.length > 1 && common.length > 1 ? [common[0]] : [];
  const beside = ([x, y], isUpright) => [...ASIDE, width / 2, -width / 2].map((off) => (isUpright ? [x + off, y] : [x, y + off]));
  return [...meeting, ...group.flatMap(({ points }) => ALONG.flatMap((part) => beside(...spotAt(points, part))))];
}

// The last points that all ways have in common: from where they meet to their end.
function commonEnd([first, ...others]) {
  return others.reduce((common, points) => commonTail(common, points), first);
}

function commonTail(one, other) {
  const met = [one.at(-1)];
  for (let k = 2; k <= Math.min(one.length, other.length); k += 1) {
    const [from, a, b] = [met[0], one.at(-k), other.at(-k)];
    if (!isOneWay(from, a, b)) break;
    met.unshift(nearer(from, a, b));
    if (a[0] !== b[0] || a[1] !== b[1]) break;
  }
  return met;
}

const isOneWay = (from, a, b) => Math.sign(a[0] - from[0]) === Math.sign(b[0] - from[0]) && Math.sign(a[1] - from[1]) === Math.sign(b[1] - from[1]);
const nearer = (from, a, b) => (lengthBetween(from, a) < lengthBetween(from, b) ? a : b);

// The point at a part of a way's length, and whether the way runs up or down there.
function spotAt(points, part) {
  const lengths = points.slice(1).map((point, k) => lengthBetween(points[k], point));
  let rest = part * lengths.reduce((sum, one) => sum + one, 0);
  const at = Math.max(0, lengths.findIndex((one) => (rest -= one) <= 0));
  const [[a, b], [c, d]] = [points[at], points[at + 1]];
  const share = lengths[at] ? 1 + rest / lengths[at] : 0;
  return [[a + share * (c - a), b + share * (d - b)], a === c];
}

// Pieces of HTML as [text, shift]: 1 below the line, -1 above it.
function badgePieces(html) {
  let shift = 0;
  const found = [];
  for (const piece of html.split(/(<\/?su[bp]>)/)) {
    if (piece.startsWith("<")) shift = piece.startsWith("</") ? 0 : piece === "<sub>" ? 1 : -1;
    else if (piece) found.push([piece.replace(/&lt;/g, "<").replace(/&gt;/g, ">").replace(/&amp;/g, "&"), shift]);
  }
  return found;
}

// About how wide it is, in pixels.
const widthOf = (text) => [...text].reduce((sum, letter) => sum + ("÷√Σ∞−×".includes(letter) ? 8 : 6.3), 0);

function badgeText(pieces) {
  let before = 0;
  const spans = pieces.map(([text, shift]) => {
    const span = svgTag("tspan", { dy: 3 * (shift - before), class: shift ? "hc-shifted" : "" }, text);
    before = shift;
    return span;
  });
  return svgTag("text", { "text-anchor": "middle", y: 3.5 }, ...spans);
}
