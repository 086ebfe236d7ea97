// A record worked through with a learner's own numbers: the results that follow from them. The counterpart of
// handcalc/practice/replay/error_carried_forward.py; tests hold the two equal.

import { compute, isInfinite } from "../record/kernels.js";
import { canBeIdle, isIdle } from "../record/operations.js";
import { counted, show } from "../record/numbers.js";

export const fill = (matrix, value) => new Array(matrix.rowCount * matrix.columnCount).fill(value);

// The values, filled in from `others` where there are none.
export const firstOf = (values, others) => Array.from(values, (value, k) => (Number.isNaN(value) ? others[k] : value));

// As a sheet writes a number: its exact decimal rounded, a half away from zero.
export const asShown = (value, places) => (Number.isFinite(value) ? Number(show(value, places)) : value);

// As a person rounds, who has the decimal of at most 15 digits: 0.5·0.3 to one place is 0.2.
export function roundByHand(value, places) {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return value;
  const [digits, power = "0"] = String(Number(size.toPrecision(15))).split("e");
  const shifted = Math.round(Number(`${digits}e${Number(power) + places}`));
  return Math.sign(value) * Number(`${shifted}e${-places}`) + 0;
}

// A step's operation on these numbers; NaN where it cannot be done. A choice of no place chooses none.
export function recompute({ operation, inputs, entry }, numbers) {
  if (operation.name === "one_hot") return chosen(operation, numbers[0], entry.shape);
  const shapes = inputs.map((input) => input.entry.shape);
  if (canBeIdle(operation) && isIdle(operation, numbers[0], shapes[0])) return Float64Array.from(numbers[0]);
  const readable = operation.name === "divide" ? [numbers[0], numbers[1].map((value) => value || NaN)] : numbers;
  const found = new Float64Array(entry.shape[0] * entry.shape[1]);
  compute(operation, readable.map((values) => Float64Array.from(values)), shapes, entry.shape, found, isInfinite);
  return found;
}

function chosen({ axis }, places, [rows, columns]) {
  return Float64Array.from({ length: rows * columns }, (_, at) => {
    const [i, j] = [Math.floor(at / columns), at % columns];
    const place = places[axis === 0 ? j : i];
    return Number.isNaN(place) ? NaN : Number(place === counted(axis === 0 ? i : j));
  });
}

export class LearnerReplay {
  // `answers` has the numbers of each step that is asked for, by name, NaN where nothing was written; the other steps are
  // given. What `isRounded` is read as it is written down, with `places`; with `roundsParts` so is what a formula has in
  // it, √3 as 1.73.
  constructor(calculation, answers, places, { isRounded = () => false, roundsParts = false } = {}) {
    Object.assign(this, { calculation, answers, places, isRounded, roundsParts });
    this.numbers = new Map();
  }

  // Whether the sheet shows the matrix, and nobody is asked for it.
  isGiven(matrix) {
    return matrix.isGiven || (matrix.isVisible && !this.answers.has(matrix.name));
  }

  read(matrix) {
    if (!this.numbers.has(matrix)) this.advance(matrix);
    return this.numbers.get(matrix);
  }

  // The step's numbers, from the learner's own earlier numbers.
  follow(matrix) {
    return recompute(matrix, matrix.inputs.map((input) => this.read(input)));
  }

  // Continue from the learner's answers; where there are none, from given or following numbers.
  advance(matrix) {
    const answer = this.answers.get(matrix.name);
    const found = () => (this.isGiven(matrix) ? matrix.values : this.follow(matrix));
    const isWhole = answer && !answer.some(Number.isNaN);
    this.keep(matrix, this.onPaper(matrix, isWhole ? answer : answer ? firstOf(answer, found()) : found()));
  }

  onPaper(matrix, values) {
    const isRounded = matrix.name ? this.isRounded(matrix) : this.roundsParts;
    if (!isRounded) return values;
    return Array.from(values, (value) => (this.isGiven(matrix) ? asShown : roundByHand)(value, this.places));
  }

  // Keep the numbers that later steps read; the right ones where there are none.
  keep(matrix, values) {
    this.numbers.set(matrix, firstOf(values, matrix.values));
  }
}

// A replay on the numbers of the sheet: answers as they were written, other numbers as they are shown.
export const onSheet = (calculation, answers, places) =>
  new LearnerReplay(calculation, answers, places, { isRounded: ({ isVisible, name }) => isVisible && !answers.has(name) });
