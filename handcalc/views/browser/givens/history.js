// What the givens were, and what was switched, one state after each movement, so that any can be undone.

const MOST_STATES = 200;

export class History {
  constructor(state) {
    this.states = [state];
    this.at = 0;
  }

  get now() {
    return this.states[this.at];
  }

  // All states up to the one that is now.
  get past() {
    return this.states.slice(0, this.at + 1);
  }

  get canUndo() {
    return this.at > 0;
  }

  get canRedo() {
    return this.at < this.states.length - 1;
  }

  // Returns whether this is anything new.
  add(state) {
    if (JSON.stringify(state) === JSON.stringify(this.now)) return false;
    this.states = [...this.states.slice(0, this.at + 1), state].slice(-MOST_STATES);
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
