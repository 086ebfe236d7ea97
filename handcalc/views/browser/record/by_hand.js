// How a power of e is worked out with a pencil: as `by_hand` of handcalc/operations/functions.py has it.

import { show } from "./numbers.js";

const LARGEST_POWER = 20; // of e; of more nobody works out by hand
const A_POWER = /e\^(\((-[\d.]+)\)|[\d.]+)/;

// "e^1.15 = e · e^0.15 ≈ 2.72 · 1.16; …" where a cell is such a power, else nothing.
export function byHand(matrix, row, column, places) {
  const { operation, inputs } = matrix;
  if (operation?.name !== "exp" || operation.base !== Math.E || places === null) return "";
  const power = inputs[0].at(row, column);
  return Math.abs(power) < LARGEST_POWER ? powerOfE(power, places) : "";
}

export function powerOfE(exact, places) {
  const power = Number(show(exact, places));
  const whole = Math.floor(power + 0.5);
  const rest = Number(show(power - whole, places));
  if (rest === 0) return "";
  const size = show(Math.abs(rest), places);
  const small = `${eTo(rest)} ≈ 1 ${rest < 0 ? "-" : "+"} ${size} + ${size}²÷2`;
  if (whole === 0) return small;
  const numbers = [whole, rest].map((n) => show(Math.exp(n), places)).join(" · ");
  return `${eTo(power)} = ${eTo(whole)} · ${eTo(rest)} ≈ ${numbers}; ${small}`;
}

const eTo = (power) => (power === 1 ? "e" : `e^${power < 0 ? `(${power})` : power}`);

// The same in pieces, {text} or {raised}, with true minus signs.
export function inPieces(text) {
  return text.split(/(e\^(?:\(-[\d.]+\)|[\d.]+))/).filter(Boolean).flatMap((part) => {
    const [whole, power, negative] = part.match(A_POWER) ?? [];
    return whole === part ? [{ text: "e" }, { raised: (negative ?? power).replace("-", "−") }] : [{ text: part.replaceAll("-", "−") }];
  });
}
