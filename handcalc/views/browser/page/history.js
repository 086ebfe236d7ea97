// One state after another, as a browser keeps its pages: back, on, and what was ahead is forgotten by a new one.

export class History {
  constructor(first, most) {
    Object.assign(this, { states: [first], at: 0, most });
  }

  get now() {
    return this.states[this.at];
  }

  // All states up to the one that is now.
  get past() {
    return this.states.slice(0, this.at + 1);
  }

  get canGoBack() {
    return this.at > 0;
  }

  get canGoOn() {
    return this.at < this.states.length - 1;
  }

  add(state) {
    this.states = [...this.past, state].slice(-this.most);
    this.at = this.states.length - 1;
  }

  // Replace the present state.
  replace(state) {
    this.states[this.at] = state;
  }

  // The state this many on, or back; null where there is none.
  go(steps) {
    const at = this.at + steps;
    if (!(at in this.states)) return null;
    this.at = at;
    return this.now;
  }
}
