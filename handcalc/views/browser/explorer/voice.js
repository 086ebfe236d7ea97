// The live region for listeners: a screen reader reads it whenever it changes. Among the numbers of a matrix it
// reads the number that arrow keys have come to by itself, so nothing is said here.

import { showOf, typeset } from "../record/numbers.js";
import { verdictWords } from "../steps/score.js";
import { tag, wordsOf } from "../page/dom.js";

export class Voice {
  constructor(explorer) {
    this.explorer = explorer;
    this.element = tag("p", { class: "hc-unseen", role: "status" });
  }

  say(...parts) {
    this.element.textContent = parts.filter(Boolean).join(" ");
  }

  // Say the arithmetic of the chosen number, after the verdict on a guess at it.
  tellNumber(verdict = null, why = "") {
    const { line, slip } = this.explorer.explanation;
    this.say(verdictWords(verdict), wordsOf(line).trim(), why, wordsOf(slip).trim());
  }

  // While numbers move, spare listeners the values on the way.
  setBusy(isBusy) {
    this.isBusy = isBusy;
    this.element.setAttribute("aria-busy", String(isBusy));
    if (!isBusy) this.compare();
  }

  // The chosen number, where it is another one than before: 3.1 in Z[2,1], up from 2.83.
  compare() {
    const { chosen, openSheets, places } = this.explorer;
    if (this.isBusy) return;
    const [matrix, row, column] = chosen;
    const { name, value } = this.last ?? {};
    const now = openSheets.concealed.has(matrix) ? NaN : matrix.at(row, column);
    this.last = { name: matrix.cellName(row, column), value: now };
    if (name !== this.last.name || !(now < value || now > value)) return; // NaN is neither
    const [is, was] = [now, value].map((number) => typeset(showOf(matrix, number, places)));
    if (is !== was) this.say(`${is} in ${name}, ${now > value ? "up" : "down"} from ${was}.`);
  }
}
