// One step after another: each is asked for before it shows, explained, and can be played.

import { plural, typeset } from "./numbers.js";
import { parseNumber } from "./parse_number.js";
import { KEEPS_KEYS, allow, button, cellNodes, check, nameTag, redraw, tag } from "./dom.js";

const PAUSE = 3200; // milliseconds of a step while it plays, enough to read its sentence
const MOST_NAMES = 16; // steps that are named in the bar; of more, only their count
const VERDICTS = { right: "Right.", close: "Close.", wrong: "Not quite." };

export class Stepper {
  constructor(explorer) {
    this.explorer = explorer;
    this.at = Infinity; // how many steps are shown
    this.asked = null; // the number that is asked for just now
    this.isAsking = true;
    this.timer = null;
    this.clear();
    this.makeBar();
    this.makeQuestion();
  }

  clear() {
    this.score = { right: 0, close: 0, wrong: 0 };
    this.verdict = null;
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

  // what stands on the page -------------------------------------------------------------------

  makeBar() {
    const control = (words, symbol, onClick) => button(words, onClick, { symbol });
    this.toStart = control("To the start: hide every step", "first", () => this.go(this.start));
    this.toBack = control("One step back", "back", () => this.back());
    this.toPlay = control("Play the steps", "play", () => (this.timer ? this.pause() : this.play()));
    this.toNext = control("Next step", "next", () => this.next());
    this.toAll = control("Show every step", "all", () => this.go(Infinity));
    this.names = tag("ol", { class: "hc-steps", "aria-label": "Steps" });
    this.count = tag("span", { class: "hc-count" });
    this.scoreText = tag("span", { class: "hc-score" });
    const ask = check("Ask me first", (isOn) => this.ask(isOn), this.isAsking);
    const transport = tag("div", { class: "hc-transport", role: "group", "aria-label": "Step by step" },
      this.toStart, this.toBack, this.toPlay, this.toNext, this.toAll);
    this.bar = tag("div", { class: "hc-stepper" }, transport, this.names, this.count, ask, this.scoreText);
  }

  makeQuestion() {
    this.asking = tag("label", { class: "hc-asking" });
    this.field = tag("input", { type: "text", inputmode: "decimal", autocomplete: "off", spellcheck: "false", ...KEEPS_KEYS });
    this.asking.append(this.field);
    this.trouble = tag("p", { class: "hc-trouble", role: "alert" });
    const form = tag("form", {}, this.asking, button("Check", () => {}, { type: "submit" }), button("Just show it", () => this.reveal()));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.guess(this.field.value);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key !== "Enter" || !this.field.value.trim()) return;
      event.preventDefault(); // JupyterLab takes Enter from variants
      event.stopPropagation();
      this.guess(this.field.value);
    });
    this.question = tag("div", { class: "hc-question", hidden: "" }, form, this.trouble);
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
    if (isFresh) this.clear();
    this.verdict = verdict;
    this.show();
  }

  next() {
    if (this.asked) this.reveal();
    else if (this.isDone) this.put(this.start);
    else if (this.isAsking) this.askFor(askable(this.steps[this.at]));
    else this.put(this.at + 1);
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
    redraw(this.toPlay, "Pause", "pause");
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
    redraw(this.toPlay, "Play the steps", "play");
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
    this.field.value = "";
    this.trouble.textContent = "";
    this.show();
    if (this.explorer.element.contains(document.activeElement)) this.field.focus({ preventScroll: true });
  }

  // Ask for another number of the same step; what was typed stays.
  askInstead(cell) {
    this.asked = cell;
    this.show();
  }

  guess(text) {
    if (!this.asked) return;
    const { value, trouble } = parseNumber(text);
    if (Number.isNaN(value)) {
      this.trouble.textContent = trouble || "Type a number, or press “Just show it”.";
      this.field.focus();
      this.field.select();
      return;
    }
    const verdict = judged(text, value, this.asked, this.explorer.places);
    this.score[verdict] += 1;
    if (verdict !== "right") this.pause(); // there is something to read now
    else if (this.timer) this.wait();
    this.reveal({ kind: verdict, text: typeset(text.trim()) });
  }

  reveal(verdict = null) {
    const cell = this.asked;
    const hadFocus = this.question.contains(document.activeElement);
    this.put(this.at + 1, verdict);
    this.explorer.choose(...cell);
    this.explorer.onStep(); // a slide explains this number, not the one that the step begins with
    if (hadFocus) this.toNext.focus({ preventScroll: true });
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
    const { own, asked, step } = this;
    const hidden = new Set(this.hidden);
    this.bar.classList.toggle("hc-done", this.isDone);
    for (const node of [this.toBack, this.toStart]) allow(node, this.at > 0 || asked !== null);
    allow(this.toAll, !this.isDone);
    this.question.hidden = !asked;
    if (asked) this.asking.replaceChildren(this.words(), this.field);
    this.count.textContent = own.includes(step) && !this.isDone ? `Step ${own.indexOf(step) + 1} of ${own.length}` : plural(own.length, "step");
    this.names.hidden = own.length > MOST_NAMES;
    if (!this.names.hidden) this.names.replaceChildren(...own.map((matrix, k) => this.name(matrix, k, !hidden.has(matrix))));
    this.scoreText.textContent = this.scored();
  }

  name(matrix, k, isShown) {
    const go = button("", () => this.go(this.steps.indexOf(matrix) + 1), { "aria-label": `Step ${k + 1}: ${matrix.typeset.spoken}`, title: matrix.typeset.spoken });
    go.append(...nameTag(matrix).childNodes);
    const isNow = matrix === this.step && !this.isDone;
    if (isNow) go.setAttribute("aria-current", "step");
    return tag("li", { class: isShown ? "hc-shown" : "hc-coming" }, go);
  }

  words() {
    return tag("span", {}, "Your guess: what is ", cellNodes(this.asked), "?");
  }

  scored() {
    const { right, close, wrong } = this.score;
    const count = right + close + wrong;
    return count ? `${right} of ${count} right${close ? `, ${close} close` : ""}` : "";
  }

  // The verdict on a guess, before the arithmetic.
  verdictTags() {
    if (!this.verdict) return [];
    const { kind, text } = this.verdict;
    const sign = { right: "✓ ", close: "≈ ", wrong: "✗ " }[kind];
    return [tag("strong", { class: `hc-${kind}` }, sign + VERDICTS[kind]), kind === "right" ? "" : ` You said ${text}.`];
  }
}

// A number worth asking for: no zero if there is another, and neither the largest nor the smallest.
export function askable(matrix) {
  const cells = [];
  matrix.forEachCell((row, column) => cells.push([matrix, row, column]));
  const size = ([m, row, column]) => Math.abs(m.at(row, column));
  const interesting = cells.filter((cell) => size(cell) > 0 && size(cell) < Infinity);
  const sorted = (interesting.length ? interesting : cells).sort((a, b) => size(a) - size(b));
  return sorted[Math.floor(sorted.length * 0.65)];
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
