// The arithmetic of a cell as tokens, the counterpart of handcalc/expressions.py: a part is bracketed where
// it binds more loosely than its place requires. A token is a text, a cell's number, or the beginning and
// the end of what stands higher up: RAISED, LOWERED.

import { abridged, isLong, largestOfMany } from "./abridging.js";
import { formatConstant, isExact, placesOf, show, showOf, typeset } from "./numbers.js";
import { arithmetic } from "./operations.js";

const [NEGATIVE, SUM, QUOTIENT, PRODUCT, POWER, ATOM] = [0, 1, 2, 3, 4, 5];

export const RAISED = { text: "" };
export const LOWERED = { text: "" };

const node = (binds, tokens, value) => ({ binds, tokens, value });

const within = (part, level) => (part.binds < level ? ["(", ...part.tokens, ")"] : part.tokens);

const infix = (binds, left, sign, right, value) => node(binds, [...left, sign, ...right], value);

const joined = (terms) => terms.flatMap((term, k) => (k ? [" + ", ...within(term, QUOTIENT)] : within(term, QUOTIENT)));

const BRACKETS = { floor: ["⌊", "⌋"], abs: ["|", "|"] };

// As a person reads it: the counterpart of `Html` in handcalc/markup.py.
const AS_HTML = {
  number: typeset,
  minus: "−",
  over: " ÷ ",
  power: (base, exponent) => [...base, RAISED, ...within(exponent, NEGATIVE), LOWERED],
};

// On one line that a program can read: the counterpart of `Text`.
const AS_TEXT = {
  number: (text) => text,
  minus: "-",
  over: " / ",
  power: (base, exponent) => [...base, "^", ...within(exponent, ATOM)],
};

// With `isBrief` only the largest terms of a long sum are written (abridging.js).
export function writing(places, { number, minus, over, power } = AS_HTML, isBrief = true) {
  const noted = (words, value) => `(${words}: ${number(show(value, places))})`;
  const inBrief = (all) => {
    const { terms, largest, together, others, rest } = abridged(all);
    return [...joined(terms), ` ${noted(largest, together)} + ${noted(others, rest)}`];
  };
  const m = {
    isAbridged: false, // whether anything was left out
    cell: (matrix, row, column, operand) => {
      const value = matrix.at(row, column);
      const token = { get text() { return number(showOf(matrix, value, places)); }, matrix, row, column, operand };
      return node(value < 0 ? NEGATIVE : ATOM, [token], value);
    },
    constant: (value, unit = "") => node(value < 0 ? NEGATIVE : ATOM, [number(formatConstant(value)) + unit], value),
    e: node(ATOM, ["e"], Math.E),
    pi: node(ATOM, ["π"], Math.PI),
    sum: (count, term) => {
      const first = term(0);
      if (count === 1) return first;
      const terms = first.terms ? [...first.terms] : [first];
      for (let k = 1; k < count; k += 1) terms.push(term(k));
      const value = arithmetic.sum(terms.length, (k) => terms[k].value);
      const isAbridged = isBrief && isLong(terms);
      m.isAbridged ||= isAbridged;
      return { ...node(SUM, isAbridged ? inBrief(terms) : joined(terms), value), terms };
    },
    mean: (count, term) => m.quotient(m.sum(count, term), m.constant(count)),
    difference: (a, b) => infix(SUM, within(a, SUM), ` ${minus} `, within(b, QUOTIENT), a.value - b.value),
    negative: (a) => node(NEGATIVE, [minus, ...within(a, ATOM)], -a.value),
    product: (a, b) => infix(PRODUCT, within(a, PRODUCT), "·", within(b, POWER), a.value * b.value),
    quotient: (a, b) => infix(QUOTIENT, within(a, PRODUCT), over, within(b, POWER), a.value / b.value),
    power: (base, exponent) => node(POWER, power(within(base, ATOM), exponent), arithmetic.power(base.value, exponent.value)),
    root: (a) => node(ATOM, ["√", ...within(a, ATOM)], Math.sqrt(a.value)),
    // Numbers that are only compared: the place is exact though they are written rounded.
    highest: (told, parts) => {
      const numbers = parts.map((part) => part.value);
      const value = arithmetic.highest(told, numbers);
      const alike = numbers.filter((other) => other === numbers[value - 1]).length;
      const remark = ` (highest: ${told(value - 1)}${alike > 1 ? `, the first of ${alike} equal ones` : ""})`;
      const { tokens } = m.call("argmax", ...parts);
      for (const token of tokens) if (token.matrix) token.isCompared = true;
      return node(ATOM, [...tokens, { text: remark, isWords: true }], value);
    },
    call: (name, ...parts) => {
      const [open, close] = BRACKETS[name] ?? [`${name.replace("°", "")}(`, ")"];
      const isAbridged = isBrief && isLong(parts);
      m.isAbridged ||= isAbridged;
      const [written, others] = isAbridged ? largestOfMany(parts) : [parts, null];
      const inside = written.flatMap((part, k) => (k ? [", ", ...part.tokens] : part.tokens));
      const value = name === "argmax" ? NaN : arithmetic.call(name, ...parts.map((part) => part.value));
      return node(ATOM, [open, ...inside, ...(others ? [`, ${others}`] : []), close], value);
    },
  };
  return m;
}

// With every term of every sum.
export const wholly = (places) => writing(places, AS_HTML, false);

export const plainly = (places) => writing(places, AS_TEXT);

// Before the result of a cell: = where it and its arithmetic are written in full, ≈ where anything is rounded.
export function equals([matrix, row, column], { tokens }, places) {
  const cells = tokens.filter((token) => token.matrix && !token.isCompared).map((token) => [token.matrix, token.row, token.column]);
  const isInFull = ([of, i, j]) => isExact(of.at(i, j), placesOf(of, of.at(i, j), places));
  return [[matrix, row, column], ...cells].every(isInFull) ? " = " : " ≈ ";
}

const wordsAsHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const textOf = (token) => (typeof token === "string" ? token : token.text);

export const plain = (expression) => expression.tokens.map(textOf).join("");

// HTML of text, <sub> and <sup>; a number or a sign of arithmetic needs no escaping, words do.
const asHtml = (token) => (token.isWords ? wordsAsHtml(token.text) : textOf(token));
export const html = (expression) =>
  expression.tokens.map((token) => (token === RAISED ? "<sup>" : token === LOWERED ? "</sup>" : asHtml(token))).join("");
