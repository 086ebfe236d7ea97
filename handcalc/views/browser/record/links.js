// Cells in few words: what a number reads and feeds, as links.

import { counted } from "./numbers.js";

// Addresses in few words, {html, cell}: `row 2 of V`, `column 1 of A`, `8 numbers of X`, and the first of them.
export function condensed(addresses) {
  const groups = new Map();
  for (const address of addresses) {
    if (!groups.has(address[0])) groups.set(address[0], []);
    groups.get(address[0]).push(address);
  }
  return [...groups].map(([matrix, cells]) => ({ html: inWords(matrix, cells), cell: cells[0] }));
}

// Names typeset, as HTML.
function inWords(matrix, cells) {
  const rows = new Set(cells.map((cell) => cell[1]));
  const columns = new Set(cells.map((cell) => cell[2]));
  if (cells.length === 1) return matrix.cellHtml(cells[0][1], cells[0][2]);
  if (rows.size === 1 && columns.size === matrix.columnCount) return `row ${counted([...rows][0])} of ${matrix.typeset.name}`;
  if (columns.size === 1 && rows.size === matrix.rowCount) return `column ${counted([...columns][0])} of ${matrix.typeset.name}`;
  return `${cells.length} numbers of ${matrix.typeset.name}`;
}
