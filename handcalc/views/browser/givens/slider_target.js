// The given that the slider moves: one that the chosen number depends on. A given that the reader took hold of stays
// its target as long as the chosen number depends on it.

import { dependsOn, isMovedBy, isSame, strongest } from "../record/dependence.js";
import { cellNodes, tag } from "../page/dom.js";

export class SliderTarget {
  constructor(explorer) {
    this.explorer = explorer;
    this.isByHand = false;
    this.line = tag("p", { class: "hc-aimed" });
    if (explorer.hasGivens) explorer.input.element.append(this.line);
  }

  // Another number is chosen, or the sheet has another form.
  refresh() {
    const { explorer } = this;
    const { chosen, calculation, input: { target } } = explorer;
    if (!explorer.hasGivens || explorer.edits.isHeld || (isSame(chosen, this.chosen) && isSame(target, this.target))) return;
    const isOtherForm = this.calculation !== calculation;
    Object.assign(this, { chosen, calculation });
    if (chosen[0].isGiven) this.take(chosen);
    else if (!(target && (this.isByHand || isOtherForm) && this.reads(target))) this.find();
    this.say();
  }

  take(cell) {
    [this.isByHand, this.found] = [true, null];
    if (!isSame(cell, this.explorer.input.target)) this.explorer.aim(...cell);
  }

  // The reader has not asked for this: windows of large matrices stay where they are.
  find() {
    const { chosen, calculation, openSheets, input, highlight } = this.explorer;
    this.isByHand = false;
    this.found = strongest(chosen, calculation, (...cell) => openSheets.showing(...cell).length > 0);
    input.aim(...(this.found ?? openSheets.firstGiven()));
    highlight.markGiven();
  }

  // Whether the chosen number depends on a given, or may.
  reads(cell) {
    return dependsOn(this.explorer.chosen, cell, this.explorer.calculation) !== false;
  }

  // The reader moves this given: if the chosen number does not depend on it, the given itself is chosen.
  hold(cell) {
    this.take(cell);
    if (!this.reads(cell)) this.explorer.choose(...cell);
    this.say();
  }

  // Refresh after a movement: numbers chosen meanwhile, by steps that play, could not take the slider from the hand.
  settle() {
    this.refresh();
  }

  // Say how the chosen number depends on the slider's given, where that is known.
  say() {
    const { chosen, calculation, input: { target } } = this.explorer;
    this.target = target;
    if (isSame(chosen, target)) return this.line.replaceChildren("This is the chosen number.");
    const isRead = chosen[0].sources(chosen[1], chosen[2]).some((source) => isSame(source.slice(0, 3), target));
    const isKnown = isSame(target, this.found) || dependsOn(chosen, target, calculation);
    if (!isKnown) return this.line.replaceChildren();
    const isMoved = isRead || isMovedBy(chosen, target, calculation); // what is multiplied by 0 moves nothing
    const [how, end] = isMoved ? [isRead ? " reads " : " depends on ", "."] : [" does not move with ", " as the numbers are now."];
    this.line.replaceChildren(cellNodes(chosen), how, cellNodes(target), end);
  }
}
