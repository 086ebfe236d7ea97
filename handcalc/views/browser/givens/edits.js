// Changes to the givens, and what is switched: while they move, when they are settled, and how they are undone.

import { History } from "../page/history.js";
import { fillGivens } from "../record/variants.js";

const MAX_STATES = 200;

export class Edits {
  constructor(explorer) {
    this.explorer = explorer;
    this.history = new History(this.state, MAX_STATES);
  }

  // The state that a change can be undone to.
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

  // Keep the present state for undo; returns whether it is new.
  keep() {
    const isNew = JSON.stringify(this.state) !== JSON.stringify(this.history.now);
    if (isNew) this.history.add(this.state);
    return isNew;
  }

  // Send Python the givens, if everything can be calculated from them.
  send() {
    const { calculation, givens, whatIf, onGivens } = this.explorer;
    if (calculation.isSound(true)) onGivens(givens, whatIf);
  }

  // Put everything back to where the movement began.
  cancel() {
    this.put(this.history.now);
    this.explorer.openSheets.forget();
    this.explorer.companions.tell("settle");
  }

  // Put a state in place: another calculation if something is switched, else other numbers in this one.
  put({ givens, whatIf }) {
    const { calculation, variants, convention, openSheets, input, presentation } = this.explorer;
    if (JSON.stringify(whatIf) !== JSON.stringify(this.explorer.whatIf)) return this.switch(whatIf, givens);
    this.hold();
    fillGivens(calculation, variants.inConvention(givens, convention));
    this.explorer.update(calculation.givens);
    this.release();
    for (const { widths } of openSheets.sheets) widths.narrow();
    if (this.explorer.hasGivens) input.fitRange();
    input.show();
    presentation.refresh();
  }

  // Switch, and draw the sheet again; the keyboard focus stays at its number.
  switch(whatIf, givens) {
    const { explorer } = this;
    if (this.isHeld) this.release();
    const hadFocus = explorer.stage.contains(document.activeElement);
    explorer.set("whatIf", whatIf, false, givens);
    if (hadFocus) explorer.focus(explorer.chosen);
  }

  // Take a state from outside: givens that are not named go back to the start.
  set(state) {
    this.put(state);
    this.explorer.companions.tell("settle");
    this.keep();
    this.explorer.toolbar.refresh();
  }

  // Make a change of more than one number at once: a switch, tokens that change places, a given of zeros.
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
