// What the givens were, one state after each movement, so that any can be undone.

const MOST_STATES = 200;

export class History {
  constructor(givens) {
    this.states = [givens];
    this.at = 0;
  }

  get now() {
    return this.states[this.at];
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.states.length - 1;
  }

  // Returns whether this is anything new.
  add(givens) {
    if (JSON.stringify(givens) === JSON.stringify(this.now)) return false;
    this.states = [...this.states.slice(0, this.at + 1), givens].slice(-MOST_STATES);
    this.at = this.states.length - 1;
    return true;
  }

  undo() {
    if (!this.canUndo) return null;
    this.at -= 1;
    return this.now;
  }

  redo() {
    if (!this.canRedo) return null;
    this.at += 1;
    return this.now;
  }
}
