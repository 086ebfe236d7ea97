// The map on the page: the whole calculation from its givens to its result, each part as one of its matrices. A click
// opens a part below; the open one is lit, and the parts that a change reaches are drawn again.

import { claim, tag } from "../page/dom.js";
import { OneStop } from "../page/one_stop.js";
import { paintMatrix } from "../record/colours.js";

const MAX_PIXELS = 64; // of a picture
const ROOMY = [690, 900]; // pixels of room, and of a page's width, from which on the map is open at rest
const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class BlockMap {
  constructor(explorer) {
    this.explorer = explorer;
    this.paths = [];
    this.oneStop = new OneStop(() => this.parts);
    this.element = tag("section", { class: "hc-map-box", "aria-label": "Map", hidden: "" });
    this.isMissing = true; // until there is one
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("click", (event) => this.onClick(event));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  turn(isOpen = !this.isOpen) {
    this.isTurned = true; // by hand: it stays so
    this.show(isOpen);
  }

  show(isOpen) {
    if (isOpen === this.isOpen || this.isMissing) return;
    this.element.hidden = !isOpen;
    this.explorer.navigation.strip.refresh();
    if (!isOpen) return;
    this.stale = new Set(this.pictures);
    this.light(this.paths);
  }

  // Open the map at rest, if there is room for it and for the sheet.
  rest(room, width) {
    this.isRoomy = room >= ROOMY[0] && width >= ROOMY[1];
    if (!this.isTurned) this.show(this.isRoomy);
  }

  // A block was chosen: where there is little room, its sheet needs it.
  giveWay() {
    if (!this.isRoomy) this.show(false);
  }

  // The map for this form of the calculation.
  draw() {
    const { variants, convention } = this.explorer;
    const text = variants.map(convention);
    this.isMissing = !text;
    if (!text) return this.show(false);
    if (text === this.text) {
      this.stale = new Set(this.pictures);
      return this.name();
    }
    this.text = text;
    this.element.innerHTML = text; // as Python wrote it, every name escaped
    this.parts = [...this.element.querySelectorAll("[data-block]")];
    this.pictures = [...this.element.querySelectorAll("canvas[data-face]")];
    this.words = [...this.element.querySelectorAll("[data-word]")];
    this.whole = this.element.firstElementChild;
    this.whole.setAttribute("role", "listbox");
    for (const part of this.parts) {
      part.removeAttribute("href");
      part.setAttribute("role", "option");
    }
    this.name();
    this.stale = new Set(this.pictures);
    this.wide = null;
    this.light(this.paths);
  }

  // Of a text of another length the sizes that Python wrote are not true.
  name() {
    const { hasOtherLength } = this.explorer.calculation.spec;
    for (const part of this.parts) {
      part.dataset.said ??= part.title;
      part.title = hasOtherLength ? part.dataset.said.replace(/ \(\d+, \d+\)/g, "") : part.dataset.said;
      part.setAttribute("aria-label", part.title);
    }
  }

  // The pictures of these matrices, or all, have changed.
  paint(matrices = null) {
    if (!this.isOpen) return;
    for (const picture of this.pictures) {
      const matrix = this.explorer.calculation.byName.get(picture.dataset.face);
      if (!matrices || matrices.has(matrix)) this.stale.add(picture);
    }
    this.drawStale();
  }

  // Draw the stale pictures that can be seen, or all; those of matrices not calculated yet stay hidden.
  drawStale(isAll = false) {
    const { calculation, stepper } = this.explorer;
    const hidden = new Set(stepper?.hidden);
    this.writeWords(hidden);
    const shown = [...(this.stale ?? [])].filter((picture) => isAll || this.seen.has(picture));
    for (const picture of shown) {
      this.stale.delete(picture);
      const matrix = calculation.visible(picture.dataset.face);
      if (!matrix) continue;
      drawFace(picture, matrix, hidden.has(matrix));
    }
  }

  // Write the words that blocks choose; like the pictures, those of a large calculation stay as Python made them.
  writeWords(hidden) {
    for (const word of this.words ?? []) {
      const matrix = this.explorer.calculation.visible(word.dataset.word);
      word.textContent = (!hidden.has(matrix) && matrix?.operation.words[matrix.values[0] - 1]) || "?";
      const part = word.closest("[data-block]");
      part.ariaLabel = `${part.title}, ${word.textContent}`;
    }
  }

  // Fold layers of a kind that are not open to their outputs, where all would be too wide; draw the pictures that can be
  // seen then.
  fold() {
    if (!this.isOpen) return;
    const layers = [...this.element.querySelectorAll(".hc-map-layer")];
    const isAround = ({ dataset: { frame } }) => this.paths.some((path) => path === frame || path.startsWith(`${frame}.`));
    if (!this.wide) for (const layer of layers) layer.classList.remove("hc-folded");
    this.wide ??= this.element.scrollWidth;
    const isTight = this.wide > this.element.clientWidth;
    for (const layer of layers) layer.classList.toggle("hc-folded", isTight && !isAround(layer));
    const isShown = this.element.checkVisibility(); // not yet in a page that is still hidden
    this.seen = new Set(this.pictures.filter((picture) => !isShown || picture.checkVisibility()));
    this.drawStale();
  }

  resize() {
    this.wide = null;
    this.fold();
  }

  // Light the parts that are open; of one that is not drawn, the nearest one around it.
  light(paths) {
    this.paths = paths;
    if (!this.parts) return;
    const lit = new Set(paths.map((path) => this.nearest(path)));
    for (const part of this.parts) {
      const isLit = lit.has(part.dataset.block) && !part.dataset.names;
      part.setAttribute("aria-selected", String(isLit));
      part.toggleAttribute("data-lit", isLit);
    }
    this.fold();
    const first = this.parts.find((part) => part.hasAttribute("data-lit")) ?? this.parts[0];
    this.oneStop.stop(first);
    if (this.isOpen) bringIntoView(this.element, first);
  }

  nearest(path) {
    const drawn = new Set(this.parts.filter((part) => !part.dataset.names).map((part) => part.dataset.block));
    let now = path;
    while (now && !drawn.has(now)) now = now.slice(0, Math.max(0, now.lastIndexOf(".")));
    return now;
  }

  open(part, isBeside) {
    const { names, block } = part.dataset;
    this.explorer.navigation.follow(names?.split("\n").at(-1) ?? block, isBeside);
  }

  onClick(event) {
    const part = event.target.closest("[data-block]");
    if (!part) return;
    event.stopPropagation();
    this.open(part, event.shiftKey);
  }

  onKey(event) {
    const part = event.target.closest("[data-block]");
    if (event.key === "Escape" && !this.isRoomy) {
      this.show(false);
      this.explorer.navigation.strip.toMap.focus();
    } else if (part && STEPS[event.key]) {
      const seen = this.parts.filter((other) => other.checkVisibility());
      const next = seen[(seen.indexOf(part) + STEPS[event.key] + seen.length) % seen.length];
      this.oneStop.stop(next);
      next.focus();
    } else if (part && (event.key === "Enter" || event.key === " ")) this.open(part, event.shiftKey);
    else return;
    claim(event);
  }

  // The same for a slide; with all alike, without a light.
  copy(isPlain) {
    this.stale = new Set(this.pictures);
    this.drawStale(true);
    const drawing = this.whole.cloneNode(true);
    const copies = drawing.querySelectorAll("canvas");
    this.pictures.forEach((picture, k) => copies[k].getContext("2d").drawImage(picture, 0, 0)); // a clone has no pixels
    drawing.setAttribute("role", "img");
    for (const part of drawing.querySelectorAll("[data-block]")) {
      for (const name of ["role", "tabindex", "aria-selected"]) part.removeAttribute(name);
      if (isPlain) part.removeAttribute("data-lit");
    }
    return drawing;
  }

  // The parts that a chain runs through.
  touch(matrices) {
    const { levels } = this.explorer;
    const paths = new Set([...matrices].flatMap((matrix) => levels.home(matrix).trail.map(({ path }) => path)));
    const names = new Set([...matrices].map(({ name }) => name));
    for (const part of this.parts ?? []) {
      const own = part.dataset.names?.split("\n");
      part.classList.toggle("hc-map-touched", own ? own.some((name) => names.has(name)) : paths.has(part.dataset.block));
    }
  }
}

function drawFace(canvas, matrix, isConcealed) {
  const { shape } = matrix.entry;
  const [height, width] = shape.map((count) => Math.min(count, MAX_PIXELS));
  Object.assign(canvas, { width, height }); // empties it, too
  canvas.ariaLabel = canvas.ariaLabel.replace(/\d+ by \d+/, shape.join(" by "));
  canvas.classList.toggle("hc-concealed", isConcealed);
  if (!isConcealed) paintMatrix(canvas, matrix);
}

function bringIntoView(frame, part) {
  const [box, around] = [part.getBoundingClientRect(), frame.getBoundingClientRect()];
  frame.scrollBy((box.left + box.right - around.left - around.right) / 2, 0);
}
