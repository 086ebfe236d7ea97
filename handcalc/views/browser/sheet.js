// The sheet on the page: a table for each matrix, laid out as on paper, its cells patched in place.

import { show, typeset } from "./numbers.js";
import { background, largestOf } from "./colours.js";
import { KEEPS_KEYS, nameTag, tag, typesetNodes } from "./dom.js";

const SLIM = 2; // columns of a track that leave its captions too little room
const MANY = 30; // matrices, from which on only what is in sight is drawn
const REST = 150; // milliseconds without a move, until what is out of sight is written too
const SQUEEZED = 0.94; // as much smaller a sheet is drawn rather than wrapped from the start
const LEAST_ZOOM = 0.74; // and where its numbers have grown since

// About how wide a number is, in ems: wide enough for the widest of the common fonts.
const width = (text) => [...text].reduce((ems, c) => ems + (c === "." ? 0.32 : c === "-" ? 0.84 : 0.64), 0);

export class Sheet {
  constructor(calculation, places, layout = calculation.spec.layout) {
    this.calculation = calculation;
    this.places = places;
    this.layout = layout;
    this.isHorizontal = calculation.spec.convention === "rows"; // steps stand side by side
    this.concealed = new Set(); // matrices whose numbers are still hidden
    this.explained = null; // the matrix of the number that is explained: always written, even off screen
    this.offscreen = new Set(); // tracks that are off screen, on a large sheet
    this.before = () => null; // (matrix) -> numbers to compare its numbers with, if any
    this.blocks = [];
    this.ems = new Map(); // element -> how wide its numbers are
    this.cells = new Map(); // "matrix:row:column" -> every record of the number
    const tracks = layout.map((rows) => this.track(rows));
    this.element = tag("div", { class: "hc-sheet" }, ...tracks);
    this.element.style.setProperty("--hc-columns", this.columnCount());
    this.patch();
  }

  columnCount() {
    const wide = (block) => (block ? this.calculation.matrices[block[0]].columnCount : 0);
    const sum = (counts) => counts.reduce((a, b) => a + b, 0);
    if (this.isHorizontal) return Math.max(...this.layout.map((rows) => sum(rows.map((row) => wide(row.main)))));
    const track = (rows) =>
      Math.max(...rows.map((row) => wide(row.left))) + Math.max(...rows.map((row) => wide(row.main)));
    return sum(this.layout.map(track));
  }

  track(rows) {
    const columns = Math.max(...rows.map((row) => this.calculation.matrices[row.main[0]].columnCount));
    const parts = rows.flatMap((row, k) => {
      const blocks = [["left", row.left], ["main", row.main], ...row.right.map((b) => ["right", b])];
      const drawn = blocks.filter(([, block]) => block).map(([place, block]) => {
        const element = this.block(...block, this.calculation.matrices[row.main[0]]);
        element.classList.add(`hc-${place}`);
        const { columnCount } = this.calculation.matrices[block[0]];
        if (!this.isHorizontal && columnCount < columns) element.classList.add("hc-narrow");
        if (this.isHorizontal && columnCount <= SLIM) element.classList.add("hc-single-column");
        if (place === "main" && this.isHorizontal && this.repeatsLabels(rows, k)) element.classList.add("hc-repeats-labels");
        return element;
      });
      const right = drawn.filter((element) => element.classList.contains("hc-right"));
      const kept = drawn.filter((element) => !right.includes(element));
      if (right.length) kept.push(tag("div", { class: "hc-right hc-beside" }, ...right));
      for (const element of kept) element.style[this.isHorizontal ? "gridColumn" : "gridRow"] = k + 1;
      return kept;
    });
    const kind = this.isHorizontal ? " hc-horizontal" : columns > SLIM ? "" : " hc-slim";
    return tag("div", { class: `hc-track${kind}` }, ...parts);
  }

  // Whether the matrix before it has the same row labels: they are hidden, and still read aloud.
  repeatsLabels(rows, k) {
    const labels = (row) => this.calculation.matrices[row.main[0]].labels(0)?.join();
    return k > 0 && labels(rows[k]) === labels(rows[k - 1]);
  }

  block(place, isCopy, rowOf) {
    const matrix = this.calculation.matrices[place];
    const table = tag("table", { class: "hc-matrix", role: "grid", "aria-label": this.describe(matrix) });
    if (isCopy) table.classList.add("hc-copy");
    table.append(this.caption(matrix));
    const columns = matrix.labels(1);
    const rows = matrix.labels(0);
    if (columns) {
      const heads = columns.map((text) => tag("th", { scope: "col" }, text));
      table.append(tag("thead", {}, tag("tr", {}, rows ? tag("td") : null, ...heads)));
    }
    const block = { table, matrix, rowOf, records: [] };
    const body = tag("tbody");
    for (let i = 0; i < matrix.rowCount; i += 1) {
      const cells = Array.from({ length: matrix.columnCount }, (_, j) => this.cell(block, isCopy, i, j));
      body.append(tag("tr", {}, rows ? tag("th", { scope: "row" }, rows[i]) : null, ...cells));
    }
    table.append(body);
    this.blocks.push(block);
    return table;
  }

  describe(matrix) {
    const size = `${matrix.rowCount} by ${matrix.columnCount}`;
    return [matrix.entry.typeset.spoken, matrix.entry.meaning, size].filter(Boolean).join(", ");
  }

  caption(matrix) {
    const { typeset: { formula }, meaning } = matrix.entry;
    const right = matrix.name && formula ? `= ${formula}` : "";
    const words = [matrix.isGiven ? "given" : "", meaning].filter(Boolean).join(" · ");
    const quiet = tag("span", {}, " ", typesetNodes(right), right && words ? " · " : "", words);
    return tag("caption", { title: this.describe(matrix) }, nameTag(matrix), quiet);
  }

  // A copy shows numbers that live elsewhere: its cells stand for those.
  cell(block, isCopy, row, column) {
    const { matrix } = block;
    const home = matrix.name ? [matrix, row, column] : (matrix.sources(row, column)[0] ?? [matrix, row, column]);
    const [owner, i, j] = home;
    const address = { [isCopy ? "data-copy" : "data-step"]: owner.name ?? "", "data-row": i, "data-column": j };
    const number = document.createTextNode("");
    const element = tag("td", { role: "gridcell", tabindex: "-1", ...KEEPS_KEYS, ...address }, tag("span", {}, number));
    if (owner.isGiven) element.classList.add("hc-given");
    const record = { element, number, matrix, owner, row: i, column: j, at: row * matrix.columnCount + column };
    element.handcalc = record;
    const key = `${owner.index}:${i}:${j}`;
    if (!this.cells.has(key)) this.cells.set(key, []);
    this.cells.get(key).push(record);
    block.records.push(record);
    return element;
  }

  showing(matrix, row, column) {
    return (this.cells.get(`${matrix.index}:${row}:${column}`) ?? []).map((record) => record.element);
  }

  // Write the numbers that have changed; of `changed` matrices only, when that is given.
  patch(changed = null) {
    for (const block of this.blocks) {
      if (changed && !changed.has(block.matrix)) continue;
      this.hide(block.table, block.rowOf.isIdle);
      block.isStale = changed !== null && block.matrix !== this.explained && this.offscreen.has(this.trackOf(block));
      if (!block.isStale) this.writeAll(block);
    }
    this.keepLines();
    clearTimeout(this.resting);
    if (this.offscreen.size) this.resting = setTimeout(() => this.catchUp(), REST);
  }

  writeAll(block) {
    block.isStale = false;
    const largest = largestOf(block.matrix.values);
    for (const record of block.records) this.write(record, largest);
  }

  // Write what was off screen while givens moved, now that they are still: everything, or these tracks.
  catchUp(tracks = null) {
    for (const block of this.blocks) {
      if (block.isStale && (!tracks || tracks.has(this.trackOf(block)))) this.writeAll(block);
    }
  }

  trackOf(block) {
    return (block.track ??= block.table.closest(".hc-track"));
  }

  // Hide the numbers of these matrices, and show all others.
  conceal(matrices) {
    this.concealed = new Set(matrices);
    this.patch();
  }

  // Tracks off screen are not drawn, so that a large sheet moves as quickly as a small one; each keeps
  // its place. Call this once the sheet is on the page, and when the page has changed.
  settle() {
    [this.lines, this.isWider] = [null, true];
    this.keepLines();
    if (this.blocks.length < MANY) return;
    const tracks = [...this.element.children];
    this.element.classList.remove("hc-large");
    const sizes = tracks.map((track) => [track.clientWidth - 4, track.clientHeight - 4]); // without padding
    tracks.forEach((track, k) => (track.style.containIntrinsicSize = `${sizes[k][0]}px ${sizes[k][1]}px`));
    this.element.classList.add("hc-large");
    this.watch(tracks);
  }

  // Watch which tracks are off screen: their numbers are written only when they come near.
  watch(tracks) {
    this.observer?.disconnect();
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.offscreen[isIntersecting ? "delete" : "add"](target);
      this.catchUp(new Set(entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target)));
    }, { rootMargin: "150px" });
    for (const track of tracks) this.observer.observe(track);
  }

  // Columns keep one width down a track, wide enough for its longest number; `narrow` alone takes it back.
  widen(record, text) {
    const table = record.element.closest("table");
    const isAlone = this.isHorizontal || table.classList.contains("hc-left");
    record.wide ??= isAlone ? table : (table.closest(".hc-track") ?? table);
    const ems = width(text);
    if (ems <= (this.ems.get(record.wide) ?? 0)) return;
    this.ems.set(record.wide, ems);
    record.wide.style.setProperty("--hc-ems", ems.toFixed(2));
    this.isWider = true;
  }

  // Wider numbers must not push a track to another line while somebody is looking at it: the sheet is
  // drawn smaller first.
  keepLines() {
    if (!this.isWider || !this.element.isConnected || this.blocks.length >= MANY) return;
    this.isWider = false;
    this.lines ??= Math.min(this.linesAt(1), this.linesAt(SQUEEZED));
    for (let zoom = 1; zoom > LEAST_ZOOM; zoom -= 0.03) if (this.linesAt(zoom) <= this.lines) return;
    this.linesAt(1);
  }

  // How many lines the tracks take at this zoom.
  linesAt(zoom) {
    this.element.style.zoom = zoom === 1 ? "" : zoom.toFixed(2);
    return new Set([...this.element.children].map((track) => Math.round(track.getBoundingClientRect().top))).size;
  }

  // Shrink columns to the numbers that they have now.
  narrow() {
    const before = JSON.stringify([...this.ems.values()]);
    this.ems.clear();
    for (const { records } of this.blocks) for (const record of records) if (record.text) this.widen(record, record.text);
    if (before !== JSON.stringify([...this.ems.values()])) this.keepLines();
    else this.isWider = false;
  }

  // A step that changes nothing just now is hidden: its numbers have no address either.
  hide(table, hidden) {
    if (table.hidden === hidden) return;
    table.hidden = hidden;
    const [now, then] = hidden ? ["data-step", "data-idle-step"] : ["data-idle-step", "data-step"];
    for (const cell of table.querySelectorAll(`[${now}]`)) {
      cell.setAttribute(then, cell.getAttribute(now));
      cell.removeAttribute(now);
    }
  }

  write(record, largest) {
    const value = record.matrix.values[record.at];
    const isConcealed = this.concealed.has(record.owner);
    if (value !== record.value || isConcealed !== record.isConcealed) {
      record.value = value;
      const text = isConcealed ? "" : show(value, this.places);
      if (text !== record.text) {
        record.text = text;
        record.number.data = typeset(text);
        this.widen(record, text);
      }
      if (isConcealed !== record.isConcealed) this.cover(record, isConcealed);
      record.element.setAttribute("data-value", isConcealed ? "" : String(value));
    }
    const tint = isConcealed ? "transparent" : background(value, largest, record.matrix.entry.never_negative);
    if (tint !== record.tint) {
      record.tint = tint;
      record.element.style.backgroundColor = tint;
    }
    this.compare(record, isConcealed ? null : this.before(record.owner));
  }

  cover(record, isConcealed) {
    record.isConcealed = isConcealed;
    record.element.classList.toggle("hc-concealed", isConcealed);
    if (isConcealed) record.element.setAttribute("aria-label", "not calculated yet");
    else record.element.removeAttribute("aria-label");
  }

  // Whether the number is above or below the one it is compared with.
  compare(record, before) {
    const at = record.row * record.owner.columnCount + record.column;
    const change = before ? record.owner.values[at] - before[at] : 0;
    const sign = Math.abs(change) > 1e-12 ? Math.sign(change) : 0; // what is left of rounding is no change
    if (sign === (record.sign ?? 0)) return;
    record.sign = sign;
    record.element.classList.toggle("hc-rose", sign > 0);
    record.element.classList.toggle("hc-fell", sign < 0);
  }
}
