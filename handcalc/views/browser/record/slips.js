// The mistakes of a sheet as it was published, cell by cell.

import { showOf } from "./numbers.js";

// The slips of a record by matrix and cell: name -> "row:column" -> { slip, right }.
export function slipsByCell(slips = []) {
  const found = new Map();
  for (const slip of slips) {
    for (const [name, cells] of Object.entries(slip.right)) {
      if (!found.has(name)) found.set(name, new Map());
      for (const [row, column, right] of cells) found.get(name).set(`${row}:${column}`, { slip, right });
    }
  }
  return found;
}

// In words, for a number that is one: both numbers and which is right, then both formulas. Once a given has been moved,
// only the formulas.
export function tellSlip({ slip, right }, matrix, row, column, places, hasMoved) {
  const [is, should] = [matrix.at(row, column), right].map((value) => showOf(matrix, value, places));
  const numbers = is === should ? `The sheet has ${is}, and by chance that is right. ` : `The sheet has ${is}; right is ${should}. `;
  return `A slip in ${slip.cells}. ${hasMoved ? "" : numbers}The sheet: ${slip.sheet}. It should be: ${slip.should_be}.`;
}
