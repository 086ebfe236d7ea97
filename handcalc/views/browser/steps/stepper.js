// One step after another: each is asked for before it shows, explained, and can be played.

import { cellToAsk } from "../record/askable.js";
import { freshGivens } from "./fresh_givens.js";
import { showOf, typeset } from "../record/numbers.js";
import { readAs } from "../record/parse_number.js";
import { Question } from "./question.js";
import { Score, judgeCell } from "./score.js";
import { StepBar } from "./step_bar.js";
import { Summary } from "./summary.js";
import { tag } from "../page/dom.js";

const PAUSE = 3200; // milliseconds of a step while it plays, enough to read its sentence

export class Stepper {
  constructor(explorer) {
    this.explorer = explorer;
    this.at = Infinity; // how many steps are shown
    this.seen = new Set(); // their names
    this.asked = null; // the number that is asked for just now
    this.first = null; // the first guess at it, if that was wrong: there is one more try
    this.isAsking = true;
    this.timer = null;
    this.draws = 0; // how often there were other numbers
    this.score = new Score(explorer.title);
    this.verdict = null; // on the last guess: {kind, text, cell}
    this.bar = new StepBar(this);
    this.question = new Question({ onGuess: (...guess) => this.guess(...guess), onShow: () => this.reveal(), onStop: () => this.bar.askSwitch.querySelector("input").click() });
    this.summary = new Summary(this);
    this.panel = tag("div", { class: "hc-asks" }, this.question.element, this.summary.element);
  }

  // Every step of every block, in order; the first of them are shown.
  get steps() {
    return this.explorer.calculation.steps;
  }

  // The steps of the block that is looked at.
  get own() {
    return this.explorer.level.steps;
  }

  get names() {
    return this.own.map((step) => step.name);
  }

  // The number of steps before those of this block.
  get start() {
    return Math.max(0, this.steps.indexOf(this.own[0]));
  }

  get isDone() {
    return !this.asked && (this.at === Infinity || this.at >= this.steps.length);
  }

  // Whether the last step of the block that is looked at has just been shown.
  get isAtEnd() {
    return !this.asked && this.own.length > 0 && this.at === this.endOf(this.own[0]);
  }

  // The step that is shown last or asked for now; none at the start of a block.
  get step() {
    if (this.asked) return this.steps[this.at];
    if (this.at === Infinity) return this.own.at(-1) ?? null;
    return this.isBetween ? null : (this.steps[Math.min(this.at, this.steps.length) - 1] ?? null);
  }

  // Whether the block that is looked at is about to begin, or to go on after others.
  get isBetween() {
    const { steps, at } = this;
    const home = (step) => step && this.explorer.levels.home(step);
    return !this.asked && at < steps.length && home(steps[at]) === this.explorer.level && home(steps[at - 1]) !== this.explorer.level;
  }

  get hidden() {
    return this.at === Infinity ? [] : this.steps.slice(this.at);
  }

  // The number of steps up to the last one of a step's block.
  endOf(step) {
    return this.steps.indexOf(this.explorer.levels.home(step).steps.at(-1)) + 1;
  }

  // moving on ---------------------------------------------------------------------------------

  go(at) {
    this.pause();
    this.put(at);
  }

  // Show everything up to a step.
  goTo(step) {
    this.go(this.steps.indexOf(step) + 1);
  }

  put(at, verdict = null) {
    this.at = Math.max(0, at);
    this.asked = this.first = null;
    this.verdict = verdict;
    this.remember();
    this.show();
  }

  next() {
    if (this.asked) this.reveal();
    else if (this.isDone) this.put(this.start);
    else if (this.isAsking) this.askFor(cellToAsk(this.steps[this.at]));
    else this.reveal();
  }

  back() {
    this.pause();
    const shown = this.at === Infinity && this.own.length ? this.endOf(this.own[0]) : Math.min(this.at, this.steps.length);
    this.put(this.asked ? this.at : shown - 1);
  }

  play() {
    if (this.isDone) this.put(this.start);
    this.until = this.steps[this.endOf(this.steps[this.at]) - 1]?.name; // it plays to the end of a block
    this.wait(0);
    this.bar.showPlaying(true);
  }

  wait(time = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.wait();
      if (this.asked) return; // until there is a guess
      if (this.at > this.steps.findIndex(({ name }) => name === this.until)) this.pause();
      else this.next();
    }, time);
  }

  pause() {
    clearTimeout(this.timer);
    this.timer = null;
    this.bar.showPlaying(false);
  }

  ask(isOn) {
    this.isAsking = isOn;
    if (!isOn && this.asked) this.reveal();
  }

  // Reopen in another form of the sheet, which may have other steps: all up to the last shown one are shown.
  reopen() {
    this.asked = this.first = null;
    this.recount();
  }

  // Givens have moved: large numbers may bring another step, too.
  follow() {
    this.recount();
    this.explorer.openSheets.conceal(this.hidden);
    this.refresh();
  }

  recount() {
    if (this.at === Infinity) return;
    this.at = this.asked ? this.steps.indexOf(this.asked[0]) : this.steps.findLastIndex(({ name }) => this.seen.has(name)) + 1;
    this.remember();
  }

  remember() {
    this.seen = new Set(this.steps.slice(0, this.at).map(({ name }) => name));
  }

  // asking ------------------------------------------------------------------------------------

  // Ask for one number of the next step; a learner may pick another one of it.
  askFor(cell) {
    this.asked = cell;
    this.first = this.verdict = null;
    this.question.clear();
    this.show();
    if (this.explorer.element.contains(document.activeElement)) this.question.field.focus({ preventScroll: true });
  }

  // Ask for another number of the same step; what was typed stays.
  askInstead(cell) {
    this.asked = cell;
    this.show();
  }

  guess(value, text) {
    if (!this.asked) return;
    const { places } = this.explorer;
    const said = [typeset(text.trim()), readAs(text, value, places)].filter(Boolean).join(" ");
    const guess = { kind: judgeCell(text, value, this.asked, places), text: said };
    if (guess.kind !== "right") this.pause(); // there is something to read now
    else if (this.timer) this.wait();
    if (guess.kind === "wrong" && !this.first) this.askAgain(guess);
    else this.reveal(guess.kind === "right" && this.first ? { ...guess, kind: "second" } : guess);
  }

  // Ask once more, with the number's operands in sight.
  askAgain(guess) {
    this.first = this.verdict = { ...guess, isOpen: true, cell: this.explorer.place(this.asked) };
    const { hasFocus } = this.question;
    this.question.clear();
    this.explorer.refresh();
    this.refresh();
    this.explorer.sight.show(this.asked); // there is more to read, below it
    this.explorer.presentation.refresh();
    this.explorer.voice.tellNumber(this.verdict);
    if (hasFocus) this.question.field.focus({ preventScroll: true });
  }

  reveal(verdict = this.first) {
    const cell = this.asked;
    const { hasFocus } = this.question;
    const step = this.steps[this.at];
    const mark = cell && { kind: "shown", cell: this.explorer.place(cell), ...verdict, isOpen: false }; // a guess may be about another one
    if (mark) mark.value = this.written(this.explorer.found(mark.cell));
    if (cell) this.score.add(step.name, mark, this.names);
    this.put(this.at + 1, verdict && mark);
    if (cell) this.explorer.choose(...cell);
    if (cell) this.explorer.voice.tellNumber(verdict && mark, step.entry.why);
    this.explorer.presentation.refresh(); // a slide explains this number, not the one that the step begins with
    this.explorer.companions.tell("reveal", step);
    if (this.summary.isOpen) this.summary.come(hasFocus);
    else if (hasFocus) this.bar.toNext.focus({ preventScroll: true });
  }

  written([matrix, row, column]) {
    return typeset(showOf(matrix, matrix.at(row, column), this.explorer.places));
  }

  // The words on how to go on after a guess that was not right, while Play waits.
  get goOn() {
    if (!this.verdict || this.asked || this.isDone || this.isAtEnd) return "";
    return this.explorer.presentation.isOpen ? "Press ▶ to go on." : "Press Play or ▶ to go on.";
  }

  // The verdict on a guess: the last one, or, once the steps are over, any of them.
  verdictOn(cell) {
    const here = String(this.explorer.place(cell));
    const marks = [this.verdict, this.summary.isOpen ? this.score.marks.get(cell[0].name) : null];
    return marks.find((mark) => mark && String(mark.cell) === here) ?? null;
  }

  // Look at a step once more when it is over, at the number that was asked for.
  recall(step, { cell }) {
    const { explorer } = this;
    if (explorer.presentation.isOpen) return this.goTo(step);
    explorer.choose(...(cell ? explorer.found(cell) : cellToAsk(step)));
    explorer.sight.show(explorer.chosen);
  }

  // The same steps with other numbers.
  again() {
    const { explorer } = this;
    const { variants, convention, arithmetic, edits, calculation, whatIf } = explorer;
    const opening = (givens) => variants.inConvention(givens, convention); // there and back
    const found = freshGivens(calculation, this.draws + 1, (givens) => variants.calculate(convention, arithmetic, opening(givens), whatIf));
    if (!found) return;
    const [givens, draw] = found;
    this.draws = draw;
    this.score.clear();
    this.go(this.start);
    edits.make({ givens: opening(givens) });
    if (explorer.presentation.isOpen) return explorer.presentation.refresh();
    this.bar.toNext.focus({ preventScroll: true });
    this.play();
  }

  // showing -----------------------------------------------------------------------------------

  show() {
    const { explorer, step } = this;
    explorer.openSheets.conceal(this.hidden);
    if (this.asked) explorer.choose(...this.asked);
    else if (this.at < Infinity) explorer.choose(...(step ? cellToAsk(step) : explorer.openSheets.firstRead()));
    else explorer.refresh();
    this.refresh();
    if (this.at < Infinity) explorer.sight.show(explorer.chosen);
    explorer.presentation.refresh();
    if (this.asked) explorer.voice.say(); // the field is read
    else if (this.at === Infinity) explorer.voice.say("Every step is shown.");
    else if (step) explorer.voice.say(`${step.typeset.spoken}.`, step.entry.why);
    else explorer.voice.say("The steps to come are hidden.");
  }

  refresh() {
    this.bar.refresh();
    this.question.show(this.asked);
    this.summary.refresh();
    this.explorer.element.classList.toggle("hc-trying-again", this.first !== null);
    this.explorer.panel.refresh();
    this.explorer.element.classList.toggle("hc-going", this.at < Infinity);
    this.bar.followSteps();
  }
}
