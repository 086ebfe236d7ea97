// What has changed: since the numbers were pinned, or by the handout's shortcuts.

import { show, typeset } from "./numbers.js";
import { fill } from "./variants.js";
import { cellNodes, nameTag, tag } from "./dom.js";

const MOST_LISTED = 30; // matrices; of more, only their count

export class Comparison {
  constructor(explorer) {
    this.explorer = explorer;
    this.pinned = null; // {arithmetic, givens}
    this.reference = null; // the calculation that numbers are compared with
    this.head = tag("p", { class: "hc-more-head" });
    this.list = tag("ul", {});
    this.element = tag("section", { class: "hc-more", "aria-label": "What changed", tabindex: "0", hidden: "" }, this.head, this.list);
  }

  get isDrift() {
    return this.explorer.arithmetic === "handout" && !this.pinned;
  }

  pin(isPinned) {
    const { arithmetic, givens } = this.explorer;
    this.pinned = isPinned ? { arithmetic, givens } : null;
    this.open();
  }

  // Calculate what to compare with anew: after a pin, and in another form of the sheet.
  open() {
    const { variants, convention, givens } = this.explorer;
    this.reference = null;
    if (this.pinned) this.reference = variants.calculate(convention, this.pinned.arithmetic, this.pinned.givens);
    else if (this.isDrift) this.reference = variants.calculate(convention, "exact", givens);
    this.counterparts = new Map(this.explorer.calculation.matrices.map((matrix) => [matrix, this.counterpart(matrix)]));
  }

  counterpart(matrix) {
    const other = matrix.name && this.reference?.byName.get(matrix.name);
    return other && String(other.entry.shape) === String(matrix.entry.shape) ? other : null;
  }

  before(matrix) {
    return this.counterparts.get(matrix)?.values ?? null;
  }

  // Drift is measured on the same givens, so the exact calculation moves with them.
  follow() {
    if (this.isDrift) fill(this.reference, this.explorer.variants.inConvention(this.explorer.givens, this.explorer.convention));
  }

  // What became of one number: `exact 10.31, drift −2.48`.
  describe(matrix, row, column) {
    const before = this.before(matrix);
    if (!before) return "";
    const [was, now] = [before[row * matrix.columnCount + column], matrix.at(row, column)];
    if (Math.abs(now - was) <= 1e-12) return this.isDrift ? "same as exact" : "same as when pinned";
    const { places } = this.explorer;
    const change = typeset(show(now - was, places));
    const sign = now > was ? "+" : "";
    return `${this.isDrift ? "exact" : "pinned"} ${typeset(show(was, places))}, ${this.isDrift ? "drift" : "change"} ${sign}${change}`;
  }

  refresh() {
    this.element.hidden = !this.reference;
    if (!this.reference) return;
    const changed = this.explorer.calculation.matrices.filter((m) => m.isVisible).map((m) => this.largest(m)).filter(Boolean).reverse();
    const what = this.isDrift ? "Drift of the shortcuts, against the exact numbers" : "Since the pin";
    this.head.textContent = changed.length ? `${what}:` : `${what}: no number has changed.`;
    const lines = changed.slice(0, MOST_LISTED).map((found) => this.line(found));
    const rest = changed.length - lines.length;
    this.list.replaceChildren(...lines, ...(rest > 0 ? [tag("li", {}, `and ${rest} more matrices`)] : []));
  }

  // The number of a matrix that has changed most, and how many have.
  largest(matrix) {
    const before = this.before(matrix);
    if (!before || this.explorer.desk.concealed.has(matrix)) return null;
    let [count, most, at] = [0, 0, -1];
    for (let k = 0; k < before.length; k += 1) {
      const change = Math.abs(matrix.values[k] - before[k]);
      if (!(change > 1e-12)) continue;
      count += 1;
      if (change > most) [most, at] = [change, k];
    }
    return at < 0 ? null : { matrix, count, row: Math.floor(at / matrix.columnCount), column: at % matrix.columnCount };
  }

  line({ matrix, count, row, column }) {
    const { places } = this.explorer;
    const was = this.before(matrix)[row * matrix.columnCount + column];
    const now = matrix.at(row, column);
    const sign = now > was ? "+" : "";
    const change = typeset(` ${show(was, places)} → ${show(now, places)} (${sign}${show(now - was, places)})`);
    const total = matrix.values.length;
    const words = ` ${count} of ${total}${count > 1 ? ", most of all" : ":"} `;
    return tag("li", {}, nameTag(matrix), words, cellNodes([matrix, row, column]), change);
  }
}
