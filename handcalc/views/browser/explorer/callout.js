// The arithmetic of the chosen number beside it, where the sheet has a free place; where it has none it stays away. For
// eyes alone: the panel says the same.

import { patch } from "./explanation.js";
import { placesOn } from "../sheet/layers.js";
import { nearestFreePlace } from "../page/free_place.js";
import { cellNodes, tag } from "../page/dom.js";

const CALLOUT_WIDTHS = [460, 250, 150]; // pixels
const LINES = 0.5; // pixels nearer that a pixel of height is worth
const TALLEST_CALLOUT = 92; // pixels: longer arithmetic is left to the panel
const MAX_REACH = 180; // pixels from the number
const UNDER_SHEET = 10; // pixels under the sheet that are free, too

export class Callout {
  constructor(explorer) {
    this.explorer = explorer;
    this.name = tag("b", { class: "hc-result" });
    this.rest = tag("span");
    this.element = tag("div", { class: "hc-callout" }, this.name, this.rest);
  }

  // Whether there is anything to say, and anywhere to say it.
  get isWanted() {
    const { chosen: [matrix], openSheets, drawer, presentation, stepper } = this.explorer;
    return !matrix.isGiven && !openSheets.concealed.has(matrix) && !stepper.asked && !drawer.isDrawer && !presentation.isOpen;
  }

  refresh() {
    this.name.replaceChildren(cellNodes(this.explorer.chosen));
    this.place();
  }

  lay() {
    this.place();
  }

  settle() {
    this.place();
  }

  // While a given moves the words change, and nothing is measured.
  follow() {
    if (this.element.isConnected) patch(this.rest, this.explorer.explanation.said);
  }

  // Ways have badges, which it keeps clear of: it waits for the first of them.
  keepClear() {
    this.isReady = true;
    this.place();
  }

  // Find a place once the page has its next shape.
  place() {
    if (!this.isReady) return;
    this.frame ??= requestAnimationFrame(() => {
      this.frame = null;
      this.sit();
    });
  }

  sit() {
    const home = this.isWanted ? this.home() : null;
    if (!home) return this.element.remove();
    const { sheet } = home.block;
    patch(this.rest, this.explorer.explanation.said);
    if (this.element.parentElement !== sheet.over) sheet.over.append(this.element);
    const found = this.seatOn(sheet, home.element);
    if (!found) return this.element.remove();
    Object.assign(this.element.style, { left: `${Math.round(found.left)}px`, top: `${Math.round(found.top)}px` });
  }

  // The chosen number where it stands by its own name.
  home() {
    const found = this.explorer.openSheets.showing(...this.explorer.chosen).map((cell) => cell.handcalc);
    return found.find(({ block }) => !block.isCopy) ?? null;
  }

  // What it must not cover: numbers and their captions, the heads of stages, operations on their ways, pictures.
  others(sheet) {
    const near = sheet.blocks.filter((block) => !block.table.hidden && !sheet.offscreen.has(sheet.trackOf(block)));
    const numbers = near.flatMap(({ element, table }) => [element, table.caption]).filter(Boolean);
    const words = sheet.element.querySelectorAll(".hc-stage-head > span, .hc-badge");
    return [...numbers, ...words, ...this.explorer.element.querySelectorAll("figure.hc-free:not([hidden])")];
  }

  seatOn(sheet, cell) {
    const placeOf = placesOn(sheet.element);
    const at = placeOf(cell);
    const obstacles = this.others(sheet).map(placeOf);
    const within = { left: 0, top: 0, width: sheet.element.offsetWidth, height: sheet.element.offsetHeight + UNDER_SHEET };
    const sizes = CALLOUT_WIDTHS.map((width) => this.sizeAt(width));
    const seats = sizes.map((size) => size.height <= TALLEST_CALLOUT && nearestFreePlace(size, at, obstacles, within, MAX_REACH));
    const costs = seats.map((found, k) => (found ? found.far + LINES * sizes[k].height : Infinity));
    const best = costs.indexOf(Math.min(...costs));
    this.element.style.maxWidth = `${CALLOUT_WIDTHS[best]}px`;
    return seats[best] || null;
  }

  sizeAt(width) {
    this.element.style.maxWidth = `${width}px`;
    return { width: this.element.offsetWidth, height: this.element.offsetHeight };
  }
}
