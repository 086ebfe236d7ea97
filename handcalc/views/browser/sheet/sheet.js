// The sheet on the page: a table for each matrix, laid out as on paper, its cells patched in place.

import { largestOf } from "../record/colours.js";
import { arranged } from "./arrangement.js";
import { Block } from "./block.js";
import { Captions } from "./captions.js";
import { writeCell, writeText } from "./cell.js";
import { ChangeMarks } from "./change_marks.js";
import { show, showOf, signOf } from "../record/numbers.js";
import { svgTag, tag } from "../page/dom.js";
import { SameWidth, Widths } from "./widths.js";
import { Window } from "../record/visible_window.js";

const SLIM_COLUMNS = 2; // columns of a track that leave its captions too little room
const NARROW_COLUMNS = 3; // in a strip
const CAPTION_ROWS = 3.5; // about as high as so many rows
const [MANY_MATRICES, MANY_NUMBERS] = [30, 1000]; // matrices or numbers, from which on only what is in sight is drawn
const REST_TIME = 150; // milliseconds without a move, until what is out of sight is written too

const keyOf = (matrix, row, column) => `${matrix.index}:${row}:${column}`;

export class Sheet {
  // `layout` says which matrices are drawn and where, `room` how much of a large one, `level` whose sheet it
  // is: a block's, which writes names its own way and gets matrices from others. `concealed` are the matrices whose
  // numbers are hidden; `before(matrix)` gives numbers to compare with, if any. Several may show one calculation.
  constructor(calculation, places, layout = calculation.spec.layout, room = {}, level = null, concealed = [], before = () => null) {
    this.calculation = calculation;
    this.places = places;
    this.room = room;
    this.level = level;
    this.isHorizontal = calculation.spec.convention === "rows"; // steps stand side by side
    this.layout = arranged(layout, calculation.matrices, (block) => this.windowOf(block).width, room.width ?? 0, this.isHorizontal);
    this.concealed = new Set(concealed);
    this.explained = null; // the matrix of the number that is explained: always written, even off screen
    this.offscreen = new Set(); // tracks that are off screen, on a large sheet
    this.reserved = []; // what stands beside the numbers, {left, top, width, height}: ways and words keep clear of it
    this.before = before;
    this.onMove = () => {}; // (block) whose window has moved
    this.blocks = [];
    this.widths = new Widths(this);
    this.captions = new Captions(this);
    this.changeMarks = new ChangeMarks(this);
    this.cells = new Map(); // "matrix:row:column" -> every record of the number
    this.tracks = this.layout.map((rows) => this.track(rows));
    this.under = svgTag("svg", { class: "hc-under-sheet", "aria-hidden": "true" }); // ways, behind the numbers
    this.over = tag("div", { class: "hc-over-sheet", "aria-hidden": "true" }); // words, and numbers that fly
    this.element = tag("div", { class: "hc-sheet" }, this.under, ...this.tracks, this.over);
    this.mostColumns = this.columnCount();
    this.element.style.setProperty("--hc-columns", this.mostColumns); // until `widths` is told how much room there is
    this.patch();
  }

  get isLarge() {
    return this.blocks.length >= MANY_MATRICES || this.cells.size >= MANY_NUMBERS;
  }

  // Take over the widths of an earlier sheet of the same block, if it was written the same way.
  takeAfter(sheets) {
    const before = sheets.find(({ level, places, isHorizontal }) => level.path === this.level.path && places === this.places && isHorizontal === this.isHorizontal);
    if (before) Object.assign(this.widths, { lines: before.widths.lines, width: before.widths.width }); // tracks stay in their lines
  }

  // The sheet is no longer shown.
  dispose() {
    clearTimeout(this.resting);
    this.changeMarks.clear();
    this.observer?.disconnect();
    for (const { strip } of this.blocks) strip?.observer.disconnect();
  }

  columnCount() {
    const wide = (block) => (block ? this.windowOf(block).width : 0);
    const sum = (counts) => counts.reduce((a, b) => a + b, 0);
    if (this.isHorizontal) return Math.max(...this.layout.map((rows) => sum(rows.map((row) => wide(row.main)))));
    const most = (blocks) => Math.max(0, ...blocks.map(wide));
    const track = (rows) => {
      const columns = [...Map.groupBy(rows, ({ column }) => column).values()];
      return sum([most(rows.map((row) => row.left)), ...columns.map((own) => most(own.map((row) => row.main)))]);
    };
    return sum(this.layout.map(track));
  }

  // The rough height of the sheet in rows, with captions and labels.
  rowCount() {
    const high = (block) => (block ? this.windowOf(block).height + CAPTION_ROWS : 0);
    const bands = this.layout.flatMap((rows) => [...Map.groupBy(rows, ({ band }) => band).values()]);
    return bands.reduce((all, rows) => all + Math.max(...rows.flatMap(({ left, main }) => [high(left), high(main)])), 0);
  }

  track(rows) {
    const shown = (block) => this.windowOf(block).width;
    const columns = Math.max(...rows.map((row) => shown(row.main)));
    const hasStrips = !this.isHorizontal && rows.some((row) => this.windowOf(row.main).isBeside);
    const isStrip = rows.some(({ column }) => column > 0);
    const alike = [];
    const parts = rows.flatMap((row, k) => {
      const blocks = [["left", row.left], ["main", row.main], ...row.right.map((b) => ["right", b])];
      const drawn = blocks.filter(([, block]) => block).map(([place, block]) => {
        const [matrix, rowOf] = [block, row.main].map(([at]) => this.calculation.matrices[at]);
        const made = new Block(this, matrix, block[1], rowOf);
        const { element } = made;
        this.blocks.push(made);
        element.classList.add(`hc-${place}`);
        if (place === "main" && isStrip) made.alike = alike[row.column] = (alike[row.column] ?? new SameWidth()).with(element);
        if (!this.isHorizontal && shown(block) < columns) element.classList.add("hc-narrow");
        if ((this.isHorizontal || place === "right") && shown(block) <= SLIM_COLUMNS) element.classList.add("hc-single-column");
        if (place === "main" && hasStrips && !this.windowOf(block).isBeside) element.classList.add("hc-no-strip");
        if (place === "main" && this.repeatsLabels(rows, k)) element.classList.add("hc-repeats-labels");
        if (place === "main" && this.repeatsHeads(rows, k)) element.classList.add("hc-repeats-heads");
        return element;
      });
      const right = drawn.filter((element) => element.classList.contains("hc-right"));
      const kept = drawn.filter((element) => !right.includes(element));
      if (right.length) kept.push(tag("div", { class: "hc-right hc-beside" }, ...right));
      for (const element of kept) this.put(element, row);
      return kept;
    });
    const kind = this.isHorizontal ? " hc-horizontal" : isStrip ? ` hc-strip-of-steps${columns > NARROW_COLUMNS ? "" : " hc-few"}` : columns > SLIM_COLUMNS ? "" : " hc-slim";
    return tag("div", { class: `hc-track${kind}` }, ...parts);
  }

  // Put an element of a row at its place in the track's grid.
  put(element, { band, column, isLow }) {
    if (this.isHorizontal) return void (element.style.gridColumn = band + 1);
    element.style.gridRow = band + 1;
    if (isLow && column) element.classList.add("hc-low"); // at its left there is room for what it is called
    if (!column) return;
    const is = (name) => element.classList.contains(name);
    element.style.gridColumn = is("hc-left") ? `1 / ${column + 2}` : column + (is("hc-right") ? 3 : 2);
  }

  windowOf([place]) {
    return new Window(this.calculation.matrices[place].entry.shape, this.room);
  }

  // Whether the matrix beside it has the same row labels: they are hidden, and still read aloud.
  repeatsLabels(rows, k) {
    const labels = (row) => this.calculation.matrices[row.main[0]].labels(0)?.join();
    return k > 0 && (this.isHorizontal || rows[k].column > rows[k - 1].column) && labels(rows[k]) === labels(rows[k - 1]);
  }

  // Whether those above it say which columns these are: beside a strip, all of one column are of the same tokens.
  repeatsHeads(rows, k) {
    const isAlone = !rows.some(({ band }, other) => other !== k && band === rows[k].band);
    return isAlone && rows.at(-1).column > 0 && rows.slice(0, k).some(({ column }) => column === rows[k].column);
  }

  typesetOf(matrix) {
    return this.level ? this.level.typesetOf(matrix) : matrix.typeset;
  }

  // finding numbers -----------------------------------------------------------------------------

  keep(record) {
    const key = keyOf(record.owner, record.row, record.column);
    if (!this.cells.has(key)) this.cells.set(key, []);
    this.cells.get(key).push(record);
  }

  forget(record) {
    if (!record.owner) return;
    const key = keyOf(record.owner, record.row, record.column);
    const others = this.cells.get(key).filter((other) => other !== record);
    if (others.length) this.cells.set(key, others);
    else this.cells.delete(key);
  }

  recordsOf(matrix, row, column) {
    return this.cells.get(keyOf(matrix, row, column)) ?? [];
  }

  showing(matrix, row, column) {
    return this.recordsOf(matrix, row, column).map((record) => record.element);
  }

  // Move the windows of large matrices so that these numbers, or a part of those of one matrix, are in them.
  reveal(addresses) {
    const cells = Map.groupBy(addresses, ([matrix]) => matrix);
    for (const block of this.blocks.filter(({ window }) => !window.isWhole)) {
      const found = cells.get(block.matrix);
      if (!found) continue;
      const ends = (axis) => [found.reduce((least, cell) => Math.min(least, cell[axis]), Infinity), found.reduce((most, cell) => Math.max(most, cell[axis]), 0)];
      this.move(block, ...block.window.showing(ends(1), ends(2)));
    }
  }

  // Put a window elsewhere; returns whether it has moved.
  move(block, top, left) {
    if (!block.window.moveTo(top, left)) return false;
    block.follow();
    this.writeCells(block);
    this.onMove(block);
    return true;
  }

  // writing them --------------------------------------------------------------------------------

  // Write the numbers that have changed; of `changed` matrices only, when that is given.
  patch(changed = null) {
    for (const block of this.blocks) {
      if (changed && !changed.has(block.matrix)) continue;
      this.hide(block, block.rowOf.isIdle);
      block.isStale = changed !== null && block.matrix !== this.explained && this.offscreen.has(this.trackOf(block));
      if (!block.isStale) this.writeAll(block);
    }
    this.numberSteps();
    this.widths.keepLines();
    clearTimeout(this.resting);
    if (this.offscreen.size) this.resting = setTimeout(() => this.catchUp(), REST_TIME);
  }

  // Steps are counted as they are worked out; those that change nothing are not.
  numberSteps() {
    const idle = this.level?.steps.length;
    if (!this.level || idle === this.numbered) return;
    this.numbered = idle;
    const places = new Map(this.level.steps.map((step, k) => [step, signOf(k + 1)]));
    for (const { number, matrix, isCopy } of this.blocks) number.textContent = isCopy ? "" : (places.get(matrix) ?? "");
  }

  writeAll(block) {
    block.isStale = false;
    block.largest = largestOf(block.matrix.values);
    if (block.strip) this.writeStrip(block);
    if (block.matrix.followsOrder) block.writeLabels();
    this.writeCells(block);
  }

  writeCells(block) {
    for (const record of block.records) this.write(record, block.largest);
  }

  isConcealed({ records: [{ owner }] }) {
    return this.concealed.has(owner);
  }

  // The whole as colours; and columns as wide as its longest number, wherever the window is moved.
  writeStrip(block) {
    const { strip, matrix, largest } = block;
    strip.conceal(this.isConcealed(block));
    strip.draw();
    if (!strip.isConcealed) this.widths.widen(block, (matrix.entry.never_negative ? "" : "-") + show(largest, this.places));
  }

  // Write the numbers that were off screen while givens moved, now that they are still: all, or those of these tracks.
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
  settle(width = 0) {
    this.element.classList.remove("hc-large");
    this.widths.restart(width);
    this.captions.lay();
    if (!this.isLarge) return;
    const { tracks } = this;
    const sizes = tracks.map((track) => [track.clientWidth - 4, track.clientHeight - 4]); // without padding
    tracks.forEach((track, k) => (track.style.containIntrinsicSize = `${sizes[k][0]}px ${sizes[k][1]}px`));
    this.element.classList.add("hc-large");
    this.watch(tracks);
  }

  // Watch for tracks off screen: their numbers are written only when they come near.
  watch(tracks) {
    this.observer?.disconnect();
    this.observer = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting } of entries) this.offscreen[isIntersecting ? "delete" : "add"](target);
      this.catchUp(new Set(entries.filter((entry) => entry.isIntersecting).map((entry) => entry.target)));
    }, { rootMargin: "150px" });
    for (const track of tracks) this.observer.observe(track);
  }

  // Hide a step that changes nothing at present: its numbers have no address either.
  hide({ table, element }, hidden) {
    if (table.hidden === hidden) return;
    table.hidden = element.hidden = hidden;
    const [now, then] = hidden ? ["data-step", "data-idle-step"] : ["data-idle-step", "data-step"];
    for (const cell of table.querySelectorAll(`[${now}]`)) {
      cell.setAttribute(then, cell.getAttribute(now));
      cell.removeAttribute(now);
    }
  }

  write(record, largest) {
    writeCell(this, record, largest);
  }

  // A hand begins to move a given: until `release` no column changes its width, and what changes is marked, on a large
  // sheet that of `followed` matrices.
  hold(followed) {
    this.widths.hold();
    this.changeMarks.begin(followed);
  }

  release() {
    for (const { records } of this.widths.release()) {
      for (const record of records) if (record.isShort) writeText(this, record, showOf(record.matrix, record.value, this.places));
    }
    this.widths.keepLines();
    this.captions.lay();
    this.changeMarks.end();
  }
}
