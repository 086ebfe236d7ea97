// What a reader has asked of the calculation just now: what is switched, and which givens are all zeros.

import { readText, textOf } from "../record/other_text.js";

const isZero = (numbers) => numbers.every((value) => value === 0);

// A given of zeros that had other numbers; a single number is simply 0.
const isZeroed = (matrix) => matrix.rowCount * matrix.columnCount > 1 && matrix.hasMoved && isZero(matrix.values) && !isZero(matrix.start);

export class WhatIfState {
  constructor(explorer) {
    this.explorer = explorer;
    this.zeroed = [];
  }

  get isAny() {
    return this.zeroed.length > 0 || Object.keys(this.explorer.whatIf).some((name) => name !== "text");
  }

  // The text that is read: another one is another sheet, and nothing is compared with the first.
  get text() {
    const { text } = this.explorer.whatIf;
    return text === undefined ? {} : { text };
  }

  // Find which givens are all zeros, once a movement has ended; returns whether that has changed.
  note() {
    const names = this.explorer.calculation.givens.filter(isZeroed).map(({ name }) => name);
    const isNew = String(names) !== String(this.zeroed);
    this.zeroed = names;
    return isNew;
  }

  // The rows of a given before it was set to zeros; none if they were those of the start.
  rowsBefore(name) {
    const states = this.explorer.edits?.history.past ?? [];
    return states.map(({ givens }) => givens[name]).findLast((rows) => !rows || !isZero(rows.flat()));
  }

  // The givens as they would be without any what-if.
  before(givens) {
    const found = { ...givens };
    for (const name of this.zeroed) {
      const rows = this.rowsBefore(name);
      if (rows) found[name] = rows;
      else delete found[name];
    }
    for (const [name, order] of Object.entries(this.explorer.whatIf.order ?? {})) {
      if (found[name]) found[name] = this.ordered(found[name], order.map((_, k) => order.indexOf(k)));
    }
    return found;
  }

  // Rows of a given, as the opening form writes them, with its tokens in another order.
  ordered(rows, order) {
    const isColumns = this.explorer.variants.opening.spec.convention === "columns";
    return isColumns ? rows.map((row) => order.map((k) => row[k])) : order.map((k) => rows[k]);
  }

  // What to change: a state of the explorer -----------------------------------------------------------

  switched(name, value, now) {
    const { [name]: _, ...others } = this.explorer.whatIf;
    return { whatIf: value === now ? others : { ...others, [name]: value } };
  }

  // Another text; of another length, what was moved or swapped in a given with a number for each token is gone.
  reading(typed) {
    const { givens, variants, calculation: { spec: now, byName } } = this.explorer;
    const { text: _, ...others } = this.explorer.whatIf;
    const { opening: { spec } } = variants;
    const whatIf = typed === textOf(spec).text ? others : { ...others, text: typed };
    if (readText(spec, typed).tokens.length === textOf(now).tokens.length) return { whatIf };
    const { rows, columns } = spec.what_ifs.text;
    const isOfText = (name) => [...rows, ...columns].includes(byName.get(name)?.index);
    const kept = (found) => Object.fromEntries(Object.entries(found).filter(([name]) => !isOfText(name)));
    const order = kept(whatIf.order ?? {});
    delete whatIf.order;
    return { whatIf: Object.keys(order).length ? { ...whatIf, order } : whatIf, givens: kept(givens) };
  }

  // A part that counts as 0, or is heard again; `now` are those that are off from the start, `all` all that can be.
  turned(path, isOff, now, all) {
    const before = this.explorer.whatIf.ablate ?? now;
    const next = all.filter((other) => (other === path ? isOff : before.includes(other)));
    const { ablate: _, ...others } = this.explorer.whatIf;
    return { whatIf: String(next) === String(now) ? others : { ...others, ablate: next } };
  }

  // Two tokens of a given change places, and whatever numbers it has go with them.
  swapped(name, count, a, b) {
    const swap = (list) => list.map((item, k) => (k === a ? list[b] : k === b ? list[a] : item));
    const { whatIf: { order = {}, ...others }, givens } = this.explorer;
    const places = Array.from({ length: count }, (_, k) => k);
    const now = swap(order[name] ?? places);
    const { [name]: _, ...rest } = order;
    const orders = now.every((k, at) => k === at) ? rest : { ...rest, [name]: now };
    const moved = givens[name] ? { ...givens, [name]: this.ordered(givens[name], swap(places)) } : givens;
    return { whatIf: Object.keys(orders).length ? { ...others, order: orders } : others, givens: moved };
  }

  // Back to the order of the start.
  unswapped(name) {
    const { whatIf: { order, ...others }, givens } = this.explorer;
    const { [name]: places, ...rest } = order;
    const moved = givens[name] ? { ...givens, [name]: this.ordered(givens[name], places.map((_, k) => places.indexOf(k))) } : givens;
    return { whatIf: Object.keys(rest).length ? { ...others, order: rest } : others, givens: moved };
  }

  // A given of zeros, or what it was before.
  zero(matrix, isOn) {
    const { givens, convention, variants } = this.explorer;
    const { [matrix.name]: _, ...others } = givens;
    const zeros = variants.inConvention({ [matrix.name]: matrix.toRows().map((row) => row.map(() => 0)) }, convention);
    const before = this.rowsBefore(matrix.name);
    return { givens: isOn ? { ...others, ...zeros } : before ? { ...others, [matrix.name]: before } : others };
  }
}
