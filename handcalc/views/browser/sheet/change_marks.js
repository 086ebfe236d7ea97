// Marks, ▲ or ▼, on numbers that change while a given is dragged; they stay until the next action.

import { prefersReducedMotion } from "../page/reduced_motion.js";

// Whether a number is written differently, and is larger (1) or smaller (-1).
export function turnOf(was, now) {
  return was.text === now.text ? 0 : Math.sign(now.value - was.value) || 0;
}

export class ChangeMarks {
  constructor(sheet) {
    this.sheet = sheet;
    this.changed = new Map(); // record -> what was written when the movement began, and how it is marked
    this.isOn = false;
  }

  // On a large sheet only numbers of `followed` matrices are marked.
  begin(followed = new Set()) {
    this.clear();
    this.followed = followed;
    this.isOn = !prefersReducedMotion();
  }

  // A number is about to be written.
  before(record) {
    if (!this.isOn || this.changed.has(record) || !record.text) return;
    if (this.sheet.isLarge && !this.followed.has(record.matrix)) return;
    this.changed.set(record, { text: record.text, value: record.value, turn: 0 });
  }

  // A number has been written: update its mark.
  after(record) {
    const was = this.isOn && this.changed.get(record);
    if (!was) return;
    const turn = turnOf(was, record);
    if (turn === was.turn) return;
    was.turn = turn;
    this.mark(record, was);
  }

  mark({ element }, { turn }) {
    element.classList.toggle("hc-grew", turn > 0);
    element.classList.toggle("hc-shrank", turn < 0);
  }

  // The hand rests: marks are quieter, and wait for what comes next.
  end() {
    if (!this.isOn) return;
    this.isOn = false;
    this.sheet.element.classList.add("hc-rests");
  }

  // The reader has moved on: clear the marks.
  forget() {
    if (!this.isOn && this.changed.size) this.clear();
  }

  clear() {
    this.sheet.element?.classList.remove("hc-rests");
    for (const { element } of this.changed.keys()) element.classList.remove("hc-grew", "hc-shrank");
    this.changed.clear();
  }
}
