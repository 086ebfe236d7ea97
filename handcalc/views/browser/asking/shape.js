// A shape is guessed on a blank matrix, which is given rows and columns.

import { clamp } from "../record/numbers.js";
import { KEEPS_KEYS, tag, typesetNodes } from "../page/dom.js";

const MOST = 12; // rows or columns that are drawn

export class Shape {
  // `drawn` is what views/asking/drawings.py hands over: {name, shape, reads: [{name, shape}]}, names as HTML.
  constructor({ name, shape, reads }) {
    this.shape = shape;
    this.fields = ["rows", "columns"].map((word) => tag("input", { type: "text", inputmode: "numeric", maxlength: 4, autocomplete: "off", "aria-label": `Your guess: ${word}`, placeholder: "?", ...KEEPS_KEYS }));
    const [rows, columns] = this.fields;
    this.grid = tag("div", { class: "hc-blank-matrix", "aria-hidden": "true" });
    const asked = tag("div", { class: "hc-shape hc-shape-asked" }, tag("b", {}, typesetNodes(name)), tag("span", {}, rows, " by ", columns), this.grid);
    this.element = tag("div", { class: "hc-shapes", "data-drawn": "shape" }, ...reads.map(blank), asked);
    this.element.addEventListener("input", () => this.draw());
    this.clear();
  }

  get sides() {
    return this.fields.map((field) => Number.parseInt(field.value, 10) || 0);
  }

  draw() {
    fill(this.grid, this.sides);
  }

  get nothing() {
    return "Give it rows and columns first.";
  }

  get text() {
    const [rows, columns] = this.sides;
    return rows > 0 && columns > 0 ? `${rows} by ${columns}` : "";
  }

  focus() {
    const field = this.fields.find(({ value }) => !value) ?? this.fields[0];
    field.focus();
    field.select();
  }

  clear() {
    for (const field of this.fields) Object.assign(field, { value: "", disabled: false });
    this.draw();
  }

  settle() {
    for (const field of this.fields) field.disabled = true;
  }

  reveal() {
    this.fields.forEach((field, axis) => (field.value = this.shape[axis]));
    this.draw();
  }
}

// A matrix of which only the shape is known.
function blank({ name, shape }) {
  const grid = tag("div", { class: "hc-blank-matrix", "aria-hidden": "true" });
  fill(grid, shape);
  return tag("div", { class: "hc-shape" }, tag("b", {}, typesetNodes(name)), tag("span", {}, shape.join(" by ")), grid);
}

function fill(grid, shape) {
  const [rows, columns] = shape.map((side) => clamp(side, 0, MOST));
  grid.style.gridTemplateColumns = `repeat(${columns}, 26px)`;
  grid.replaceChildren(...Array.from({ length: rows * columns }, () => tag("i")));
}
