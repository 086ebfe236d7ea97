// When a number agrees with another, and when it is a slip of the pencil away. The counterpart of
// handcalc/practice/diagnosis/wrong_answer.py.

import { EXPONENT_FROM } from "../record/tables.js";
import { show } from "../record/numbers.js";
import { roundByHand } from "./replay.js";

const RELATIVE_NOISE = 1e-12; // how much computers differ on the same power
export const EXACT = 1e-9; // of a number (of 1, where it is smaller), to the last digit

// Whether an answer agrees with a number; an infinity agrees only with itself. Large numbers are written with an
// exponent: there the tolerance is that of the digits before it.
export function isClose(answer, value, tolerance) {
  const size = Math.abs(value);
  if (!Number.isFinite(value)) return answer === value;
  const scale = size >= EXPONENT_FROM ? 10 ** Math.floor(Math.log10(size)) : 1;
  return Math.abs(answer - value) <= tolerance * scale + RELATIVE_NOISE * size;
}

// Whether an answer agrees to the last digit.
export const isExact = (answer, value) => isClose(answer, value, EXACT * Math.max(1, Math.abs(answer)));

// Whether a number has more digits than asked for.
export const isLong = (value, places) => Math.abs(value - roundByHand(value, places)) > EXACT;

const placesOf = (value, most) => Array.from({ length: most }, (_, places) => places).filter((places) => roundByHand(value, places) !== roundByHand(value, most)).length;

// Whether a number is one unit off in a shown place of the right one, or lacks one of its digits: 31 for 41, 8.23 for 9.23.
export function isSlip(answer, right, places) {
  const meant = roundByHand(right, places);
  const last = -Math.max(isLong(answer, places) ? places : placesOf(answer, places), placesOf(meant, places));
  const within = 10 ** last * (isLong(answer, places) ? 0.5 : EXACT);
  const off = Math.abs(answer - meant);
  const place = Math.round(Math.log10(off));
  const isShown = last <= place && place <= Math.floor(Math.log10(Math.max(1, Math.abs(meant))));
  const whole = show(meant, places);
  const shorter = [...whole].map((sign, k) => (/\d/.test(sign) ? whole.slice(0, k) + whole.slice(k + 1) : whole)).filter((text) => text !== whole);
  return off <= 10 ** last + within || (isShown && Math.abs(off - 10 ** place) <= within) || shorter.includes(show(answer, places));
}
