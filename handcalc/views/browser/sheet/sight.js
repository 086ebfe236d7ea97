// Scrolling into sight: the sheet scrolls in its frame until a number and its sources are visible.

import { scrollerOf, viewOf } from "../page/scrolling.js";
import { prefersReducedMotion } from "../page/reduced_motion.js";
import { clamp } from "../record/numbers.js";

const CLEARANCE = 6; // pixels between a number and the edge of what can be seen
const ROUNDING = 0.5; // pixels of rounding
const MIN_JUMP = 12; // pixels, half a row: less would only take away what a hand points at
const BY_HAND = ["pointerdown", "wheel", "keydown", "touchmove"]; // from then on the reader decides what is in sight

// The distance to scroll along one axis so that `chosen` is within `view`, with as many of `sources` as possible; of
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

// The same for a number that a reader looks at, or points at: one in sight does not move by a little.
export function calmScroll(chosen, sources, view) {
  const by = scrollFor(chosen, sources, view);
  const isSeen = isWithin(chosen, [view[0] - CLEARANCE, view[1] + CLEARANCE]);
  return isSeen && Math.abs(by) < MIN_JUMP ? 0 : by;
}

const isThere = (cell) => cell.getClientRects().length > 0;
const upright = (cell) => cell.getBoundingClientRect();
const [rows, columns] = [({ top, bottom }) => [top, bottom], ({ left, right }) => [left, right]];

export class Sight {
  constructor(explorer) {
    this.explorer = explorer;
    this.isHeld = false; // whether the chosen number stays in sight while the page settles
    const release = () => { this.isHeld = false; };
    for (const name of BY_HAND) explorer.board.addEventListener(name, release, { passive: true, capture: true });
    explorer.board.addEventListener("focusin", ({ target }) => target.matches(".hc-chosen") || release()); // Tab has led elsewhere
  }

  // The visible part of the sheet in its frame, from top to bottom.
  get view() {
    const { top, bottom } = upright(this.explorer.board);
    return [top + CLEARANCE, bottom - CLEARANCE];
  }

  // Show a number and as much of what it reads, which counts most, and of what comes of it, as there is room for: where it
  // stands, or at `place`, a copy. With `isAlone` the number is enough.
  show(cell, { place = null, isSmooth = false, isAlone = false } = {}) {
    const { openSheets, board, calculation } = this.explorer;
    Object.assign(this, { isHeld: !place, isAlone });
    const home = openSheets.showing(...cell).filter(isThere);
    const chosen = place ?? home.find((element) => element.dataset.step !== undefined) ?? home[0];
    if (!chosen || !isThere(chosen)) return;
    const [matrix, row, column] = cell;
    const read = isAlone ? [] : matrix.sources(row, column);
    const sources = read.map((source) => openSheets.showing(...source).filter(isThere)).filter((places) => places.length);
    const tracks = new Map([...sources.map((places) => places[0]), chosen].map((cell) => [cell.closest(".hc-track"), cell]));
    for (const cell of tracks.values()) this.scrollAcross(cell, sources);
    const by = place || isAlone ? calmScroll : scrollFor;
    const next = place || isAlone ? [] : calculation.feeds(...cell).slice(-1).map((reader) => openSheets.showing(...reader).filter(isThere)).filter((places) => places.length);
    const wanted = [sources, sources, sources, next].flat().map((places) => places.map((other) => rows(upright(other))));
    this.scroll(board, { top: by(rows(upright(chosen)), [...wanted, ...this.aroundOf(chosen), ...next.slice(0, 1).flatMap(([result]) => this.aroundOf(result))], this.view) }, isSmooth);
    if (place) this.clear(this.explorer.explanation.line);
  }

  // The surroundings of a chosen number: its column labels, and the rest of its matrix.
  aroundOf(chosen) {
    const { top, bottom } = upright(chosen.closest("table"));
    return [[[top, upright(chosen).bottom]], [[top, bottom]]];
  }

  // The page still takes shape, or has changed its size: what was shown stays in sight.
  hold() {
    const { chosen, mode } = this.explorer;
    if (this.isHeld && chosen && mode !== "present") this.show(chosen, { isAlone: this.isAlone });
  }

  // Scroll a track that is too wide by itself; labels of rows stay at its left.
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

  // The open block's sheet from its top.
  showSheet() {
    this.scroll(this.explorer.board, { top: upright(this.explorer.openSheets.current.element).top - this.view[0] - CLEARANCE });
  }

  // Scroll the page to a frame that is half out of sight, as far as needed.
  clear(element) {
    const scroller = scrollerOf(this.explorer.element);
    const [top, bottom] = viewOf(scroller);
    this.scroll(scroller, { top: calmScroll(rows(upright(element)), [], [top + CLEARANCE, bottom - CLEARANCE]) });
  }
}
