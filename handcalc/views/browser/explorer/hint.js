// For a first visit: a label in a free place of the sheet, with a line to the chosen number, says what
// can be done here. It goes with the first thing that is done, and does not come back.

import { placesOn } from "../sheet/layers.js";
import { keep, kept, svgTag, tag } from "../page/dom.js";

const SEEN = "handcalc-first-line";
const DISTANCES = [7, 14, 24, 38, 54]; // pixels from the number
const CLEAR_OF = 5; // pixels around the label

// Whether two boxes, {left, top, width, height}, come nearer to each other than `gap`.
const touches = (a, b, gap) =>
  a.left < b.left + b.width + gap && b.left < a.left + a.width + gap && a.top < b.top + b.height + gap && b.top < a.top + a.height + gap;

// The places for a label of this size beside a number, nearest first: at its right, below it, at its left, above it.
function placesBeside(at, { width, height }) {
  const [left, top] = [at.left + (at.width - width) / 2, at.top + (at.height - height) / 2];
  return DISTANCES.flatMap((far) => [
    { left: at.left + at.width + far, top, width, height }, { left, top: at.top + at.height + far, width, height },
    { left: at.left - width - far, top, width, height }, { left, top: at.top - height - far, width, height },
  ]);
}

// From the middle of the label's nearest edge to that of the number.
function lineBetween(from, to) {
  const nearest = (start, length, place) => Math.max(start, Math.min(start + length, place));
  const [x1, y1] = [nearest(from.left, from.width, to.left + to.width / 2), nearest(from.top, from.height, to.top + to.height / 2)];
  return { x1, y1, x2: nearest(to.left, to.width, x1), y2: nearest(to.top, to.height, y1) };
}

export class Hint {
  constructor(explorer) {
    this.explorer = explorer;
    const does = matchMedia("(pointer: coarse)").matches ? "Tap" : "Click";
    this.element = tag("div", { class: "hc-first-look" }, `${does} any number: how is it made?`);
    this.line = svgTag("line", { class: "hc-first-line" });
    this.isOver = explorer.mode === "present" || kept(SEEN) !== null || document.querySelector(".hc-first-look") !== null; // of several on a page one says it
  }

  // A number that is chosen later than the first, or steps that are hidden, end it.
  refresh() {
    const { explorer } = this;
    const now = explorer.place(explorer.chosen).join();
    this.first ??= now;
    if (now !== this.first || explorer.stepper.at < Infinity) this.end();
  }

  follow() {
    this.end();
  }

  // Place the hint once the first ways are drawn, as it keeps clear of their badges.
  keepClear() {
    this.isReady = true;
    this.lay();
  }

  lay() {
    if (this.isOver || !this.isReady) return;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      if (!this.isOver) this.sit();
    });
  }

  sit() {
    const cell = this.explorer.openSheets.showing(...this.explorer.chosen).find(({ handcalc, dataset }) => dataset.step !== undefined && handcalc);
    if (!cell) return this.leave();
    const { sheet } = cell.handcalc.block;
    sheet.over.append(this.element);
    const placeOf = placesOn(sheet.element);
    const at = placeOf(cell);
    const size = { width: this.element.offsetWidth, height: this.element.offsetHeight };
    const stage = placeOf(this.explorer.stage);
    const isWithin = ({ left, top }) => left >= 0 && top >= 0 && left + size.width <= stage.left + stage.width && top + size.height <= sheet.element.offsetHeight;
    const taken = this.others(sheet).map(placeOf);
    const isFree = (place) => isWithin(place) && !taken.some((other) => touches(place, other, CLEAR_OF)) && !this.crosses(place, at, cell, placeOf);
    const found = placesBeside(at, size).find(isFree);
    if (!found) return this.leave();
    Object.assign(this.element.style, { left: `${Math.round(found.left)}px`, top: `${Math.round(found.top)}px` });
    this.draw(sheet, found, at);
  }

  // The elements that the hint must not cover: numbers and their captions, pictures, the panel.
  others(sheet) {
    const near = sheet.blocks.filter((block) => !block.table.hidden && !sheet.offscreen.has(sheet.trackOf(block)));
    const numbers = near.flatMap(({ element, table }) => [element, table.caption]).filter(Boolean);
    return [...numbers, ...this.explorer.element.querySelectorAll("figure.hc-free:not([hidden]), .hc-corner figure:not([hidden]), .hc-corner > .hc-panel")];
  }

  // Whether its line would run over other numbers of the same matrix.
  crosses(from, to, cell, placeOf) {
    const { x1, y1, x2, y2 } = lineBetween(from, to);
    const line = { left: Math.min(x1, x2), top: Math.min(y1, y2), width: Math.abs(x1 - x2), height: Math.abs(y1 - y2) };
    return [...cell.closest("table").querySelectorAll("td[data-row], th")].some((other) => other !== cell && touches(placeOf(other), line, 0));
  }

  draw(sheet, from, to) {
    for (const [name, value] of Object.entries(lineBetween(from, to))) this.line.setAttribute(name, value);
    if (!this.layer) this.layer = svgTag("svg", { class: "hc-first-layer", "aria-hidden": "true" }, this.line);
    sheet.over.append(this.layer);
  }

  leave() {
    this.element.remove();
    this.layer?.remove();
  }

  end() {
    if (this.isOver) return;
    this.isOver = true;
    this.leave();
    keep(SEEN, "yes");
  }
}
