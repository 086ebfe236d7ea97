// What is known of a large calculation before a block is opened: every block and every name, without numbers.

import { Levels } from "../record/sheet_levels.js";

// A matrix of which only the name is known; what a map, a trail and a search need of it.
class Named {
  constructor({ name, meaning, shape, given, idle, typeset }, index) {
    Object.assign(this, { name, index, isGiven: given, isVisible: !idle, entry: { meaning, typeset: { name: typeset } } });
    this.typeset = this.entry.typeset;
    [this.rowCount, this.columnCount] = shape;
  }
}

export class Outline {
  // `book` is what handcalc/views/atlas/atlas_outline.py wrote.
  constructor(book) {
    this.title = book.title;
    this.convention = book.convention;
    this.matrices = book.matrices.map((entry, index) => new Named(entry, index));
    this.byName = new Map(this.matrices.map((matrix) => [matrix.name, matrix]));
    const blocks = book.blocks.map((block) => ({ ...block, inputs: [], outputs: [], layout: [], typeset: typesetNames(block.typeset) }));
    this.spec = { blocks };
    this.levels = new Levels(this);
  }

  // The same with tokens as rows, where the other has them as columns: addresses are those that are on the page.
  turn() {
    for (const matrix of this.matrices) [matrix.rowCount, matrix.columnCount] = [matrix.columnCount, matrix.rowCount];
  }
}

const typesetNames = (names) => Object.fromEntries(Object.entries(names).map(([at, name]) => [at, { name }]));

// The titles on the way to a block, without those around `here` as well.
export function titlesTo(level, here) {
  const around = here?.trail ?? [];
  return level.trail.filter((part) => part.path && (part === level || !around.includes(part))).map(({ label }) => label).join(" › ") || "the input";
}

// Where a block's matrix leads, as {from, name, into}: the block that it comes from and its name there, null if it is
// the block's own, and the blocks that read it. A step whose weights were left out comes from what it read.
export function leadsTo({ origin, from_outside: isOutside, read_from: read = [], into = [] }, levels, here) {
  const name = isOutside ? origin : (read[0] ?? null);
  const from = name === null ? null : levels.byPath.get(name.slice(0, Math.max(0, name.lastIndexOf("."))));
  const readers = (isOutside ? [] : into).map((path) => levels.byPath.get(path)).filter((level) => level && level !== here);
  return { from, name, into: readers };
}
