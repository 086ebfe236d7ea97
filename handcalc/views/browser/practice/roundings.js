// Numbers rounded too early, to too few places, or cut off: what a step comes to then. The counterpart of
// handcalc/practice/mistakes/in_any_step.py.

import { recompute, roundByHand } from "./replay.js";

const MAX_BY_HAND = 2000; // numbers; of more nobody minds which way a half was rounded
const TIE_DIGITS = 60;

const evenly = (value) => (Math.abs(value % 1) === 0.5 ? 2 * Math.round(value / 2) : Math.round(value));

// As numpy rounds: a half to the even digit, after scaling.
const roundEvenly = (value, places) => evenly(value * 10 ** places) / 10 ** places;

// As Python rounds: by the exact decimal.
function roundExactly(value, places) {
  if (!Number.isFinite(value)) return value;
  const isTie = /^50*$/.test(value.toFixed(TIE_DIGITS).split(".")[1].slice(places));
  return isTie ? roundEvenly(value, places) : Number(value.toFixed(places));
}

const isSame = (one, other) => one.every((value, k) => value === other[k] || (Number.isNaN(value) && Number.isNaN(other[k])));

export function waysToRound(values, places) {
  const ways = values.length > MAX_BY_HAND ? [roundEvenly] : [roundByHand, roundEvenly, roundExactly];
  return ways.map((way) => Array.from(values, (value) => way(value, places)));
}

const endsAt = (values, places) => values.every((value) => roundEvenly(value, places) === value);

// The numbers without the digits after a place.
export function cutDigits(values, places) {
  const scale = 10 ** places;
  return Array.from(values, (value) => (Number.isFinite(value) ? Math.trunc(value * scale * (1 + 1e-15)) / scale : value));
}

// The results of a step on rounded inputs: all of them, or one matrix.
export function fromRounded(matrix, places, way) {
  const read = [...new Set(matrix.inputs)].filter(({ name }) => name || places);
  const fine = read.filter((input) => way.roundsParts || !endsAt(way.read(input), places));
  const [first, ...others] = fine.map((input) => waysToRound(way.read(input), places));
  if (!first) return [];
  const ways = first.map((one, turn) => [one, ...others.map((rough) => rough[turn % rough.length])]);
  const each = ways.filter((way, turn) => ways.findIndex((other) => other.every((values, k) => isSame(values, way[k]))) === turn);
  return each.flatMap((rough) => {
    const together = new Map(fine.map((input, k) => [input, rough[k]]));
    const alone = fine.length > 1 ? fine.map((input, k) => new Map([[input, rough[k]]])) : [];
    return [together, ...alone].map((instead) => recompute(matrix, matrix.inputs.map((input) => instead.get(input) ?? way.read(input))));
  });
}

// The results of a step whose numbers were rounded, as [place in `told`, values]; `told` is what known_recipes.py hands over.
export function wrongRoundings(matrix, values, way, places, { rounded, inputs, cut }) {
  const short = rounded.flatMap((told, k) => {
    const ways = endsAt(values, k) ? [] : waysToRound(values, k);
    return ways.map((rough) => [told, rough]);
  });
  const early = inputs.flatMap((told, k) => (matrix.operation.name === "argmax" ? [] : fromRounded(matrix, k, way).map((rough) => [told, rough])));
  return [...short, [cut, cutDigits(values, places)], ...early];
}
