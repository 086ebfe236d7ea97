// Several elements that are one stop of Tab: it reaches one of them, and arrow keys lead from there to the others.

import { claim } from "./dom.js";

const STEPS = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };

export class OneStop {
  // `all` gives the elements in order; `onKey` listens to keys pressed on them.
  constructor(all) {
    this.all = all;
    this.onKey = (event) => {
      const elements = [...all()];
      const at = elements.indexOf(event.target);
      if (at < 0 || !(event.key in STEPS)) return;
      claim(event);
      const next = elements[at + STEPS[event.key]];
      if (!next) return;
      this.stop(next);
      next.focus();
    };
  }

  // Let Tab reach this one.
  stop(chosen) {
    for (const other of this.all()) other.tabIndex = other === chosen ? 0 : -1;
  }
}
