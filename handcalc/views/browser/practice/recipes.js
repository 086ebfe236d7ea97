// The results of known mistakes on a learner's own numbers, from the recipes of handcalc/practice/replay/traced.py.

import { compute, isInfinite } from "../record/kernels.js";
import { asShown, recompute } from "./replay.js";

const ON_NUMBERS = {
  absolute: Math.abs, exp: Math.exp, log: Math.log, log10: Math.log10, negative: (a) => -a, sqrt: Math.sqrt, square: (a) => a * a, tanh: Math.tanh,
  add: (a, b) => a + b, subtract: (a, b) => a - b, multiply: (a, b) => a * b, divide: (a, b) => a / b, power: (a, b) => a ** b, maximum: Math.max, minimum: Math.min,
};

const total = (numbers) => numbers.reduce((sum, number) => sum + number, 0);
const ALONG = { sum: total, mean: (numbers) => total(numbers) / numbers.length, max: (numbers) => Math.max(...numbers), min: (numbers) => Math.min(...numbers) };

export class Recipes {
  // `nodes` are made from earlier ones, on flat numbers; `replay` is what the learner continues from.
  constructor(nodes, replay) {
    Object.assign(this, { nodes, replay });
    this.found = new Map();
  }

  // The numbers of a node.
  at(place) {
    if (!this.found.has(place)) this.found.set(place, this.make(...this.nodes[place]));
    return this.found.get(place);
  }

  make(kind, ...rest) {
    const { matrices } = this.replay.calculation;
    if (kind === "constant") return rest[0].map(Number);
    if (kind === "read") return this.replay.read(matrices[rest[0]]);
    if (kind === "step") return recompute(matrices[rest[0]], rest[1].map((place) => this.at(place)));
    if (kind === "pick") return pick(rest[0].map((place) => this.at(place)), rest[1]);
    if (kind === "matmul") return product(this.at(rest[0]), this.at(rest[1]), ...rest.slice(2));
    if (kind === "shown") return this.at(rest[0]).map((number) => asShown(number, rest[1]));
    if (kind in ALONG) return along(ALONG[kind], this.at(rest[0]), ...rest.slice(1));
    const [first, second] = rest.map((place) => this.at(place));
    return Array.from(first, (number, k) => ON_NUMBERS[kind](number, second?.[k]));
  }
}

function pick(sources, places) {
  const every = sources.flatMap((numbers) => Array.from(numbers));
  return places.map((place) => every[place]);
}

function product(a, b, rows, count, columns) {
  const found = new Float64Array(rows * columns);
  compute({ name: "matmul" }, [a, b], [[rows, count], [count, columns]], [rows, columns], found, isInfinite);
  return found;
}

function along(reduce, numbers, rows, columns, axis) {
  const [lines, length] = axis === 0 ? [columns, rows] : [rows, columns];
  return Array.from({ length: lines }, (_, line) => reduce(Array.from({ length }, (__, k) => numbers[axis === 0 ? k * columns + line : line * columns + k])));
}
