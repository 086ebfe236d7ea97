// The judging of guesses, the page's words on them, and the score, step by step and round by round.

import { keep, kept, tag } from "../page/dom.js";

export const VERDICTS = {
  right: { sign: "✓", words: "Right." },
  second: { sign: "✓", words: "Right on the second try." },
  close: { sign: "≈", words: "Close." },
  wrong: { sign: "✗", words: "Not quite." },
  shown: { sign: "–", words: "Shown without a guess." },
};
const ONCE_MORE = "Try once more: the numbers it is made from are marked.";

// The marks of a round, by step: {kind, text, cell}. The first answer to a step counts; answering the first step
// of a block again begins a new round, and nothing is lost until then.
export class Score {
  // `title` names the calculation: its best round is kept in the browser.
  constructor(title) {
    this.title = title;
    this.marks = new Map();
    this.bests = new Map(); // if the browser keeps nothing, as long as the page is open
  }

  clear() {
    this.marks.clear();
  }

  // `names` are those of the steps of the block.
  add(name, mark, names) {
    if (this.marks.has(name) && name === names[0]) for (const own of names) this.marks.delete(own);
    if (!this.marks.has(name)) this.marks.set(name, mark);
  }

  count(kind, names = [...this.marks.keys()]) {
    return names.filter((name) => this.marks.get(name)?.kind === kind).length;
  }

  // The count, in words, of guesses that were right at once, right on the second try, and close.
  tally(count, names) {
    const also = [["second", "on the second try"], ["close", "close"]].map(([kind, words]) => [this.count(kind, names), words]);
    return [`${this.count("right", names)} of ${count} right`, ...also.filter(([number]) => number).map((part) => part.join(" "))].join(", ");
  }

  // The number of these steps that were guessed, rightly or not.
  guesses(names = [...this.marks.keys()]) {
    return names.length - this.count("shown", names) - names.filter((name) => !this.marks.has(name)).length;
  }

  get words() {
    const guesses = this.guesses();
    return guesses ? this.tally(guesses) : "";
  }

  // The most that were right in one round of these steps before this one, or null.
  best(names) {
    const best = Number(kept(this.keyOf(names)) ?? NaN);
    return Number.isInteger(best) && best <= names.length ? best : (this.bests.get(this.keyOf(names)) ?? null);
  }

  // A round has ended.
  keep(names) {
    const best = Math.max(this.count("right", names), this.best(names) ?? 0);
    this.bests.set(this.keyOf(names), best);
    keep(this.keyOf(names), String(best));
  }

  keyOf(names) {
    return `handcalc best ${this.title} ${names.join()}`.slice(0, 500);
  }
}

// A verdict's sign, in a shape of its own beside its colour.
export const signTag = (kind) => tag("i", { class: "hc-sign", "data-kind": kind, "aria-hidden": "true" }, VERDICTS[kind].sign);

// The verdict on a guess, in a line of its own; `goOn` says how to go on from there.
export function verdictTags(verdict, goOn = "") {
  if (!verdict || verdict.kind === "shown") return [];
  const { kind } = verdict;
  const words = tag("strong", { class: "hc-verdict", "data-kind": kind }, signTag(kind), ` ${VERDICTS[kind].words}`);
  return [tag("span", { class: "hc-verdict-line" }, words, ...afterVerdict(verdict, goOn).map((said) => ` ${said}`))];
}

// The same for those who listen.
export const verdictWords = (verdict) => (!verdict || verdict.kind === "shown" ? "" : [VERDICTS[verdict.kind].words, ...afterVerdict(verdict)].join(" "));

function afterVerdict({ kind, text, value, isOpen }, goOn = "") {
  const isRight = ["right", "second"].includes(kind);
  const isPlain = !/[=≈]/.test(text); // what was read otherwise than it was written is told in any case
  const said = isRight ? [isPlain ? "" : `${text}.`] : [`You said ${text}.`, isOpen ? ONCE_MORE : `It is ${value}.`, goOn];
  return said.filter(Boolean);
}

// Judge a number: right to the typed places; close within a tenth, or a twentieth of the largest number.
export function judgeNumber(text, guess, value, largest, places) {
  if (guess === value) return "right";
  if (!Number.isFinite(value)) return "wrong";
  const plain = /^[-−–+]?\d*(?:[.,](\d*))?$/.exec(text.trim()); // arithmetic is as exact as what is shown
  const typed = plain ? Math.min(places, plain[1]?.length ?? 0) : places;
  const off = Math.abs(guess - value);
  const isWhole = Number.isInteger(value);
  if ((typed > 0 && off <= 0.5 * 10 ** -typed + 1e-9) || (isWhole && off <= 1e-9)) return "right";
  return off <= Math.max(0.1 * Math.abs(value), 0.05 * largest) ? "close" : "wrong";
}

// The same for a number of a matrix; what a calculator gets from its line as it is printed is right, too.
export function judgeCell(text, guess, [matrix, row, column], places) {
  const largest = Math.max(...matrix.values.filter(Number.isFinite).map(Math.abs));
  const [exactly, typed] = [matrix.at(row, column), matrix.explain(row, column, places).printed[0]];
  const kind = judgeNumber(text, guess, exactly, largest, places);
  return kind !== "right" && judgeNumber(text, guess, typed, largest, places) === "right" ? "right" : kind;
}
