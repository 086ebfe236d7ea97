// Other numbers to practise with, made without a kernel: the numbers of each given, rearranged.
//
// Numbers are reordered within a token or a row of weights, so that they stay as easy as they
// were. The same count gives the same numbers.

const MAX_DRAWS = 20;

// The givens in other places, {name: rows} of those that change, or null where there is no other place.
export function rearrangeGivens(calculation, count) {
  const named = calculation.givens.filter((given) => given.name && hasPlaces(given));
  const whole = named.filter((given) => given.start.every(Number.isInteger)); // what was learnt or measured stays
  const moving = whole.length ? whole : named;
  if (!moving.length) return null;
  return Object.fromEntries(moving.map((given) => [given.name, stirred(given, random(`${given.name} ${count}`))]));
}

// The first of these, counting on, from which everything can be calculated and that makes no step's numbers all
// equal that were not before: [givens, count], or null. `calculated` makes a calculation of givens.
export function freshGivens(calculation, count, calculated) {
  let sound = null;
  for (let k = count; k < count + MAX_DRAWS; k += 1) {
    const givens = rearrangeGivens(calculation, k);
    if (!givens) return null;
    const found = calculated(givens);
    if (!found.isSound(true)) continue;
    if (calculation.steps.every((step) => isAllAlike(step) || !isAllAlike(found.matrices[step.index]))) return [givens, k];
    sound ??= [givens, k];
  }
  return sound;
}

const isAllAlike = ({ values }) => values.every((value) => value === values[0]);

// The lines along its longer side, as places in its numbers: a token's features, a row of weights.
function lines({ rowCount, columnCount }) {
  const at = (line, k) => (rowCount > columnCount ? k * columnCount + line : line * columnCount + k);
  const [count, length] = [Math.min(rowCount, columnCount), Math.max(rowCount, columnCount)];
  return Array.from({ length: count }, (_, line) => Array.from({ length }, (__, k) => at(line, k)));
}

function hasPlaces(given) {
  const { start } = given;
  return lines(given).some((places) => places.some((place) => start[place] !== start[places[0]]));
}

function stirred(given, next) {
  const { start, columnCount, rowCount } = given;
  const numbers = Array.from(start);
  for (const places of lines(given)) {
    for (let k = places.length - 1; k > 0; k -= 1) { // Fisher and Yates
      const [one, other] = [places[k], places[Math.floor(next() * (k + 1))]];
      [numbers[one], numbers[other]] = [numbers[other], numbers[one]];
    }
  }
  return Array.from({ length: rowCount }, (_, i) => numbers.slice(i * columnCount, (i + 1) * columnCount));
}

// A source of numbers from 0 to 1, seeded by a text, each time the same (FNV-1a, then mulberry32).
function random(text) {
  let state = 0x811c9dc5;
  for (const sign of text) state = Math.imul(state ^ sign.codePointAt(0), 0x01000193);
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  };
}
