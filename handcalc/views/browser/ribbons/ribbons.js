// Data flow: ribbons behind the numbers, from an input to the matrix that reads it, each with its operation.

import { Badges } from "./badges.js";
import { placesOn } from "../sheet/layers.js";
import { routeWires } from "./routing.js";
import { waysAbout, waysOn } from "./dataflow.js";
import { wirePath } from "./ribbon_path.js";
import { svgTag } from "../page/dom.js";
import { prefersReducedMotion } from "../page/reduced_motion.js";

const MAX_DRAWN = 40; // matrices on a sheet; of more, ways would be a tangle
const MIN_SEEN = 30; // pixels of a matrix that can be seen, else no ribbon goes there
const ROLES = ["hc-ribbon-a", "hc-ribbon-b", "hc-ribbon-c"];
const FEEDS = "hc-ribbon-feeds";
const LIT = [...ROLES, FEEDS];

export class Ribbons {
  constructor(explorer) {
    this.explorer = explorer;
    this.drawn = new Map(); // sheet -> its ways, as they are drawn
    const [own, leaving] = [new WeakRef(this), new AbortController()];
    const onChange = () => (own.deref() ? own.deref().drawNow() : leaving.abort());
    globalThis.matchMedia?.("print").addEventListener("change", onChange, leaving); // on paper everything stands elsewhere
  }

  drawNow() {
    this.prepare();
    this.draw();
  }

  // Where everything stands is measured now, at first when the page has been painted, and drawn when there is time;
  // nothing if nothing has moved.
  lay() {
    if (this.isReady) return this.measureAll();
    if (!this.isAsked) whenIdle(() => this.prepare());
    this.isAsked = true;
  }

  prepare() {
    this.isReady = true;
    this.measureAll();
  }

  measureAll() {
    const { sheets } = this.explorer.openSheets;
    for (const sheet of this.drawn.keys()) if (!sheets.includes(sheet)) this.drawn.delete(sheet);
    for (const sheet of sheets) this.measure(sheet);
  }

  measure(sheet) {
    const map = new SheetMap(sheet);
    const before = this.drawn.get(sheet);
    if (map.key === (before?.waiting ?? before?.map)?.key) return;
    this.drawn.set(sheet, { ...before, waiting: map });
    sheet.under.classList.add("hc-stale");
    if (!this.isWaiting) whenIdle(() => this.draw());
    this.isWaiting = true;
  }

  draw() {
    this.isWaiting = false;
    const isFirst = !this.hasBegun;
    for (const [sheet, { waiting }] of this.drawn) {
      if (!waiting) continue;
      const ribbons = new SheetRibbons(waiting);
      this.drawn.set(sheet, ribbons);
      sheet.under.replaceChildren(...ribbons.nodes);
      sheet.under.classList.remove("hc-stale");
      if (isFirst) drawOnce(sheet.under, waiting.size);
      this.hasBegun ||= ribbons.ways.length > 0;
    }
    this.refresh();
    this.explorer.companions.tell("keepClear");
  }

  refresh() {
    for (const ribbons of this.drawn.values()) ribbons.light?.(this.explorer);
  }
}

// Where the matrices of a sheet stand, in its own pixels.
class SheetMap {
  constructor(sheet) {
    const { element, blocks, tracks, level } = sheet;
    this.isHorizontal = sheet.isHorizontal;
    const place = placesOn(element);
    this.size = { width: element.offsetWidth, height: element.offsetHeight, rules: [] };
    const shown = blocks.length > MAX_DRAWN || !this.size.width ? [] : blocks.filter(({ rowOf }) => !rowOf.isIdle);
    const views = new Map(tracks.map((track) => [track, track.scrollWidth > track.clientWidth + 1 ? edges(place(track)) : null]));
    this.drawn = shown.map((block) => ({
      matrix: block.matrix, isCopy: block.isCopy, rowOf: block.rowOf, track: tracks.indexOf(sheet.trackOf(block)),
      isIncoming: Boolean(level?.inputs.includes(block.matrix)), ...inSight(boxOf(block, place), views.get(sheet.trackOf(block))),
    })).filter(({ box }) => box.right - box.left > MIN_SEEN);
    this.taken = sheet.reserved.map(edges); // by what is no matrix
    this.key = JSON.stringify([this.size, this.taken, this.drawn.map(({ matrix, box, rows }) => [matrix.index, ...Object.values(box), ...rows])]);
  }
}

// Where a matrix stands: its numbers with their labels and its caption, the box around both, and the heights of its
// first row, its middle and its last row.
function boxOf({ element, table, records, strip }, place) {
  const parts = [...table.tBodies, table.tHead, strip?.element, ...captionsOf(element)].filter(Boolean).map(place).map(edges);
  const [first, last] = [records[0], records.at(-1)].map((record) => edges(place(record.element)));
  const middle = (one, other = one) => half((one.top + other.bottom) / 2);
  return { parts, box: around(parts), rows: [middle(first), middle(first, last), middle(last)] };
}

// What is written in captions, which may be narrower or wider than their boxes.
function captionsOf(element) {
  return [...element.querySelectorAll("caption, div.hc-caption")].map((caption) => {
    const range = document.createRange();
    range.selectNodeContents(caption);
    return range;
  });
}

// What can be seen of it in a track that scrolls sideways.
function inSight(found, view) {
  const { box } = found;
  return view ? { ...found, box: { ...box, left: Math.max(box.left, view.left), right: Math.min(box.right, view.right) } } : found;
}

const half = (value) => Math.round(2 * value) / 2;
const edges = ({ left, top, width, height }) => ({ left: half(left), top: half(top), right: half(left + width), bottom: half(top + height) });

function around(parts) {
  const [least, most] = [(side) => Math.min(...parts.map((part) => part[side])), (side) => Math.max(...parts.map((part) => part[side]))];
  return { left: least("left"), top: least("top"), right: most("right"), bottom: most("bottom") };
}

// The ribbons of one sheet: two paths for each way, a quiet one and above all of those one in the accents.
class SheetRibbons {
  constructor(map) {
    this.map = map;
    this.ways = waysOn(map.drawn);
    this.route([...map.drawn.map(({ box }) => box), ...map.taken], new Map(map.drawn.map((one, k) => [one, k])));
    this.quiet = this.ways.map((way) => wirePath(way));
    this.bright = this.ways.map((way) => wirePath(way));
    this.nodes = [svgTag("g", { class: "hc-ribbons" }, ...this.quiet), svgTag("g", { class: "hc-ribbons-lit" }, ...this.bright, ...this.badges.trunks), this.badges.element];
  }

  // First those with an operation, then their badges, and around these the rest.
  route(boxes, at) {
    const wires = this.ways.map((way) => ({ from: at.get(way.from), to: at.get(way.to), ...this.levels(way) }));
    const found = routeWires(boxes, wires, this.map.size, (found) => {
      this.ways.forEach((way, k) => (way.points = found[k]));
      this.badges = new Badges(this.ways.filter(({ points }) => points), this.map);
      return this.badges.boxes;
    });
    this.ways.forEach((way, k) => (way.points = found[k]));
    this.ways = this.ways.filter(({ points }) => points);
  }

  // Ways enter in the middle where a matrix is made from several, or from one beside it; between steps below one
  // another they take the shortest route.
  levels({ from, to, isAgain, badge }) {
    const into = this.ways.filter((way) => way.to === to);
    const isBeside = into.some((way) => way.from.rowOf === to.rowOf && way.from.matrix !== to.rowOf);
    const isAlone = into.length === 1 && !isBeside && !isAgain && from.track === to.track;
    const isLevel = this.map.isHorizontal || from.rowOf === to.rowOf || from.track !== to.track;
    return { out: from.rows[isLevel ? 1 : 2], into: to.rows[isAlone && !isLevel ? 0 : 1], side: from.box.left > to.box.right ? 1 : -1, rank: badge ? 0 : 1 };
  }

  // Thicken those of the chosen number or of its chain, and nothing else; what is still to come is fainter.
  light({ chosen, openSheets, highlight, trace }) {
    const roles = new Map(highlight.roles().map(([[matrix], name]) => [matrix, name.replace("source", "ribbon")]));
    const { reads, feeds } = waysAbout(chosen[0], this.ways);
    const isTraced = ({ from, to }) => [trace.back, trace.onward].some((chain) => chain && [from, to].every((end) => end.matrix === chosen[0] || chain.has(ownerOf(end.matrix))));
    const isComing = this.ways.map(({ to }) => openSheets.concealed.has(to.rowOf) || openSheets.concealed.has(to.matrix));
    const names = this.ways.map((way, k) => roles.get(reads.get(way)) ?? (!isComing[k] && (feeds.has(way) || isTraced(way)) ? FEEDS : undefined));
    this.ways.forEach((_, k) => {
      put(this.bright[k], LIT, names[k]);
      this.quiet[k].classList.toggle("hc-coming", isComing[k]);
    });
    this.badges.light(this.ways, (k) => ROLES.includes(names[k]), (k) => isComing[k]);
  }
}

// Once they are drawn before one's eyes, in the order of calculation: all at once behind one edge that moves
// on, which a browser does without drawing any of them again.
function drawOnce(element, { width, height }) {
  if (prefersReducedMotion()) return;
  const hidden = height > width ? "inset(0 0 100% 0)" : "inset(0 100% 0 0)";
  element.animate([{ clipPath: hidden }, { clipPath: "inset(0)" }], { duration: 900, easing: "ease-in-out" });
}

// In a chain, an unnamed matrix is represented by the one that it is made from.
const ownerOf = (matrix) => (matrix?.isInline ? ownerOf(matrix.inputs[0]) : matrix);

function put(node, names, name) {
  for (const other of names) if (other !== name) node.classList.remove(other);
  if (name) node.classList.add(name);
}

// What can wait until the page has been painted and has nothing else to do.
const MAX_WAIT = 300; // milliseconds until it is done, however busy the page is

const whenIdle = (run) => (window.requestIdleCallback ? requestIdleCallback(run, { timeout: MAX_WAIT }) : setTimeout(run, 1));
