// How a guess is judged, what the page says of it, and what has been scored so far.

import { tag } from "./dom.js";

const VERDICTS = { right: ["✓", "Right."], close: ["≈", "Close."], wrong: ["✗", "Not quite."] };

export class Score {
  constructor() {
    this.clear();
  }

  clear() {
    this.counts = { right: 0, close: 0, wrong: 0 };
  }

  add(verdict) {
    this.counts[verdict] += 1;
  }

  get words() {
    const { right, close, wrong } = this.counts;
    const count = right + close + wrong;
    return count ? `${right} of ${count} right${close ? `, ${close} close` : ""}` : "";
  }
}

// The verdict on a guess, before the arithmetic.
export function verdictTags(verdict) {
  if (!verdict) return [];
  const { kind, text } = verdict;
  return [tag("strong", { class: `hc-${kind}` }, VERDICTS[kind].join(" ")), kind === "right" ? "" : ` You said ${text}.`];
}

// Right to the places that were typed; close within a tenth, or a twentieth of the matrix's largest.
export function judged(text, guess, [matrix, row, column], places) {
  const value = matrix.at(row, column);
  if (guess === value) return "right";
  const plain = /^[-−–+]?\d*(?:[.,](\d*))?$/.exec(text.trim()); // arithmetic is as exact as what is shown
  const typed = plain ? Math.min(places, plain[1]?.length ?? 0) : places;
  const off = Math.abs(guess - value);
  const isWhole = Number.isInteger(value);
  if ((typed > 0 && off <= 0.5 * 10 ** -typed + 1e-9) || (isWhole && off <= 1e-9)) return "right";
  const largest = Math.max(...matrix.values.filter(Number.isFinite).map(Math.abs));
  return off <= Math.max(0.1 * Math.abs(value), 0.05 * largest) ? "close" : "wrong";
}
