// What can be seen: numbers scroll into sight with what they were made from, and clear of what covers the sheet.

import { prefersReducedMotion } from "../page/reduced_motion.js";
import { clamp } from "../record/numbers.js";

const CLEARANCE = 6; // pixels between a number and the edge of what can be seen
const ROUNDING = 0.5; // pixels of rounding
const MIN_JUMP = 40; // pixels: less would only take away what a hand points at

// How far to scroll along one axis so that `chosen` is within `view` and with it as many of `sources` as can be; of
// equals the least. An interval is [from, to]; a source stands in one place or several, any of which will do.
export function scrollFor(chosen, sources, [from, to]) {
  const kept = (by) => clamp(by, Math.min(chosen[1] - to, chosen[0] - from), chosen[0] - from);
  const seen = (by) => sources.filter((places) => places.some(([a, b]) => a - by >= from - ROUNDING && b - by <= to + ROUNDING)).length;
  const tries = [0, ...sources.flat().flatMap(([a, b]) => [b - to, a - from])].map(kept);
  return tries.reduce((best, by) => {
    const more = seen(by) - seen(best);
    return more > 0 || (more === 0 && Math.abs(by) < Math.abs(best)) ? by : best;
  });
}

const isWithin = ([a, b], [from, to]) => a >= from - ROUNDING && b <= to + ROUNDING;

// The same for a number that somebody looks at, or points at: where it can be seen, it does not move by a little.
export function calmScroll(chosen, sources, view) {
  const by = scrollFor(chosen, sources, view);
  const isSeen = isWithin(chosen, [view[0] - CLEARANCE, view[1] + CLEARANCE]);
  return isSeen && Math.abs(by) < MIN_JUMP ? 0 : by;
}

// What scrolls an element up and down: a notebook's cells, else the page.
export function scrollerOf(element) {
  for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
    if (/auto|scroll/.test(getComputedStyle(outer).overflowY) && outer.scrollHeight > outer.clientHeight) return outer;
  }
  return document.scrollingElement ?? document.documentElement;
}

// After a pinch zoom the reader looks around without help.
function portOf() {
  const port = window.visualViewport;
  return port && port.scale < 1.01 ? port : { offsetTop: 0, height: innerHeight };
}

// What can be seen of the window, or of what scrolls in it; a keyboard on the screen may cover the rest.
export function viewOf(scroller) {
  const { offsetTop, height } = portOf();
  if (scroller === document.scrollingElement) return [offsetTop, offsetTop + height];
  const { top, bottom } = scroller.getBoundingClientRect();
  return [Math.max(top, offsetTop), Math.min(bottom, offsetTop + height)];
}

const isThere = (cell) => cell.getClientRects().length > 0;
const upright = (cell) => cell.getBoundingClientRect();
const [rows, columns] = [({ top, bottom }) => [top, bottom], ({ left, right }) => [left, right]];

export class Sight {
  constructor(explorer) {
    this.explorer = explorer;
  }

  // What the panel and the bar of steps leave of the window, from top to bottom.
  view(scroller) {
    const [top, bottom] = viewOf(scroller);
    const { drawer, toolbar, stepper } = this.explorer;
    const stuck = (element) => (getComputedStyle(element).position === "sticky" ? element.offsetHeight : 0);
    const below = stuck(drawer.element);
    const above = Math.max(...[toolbar.guide, toolbar.bar, stepper.bar.element].map(stuck));
    return [top + above + CLEARANCE, bottom - below - CLEARANCE];
  }

  // Show a number and as much of what it reads as there is room for: where it stands, or at `place`, a copy. With
  // `isAlone` the number is enough.
  show(cell, { place = null, isSmooth = false, isAlone = false } = {}) {
    const { openSheets } = this.explorer;
    const chosen = place ?? openSheets.showing(...cell).find((element) => element.dataset.step !== undefined && isThere(element));
    if (!chosen || !isThere(chosen)) return;
    const [matrix, row, column] = cell;
    const read = isAlone ? [] : matrix.sources(row, column);
    const sources = read.map((source) => openSheets.showing(...source).filter(isThere)).filter((places) => places.length);
    this.scrollAcross(chosen, sources);
    const scroller = scrollerOf(this.explorer.element);
    const by = place || isAlone ? calmScroll : scrollFor;
    const down = by(rows(upright(chosen)), sources.map((places) => places.map((place) => rows(upright(place)))), this.view(scroller));
    this.scroll(scroller, { top: down }, isSmooth);
  }

  // Tracks that are too wide scroll by themselves; labels of rows stay at their left.
  scrollAcross(chosen, sources) {
    const track = chosen.closest(".hc-track");
    if (!track || track.scrollWidth <= track.clientWidth + 1) return;
    const { left, right } = track.getBoundingClientRect();
    const label = chosen.parentElement.querySelector("th")?.offsetWidth ?? 0;
    const inside = sources.map((places) => places.filter((place) => track.contains(place))).filter((places) => places.length);
    const across = scrollFor(columns(upright(chosen)), inside.map((places) => places.map((place) => columns(upright(place)))), [left + label + CLEARANCE, right - CLEARANCE]);
    this.scroll(track, { left: across });
  }

  scroll(element, by, isSmooth = false) {
    if (Object.values(by).every((pixels) => Math.abs(pixels) < 1)) return;
    const isCalm = prefersReducedMotion();
    element.scrollBy({ ...by, behavior: isSmooth && !isCalm ? "smooth" : "instant" });
  }

  // Scroll the open block's sheet to the top if it fills less than half of what can be seen.
  showSheet() {
    const scroller = scrollerOf(this.explorer.element);
    const [top, bottom] = this.view(scroller);
    const sheet = this.explorer.openSheets.current.element;
    const block = upright(sheet.closest(".hc-block") ?? sheet);
    const seen = Math.min(block.bottom, bottom) - Math.max(block.top, top);
    if (block.top < top || seen < Math.min(0.5 * (bottom - top), block.height)) this.scroll(scroller, { top: block.top - top });
  }

  // What has got the focus comes clear of the panel and the bar.
  clear(element) {
    const scroller = scrollerOf(this.explorer.element);
    const place = rows(upright(element));
    this.scroll(scroller, { top: calmScroll(place, [], this.view(scroller)) });
  }
}
