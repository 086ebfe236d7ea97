// The explorer: click a number and read its arithmetic, move a given and see what follows.
//
// This module holds what is calculated and chosen; its parts show it and act on it: explanation.js (the
// arithmetic), highlight.js (what is marked), edits.js and input_control.js (the givens), events.js
// (mouse and keys), stepper.js (step by step), trace.js, comparison.js, toolbar.js (the controls), presentation.js.

import { Companions } from "./companions.js";
import { Comparison } from "./comparison.js";
import { Variants } from "../record/variants.js";
import { Edits } from "../givens/edits.js";
import { bindEvents } from "./events.js";
import { OpenSheets } from "../sheet/open_sheets.js";
import { Frame } from "./frame.js";
import { Highlight } from "../sheet/highlight.js";
import { InputControl } from "../givens/input_control.js";
import { Levels } from "../record/sheet_levels.js";
import { Navigation } from "../navigation/navigation.js";
import { Presentation, startCard } from "../slides/presentation.js";
import { Sight } from "../sheet/sight.js";
import { Explanation } from "./explanation.js";
import { Panel } from "./panel.js";
import { button, tag } from "../page/dom.js";
import { Toolbar } from "./toolbar.js";
import { Stepper } from "../steps/stepper.js";
import { Trace } from "./trace.js";
import { Voice } from "./voice.js";

const UNKNOWN_WIDTH = 1280; // pixels, of a page that is not shown yet

// The width inside an element, exactly as its ResizeObserver finds it: a pixel more would style every number twice.
function roomIn(element) {
  const { paddingLeft, paddingRight } = getComputedStyle(element);
  return Math.max(0, element.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight));
}

export class Explorer {
  // `onGivens` gets {name: rows} of the changed givens, and `whatIf`, when a movement ends; `onSetting` the name and the value
  // of a switch. `open` is a block's path, a matrix's name or a number's, Z[2,1], to begin with, `watch` the number that is kept in view; `onOpen` gets
  // where a reader has gone; `onChoose` each chosen number, and `ways` tells how it goes on outside. `isPage` is whether the page is this explorer's alone, its address too.
  constructor(root, variants, { places = 2, level = 3, arithmetic = "exact", convention, mode = "explore", open = "", isPage = false, watch = "", givens = {}, whatIf = {}, onGivens = () => {}, onSetting = () => {}, onOpen = () => {}, ways = () => ({}), onChoose = () => {} } = {}) {
    this.element = root;
    this.variants = new Variants(variants);
    this.title = this.variants.opening.spec.title;
    Object.assign(this, { places, arithmetic, mode, watch, whatIf, onGivens, onSetting, onOpen, ways, onChoose, rank: level });
    this.convention = convention || this.variants.opening.spec.convention;
    root.classList.add("handcalc-explorer", "hc-framed");
    this.space = roomIn(root) || UNKNOWN_WIDTH; // as long as the page has not said how wide it is
    this.calculate(givens);
    this.makeParts(isPage);
    this.companions = new Companions(this);
    const cell = this.navigation.begin(open);
    this.reopen();
    this.frame.begin();
    this.sheetSpace = roomIn(this.stage) || this.space;
    this.layOut();
    this.edits = new Edits(this);
    bindEvents(this);
    this.observeSize();
    this.choose(...(cell ?? this.level.result));
    this.stepper.refresh();
    this.toolbar.refresh();
    if ((this.mode === "present" || isPage) && open) this.presentation.beginAt(this.level, cell, open.endsWith("]"));
    this.frame.attach();
    if (this.mode !== "present") this.sight.show(this.chosen);
  }

  // The block that is looked at.
  get level() {
    return this.navigation.level;
  }

  get hasGivens() {
    return this.variants.opening.spec.matrices.some((entry) => !entry.operation);
  }

  // what stands on the page -------------------------------------------------------------------

  makeParts(isPage) {
    this.navigation = new Navigation(this, isPage);
    this.openSheets = new OpenSheets(this);
    this.stage = tag("div", { class: "hc-stage" }, this.openSheets.element);
    this.explanation = new Explanation(this);
    this.voice = new Voice(this);
    this.highlight = new Highlight(this);
    this.input = new InputControl(this);
    this.stepper = new Stepper(this);
    this.trace = new Trace(this);
    this.comparison = new Comparison(this);
    this.toolbar = new Toolbar(this);
    this.presentation = new Presentation(this);
    const { header, aside } = this.toolbar;
    const { map, strip } = this.navigation;
    this.stage.append(aside);
    this.board = tag("div", { class: "hc-board" }, this.stage);
    this.body = tag("div", { class: "hc-body" }, this.board);
    this.sight = new Sight(this);
    this.panel = new Panel(this);
    this.frame = new Frame(this);
    const skip = button("Skip to the numbers", () => this.focus(this.chosen), { class: "hc-skip" });
    const parts = [skip, header, strip.element, map.element, this.body, this.panel.element, this.voice.element];
    if (this.mode === "present") this.element.replaceChildren(startCard(this)); // nothing shows before the class has guessed it
    else this.element.replaceChildren(...parts);
  }

  observeSize() {
    new ResizeObserver(([{ contentRect }]) => this.resizeRoot(contentRect.width)).observe(this.element);
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width)).observe(this.stage);
  }

  resizeRoot(width) {
    if (width !== this.space) {
      this.space = width;
      this.navigation.map.resize();
    }
    this.frame.fit();
  }

  resize(width) {
    if (width === this.width) return;
    this.width = width;
    if (this.mode === "present" || !width) return;
    if (this.openSheets.hasWindows && this.openSheets.columns !== this.openSheets.room) this.layOutAgain();
    else this.openSheets.tell("settle", width);
    this.sight.hold();
  }

  // Calculate in the form that is switched on.
  calculate(givens) {
    this.calculation = this.variants.calculate(this.convention, this.arithmetic, givens, this.whatIf);
    this.levels = new Levels(this.calculation);
  }

  // Lay out the open blocks in this form.
  open() {
    this.reopen();
    this.layOut();
  }

  reopen() {
    this.navigation.reopen();
    this.comparison.open();
    this.stepper.reopen();
  }

  layOut() {
    this.openSheets.conceal(this.stepper.hidden);
    this.openSheets.lay(this.navigation.open, this.mode !== "present" && !this.presentation.isOpen);
    if (this.chosen) this.openSheets.explain(this.chosen[0]);
    if (this.input.target) this.highlight.markGiven();
  }

  // The same numbers in windows of another size.
  layOutAgain() {
    this.layOut();
    this.choose(...this.chosen);
    if (this.input.target) this.aim(...this.input.target);
  }

  // choosing a number -------------------------------------------------------------------------

  // A number that was clicked, or walked to by keys, stays in sight and what it reads comes into it.
  pick(cell, { isByHand = false, isOnTheWay = false } = {}) {
    const { owner, row, column, block } = cell.handcalc;
    cell.focus({ preventScroll: true });
    this.panel.isPast = true; // how the steps went waits behind it
    this.navigation.lookAt(block.sheet.level);
    const { asked } = this.stepper;
    const isOther = asked && owner === asked[0] && (row !== asked[1] || column !== asked[2]);
    if (isOther) this.stepper.askInstead([owner, row, column]);
    else this.choose(owner, row, column);
    if (isOnTheWay) this.voice.say();
    else if (!asked) this.voice.tellNumber(this.stepper.verdictOn(this.chosen));
    if (!isOther) this.sight.show(this.chosen, { place: cell, isSmooth: isByHand });
  }

  focus([matrix, row, column]) {
    this.openSheets.showing(matrix, row, column)[0]?.focus();
  }

  // Choose a number; if its matrix is on no sheet that is open, its block is opened.
  choose(matrix, row, column) {
    this.chosen = [matrix, row, column];
    if (!this.openSheets.shows(matrix)) this.navigation.turnTo(this.levels.home(matrix));
    this.openSheets.explain(matrix);
    this.openSheets.tell("reveal", [this.chosen, ...matrix.sources(row, column)]);
    this.openSheets.forget();
    this.trace.find();
    this.refresh();
    this.navigation.note();
    this.onChoose(this.chosen);
  }

  refresh() {
    this.explanation.refresh();
    this.highlight.refresh();
    this.comparison.refresh();
    this.stepper.bar.follow();
    this.panel.refresh();
    this.companions.tell("refresh");
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
    this.openSheets.tell("reveal", [[matrix, row, column]]);
    this.input.aim(matrix, row, column);
    this.highlight.markGiven();
  }

  // After a window has moved, mark the numbers that it shows now.
  mark() {
    if (this.chosen) this.highlight.refresh();
    this.highlight.markGiven();
    this.companions.tell("shift");
  }

  // Compute what depends on the changed matrices, and show it.
  update(changed) {
    const idle = this.openSheets.idleSteps();
    const dirty = this.calculation.compute(changed);
    this.comparison.follow();
    this.navigation.strip.mark(dirty);
    this.navigation.map.paint(new Set(dirty));
    this.openSheets.tell("patch", dirty);
    this.input.show();
    if (idle === this.openSheets.idleSteps()) {
      this.explanation.follow();
      this.trace.refresh();
      this.comparison.refresh();
    } else {
      this.stepper.follow();
      this.choose(...this.chosen);
    }
    this.companions.tell("follow", dirty);
  }

  // switches ----------------------------------------------------------------------------------

  // Set "convention", "arithmetic", "places" or "whatIf"; `onSetting` gets it, unless it comes from there.
  set(setting, value, isOwn = true, givens = this.givens) {
    if (this[setting] === value) return;
    const [chosen, target] = [this.chosen, this.input.target ?? this.chosen].map((cell) => this.place(cell));
    this[setting] = value;
    if (setting === "places") this.layOut();
    else {
      this.calculate(givens);
      this.chosen = this.found(chosen);
      this.open();
    }
    this.aim(...this.found(target));
    this.choose(...this.found(chosen));
    this.stepper.refresh();
    this.toolbar.refresh();
    if (isOwn) this.onSetting(setting, value);
    if (this.presentation.isOpen) this.presentation.refresh();
  }

  // A number's place in either convention: its matrix's name, and its row and column where tokens are columns.
  place([matrix, row, column]) {
    return [matrix.name, ...(this.convention === "columns" ? [row, column] : [column, row])];
  }

  // Where there are fewer numbers than there were, the last one.
  found([name, ...place]) {
    const matrix = this.calculation.visible(name);
    const [row, column] = this.convention === "columns" ? place : [...place].reverse();
    return matrix ? [matrix, Math.min(row, matrix.rowCount - 1), Math.min(column, matrix.columnCount - 1)] : this.level.result;
  }

  pin(isPinned) {
    this.comparison.pin(isPinned);
    this.openSheets.tell("patch");
    this.refresh();
    this.toolbar.refresh();
    this.sight.show(this.chosen, { isAlone: true });
  }

  showTrace(isOn) {
    this.trace.turn(isOn);
    this.refresh();
    this.toolbar.refresh();
    this.sight.show(this.chosen, { isAlone: true });
  }
}
