// The colour behind a number: the figures of handcalc/views/colours.py, which a test compares.

export const HUES = { plus: "225,125,30", minus: "50,115,220", never: "118,80,200" };
export const SHADES = 40; // as many as the eye can distinguish: a shade that stays the same need not be drawn again
const STRONGEST = 0.66; // of a hue, so that ink stays readable on it in light and dark

export function largestOf(values) {
  let most = 0;
  for (const value of values) {
    const size = Math.abs(value);
    if (size > most && size !== Infinity) most = size;
  }
  return most;
}

export function background(value, largest, neverNegative) {
  if (value === 0 || !Number.isFinite(value) || largest === 0) return "transparent";
  const hue = value < 0 ? HUES.minus : neverNegative ? HUES.never : HUES.plus;
  const strength = 0.1 + (STRONGEST - 0.1) * Math.round(SHADES * Math.abs(value) / largest) / SHADES;
  return `rgba(${hue},${strength.toFixed(3)})`;
}
