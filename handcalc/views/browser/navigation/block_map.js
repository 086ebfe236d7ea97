// The map on the page: the diagram that Python laid out, with the blocks that are open lit. It lies over the sheet
// while a reader looks for a block; where both have room, beside it.

import { linkTo } from "../record/cell_address.js";
import { claim, tag } from "../page/dom.js";

const BESIDE = 1700; // pixels of a page on which the map stands beside the sheet, as in blocks.css

export class BlockMap {
  constructor(explorer) {
    this.explorer = explorer;
    this.stage = tag("div", { class: "hc-map-stage" });
    this.element = tag("section", { class: "hc-map-box", "aria-label": "Map", hidden: "" }, this.stage);
    this.isMissing = true; // until there is a diagram
    this.element.addEventListener("keydown", (event) => this.onKey(event));
  }

  get isOpen() {
    return !this.element.hidden;
  }

  turn(isOpen = !this.isOpen) {
    if (isOpen === this.isOpen || this.isMissing) return;
    this.element.hidden = !isOpen;
    this.explorer.navigation.strip.refresh();
    if (isOpen) this.bringIntoView();
  }

  // A block was chosen: what lies over its sheet goes.
  giveWay() {
    if (this.explorer.space < BESIDE) this.turn(false);
  }

  onKey(event) {
    if (event.key !== "Escape") return;
    claim(event);
    this.turn(false);
    this.explorer.navigation.strip.toMap.focus();
  }

  // The diagram for this form of the calculation, and for a page as wide as this one.
  draw() {
    const { variants, convention, space } = this.explorer;
    const drawings = variants.maps(convention);
    this.isMissing = !drawings;
    if (!drawings) return this.turn(false);
    const { wide, svg: text } = drawings.find((drawing) => drawing.wide <= space) ?? drawings.at(-1);
    if (text === this.text) return;
    Object.assign(this, { wide, text });
    const written = tag("template");
    written.innerHTML = text; // as Python wrote it, every name escaped
    this.stage.replaceChildren(written.content);
    this.links = [...this.stage.querySelectorAll("[data-block]")];
    this.stacks = JSON.parse(this.stage.querySelector("svg").dataset.stacks ?? "[]");
    for (const link of this.links) {
      link.setAttribute("data-lm-suppress-shortcuts", "true");
      link.dataset.first = link.dataset.block; // as it was drawn
      if (link.dataset.names) link.dataset.drawn = link.dataset.names;
    }
  }

  resize() {
    if (!this.links) return;
    this.draw();
    this.light(this.paths);
  }

  bringIntoView() {
    const lit = this.stage.querySelector("[aria-current]:not(.hc-map-frame)") ?? this.stage.querySelector("[aria-current]");
    if (!lit || !this.isOpen) return;
    const [box, frame] = [lit.getBoundingClientRect(), this.stage.getBoundingClientRect()];
    this.stage.scrollBy((box.left + box.right - frame.left - frame.right) / 2, (box.top + box.bottom - frame.top - frame.bottom) / 2);
  }

  draws(path) {
    return this.links?.some((link) => link.dataset.block === path) ?? false;
  }

  // Light the blocks that are open; of one that is not drawn, the nearest one around it.
  light(paths) {
    this.paths = paths;
    if (!this.links) return;
    for (const path of paths) this.openStacks(path);
    const lit = new Set(paths.map((path) => this.nearest(path)));
    for (const link of this.links) {
      if (lit.has(link.dataset.block)) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    this.bringIntoView();
  }

  nearest(path) {
    let now = path;
    while (now && !this.draws(now)) now = now.slice(0, Math.max(0, now.lastIndexOf(".")));
    return now;
  }

  // Layers that look alike are drawn once: what is inside stands for the layer that is open.
  openStacks(path) {
    for (const { key, paths, current } of this.stacks) {
      const layer = paths.findIndex((name) => path === name || path.startsWith(`${name}.`));
      if (layer >= 0) this.openLayer(key, paths, paths[current], layer);
    }
  }

  openLayer(key, paths, drawn, layer) {
    for (const wedge of this.stage.querySelectorAll(".hc-map-wedge")) {
      if (wedge.dataset.stack === key) wedge.toggleAttribute("hidden", Number(wedge.dataset.layer) !== layer);
    }
    const moved = (path) => paths[layer] + path.slice(drawn.length);
    for (const link of this.links) {
      if (link.dataset.stack !== key || link.classList.contains("hc-map-bar")) continue;
      link.dataset.block = moved(link.dataset.first);
      if (link.dataset.drawn) link.dataset.names = link.dataset.drawn.split("\n").map(moved).join("\n");
      link.setAttribute("href", linkTo(link.dataset.names?.split("\n")[0] ?? link.dataset.block));
    }
    this.entitle(paths[layer]);
  }

  // The frame around what is inside is called as the bar of its layer.
  entitle(path) {
    const [bar, frame] = ["bar", "frame"].map((kind) =>
      this.links.find((link) => link.classList.contains(`hc-map-${kind}`) && link.dataset.block === path));
    const [title, written] = [bar, frame].map((link) => link?.querySelector(".hc-map-title"));
    if (!written?.textContent) return; // where there is little room it has no title
    written.replaceChildren(...title.cloneNode(true).childNodes);
    frame.setAttribute("aria-label", bar.getAttribute("aria-label"));
  }

  // The same drawing for a slide; with all alike, without a light.
  copy(isPlain) {
    const drawing = this.stage.firstElementChild.cloneNode(true);
    for (const link of drawing.querySelectorAll("a")) {
      link.removeAttribute("href");
      if (isPlain) link.removeAttribute("aria-current");
    }
    return drawing;
  }

  // The blocks that a chain runs through.
  touch(matrices) {
    const { levels } = this.explorer;
    const paths = new Set([...matrices].flatMap((matrix) => levels.home(matrix).trail.map(({ path }) => path)));
    const names = new Set([...matrices].map(({ name }) => name));
    for (const link of this.links ?? []) {
      const own = link.dataset.names?.split("\n");
      link.classList.toggle("hc-map-touched", own ? own.some((name) => names.has(name)) : paths.has(link.dataset.block));
    }
  }
}
