// Numbers fly over a sheet to where they are used: drawn above it, and gone afterwards.

import { delayOf, timesOf } from "./choreography.js";
import { tag } from "../page/dom.js";
import { placesOn } from "../sheet/layers.js";

const ROOM = 7; // pixels between a number and the arithmetic that is held over it
const AIRY = 3; // terms whose numbers may stand apart
const ONE_BY_ONE = 100; // that come one by one; of more, row by row
const SWING = "cubic-bezier(0.45, 0.05, 0.3, 1)";
const UNSEEN = { opacity: 0 };

const centre = ({ left, top, width, height }) => [left + width / 2, top + height / 2];
const shared = (a, b) =>
  Math.max(0, Math.min(a.left + a.width, b.left + b.width) - Math.max(a.left, b.left)) *
  Math.max(0, Math.min(a.top + a.height, b.top + b.height) - Math.max(a.top, b.top));

export class Flight {
  // `record` is where the number stands; `plan` is its choreography, `roleOf` the accent of a cell that it reads.
  constructor(sheet, record, plan, roleOf) {
    Object.assign(this, { sheet, record, plan, roleOf });
    this.times = timesOf(plan);
    this.animations = [];
    this.tray = tag("div", { class: "hc-tray" });
    this.element = tag("div", { class: "hc-flight" }, this.tray);
  }

  // Draw, measure and move; `onEnd` is called when all is over. `parts` of a line of arithmetic are written meanwhile.
  start(onEnd, parts = []) {
    this.terms = this.plan.terms.map((term) => this.term(term));
    this.tray.classList.toggle("hc-airy", this.terms.length <= AIRY);
    this.tray.append(...this.terms.flatMap(({ node }, k) => (k ? [spelled("+"), node] : [node])));
    if (this.plan.more) this.tray.append(spelled("+"), tag("span", { class: "hc-untold" }, `… ${this.plan.more} more`));
    this.sheet.over.append(this.element);
    this.measure();
    this.fly();
    this.add();
    this.fill();
    this.write(parts);
    this.animate(this.element, [], { duration: this.times.end }).onfinish = onEnd;
  }

  end() {
    for (const animation of this.animations) animation.cancel();
    this.element.remove();
  }

  // Whether the number is still in the same place.
  get isInPlace() {
    const { left, top } = placesOn(this.sheet.element)(this.record.element);
    return Math.abs(left - this.home.left) + Math.abs(top - this.home.top) < 1;
  }

  animate(node, frames, { duration, delay = 0, easing = "ease-out", fill = "both" }) {
    const animation = node.animate(frames, { duration, delay, easing, fill });
    this.animations.push(animation);
    return animation;
  }

  // what is written ---------------------------------------------------------------------------

  // A term as it is written, a slot for each number that flies into it, and above that its product.
  term({ pieces, product }) {
    const pair = tag("span", { class: "hc-pair" });
    const node = tag("span", { class: "hc-term" }, pair);
    const slots = [];
    for (const { text, level, cell } of pieces) {
      const slot = cell ? tag("span", { class: `hc-slot ${this.roleOf(cell) ?? ""}` }, text) : spelled(text);
      slots.push({ node: slot, from: cell && this.sourceOf(cell) });
      pair.append(level ? tag("sup", {}, slot) : slot);
    }
    const turned = product === null ? null : tag("span", { class: "hc-product" }, product);
    if (turned) node.append(turned);
    return { node, pair, turned, slots };
  }

  // If a number is shown in several places: the one beside its result, otherwise the nearest.
  sourceOf([matrix, row, column]) {
    const records = this.sheet.recordsOf(matrix, row, column).filter(({ element }) => element.checkVisibility());
    const beside = records.find(({ block }) => block.rowOf === this.record.matrix && block !== this.record.block);
    const [x, y] = centre(this.record.element.getBoundingClientRect());
    const far = ({ element }) => {
      const [left, top] = centre(element.getBoundingClientRect());
      return Math.hypot(left - x, top - y);
    };
    return beside ?? records.sort((a, b) => far(a) - far(b))[0] ?? null;
  }

  // Measure everything, before anything moves.
  measure() {
    const placeOf = placesOn(this.sheet.element);
    const flying = this.terms.flatMap(({ slots }) => slots.filter(({ from }) => from));
    for (const slot of flying) slot.start = placeOf(slot.from.element);
    this.home = placeOf(this.record.element);
    this.placeTray(flying.map(({ start }) => start));
    for (const slot of flying) slot.end = centre(placeOf(slot.node));
    this.middle = centre(placeOf(this.tray));
    this.parts = [...this.tray.children].map((part) => [part, this.middle[0] - centre(placeOf(part))[0]]);
  }

  // Place the tray over the number, or on a side where it covers less of the operands; within the sheet.
  placeTray(sources) {
    const { home, sheet, tray } = this;
    const room = sheet.element.offsetWidth / tray.offsetWidth;
    if (room < 1) tray.style.fontSize = `${room * parseFloat(getComputedStyle(tray).fontSize)}px`;
    const { offsetWidth: width, offsetHeight: height } = tray;
    const [x, y] = centre(home);
    const within = (left) => Math.max(0, Math.min(left, sheet.element.offsetWidth - width));
    const sides = [
      [within(x - width / 2), home.top - height - ROOM], [within(x - width / 2), home.top + home.height + ROOM],
      [home.left + home.width + ROOM, y - height / 2], [home.left - width - ROOM, y - height / 2],
    ].map(([left, top], k) => ({ left, top, width, height, k }));
    const isOutside = ({ left, top }) => left < 0 || top < 0 || left + width > sheet.element.offsetWidth || top + height > sheet.element.offsetHeight;
    const cost = (side) => side.k + (isOutside(side) ? 1e6 : 0) + sources.reduce((sum, source) => sum + shared(side, source), 0);
    const best = sides.reduce((least, side) => (cost(side) < cost(least) ? side : least));
    Object.assign(tray.style, { left: `${best.left}px`, top: `${best.top}px` });
  }

  // what moves --------------------------------------------------------------------------------

  // Row and column lift, and fly number by number to where they meet.
  fly() {
    const { times, tray } = this;
    this.animate(tray, [{ ...UNSEEN, transform: "scale(0.9)" }, {}], { delay: times.lift, duration: 200 });
    this.terms.forEach(({ pair, turned, slots }, k) => {
      const land = times.lands[k];
      for (const slot of slots) {
        this.animate(slot.node, [UNSEEN, {}], { delay: land - 40, duration: 120 });
        if (slot.from) this.carry(slot, land);
      }
      if (!turned) return;
      this.animate(pair, [{}, { ...UNSEEN, transform: "translateY(-5px)" }], { delay: times.turns[k], duration: times.turn });
      this.animate(turned, [{ ...UNSEEN, transform: "translateY(5px)" }, {}], { delay: times.turns[k], duration: times.turn });
    });
    for (const node of tray.querySelectorAll(":scope > .hc-infix, :scope > .hc-untold")) this.animate(node, [UNSEEN, {}], { delay: times.lands[0], duration: 200 });
  }

  chip(record, place, kind) {
    const paint = `linear-gradient(${record.tint}, ${record.tint}), var(--hc-paper)`;
    const chip = tag("div", { class: `hc-chip ${kind}` }, record.number.data);
    Object.assign(chip.style, { left: `${place.left}px`, top: `${place.top}px`, width: `${place.width}px`, height: `${place.height}px`, background: paint });
    this.element.append(chip);
    return chip;
  }

  carry({ node, from, start, end }, land) {
    const { lift, flight } = this.times;
    const chip = this.chip(from, start, node.className);
    const [x, y] = end.map((at, k) => at - centre(start)[k]);
    const at = (ms) => ms / (land + 80);
    this.animate(chip, [
      { ...UNSEEN, transform: "none", offset: 0 },
      { opacity: 1, transform: "translateY(-3px) scale(1.1)", offset: at(lift * 0.7) },
      { opacity: 1, transform: "translateY(-3px) scale(1.1)", offset: at(land - flight), easing: SWING },
      { opacity: 1, transform: `translate(${x}px, ${y}px) scale(0.8)`, offset: at(land - 20) },
      { ...UNSEEN, transform: `translate(${x}px, ${y}px) scale(0.7)`, offset: 1 },
    ], { duration: land + 80, easing: "linear" });
  }

  // The terms come together, and their sum drops into its place.
  add() {
    const { times, tray, home, record, middle } = this;
    for (const [part, far] of this.parts) {
      this.animate(part, [{}, { ...UNSEEN, transform: `translateX(${far}px) scale(0.8)` }], { delay: times.sum, duration: times.merge, easing: "ease-in" });
    }
    this.animate(tray, [{}, UNSEEN], { delay: times.drop, duration: 160, fill: "forwards" });
    const chip = this.chip(record, home, "hc-made");
    const [x, y] = middle.map((at, k) => at - centre(home)[k]);
    const total = times.wave - times.sum + 140;
    const at = (ms) => (ms - times.sum) / total;
    this.animate(chip, [
      { ...UNSEEN, transform: `translate(${x}px, ${y}px) scale(0.8)`, offset: 0 },
      { opacity: 1, transform: `translate(${x}px, ${y}px) scale(1.2)`, offset: at(times.drop), easing: "cubic-bezier(0.5, 0, 0.9, 0.5)" },
      { opacity: 1, transform: "none", offset: at(times.wave) },
      { opacity: 1, transform: "scale(1.14)", offset: at(times.wave + 60) },
      { opacity: 1, transform: "none", offset: 1 },
    ], { delay: times.sum, duration: total, easing: "linear" });
  }

  // The number is not there until it has dropped in; from it the rest of its matrix comes in a wave, then its copies.
  fill() {
    const { record, sheet, times } = this;
    const { block } = record;
    this.appear(record.element, times.wave);
    const delay = (other) => times.wave + delayOf(other.row - record.row, other.column - record.column, [block.window.height, block.window.width]);
    const others = block.records.filter((other) => other !== record);
    if (others.length <= ONE_BY_ONE) for (const other of others) this.appear(other.element, delay(other));
    else for (const row of block.table.tBodies[0].rows) if (!row.contains(record.element)) this.hide(row, delay(row.querySelector("td[data-row]").handcalc));
    for (const copy of sheet.blocks) if (copy !== block && copy.records[0].owner === record.owner) this.hide(copy.table.tBodies[0], times.end - 3 * times.fade);
  }

  // A term is written when it lands, with the sign before it; what it comes to, when it has dropped in.
  write([, ...parts]) {
    const { plan: { terms, more }, times: { lands, wave } } = this;
    const landings = more ? [] : terms.flatMap(({ pieces }, k) => pieces.filter(({ cell }) => cell).map(() => lands[k]));
    const numbersIn = (part) => (part.title ? 1 : part.querySelectorAll("[title]").length);
    const last = parts.findLastIndex(numbersIn);
    let written = 0;
    parts.forEach((part, k) => {
      this.hide(part, k > last ? wave : (landings[written] ?? Math.max(...lands)));
      written += numbersIn(part);
    });
  }

  // Its frame is there from the beginning, as of a number that is still to come.
  appear(cell, delay) {
    this.animate(cell, [{ backgroundColor: "transparent", offset: 0 }], { delay, duration: this.times.fade, fill: "backwards" });
    this.hide(cell.firstChild, delay);
  }

  hide(node, delay) {
    this.animate(node, [{ ...UNSEEN, offset: 0 }], { delay, duration: this.times.fade, fill: "backwards" });
  }
}

const spelled = (text) => tag("span", { class: "hc-infix" }, text);
