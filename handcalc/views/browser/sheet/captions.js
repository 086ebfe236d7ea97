// What stands above the matrices of a sheet: two lines, with no break in a formula, wherever there is room at its right.

import { clamp } from "../record/numbers.js";

const [GAP, SPARE] = [12, 24]; // pixels to what stands at its right; and of spaces, in a line and where it breaks
const MOST_LINES = 3; // for which neighbours stay where they are
const EVEN = 1.15; // words do not fill two lines evenly
const SAME_LINE = 8; // pixels between the lower edges of a letter and its index

export class Captions {
  constructor(sheet) {
    this.sheet = sheet;
    this.changed = new Set(); // elements whose style is from here
  }

  // Widen captions that break where they need not; push their neighbours aside, if a formula has no room otherwise.
  // A sheet that is only as wide as it must be may grow to the `limit`, in pixels of the page.
  lay(limit = -Infinity) {
    for (const { style } of this.changed) style.width = style.marginRight = "";
    this.changed.clear();
    const { element, tracks } = this.sheet;
    const zoom = Number(element.style.zoom) || 1;
    const { right } = element.getBoundingClientRect();
    const edge = Math.max(right, limit);
    const drawn = this.measured();
    const wanting = drawn.filter((one) => one.isWhole && (one.lines > 2 || one.isBroken || one.right > right));
    if (!wanting.length) return this.uncut(drawn, edge);
    const lines = new Lines(tracks, edge);
    const pushes = new Map(); // column -> pixels
    for (const one of wanting.sort((a, b) => b.isBroken - a.isBroken || b.box.left - a.box.left)) {
      const { bottom, left } = one.text;
      const beside = drawn.filter(({ box }) => box.left > one.box.left + 1 && box.top < bottom && box.bottom > bottom - 2 * one.lineHeight);
      const next = Math.min(...beside.map(({ box }) => box.left), edge > right ? right + GAP : Infinity);
      const room = Math.min(edge - lines.pushed(one), next - GAP) - left;
      const before = pushes.get(one.column) ?? 0;
      const least = one.isBroken ? one.first : one.lines > MOST_LINES ? one.wanted : 0;
      const push = clamp(least - room, 0, before + lines.free(one));
      const width = Math.max(Math.min(one.wanted, room + push), one.text.width);
      if (width > one.text.width) this.set(one.caption, { width: `${width / zoom}px`, marginRight: `${(one.text.width - width) / zoom + one.overhang}px` });
      lines.take(one, left + width, push - before);
      pushes.set(one.column, Math.max(push, before));
      if (push && one.isAtStart) one.margin = (next - one.box.right - one.gap) / zoom; // its column is wider than it is
    }
    for (const { block, column, margin } of drawn) if (pushes.get(column)) this.set(block.element, { marginRight: `${margin + pushes.get(column) / zoom}px` });
    this.uncut(this.measured(), edge);
  }

  measured() {
    const { blocks, tracks } = this.sheet;
    const columnOf = (block) => (block.element.matches(".hc-main") ? `${tracks.indexOf(this.sheet.trackOf(block))} ${block.element.style.gridColumn}` : block);
    return blocks.filter(({ table }) => !table.hidden).map((block) => ({ column: columnOf(block), ...measured(block) }));
  }

  set(element, style) {
    Object.assign(element.style, style);
    this.changed.add(element);
  }

  // A track that need not scroll cuts no caption off.
  uncut(drawn, edge) {
    for (const track of this.sheet.tracks) {
      const own = drawn.filter(({ block }) => this.sheet.trackOf(block) === track);
      const { right } = track.getBoundingClientRect();
      const isOut = own.some((one) => one.right > right) && own.every(({ box }) => box.right <= Math.min(right, edge) + 1);
      track.classList.toggle("hc-uncut", isOut);
    }
  }
}

// How much free room is left at the right end of each line of tracks.
class Lines {
  constructor(tracks, edge) {
    this.edge = edge;
    this.boxes = tracks.map((track) => track.getBoundingClientRect()).map(({ top, bottom, right }) => ({ top, bottom, right, pushed: 0 }));
  }

  // The tracks beside which a caption stands.
  beside({ text }) {
    return this.boxes.filter(({ top, bottom }) => top < text.bottom && bottom >= text.bottom);
  }

  free(one) {
    return Math.max(0, this.edge - Math.max(...this.beside(one).map(({ right }) => right)) - this.pushed(one));
  }

  pushed(one) {
    return Math.max(...this.beside(one).map(({ pushed }) => pushed));
  }

  // A caption ends at `right`, and pushes what follows.
  take(one, right, push) {
    for (const box of this.beside(one)) Object.assign(box, { right: Math.max(box.right, right), pushed: box.pushed + Math.max(0, push) });
  }
}

// Where a caption and its matrix are, in pixels: `first` is how wide name and formula are together, `wanted` two lines.
function measured(block) {
  const { caption, element } = block;
  const [name, number, quiet] = caption.children;
  const formula = quiet.querySelector(":scope > .hc-formula");
  const lengthOf = (...parts) => parts.flatMap((part) => [...(part?.getClientRects() ?? [])]).reduce((sum, { width }) => sum + width, SPARE);
  const rects = [...name.getClientRects(), ...quiet.getClientRects()];
  const first = lengthOf(name, number, formula);
  return {
    ...{ block, caption, first },
    isWhole: caption.localName === "caption" && getComputedStyle(caption).position === "static",
    box: element.getBoundingClientRect(),
    text: caption.getBoundingClientRect(),
    right: Math.max(...rects.map(({ right }) => right)),
    lines: new Set(rects.map(({ bottom }) => Math.round(bottom / SAME_LINE))).size,
    isBroken: formula?.getClientRects().length > 1,
    lineHeight: parseFloat(getComputedStyle(caption).lineHeight),
    margin: parseFloat(getComputedStyle(element).marginRight),
    isAtStart: getComputedStyle(element).justifySelf === "start",
    gap: parseFloat(getComputedStyle(element.parentElement).columnGap) || 0,
    overhang: parseFloat(getComputedStyle(caption).marginRight),
    wanted: Math.max(first, (EVEN * lengthOf(name, number, quiet)) / 2),
  };
}
