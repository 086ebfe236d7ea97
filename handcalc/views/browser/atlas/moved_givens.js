// The moved numbers of a large calculation's own givens, in all blocks.

import { counted } from "../record/numbers.js";

const MAX_MOVES_TOLD = 3; // numbers that are named, before the rest are counted

export class MovedGivens {
  constructor() {
    this.cells = new Map(); // a given's name in the whole -> Map of "row,column" -> [row, column, value]
  }

  // The numbers of these givens that differ from the start, or did before: {name: [[row, column, value], ...]}.
  take(givens) {
    const moved = {};
    for (const matrix of givens) {
      const { origin, from_outside: isOutside, is_part: isPart } = matrix.entry;
      if (!origin || isOutside || isPart || (!matrix.hasMoved && !this.cells.has(origin))) continue;
      const known = this.cells.get(origin) ?? new Map();
      this.cells.set(origin, known);
      for (const [row, column] of [...known.values(), ...differing(matrix)]) {
        known.set(`${row},${column}`, [row, column, matrix.at(row, column)]);
      }
      moved[origin] = [...known.values()];
    }
    return moved;
  }

  // The same with tokens as rows, where they were columns.
  turn() {
    for (const [name, known] of this.cells) {
      this.cells.set(name, new Map([...known.values()].map(([row, column, value]) => [`${column},${row}`, [column, row, value]])));
    }
  }

  // The moved numbers, in a sentence; empty if there are none.
  get words() {
    const names = [...this.cells].flatMap(([name, known]) => [...known.values()].map(([row, column]) => `${name}[${counted(row)},${counted(column)}]`));
    if (!names.length) return "";
    const rest = names.length > MAX_MOVES_TOLD ? ` and ${names.length - MAX_MOVES_TOLD} more` : "";
    return `Moved: ${names.slice(0, MAX_MOVES_TOLD).join(", ")}${rest}. Every block is calculated with this.`;
  }
}

function differing({ values, start, columnCount }) {
  const found = [];
  for (let at = 0; at < values.length; at += 1) {
    if (values[at] !== start[at]) found.push([Math.floor(at / columnCount), at % columnCount]);
  }
  return found;
}
