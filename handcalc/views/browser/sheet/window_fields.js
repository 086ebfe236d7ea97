// The place of a large matrix's window, in two fields where another one can be typed; they are text as long as
// neither hand nor eye is at this matrix.

import { KEEPS_KEYS, tag } from "../page/dom.js";
import { counted } from "../record/numbers.js";

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
