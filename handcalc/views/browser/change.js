// How a change is told: what a number was, what it is, and by how much it differs, so that the three agree.

import { show, typeset } from "./numbers.js";

const MORE_PLACES = 4; // places at most, beside those of the sheet

// 1.53 → 1.62 is a change of 0.08 or of 0.09, as 1.532 → 1.617 shows: with the fewest places that add up.
export function changeOf(was, now, places) {
  const written = (k) => [was, now, now - was].map((value) => show(value, k));
  let texts = written(places);
  for (let k = places; k <= places + MORE_PLACES && !addsUp(texts, k); k += 1) texts = written(k + 1);
  const [before, after, change] = texts.map(typeset);
  return { before, after, change: (now > was ? "+" : "") + change };
}

function addsUp([was, now, change], places) {
  const off = Math.abs(Number(now) - Number(was) - Number(change));
  return !(off > 0.1 * 10 ** -places) && /[1-9∞]/.test(change);
}
