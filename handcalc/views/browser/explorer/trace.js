// The whole chain of a number: back to the givens it depends on, and forward to all that it affects.

import { plural } from "../record/numbers.js";
import { blockName, wayTo } from "../sheet/ports.js";
import { lineOf } from "../record/expression.js";
import { KEEPS_KEYS, cellNodes, nameTag, tag, typesetNodes } from "../page/dom.js";

const MAX_LINES = 200; // of one matrix
const MAX_OPEN = 90; // links that are written out at once; of a longer chain, each matrix opens by itself

// Whether one number moves another may hang on a weight, which can be 0; the record of inputs does not change.
const extent = (from, into, isGiven) =>
  ` is ${isGiven ? "given" : `made from ${from ? plural(from, "number") : "no other number"}`} and goes into ${into ? plural(into, "number") : "nothing else"}.`;

export class Trace {
  constructor(explorer) {
    this.explorer = explorer;
    this.isOn = false;
    this.list = tag("ul", {});
    this.head = tag("p", { class: "hc-more-head" });
    this.element = tag("section", { class: "hc-more", "aria-label": "The chain of this number", tabindex: "0", hidden: "" }, this.head, this.list);
  }

  turn(isOn) {
    this.isOn = isOn;
    this.find();
  }

  // Follow the chain of the chosen number; dependencies do not change while givens move.
  find() {
    this.element.hidden = !this.isOn;
    this.back = this.onward = null;
    const { calculation, chosen, navigation } = this.explorer;
    navigation.map.touch([]);
    if (!this.isOn) return;
    this.back = calculation.chain(chosen);
    this.onward = calculation.chain(chosen, true);
    navigation.map.touch([chosen[0], ...this.back.keys(), ...this.onward.keys()]);
    this.write();
  }

  // The class of a cell that is in the chain.
  markOf(matrix, row, column) {
    if (this.back?.get(matrix)?.has(row, column)) return "hc-upstream";
    return this.onward?.get(matrix)?.has(row, column) ? "hc-downstream" : null;
  }

  // The chain in words: the matrices in it, and under each the arithmetic of its links.
  write() {
    const order = (chain) => [...chain].sort(([a], [b]) => a.index - b.index);
    const [back, onward] = [order(this.back).reverse(), order(this.onward)];
    const count = (chain) => chain.reduce((sum, [, marks]) => sum + marks.count, 0);
    this.isShort = count([...back, ...onward].filter(([matrix]) => !matrix.isGiven)) <= MAX_OPEN;
    this.groups = [];
    this.head.replaceChildren(cellNodes(this.explorer.chosen), extent(count(back), count(onward), this.explorer.chosen[0].isGiven));
    const part = (words, chain) => (chain.length ? [tag("li", { class: "hc-more-part" }, words), ...chain.map((group) => this.group(...group))] : []);
    this.list.replaceChildren(...part("Back to the givens", back), ...part("Forward to the end", onward));
  }

  group(matrix, marks) {
    const isConcealed = this.explorer.openSheets.concealed.has(matrix);
    const words = isConcealed ? "not calculated yet" : `${plural(marks.count, "number")}${matrix.isGiven ? ", given" : ""}`;
    const { openSheets, levels } = this.explorer;
    const way = openSheets.shows(matrix) ? [] : [" · ", wayTo(matrix.name, blockName(levels, matrix))];
    if (matrix.isGiven || isConcealed) return tag("li", {}, nameTag(matrix), ` ${words}`, ...way);
    const lines = tag("ul");
    const open = this.isShort ? { open: "" } : {};
    const group = tag("details", open, tag("summary", KEEPS_KEYS, nameTag(matrix), ` ${words}`), lines);
    this.groups.push([group, lines, marks, []]);
    group.addEventListener("toggle", () => this.refresh());
    this.fill(this.groups.at(-1));
    return tag("li", {}, group, ...way);
  }

  // Givens have moved: write the open lines again.
  refresh() {
    if (this.isOn) this.groups.forEach((group) => this.fill(group));
  }

  fill([group, lines, marks, written]) {
    if (!group.open) return;
    marks.cells(MAX_LINES).forEach((cell, k) => {
      const line = lineOf(cell, this.explorer.places);
      const item = lines.children[k] ?? lines.appendChild(tag("li"));
      if (written[k] !== line) item.replaceChildren(typesetNodes(line));
      written[k] = line;
    });
    const rest = marks.count - MAX_LINES;
    if (rest > 0 && lines.children.length === MAX_LINES) lines.append(tag("li", {}, `and ${plural(rest, "more number")}`));
  }
}
