// The explorer: click a number and read its arithmetic, move a given and see what follows.
//
// This module holds what is chosen and calculated, and tells the rooms around it: explanation.js (the
// arithmetic), highlight.js (what is marked), input_control.js (the givens), stepper.js (step by step), trace.js,
// compare.js, toolbar.js (the controls), present.js.

import { Comparison } from "./compare.js";
import { Variants, fill } from "./variants.js";
import { History } from "./history.js";
import { Highlight } from "./highlight.js";
import { InputControl } from "./input_control.js";
import { Presentation, startCard } from "./present.js";
import { Explanation } from "./explanation.js";
import { Sheet } from "./sheet.js";
import { tag } from "./dom.js";
import { Toolbar } from "./toolbar.js";
import { Stepper } from "./stepper.js";
import { Trace } from "./trace.js";

const ARROWS = { ArrowLeft: [0, -1], ArrowRight: [0, 1], ArrowUp: [-1, 0], ArrowDown: [1, 0] };

export class Explorer {
  // `onGivens` hears {name: rows} of the changed givens when the hand lets go; `onSetting` hears the
  // name and the value of a switch.
  constructor(root, variants, { places = 2, level = 3, arithmetic = "exact", convention, mode = "explore", givens = {}, onGivens = () => {}, onSetting = () => {} } = {}) {
    this.element = root;
    this.variants = new Variants(variants);
    this.title = this.variants.opening.spec.title;
    Object.assign(this, { places, level, arithmetic, mode, onGivens, onSetting });
    this.convention = convention || this.variants.opening.spec.convention;
    this.makeRooms();
    this.open(givens);
    this.history = new History(this.givens);
    this.bind();
    this.choose(...this.first((m) => !m.isGiven, true));
    this.aim(...this.first((m) => m.isGiven));
    this.stepper.tell();
    this.toolbar.tell();
  }

  get hasGivens() {
    return this.variants.opening.spec.matrices.some((entry) => !entry.operation);
  }

  // what stands on the page -------------------------------------------------------------------

  makeRooms() {
    this.stage = tag("div", { class: "hc-stage" });
    this.explanation = new Explanation(this);
    this.highlight = new Highlight(this);
    this.input = new InputControl(this);
    this.stepper = new Stepper(this);
    this.trace = new Trace(this);
    this.comparison = new Comparison(this);
    this.toolbar = new Toolbar(this);
    this.presentation = new Presentation(this);
    this.element.classList.add("handcalc-explorer");
    const sheet = [this.toolbar.header, this.stepper.bar, this.stage, this.panel(), this.toolbar.foot];
    this.element.replaceChildren(...sheet);
    if (this.mode !== "present") return;
    for (const room of sheet) room.hidden = true; // nothing is to be seen before the class has guessed it
    this.element.prepend(startCard(this));
  }

  panel() {
    const left = tag("div", {}, this.explanation.element, this.stepper.question);
    const right = tag("div", {}, this.input.element, this.toolbar.acts);
    this.panelElement = tag("div", { class: "hc-panel" }, left, right, this.comparison.element, this.trace.element);
    return this.panelElement;
  }

  bind() {
    const cellOf = (event) => event.target.closest?.("td[data-row]");
    const onCell = (name, act) => this.stage.addEventListener(name, (event) => {
      const cell = cellOf(event);
      if (cell) act(event, cell);
    });
    onCell("pointerdown", (event, cell) => this.input.press(event, cell));
    onCell("click", (event, cell) => this.input.hasDragged() || this.pick(cell));
    onCell("dblclick", (event, cell) => cell.handcalc.owner.isGiven && this.input.type());
    onCell("keydown", (event, cell) => this.onCellKey(event, cell));
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width)).observe(this.element);
    new ResizeObserver(() => this.clear()).observe(this.panelElement);
  }

  // How much of the window the panel covers: a number that gets the focus scrolls clear of it.
  clear() {
    const covers = getComputedStyle(this.panelElement).position === "sticky" ? this.panelElement.offsetHeight : 0;
    this.element.style.setProperty("--hc-covered", `${covers}px`);
  }

  resize(width) {
    if (width === this.width) return;
    this.width = width;
    this.sheet.settle();
  }

  // Calculate in the form that is switched on, and lay the sheet out anew.
  open(givens) {
    this.calculation = this.variants.calculate(this.convention, this.arithmetic, givens);
    this.comparison.open();
    this.stepper.reopen();
    this.lay();
  }

  lay() {
    this.sheet = new Sheet(this.calculation, this.places);
    this.sheet.before = (matrix) => this.comparison.before(matrix);
    this.sheet.veil(this.stepper.hidden);
    if (this.mode === "present") return;
    this.stage.replaceChildren(this.sheet.element);
    this.sheet.settle();
  }

  first(wanted, last = false) {
    const all = this.calculation.matrices.filter((m) => m.isSeen && wanted(m));
    return [all.at(last ? -1 : 0) ?? this.calculation.matrices[0], 0, 0];
  }

  // choosing a number -------------------------------------------------------------------------

  pick(cell) {
    const { owner, row, column } = cell.handcalc;
    cell.focus();
    const { asked } = this.stepper;
    const isOther = asked && owner === asked[0] && (row !== asked[1] || column !== asked[2]);
    if (isOther) this.stepper.repose([owner, row, column]);
    else this.choose(owner, row, column);
    if (owner.isGiven) this.aim(owner, row, column);
  }

  // Arrows choose as they walk; Tab passes by, so that what was chosen stays while controls are reached.
  onCellKey(event, cell) {
    if (cell.handcalc.owner.isGiven && this.input.onCellKey(event, cell)) return;
    const step = ARROWS[event.key];
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    if (!step && event.key !== " " && event.key !== "Enter") return;
    event.preventDefault();
    event.stopPropagation();
    if (!step) return this.pick(cell);
    const line = cell.parentElement.parentElement.rows[cell.parentElement.sectionRowIndex + step[0]];
    const next = line?.cells[cell.cellIndex + step[1]];
    if (next?.matches("td[data-row]")) this.pick(next);
  }

  onKey(event) {
    if (!(event.ctrlKey || event.metaKey) || event.altKey || event.target === this.input.field) return;
    const key = event.key.toLowerCase();
    if (key !== "z" && key !== "y") return;
    event.preventDefault();
    event.stopPropagation();
    if (key === "y" || event.shiftKey) this.redo();
    else this.undo();
  }

  // Scroll no further than is needed; the panel counts as the window's edge.
  bringIntoView([matrix, row, column]) {
    const cells = this.sheet.showing(matrix, row, column).filter((cell) => cell.dataset.step);
    cells[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  focus([matrix, row, column]) {
    this.sheet.showing(matrix, row, column)[0]?.focus();
  }

  choose(matrix, row, column) {
    this.chosen = [matrix, row, column];
    this.sheet.kept = matrix;
    this.trace.find();
    this.refresh();
  }

  refresh() {
    this.explanation.refresh();
    this.highlight.refresh();
    this.comparison.refresh();
  }

  nameOf([matrix, row, column]) {
    return matrix.cellName(row, column);
  }

  // moving a given ----------------------------------------------------------------------------

  // {name: rows} of the givens that differ from the start, as the opening form writes them.
  get givens() {
    const changed = this.calculation.givens.filter((m) => {
      const start = m.entry.values.flat();
      return m.values.some((value, k) => value !== start[k]);
    });
    const rows = Object.fromEntries(changed.map((m) => [m.name, m.toRows()]));
    return this.variants.turned(rows, this.convention);
  }

  aim(matrix, row, column) {
    if (!matrix.isGiven) return;
    for (const cell of this.sheet.element.querySelectorAll(".hc-moved")) cell.classList.remove("hc-moved");
    for (const cell of this.sheet.showing(matrix, row, column)) cell.classList.add("hc-moved");
    this.input.aim(matrix, row, column);
  }

  move(matrix, row, column, value) {
    if (matrix.at(row, column) === value) return;
    this.explanation.wait(true);
    matrix.values[row * matrix.columnCount + column] = value;
    this.follow([matrix]);
  }

  follow(changed) {
    const idle = this.calculation.idleSteps();
    const dirty = this.calculation.compute(changed);
    this.comparison.follow();
    this.sheet.patch(dirty);
    this.input.show();
    if (idle === this.calculation.idleSteps()) {
      this.explanation.refresh();
      this.trace.refresh();
      this.comparison.refresh();
    } else {
      this.stepper.tell();
      this.choose(...this.chosen);
    }
  }

  // The hand has let go. Python hears what can be calculated; it raises an error for the rest.
  commit() {
    this.explanation.wait(false);
    this.sheet.catchUp();
    if (!this.history.add(this.givens)) return;
    this.toolbar.tell();
    this.tell();
  }

  tell() {
    if (this.calculation.isSound()) this.onGivens(this.givens);
  }

  // Back to where the movement began.
  cancel() {
    this.explanation.wait(false);
    this.put(this.history.now);
    this.sheet.catchUp();
  }

  put(givens) {
    fill(this.calculation, this.variants.turned(givens, this.convention));
    this.follow(this.calculation.givens);
    this.sheet.narrow();
    this.input.reach();
    this.input.show();
  }

  // Take givens from outside, {name: rows}; those that are not named go back to the start.
  setGivens(givens) {
    this.put(givens);
    this.history.add(this.givens);
    this.toolbar.tell();
  }

  undo() {
    this.restore(this.history.undo());
  }

  redo() {
    this.restore(this.history.redo());
  }

  reset() {
    this.put({});
    this.commit();
  }

  restore(givens) {
    if (!givens) return;
    this.put(givens);
    this.toolbar.tell();
    this.tell();
  }

  // switches ----------------------------------------------------------------------------------

  // Set "convention", "arithmetic" or "places"; `isTold` where somebody outside should hear of it.
  set(setting, value, isTold = true) {
    if (this[setting] === value) return;
    const [chosen, aimed] = [this.chosen, this.input.aimed ?? this.chosen].map((cell) => this.place(cell));
    const { givens } = this;
    this[setting] = value;
    if (setting === "places") this.lay();
    else this.open(givens);
    this.aim(...this.found(aimed));
    this.choose(...this.found(chosen));
    this.stepper.tell();
    this.toolbar.tell();
    if (isTold) this.onSetting(setting, value);
    if (this.presentation.isOpen) this.presentation.refresh();
  }

  // A number's place whatever the convention: its matrix's name, and where tokens are columns.
  place([matrix, row, column]) {
    return [matrix.name, ...(this.convention === "columns" ? [row, column] : [column, row])];
  }

  found([name, ...place]) {
    const matrix = this.calculation.seen(name);
    const [row, column] = this.convention === "columns" ? place : [...place].reverse();
    return matrix ? [matrix, row, column] : this.first((m) => !m.isGiven, true);
  }

  pin(isPinned) {
    this.comparison.pin(isPinned);
    this.sheet.patch();
    this.refresh();
    this.toolbar.tell();
  }

  follows(isTraced) {
    this.trace.turn(isTraced);
    this.refresh();
    this.toolbar.tell();
  }

  present() {
    this.sheet.element.remove(); // a number stands on a page once, and now it is the slide's
    this.presentation.open();
  }

  onTour() {
    this.presentation.refresh();
  }

  onPresented() {
    if (this.mode !== "present") this.stage.replaceChildren(this.sheet.element);
  }
}
