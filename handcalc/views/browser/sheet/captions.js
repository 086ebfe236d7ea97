// What stands above the matrices of a sheet: two lines, with no break in a formula, wherever there is room at its right.

import { clamp } from "../record/numbers.js";

const [GAP, SPARE] = [12, 24]; // pixels to what stands at its right; and of spaces, in a line and where it breaks
const AT_EDGE = 4; // pixels that nothing is pushed into
const MOST_LINES = 3; // for which neighbours stay where they are
const EVEN = 1.15; // words do not fill two lines evenly
const SAME_LINE = 8; // pixels between the lower edges of a letter and its index

export class Captions {
  constructor(sheet) {
    this.sheet = sheet;
    this.changed = new Set(); // elements whose style is from here
  }

  // Widen captions that break where they need not; push their neighbours aside, if a formula has no room otherwise.
  // A sheet that is only as wide as it must be may become as wide as `most`, in pixels.
  lay(most = 0) {
    for (const { style } of this.changed) style.width = style.marginRight = "";
    this.changed.clear();
    const { element, tracks } = this.sheet;
    const zoom = Number(element.style.zoom) || 1;
    const { left, right } = element.getBoundingClientRect();
    const edge = Math.max(right, left + most);
    const drawn = this.measured();
    const wanting = drawn.filter((one) => one.lines > 2 || one.isBroken || one.right > right).map((one) => Object.assign(one, wants(one))).filter(({ canGrow }) => canGrow);
    if (!wanting.length) return this.uncut(drawn, edge);
    for (const one of drawn) one.margin = parseFloat(getComputedStyle(one.block.element).marginRight);
    const around = { drawn, lines: new Lines(tracks, edge), end: edge > right ? right + GAP : Infinity, pushes: new Map(), zoom };
    for (const one of wanting.sort((a, b) => b.isBroken - a.isBroken || b.box.left - a.box.left)) this.widen(one, around);
    for (const { block, column, margin } of drawn) {
      const push = around.pushes.get(column);
      if (push) this.set(block.element, { marginRight: `${margin + push / zoom}px` });
    }
    this.shorten(wanting, zoom);
    this.uncut(this.measured(), edge);
  }

  // Take back what is beyond the edge: a line in the middle has moved to the left by half of what it has grown.
  shorten(wanting, zoom) {
    const { right } = this.sheet.element.getBoundingClientRect();
    const ends = wanting.filter(({ caption }) => this.changed.has(caption)).map(({ caption }) => [caption.style, (caption.getBoundingClientRect().right - right + AT_EDGE) / zoom]);
    for (const [style, over] of ends.filter(([, over]) => over > 0)) {
      style.width = `${parseFloat(style.width) - over}px`;
      style.marginRight = `${parseFloat(style.marginRight) + over}px`;
    }
  }

  // Give one caption what is free beside it; `pushes` are by how many pixels columns push what follows.
  widen(one, { drawn, lines, end, pushes, zoom }) {
    const { bottom, left, width: before } = one.text;
    const beside = drawn.filter(({ box }) => box.left > one.box.left + 1 && box.top < bottom && box.bottom > bottom - 2 * one.lineHeight);
    const next = Math.min(end, ...beside.map(({ box }) => box.left));
    const room = Math.min(lines.edge - lines.pushed(one), next - GAP) - left;
    const pushed = pushes.get(one.column) ?? 0;
    const least = one.isBroken ? one.first : one.lines > MOST_LINES ? one.wanted : 0;
    const push = clamp(least - room, 0, pushed + lines.free(one));
    const width = Math.max(Math.min(one.wanted, room + push), before);
    if (width > before) this.set(one.caption, { width: `${width / zoom}px`, marginRight: `${(before - width) / zoom + one.overhang}px` });
    lines.take(one, left + width, push - pushed);
    pushes.set(one.column, Math.max(push, pushed));
    if (push && one.isAtStart) one.margin = (next - one.box.right - one.gap) / zoom; // its column is wider than it is
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
      track.style.overflow = isOut ? "visible" : "";
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
    return Math.max(0, this.edge - AT_EDGE - Math.max(...this.beside(one).map(({ right }) => right)) - this.pushed(one));
  }

  pushed(one) {
    return Math.max(...this.beside(one).map(({ pushed }) => pushed));
  }

  // A caption ends at `right`, and pushes what follows.
  take(one, right, push) {
    for (const box of this.beside(one)) Object.assign(box, { right: Math.max(box.right, right), pushed: box.pushed + Math.max(0, push) });
  }
}

// Where a caption and its matrix are, in pixels, and how the caption breaks.
function measured(block) {
  const { caption, element } = block;
  const [name, number, quiet] = caption.children;
  const rects = [...name.getClientRects(), ...quiet.getClientRects()];
  const formula = quiet.querySelector(":scope > .hc-formula");
  return {
    ...{ block, caption, name, number, quiet, formula },
    box: element.getBoundingClientRect(),
    text: caption.getBoundingClientRect(),
    right: Math.max(...rects.map(({ right }) => right)),
    lines: new Set(rects.map(({ bottom }) => Math.round(bottom / SAME_LINE))).size,
    isBroken: Boolean(formula && formula.getClientRects().length > 1),
  };
}

// What it would need: `first` is how wide name and formula are together, `wanted` two lines.
function wants({ block: { element }, caption, name, number, quiet, formula }) {
  const lengthOf = (...parts) => parts.flatMap((part) => [...(part?.getClientRects() ?? [])]).reduce((sum, { width }) => sum + width, SPARE);
  const first = lengthOf(name, number, formula);
  const { position, lineHeight, marginRight } = getComputedStyle(caption);
  return {
    first,
    wanted: Math.max(first, (EVEN * lengthOf(name, number, quiet)) / 2),
    canGrow: position === "static" && !caption.querySelector(".hc-strip"), // a strip is as wide as the numbers below it
    lineHeight: parseFloat(lineHeight),
    overhang: parseFloat(marginRight),
    isAtStart: getComputedStyle(element).justifySelf === "start",
    gap: parseFloat(getComputedStyle(element.parentElement).columnGap) || 0,
  };
}
