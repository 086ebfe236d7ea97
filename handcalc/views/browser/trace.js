// The whole chain of a number: back to the givens it rests on, and forward to all that rests on it.

import { show, typeset } from "./numbers.js";
import { plain } from "./writing.js";
import { nameTag, tag } from "./tags.js";

const MOST_LINES = 12; // of one matrix; the rest is counted

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

  // Follow the chain of the chosen number; who reads whom does not change while givens move.
  find() {
    this.element.hidden = !this.isOn;
    this.back = this.onward = null;
    if (!this.isOn) return;
    const { calculation, chosen } = this.explorer;
    this.back = calculation.chain(chosen);
    this.onward = calculation.chain(chosen, true);
    this.refresh();
  }

  // The marks of the chain, as [address, class].
  *marks() {
    for (const cells of this.back?.values() ?? []) for (const cell of cells) yield [cell, "hc-rests-on"];
    for (const cells of this.onward?.values() ?? []) for (const cell of cells) yield [cell, "hc-reaches"];
  }

  refresh() {
    if (!this.isOn) return;
    const name = this.explorer.nameOf(this.explorer.chosen);
    const order = (chain) => [...chain].sort(([a], [b]) => a.index - b.index);
    const back = order(this.back).reverse();
    const onward = order(this.onward);
    const count = (chain) => chain.reduce((sum, [, cells]) => sum + cells.length, 0);
    this.head.textContent = `${name} rests on ${numbers(count(back))} and reaches ${numbers(count(onward))}.`;
    const part = (words, chain) => (chain.length ? [tag("li", { class: "hc-more-part" }, words), ...chain.map((group) => this.group(...group))] : []);
    this.list.replaceChildren(...part("Back to the givens", back), ...part("Forward to the end", onward));
  }

  group(matrix, cells) {
    const sorted = [...cells].sort(([, a, b], [, i, j]) => a - i || b - j);
    const isVeiled = this.explorer.sheet.veiled.has(matrix);
    const told = matrix.isGiven || isVeiled ? [] : sorted.slice(0, MOST_LINES);
    const rest = sorted.length - told.length;
    const lines = told.map((cell) => tag("li", {}, this.line(...cell)));
    if (told.length && rest) lines.push(tag("li", {}, `and ${rest} more`));
    const words = isVeiled ? "not calculated yet" : `${numbers(cells.length)}${matrix.isGiven ? ", given" : ""}`;
    return tag("li", {}, nameTag(matrix.name), ` ${words}`, lines.length ? tag("ul", {}, ...lines) : null);
  }

  line(matrix, row, column) {
    const { places } = this.explorer;
    const arithmetic = plain(matrix.explain(row, column, places));
    const result = show(matrix.at(row, column), places);
    const parts = [matrix.cellName(row, column), arithmetic, result];
    return typeset(parts.filter((part, k) => part !== parts[k - 1]).join(" = "));
  }
}

const numbers = (count) => (count === 1 ? "1 number" : `${count} numbers`);
