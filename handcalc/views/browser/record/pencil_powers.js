// Powers of e worked out with a pencil: the same as handcalc/operations/pencil_powers.py.

import { show } from "./numbers.js";
import { LARGEST_POWER, MORE_PLACES, MOST_TERMS, NUDGE } from "./tables.js";

const A_POWER = /e\^(\((-[\d.]+)\)|[\d.]+)/;

// "e^1.15 = e · e^0.15 ≈ 2.72 · 1.16; …" where a cell is such a power, else nothing.
export function byHand(matrix, row, column, places, ofOperands) {
  const { operation, inputs } = matrix;
  if (operation?.name !== "exp" || operation.base !== Math.E || places === null) return "";
  const power = inputs[0].at(row, column);
  return Math.abs(power) < LARGEST_POWER ? powerOfE(power, places, ofOperands) : "";
}

// With as few terms, and factors of as few places, as give the sheet's number to its last place.
// `ofPower` is how many places the power is written with, where these are more.
function powerOfE(exact, places, ofPower = places) {
  const power = Number(show(exact, ofPower));
  if (Number.isInteger(power)) return "";
  const starts = [...new Set([Math.floor(power + 0.5), Math.floor(2 * power + 0.5) / 2])];
  for (let terms = 2; terms <= MOST_TERMS; terms += 1) {
    for (let more = 0; more <= MORE_PLACES; more += 1) {
      for (const known of starts) {
        const way = powerFrom(known, power, terms, { places, more, ofPower });
        if (way) return way;
      }
    }
  }
  return "";
}

function powerFrom(known, power, terms, { places, more, ofPower }) {
  const rest = Number(show(power - known, ofPower));
  const series = seriesOf(rest, terms);
  if (rest === 0 || halfUp(series, places) !== halfUp(Math.exp(rest), places)) return "";
  const [first, second] = [Math.exp(known), series].map((number) => halfUp(number, places + more));
  const wanted = halfUp(Math.exp(power), places);
  const isWanted = (by) => known === 0 || halfUp(Number(first) * by, places) === wanted;
  if (![Number(second), series].every(isWanted)) return "";
  const small = inTerms(rest, terms, ofPower);
  return known ? `${eTo(power)} = ${eTo(known)} · ${eTo(rest)} ≈ ${first} · ${second}; ${small}` : small;
}

const halfUp = (number, places) => show(number * NUDGE, places);

const upTo = (terms) => Array.from({ length: terms }, (_, k) => k + 1);
const factorial = (n) => upTo(n).reduce((product, k) => product * k, 1);
const seriesOf = (rest, terms) => upTo(terms).reduce((sum, n) => sum + rest ** n / factorial(n), 1);

// "e^(-0.3) ≈ 1 - 0.30 + 0.30²÷2"
function inTerms(rest, terms, places) {
  const size = show(Math.abs(rest), places);
  const parts = upTo(terms).map((n) => `${rest < 0 && n % 2 ? "-" : "+"} ${size}${n > 1 ? `${"⁰¹²³⁴⁵"[n]}÷${factorial(n)}` : ""}`);
  return `${eTo(rest)} ≈ 1 ${parts.join(" ")}`;
}

const eTo = (power) => (power === 1 ? "e" : `e^${power < 0 ? `(${power})` : power}`);

// The same in pieces, {text} or {raised}, with true minus signs.
export function inPieces(text) {
  return text.split(/(e\^(?:\(-[\d.]+\)|[\d.]+))/).filter(Boolean).flatMap((part) => {
    const [whole, power, negative] = part.match(A_POWER) ?? [];
    return whole === part ? [{ text: "e" }, { raised: (negative ?? power).replace("-", "−") }] : [{ text: part.replaceAll("-", "−") }];
  });
}
