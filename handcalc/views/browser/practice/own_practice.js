// Practice in a page of its own, without Python: problems one after the other, marked here, kept in this browser.

import { Calculation } from "../record/calculation.js";
import { Levels } from "../record/sheet_levels.js";
import { html, inLetters, lineOf } from "../record/expression.js";
import { counted, show, typeset } from "../record/numbers.js";
import { parseNumber } from "../record/parse_number.js";
import { button, tag } from "../page/dom.js";
import { dictionary } from "../record/dictionary.js";
import { KeptProblem, saveAll } from "./kept_problem.js";
import { Marking } from "./marking.js";
import { Practice } from "./practice.js";
import { fill, onSheet } from "./replay.js";

const KEPT = "What you type stays in this browser.";
const MAX_CELLS_IN_LETTERS = 24; // numbers that go into one, in a line that somebody reads
const LIST = new Intl.ListFormat("en-GB");
const SAME = "This gives the same numbers: ";
const IN_HAND = { entries: [], add() {}, confirm() {} }; // nothing waits: it is kept at once

export class OwnPractice {
  // `given` is what practice/exercise/practice_file.py hands over: {problems, nodes, told, slips, ranks}; of each problem {code,
  // whole, spec, blank, places, sizes, hints, begin, known, hiding}, where `whole` is the code of the same numbers with every step to fill
  // in, "" where that is so already. What mistakes lead to is told as explanations.js has it.
  constructor(root, { problems, ...known }) {
    Object.assign(this, { problems, known });
    this.place = Math.max(0, problems.findIndex(({ code }) => code === KeptProblem.latest(problems)));
    this.load();
    const sheet = tag("div");
    const save = button("Save my answers", () => saveAll(problems.flatMap(({ code, whole }) => [code, whole])));
    root.replaceChildren(sheet, tag("div", { class: "handcalc-explorer" }, tag("p", { class: "hc-kept-here" }, KEPT, " ", save)));
    this.page = new Practice(sheet, this.state, {
      onText: (...typed) => this.write(...typed),
      onAsk: (what, step) => this.ask(what, step),
      outboxOf: () => IN_HAND,
    });
    this.page.goToFirst();
  }

  load(isWhole = false) {
    const problem = this.problems[this.place];
    const { spec } = problem;
    this.isWhole = isWhole;
    this.problem = isWhole ? { ...problem, code: problem.whole, blank: spec.matrices.filter(({ name }) => name in problem.hints).map(({ name }) => name) } : problem;
    this.kept = new KeptProblem(this.problem.code);
    this.calculation = new Calculation(spec);
    this.levels = new Levels(this.calculation);
    this.help = { told: new Set(), letters: new Set(), worked: new Set(), followed: new Set() };
    this.hints = dictionary();
    for (const [k, { hint }] of this.kept.lines.entries()) if (hint) this.giveAgain(hint, this.kept.lines.slice(0, k));
    this.mark();
  }

  // The state that the page shows, in the form that practise.py hands over.
  get state() {
    const { problem, problems, isWhole, kept, place } = this;
    const isLast = !isWhole && place === problems.length - 1;
    const plan = { number: place + 1, of: isWhole ? 1 : problems.length, part: !isWhole && Boolean(problem.whole), hiding: problem.hiding };
    return {
      ...problem, plan, texts: kept.texts(), states: this.states, messages: this.messages, notice: kept.notice, finished: this.isFinished,
      done: problems.filter(({ code }) => new KeptProblem(code).isFinished).length, hint: "", hints: this.hints, spent: this.problem.blank.filter((step) => !this.hintFor(step)),
      back: isWhole || place > 0, ...(isLast ? { onward: null } : {}),
    };
  }

  write(step, row, column, text) {
    this.kept.add({ step, row, column, text });
    this.mark();
    if (this.isFinished && !this.kept.isFinished) this.kept.add({ finished: true, day: new Date().toLocaleDateString("sv") });
    this.page.update(this.state);
  }

  ask(what, step) {
    if (what === "hint") this.hint(step);
    else if (what === "whole") this.open(0, true);
    else this.open(this.isWhole ? 0 : what === "next" ? 1 : -1);
  }

  open(by, isWhole = false) {
    const { texts } = this.kept;
    this.place += by;
    this.load(isWhole);
    if (isWhole && !this.kept.lines.length) this.kept.copy(texts);
    this.mark();
    KeptProblem.remember(this.problems, this.problems[this.place].code);
    this.page.open(this.state);
    this.page.goToFirst();
  }

  // marking -------------------------------------------------------------------------------------

  mark(texts = this.kept.texts()) {
    const { places, blank, hiding } = this.problem;
    this.answers = new Map();
    this.unread = dictionary();
    for (const step of blank) this.answers.set(step, this.numbersOf(step, texts[step] ?? {}));
    const copies = Object.keys(hiding).filter((step) => texts[step]).map((step) => [step, this.copyInto(step)]);
    this.marking = new Marking(this.calculation, this.answers, places, { ...this.known, ...this.problem.known }, (...read) => this.levels.nameBeside(...read));
    const found = [...this.marking.states.values()].flat();
    this.isFinished = found.every((state) => state === "correct");
    const shown = new Map(this.marking.states);
    if (!this.isFinished) for (const [step, copied] of copies) shown.set(step, shown.get(step).map((state, k) => (copied[k] ? "not attempted" : state)));
    this.states = dictionary(Object.fromEntries([...shown].map(([step, flat]) => [step, this.rowsOf(step, flat)])));
    this.messages = this.messagesOf(blank);
  }

  numbersOf(step, texts) {
    const matrix = this.calculation.byName.get(step);
    const numbers = fill(matrix, NaN);
    for (const [place, text] of Object.entries(texts)) {
      const [row, column] = place.split(",").map(Number);
      const { value, trouble } = parseNumber(text);
      numbers[row * matrix.columnCount + column] = value;
      if (trouble) (this.unread[step] ??= []).push({ row, column, trouble });
    }
    return numbers;
  }

  // Fill in the numbers that a mask leaves, once it has begun to hide others: a copy is no work.
  copyInto(step) {
    const matrix = this.calculation.byName.get(step);
    const [source] = matrix.inputs;
    const [numbers, before] = [this.answers.get(step), this.answers.get(source.name) ?? source.values];
    const copied = numbers.map((value, k) => Number.isNaN(value) && matrix.values[k] !== -Infinity);
    this.answers.set(step, numbers.map((value, k) => (copied[k] ? before[k] : value)));
    return copied;
  }

  rowsOf(step, flat) {
    const { rowCount, columnCount } = this.calculation.byName.get(step);
    const rows = Array.from({ length: rowCount }, (_, i) => flat.slice(i * columnCount, (i + 1) * columnCount));
    for (const { row, column } of this.unread[step] ?? []) rows[row][column] = "unread";
    return rows;
  }

  // The first wrong number of each step, and what cannot be read.
  messagesOf(blank) {
    if (this.isFinished) return { [blank[0]]: ["All of it is right."] };
    const wrong = blank.map((step) => this.cellsIn(step, "wrong")[0]).filter(Boolean);
    const lines = (step) => {
      const cell = wrong.find(([owner]) => owner === step);
      return [...(this.unread[step] ?? []).map(({ trouble }) => trouble), ...this.named(step), ...(cell ? [this.lookAt(cell, cell === wrong[0])] : [])];
    };
    return Object.fromEntries(blank.map((step) => [step, lines(step)]).filter(([, found]) => found.length));
  }

  // The mistakes that lead to a step's numbers: the likeliest, and those that give the same.
  named(step) {
    const { mistakes, possible } = this.marking;
    const [first, ...others] = mistakes.get(step) ?? possible.get(step) ?? [];
    if (!first) return [];
    const told = mistakes.has(step) ? [first.says, ...others.map(({ says }) => SAME + says)] : [first.asks];
    return [`${this.begin(step, first)}: ${told.join(" ")}`];
  }

  // The step, or the number in it that is spoken of: In head 2, S[1,2].
  begin(step, { isInCell }) {
    const [, row, column] = isInCell ? this.cellsIn(step, "wrong")[0] : [];
    return `${this.problem.begin[step] ?? ""}${isInCell ? `[${counted(row)},${counted(column)}]` : ""}`;
  }

  cellsIn(step, wanted) {
    return this.states[step].flatMap((row, i) => row.flatMap((state, j) => (state === wanted ? [[step, i, j]] : [])));
  }

  lookAt([step, row, column], isFirst) {
    const matrix = this.calculation.byName.get(step);
    const { label, path } = this.levels.home(matrix);
    const [turn, place] = [isFirst ? "First" : "Then", this.levels.isMany && path ? `In ${label}, ` : ""];
    const number = this.answers.get(step)[row * matrix.columnCount + column];
    return `${place}${place ? turn.toLowerCase() : turn} look at ${this.nameOf(matrix, row, column)}: you wrote ${typeset(this.asTyped(number, matrix.at(row, column)))}.`;
  }

  // Rounded where it has many digits and does not look right then.
  asTyped(number, right) {
    const { places } = this.problem;
    const [short, full] = [show(number, places), show(number, null)];
    return short === show(right, places) || full.length < short.length ? full : short;
  }

  nameOf(matrix, row, column) {
    return matrix.cellHtml(row, column).replace(matrix.typeset.name, this.levels.home(matrix).typesetOf(matrix).name);
  }

  // hints ---------------------------------------------------------------------------------------

  hint(step) {
    this.kept.add({ hint: step });
    this.giveHint(step);
    this.page.update(this.state);
  }

  // A hint on the numbers of its time.
  giveAgain(step, before) {
    this.mark(this.kept.texts(before));
    this.giveHint(step);
  }

  giveHint(step) {
    const found = this.hintFor(step);
    if (!found) return;
    this.hints = dictionary({ ...this.hints, [step]: found.words });
    found.keep();
  }

  // The next hint: what to do, then the arithmetic of a number marked wrong, and of no other; null if all was said.
  hintFor(asked) {
    const { told, letters, worked, followed } = this.help;
    const own = !followed.has(asked) && !this.cellsIn(asked, "wrong").length && this.onOwn(asked);
    if (own) return { words: own, keep: () => followed.add(asked) };
    const wrong = this.problem.blank.flatMap((step) => this.cellsIn(step, "wrong"));
    const here = wrong.filter(([step]) => step === asked);
    const isNew = (cell) => !this.help.worked.has(String(cell));
    const [cell = here[0]] = (here.length ? here : wrong).filter(isNew);
    const step = cell?.[0] ?? asked;
    if (!told.has(step)) return { words: this.problem.hints[step], keep: () => told.add(step) };
    if (cell) return isNew(cell) ? { words: this.workedOn(...cell), keep: () => worked.add(String(cell)) } : null;
    return letters.has(step) ? null : { words: this.inLetters(step), keep: () => letters.add(step) };
  }

  // A step on the learner's own earlier numbers, and on other numbers as shown.
  ownNumbers(step) {
    const { spec, places } = this.problem;
    const replay = onSheet(this.calculation, this.answers, places);
    const own = new Calculation(spec);
    for (const [k, matrix] of this.calculation.matrices.entries()) {
      if (!matrix.isGiven && matrix.isVisible && matrix.name !== step) Object.assign(own.matrices[k], { numbers: Float64Array.from(replay.read(matrix)), isStale: false });
    }
    return own.byName.get(step);
  }

  workedOn(step, row, column, matrix = this.ownNumbers(step)) {
    const whole = this.calculation.byName.get(step);
    if (!Number.isFinite(matrix.at(row, column)) && Number.isFinite(whole.at(row, column))) return this.formula(step);
    return lineOf([matrix, row, column], this.problem.places, this.nameOf(whole, row, column));
  }

  // A number that follows, worked with the learner's own numbers, after those it follows from.
  onOwn(step) {
    const matrix = this.ownNumbers(step);
    const isOwn = ([{ name }, i, j]) => ["wrong", "follows"].includes(this.states[name]?.[i][j]);
    for (const [, row, column] of this.cellsIn(step, "follows")) {
      const own = matrix.sources(row, column).filter(isOwn);
      const written = this.answers.get(step)[row * matrix.columnCount + column];
      const names = own.map(([{ name }, i, j]) => this.nameOf(this.calculation.byName.get(name), i, j));
      if (own.length && Math.abs(matrix.at(row, column) - written) <= this.marking.tolerance) return `With your ${LIST.format(names)}: ${this.workedOn(step, row, column, matrix)}`;
    }
    return "";
  }

  // The numbers that go into the first open cell, in letters; the formula, where there are too many.
  inLetters(step) {
    const matrix = this.calculation.byName.get(step);
    const open = Array.from({ length: matrix.columnCount }, (_, j) => Array.from({ length: matrix.rowCount }, (__, i) => [i, j])).flat();
    const [row, column] = open.find(([i, j]) => !["correct", "follows"].includes(this.states[step][i][j])) ?? [0, 0];
    const count = matrix.sources(row, column).length;
    if (!count || count > MAX_CELLS_IN_LETTERS) return this.formula(step);
    const letters = matrix.expression(inLetters(this.problem.places, (source, i, j) => this.nameOf(source, i, j)), null, row, column);
    return `${this.nameOf(matrix, row, column)} = ${html(letters)}`;
  }

  formula(step) {
    const matrix = this.calculation.byName.get(step);
    const { name, formula } = this.levels.home(matrix).typesetOf(matrix);
    return `${name} = ${formula}`;
  }
}
