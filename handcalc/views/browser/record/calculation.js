// A calculation in the browser: the spec that `Calculation.to_spec` wrote, computed again.

import { chainBack, chainForward } from "./chain.js";
import { Matrix } from "./matrix.js";
import { slipsByCell } from "./slips.js";

export class Calculation {
  // `startOf` finds the numbers of a given by its entry.
  constructor(spec, startOf) {
    this.spec = spec;
    this.matrices = spec.matrices.map((entry, index) => new Matrix(entry, index, startOf));
    for (const matrix of this.matrices) matrix.inputs = this.inputsOf(matrix);
    this.slips = slipsByCell(spec.slips);
    this.byName = new Map(this.matrices.filter((m) => m.name).map((m) => [m.name, m]));
  }

  // Numbers of a formula may be written where they are read, and not in the list.
  inputsOf({ entry: { inputs = [] } }, index = -1) {
    return inputs.map((input) => {
      if (typeof input === "number") return this.matrices[input];
      const matrix = new Matrix(input, index); // before all that read it
      matrix.inputs = this.inputsOf(matrix, index - 1);
      return matrix;
    });
  }

  get givens() {
    return this.matrices.filter((m) => m.isGiven);
  }

  // The visible steps, in order.
  get steps() {
    return this.matrices.filter((m) => m.isVisible && !m.isGiven);
  }

  // The matrix of this name, if it is on the sheet at present.
  visible(name) {
    const matrix = this.byName.get(name);
    return matrix?.isVisible ? matrix : null;
  }

  // Givens have changed (all of them if `changed` is left out): what depends on them is computed when it
  // is asked for. Returns them and all that depends on them.
  compute(changed = this.givens) {
    const dirty = new Set(changed);
    for (const matrix of this.matrices) {
      if (!matrix.inputs.some((input) => dirty.has(input))) continue;
      matrix.isStale = true;
      dirty.add(matrix);
    }
    return dirty;
  }

  // Whether every number can be written; `isAll` asks of those, too, that nobody has looked at.
  isSound(isAll = false) {
    return this.matrices.every((matrix) => (matrix.isStale && !isAll) || matrix.isSound);
  }

  // The steps looked at so far that change nothing at present, as one comparable string.
  idleSteps() {
    return this.matrices.map((m) => (m.isStale ? "" : m.isIdle ? "1" : "0")).join();
  }

  // The mistake of a published sheet at a number, as { slip, right }.
  slipAt(matrix, row, column) {
    return this.slips.get(matrix.name)?.get(`${row}:${column}`);
  }

  // The cells that read a cell directly, as [matrix, row, column]; asked again while givens move.
  feeds(...cell) {
    const asked = [cell[0].index, cell[1], cell[2], this.idleSteps()].join();
    if (this.fed?.asked !== asked) {
      const readers = [...chainForward(cell, this.matrices, true).values()];
      this.fed = { asked, cells: readers.flatMap((marks) => marks.cells()) };
    }
    return this.fed.cells;
  }

  // All that a cell depends on, back to the givens, or all that depends on it: matrix -> Marks.
  chain(start, isForward = false) {
    return isForward ? chainForward(start, this.matrices) : chainBack(start);
  }
}
