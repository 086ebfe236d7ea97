// A reader's place, as text: a block's path, attention.head_1, a matrix's, or a number's, attention.head_1.Z[2,1],
// counted from 1. A link ends with it.

import { counted } from "./numbers.js";

const CELL_IN_TEXT = /^(.*)\[(\d+),\s*(\d+)\]$/s;

export const addressOf = ([matrix, row, column]) => `${matrix.name}[${counted(row)},${counted(column)}]`;

// The link to an address: brackets may stand as they are, a lone % may not.
export const linkTo = (address) => `#${address.replace(/%/g, "%25")}`;

// The target of a text, as {level, cell}, cell being null for a block; null if it names nothing here.
// The end of a path will do: head_1 of attention.head_1.
export function resolveAddress(text, levels, calculation) {
  const [, name, row, column] = CELL_IN_TEXT.exec(text) ?? [null, text, "1", "1"];
  const level = withEnd(text, levels.byPath);
  if (level) return { level: levels.entry(level), cell: null };
  const matrix = withEnd(name, calculation.byName);
  const [i, j] = [row - 1, column - 1];
  if (!matrix || i < 0 || j < 0 || i >= matrix.rowCount || j >= matrix.columnCount || !matrix.isVisible) return null;
  return { level: levels.home(matrix), cell: [matrix, i, j] };
}

function withEnd(name, entries) {
  if (entries.has(name)) return entries.get(name); // the path of the steps of no block is empty
  const ending = [...entries.keys()].filter((path) => path.endsWith(`.${name}`));
  return ending.length ? entries.get(ending.at(-1)) : null;
}

// The text after # in a page's address; a reader may have typed anything there.
export function inLink(hash) {
  const text = hash.replace(/^#/, "");
  try {
    return decodeURIComponent(text);
  } catch {
    return text; // a lone %
  }
}
