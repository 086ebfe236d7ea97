// The sheets of a calculation: the steps of no block first, then each block's own steps.

import { cellToOpenWith } from "./askable.js";
import { downOf, isShares } from "./shares.js";

class Level {
  constructor({ path, title, why, matrices, inputs, outputs, typeset, layout }, calculation, levels) {
    const at = (places) => places.map((place) => calculation.matrices[place]);
    Object.assign(this, { path, title, why, typeset, layout, calculation, levels });
    [this.own, this.inputs, this.outputs] = [at(matrices), at(inputs), at(outputs)];
    this.inside = [];
    this.around = path ? levels.byPath.get(path.slice(0, Math.max(0, path.lastIndexOf(".")))) : null;
    this.around?.inside.push(this);
  }

  // The visible steps of this sheet, in order.
  get steps() {
    return this.own.filter((matrix) => !matrix.isGiven && matrix.isVisible);
  }

  get hasSteps() {
    return this.own.some((matrix) => !matrix.isGiven);
  }

  // The number that it opens with.
  get result() {
    const { steps } = this;
    if (steps.length) return cellToOpenWith(steps, this.calculation);
    return [[...this.own, ...this.inputs].find((matrix) => matrix.isVisible) ?? this.calculation.matrices[0], 0, 0];
  }

  // The blocks around it, from the outermost, and itself.
  get trail() {
    return [...(this.around?.trail ?? []), this];
  }

  // Its title, with its number where another one beside it has the same.
  get label() {
    const hasTwin = (this.around?.inside ?? []).some((other) => other !== this && other.title === this.title);
    const number = /_(\d+)$/.exec(this.path)?.[1];
    return hasTwin && number ? `${this.title} ${number}` : this.title;
  }

  // A matrix's name and formula as this sheet writes them.
  typesetOf(matrix) {
    return this.typeset[matrix.index] ?? matrix.entry.typeset;
  }

  // Names are written as this sheet writes them, wherever they stand.
  look() {
    for (const matrix of this.calculation.matrices) matrix.typeset = this.typesetOf(matrix);
  }

  isWithin(other) {
    return this === other || (this.around?.isWithin(other) ?? false);
  }
}

// The same layout, in which what stands on another sheet already is a copy; `homes` gets what does not. What is
// among the `guests` is at home on another sheet, wherever that is.
export function atHomeOnce(layout, homes, guests = new Set()) {
  const before = new Set([...homes, ...guests]);
  const block = (entry) => {
    if (!entry) return entry;
    if (!guests.has(entry[0])) homes.add(entry[0]);
    return [entry[0], entry[1] || before.has(entry[0])];
  };
  return layout.map((rows) => rows.map((row) => ({ ...row, left: block(row.left), main: block(row.main), right: row.right.map(block) })));
}

export class Levels {
  constructor(calculation) {
    this.byPath = new Map();
    for (const written of calculation.spec.blocks) {
      this.byPath.set(written.path, new Level(written, calculation, this));
    }
    this.homes = new Map();
    for (const level of this.list) for (const matrix of level.own) this.homes.set(matrix, level);
    for (const level of this.list) {
      for (const matrix of level.inputs) if (!this.homes.has(matrix)) this.homes.set(matrix, level);
    }
  }

  get list() {
    return [...this.byPath.values()];
  }

  get isMany() {
    return this.byPath.size > 1;
  }

  get root() {
    return this.list[0];
  }

  // The sheet that a matrix belongs to.
  home(matrix) {
    return this.homes.get(matrix) ?? this.root;
  }

  // A matrix's name in a sentence on a step: the short one if they are of the same block.
  nameBeside(step, matrix) {
    const home = this.home(matrix);
    return (home === this.home(step) ? home.typesetOf(matrix) : matrix.entry.typeset).name;
  }

  // The first sheet on which there is something to calculate.
  get first() {
    return this.worked[0] ?? this.root;
  }

  // The sheet that a page teaches most about: the last one with shares; else the first.
  get lesson() {
    const isSharing = (level) => level.steps.some((matrix) => isShares(matrix, downOf(level.calculation)));
    return this.worked.findLast(isSharing) ?? this.first;
  }

  // The sheets with steps, in the order in which their calculation begins.
  get worked() {
    const start = (level) => level.own.find((matrix) => !matrix.isGiven).index;
    return this.list.filter((level) => level.hasSteps).sort((a, b) => start(a) - start(b));
  }

  // The sheet to open for a block: the one with its result, if it has no sheet of its own.
  entry(level) {
    if (level.own.length) return level;
    const homes = level.outputs.map((matrix) => this.home(matrix)).filter((home) => home.isWithin(level));
    return homes.at(-1) ?? this.worked.find((other) => other.isWithin(level)) ?? level;
  }
}
