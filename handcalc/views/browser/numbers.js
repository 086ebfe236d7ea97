// How a number is written: the twin of handcalc/numbers.py.

const LARGE = 1e10; // written with an exponent from here on
const INFINITY = "∞";

export function show(value, places) {
  if (value === Infinity) return INFINITY;
  if (value === -Infinity) return "-" + INFINITY;
  if (Number.isInteger(value) && Math.abs(value) < LARGE) return String(value + 0 === 0 ? 0 : value);
  if (places === null) return String(value);
  if (Math.abs(value) >= LARGE) return value.toExponential(places);
  const text = value.toFixed(places);
  return /[1-9]/.test(text) ? text : text.replace("-", "");
}

// Code counts from 0, whatever a learner reads counts from 1; only this line converts.
export const counted = (index) => index + 1;

export function label(letter, index) {
  return letter + String(counted(index)).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// What a person sees has a true minus sign.
export const typeset = (text) => text.replace(/-/g, "−");
