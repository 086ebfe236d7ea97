// A training: the falling loss, and below it the sheet after each step, which a slider moves through.

import { unpackNumbers } from "../record/packed_numbers.js";
import { showOf, typeset } from "../record/numbers.js";
import { KEEPS_KEYS, svgTag, tag, typesetNodes } from "../page/dom.js";
import { Explorer } from "../explorer/explorer.js";

const [HIGH, LEFT, RIGHT, TOP, BOTTOM] = [132, 46, 14, 10, 8]; // pixels: the picture, and what is around the line in it
const [UNMEASURED, MAX_WIDE] = [640, 760]; // of a page that is not shown yet; of the picture
const ALONE = { rowCount: 1, columnCount: 1 }; // a loss is a matrix of one number
const DOTTED = 60; // steps, up to which each has its dot

export class Training {
  // `training` has the losses, and what the weights were after each of the steps that are kept; the rest is as Explorer has it.
  constructor(root, variants, { training, onGivens = () => {}, ...options }) {
    this.data = training;
    this.explorer = new Explorer(root, variants, {
      ...options,
      onGivens: (givens, whatIf) => {
        this.recognise(givens);
        onGivens(givens, whatIf);
      },
    });
    this.k = 0;
    this.makeParts(training);
    this.explorer.toolbar.header.after(this.element);
    this.explorer.frame.attach();
    new ResizeObserver(([{ contentRect }]) => this.draw(contentRect.width)).observe(this.picture);
    this.draw(this.picture.clientWidth || UNMEASURED);
    this.recognise(this.explorer.givens);
  }

  makeParts({ title, note, steps }) {
    this.svg = svgTag("svg", { role: "img", "aria-label": this.data.alt });
    this.svg.addEventListener("click", ({ offsetX }) => this.goTo(offsetX));
    this.slider = tag("input", { type: "range", min: 0, max: steps.length - 1, step: 1, value: 0, "aria-label": "Learning step", ...KEEPS_KEYS });
    this.slider.addEventListener("input", () => this.turnTo(this.slider.valueAsNumber));
    this.slider.addEventListener("change", () => this.settle());
    this.told = tag("p", { class: "hc-loss" });
    this.picture = tag("div", { class: "hc-losses" }, this.svg, this.slider);
    const words = tag("p", { class: "hc-picture-title" }, typesetNodes(title));
    const trouble = note ? tag("p", { class: "hc-loss-note" }, note) : null;
    this.element = tag("section", { class: "hc-training", "aria-label": "Training" }, tag("div", { class: "hc-loss-words" }, this.told, words, trouble), this.picture);
  }

  // The sheet after the steps that have this place among those that are kept.
  turnTo(k) {
    const { edits, givens, whatIf } = this.explorer;
    this.k = k;
    edits.put({ givens: { ...givens, ...this.weights(k) }, whatIf });
    this.tell();
  }

  settle() {
    this.explorer.edits.commit();
    this.explorer.openSheets.forget();
  }

  goTo(x) {
    const { points } = this.line;
    const isNear = (k) => Math.abs(points[this.data.steps[k]][0] - x);
    const nearest = this.data.steps.reduce((best, _, k) => (isNear(k) < isNear(best) ? k : best), 0);
    this.turnTo(nearest);
    this.settle();
  }

  // {name: rows} of the givens that learned.
  weights(k) {
    return Object.fromEntries(Object.entries(this.data.weights).map(([name, { shape: [, columns], values }]) => {
      const numbers = unpackNumbers(values[k]);
      return [name, Array.from({ length: numbers.length / columns }, (_, i) => Array.from(numbers.subarray(i * columns, (i + 1) * columns)))];
    }));
  }

  // Undone, put back or changed by hand: which step's weights are these?
  recognise(givens) {
    const now = Object.keys(this.data.weights).map((name) => JSON.stringify(givens[name] ?? null));
    const isHere = (k) => {
      const start = k === 0 && now.every((rows) => rows === "null");
      return start || Object.values(this.weights(k)).every((rows, i) => JSON.stringify(rows) === now[i]);
    };
    const found = isHere(this.k) ? this.k : this.data.steps.findIndex((_, k) => isHere(k));
    this.k = found < 0 ? null : found;
    this.tell();
  }

  // Write the line above the sheet, and place the dot.
  tell() {
    const { steps, losses, loss } = this.data;
    if (this.k !== null) this.slider.value = this.k;
    const step = this.k === null ? null : steps[this.k];
    const when = step === null ? "Weights of your own." : step ? `After step ${step} of ${losses.length - 1}: ` : "Before the first step: ";
    const value = step === null ? "" : typeset(showOf(ALONE, losses[step], this.explorer.places));
    const equation = step === null ? [] : [tag("b", {}, typesetNodes(loss), ` = ${value}`)];
    this.told.replaceChildren(when, ...equation);
    this.slider.setAttribute("aria-valuetext", this.told.textContent);
    this.dot?.setAttribute("visibility", step === null ? "hidden" : "visible");
    if (step !== null && this.line) {
      const [x, y] = this.line.points[step];
      this.dot.setAttribute("transform", `translate(${x} ${y})`);
    }
  }

  draw(room) {
    const width = Math.min(room, MAX_WIDE);
    if (!width || width === this.width) return;
    this.width = width;
    this.line = lossLine(this.data.losses, { left: LEFT, right: width - RIGHT, top: TOP, bottom: HIGH - BOTTOM });
    const path = this.line.points.map(([x, y], k) => `${k ? "L" : "M"}${x.toFixed(1)} ${y.toFixed(1)}`).join("");
    this.dot = svgTag("circle", { r: 6, class: "hc-loss-now" });
    const dots = this.line.points.length > DOTTED ? [] : this.line.points.map(([cx, cy]) => svgTag("circle", { cx, cy, r: 2 }));
    for (const [name, value] of Object.entries({ width, height: HIGH, viewBox: `0 0 ${width} ${HIGH}` })) this.svg.setAttribute(name, value);
    this.svg.replaceChildren(...this.line.ticks.flatMap((tick) => this.gridLine(tick)), svgTag("path", { d: path }), ...dots, this.dot);
    this.tell();
  }

  gridLine({ value, y, power }) {
    const text = svgTag("text", { x: LEFT - 12, y: y + 4 }, power === null ? typeset(String(value)) : "10");
    if (power !== null) text.append(svgTag("tspan", { dy: -5, "font-size": 8 }, String(power)));
    return [svgTag("line", { x1: LEFT - 6, x2: this.width - RIGHT, y1: y, y2: y }), text];
  }
}

const STEEP = 1000; // times as large as the smallest: from here on the axis goes up in powers of ten
const MAX_TICKS = 5;
const FACTORS = [0.1, 0.2, 0.5, 1, 2, 5];
const POWERS = [1, 2, 5, 10, 20, 50, 100, 200];

// The line of losses in a box {left, right, top, bottom}: {points, ticks}; a tick has a value, a place y and, on log paper, a power of ten.
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
  const step = POWERS.find((each) => (high - low) / each <= MAX_TICKS);
  const first = Math.floor(low / step);
  return Array.from({ length: Math.floor(Math.ceil(high) / step) - first + 1 }, (_, k) => 10 ** (step * (first + k)));
}

// Three to six round numbers from the one below to the one above.
function roundOnes(low, high) {
  if (high <= low) return [low, low + 1];
  const size = 10 ** Math.floor(Math.log10(high - low));
  const step = FACTORS.map((factor) => factor * size).find((each) => (high - low) / each <= MAX_TICKS);
  const first = Math.floor(low / step);
  return Array.from({ length: Math.ceil(high / step) - first + 1 }, (_, k) => Number(((first + k) * step).toPrecision(12)));
}
