// How a number is written, by the rules of handcalc/numbers.py; tests hold the two equal.

const LARGE = 1e10; // written with an exponent from here on
const INFINITY = "∞";
const [SMALLEST_PLAIN, LARGEST_PLAIN] = [1e-30, 1e30]; // a constant outside of them is written with an exponent

export function show(value, places) {
  if (value === Infinity) return INFINITY;
  if (value === -Infinity) return "-" + INFINITY;
  if (Number.isInteger(value) && Math.abs(value) < LARGE) return String(value + 0 === 0 ? 0 : value);
  if (places === null) return everyDigit(value);
  if (Math.abs(value) >= LARGE) return value.toExponential(places);
  const text = value.toFixed(places);
  return /[1-9]/.test(text) ? text : text.replace("-", "");
}

// A number that belongs to a formula: in full, 0.00001, from 10^-30 to 10^30.
export function formatConstant(value) {
  const size = Math.abs(value);
  if (size === 0) return "0";
  return SMALLEST_PLAIN <= size && size <= LARGEST_PLAIN ? inFull(value) : show(value, null);
}

// As many digits as give the number back, with an exponent where Python's repr has one.
function everyDigit(value) {
  const [digits, power] = value.toExponential().split("e");
  if (power >= -4 && power < 16) return inFull(value);
  return `${digits}e${power[0]}${power.slice(1).padStart(2, "0")}`;
}

function inFull(value) {
  const [mantissa, power] = Math.abs(value).toExponential().split("e");
  const digits = mantissa.replace(".", "");
  const whole = Number(power) + 1; // how many digits stand before the point
  const filled = digits.padStart(digits.length + Math.max(0, 1 - whole), "0").padEnd(whole, "0");
  const point = Math.max(1, whole);
  const rest = filled.slice(point);
  return (value < 0 ? "-" : "") + filled.slice(0, point) + (rest ? `.${rest}` : "");
}

// Code counts from 0, whatever a learner reads counts from 1; only this line converts.
export const counted = (index) => index + 1;

export function label(letter, index) {
  return letter + String(counted(index)).replace(/\d/g, (digit) => "₀₁₂₃₄₅₆₇₈₉"[digit]);
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// What a person sees has a true minus sign.
export const typeset = (text) => text.replace(/-/g, "−");
