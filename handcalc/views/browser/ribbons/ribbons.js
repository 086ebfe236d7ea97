// Data flow: ribbons behind the numbers, from an input to the matrix that reads it.

import { huesOf, waysAbout, waysOn } from "./dataflow.js";
import { placesOn } from "../sheet/layers.js";
import { isClearWay, ledTo, pastCaption, waysBetween } from "./lanes.js";
import { svgTag } from "../page/dom.js";

const MAX_DRAWN = 40; // matrices on a sheet; of more, ways would be a tangle
const MIN_SEEN = 30; // pixels of a matrix that can be seen, else no ribbon goes there
const ROLES = ["hc-ribbon-a", "hc-ribbon-b", "hc-ribbon-c"];
const FEEDS = "hc-ribbon-feeds";
const LIT = [...ROLES, FEEDS];
const HUES = ["hc-hue-1", "hc-hue-2", "hc-hue-3"];

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

  // Measure all places now, at first when the page has been painted, and draw when there is time;
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
    for (const [sheet, { waiting }] of this.drawn) {
      if (!waiting) continue;
      const ribbons = new SheetRibbons(waiting);
      this.drawn.set(sheet, ribbons);
      sheet.under.replaceChildren(...ribbons.nodes);
      sheet.under.classList.remove("hc-stale");
    }
    this.refresh();
    this.explorer.companions.tell("keepClear");
  }

  shift() {
    this.refresh();
  }

  refresh() {
    for (const ribbons of this.drawn.values()) ribbons.light?.(this.explorer);
  }
}

// The places of a sheet's matrices, in its own pixels.
class SheetMap {
  constructor(sheet) {
    const { element, blocks, tracks, level } = sheet;
    const place = placesOn(element);
    this.sheet = element;
    this.width = element.offsetWidth;
    const shown = blocks.length > MAX_DRAWN || !this.width ? [] : blocks.filter(({ rowOf }) => !rowOf.isIdle);
    const views = new Map(tracks.map((track) => [track, track.scrollWidth > track.clientWidth + 1 ? edges(place(track)) : null]));
    const inTracks = shown.map((block) => ({
      block, matrix: block.matrix, isCopy: block.isCopy, rowOf: block.rowOf, track: tracks.indexOf(sheet.trackOf(block)),
      isIncoming: Boolean(level?.inputs.includes(block.matrix)), box: inSight(boxOf(block, place), views.get(sheet.trackOf(block))),
    }));
    this.boxes = inTracks.map(({ box }) => box).filter(({ left, right }) => right > left);
    this.drawn = inTracks.filter(({ box }) => box.right - box.left > MIN_SEEN);
    this.words = [...shown.map(({ words }) => place(words)), ...sheet.reserved].map(edges);
    this.key = JSON.stringify([this.width, element.offsetHeight, this.words, this.drawn.map(({ matrix, box }) => [matrix.index, ...Object.values(box)])]);
  }

  // The box around the marked numbers of a matrix that can be seen, if there are any.
  around({ block: { table }, box: seen }, mark) {
    const boxes = [...table.getElementsByClassName(mark)].map(placesOn(this.sheet)).map(edges).filter(({ left, right }) => left >= seen.left - 1 && right <= seen.right + 1);
    if (!boxes.length) return null;
    const [least, most] = [Math.min, Math.max].map((end) => (side) => end(...boxes.map((box) => box[side])));
    return { left: least("left"), right: most("right"), top: least("top"), bottom: most("bottom") };
  }
}

// The box of a matrix: its numbers with their labels from `head` on, and above them from `top` on its caption.
function boxOf({ element, table, strip }, place) {
  const parts = [...table.tBodies, table.tHead, strip?.element].filter(Boolean).map(place).map(edges);
  const cells = edges(place(table.tBodies[0]));
  const least = (side) => Math.min(...parts.map((part) => part[side]));
  const most = (side) => Math.max(...parts.map((part) => part[side]));
  return { left: least("left"), right: most("right"), bottom: most("bottom"), top: edges(place(element)).top, head: least("top"), cells: cells.top };
}

// The visible part of a box in a track that scrolls sideways.
const inSight = (box, view) => (view ? { ...box, left: Math.max(box.left, view.left), right: Math.min(box.right, view.right) } : box);

const half = (value) => Math.round(2 * value) / 2;
const edges = ({ left, top, width, height }) => ({ left: half(left), top: half(top), right: half(left + width), bottom: half(top + height) });

// The ribbons of one sheet: two paths for each way, a quiet one and above all of those one in the accents. What a given
// goes into stands beside it: only the chosen number's is drawn.
class SheetRibbons {
  constructor(map) {
    this.map = map;
    const ways = waysOn(map.drawn);
    const points = waysBetween(map, ways.map(({ from, to }) => ({ from: from.box, to: to.box, source: from.matrix })));
    this.ways = ways.map((way, k) => ({ ...way, points: points[k] })).filter((way) => way.points);
    const hues = huesOf(ways);
    for (const { block, matrix } of map.drawn) put(block.element, HUES, HUES[hues.get(ownerOf(matrix))]);
    this.quiet = this.ways.map((way) => wirePath(way));
    this.quiet.forEach((path, k) => {
      const { from, isAgain } = this.ways[k];
      path.classList.toggle("hc-only-lit", from.matrix.isGiven && !from.isCopy && !isAgain);
      put(path, HUES, HUES[hues.get(ownerOf(from.matrix))]);
    });
    this.bright = this.ways.map((way) => wirePath(way));
    this.nodes = [svgTag("g", { class: "hc-ribbons" }, ...this.quiet), svgTag("g", { class: "hc-ribbons-lit" }, ...this.bright)];
  }

  // Light only the ribbons of the chosen number or its chain, in the accents; those still to come are fainter.
  light({ chosen, openSheets, highlight, trace }) {
    const roles = new Map(highlight.roles().map(([[matrix], name]) => [matrix, name.replace("source", "ribbon")]));
    const { reads, feeds } = waysAbout(chosen[0], this.ways);
    const isTraced = ({ from, to }) => [trace.back, trace.onward].some((chain) => chain && [from, to].every((end) => end.matrix === chosen[0] || chain.has(ownerOf(end.matrix))));
    this.ways.forEach((way, k) => {
      const isComing = openSheets.concealed.has(way.to.rowOf) || openSheets.concealed.has(way.to.matrix);
      const role = roles.get(reads.get(way)) ?? (!isComing && (feeds.has(way) || isTraced(way)) ? FEEDS : undefined);
      const points = role && this.ledToNumbers(way, role);
      put(this.bright[k], LIT, role);
      this.bright[k].setAttribute("d", pathOf({ ...way, points: points ?? way.points }));
      this.quiet[k].classList.toggle("hc-coming", isComing);
      this.quiet[k].classList.toggle("hc-led", Boolean(points));
    });
  }

  // The points of a lit way from the numbers that are read to the one that reads them; nothing, where that way is not free.
  ledToNumbers({ from, to, isAgain, points }, role) {
    const source = role === FEEDS ? "hc-chosen" : role.replace("ribbon", "source");
    const reader = isAgain ? source : role === FEEDS ? "hc-feeds" : "hc-chosen";
    const ends = [[from, source], [to, reader]].map(([end, mark]) => this.map.around(end, mark));
    const led = ends.every(Boolean) && ledTo(points, ...ends, to.box);
    return led && isClearWay(led, this.map, [from.box, to.box]) ? (pastCaption(led, this.map, from.box, to.box) ?? led) : null;
  }
}

// In a chain, an unnamed matrix is represented by the one that it is made from.
const ownerOf = (matrix) => (matrix?.isInline ? ownerOf(matrix.inputs[0]) : matrix);

const CORNER_RADIUS = 7; // pixels

// A way as a path of SVG: rounded at its bends, with a small head where it ends.
const wirePath = (way) => svgTag("path", { d: pathOf(way), class: way.isAgain ? "hc-again" : "" });

const pathOf = ({ points, isAgain }) => roundedPath(points) + (isAgain ? "" : arrowHead(points.at(-2), points.at(-1)));

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

const pointTowards = ([x, y], [u, v], length) => [x + Math.sign(u - x) * length, y + Math.sign(v - y) * length];

function put(node, names, name) {
  for (const other of names) if (other !== name) node.classList.remove(other);
  if (name) node.classList.add(name);
}

// Running later, once the page has been painted and has nothing else to do.
const MAX_WAIT = 300; // milliseconds until it is done, however busy the page is

const whenIdle = (run) => (window.requestIdleCallback ? requestIdleCallback(run, { timeout: MAX_WAIT }) : setTimeout(run, 1));
