// One step after another: each is asked for before it shows, explained, and can be played.

import { typeset } from "./numbers.js";
import { Question, askable } from "./question.js";
import { Score, judged } from "./score.js";
import { StepBar } from "./step_bar.js";

const PAUSE = 3200; // milliseconds of a step while it plays, enough to read its sentence

export class Stepper {
  constructor(explorer) {
    this.explorer = explorer;
    this.at = Infinity; // how many steps are shown
    this.asked = null; // the number that is asked for just now
    this.isAsking = true;
    this.timer = null;
    this.score = new Score();
    this.verdict = null; // on the last guess: {kind, text}
    this.bar = new StepBar(this);
    this.question = new Question({ onGuess: (...guess) => this.guess(...guess), onShow: () => this.reveal(), onStop: () => this.bar.askSwitch.querySelector("input").click() });
  }

  // Every step of every block, in order: what is shown are the first of them.
  get steps() {
    return this.explorer.calculation.steps;
  }

  // Those of the block that is looked at.
  get own() {
    return this.explorer.level.steps;
  }

  // How many steps come before those of this block.
  get start() {
    return Math.max(0, this.steps.indexOf(this.own[0]));
  }

  get isDone() {
    return !this.asked && (this.at === Infinity || this.at >= this.steps.length);
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

  // How many steps there are up to the last one of a step's block.
  endOf(step) {
    return this.steps.indexOf(this.explorer.levels.home(step).steps.at(-1)) + 1;
  }

  // moving on ---------------------------------------------------------------------------------

  go(at) {
    this.pause();
    this.put(at);
  }

  put(at, verdict = null) {
    const isFresh = at === this.start && this.at !== at;
    this.at = Math.max(0, at);
    this.asked = null;
    if (isFresh) this.score.clear();
    this.verdict = verdict;
    this.show();
  }

  next() {
    if (this.asked) this.reveal();
    else if (this.isDone) this.put(this.start);
    else if (this.isAsking) this.askFor(askable(this.steps[this.at]));
    else this.reveal();
  }

  back() {
    this.pause();
    const shown = this.at === Infinity && this.own.length ? this.endOf(this.own[0]) : Math.min(this.at, this.steps.length);
    this.put(this.asked ? this.at : shown - 1);
  }

  play() {
    if (this.isDone) this.put(this.start);
    this.until = this.endOf(this.steps[this.at]); // it plays to the end of a block
    this.wait(0);
    this.bar.showPlaying(true);
  }

  wait(time = PAUSE) {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      this.wait();
      if (this.asked) return; // until there is a guess
      if (this.at >= this.until) this.pause();
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

  // Another form of the sheet may have other steps.
  reopen() {
    this.asked = null;
    if (this.at < Infinity) this.at = Math.min(this.at, this.steps.length);
  }

  // asking ------------------------------------------------------------------------------------

  // Ask for one number of the next step; a learner may pick another one of it.
  askFor(cell) {
    this.asked = cell;
    this.verdict = null;
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
    const verdict = judged(text, value, this.asked, this.explorer.places);
    this.score.add(verdict);
    if (verdict !== "right") this.pause(); // there is something to read now
    else if (this.timer) this.wait();
    this.reveal({ kind: verdict, text: typeset(text.trim()) });
  }

  reveal(verdict = null) {
    const cell = this.asked;
    const { hasFocus } = this.question;
    const step = this.steps[this.at];
    this.put(this.at + 1, verdict);
    if (cell) this.explorer.choose(...cell);
    this.explorer.onStep(); // a slide explains this number, not the one that the step begins with
    this.explorer.companions.tell("reveal", step);
    if (hasFocus) this.bar.toNext.focus({ preventScroll: true });
  }

  // showing -----------------------------------------------------------------------------------

  show() {
    const { explorer, step } = this;
    explorer.desk.conceal(this.hidden);
    if (this.asked) explorer.choose(...this.asked);
    else if (this.at < Infinity) explorer.choose(...(step ? askable(step) : explorer.desk.firstRead()));
    else explorer.refresh();
    this.refresh();
    if (this.at < Infinity) explorer.bringIntoView(explorer.chosen);
    explorer.onStep();
  }

  refresh() {
    this.bar.refresh();
    this.question.show(this.asked);
  }
}
