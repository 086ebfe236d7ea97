// A problem as this browser keeps it: the lines of a practice log, as exercise/attempt_log.py reads them.

import { download, keep, kept } from "../page/dom.js";
import { dictionary } from "../record/dictionary.js";

const KEY = "handcalc:practice:";
const LATEST = "handcalc:practising:";
const FILE = "handcalc-log.jsonl";
const NOT_KEPT = "Your numbers are still marked, but this browser keeps nothing.";

export class KeptProblem {
  constructor(code) {
    this.code = code;
    this.notice = "";
    this.lines = parsed(kept(KEY + code));
  }

  // Another tab may have written in the meantime; where nothing can be kept, it is known here alone.
  add(line) {
    if (!this.notice) this.lines = parsed(kept(KEY + this.code));
    this.lines.push({ code: this.code, ...line });
    this.notice = keep(KEY + this.code, JSON.stringify(this.lines)) ? "" : NOT_KEPT;
  }

  copy(texts) {
    for (const [step, cells] of Object.entries(texts)) {
      for (const [place, text] of Object.entries(cells)) {
        const [row, column] = place.split(",").map(Number);
        this.add({ step, row, column, text });
      }
    }
  }

  // The last text of each blank, of all lines or the first of them: {step: {"row,column": text}}.
  texts(lines = this.lines) {
    const found = dictionary();
    for (const { step, row, column, text } of lines) if (text !== undefined) (found[step] ??= {})[[row, column]] = text;
    return found;
  }

  get isFinished() {
    return this.lines.some(({ finished }) => finished);
  }

  // The problem that was worked on last, of a series.
  static latest([first]) {
    return kept(LATEST + first.code);
  }

  static remember([first], code) {
    keep(LATEST + first.code, code);
  }
}

// The lines of a stored text; none if it is not a list of lines, as it is not ours then.
function parsed(text) {
  try {
    const lines = JSON.parse(text ?? "[]");
    return Array.isArray(lines) ? lines : [];
  } catch {
    return [];
  }
}

// All of them as one file, which a teacher can mark.
export function saveAll(codes) {
  const lines = codes.filter(Boolean).flatMap((code) => new KeptProblem(code).lines);
  download(new Blob(lines.map((line) => `${JSON.stringify(line)}\n`)), FILE);
}
