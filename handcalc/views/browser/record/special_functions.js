// Functions of one number that Math lacks, or for which it has an answer other than "not a number".

// To 15 places, so that a quarter turn ends in whole numbers.
const sineOfDegrees = (degrees) => Math.round(Math.sin(degrees * (Math.PI / 180)) * 1e15) / 1e15;

// Φ, the share of the normal distribution below x: near its middle by a series, in its tails by a fraction in
// fractions, so that no digits are lost where it is tiny.
function shareBelow(x) {
  const z = Math.abs(x);
  const height = Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI);
  if (z < 3) {
    let [term, total] = [z, z];
    for (let n = 3; term > total * 1e-17; n += 2) total += term *= (z * z) / n;
    return 0.5 + Math.sign(x) * total * height;
  }
  let below = z;
  for (let n = 60; n > 0; n -= 1) below = z + n / below;
  return x < 0 ? height / below : 1 - height / below;
}

// Rounded to `places` decimal places, half away from zero; a number with no more digits stays.
const rounded = (a, places) => {
  const scale = 10 ** places;
  return Math.abs(a) >= 2 ** 52 / scale ? a : Math.sign(a) * (Math.floor(Math.abs(a) * scale + 0.5) / scale) + 0;
};

export const special = {
  round: rounded,
  max: (...all) => Math.max(...all) + 0, // no minus zero
  index: (...all) => all.slice(0, -1)[all.at(-1) - 1] ?? NaN,
  ln: (a) => (a > 0 ? Math.log(a) : NaN),
  equal: (a, b) => (a === b ? 1 : 0),
  sign: (a) => Math.sign(a) + 0, // no minus zero
  step: (a) => (Number.isNaN(a) ? NaN : a > 0 ? 1 : 0),
  "sin°": (degrees) => sineOfDegrees(degrees),
  "cos°": (degrees) => sineOfDegrees(degrees + 90),
  Φ: shareBelow,
};
