// The whole of a large matrix as colours, and where in it the window of numbers is: the window is dragged on it, or its
// place typed into two fields, which are text as long as neither hand nor eye is at this matrix.

import { paintMatrix } from "../record/colours.js";
import { KEEPS_KEYS, tag } from "../page/dom.js";
import { counted, show, typeset } from "../record/numbers.js";

const [LOWEST, HIGHEST, WIDE] = [14, 96, 280]; // pixels: the height of one above the numbers, where it is so wide

export class Strip {
  // `onMove(top, left)` asks for another place of the window.
  constructor(matrix, window, places, onMove) {
    Object.assign(this, { matrix, window, places, onMove });
    this.isConcealed = false;
    this.canvas = tag("canvas", { role: "img" });
    this.frame = tag("span", { class: "hc-frame" });
    this.name = tag("span", { class: "hc-under", hidden: "", "aria-hidden": "true" });
    this.element = tag("span", { class: "hc-strip" }, this.canvas, this.frame, this.name);
    if (window.isWide) this.element.style.height = `${Math.max(LOWEST, Math.min(HIGHEST, Math.round(WIDE * matrix.rowCount / matrix.columnCount)))}px`;
    this.observer = new ResizeObserver(([entry]) => this.fit(entry));
    this.observer.observe(this.canvas);
    this.bind();
    this.place();
  }

  // Device pixels, so that no colour is smeared.
  fit({ contentRect, devicePixelContentBoxSize: exact }) {
    const [width, height] = exact
      ? [exact[0].inlineSize, exact[0].blockSize]
      : [contentRect.width, contentRect.height].map((length) => Math.round(length * devicePixelRatio));
    if (!width || !height || (width === this.canvas.width && height === this.canvas.height && this.isDrawn)) return;
    Object.assign(this.canvas, { width, height });
    this.isDrawn = true;
    this.draw();
  }

  draw() {
    if (!this.isDrawn) return;
    const { canvas } = this;
    if (this.isConcealed) canvas.getContext("2d").clearRect(0, 0, canvas.width, canvas.height);
    else paintMatrix(canvas, this.matrix);
  }

  conceal(isConcealed) {
    this.isConcealed = isConcealed;
    this.element.classList.toggle("hc-concealed", isConcealed);
  }

  // Put the frame where the window is.
  place() {
    const { top, left, height, width, rowCount, columnCount } = this.window;
    const share = (part, whole) => `${100 * part / whole}%`;
    Object.assign(this.frame.style, {
      top: share(top, rowCount), left: share(left, columnCount), height: share(height, rowCount), width: share(width, columnCount),
    });
    this.canvas.setAttribute("aria-label", this.words());
  }

  words() {
    const { rowCount, columnCount } = this.window;
    return `All ${rowCount} by ${columnCount} numbers of ${this.matrix.inWords} as colours`;
  }

  // pointer -------------------------------------------------------------------------------------

  bind() {
    this.element.addEventListener("pointerdown", (event) => this.grab(event));
    this.element.addEventListener("pointermove", (event) => this.point(event));
    this.element.addEventListener("pointerleave", () => (this.name.hidden = true));
  }

  // The row and column under the pointer, as fractions of rows and columns.
  under({ clientX, clientY }) {
    const box = this.canvas.getBoundingClientRect();
    const { rowCount, columnCount } = this.window;
    const within = (share, count) => Math.max(0, Math.min(share * count, count - 1e-9));
    return [within((clientY - box.top) / box.height, rowCount), within((clientX - box.left) / box.width, columnCount)];
  }

  // A press outside the frame brings it there; from then on it follows.
  grab(event) {
    if (event.button !== 0) return;
    event.preventDefault();
    const { window } = this;
    const [row, column] = this.under(event);
    if (!window.has(row, column)) this.onMove(row - window.height / 2, column - window.width / 2);
    const [down, across] = [row - window.top, column - window.left];
    this.element.setPointerCapture(event.pointerId);
    const follow = (move) => {
      const [i, j] = this.under(move);
      this.onMove(i - down, j - across);
    };
    const drop = () => this.element.removeEventListener("pointermove", follow);
    this.element.addEventListener("pointermove", follow);
    for (const end of ["pointerup", "pointercancel"]) this.element.addEventListener(end, drop, { once: true });
  }

  // Name the number under the pointer.
  point(event) {
    const [row, column] = this.under(event).map(Math.floor);
    const name = this.matrix.cellName(row, column);
    this.name.textContent = this.isConcealed ? name : typeset(`${name} = ${show(this.matrix.at(row, column), this.places)}`);
    this.name.hidden = false;
    const { rowCount, columnCount, isWide } = this.window;
    const across = 100 * column / columnCount;
    const isRight = across < 50 && isWide; // of the pointer
    Object.assign(this.name.style, {
      top: `${100 * row / rowCount}%`,
      left: isRight ? `calc(${across}% + 14px)` : "auto",
      right: isRight ? "auto" : `calc(${isWide ? 100 - across : 100}% + 8px)`,
    });
  }
}

export class WindowFields {
  constructor(matrix, window, onMove) {
    Object.assign(this, { window, onMove });
    this.rows = window.isTall ? this.part("rows", matrix, window.height, window.rowCount) : null;
    this.columns = window.isWide ? this.part("columns", matrix, window.width, window.columnCount) : null;
    const parts = [this.rows, this.columns].filter(Boolean);
    this.element = tag("span", { class: "hc-places" }, ...parts.map((part) => part.element));
    this.refresh();
  }

  part(word, matrix, shown, count) {
    const name = matrix.inWords;
    const field = tag("input", {
      type: "text", inputmode: "numeric", autocomplete: "off", size: String(count).length, "aria-label": `First of the ${word} of ${name} that are shown, 1 to ${count - shown + 1}`, ...KEEPS_KEYS,
    });
    const [start, end] = [tag("span", { class: "hc-place" }), tag("span")];
    const rest = ` of ${count.toLocaleString("en")}`;
    field.addEventListener("change", () => this.go());
    field.addEventListener("keydown", (event) => this.onKey(event));
    field.addEventListener("focus", () => field.select());
    return { field, start, end, element: tag("label", {}, `${word} `, start, field, "–", end, rest) };
  }

  onKey(event) {
    if (event.key === "Enter") this.go();
    if (["Enter", "ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown"].includes(event.key)) event.stopPropagation();
  }

  // Anything but a number changes nothing.
  go() {
    const read = (part, now) => (part && /^\d+$/.test(part.field.value.trim()) ? Number(part.field.value) - 1 : now);
    this.onMove(read(this.rows, this.window.top), read(this.columns, this.window.left));
    this.refresh();
  }

  refresh() {
    const { window } = this;
    const write = (part, start, shown) => {
      if (!part) return;
      part.field.value = part.start.textContent = String(counted(start));
      part.end.textContent = String(start + shown);
    };
    write(this.rows, window.top, window.height);
    write(this.columns, window.left, window.width);
  }
}
