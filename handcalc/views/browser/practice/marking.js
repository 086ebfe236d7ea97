// Marking without Python: every step again on the learner's own earlier numbers, so that one slip costs one step. The
// counterpart of handcalc/practice/marking/marking.py; a mistake has a name where all of a step has it. Tests hold the two
// equal.

import { Explanations, sourcesOf } from "./explanations.js";
import { isClose } from "./nearness.js";
import { LearnerReplay, fill, firstOf, onSheet, recompute } from "./replay.js";

const MAX_ROUGH_SHARE = 0.02; // of a number (of 1, where it is smaller), by rounding what a formula has in it
const MAX_CALCULATOR_SHARE = 0.1; // of a number, by typing in operands of four places
const MAX_UNKNOWN_DIGITS = 64; // numbers of a step, of which the digits behind the last place are not known

const isBounded = (rough, value, most) => Math.abs(rough - value) <= most * Math.max(1, Math.abs(value));

export class Marking {
  // `answers` has the numbers of each step that is asked for, by name, NaN where nothing was written. `known` is what
  // explanations.js reads; without it no mistake is looked for. Whether a step was an attempt at all is for Python, which
  // knows more mistakes.
  constructor(calculation, answers, places, known = null, nameIn = (_, { typeset }) => typeset.name) {
    Object.assign(this, { calculation, answers, places });
    this.tolerance = 0.5 * 10 ** -places * (1 + 1e-9) + 1e-12;
    const isStep = ({ isGiven, isVisible }) => isVisible && !isGiven;
    this.inFull = new LearnerReplay(calculation, answers, places);
    this.others = [
      onSheet(calculation, answers, places),
      new LearnerReplay(calculation, answers, places, { isRounded: isStep }),
      new LearnerReplay(calculation, answers, places, { isRounded: isStep, roundsParts: true }),
    ];
    this.explanations = known && new Explanations(calculation, known, places, this.tolerance, nameIn);
    this.mistakes = new Map(); // claimed, by step
    this.possible = new Map(); // asked about, by step, the likeliest first
    this.sound = new Map(); // where a number and all that it depends on is right
    this.states = new Map();
    for (const matrix of calculation.matrices) this.advance(matrix);
  }

  advance(matrix) {
    const isSound = this.restsOn(matrix);
    const answer = this.answers.get(matrix.name);
    this.sound.set(matrix, isSound);
    this.inFull.advance(matrix);
    if (!answer) return;
    const ways = this.waysOf(matrix);
    const states = Array.from(answer, (value, k) => this.stateOf(matrix, k, value, ways, isSound[k]));
    const { claimed, possible, meant } = this.explain(matrix, answer, states);
    const told = claimed.length ? claimed : possible;
    const isCarried = told.length > 0 && told.every((one) => this.isCarriedForward(matrix, one));
    if (claimed.length && !isCarried) this.mistakes.set(matrix.name, claimed);
    if (possible.length && !isCarried) this.possible.set(matrix.name, possible);
    this.states.set(matrix.name, isCarried ? states.map((state) => (state === "wrong" ? "follows" : state)) : states);
    this.sound.set(matrix, states.map((state, k) => (state === "not attempted" ? isSound[k] : state === "correct")));
    this.remember(matrix, answer, ways, meant);
  }

  // What explains the wrong numbers of a step, and what is meant by them where one goes on with all the digits.
  explain(matrix, answer, states) {
    const places = Array.from(answer, (_, k) => k);
    const wrong = places.filter((k) => states[k] === "wrong");
    if (!this.explanations || !wrong.length) return { claimed: [], possible: [], meant: [] };
    const isAfterBlank = sourcesOf(matrix).some(({ name }) => this.answers.get(name)?.every(Number.isNaN));
    const step = { matrix, answer, wrong, isAfterBlank, written: places.filter((k) => !Number.isNaN(answer[k])) };
    const [written, ...others] = this.others;
    const found = this.explanations.explain(step, [written, this.inFull, ...others]);
    const all = [...found.claimed, ...found.possible];
    const inFull = all.length ? this.explanations.explain(step, [this.inFull]) : found;
    const meant = [...inFull.claimed, ...inFull.possible];
    return { ...found, meant: meant.length ? meant : all };
  }

  // Whether it is an earlier mistake carried forward: weights along the line that was added up.
  isCarriedForward(matrix, { told: [name, , , , , isAlongLine] }) {
    return isAlongLine && sourcesOf(matrix).some((source) => this.mistakes.get(source.name)?.some((one) => one.told[0] === name));
  }

  // The possible results of a step, the exact one first; rounding parts of a formula may only make a small difference.
  waysOf(matrix) {
    const [exact, written, rounded, rough] = [this.inFull, ...this.others].map((way) => way.follow(matrix));
    return [exact, written, rounded, Array.from(rough, (value, k) => (isBounded(value, rounded[k], MAX_ROUGH_SHARE) ? value : NaN))];
  }

  stateOf(matrix, k, value, ways, isSound) {
    if (Number.isNaN(value)) return "not attempted";
    if (isClose(value, matrix.values[k], this.tolerance)) return "correct";
    if (this.isOwn(matrix, k, value, ways)) return isSound ? "correct" : "follows";
    return this.isCalculated(matrix, k, value) ? "correct" : "wrong";
  }

  isOwn(matrix, k, value, ways) {
    if (ways.some((found) => isClose(value, found[k], this.tolerance))) return true;
    if (value === 0 && Number.isNaN(ways[0][k]) && isNormalisation(matrix)) return true; // of nothing there are no shares
    return this.isExact(matrix, k, value, ways[0][k]);
  }

  // Whether an answer is what a calculator gets for the printed line, which is not the exact number.
  isCalculated(matrix, k, value) {
    if (!isBounded(value, matrix.values[k], MAX_CALCULATOR_SHARE)) return false;
    const { printed } = matrix.explain(Math.floor(k / matrix.columnCount), k % matrix.columnCount, this.places);
    return Math.abs(printed[0] - value) <= this.tolerance;
  }

  // Whether an answer follows from the digits that the learner's own numbers have and that were not written.
  isExact(matrix, k, value, follows) {
    if (!isBounded(value, follows, MAX_ROUGH_SHARE)) return false;
    const reach = this.reachOf(matrix)[k];
    return Math.abs(value - follows) <= this.tolerance + reach;
  }

  // The distance that a step's numbers move with those digits.
  reachOf(matrix) {
    if (this.reached?.matrix === matrix) return this.reached.values;
    const values = fill(matrix, 0);
    for (const source of sourcesOf(matrix)) {
      const written = this.answers.get(source.name) ?? [];
      const unknown = Array.from(written, (_, k) => k).filter((k) => !this.sound.get(source)[k] && !Number.isNaN(written[k]));
      for (const k of unknown.length <= MAX_UNKNOWN_DIGITS ? unknown : []) {
        const near = Array.from(written, (value, at) => (at === k ? value + this.tolerance : value));
        const [moved, still] = [near, written].map((one) => new LearnerReplay(this.calculation, new Map([...this.answers, [source.name, one]]), this.places).follow(matrix));
        moved.forEach((value, at) => (values[at] += Math.abs(value - still[at]) || 0));
      }
    }
    this.reached = { matrix, values };
    return values;
  }

  // Whether each cell reads only right numbers: others count as NaN, which spreads.
  restsOn(matrix) {
    if (this.inFull.isGiven(matrix)) return fill(matrix, true);
    const inputs = matrix.inputs.map((input) => this.sound.get(input) ?? fill(input, true));
    if (matrix.isIdle) return inputs[0];
    if (inputs.every((flags) => flags.every(Boolean))) return fill(matrix, true);
    if (matrix.operation.name === "subtract_max") return alongLine(matrix, inputs[0]);
    return Array.from(recompute(matrix, inputs.map((flags) => flags.map((isRight) => (isRight ? 1 : NaN)))), (value) => !Number.isNaN(value));
  }

  // All the digits of what was written rounded.
  remember(matrix, answer, [exactly, ...others], found) {
    let kept = Array.from(answer);
    for (const meant of [...found.map(({ values }) => values), exactly, matrix.values, ...others].reverse()) {
      const isMeant = Array.from(answer, (value, k) => isClose(value, meant[k], this.tolerance));
      kept = kept.map((value, k) => (isMeant[k] ? meant[k] : value));
    }
    this.inFull.keep(matrix, firstOf(kept, exactly));
  }
}

// Whether a step divides numbers by their own sum.
function isNormalisation({ operation, inputs: [top, bottom] }) {
  return operation.name === "divide" && bottom.operation?.name === "sums" && bottom.inputs[0] === top;
}

// Each number rests on its whole column, or row.
function alongLine({ operation, columnCount }, flags) {
  const lineOf = (k) => (operation.axis === 0 ? k % columnCount : Math.floor(k / columnCount));
  const broken = new Set(flags.flatMap((isRight, k) => (isRight ? [] : [lineOf(k)])));
  return flags.map((_, k) => !broken.has(lineOf(k)));
}
