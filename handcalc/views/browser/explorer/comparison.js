// Comparison: changes since the numbers were pinned, by a what-if, or by the handout's shortcuts.

import { WhatIfState } from "../givens/what_if_state.js";
import { plural, show, typeset } from "../record/numbers.js";
import { downOf, isShares } from "../record/shares.js";
import { fillGivens } from "../record/variants.js";
import { isOff } from "../record/operations.js";
import { cellNodes, nameTag, tag } from "../page/dom.js";

const MAX_LISTED = 30; // matrices; of more, only their count

// The kinds of comparison, and their words.
const SAID_OF_CHANGES = {
  pin: { before: "pinned", change: "change", same: "same as when pinned", head: "Since you pinned" },
  whatIf: { before: "before", change: "change", same: "same as before", head: "What this changes" },
  drift: { before: "exact", change: "drift", same: "same as exact", head: "How far the shortcuts drift from the exact numbers" },
};

export class Comparison {
  constructor(explorer) {
    this.explorer = explorer;
    this.pinned = null; // {arithmetic, givens, whatIf}
    this.reference = null; // the calculation that numbers are compared with
    this.asked = new WhatIfState(explorer);
    this.head = tag("p", { class: "hc-more-head" });
    this.list = tag("ul", {});
    this.element = tag("section", { class: "hc-more", "aria-label": "What changed", tabindex: "0", hidden: "" }, this.head, this.list);
  }

  // A pin, which a reader sets, comes first; otherwise a what-if is compared with the state before it, shortcuts with exact numbers.
  get kind() {
    const { explorer: { arithmetic }, asked } = this;
    return this.pinned ? "pin" : asked.isAny ? "whatIf" : arithmetic === "handout" ? "drift" : null;
  }

  pin(isPinned) {
    const { arithmetic, givens, whatIf } = this.explorer;
    this.pinned = isPinned ? { arithmetic, givens, whatIf } : null;
    this.open();
  }

  // Calculate the reference again: after a pin, or in another form of the sheet.
  open() {
    const { arithmetic, givens, whatIf, variants, convention } = this.explorer;
    this.asked.note();
    const { asked, kind, pinned } = this;
    const calculate = (...form) => variants.calculate(convention, ...form);
    this.reference = null;
    if (kind === "pin") this.reference = calculate(pinned.arithmetic, pinned.givens, pinned.whatIf);
    else if (kind === "whatIf") this.reference = calculate(arithmetic, asked.before(givens), asked.text);
    else if (kind === "drift") this.reference = calculate("exact", givens, whatIf);
    this.counterparts = new Map(this.explorer.calculation.matrices.map((matrix) => [matrix, this.counterpart(matrix)]));
  }

  counterpart(matrix) {
    const other = matrix.name && this.reference?.byName.get(matrix.name);
    if (other && isOff(other.operation)) return null;
    return other && String(other.entry.shape) === String(matrix.entry.shape) ? other : null;
  }

  before(matrix) {
    return this.counterparts.get(matrix)?.values ?? null;
  }

  // The value that a number is compared with; null without a pin or a what-if, and where there was no such number.
  valueBefore([matrix, row, column]) {
    return this.before(matrix)?.[row * matrix.columnCount + column] ?? null;
  }

  // Calculate the reference from the same givens, unless it is pinned.
  follow() {
    const { kind, asked, explorer: { givens, variants, convention } } = this;
    if (!kind || kind === "pin") return;
    fillGivens(this.reference, variants.inConvention(kind === "whatIf" ? asked.before(givens) : givens, convention));
  }

  // The change of one number, in words: `exact 10.31, drift −2.48`.
  describe(matrix, row, column) {
    const [was, now] = [this.valueBefore([matrix, row, column]), matrix.at(row, column)];
    if (was === null) return "";
    const words = SAID_OF_CHANGES[this.kind];
    if (Math.abs(now - was) <= 1e-12) return this.renamed(matrix, row, column) ? `${words.same}, but for another token` : words.same;
    const { before, change } = changeOf(was, now, this.explorer.places);
    return `${words.before} ${before}, ${words.change} ${change}`;
  }

  // The tokens whose line a number is in now, after tokens have changed places.
  renamed(matrix, row, column) {
    return this.kind === "whatIf" ? renamedTokens(matrix, this.reference.byName.get(matrix.name), row, column) : "";
  }

  refresh() {
    this.element.hidden = !this.reference;
    if (!this.reference) return;
    const { changed } = this;
    this.head.replaceChildren(...this.headOf(changed.length > 0));
    const lines = changed.slice(0, MAX_LISTED).map((found) => this.line(found));
    const rest = changed.length - lines.length;
    this.list.replaceChildren(...lines, ...(rest > 0 ? [tag("li", {}, `and ${rest} more matrices`)] : []));
  }

  // A pin compares everything, a what-if only the open sheets, so that nothing else need be calculated.
  get changed() {
    const { calculation: { matrices }, openSheets } = this.explorer;
    const compared = matrices.filter((m) => (this.kind !== "whatIf" || openSheets.shows(m)) && m.isVisible);
    return compared.map((m) => this.largest(m)).filter(Boolean);
  }

  // A what-if first tells the new value of the chosen number, and to which token it now belongs.
  headOf(isChanged) {
    const { head } = SAID_OF_CHANGES[this.kind];
    const [matrix, row, column] = this.explorer.chosen ?? [];
    const isTold = matrix && this.kind === "whatIf" && this.before(matrix) && !this.explorer.openSheets.concealed.has(matrix);
    const moved = isTold && this.renamed(matrix, row, column);
    const fate = !isChanged ? [`${head}: no number has changed.`] : isTold ? this.fateOf({ matrix, row, column }) : [`${head}:`];
    return [...fate, ...(moved ? [`; ${moved}`] : [])];
  }

  fateOf({ matrix, row, column }) {
    const now = matrix.at(row, column);
    if (Math.abs(now - this.valueBefore([matrix, row, column])) > 1e-12) return this.told({ matrix, row, column });
    const { count } = this.largest(matrix) ?? {};
    const stays = [cellNodes([matrix, row, column]), ` stays ${changeOf(now, now, this.explorer.places).after}; `];
    if (count) return [...stays, `${plural(count, "other")} of `, nameTag(matrix), count > 1 ? " change" : " changes"];
    return [...(matrix.isGiven ? ["Most of all "] : [...stays, "most of all "]), ...this.told(this.latest())];
  }

  // One number that the what-if changes, to look at: of the last shares, else of the last matrix.
  latest() {
    const { changed, explorer: { calculation } } = this;
    return changed.findLast(({ matrix }) => isShares(matrix, downOf(calculation))) ?? changed.at(-1);
  }

  // The number of a matrix that has changed most, and how many have.
  largest(matrix) {
    const before = this.before(matrix);
    if (!before || this.explorer.openSheets.concealed.has(matrix)) return null;
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
    const total = matrix.values.length;
    const words = ` ${count} of ${total}${count > 1 ? ", most of all" : ":"} `;
    return tag("li", {}, nameTag(matrix), words, ...this.told({ matrix, row, column }));
  }

  // A[2,4] 0.77 → 0.95 (+0.18)
  told({ matrix, row, column }) {
    const was = this.valueBefore([matrix, row, column]);
    const { before, after, change } = changeOf(was, matrix.at(row, column), this.explorer.places);
    return [cellNodes([matrix, row, column]), ` ${before} → ${after} (${change})`];
  }
}

const MORE_PLACES = 2; // at most, beside those of the sheet

// The words of a change. 1.53 → 1.62 may be a change of 0.08, as in 1.5343 → 1.6167: write the fewest decimals that add up; if a few
// more do not help, ≈ says that the change is that of the exact numbers, not of the rounded ones.
export function changeOf(was, now, places) {
  const sign = now > was ? "+" : "";
  const written = (k) => [was, now, now - was].map((value) => show(value, k));
  for (let k = places; k <= places + MORE_PLACES; k += 1) {
    const [before, after, change] = written(k).map(typeset);
    if (addsUp(written(k), k)) return { before, after, change: sign + change };
  }
  const [before, after, change] = written(places).map(typeset);
  return { before, after, change: /[1-9]/.test(change) ? `≈ ${sign}${change}` : `less than ${show(10 ** -places, places)}` };
}

function addsUp([was, now, change], places) {
  const off = Math.abs(Number(now) - Number(was) - Number(change));
  return !(off > 0.1 * 10 ** -places) && /[1-9∞]/.test(change);
}

// `row 1 is “man” now, no longer “dog”`, for the row and the column of a number; "" if both are as they were.
function renamedTokens(now, before, row, column) {
  const sides = [["row", 0, row], ["column", 1, column]];
  const said = ([word, axis, k]) => {
    const [is, was] = [now, before].map((matrix) => matrix.labels(axis)?.[k]);
    return is === was || !is || !was ? [] : `${word} ${k + 1} is “${is}” now, no longer “${was}”`;
  };
  return sides.flatMap(said).join(", ");
}
