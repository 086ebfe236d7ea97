// During a what-if, the old values: below every number that it changes, in cells that have room for two.

import { showOf, typeset } from "../record/numbers.js";

export class PreviousValues {
  constructor(explorer) {
    this.explorer = explorer;
    this.written = new Map(); // the text of a cell -> what stands below it
  }

  refresh() {
    this.follow();
    this.makeRoom();
  }

  settle() {
    this.refresh();
  }

  // While a given moves, cells stay as high as they are.
  follow() {
    const found = this.explorer.comparison.kind === "whatIf" ? this.found() : new Map();
    for (const node of this.written.keys()) if (!found.has(node)) node.removeAttribute("data-before");
    for (const [node, text] of found) if (this.written.get(node) !== text) node.setAttribute("data-before", text);
    this.written = found;
  }

  makeRoom() {
    const told = new Set([...this.written.keys()].map((node) => node.closest("table")));
    for (const { table } of this.explorer.openSheets.blocks) if (table.classList.contains("hc-told") !== told.has(table)) table.classList.toggle("hc-told");
  }

  // The numbers told; on a large sheet only the result's. They do not depend on what is chosen: a click moves nothing.
  found() {
    const { level, openSheets } = this.explorer;
    const isTold = ({ matrix, sheet }) => !sheet.isLarge || matrix === level.steps.at(-1);
    const blocks = openSheets.blocks.filter((block) => isTold(block) && !block.isCopy && !block.isStale && block.window.isWhole);
    return new Map(blocks.flatMap((block) => this.ofBlock(block)));
  }

  ofBlock({ matrix, records }) {
    const { comparison, openSheets, places } = this.explorer;
    const before = openSheets.concealed.has(matrix) ? null : comparison.before(matrix);
    if (!before) return [];
    const texts = records.map((record) => [record, showOf(matrix, before[record.at], places)]);
    return texts.filter(([record, text]) => text !== showOf(matrix, record.value, places)).map(([{ element }, text]) => [element.firstChild, typeset(text)]);
  }
}
