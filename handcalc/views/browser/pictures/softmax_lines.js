// The softmax of one column, laid out from left to right: each score, e to it, and its share of the sum, with bars.

import { background, largestOf } from "../record/colours.js";
import { show, typeset } from "../record/numbers.js";
import { listsOf } from "../record/shares.js";
import { quoted, softmaxOf } from "./sharing.js";
import { tag, typesetNodes } from "../page/dom.js";

const MAX_SUMMANDS = 12;
const [GRID_WIDTH, MIN_WIDTH, GRID_HEAD, GRID_LINE] = [260, 228, 46, 19]; // pixels
const SOFTMAX_COLOURS = `--hc-plus:${background(1, 1, false)};--hc-minus:${background(-1, 1, false)};--hc-never:${background(1, 1, true)}`;
const SOFTMAX_STEPS = ["scores", "powers", "shares"];

export class SoftmaxLines {
  constructor(explorer) {
    this.explorer = explorer;
    this.title = tag("p", { class: "hc-picture-title" });
    this.grid = tag("div", { class: "hc-softmax-grid", style: SOFTMAX_COLOURS });
    this.element = tag("figure", { class: "hc-softmax", hidden: "" }, this.title, this.grid);
  }

  // The room that it takes, or took when last shown on this sheet: so pictures beside it stay where they are.
  get size() {
    return this.lines && this.level === this.explorer.level ? { width: GRID_WIDTH, least: MIN_WIDTH, height: GRID_HEAD + GRID_LINE * (this.lines.length + 1) } : null;
  }

  refresh(isOnPage) {
    const { calculation, chosen, openSheets, level } = this.explorer;
    const found = isOnPage ? softmaxOf(chosen, calculation) : null;
    const isFit = found && listsOf(found.shares, found.down).length <= MAX_SUMMANDS;
    this.element.hidden = !isFit || [...SOFTMAX_STEPS, "sums"].some((step) => openSheets.concealed.has(found[step]));
    if (!isFit) return (this.found = null);
    this.level = level;
    if (found.shares !== this.found?.shares) this.build(found);
    this.found = found;
    this.turn();
    this.follow(new Set([found.scores, found.shares]));
  }

  build({ scores, powers, sums, shares, down }) {
    const labels = shares.labels(down);
    const named = ({ typeset: { name, formula } }) => tag("b", {}, typesetNodes(name || formula));
    const made = (step, ...by) => [typesetNodes(step.entry.badge ?? ""), ...by, " → ", named(step)];
    const heads = [[named(scores)], made(powers), made(shares, ...(sums.name ? [" ", typesetNodes(sums.typeset.name)] : []))].map((parts) => tag("span", { class: "hc-softmax-head" }, ...parts));
    this.lines = Array.from({ length: listsOf(shares, down).length }, (_, k) => this.line(labels?.[k] ?? String(k + 1)));
    this.sum = tag("span", { class: "hc-softmax-sum" });
    this.whole = tag("span", { class: "hc-softmax-sum" });
    const foot = [tag("span"), tag("span"), this.sum, tag("span", { class: "hc-softmax-name" }, sums.name ? named(sums) : ""), this.whole, tag("span")];
    this.grid.replaceChildren(tag("span"), ...heads, ...this.lines.flatMap(({ nodes }) => nodes), tag("span"), ...foot);
  }

  line(label) {
    const name = tag("span", { class: "hc-softmax-key" }, label);
    const parts = SOFTMAX_STEPS.map((step) => ({ number: tag("span", { class: "hc-softmax-number" }, ""), bar: tag("i"), step }));
    const cells = parts.flatMap(({ number, bar, step }) => [number, tag("span", { class: `hc-softmax-bar hc-of-${step}` }, bar)]);
    return { name, parts, nodes: [name, ...cells] };
  }

  // Another list of it, or another of its numbers.
  turn() {
    const { shares, down, list } = this.found;
    const { chosen } = this.explorer;
    const label = shares.labels(1 - down)?.[list] ?? String(list + 1);
    const isAlone = listsOf(shares, down).count === 1;
    this.title.textContent = isAlone ? "Softmax" : `Softmax of ${down === 0 ? "column" : "row"} ${quoted(label)}`;
    this.lines.forEach(({ nodes }, k) => {
      const isOn = this.found.sums !== chosen[0] && chosen[1 + down] === k;
      for (const node of nodes) node.classList.toggle("hc-on", isOn);
    });
  }

  follow(dirty) {
    if (!this.found || this.element.hidden) return;
    const { scores, sums, shares, down, list } = this.found;
    if (!dirty.has(scores) && !dirty.has(shares)) return;
    const { at } = listsOf(shares, down);
    SOFTMAX_STEPS.forEach((step, column) => {
      const values = this.lines.map((_, k) => this.found[step].values[at(list, k)]);
      const whole = step === "shares" ? 1 : largestOf(values);
      this.lines.forEach(({ parts }, k) => this.write(parts[column], values[k], whole));
    });
    const sum = typeset(show(sums.values[list], this.explorer.places));
    if (this.sum.textContent !== sum) this.sum.textContent = sum;
    const whole = Number.isFinite(sums.values[list]) && sums.values[list] !== 0 ? "1" : "";
    if (this.whole.textContent !== whole) this.whole.textContent = whole;
  }

  write(part, value, largest) {
    const size = (Number.isFinite(value) && largest ? value / largest : 0).toFixed(3);
    const text = typeset(show(value, this.explorer.places));
    if (size !== part.size) {
      part.bar.style.transform = `scaleX(${size})`;
      part.bar.className = size < 0 ? "hc-minus" : "";
    }
    if (text !== part.text) part.number.textContent = text;
    Object.assign(part, { size, text });
  }
}
