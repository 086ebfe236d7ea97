// The panel about the chosen number: its arithmetic and the given that is moved, below the sheet. In a low frame it is
// one line, behind which a button has the rest.

import { button, tag } from "../page/dom.js";

export class Panel {
  constructor(explorer) {
    this.explorer = explorer;
    const { explanation, stepper, input, toolbar, comparison, trace } = explorer;
    this.about = tag("div", { class: "hc-about" }, explanation.element, toolbar.looks, explanation.everything, stepper.panel);
    const move = tag("div", { class: "hc-move" }, input.element, toolbar.givens);
    const lists = tag("div", { class: "hc-lists" }, comparison.element, trace.element);
    this.handle = button("More about this number", () => this.pull(!this.isPulled), { symbol: "up", "aria-expanded": "false" });
    this.handle.classList.add("hc-handle");
    this.element = tag("div", { class: "hc-panel" }, this.about, move, lists, this.handle);
  }

  get isPulled() {
    return this.element.classList.contains("hc-pulled");
  }

  // Another number is chosen, or the words on it have changed.
  refresh() {
    const { trace, comparison, stepper } = this.explorer;
    const { classList } = this.element;
    const isListing = trace.isOn || !comparison.element.hidden;
    if (isListing !== classList.contains("hc-listing")) this.element.scrollTop = 0;
    classList.toggle("hc-listing", isListing);
    classList.toggle("hc-questioned", Boolean(stepper.asked));
    if (!stepper.summary.isOpen) this.isPast = false;
    classList.toggle("hc-summed", stepper.summary.isOpen && !this.isPast);
  }

  pull(isPulled) {
    this.element.classList.toggle("hc-pulled", isPulled);
    this.handle.setAttribute("aria-expanded", String(isPulled));
    this.handle.title = isPulled ? "Less about this number" : "More about this number";
    this.element.scrollTop = 0;
    this.explorer.sight.show(this.explorer.chosen);
  }
}
