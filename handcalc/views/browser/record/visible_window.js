// The rows and columns of a matrix that are on the page: the rule of handcalc/views/visible_window.py.

import { clamp } from "./numbers.js";

export const WHOLE_UP_TO = 16; // rows (or columns) that are shown without a window
export const IN_WINDOW = 12; // rows (or columns) in one

const NARROW = [[480, 4], [640, 6], [1150, 8]]; // pixels, below which so many columns have to do

// The columns of a large matrix that fit on a sheet of this width.
export const columnsIn = (width) => NARROW.find(([below]) => width < below)?.[1] ?? IN_WINDOW;

const shownOf = (count, shown, whole) => (count <= Math.max(shown, whole) ? count : shown);

// As little as brings [first, last] into sight from `start`: not at all if a part of it is.
function towards(start, shown, [first, last]) {
  if (last < start) return last;
  return first >= start + shown ? first - shown + 1 : start;
}

export class Window {
  // `rows` and `columns` are how many of a large matrix are shown, `whole` up to how many there is no window.
  constructor([rowCount, columnCount], { rows = IN_WINDOW, columns = IN_WINDOW, whole = WHOLE_UP_TO } = {}) {
    Object.assign(this, { rowCount, columnCount, top: 0, left: 0 });
    this.height = shownOf(rowCount, rows, whole);
    this.width = shownOf(columnCount, columns, whole);
  }

  get isTall() {
    return this.height < this.rowCount;
  }

  get isWide() {
    return this.width < this.columnCount;
  }

  get isWhole() {
    return !this.isTall && !this.isWide;
  }

  // Whether the strip of the whole is beside the numbers and not above them.
  get isBeside() {
    return this.isTall && !this.isWide;
  }

  has(row, column) {
    return row >= this.top && row < this.top + this.height && column >= this.left && column < this.left + this.width;
  }

  // Returns whether it has moved; it stays inside the matrix.
  moveTo(top, left) {
    const [before, across] = [this.top, this.left];
    this.top = clamp(Math.round(top), 0, this.rowCount - this.height);
    this.left = clamp(Math.round(left), 0, this.columnCount - this.width);
    return this.top !== before || this.left !== across;
  }

  // The place to move it to, so that a part of these rows and columns is in sight, each [first, last].
  showing(rows, columns) {
    return [towards(this.top, this.height, rows), towards(this.left, this.width, columns)];
  }
}
