// A calculation that reads another text: entries of its spec that are as long as the text get its length and its words.
// Which these are, and what can be typed, comes from handcalc/views/what_if_switches.py; what_if/other_text.py is its twin.

const SIDES = ["rows", "columns"];
const list = (words) => [words.slice(0, -1).join(", "), ...words.slice(-1)].filter(Boolean).join(" and ");

// What is read now: all tokens, and the text without the signs that it begins with.
export function textOf({ matrices, what_ifs: { text } }) {
  const { operation: { axis, indices }, inputs: [table] } = matrices[text.at];
  const vocabulary = matrices[table][SIDES[axis]];
  const tokens = indices.map((k) => vocabulary[k]);
  return { ...text, axis, vocabulary, tokens, text: tokens.slice(text.signs).join(text.between) };
}

// What somebody typed as {tokens}, or as {trouble}, one sentence.
export function readText(spec, typed) {
  const { known, between, signs, least, most, tokens } = textOf(spec);
  const unit = between ? "word" : "letter";
  const words = between ? typed.split(/\s+/).filter(Boolean) : [...typed.replace(/\s/g, "")];
  const unknown = words.find((word) => !known.includes(word));
  const units = (count) => (count === 1 ? unit : `${unit}s`);
  if (!words.length) return { trouble: `The text is empty; the model knows the ${unit}s ${list(known)}.` };
  if (unknown !== undefined) return { trouble: `The model knows the ${unit}s ${list(known)}; it cannot read “${unknown}”.` };
  if (words.length + signs > most) return { trouble: `The model has room for ${most - signs} ${units(most - signs)}; this text has ${words.length}.` };
  if (words.length + signs < least) return { trouble: `The text must have ${least - signs} ${units(least - signs)} here; this one has ${words.length}.` };
  return { tokens: [...tokens.slice(0, signs), ...words], text: words.join(between) };
}

// The same spec with another text, which readText has found well.
export function withText(spec, typed) {
  const old = textOf(spec);
  const { tokens, text } = readText(spec, typed);
  const say = sayings(old, tokens);
  const matrices = spec.matrices.map((entry) => told(entry, say));
  const sides = [new Set(old.rows), new Set(old.columns)];
  for (const at of new Set([...old.rows, ...old.columns])) {
    matrices[at] = resized(matrices[at], sides.map((side) => side.has(at)), { ...old, now: tokens }, spec.matrices);
  }
  matrices[old.at] = { ...matrices[old.at], operation: { ...matrices[old.at].operation, indices: tokens.map((word) => old.vocabulary.indexOf(word)) } };
  const title = entitled(spec.title, old.text, text);
  const retold = ({ typeset, ...block }) => ({ ...block, typeset: Object.fromEntries(Object.entries(typeset).map(([at, names]) => [at, toldNames(names, say)])) });
  const blocks = spec.blocks.map(retold).map((block) => (block.path === "" ? { ...block, title } : block));
  return { ...spec, title, matrices, blocks, hasOtherLength: tokens.length !== old.tokens.length };
}

// Sentences that name places of the text: “columns 3, 1, 2 of W”, “columns 1 to 3 of W”.
function sayings({ axis, vocabulary, tokens: before }, tokens) {
  const unit = SIDES[axis].slice(0, -1);
  const looked = (words) => `${unit}${words.length === 1 ? "" : "s"} ${words.map((word) => vocabulary.indexOf(word) + 1).join(", ")} of `;
  const first = (count) => (count === 1 ? `${unit} 1` : `${unit}s 1 to ${count}`);
  const [was, now] = [before, tokens].map(({ length }) => first(length));
  const changes = [[looked(before), looked(tokens)], [`${was} of `, `${now} of `], [`Takes ${was},`, `Takes ${now},`]];
  const badges = [was, now].map((words) => words.replace(" to ", "–"));
  return (words) => (words === badges[0] ? badges[1] : changes.reduce((said, [a, b]) => said.replaceAll(a, b), words));
}

const toldNames = (names, say) => ({ ...names, formula: say(names.formula), spoken: say(names.spoken) });
const told = (entry, say) => ({ ...entry, formula: say(entry.formula), why: entry.why && say(entry.why), badge: entry.badge && say(entry.badge), typeset: toldNames(entry.typeset, say) });

function resized(entry, isOfText, { axis, tokens, now }, matrices) {
  const shape = entry.shape.map((count, side) => (isOfText[side] && count === tokens.length ? now.length : count));
  const found = { ...entry, shape };
  const isTaken = entry.operation?.name === "slice";
  SIDES.forEach((side, k) => {
    if (!isOfText[k] || !Array.isArray(entry[side])) return;
    found[side] = isTaken && k === axis ? matrices[entry.inputs[0]][side].slice(0, now.length) : now;
  });
  if (isTaken) found.operation = { ...entry.operation, stop: now.length };
  if (entry.operation?.allowed && now.length !== tokens.length) found.operation = { ...entry.operation, allowed: causalMask(shape, axis) };
  if (!entry.operation) found.moved = { from: entry, axis, order: now.map((_, k) => k) };
  return found;
}

// Query j may look at key i ≤ j; tokens along columns, or along rows.
export function causalMask([rows, columns], axis) {
  const isAllowed = (i, j) => (axis ? i <= j : j <= i);
  return Array.from({ length: rows }, (_, i) => Array.from({ length: columns }, (_, j) => isAllowed(i, j)));
}

function entitled(title, before, after) {
  const start = ` ${title} `.lastIndexOf(` ${before} `);
  if (start < 0) return before === after ? title : `${title}, what if: it reads ${after}`;
  return title.slice(0, start) + after + title.slice(start + before.length);
}
