// The widths of a sheet's columns: wide enough for their longest number, and steady while a hand moves a given.

import { clamp, fitNumber, isPower, placesOf } from "../record/numbers.js";

const SQUEEZED = 0.94; // as much smaller a sheet is drawn rather than wrapped from the start
const MIN_ZOOM = 0.74; // and where its numbers have grown since
const LABELS = 235; // pixels that columns leave to labels and gaps
const ROUNDED = 1.01; // letters do not shrink by exactly as much as a zoom says
const [SMALL, BESIDE, LARGEST] = [0.55, 90, 20]; // of the window, what a small sheet takes; pixels beside its columns; its type
const GAP = 18; // pixels between tracks
const MIN_EMS = 2.24; // of a column
const MANY_DIGITS = 1e4; // a result of more digits before its point widens no column beyond
const LONGEST_EMS = 4.2; // this: 1234.56
const LARGEST_PLAIN_VALUE = 1e10; // from here on it is written with an exponent anyway

// About how wide a number is, in ems: wide enough for the widest of the common fonts.
const EMS = { ".": 0.32, "·": 0.32, "-": 0.84 };
const RAISED_EMS = 0.42;
const SMALLER = 0.84; // as much smaller a power of ten is drawn

export function emsOf(text) {
  let ems = 0;
  for (const c of text) ems += EMS[c] ?? (c > "9" && c !== "e" && c !== "∞" ? RAISED_EMS : 0.64);
  return isPower(text) ? SMALLER * ems : ems;
}

// Matrices below one another in a strip of steps, all made as wide as the widest.
export class SameWidth {
  constructor() {
    this.elements = [];
  }

  with(element) {
    this.elements.push(element);
    return this;
  }

  get style() {
    return { setProperty: (...set) => this.elements.forEach((element) => element.style.setProperty(...set)) };
  }
}

export class Widths {
  constructor(sheet) {
    this.sheet = sheet;
    this.ems = new Map(); // element -> how wide its numbers are
    this.late = null; // while columns are held: block -> what did not fit into its columns
  }

  // A hand begins to move a given.
  hold() {
    this.late ??= new Map();
  }

  // End a movement. Returns the blocks in which a number did not fit; they may be written in full now.
  release() {
    const late = this.late ?? new Map();
    this.late = null;
    for (const [block, text] of late) this.widen(block, text);
    return late.keys();
  }

  // The text of a number in its column: the usual one, for which the column is widened, or one that fits.
  fit({ block, value, matrix }, usual) {
    const text = matrix.isGiven ? usual : this.brief(value, usual);
    if (!this.late) {
      this.widen(block, text);
      return text;
    }
    const room = this.roomIn(block);
    if (emsOf(text) <= room) return text;
    this.late.set(block, text);
    return fitNumber(value, placesOf(matrix, value, this.sheet.places), (shorter) => emsOf(shorter) <= room);
  }

  // A shorter text for a very large number, so that one result does not change the whole sheet.
  brief(value, usual) {
    const size = Math.abs(value);
    if (size < MANY_DIGITS || size >= LARGEST_PLAIN_VALUE || emsOf(usual) <= LONGEST_EMS) return usual;
    return fitNumber(value, this.sheet.places, (shorter) => emsOf(shorter) <= LONGEST_EMS);
  }

  // The room of a column in ems, as sheet.css has it: the width of its numbers, or the least width of a column.
  roomIn(block) {
    const { font = 1 } = this;
    const is = (name) => block.element.classList.contains(name);
    const base = is("hc-incoming") && is("hc-right") ? 0 : this.base ?? 0;
    const least = is("hc-left") ? (base - 9) / font : Math.max(MIN_EMS, (base - 5) / font);
    return Math.max(this.ems.get((block.alike ??= this.alike(block))) ?? 0, least);
  }

  // Columns keep one width down a track, wide enough for its longest number; `narrow` alone takes it back.
  widen(block, text) {
    const ems = emsOf(text);
    const wide = (block.alike ??= this.alike(block));
    if (ems <= (this.ems.get(wide) ?? 0)) return;
    if (this.late) return void this.late.set(block, text);
    this.ems.set(wide, ems);
    wide.style.setProperty("--hc-ems", ems.toFixed(2));
    this.isWider = true;
  }

  alike({ table, element }) {
    const isAlone = this.sheet.isHorizontal || element.classList.contains("hc-left");
    return isAlone ? table : (table.closest(".hc-track") ?? table);
  }

  // Shrink columns to the numbers that they have now.
  narrow() {
    const before = JSON.stringify([...this.ems.values()]);
    this.ems.clear();
    for (const block of this.sheet.blocks) for (const text of block.texts()) this.widen(block, text);
    if (before !== JSON.stringify([...this.ems.values()])) this.keepLines();
    else this.isWider = false;
  }

  // The page has another width: let columns fill the room, and tracks wrap again.
  restart(width) {
    if (width) this.fill(width);
    if (width !== this.width) this.lines = null;
    [this.width, this.isWider] = [width, true];
    this.keepLines();
  }

  // Lengths in pixels: units of the container would be worked out again for every number.
  fill(width) {
    const { element, mostColumns } = this.sheet;
    const grown = this.sheet.blocks.some(({ window }) => !window.isWhole) ? 1 : clamp(Math.min((SMALL * width) / (42 * mostColumns + BESIDE), (SMALL * innerHeight) / (22 * this.sheet.rowCount())), 1, LARGEST / 12);
    [this.base, this.font] = [grown * clamp((width - LABELS) / mostColumns, 25, 42), grown * clamp(0.012 * width, 10, 12)];
    const lengths = { row: 22 * grown, base: this.base, font: this.font };
    const written = JSON.stringify(lengths);
    if (written === this.filled) return; // else every number would be styled again
    this.filled = written;
    for (const [name, pixels] of Object.entries(lengths)) element.style.setProperty(`--hc-${name}`, `${pixels.toFixed(2)}px`);
  }

  // Wider numbers must not push a track to another line while somebody is looking at it: the sheet is
  // drawn smaller first.
  keepLines() {
    const { element, isLarge } = this.sheet;
    if (!this.isWider || !element.isConnected || isLarge) return;
    this.isWider = false;
    const linesAt = this.measured(element);
    this.lines ??= [1, SQUEEZED].map(linesAt).reduce((whole, squeezed) => (squeezed.at(-1) < whole.at(-1) ? squeezed : whole));
    const isPushed = (line, k) => line > this.lines[k];
    let zoom = 1;
    const least = matchMedia("(pointer: coarse)").matches ? 1 : MIN_ZOOM; // a finger grows no smaller
    while (zoom > least && linesAt(zoom).some(isPushed)) zoom -= 0.01;
    element.style.zoom = zoom === 1 || zoom <= least ? "" : zoom.toFixed(2);
  }

  // A function that gives the line of each track at a zoom, from one measurement of their widths.
  measured(element) {
    element.style.zoom = "";
    const all = element.getBoundingClientRect().width;
    const shares = this.sheet.tracks.map((track) => track.getBoundingClientRect().width / all);
    const gap = GAP / all;
    return (exact) => {
      const zoom = exact < 1 ? ROUNDED * exact : 1;
      let [line, filled] = [0, Infinity];
      return shares.map((share) => {
        filled += (share + gap) * zoom;
        if (filled > 1 + 1e-6) [line, filled] = [line + 1, share * zoom];
        return line;
      });
    };
  }
}
