// The line of the losses: where each is on a picture of some size. No page is needed for it.

const STEEP = 1000; // times as large as the smallest: from here on the axis goes up in powers of ten
const MOST_TICKS = 5;
const FACTORS = [0.1, 0.2, 0.5, 1, 2, 5];
const POWERS = [1, 2, 5, 10, 20, 50, 100, 200];

// {points, ticks} in a box {left, right, top, bottom}; a tick has a value, its place y and, on log paper, its power of ten.
export function lossLine(losses, { left, right, top, bottom }) {
  const isLog = Math.min(...losses) > 0 && Math.max(...losses) > STEEP * Math.min(...losses);
  const marks = isLog ? powersOf(losses) : roundOnes(Math.min(0, ...losses), Math.max(...losses));
  const measure = isLog ? Math.log10 : (value) => value;
  const [low, high] = [measure(marks[0]), measure(Math.max(marks.at(-1), ...losses))];
  const y = (value) => bottom - ((bottom - top) * (measure(value) - low)) / (high - low || 1);
  const x = (k) => left + ((right - left) * k) / Math.max(1, losses.length - 1);
  return {
    points: losses.map((loss, k) => [x(k), y(loss)]),
    ticks: marks.map((value) => ({ value, y: y(value), power: isLog ? Math.round(Math.log10(value)) : null })),
  };
}

function powersOf(losses) {
  const [low, high] = [Math.min(...losses), Math.max(...losses)].map(Math.log10);
  const step = POWERS.find((each) => (high - low) / each <= MOST_TICKS);
  const first = Math.floor(low / step);
  return Array.from({ length: Math.floor(Math.ceil(high) / step) - first + 1 }, (_, k) => 10 ** (step * (first + k)));
}

// Three to six round numbers from the one below to the one above.
function roundOnes(low, high) {
  if (high <= low) return [low, low + 1];
  const size = 10 ** Math.floor(Math.log10(high - low));
  const step = FACTORS.map((factor) => factor * size).find((each) => (high - low) / each <= MOST_TICKS);
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}
