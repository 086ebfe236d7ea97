// During a what-if, the old values: below the numbers of the chosen matrix and of the result.

import { show, typeset } from "../record/numbers.js";

export class Befores {
  constructor(explorer) {
    this.explorer = explorer;
    this.written = new Map(); // the text of a cell -> what stands below it
  }

  refresh() {
    this.write();
  }

  follow() {
    this.write();
  }

  settle() {
    this.write();
  }

  write() {
    const found = this.explorer.comparison.kind === "whatIf" ? this.found() : new Map();
    for (const node of this.written.keys()) if (!found.has(node)) node.removeAttribute("data-before");
    for (const [node, text] of found) if (this.written.get(node) !== text) node.setAttribute("data-before", text);
    this.written = found;
  }

  found() {
    const { chosen, level, desk } = this.explorer;
    const told = new Set([chosen?.[0], level.steps.at(-1)]);
    const blocks = desk.blocks.filter(({ matrix, isCopy, isStale, window }) => told.has(matrix) && !isCopy && !isStale && window.isWhole);
    return new Map(blocks.flatMap((block) => this.ofBlock(block)));
  }

  ofBlock({ matrix, records }) {
    const { comparison, desk, places } = this.explorer;
    const before = desk.concealed.has(matrix) ? null : comparison.before(matrix);
    if (!before) return [];
    const texts = records.map((record) => [record, show(before[record.at], places)]);
    return texts.filter(([record, text]) => text !== record.text).map(([{ element }, text]) => [element.firstChild, typeset(text)]);
  }
}
