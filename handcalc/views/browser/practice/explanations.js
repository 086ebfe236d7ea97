// What explains wrong numbers: a mistake in all of a step, or a slip in its one wrong number; which is claimed, and which
// is asked about. The counterpart of handcalc/practice/diagnosis/; tests hold the two equal.

import { html, inLetters } from "../record/expression.js";
import { counted } from "../record/numbers.js";
import { EXACT, isClose, isExact, isLong, isSlip } from "./nearness.js";
import { Recipes } from "./recipes.js";
import { recompute, roundByHand } from "./replay.js";
import { cutDigits, fromRounded, waysToRound, wrongRoundings } from "./roundings.js";

const MIN_NUMBERS_TO_JUDGE = 4; // numbers of a step: all the same, or mostly wrong one by one, they come of guessing
const MAX_ROUNDING_SHARE = 0.03; // of a number: anything may explain a larger error
const NONE = { claimed: [], possible: [] };

const exactOf = (values) => EXACT * Math.max(1, ...values.map(Math.abs).filter(Number.isFinite));
const put = (text, things) => things.reduce((found, thing, k) => found.replaceAll(`{${k}}`, thing), text);

// The matrices that a step reads, those that are written inline in it seen through.
export const sourcesOf = (matrix) => [...new Set([...partsOf(matrix)].flatMap(({ inputs }) => inputs.filter((input) => !input.isInline)))];

// The matrices that are written inline in a step, and the step.
function partsOf(matrix) {
  const found = new Set([matrix]);
  for (const part of found) for (const input of part.inputs) if (input.isInline) found.add(input);
  return found;
}

// Whether one number fills many places where others belong: that is filler, no mistake to name.
function isEven({ answer, matrix, written }) {
  const isOne = (values) => written.every((k) => values[k] === values[written[0]]);
  return written.length >= MIN_NUMBERS_TO_JUDGE && isOne(answer) && !isOne(matrix.values);
}

export class Explanations {
  // `known` is what practice/exercise/known_recipes.py hands over: {nodes, told: [[name, sentence, question, isWhole, turn,
  // isAlongLine], ...], slips, ranks, of: {step: [[node, place in told], ...]}, misread, lines}. `nameIn` writes the name of a
  // matrix that a step reads.
  constructor(calculation, known, places, tolerance, nameIn) {
    Object.assign(this, { calculation, known, places, tolerance, nameIn });
    this.recipes = new Map(); // by replay
  }

  // The explanations of a step's wrong numbers, those claimed and those to ask about, the likeliest first.
  // `step` has its matrix, the answer, the places that are wrong and those that are written.
  explain(step, ways) {
    const { matrix, wrong, answer } = step;
    if (!wrong.length || !this.known.of[matrix.name] || isEven(step)) return NONE;
    return answer.length === 1 || wrong.length === 1 ? this.explainOne(step, ways) : { claimed: this.explainAll(step, ways), possible: [] };
  }

  explainAll(step, ways) {
    const found = this.first("step", step, ways);
    const isRounding = ({ told }) => this.roundingNames.includes(told[0]);
    const others = found.filter((one) => !isRounding(one));
    return others.length || step.isAfterBlank ? others : found;
  }

  get roundingNames() {
    return this.known.ranks.find(({ search, names }) => search === "step" && names).names;
  }

  // Search kind by kind: a slip is claimed where nothing else explains the number.
  explainOne(step, ways) {
    const { matrix, wrong: [k], answer } = step;
    const isPowerOfZero = matrix.operation.name === "exp" && isClose(answer[k], 0, this.tolerance);
    if (!this.known.misread[matrix.name] || step.isAfterBlank || isPowerOfZero) return NONE; // Python may know more
    let found = [];
    for (const kind of this.known.ranks) {
      if (this.isTried(kind, step) && !(kind.unless_before && found.length)) found = [...found, ...this.ofKind(kind, step, ways)];
    }
    found = this.distinct(found, answer[k], k);
    const [one] = found;
    const isOff = () => ways.some((way) => isSlip(answer[k], way.follow(matrix)[k], this.places));
    const isClaimed = found.length === 1 && one.kind.least === 1 && !(one.kind.off_by && isOff());
    return isClaimed ? { claimed: found, possible: [] } : { claimed: [], possible: [...found].sort((a, b) => a.kind.rank - b.kind.rank) };
  }

  isTried({ search, least_wrong = 1, most_wrong = 1, most_numbers, most_share = 1 }, { answer, written }) {
    const isFew = written.length < MIN_NUMBERS_TO_JUDGE || 1 <= most_share * written.length;
    return search in SEARCHES && isFew && least_wrong <= 1 && 1 <= (most_wrong || 1) && answer.length <= (most_numbers || answer.length);
  }

  ofKind(kind, step, ways) {
    const others = this.known.ranks.filter(({ search }) => search === kind.search).flatMap(({ names = [] }) => names);
    const { answer, wrong: [k] } = step;
    const fits = ({ values }) => (kind.tolerance === 0 ? isExact(answer[k], values[k]) : isClose(answer[k], values[k], this.tolerance));
    const isOfKind = ({ told: [name] }) => (kind.names ? kind.names.includes(name) : !others.includes(name));
    const found = kind.most_numbers === 1 ? this.each(kind.search, step, ways) : this.first(kind.search, step, ways);
    return found.filter((one) => isOfKind(one) && fits(one)).map((one) => ({ ...one, kind }));
  }

  // What a search finds in the first way of continuing in which it finds anything.
  first(search, step, ways) {
    for (const way of ways) {
      const found = SEARCHES[search].call(this, step, way, way.follow(step.matrix));
      if (found.length) return found;
    }
    return [];
  }

  // What it finds in any way, each mistake as in the first one: a lone number may have come about in several.
  each(search, step, ways) {
    const found = new Map();
    for (const way of ways) for (const one of this.first(search, step, [way])) if (!found.has(one.told[0])) found.set(one.told[0], one);
    return [...found.values()];
  }

  // Each explanation once; where one gives all the digits of a long number, without the inexact ones.
  distinct(found, value, k) {
    const isAlike = (one, before) => before.told[0] === one.told[0] && (before.kind.search !== one.kind.search || before.says === one.says);
    const kept = [];
    for (const one of found) if (!kept.some((before) => isAlike(one, before))) kept.push(one);
    const exact = kept.filter(({ values }) => isExact(value, values[k]));
    return exact.length && isLong(value, this.places) ? exact : kept;
  }

  // A candidate with its words; `things` are put into them.
  told(place, values, ...things) {
    const told = this.known.told[place];
    const says = put(told[1], things);
    return { told, values, says, asks: told[2] ? put(told[2], things) : `${this.known.slips.asked}${says}` };
  }

  // The searches ----------------------------------------------------------------------------------

  numbersOf(node, way) {
    if (!this.recipes.has(way)) this.recipes.set(way, new Recipes(this.known.nodes, way));
    return this.recipes.get(way).at(node);
  }

  outcomes({ matrix }, way, right) {
    const known = this.known.of[matrix.name].map(([node, place]) => this.told(place, this.numbersOf(node, way)));
    return [...known, ...wrongRoundings(matrix, right, way, this.places, this.known.slips).map((made) => this.told(...made))];
  }

  inStep(step, way, right) {
    const made = this.outcomes(step, way, right);
    return this.matching(made.filter(({ told: [, , , isWhole], values }) => !isWhole || this.isBorneOut(values, right, step)), step, step.written);
  }

  // Whether most of what a mistake in all of a step changes was written, so that a match says something.
  isBorneOut(values, right, { answer }) {
    const changed = Array.from(values, (_, k) => k).filter((k) => !isClose(values[k], right[k], 2 * this.tolerance));
    return 2 * changed.filter((k) => !Number.isNaN(answer[k])).length > changed.length;
  }

  // A mistake that was made in one number only.
  inOneCell(step, way, right) {
    const { wrong: [k] } = step;
    const isMeant = ({ told: [name, , , isWhole] }) => !isWhole && name !== "entries-swapped" && !this.roundingNames.includes(name);
    const made = this.outcomes(step, way, right).filter((one) => isMeant(one) && Math.abs(one.values[k] - right[k]) > 2 * this.tolerance);
    return this.matching(made, step, [k]).map((one) => ({ ...one, isInCell: true, values: with_(right, k, one.values[k]) }));
  }

  // The mistakes that explain every number in these places; those that do so to the last digit before the rest, but a lone
  // number rounded too early is as good as one that a rule gives.
  matching(made, { answer }, places) {
    const fits = made.filter(({ values }) => places.every((k) => isClose(answer[k], values[k], this.tolerance)));
    const off = ({ values }) => Math.max(...places.map((k) => (answer[k] === values[k] ? 0 : Math.abs(answer[k] - values[k]))));
    const exact = exactOf(answer.filter((value) => !Number.isNaN(value)));
    const counts = ({ told: [name] }) => answer.length > 1 || !this.roundingNames.includes(name);
    const best = fits.some((one) => off(one) <= exact && counts(one)) ? fits.filter((one) => off(one) <= exact) : fits;
    const named = new Map();
    for (const one of best) if (!named.has(one.told[0])) named.set(one.told[0], one);
    if (named.has("power-of-zero")) named.delete("times-for-power"); // 0 times e is 0, too, which nobody worked out
    return [...named.values()].sort((one, other) => one.told[4] - other.told[4]);
  }

  // Slips in one number: those that fit, each sentence once; what rounding hides, to the last digit.
  slips({ answer, wrong: [k] }, right, made) {
    const fits = ([, value]) => isClose(answer[k], value, Math.abs(value - right[k]) > 2 * this.tolerance ? this.tolerance : EXACT);
    const found = new Map();
    for (const [place, value, ...things] of made.filter(fits)) {
      const one = { ...this.told(place, with_(right, k, value), ...things), isInCell: true };
      if (!found.has(one.says)) found.set(one.says, one);
    }
    return [...found.values()];
  }

  // A sign lost, a term left out, a row taken for a column.
  inNumber(step, way, right) {
    const { matrix, wrong: [k] } = step;
    const { sign, "term sign": termSign, term, product } = this.known.slips;
    const cell = [Math.floor(k / matrix.columnCount), k % matrix.columnCount];
    const made = right[k] === 0 ? [] : [[sign, -right[k]]];
    for (const one of this.termsOf(matrix, ...cell)) {
      const value = one.read?.(way) ?? 0;
      if (value !== 0) made.push([one.isProduct ? product : term, right[k] - value, html(one)]);
      if (value !== 0 && value !== right[k]) made.push([termSign, right[k] - 2 * value, html(one)]);
    }
    for (const [index, node, place] of this.known.misread[matrix.name]) {
      const value = this.numbersOf(node, way)[k];
      made.push([place, this.carried(matrix, this.calculation.matrices[index], k, value, way), ...cell.map(counted)]);
    }
    return this.slips(step, right, made);
  }

  // The terms added up in a cell: each in letters, as a number, and whether it is a product.
  termsOf(matrix, row, column) {
    const base = inLetters(this.places, (source, i, j) => `${this.nameIn(matrix, source)}[${counted(i)},${counted(j)}]`);
    const m = {
      ...base,
      cell: (source, i, j, operand) => ({ ...base.cell(source, i, j, operand), read: (way) => way.read(source)[i * source.columnCount + j] }),
      constant: (value, unit) => ({ ...base.constant(value, unit), read: () => value }),
      product: (a, b) => ({ ...base.product(a, b), isProduct: true, read: a.read && b.read && ((way) => a.read(way) * b.read(way)) }),
      sum: (count, term) => {
        const all = Array.from({ length: count }, (_, k) => term(k));
        return { ...base.sum(count, (k) => all[k]), isProduct: false, read: null, terms: [...(all[0].terms ?? all.slice(0, 1)), ...all.slice(1)] };
      },
    };
    return matrix.expression(m, null, row, column).terms ?? [];
  }

  // A number of a step where a part of it has another number in the same place.
  carried(step, node, k, value, way) {
    const changed = new Map([[node, with_(way.follow(node), k, value)]]);
    const later = [...partsOf(step)].filter(({ index }) => index > node.index).sort((a, b) => a.index - b.index);
    for (const part of later) {
      if (part.inputs.some((input) => changed.has(input))) changed.set(part, recompute(part, part.inputs.map((input) => changed.get(input) ?? way.read(input))));
    }
    return changed.get(step)[k];
  }

  // The number of another row, then of another column of a product.
  otherLine(step, way, right) {
    const { matrix: { name, rowCount, columnCount }, wrong: [k] } = step;
    const [row, column] = [Math.floor(k / columnCount), k % columnCount];
    const [[rows, columns] = []] = this.known.lines[name] ?? [];
    const other = (count, mine, place, at) => Array.from({ length: count }, (_, used) => used).filter((used) => used !== mine).map((used) => [place, right[at(used)], counted(used), counted(mine)]);
    const made = rows === undefined ? [] : [
      this.slips(step, right, other(rowCount, row, rows, (used) => used * columnCount + column)),
      this.slips(step, right, other(columnCount, column, columns, (used) => row * columnCount + used)),
    ];
    return made.flat();
  }

  // The right number but for rounding, its own or that of what went into it.
  fewerPlaces({ matrix, answer, wrong: [k] }, way, right) {
    const { rounded, inputs, cut } = this.known.slips;
    const isWritten = (rough, near) => Math.abs(rough[k] - near[k]) <= MAX_ROUNDING_SHARE * Math.abs(near[k]) && Math.abs(answer[k] - rough[k]) <= EXACT * Math.max(1, Math.abs(rough[k]));
    const written = (told, ways, places) => ways.filter((rough) => isWritten(rough, places ? rough : right)).map((rough) => ({ ...this.told(told, rough), isInCell: true }));
    const places = Array.from({ length: this.places }, (_, count) => count);
    const early = (count) => fromRounded(matrix, count, way).map((values) => Array.from(values, (value) => roundByHand(value, this.places)));
    const found = [
      ...places.flatMap((count) => written(rounded[count], waysToRound(right, count), count)),
      ...(matrix.operation.name === "argmax" ? [] : places.flatMap((count) => written(inputs[count], early(count), count))),
    ];
    return found.length ? found : written(cut, [cutDigits(right, this.places)], 0);
  }
}

const with_ = (values, place, value) => Array.from(values, (old, k) => (k === place ? value : old));

const { inStep, inOneCell, inNumber, otherLine, fewerPlaces } = Explanations.prototype;
const SEARCHES = { step: inStep, line: inOneCell, number: inNumber, "other line": otherLine, "fewer places": fewerPlaces };
