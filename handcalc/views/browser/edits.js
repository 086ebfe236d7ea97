// Changes to the givens: while they move, when they are settled, and how they are undone.

import { History } from "./history.js";
import { fill } from "./variants.js";

export class Edits {
  constructor(explorer) {
    this.explorer = explorer;
    this.history = new History(explorer.givens);
  }

  move(matrix, row, column, value) {
    if (matrix.at(row, column) === value) return;
    this.hold();
    matrix.put(row, column, value);
    this.explorer.update([matrix]);
  }

  // While numbers change: listeners are spared them, columns stay as wide as they are, and what changes is marked.
  hold() {
    if (this.isHeld) return;
    this.isHeld = true;
    this.explorer.explanation.setBusy(true);
    this.explorer.desk.hold();
  }

  release() {
    this.isHeld = false;
    this.explorer.explanation.setBusy(false);
    this.explorer.desk.release();
    this.explorer.desk.catchUp();
  }

  // A movement has ended.
  commit() {
    const { givens, toolbar } = this.explorer;
    this.release();
    this.explorer.companions.tell("settle");
    if (!this.history.add(givens)) return;
    toolbar.refresh();
    this.send();
  }

  // Python gets only givens with which everything can be calculated.
  send() {
    const { calculation, givens, onGivens } = this.explorer;
    if (calculation.isSound(true)) onGivens(givens);
  }

  // Back to where the movement began.
  cancel() {
    this.put(this.history.now);
    this.explorer.companions.tell("settle");
  }

  put(givens) {
    const { calculation, variants, convention, desk, input } = this.explorer;
    this.hold();
    fill(calculation, variants.inConvention(givens, convention));
    this.explorer.update(calculation.givens);
    this.release();
    desk.narrow();
    if (this.explorer.hasGivens) input.fitRange();
    input.show();
  }

  set(givens) {
    this.put(givens);
    this.explorer.companions.tell("settle");
    this.history.add(this.explorer.givens);
    this.explorer.toolbar.refresh();
  }

  undo() {
    this.restore(this.history.undo());
  }

  redo() {
    this.restore(this.history.redo());
  }

  reset() {
    this.put({});
    this.commit();
  }

  restore(givens) {
    if (!givens) return;
    this.put(givens);
    this.explorer.companions.tell("settle");
    this.explorer.toolbar.refresh();
    this.send();
  }
}
