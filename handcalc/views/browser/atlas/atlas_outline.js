// The outline of a large calculation before a block is opened: every block and every name, without numbers.

import { Levels } from "../record/sheet_levels.js";
import { addressOf } from "../record/cell_address.js";
import { nameTag, tag } from "../page/dom.js";
import { ports, titlesTo, wayElsewhere } from "../sheet/ports.js";

// A matrix without numbers: its name and shape, as a map, a trail and a search need them.
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

// The ways of a block's matrix, as {from, name, into}: the block that it comes from and its name there, null if it is
// the block's own, and the blocks that read it. A step whose weights were left out comes from what it read.
export function leadsTo({ origin, from_outside: isOutside, read_from: read = [], into = [] }, levels, here) {
  const name = isOutside ? origin : (read[0] ?? null);
  const from = name === null ? null : levels.byPath.get(name.slice(0, Math.max(0, name.lastIndexOf("."))));
  const readers = (isOutside ? [] : into).map((path) => levels.byPath.get(path)).filter((level) => level && level !== here);
  return { from, name, into: readers };
}

const MAX_WAYS = 4; // blocks side by side that are named, before the rest are counted

// Ways from a number to other blocks, as {from, into}: pieces of {html, elsewhere, block}.
export function waysBeyond([{ entry }, row, column], levels, here) {
  if (!entry.origin) return {};
  const { from, name, into } = leadsTo(entry, levels, here);
  const at = addressOf([{ name: entry.origin }, row, column]);
  const before = name === entry.origin ? at : addressOf([{ name }, 0, 0]); // one of many that it read
  const link = (level, elsewhere) => ({ html: titlesTo(level, here), elsewhere, block: level.path });
  const links = into.slice(0, MAX_WAYS).flatMap((level, k) => [{ html: k ? ", " : "goes on into " }, link(level, at)]);
  const rest = into.length > MAX_WAYS ? [{ html: ` and ${into.length - MAX_WAYS} more blocks` }] : [];
  return { from: from && [{ html: "comes from " }, link(from, before)], into: [...links, ...rest] };
}

// Ways from a whole sheet to other blocks: its inputs and its outputs.
export function waysAround(calculation, levels, here) {
  const [comes, goes] = [[], []];
  for (const matrix of calculation.matrices.filter(({ isVisible, entry }) => isVisible && entry.origin)) {
    const { from, name, into } = leadsTo(matrix.entry, levels, here);
    const link = (level, origin) => wayElsewhere(addressOf([{ name: origin }, 0, 0]), level.path, titlesTo(level, here));
    if (from) comes.push(tag("li", {}, nameTag(matrix), " from ", link(from, name)));
    if (!into.length) continue;
    const links = into.slice(0, MAX_WAYS).flatMap((level, k) => [k ? ", " : "", link(level, matrix.entry.origin)]);
    const rest = into.length > MAX_WAYS ? ` and ${into.length - MAX_WAYS} more` : "";
    goes.push(tag("li", {}, nameTag(matrix), " goes on into ", ...links, rest));
  }
  return [ports("What comes in", "hc-comes", comes), ports("What goes on", "hc-goes", goes)].filter(Boolean);
}
