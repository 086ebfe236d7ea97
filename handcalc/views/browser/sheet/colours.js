// The colour behind a number: the figures of handcalc/views/palette.py, which a test compares.

export const HUES = { plus: "225,125,30", minus: "50,115,220", never: "0,140,146" };
export const SHADES = 40; // as many as the eye can distinguish: a shade that stays the same need not be drawn again
const STRONGEST = 0.66; // of a hue, so that ink stays readable on it in light and dark

export function largestOf(values) {
  let most = 0;
  for (let k = 0; k < values.length; k += 1) {
    const size = Math.abs(values[k]);
    if (size > most && size !== Infinity) most = size;
  }
  return most;
}

const strength = (shade) => (0.1 + (STRONGEST - 0.1) * shade / SHADES).toFixed(3);

export function background(value, largest, neverNegative) {
  if (value === 0 || !Number.isFinite(value) || largest === 0) return "transparent";
  const hue = value < 0 ? HUES.minus : neverNegative ? HUES.never : HUES.plus;
  return `rgba(${hue},${strength(Math.round(SHADES * Math.abs(value) / largest))})`;
}

// The colours of all shades as pixels of a canvas, by SHADES + shade: minus below, nothing in the middle.
export function pixelShades(neverNegative) {
  const pixels = new Uint8ClampedArray(4 * (2 * SHADES + 1));
  const [below, above] = [HUES.minus, neverNegative ? HUES.never : HUES.plus].map((hue) => hue.split(",").map(Number));
  for (let shade = -SHADES; shade <= SHADES; shade += 1) {
    const opacity = shade ? Math.round(255 * strength(Math.abs(shade))) : 0;
    pixels.set([...(shade < 0 ? below : above), opacity], 4 * (SHADES + shade));
  }
  return new Uint32Array(pixels.buffer);
}
