// Changes to the givens, and what is switched: while they move, when they are settled, and how they are undone.

import { History } from "../page/history.js";
import { fillGivens } from "../record/variants.js";

const MAX_STATES = 200;

export class Edits {
  constructor(explorer) {
    this.explorer = explorer;
    this.history = new History(this.state, MAX_STATES);
  }

  // What a change can be undone to.
  get state() {
    const { givens, whatIf } = this.explorer;
    return { givens, whatIf };
  }

  move(matrix, row, column, value) {
    if (matrix.at(row, column) === value) return;
    this.hold();
    matrix.put(row, column, value);
    this.explorer.update([matrix]);
  }

  // While numbers change, screen readers are not told of each, columns keep their widths, and what changes is marked.
  hold() {
    if (this.isHeld) return;
    this.isHeld = true;
    this.explorer.voice.setBusy(true);
    this.explorer.openSheets.hold();
    this.explorer.companions.tell("grasp");
  }

  release() {
    this.isHeld = false;
    this.explorer.voice.setBusy(false);
    this.explorer.openSheets.tell("release");
    this.explorer.openSheets.tell("catchUp");
  }

  // A movement has ended.
  commit() {
    this.release();
    this.explorer.companions.tell("settle");
    if (!this.keep()) return;
    this.explorer.toolbar.refresh();
    this.send();
  }

  // What can be undone to, from now on; returns whether it is anything new.
  keep() {
    const isNew = JSON.stringify(this.state) !== JSON.stringify(this.history.now);
    if (isNew) this.history.add(this.state);
    return isNew;
  }

  // Python gets only givens from which everything can be calculated.
  send() {
    const { calculation, givens, whatIf, onGivens } = this.explorer;
    if (calculation.isSound(true)) onGivens(givens, whatIf);
  }

  // Back to where the movement began.
  cancel() {
    this.put(this.history.now);
    this.explorer.openSheets.forget();
    this.explorer.companions.tell("settle");
  }

  // Another calculation if something is switched, else other numbers in this one.
  put({ givens, whatIf }) {
    const { calculation, variants, convention, openSheets, input, presentation } = this.explorer;
    if (JSON.stringify(whatIf) !== JSON.stringify(this.explorer.whatIf)) return this.switch(whatIf, givens);
    this.hold();
    fillGivens(calculation, variants.inConvention(givens, convention));
    this.explorer.update(calculation.givens);
    this.release();
    openSheets.tell("narrow");
    if (this.explorer.hasGivens) input.fitRange();
    input.show();
    presentation.refresh();
  }

  // The sheet is drawn anew; the keyboard stays at its number.
  switch(whatIf, givens) {
    const { explorer } = this;
    if (this.isHeld) this.release();
    const hadFocus = explorer.stage.contains(document.activeElement);
    explorer.set("whatIf", whatIf, false, givens);
    if (hadFocus) explorer.focus(explorer.chosen);
  }

  set(state) {
    this.put(state);
    this.explorer.companions.tell("settle");
    this.keep();
    this.explorer.toolbar.refresh();
  }

  // A change of more than a number, all at once: what is switched, tokens that change places, a given of zeros.
  make(changes) {
    this.put({ ...this.state, ...changes });
    this.commit();
  }

  undo() {
    this.restore(this.history.go(-1));
  }

  redo() {
    this.restore(this.history.go(1));
  }

  reset() {
    this.make({ givens: {}, whatIf: {} });
    this.explorer.openSheets.forget();
  }

  restore(state) {
    if (!state) return;
    this.put(state);
    this.explorer.openSheets.forget();
    this.explorer.companions.tell("settle");
    this.explorer.toolbar.refresh();
    this.send();
  }
}
