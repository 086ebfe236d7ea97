// A given scaled as a whole: each of its numbers times the same, as long as nobody moves one of them otherwise.

import { KEEPS_KEYS, tag } from "../page/dom.js";

const [LEAST, MOST, STEP] = [0.5, 2, 0.05];

export class Scaling {
  constructor(explorer) {
    this.explorer = explorer;
    this.slider = tag("input", { type: "range", min: LEAST, max: MOST, step: STEP, value: 1, "aria-label": "times", "data-what": "scale", ...KEEPS_KEYS });
    this.told = tag("span", { "aria-hidden": "true" });
    this.slider.addEventListener("input", () => this.move());
    this.slider.addEventListener("change", () => explorer.edits.commit());
  }

  // One of these givens is chosen in a list.
  control(givens) {
    this.list = tag("select", { "aria-label": "Given to multiply", "data-what": "given to scale", ...KEEPS_KEYS }, ...givens.map((matrix, k) => tag("option", { value: k }, matrix.inWords)));
    this.list.selectedIndex = Math.max(0, givens.findIndex(({ name }) => name === this.name));
    this.list.addEventListener("change", () => this.begin(this.list.selectedIndex));
    this.names = givens.map(({ name }) => name);
    this.settle();
    return tag("div", { class: "hc-what-if-row", role: "group", "aria-label": "Multiply a given" }, tag("span", { class: "hc-quiet", "aria-hidden": "true" }, "Multiply"), this.list, this.slider, this.told);
  }

  get matrix() {
    return this.explorer.calculation.byName.get(this.name);
  }

  begin(k) {
    this.name = this.names[k];
    this.start = Float64Array.from(this.matrix.values);
    this.factor = 1;
    this.show();
  }

  move() {
    const { matrix, slider: { valueAsNumber: factor }, explorer } = this;
    explorer.edits.hold();
    this.factor = factor;
    matrix.forEachCell((i, j) => matrix.put(i, j, this.start[i * matrix.columnCount + j] * factor));
    explorer.update([matrix]);
    this.show();
  }

  // Moved otherwise, it begins again from the numbers that it has now.
  settle() {
    if (!this.list) return;
    const { matrix, start, factor } = this;
    const isOurs = matrix && this.names[this.list.selectedIndex] === this.name && start?.length === matrix.values.length && matrix.values.every((value, k) => value === start[k] * factor);
    if (!isOurs) this.begin(this.list.selectedIndex);
    else this.show();
  }

  show() {
    this.slider.value = this.factor;
    this.told.textContent = `× ${this.factor}`;
    this.slider.setAttribute("aria-valuetext", `times ${this.factor}`);
  }
}
