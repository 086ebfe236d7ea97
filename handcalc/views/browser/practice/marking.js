// Marking without Python: every step again on the learner's own earlier numbers, so that one slip costs one step. The
// counterpart of handcalc/practice/marking/marking.py; a mistake has a name where all of a step has it. Tests hold the two
// equal.

import { EXPONENT_FROM } from "../record/tables.js";
import { show } from "../record/numbers.js";
import { Recipes } from "./recipes.js";
import { LearnerReplay, fill, firstOf, onSheet, recompute, roundByHand } from "./replay.js";

const RELATIVE_NOISE = 1e-12; // how much computers differ on the same power
const MAX_ROUGH_SHARE = 0.02; // of a number (of 1, where it is smaller), by rounding what a formula has in it
const MAX_CALCULATOR_SHARE = 0.1; // of a number, by typing in operands of four places
const EXACT = 1e-9; // of a number (of 1, where it is smaller), to the last digit
const LEAST_WRONG = 2; // numbers of a step: one says too little of a mistake in all of it
const MIN_NUMBERS_TO_JUDGE = 4; // numbers of a step: all the same, they come of guessing
const MAX_UNKNOWN_DIGITS = 64; // numbers of a step, of which the digits behind the last place are not known

const isBounded = (rough, value, most) => Math.abs(rough - value) <= most * Math.max(1, Math.abs(value));

// Whether an answer agrees with a number; an infinity agrees only with itself. Large numbers are written with an
// exponent: there the tolerance is that of the digits before it.
export function isClose(answer, value, tolerance) {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return answer === value;
  const scale = size >= EXPONENT_FROM ? 10 ** Math.floor(Math.log10(size)) : 1;
  return Math.abs(answer - value) <= tolerance * scale + RELATIVE_NOISE * size;
}

export class Marking {
  // `answers` has the numbers of each step that is asked for, by name, NaN where nothing was written. `known` is what
  // practice/exercise/known_recipes.py hands over: {nodes, told: [[name, sentence, isWhole, turn, isAlongLine], ...], of:
  // {step: [[node, place in told], ...]}}.
  // Without it no mistake is looked for. Whether a step was an attempt at all is for Python, which knows more mistakes.
  constructor(calculation, answers, places, known = null) {
    Object.assign(this, { calculation, answers, places, known });
    this.tolerance = 0.5 * 10 ** -places * (1 + 1e-9) + 1e-12;
    const isStep = ({ isGiven, isVisible }) => isVisible && !isGiven;
    this.inFull = new LearnerReplay(calculation, answers, places);
    this.others = [
      onSheet(calculation, answers, places),
      new LearnerReplay(calculation, answers, places, { isRounded: isStep }),
      new LearnerReplay(calculation, answers, places, { isRounded: isStep, roundsParts: true }),
    ];
    this.mistakes = new Map(); // by step, the likeliest first
    this.recipes = new Map(); // by replay
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
    const found = this.explain(matrix, answer, states, ways[0]);
    const isCarried = found.length > 0 && found.every((one) => this.isCarriedForward(matrix, one));
    if (found.length && !isCarried) this.mistakes.set(matrix.name, found);
    this.states.set(matrix.name, isCarried ? states.map((state) => (state === "wrong" ? "follows" : state)) : states);
    this.sound.set(matrix, states.map((state, k) => (state === "not attempted" ? isSound[k] : state === "correct")));
    this.remember(matrix, answer, ways, found);
  }

  // The mistakes in all of a step that lead to just these numbers, in the first way of continuing in which any does; a lone
  // number says which it was where no way has another.
  explain(matrix, answer, states, follows) {
    const wrong = states.flatMap((state, k) => (state === "wrong" ? [k] : []));
    const isLone = answer.length === 1;
    if (wrong.length < (isLone ? 1 : LEAST_WRONG) || !this.known?.of[matrix.name] || isEven(answer, matrix.values)) return [];
    const ways = [this.others[0], this.inFull, ...this.others.slice(1)].map((way) => [way, way === this.inFull ? follows : way.follow(matrix)]);
    if (isLone && ways.some(([, meant]) => isSlip(answer[0], meant[0], this.places))) return [];
    const every = [];
    for (const [way, right] of ways) {
      const found = this.explainIn(way, matrix, answer, right);
      if (found.length && !isLone) return found;
      every.push(...found.filter((one) => every.every(({ told }) => told[0] !== one.told[0])));
    }
    return every.length > 1 ? [] : every;
  }

  explainIn(way, matrix, answer, right) {
    if (!this.recipes.has(way)) this.recipes.set(way, new Recipes(this.known.nodes, way));
    const made = this.known.of[matrix.name].map(([node, place]) => ({ values: this.recipes.get(way).at(node), told: this.known.told[place] }));
    const written = Array.from(answer, (_, k) => k).filter((k) => !Number.isNaN(answer[k]));
    const fits = made.filter(({ values, told: [, , isWhole] }) => written.every((k) => isClose(answer[k], values[k], this.tolerance)) && (!isWhole || this.isBorneOut(values, right, answer)));
    const off = ({ values }) => Math.max(...written.map((k) => (answer[k] === values[k] ? 0 : Math.abs(answer[k] - values[k]))));
    const exact = EXACT * Math.max(1, ...written.map((k) => Math.abs(answer[k])).filter(Number.isFinite));
    const best = fits.some((one) => off(one) <= exact) ? fits.filter((one) => off(one) <= exact) : fits;
    const named = new Map();
    for (const one of best) if (!named.has(one.told[0])) named.set(one.told[0], one);
    if (named.has("power-of-zero")) named.delete("times-for-power"); // 0 times e is 0, too, which nobody worked out
    return [...named.values()].sort((one, other) => one.told[3] - other.told[3]);
  }

  // Whether most of what a mistake in all of a step changes was written, so that a match says something.
  isBorneOut(values, right, answer) {
    const changed = Array.from(values, (_, k) => k).filter((k) => !isClose(values[k], right[k], 2 * this.tolerance));
    return 2 * changed.filter((k) => !Number.isNaN(answer[k])).length > changed.length;
  }

  // Whether it is an earlier mistake carried forward: weights along the line that was added up.
  isCarriedForward(matrix, { told: [name, , , , isAlongLine] }) {
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

// The matrices that a step reads, those that are written inline in it seen through.
function sourcesOf(matrix) {
  const found = new Set();
  const waiting = [matrix];
  while (waiting.length) for (const input of waiting.pop().inputs) input.isInline ? waiting.push(input) : found.add(input);
  return [...found];
}

const placesOf = (value, most) => Array.from({ length: most }, (_, places) => places).filter((places) => roundByHand(value, places) !== roundByHand(value, most)).length;

// Whether a number is one unit off in a shown place of the right one (31 for 41, 8.23 for 9.23), lacks one of its digits,
// or was rounded to fewer places.
function isSlip(answer, right, places) {
  const meant = roundByHand(right, places);
  const isLong = Math.abs(answer - roundByHand(answer, places)) > EXACT;
  const last = -Math.max(isLong ? places : placesOf(answer, places), placesOf(meant, places));
  const within = 10 ** last * (isLong ? 0.5 : EXACT);
  const off = Math.abs(answer - meant);
  const place = Math.round(Math.log10(off));
  const isShown = last <= place && place <= Math.floor(Math.log10(Math.max(1, Math.abs(meant))));
  const whole = show(meant, places);
  const shorter = [...whole].map((sign, k) => (/\d/.test(sign) ? whole.slice(0, k) + whole.slice(k + 1) : whole)).filter((text) => text !== whole);
  const isRounded = Array.from({ length: places }, (_, fewer) => roundByHand(right, fewer)).includes(answer);
  return isRounded || off <= 10 ** last + within || (isShown && Math.abs(off - 10 ** place) <= within) || shorter.includes(show(answer, places));
}

// Whether one number fills many places where others belong: that is filler, no mistake to name.
function isEven(answer, right) {
  const written = Array.from(answer, (_, k) => k).filter((k) => !Number.isNaN(answer[k]));
  const isOne = (values) => written.every((k) => values[k] === values[written[0]]);
  return written.length >= MIN_NUMBERS_TO_JUDGE && isOne(answer) && !isOne(right);
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
