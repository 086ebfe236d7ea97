// The attention of one query, as `draw.words` draws it: a bar over every key, and arcs to them from the query.
// It moves with the numbers: only attributes are written, and only those that have changed.

import { HUES, background, largestOf } from "../record/colours.js";
import { show, typeset } from "../record/numbers.js";
import { downOf, largestShare, listsOf } from "../record/shares.js";
import { isAmongThemselves, queryOf, quoted, sharedOut } from "./sharing.js";
import { svgTag, tag, typesetNodes } from "../page/dom.js";

const [BAR, ARC] = [58, 40]; // pixels: the height of a whole share, and the depth of the widest arc
const FOOT = 74; // where bars stand
const NAMES = FOOT + 15; // where the keys' labels are written
const BELOW = FOOT + 21; // where arcs end
const QUERY = 18; // the height of the query's own label
const THICK = 9; // the arc of a whole share
const [MIN_TITLE, TITLE_LETTER, TITLE_LINE] = [210, 6.5, 16]; // pixels: the room of the title, of a letter, of a line
const [MIN_SLOT, LETTER, BETWEEN] = [42, 7, 12]; // the room of a key, in pixels: at least, for a letter, around it

export class SharePicture {
  constructor(explorer) {
    this.explorer = explorer;
    this.title = tag("p", { class: "hc-picture-title" });
    this.svg = svgTag("svg", { role: "img" });
    this.element = tag("figure", { class: "hc-shared", hidden: "" }, this.title, this.svg);
    this.svg.addEventListener("click", ({ target }) => this.pick(target.closest("[data-key]")));
  }

  // The room that it needs; null while there is nothing to draw.
  get size() {
    if (!this.shares) return null;
    const lines = Math.ceil((TITLE_LETTER * this.title.textContent.length) / this.titleRoom);
    return { width: this.titleRoom, height: this.height + TITLE_LINE * lines + 6 };
  }

  // Another number is chosen, or other steps are shown. What is hidden is neither drawn nor described.
  refresh(isOnPage) {
    const { calculation, chosen, openSheets, level } = this.explorer;
    const shares = isOnPage ? sharedOut(level.steps, calculation) : null;
    const isHidden = !shares || openSheets.concealed.has(shares);
    this.element.hidden = isHidden;
    if (isHidden) return this.clear();
    const isOther = shares !== this.shares;
    this.shares = shares;
    if (isOther) this.build();
    const query = queryOf(chosen, shares, calculation) ?? (isOther ? this.first : this.query);
    if (isOther || query !== this.query) this.turnTo(query);
    const isOn = (k) => chosen[0] === shares && chosen[this.down + 1] === k && chosen[2 - this.down] === query;
    this.keys.forEach(({ group }, k) => group.classList.toggle("hc-on", isOn(k)));
    if (this.places !== this.explorer.places) this.largest = null; // all are written anew
    this.places = this.explorer.places;
    this.follow(new Set([shares]));
    this.settle();
  }

  clear() {
    this.shares = null;
    this.svg.replaceChildren();
    this.svg.removeAttribute("aria-label");
  }

  // The query with the largest share, until another one is chosen.
  get first() {
    return largestShare(this.shares)[2 - this.down];
  }

  build() {
    const { shares, explorer: { calculation } } = this;
    this.down = downOf(calculation);
    this.lists = listsOf(shares, this.down);
    [this.labels, this.queries] = [shares.labels(this.down), shares.labels(1 - this.down)];
    this.isAmong = isAmongThemselves(shares, calculation);
    const longest = Math.max(...[...this.labels, ...(this.isAmong ? this.queries : [])].map((text) => text.length));
    this.slot = Math.max(MIN_SLOT, LETTER * longest + BETWEEN);
    this.width = Math.max(this.slot * this.labels.length, 190);
    this.titleRoom = Math.max(this.width, MIN_TITLE);
    this.title.style.maxWidth = `${this.titleRoom}px`;
    this.hasOwnLabels = this.isAmong && this.labels.every((text, k) => text === this.queries[k]);
    this.height = BELOW + ARC + (this.hasOwnLabels ? 4 : QUERY + 2);
    this.keys = this.labels.map((text, k) => this.key(text, this.centre(k)));
    this.asking = svgTag("text", { class: "hc-asking-query" });
    this.frame = svgTag("rect", { class: "hc-query-frame", rx: 4, height: QUERY });
    Object.entries({ viewBox: `0 0 ${this.width} ${this.height}`, width: this.width, height: this.height }).forEach(([name, value]) => this.svg.setAttribute(name, value));
    this.svg.replaceChildren(...this.keys.map(({ arc }) => arc), ...this.keys.map(({ group }) => group), this.frame, this.asking);
  }

  centre(k) {
    return this.width / 2 + (k - (this.labels.length - 1) / 2) * this.slot;
  }

  key(text, x) {
    const wide = Math.min(32, this.slot - 8);
    const bar = svgTag("rect", { x: x - wide / 2, width: wide, rx: 2 });
    const number = svgTag("text", { x }, "");
    const name = svgTag("text", { x, y: NAMES, class: "hc-key" }, text);
    const group = svgTag("g", {}, bar, number, name);
    group.dataset.key = "";
    return { bar, number, name, group, arc: svgTag("path", { fill: "none", stroke: `color-mix(in srgb, rgb(${HUES.never}) 78%, var(--hc-ink))` }) };
  }

  turnTo(query) {
    this.query = query;
    const { shares, queries, down, isAmong, hasOwnLabels } = this;
    const word = down === 0 ? "column" : "row";
    const meaning = shares.entry.meaning ? ` · ${shares.entry.meaning}` : "";
    this.title.replaceChildren(tag("b", {}, typesetNodes(shares.typeset.name)), `, ${word} ${quoted(queries[query])}${meaning}`);
    const x = isAmong ? this.centre(query) : this.width / 2;
    const y = hasOwnLabels ? NAMES : isAmong ? NAMES + QUERY : this.height - 6; // of the query's label
    const wide = LETTER * queries[query].length + 12;
    Object.entries({ x: x - wide / 2, y: y - 13.5, width: wide }).forEach(([name, value]) => this.frame.setAttribute(name, value));
    Object.entries({ x, y }).forEach(([name, value]) => this.asking.setAttribute(name, value));
    this.asking.textContent = hasOwnLabels ? "" : queries[query];
    this.keys.forEach((key, k) => this.bow(key, x, isAmong ? y + 5 : y - 14, k));
  }

  // The further the key, the deeper the arc; a query that is not itself a key sends it straight up.
  bow({ arc }, x, y, k) {
    const { isAmong, query, labels } = this;
    const end = this.centre(k);
    const far = Math.max(query, labels.length - 1 - query) || 1;
    const deep = BELOW + 1.3 * (14 + (ARC - 14) * Math.abs(k - query) / far);
    const [first, second] = isAmong ? [Math.max(deep, y + 8), deep] : [BELOW + 16, y - 8];
    arc.setAttribute("d", isAmong && k === query ? "" : `M${x} ${y}C${x} ${first} ${end} ${second} ${end} ${BELOW}`);
  }

  // While a given moves.
  follow(dirty) {
    const { shares, lists, query } = this;
    if (!shares || this.element.hidden || !dirty.has(shares)) return;
    const { values } = shares;
    const largest = largestOf(values);
    this.keys.forEach((key, k) => {
      const share = values[lists.at(query, k)];
      if (share !== key.share || largest !== this.largest) this.write(key, share, largest);
    });
    this.largest = largest;
  }

  write(key, share, largest) {
    key.share = share;
    const size = Number.isFinite(share) ? share : 0;
    const high = Math.max(BAR * size, 0.8).toFixed(1);
    const tint = background(share, largest, true);
    const text = typeset(show(share, this.explorer.places));
    if (high !== key.high) this.raise(key, size, Number(high));
    if (tint !== key.tint) key.bar.style.fill = tint;
    if (text !== key.text) key.number.textContent = text;
    Object.assign(key, { high, tint, text });
  }

  raise({ bar, number, arc }, size, high) {
    bar.setAttribute("y", FOOT - high);
    bar.setAttribute("height", high);
    number.setAttribute("y", FOOT - high - 4);
    arc.setAttribute("stroke-width", (0.7 + THICK * size).toFixed(2));
    arc.setAttribute("stroke-opacity", size > 0 ? (0.35 + 0.65 * size).toFixed(2) : 0);
  }

  // Write the picture in words, once the numbers rest.
  settle() {
    if (!this.shares) return;
    const told = this.keys.map(({ text }, k) => `${text} to ${this.labels[k]}`).join(", ");
    this.svg.setAttribute("aria-label", `${this.shares.inWords}, ${this.title.lastChild.data.slice(2)}: ${told}`);
  }

  pick(group) {
    if (!group) return;
    const k = this.keys.findIndex((key) => key.group === group);
    this.explorer.choose(this.shares, ...(this.down === 0 ? [k, this.query] : [this.query, k]));
  }
}
