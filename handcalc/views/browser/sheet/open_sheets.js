// The sheets that are open: one block's, or several. Only they are drawn; together they answer as one sheet.

import { tag } from "../page/dom.js";
import { atHomeOnce } from "../record/sheet_levels.js";
import { blockHead } from "./ports.js";
import { Sheet } from "./sheet.js";
import { columnsIn } from "../record/visible_window.js";

export class OpenSheets {
  constructor(explorer) {
    this.explorer = explorer;
    this.element = tag("div", { class: "hc-desk" });
    this.concealed = new Set(); // matrices whose numbers are still hidden
    [this.levels, this.sheets] = [[], []];
  }

  get blocks() {
    return this.sheets.flatMap((sheet) => sheet.blocks);
  }

  // The width that a sheet may have, in pixels; and the columns of a large matrix that fit in it.
  get width() {
    return this.explorer.width || this.explorer.sheetSpace;
  }

  get room() {
    return columnsIn(this.width);
  }

  // Whether a large matrix is on the sheets, whose window may be wider or narrower.
  get hasWindows() {
    return this.blocks.some(({ window }) => !window.isWhole);
  }

  // Draw the sheets of these blocks; `isOnPage` is whether they are visible.
  lay(levels, isOnPage) {
    const homes = new Set();
    this.dispose();
    const before = this.sheets;
    [this.levels, this.columns] = [levels, this.room];
    this.sheets = levels.map((level) => this.sheet(level, homes));
    for (const sheet of this.sheets) sheet.takeAfter(before);
    if (isOnPage) this.show();
  }

  sheet(level, homes) {
    const { explorer } = this;
    const sheet = new Sheet(explorer.calculation, explorer.places, atHomeOnce(level.layout, homes), { columns: this.columns, width: this.width }, level, this.concealed, (matrix) => explorer.comparison.before(matrix));
    sheet.onMove = () => explorer.mark();
    return sheet;
  }

  dispose() {
    this.sizes?.disconnect();
    this.tell("dispose");
  }

  show() {
    this.element.replaceChildren(...this.levels.map((level, k) => this.framed(level, this.sheets[k].element)));
    for (const sheet of this.sheets) sheet.widths.fill(this.width);
    if (this.explorer.width) this.tell("settle", this.explorer.width); // else as soon as the page says how wide it is
    this.watchSizes();
  }

  // Watch sizes: anything that moves a number also changes the size of its matrix or its sheet.
  watchSizes() {
    this.sizes?.disconnect();
    this.sizes = new ResizeObserver(() => {
      this.explorer.companions.tell("lay");
      this.explorer.sight.hold();
    });
    for (const sheet of this.sheets) for (const { element } of [sheet, ...sheet.blocks]) this.sizes.observe(element);
  }

  framed(level, sheet) {
    const { levels, navigation } = this.explorer;
    if (!levels.isMany) return sheet;
    return tag("section", { class: "hc-block", "aria-label": level.label, "data-path": level.path }, blockHead(level, navigation), sheet);
  }

  // A number that the block begins from: of a given, or of what comes in.
  firstRead() {
    const { level, calculation } = this.explorer;
    const shown = calculation.matrices.filter((m) => this.shows(m) && m.isVisible && !this.concealed.has(m));
    return [shown.find((m) => m.isGiven) ?? shown.find((m) => level.inputs.includes(m)) ?? level.own[0] ?? calculation.matrices[0], 0, 0];
  }

  firstGiven() {
    const { givens, matrices } = this.explorer.calculation;
    return [givens.find((m) => this.shows(m)) ?? givens[0] ?? matrices[0], 0, 0];
  }

  // The sheet of the block that is looked at.
  get current() {
    return this.sheets[this.levels.indexOf(this.explorer.level)];
  }

  shows(matrix) {
    return this.sheets.some((sheet) => sheet.blocks.some((block) => block.matrix === matrix));
  }

  showing(...cell) {
    return this.sheets.flatMap((sheet) => sheet.showing(...cell));
  }

  conceal(matrices) {
    const isOther = matrices.length !== this.concealed.size || !matrices.every((matrix) => this.concealed.has(matrix));
    this.concealed = new Set(matrices);
    this.tell("conceal", this.concealed);
    if (isOther) this.explorer.navigation.map.paint();
  }

  // The matrix of the number that is explained.
  explain(matrix) {
    for (const sheet of this.sheets) sheet.explained = matrix;
  }

  // The steps on open sheets that change nothing at present, as one comparable string.
  idleSteps() {
    return this.levels.flatMap((level) => level.own.map((matrix) => (matrix.isIdle ? "1" : "0"))).join("");
  }

  // Call the method of this name on every sheet: "patch", "reveal", "settle", …
  tell(what, ...details) {
    for (const sheet of this.sheets) sheet[what](...details);
  }

  // A hand begins to move a given.
  hold() {
    const { chosen, level } = this.explorer;
    this.tell("hold", new Set([chosen[0], level.steps.at(-1)]));
  }

  // Remove the marks of changes from a movement, unless it still goes on.
  forget() {
    for (const sheet of this.sheets) sheet.changeMarks.forget();
  }
}
