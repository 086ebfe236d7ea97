import { counted } from "./numbers.js";

// Addresses in few words: `V[2,·]` for a row, `A[·,1]` for a column, `X (8 numbers)` for more.
export function condensed(addresses) {
  const groups = new Map();
  for (const address of addresses) {
    if (!groups.has(address[0])) groups.set(address[0], []);
    groups.get(address[0]).push(address);
  }
  return [...groups].map(([matrix, cells]) => {
    const rows = new Set(cells.map((cell) => cell[1]));
    const columns = new Set(cells.map((cell) => cell[2]));
    if (cells.length === 1) return matrix.cellName(cells[0][1], cells[0][2]);
    if (rows.size === 1 && columns.size === matrix.columnCount) return `${matrix.name}[${counted([...rows][0])},·]`;
    if (columns.size === 1 && rows.size === matrix.rowCount) return `${matrix.name}[·,${counted([...columns][0])}]`;
    return `${matrix.name} (${cells.length} numbers)`;
  });
}
