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

const SHADES_OF = [false, true].map(pixelShades);

// The image of a matrix in a number of pixels: each has the colour of the largest number behind it.
export function stripPixels(values, [rows, columns], [width, height], neverNegative) {
  const shades = SHADES_OF[Number(neverNegative)];
  const scale = SHADES / (largestOf(values) || 1);
  const pixels = new Uint32Array(width * height);
  const ends = (count, length) => Array.from({ length: length + 1 }, (_, k) => Math.floor(k * count / length));
  const [down, across] = [ends(rows, height), ends(columns, width)];
  for (let y = 0; y < height; y += 1) {
    if (y && down[y] === down[y - 1] && down[y + 1] <= down[y] + 1) {
      pixels.copyWithin(y * width, (y - 1) * width, y * width); // the row of the matrix that stands above, too
      continue;
    }
    const bottom = Math.max(down[y] + 1, down[y + 1]);
    for (let x = 0; x < width; x += 1) {
      const right = Math.max(across[x] + 1, across[x + 1]);
      let most = 0;
      for (let i = down[y]; i < bottom; i += 1) {
        for (let j = across[x], at = i * columns + j; j < right; j += 1, at += 1) {
          const value = values[at];
          if (Math.abs(value) > Math.abs(most) && Math.abs(value) !== Infinity) most = value;
        }
      }
      const shade = Math.round(most * scale) || Math.sign(most); // what is not 0 has a colour
      pixels[y * width + x] = shades[SHADES + shade];
    }
  }
  return pixels;
}

// Draw that image on a canvas, as large as the canvas is. Canvases that are read often are kept in ordinary memory; otherwise
// each of the sixty of a map is a layer of its own, composed in every frame.
export function paintMatrix(canvas, { values, entry: { shape, never_negative: neverNegative } }) {
  const { width, height } = canvas;
  const pixels = stripPixels(values, shape, [width, height], neverNegative);
  const paint = canvas.getContext("2d", { willReadFrequently: true });
  paint.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0);
}
