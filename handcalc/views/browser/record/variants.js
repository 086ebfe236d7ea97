// One calculation in its other variants: tokens as rows, the pencil handout's shortcuts.

import { unpackNumbers } from "./packed_numbers.js";
import { dictionary } from "./dictionary.js";
import { Calculation } from "./calculation.js";
import { reorderNumbers, switchedSpec } from "./what_if_switches.js";

export class Variants {
  // `list` holds {arithmetic, spec}; the sheet opens with the first. On a page others are {arithmetic, convention, like,
  // patch}: what differs from another one is put in when somebody asks for it.
  constructor(list) {
    this.list = list.map((form) => ({ convention: form.spec?.convention, ...form }));
    for (const form of this.list.filter(({ patch }) => patch)) {
      let spec = null;
      Object.defineProperty(form, "spec", { get: () => (spec ??= patched(this.list[form.like].spec, form.patch)) });
    }
    this.opening = this.list[0];
    this.starts = new WeakMap(); // by the entry of a given
  }

  find(convention, arithmetic) {
    return this.list.find((form) => form.convention === convention && form.arithmetic === arithmetic);
  }

  // The map of this convention as HTML, if there are blocks.
  map(convention) {
    return this.list.find((form) => form.convention === convention && form.map)?.map ?? null;
  }

  has(arithmetic) {
    return this.list.some((form) => form.arithmetic === arithmetic);
  }

  // The numbers that a given starts with: its own, or those of another form that has the same.
  startOf(entry) {
    if (!this.starts.has(entry)) this.starts.set(entry, this.read(entry));
    return this.starts.get(entry);
  }

  read({ values, shape: [rows, columns], moved }) {
    if (moved) return reorderNumbers(this.startOf(moved.from), [rows, columns], moved);
    if (!values.like) return unpackNumbers(values);
    const [form, place] = values.like;
    const other = this.startOf(this.list[form].spec.matrices[place]);
    return values.transposed ? other.map((_, at) => other[(at % columns) * rows + Math.floor(at / columns)]) : other;
  }

  // The calculation in one form, switched (what_if_switches.js), on givens {name: rows} as the opening form writes them.
  calculate(convention, arithmetic, givens = {}, whatIf = {}) {
    const spec = switchedSpec(this.find(convention, arithmetic).spec, whatIf);
    const calculation = new Calculation(spec, (entry) => this.startOf(entry));
    fillGivens(calculation, this.inConvention(givens, convention));
    return calculation;
  }

  inConvention(givens, convention) {
    if (convention === this.opening.spec.convention) return givens;
    return Object.fromEntries(Object.entries(givens).map(([name, rows]) => [name, transposed(rows)]));
  }
}

// Give a calculation other givens; those that are not named go back to the start.
export function fillGivens(calculation, givens) {
  const named = dictionary(givens);
  for (const matrix of calculation.givens) matrix.fill(named[matrix.name] ?? null);
  calculation.compute();
}

// As handcalc/views/variants.py has written it: anything but an object stands for itself.
export function patched(old, patch) {
  if (patch === null || typeof patch !== "object" || Array.isArray(patch)) return patch;
  if ("=" in patch) return patch["="];
  const { "-": gone = [], ...changes } = patch;
  const now = Array.isArray(old) ? [...old] : { ...old };
  for (const key of gone) delete now[key];
  for (const key of Object.keys(changes)) now[key] = patched(old[key], changes[key]);
  return now;
}

const transposed = (rows) => rows[0].map((_, column) => rows.map((row) => row[column]));
