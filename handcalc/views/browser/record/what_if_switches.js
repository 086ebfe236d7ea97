// A calculation with other steps switched on: only those entries of its spec that differ are replaced. What
// can be switched, and the texts for it, come from handcalc/views/what_if_switches.py.

import { causalMask, withText } from "./other_text.js";

const SWITCHED_OFF = { name: "same" };

// The same spec with `state` switched: {scaling: "none", temperature: 2, text: "abba", order: {X: [1, 0, 2]}}.
export function switchedSpec(start, state = {}) {
  const spec = state.text === undefined ? start : withText(start, state.text);
  const { places, texts, readers = {} } = spec.what_ifs ?? { places: [], texts: {} };
  if (!places.length && !state.order) return spec;
  const matrices = [...spec.matrices];
  const keys = new Map(places.map((place) => [place.at, exchange(matrices, place, wantedOf(place, state), spec.convention)]));
  const off = new Set(places.map(({ at }) => at).filter((at) => matrices[at].operation.name === SWITCHED_OFF.name));
  const said = new Map(Object.entries(texts).map(([at, table]) => [Number(at), latestText(table[keys.get(Number(at)) ?? ""], off)]).filter(([, text]) => text));
  if (state.ablate) for (const [at, table] of Object.entries(readers)) said.set(Number(at), readingNow(table, off));
  for (const [at, text] of said) matrices[at] = { ...matrices[at], formula: text[0], typeset: toldAs(matrices[at].typeset, text) };
  if (state.order) for (const [name, order] of Object.entries(state.order)) reorder(matrices, name, order, spec.convention);
  const parts = places.filter(({ path }) => path !== undefined);
  const zeros = parts.filter(({ at }) => !off.has(at));
  const blocks = spec.blocks.map((block) => ({ ...handedOn(block, parts, off), typeset: retoldAs(block.typeset, said), matrices: block.matrices.filter((at) => !off.has(at)) }))
    .map((block) => ({ ...block, typeset: { ...block.typeset, ...seenOn(block, zeros) }, layout: withoutOff(block.layout, off) }));
  return { ...spec, matrices, blocks, layout: withoutOff(spec.layout, off) };
}

// The state that a place is switched to; for a part, whether it is "on" or "off".
function wantedOf({ switch: name, path }, state) {
  if (path === undefined || !state.ablate) return state[name];
  return state.ablate.includes(path) ? "off" : "on";
}

// The texts of a step that reads parts: with all of them on, changed where one of them is off.
function readingNow({ "": all, ...alone }, off) {
  const zeros = Object.keys(alone).filter((at) => !off.has(Number(at)));
  return all.map((text, k) => mergeTexts(text, zeros.map((at) => alone[at][k])));
}

// A text in which several others have each changed one place.
export function mergeTexts(text, others) {
  const changes = others.map((other) => {
    const most = Math.min(text.length, other.length);
    let [start, end] = [0, 0];
    while (start < most && text[start] === other[start]) start += 1;
    while (end < most - start && text.at(-1 - end) === other.at(-1 - end)) end += 1;
    return [start, text.length - end, other.slice(start, other.length - end)];
  });
  changes.sort(([a], [b]) => b - a);
  return changes.reduce((found, [start, end, piece]) => found.slice(0, start) + piece + found.slice(end), text);
}

// Put a step in its place; returns the key of its text.
function exchange(matrices, { at, before, now, choices, switch: name }, wanted = now, convention) {
  const keyOf = (value) => (name !== "temperature" ? value : value === 1 ? "1" : "T");
  const entry = matrices[at];
  const key = keyOf(wanted);
  if (wanted === now || !(key in choices)) return keyOf(now);
  const { operation = SWITCHED_OFF, inputs = [before], ...about } = choices[key] ?? {};
  matrices[at] = { ...entry, ...about, operation: wholeMask(operation, entry.shape, convention), inputs: inputs.map((input) => (input.operation?.symbol === "T" ? { ...input, operation: { ...input.operation, value: wanted } } : input)) };
  return key;
}

// A causal mask is kept as a word, whatever its size.
const wholeMask = (operation, shape, convention) =>
  operation.allowed === "causal" ? { ...operation, allowed: causalMask(shape, convention === "columns" ? 1 : 0) } : operation;

// A block that is switched off hands on zeros: they are what comes out of it, and what others read.
function handedOn(block, parts, off) {
  const found = new Map(parts.map(({ before, at }) => (off.has(at) ? [at, before] : [before, at])));
  const isOwn = (at) => block.matrices.includes(at);
  const of = (at) => found.get(at) ?? at;
  const elsewhere = (entry) => entry && (isOwn(entry[0]) ? entry : [of(entry[0]), entry[1]]);
  const row = (one) => ({ ...one, left: elsewhere(one.left), main: elsewhere(one.main), right: one.right.map(elsewhere) });
  return { ...block, inputs: block.inputs.map((at) => (isOwn(at) ? at : of(at))), outputs: block.outputs.map(of), layout: block.layout.map((track) => track.map(row)) };
}

// The names that another block has for the zeros that it reads.
const seenOn = (block, zeros) => Object.fromEntries(zeros.filter(({ at }) => block.inputs.includes(at)).map(({ at, seen }) => [at, seen]));

// The text that names the matrix read: the last of these steps that is on.
function latestText(table, off) {
  const seen = Object.keys(table ?? {}).filter((at) => !off.has(Number(at))).at(-1);
  return seen === undefined ? null : table[seen];
}

const toldAs = (typeset, [, formula, right]) => ({ ...typeset, formula, spoken: [typeset.called.join(""), right].filter(Boolean).join(" = ") });

const retoldAs = (typeset, said) =>
  Object.fromEntries(Object.entries(typeset).map(([at, names]) => [at, said.has(Number(at)) ? toldAs(names, said.get(Number(at))) : names]));

// A step that is switched off has no place on the sheet.
function withoutOff(layout, off) {
  const isOn = (block) => block && !off.has(block[0]);
  const rows = (track) => track.filter(({ main }) => isOn(main)).map((row) => ({ ...row, right: row.right.filter(isOn) }));
  return layout.map(rows).filter((track) => track.length);
}

// The tokens of a given in another order, and their words wherever these are labels of what follows from it.
function reorder(matrices, name, order, convention) {
  const start = matrices.findIndex((entry) => entry.name === name);
  const given = matrices[start];
  const axis = convention === "columns" ? 1 : 0;
  const words = given[["rows", "columns"][axis]];
  const startOf = (labels) => (Array.isArray(words) && Array.isArray(labels) ? words.findIndex((_, start) => start + labels.length <= words.length && labels.every((word, k) => word === words[start + k])) : -1);
  // The words that stand there now, of all tokens or of some that follow one another.
  const moved = (labels) => {
    const start = startOf(labels);
    return start < 0 ? labels : labels.map((_, k) => words[order[start + k]]);
  };
  const touched = new Set([start]);
  matrices.forEach((entry, at) => {
    if (at !== start && !entry.inputs?.some((input) => touched.has(input))) return;
    touched.add(at);
    matrices[at] = { ...entry, rows: moved(entry.rows), columns: moved(entry.columns) };
  });
  matrices[start] = { ...matrices[start], moved: { from: given, axis, order } };
}

// The numbers of a given whose rows (axis 0) or columns have moved, or are fewer.
export function reorderNumbers(values, [rows, columns], { from: { shape: [, wide] }, axis, order }) {
  const from = (i, j) => (axis ? i * wide + order[j] : order[i] * wide + j);
  return Float64Array.from({ length: rows * columns }, (_, at) => values[from(Math.floor(at / columns), at % columns)]);
}
