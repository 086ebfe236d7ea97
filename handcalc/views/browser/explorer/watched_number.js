// The number that is kept in view beside the slider, whatever block is open: what it was before the move, and what it is.

import { addressOf, resolveAddress } from "../record/cell_address.js";
import { cellNodes, onLetter, press, tag, toggle } from "../page/dom.js";
import { isSame } from "../record/dependence.js";
import { showOf, typeset } from "../record/numbers.js";

export class WatchedNumber {
  constructor(explorer) {
    this.explorer = explorer;
    this.kept = null; // a place whatever the convention; none, and it is a number of the last step
    this.before = null; // {place, value} when the movement began
    this.line = tag("p", { class: "hc-watched" });
    this.toggle = toggle("Keep in view", () => this.turn(), "Keep the chosen number in view, beside the slider (V)");
    if (explorer.hasGivens) explorer.input.element.after(this.line);
    explorer.toolbar.keepPlace.append(this.toggle);
    onLetter(explorer.element, "v", () => this.turn());
    const found = explorer.watch && resolveAddress(explorer.watch, explorer.levels, explorer.calculation);
    if (found?.cell) this.kept = explorer.place(found.cell);
  }

  // The kept number; else the one of the last step on the sheet in the column that is moved.
  get cell() {
    const { explorer } = this;
    if (this.kept) return explorer.found(this.kept);
    const last = explorer.level.steps.at(-1);
    return last ? [last, ...this.inColumn(last, explorer.input.target)] : null;
  }

  inColumn(last, target) {
    const isColumns = this.explorer.convention === "columns";
    const count = isColumns ? last.columnCount : last.rowCount;
    const moved = target ? target[isColumns ? 2 : 1] : 0;
    const at = target?.[0].labels(isColumns ? 1 : 0) && moved < count ? moved : 0;
    return isColumns ? [0, at] : [at, 0];
  }

  turn() {
    const { chosen } = this.explorer;
    this.kept = this.isKept(chosen) ? null : this.explorer.place(chosen);
    this.before = null;
    this.refresh();
  }

  isKept(cell) {
    return this.kept !== null && isSame(this.explorer.found(this.kept), cell);
  }

  // A hand begins to move a given.
  grasp() {
    const { cell } = this;
    this.before = cell && { place: this.explorer.place(cell).join(), value: cell[0].at(cell[1], cell[2]) };
  }

  refresh() {
    press(this.toggle, this.isKept(this.explorer.chosen));
    this.follow();
  }

  // The one “before” of a number: its value when pinned or before a what-if, else the one before the move.
  valueBefore(cell) {
    const told = this.explorer.comparison.valueBefore(cell);
    if (told !== null) return told;
    return this.before?.place === this.explorer.place(cell).join() ? this.before.value : null;
  }

  follow() {
    const { cell, explorer: { openSheets, places } } = this;
    this.line.hidden = !cell || openSheets.concealed.has(cell[0]);
    if (this.line.hidden) return;
    const text = (value) => typeset(showOf(cell[0], value, places));
    const [was, now] = [this.valueBefore(cell), cell[0].at(cell[1], cell[2])];
    const change = was === null || text(was) === text(now) ? [] : [tag("span", { class: "hc-was" }, text(was)), " → "];
    this.line.replaceChildren(cellNodes(cell), " ", ...change, tag("b", {}, text(now)));
    this.line.dataset.watched = addressOf(cell);
  }
}
