// Watching a number being made: its operands fly to it, are multiplied and added, and drop into its place.

import { choreography } from "./choreography.js";
import { Flight } from "./flight.js";
import { button, onLetter, tag } from "../page/dom.js";
import { isSame } from "../record/dependence.js";
import { prefersReducedMotion } from "../page/reduced_motion.js";

const READING = 1800; // milliseconds until the next step, while steps play
const SKIPS = ["pointerdown", "keydown"]; // anything the reader does ends it

export class Making {
  constructor(explorer) {
    this.explorer = explorer;
    this.flight = null;
    this.button = button("Watch it", () => this.watch(), { symbol: "watch", shown: tag("span", {}, "Watch it"), class: "hc-watch", title: "See this number being made (W)" });
    explorer.toolbar.looks.prepend(this.button);
    for (const { element } of [explorer, explorer.presentation]) onLetter(element, "w", () => this.watch());
    this.skip = () => this.end();
  }

  get isOn() {
    return this.flight !== null;
  }

  // Whether there is anything to see: it is calculated, from numbers, and shows.
  get isPossible() {
    const { chosen, openSheets } = this.explorer;
    return !prefersReducedMotion() && !chosen[0].isGiven && !openSheets.concealed.has(chosen[0]) && chosen[0].sources(chosen[1], chosen[2]).length > 0;
  }

  // what happens ------------------------------------------------------------------------------

  refresh() {
    this.button.hidden = !this.isPossible;
    if (this.isOn && !isSame(this.explorer.chosen, this.flight.of)) this.end();
  }

  follow() {
    this.end();
  }

  lay() {
    if (this.isOn && !this.flight.isInPlace) this.end();
  }

  // A hidden step is shown: animate it once everything has been written, in the same frame.
  reveal(step) {
    if (this.explorer.chosen[0] === step) queueMicrotask(() => this.watch());
  }

  // watching ----------------------------------------------------------------------------------

  // The sheet and record that show the chosen number under its own name: an open sheet's, or the slide's.
  home() {
    const { chosen, openSheets, presentation } = this.explorer;
    for (const sheet of presentation.isOpen ? [presentation.slide.sheet].filter(Boolean) : openSheets.sheets) {
      const record = sheet.recordsOf(...chosen).find(({ block }) => !block.isCopy);
      if (record?.element.checkVisibility()) return [sheet, record];
    }
    return null;
  }

  watch() {
    this.end();
    const found = this.isPossible && this.home();
    if (!found) return;
    const { chosen, places, stepper, element, explanation, highlight, sight, presentation } = this.explorer;
    if (!presentation.isOpen) sight.show(chosen);
    this.flight = new Flight(...found, choreography(chosen, places), highlight.roleOf());
    this.flight.of = chosen;
    element.classList.add("hc-making");
    for (const name of SKIPS) document.addEventListener(name, this.skip, true);
    const { line } = presentation.isOpen ? presentation.slide : explanation;
    this.flight.start(this.skip, line.lastElementChild.children);
    if (stepper.timer) stepper.wait(this.flight.times.end + READING);
  }

  end() {
    if (!this.isOn) return;
    this.flight.end();
    this.flight = null;
    this.explorer.element.classList.remove("hc-making");
    for (const name of SKIPS) document.removeEventListener(name, this.skip, true);
  }
}
