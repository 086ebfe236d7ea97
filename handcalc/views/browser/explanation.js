// About the chosen number: its formula and reason, its arithmetic, what it reads and feeds.

import { condensed } from "./links.js";
import { show, typeset } from "./numbers.js";
import { LOWERED, RAISED } from "./writing.js";
import { cellNodes, equationNodes, tag, typesetNodes } from "./dom.js";

const TROUBLE = "A division by zero, or a number too large to write: choose another value for the given.";

export class Explanation {
  constructor(explorer) {
    this.explorer = explorer;
    this.why = tag("p", { class: "hc-why" });
    this.reason = tag("p", { class: "hc-reason" });
    this.line = tag("p", { class: "hc-arithmetic" });
    this.links = tag("p", { class: "hc-links" });
    this.element = tag("div", { class: "hc-messages", role: "status", "aria-live": "polite" },
      this.why, this.reason, this.line, this.links);
  }

  // While a given moves, a screen reader is spared the numbers on the way.
  setBusy(isBusy) {
    this.element.setAttribute("aria-busy", String(isBusy));
  }

  refresh() {
    const { chosen, stepper } = this.explorer;
    const [matrix] = chosen;
    const words = [matrix.isGiven ? "given" : "", matrix.entry.meaning].filter(Boolean).join(" · ");
    const formula = matrix.isGiven ? [] : [" · ", equationNodes(matrix)];
    this.why.replaceChildren(tag("strong", {}, cellNodes(chosen)), ...formula, words ? ` · ${words}` : "");
    this.reason.replaceChildren(...stepper.verdictTags(), stepper.verdict ? " " : "", matrix.isGiven ? "" : matrix.entry.why ?? "");
    this.line.replaceChildren(...this.lineTags());
    this.links.replaceChildren(typesetNodes(this.linksHtml()));
  }

  // The arithmetic of the chosen number, in the accents of what it reads.
  lineTags() {
    const { chosen, sheet, places } = this.explorer;
    const [matrix, row, column] = chosen;
    const name = tag("b", { class: "hc-result" }, cellNodes(chosen));
    if (sheet.concealed.has(matrix)) return [name, " = ?"];
    const result = typeset(show(matrix.at(row, column), places));
    const ends = [" = ", tag("b", { class: "hc-result" }, result)];
    const arithmetic = matrix.isGiven ? [] : this.tokens(matrix, row, column);
    const isRepeated = arithmetic.map((part) => part.textContent ?? part).join("") === result;
    return isRepeated || matrix.isGiven ? [name, ...ends] : [name, " = ", ...arithmetic, ...ends];
  }

  tokens(matrix, row, column) {
    const { highlight, places } = this.explorer;
    const roles = new Map(highlight.roles().map(([[m, i, j], role]) => [`${m.index}:${i}:${j}`, role]));
    const open = [[]];
    for (const token of matrix.explain(row, column, places).tokens) {
      if (token === RAISED) open.push([]);
      else if (token === LOWERED) open.at(-2).push(tag("sup", {}, ...open.pop()));
      else if (typeof token === "string") open.at(-1).push(token);
      else open.at(-1).push(this.number(token, roles));
    }
    return open[0];
  }

  number({ text, matrix, row, column }, roles) {
    return tag("span", { class: roles.get(`${matrix.index}:${row}:${column}`), title: matrix.cellName(row, column) }, text);
  }

  linksHtml() {
    const { calculation, chosen, comparison, sheet } = this.explorer;
    if (!calculation.isSound()) return TROUBLE;
    const sources = condensed(chosen[0].sources(chosen[1], chosen[2]));
    const readers = condensed(calculation.feeds(...chosen));
    const from = chosen[0].isGiven ? "a given" : sources.length ? `reads ${sources.join(", ")}` : "reads nothing";
    const change = sheet.concealed.has(chosen[0]) ? "" : comparison.describe(...chosen);
    const parts = [from, readers.length ? `feeds ${readers.join(", ")}` : "feeds nothing further", change];
    return parts.filter(Boolean).join("  |  ");
  }
}
