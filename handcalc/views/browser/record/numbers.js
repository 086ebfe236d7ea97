// Writing numbers, by the rules of handcalc/notation/numbers.py; tests hold the two equal.

import { EXPONENT_FROM, FLOAT_NOISE, INFINITY, LARGEST_PLAIN, MAX_DECIMAL_PLACES, SMALLEST_PLAIN, SUBSCRIPTS, SUPERSCRIPTS } from "./tables.js";

export function show(value, places) {
  if (value === Infinity) return INFINITY;
  if (value === -Infinity) return "-" + INFINITY;
  if (Number.isInteger(value) && Math.abs(value) < EXPONENT_FROM) return String(value + 0 === 0 ? 0 : value);
  if (places === null) return everyDigit(value);
  if (Math.abs(value) >= EXPONENT_FROM) return value.toExponential(places);
  const text = value.toFixed(places);
  return /[1-9]/.test(text) ? text : text.replace("-", "");
}

// A number of a matrix; one that stands alone keeps two digits that say something: 0.001. What Python would refuse to
// calculate is a dash.
export const showOf = (matrix, value, places) =>
  Number.isNaN(value) || value === Infinity ? "—" : show(value, placesOf(matrix, value, places));

export function placesOf({ rowCount, columnCount }, value, places) {
  const size = Math.abs(value);
  if (places === null || rowCount * columnCount !== 1 || !(size > 0 && size < 10 ** (1 - places))) return places;
  const enough = Math.max(places, Math.min(1 - Number(size.toExponential().split("e")[1]), MAX_DECIMAL_PLACES));
  let found = places;
  while (found < enough && !isExact(value, found)) found += 1;
  return found;
}

const THREE_DIGITS = 1000; // a number of more is written as a power of ten where it is too wide

// A number that is calculated with: a power of ten where it would be shown as 0.
export const operand = (value, places) => (isTiny(value, places) ? powerOfTen(value, digitsOfTiny(places)) : show(value, places));

export const isTiny = (value, places) => places !== null && value !== 0 && Number.isFinite(value) && !/[1-9]/.test(show(value, places));

// The number that is written, as a reader types it in.
export function asWritten(value, places) {
  if (places === null || !Number.isFinite(value)) return value;
  return Number(isTiny(value, places) ? value.toExponential(digitsOfTiny(places)) : show(value, places));
}

const digitsOfTiny = (places) => Math.max(1, places - 1);

// While a hand moves a given, columns stay as wide as they are: the longest way to write a number that fits.
export function fitNumber(value, places, fits) {
  const texts = shorterAndShorter(value, places);
  return texts.find(fits) ?? texts.at(-1);
}

export const isPower = (text) => text.includes("·10");

// Its ways, from the usual one on: fewer decimals, then 4.6·10⁴, then 5·10⁴.
function shorterAndShorter(value, places) {
  const size = Math.abs(value);
  const texts = [show(value, places)];
  if (size === Infinity || Number.isNaN(value)) return texts;
  const least = size < 10 ? 1 : 0;
  if (!Number.isInteger(value)) for (let k = (places ?? 3) - 1; k >= least; k -= 1) texts.push(show(value, k));
  return size < THREE_DIGITS ? texts : [...texts, powerOfTen(value, 1), powerOfTen(value, 0)];
}

function powerOfTen(value, places) {
  const [digits, power] = value.toExponential(places).split("e");
  return `${digits}·10${power.replace("+", "").replace(/[-\d]/g, (sign) => SUPERSCRIPTS[sign])}`;
}

// Whether a number as written is exact, up to what floats cannot represent.
const isExact = (value, places) =>
  Math.abs(value) === Infinity || Math.abs(value - Number(show(value, places))) <= FLOAT_NOISE * Math.max(1, Math.abs(value));

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

export const clamp = (value, least, most) => Math.max(least, Math.min(value, most));

// Code counts from 0, whatever a learner reads counts from 1; only this line converts.
export const counted = (index) => index + 1;

export function label(letter, index) {
  return letter + String(counted(index)).replace(/\d/g, (digit) => SUBSCRIPTS[digit]);
}

export const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;

// A number for people to see, with a true minus sign.
export const typeset = (text) => text.replace(/-/g, "−");

// The sign of a step: its number in a ring, as far as common typefaces have one.
export const signOf = (number) => (number <= 10 ? String.fromCodePoint(0x245f + number) : `(${number})`);
