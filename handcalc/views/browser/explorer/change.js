// How a change is told: what a number was, what it is, and by how much it differs, so that the three agree.

import { show, typeset } from "../record/numbers.js";

const MORE_PLACES = 2; // at most, beside those of the sheet

// 1.53 → 1.62 may be a change of 0.08, as in 1.5343 → 1.6167: write the fewest decimals that add up; where a few
// more do not help, ≈ says that the change is that of the exact numbers, not of the rounded ones.
export function changeOf(was, now, places) {
  const sign = now > was ? "+" : "";
  const written = (k) => [was, now, now - was].map((value) => show(value, k));
  for (let k = places; k <= places + MORE_PLACES; k += 1) {
    const [before, after, change] = written(k).map(typeset);
    if (addsUp(written(k), k)) return { before, after, change: sign + change };
  }
  const [before, after, change] = written(places).map(typeset);
  return { before, after, change: /[1-9]/.test(change) ? `≈ ${sign}${change}` : `less than ${show(10 ** -places, places)}` };
}

function addsUp([was, now, change], places) {
  const off = Math.abs(Number(now) - Number(was) - Number(change));
  return !(off > 0.1 * 10 ** -places) && /[1-9∞]/.test(change);
}
