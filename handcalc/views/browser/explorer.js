// The explorer: click a number and read its arithmetic, move a given and see what follows.
//
// This module holds what is calculated and chosen; its parts show it and act on it: explanation.js (the
// arithmetic), highlight.js (what is marked), edits.js and input_control.js (the givens), events.js
// (mouse and keys), stepper.js (step by step), trace.js, compare.js, toolbar.js (the controls), present.js.

import { Comparison } from "./compare.js";
import { Variants } from "./variants.js";
import { Edits } from "./edits.js";
import { bindEvents } from "./events.js";
import { Highlight } from "./highlight.js";
import { InputControl } from "./input_control.js";
import { Presentation, startCard } from "./present.js";
import { Explanation } from "./explanation.js";
import { Sheet } from "./sheet.js";
import { tag } from "./dom.js";
import { columnsIn } from "./window.js";
import { Toolbar } from "./toolbar.js";
import { Stepper } from "./stepper.js";
import { Trace } from "./trace.js";

const CLEAR = 8; // pixels between the panel and what is scrolled clear of it
const FULL = 1280; // pixels, until the page says how wide it is

export class Explorer {
  // `onGivens` gets {name: rows} of the changed givens when a movement ends; `onSetting` the name and
  // the value of a switch.
  constructor(root, variants, { places = 2, level = 3, arithmetic = "exact", convention, mode = "explore", givens = {}, onGivens = () => {}, onSetting = () => {} } = {}) {
    this.element = root;
    this.variants = new Variants(variants);
    this.title = this.variants.opening.spec.title;
    Object.assign(this, { places, level, arithmetic, mode, onGivens, onSetting });
    this.convention = convention || this.variants.opening.spec.convention;
    this.makeParts();
    this.open(givens);
    this.edits = new Edits(this);
    bindEvents(this);
    this.observeSize();
    this.choose(...this.first((m) => !m.isGiven, true));
    this.aim(...this.first((m) => m.isGiven));
    this.stepper.refresh();
    this.toolbar.refresh();
  }

  get hasGivens() {
    return this.variants.opening.spec.matrices.some((entry) => !entry.operation);
  }

  // what stands on the page -------------------------------------------------------------------

  makeParts() {
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
    for (const part of sheet) part.hidden = true; // no number shows before the class has guessed it
    this.element.prepend(startCard(this));
  }

  panel() {
    const left = tag("div", {}, this.explanation.element, this.explanation.everything, this.stepper.question);
    const right = tag("div", {}, this.input.element, this.toolbar.acts);
    this.panelElement = tag("div", { class: "hc-panel" }, left, right, this.comparison.element, this.trace.element);
    return this.panelElement;
  }

  observeSize() {
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width)).observe(this.element);
    this.stage.addEventListener("focusin", ({ target }) => this.clear(target));
  }

  // What gets the focus scrolls clear of the panel, which covers a part of the window.
  clear(cell) {
    const panel = this.panelElement.getBoundingClientRect();
    const { top, bottom } = cell.getBoundingClientRect();
    if (bottom > panel.top - CLEAR && top < panel.bottom) cell.scrollIntoView({ block: "center", inline: "nearest" });
  }

  resize(width) {
    if (width === this.width) return;
    this.width = width;
    if (width && this.sheet.columns !== columnsIn(width)) this.layOutAgain();
    else this.sheet.settle(width);
  }

  // Calculate in the form that is switched on, and lay the sheet out anew.
  open(givens) {
    this.calculation = this.variants.calculate(this.convention, this.arithmetic, givens);
    this.comparison.open();
    this.stepper.reopen();
    this.layOut();
  }

  layOut() {
    this.sheet?.dispose();
    const width = this.width ?? (this.element.clientWidth || Infinity);
    this.sheet = new Sheet(this.calculation, this.places, this.calculation.spec.layout, columnsIn(width));
    this.sheet.before = (matrix) => this.comparison.before(matrix);
    this.sheet.onMove = () => this.mark();
    this.sheet.conceal(this.stepper.hidden);
    if (this.mode === "present") return;
    this.sheet.widths.fill(width < Infinity ? width : FULL);
    this.stage.replaceChildren(this.sheet.element);
    if (this.width) this.sheet.settle(width); // else as soon as the page says how wide it is
  }

  // The same numbers in windows of another size.
  layOutAgain() {
    this.layOut();
    this.choose(...this.chosen);
    if (this.input.target) this.aim(...this.input.target);
  }

  first(wanted, last = false) {
    const all = this.calculation.matrices.filter((m) => m.isVisible && wanted(m));
    return [all.at(last ? -1 : 0) ?? this.calculation.matrices[0], 0, 0];
  }

  // choosing a number -------------------------------------------------------------------------

  pick(cell) {
    const { owner, row, column } = cell.handcalc;
    cell.focus();
    const { asked } = this.stepper;
    const isOther = asked && owner === asked[0] && (row !== asked[1] || column !== asked[2]);
    if (isOther) this.stepper.askInstead([owner, row, column]);
    else this.choose(owner, row, column);
    if (owner.isGiven) this.aim(owner, row, column);
  }

  // Scroll no further than is needed; the panel counts as the window's edge.
  bringIntoView([matrix, row, column]) {
    const cells = this.sheet.showing(matrix, row, column).filter((cell) => cell.dataset.step);
    cells[0]?.scrollIntoView({ block: "nearest", inline: "nearest" });
    if (cells[0]) this.clear(cells[0]);
  }

  focus([matrix, row, column]) {
    this.sheet.showing(matrix, row, column)[0]?.focus();
  }

  choose(matrix, row, column) {
    this.chosen = [matrix, row, column];
    this.sheet.explained = matrix;
    this.sheet.reveal([this.chosen, ...matrix.sources(row, column)]);
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
    const changed = this.calculation.givens.filter((m) => m.hasMoved);
    const rows = Object.fromEntries(changed.map((m) => [m.name, m.toRows()]));
    return this.variants.inConvention(rows, this.convention);
  }

  aim(matrix, row, column) {
    if (!matrix.isGiven) return;
    this.sheet.reveal([[matrix, row, column]]);
    this.input.aim(matrix, row, column);
    this.highlight.markGiven();
  }

  // A window shows other numbers: what is marked is marked on them.
  mark() {
    if (this.chosen) this.highlight.refresh();
    this.highlight.markGiven();
  }

  // Compute what depends on the changed matrices, and show it.
  update(changed) {
    const idle = this.calculation.idleSteps();
    const dirty = this.calculation.compute(changed);
    this.comparison.follow();
    this.sheet.patch(dirty);
    this.input.show();
    if (idle === this.calculation.idleSteps()) {
      this.explanation.follow();
      this.trace.refresh();
      this.comparison.refresh();
    } else {
      this.stepper.refresh();
      this.choose(...this.chosen);
    }
  }

  // Take givens from outside, {name: rows}; those that are not named go back to the start.
  setGivens(givens) {
    this.edits.set(givens);
  }

  // switches ----------------------------------------------------------------------------------

  // Set "convention", "arithmetic" or "places"; `onSetting` gets it, unless it comes from there.
  set(setting, value, isOwn = true) {
    if (this[setting] === value) return;
    const [chosen, target] = [this.chosen, this.input.target ?? this.chosen].map((cell) => this.place(cell));
    const { givens } = this;
    this[setting] = value;
    if (setting === "places") this.layOut();
    else this.open(givens);
    this.aim(...this.found(target));
    this.choose(...this.found(chosen));
    this.stepper.refresh();
    this.toolbar.refresh();
    if (isOwn) this.onSetting(setting, value);
    if (this.presentation.isOpen) this.presentation.refresh();
  }

  // A number's place whatever the convention: its matrix's name, and where tokens are columns.
  place([matrix, row, column]) {
    return [matrix.name, ...(this.convention === "columns" ? [row, column] : [column, row])];
  }

  found([name, ...place]) {
    const matrix = this.calculation.visible(name);
    const [row, column] = this.convention === "columns" ? place : [...place].reverse();
    return matrix ? [matrix, row, column] : this.first((m) => !m.isGiven, true);
  }

  pin(isPinned) {
    this.comparison.pin(isPinned);
    this.sheet.patch();
    this.refresh();
    this.toolbar.refresh();
  }

  showTrace(isOn) {
    this.trace.turn(isOn);
    this.refresh();
    this.toolbar.refresh();
  }

  present() {
    this.sheet.element.remove(); // a number stands on a page once, and now it is the slide's
    this.presentation.open();
  }

  onStep() {
    this.presentation.refresh();
  }

  onPresented() {
    if (this.mode !== "present") this.stage.replaceChildren(this.sheet.element);
  }
}
