// The arithmetic of a cell as tokens, the counterpart of handcalc/notation/expression.py: a part is bracketed where
// it binds more loosely than its place requires. A token is a text, a cell's number, or the beginning and
// the end of a raised part: RAISED, LOWERED.

import { truncateSum, addedAsDecimals, needsTruncation, truncateArguments } from "./truncation.js";
import { asWritten, formatConstant, isTiny, operand, showOf, typeset } from "./numbers.js";
import { arithmetic } from "./operations.js";
import { comparing } from "./comparing.js";

const [NEGATIVE, SUM, QUOTIENT, PRODUCT, POWER, ATOM] = [0, 1, 2, 3, 4, 5];

export const RAISED = { text: "" };
export const LOWERED = { text: "" };

// `value` is what it comes to; `printed` what a calculator gets from the operands as they are written, first from
// them alone, then from the notes in long sums as well.
const node = (binds, tokens, value, printed = [value, value]) => ({ binds, tokens, value, printed });

const operation = (binds, tokens, compute, ...parts) => ({
  ...node(binds, tokens, compute(...parts.map((part) => part.value)), [0, 1].map((k) => compute(...parts.map((part) => part.printed[k])))),
  isOperation: true,
});

const within = (part, level) => (part.binds < level ? ["(", ...part.tokens, ")"] : part.tokens);

const joined = (terms) => terms.flatMap((term, k) => (k ? [" + ", ...within(term, QUOTIENT)] : within(term, QUOTIENT)));

const addAll = (...numbers) => arithmetic.sum(numbers.length, (k) => numbers[k]);

const BRACKETS = { floor: ["⌊", "⌋"], abs: ["|", "|"] };

// As a person reads it, the counterpart of `Html` in handcalc/notation/markup.py. Operands are written with `places`.
// With `isBrief` only the largest terms of a long sum are (truncation.js).
export function writing(places, isBrief = true) {
  const written = (value) => typeset(operand(value, places));
  const noted = (words, value) => `(${words}: ${written(value)})`;
  const inBrief = (all) => {
    const { terms, largest, others, rest } = truncateSum(all);
    const together = addedAsDecimals(terms.map((term) => term.printed[0]));
    const tokens = [...joined(terms), ` ${noted(largest, together)} + ${noted(others, rest)}`];
    return { tokens, printed: [together, asWritten(together, places)].map((sum) => sum + asWritten(rest, places)) };
  };
  const m = {
    isTruncated: false, // whether anything was left out
    result: typeset,
    cell: (matrix, row, column, operand) => {
      const value = matrix.at(row, column);
      const token = { get text() { return written(value); }, matrix, row, column, operand };
      const typed = asWritten(value, places);
      return node(value < 0 ? NEGATIVE : isTiny(value, places) ? PRODUCT : ATOM, [token], value, [typed, typed]);
    },
    constant: (value, unit = "") => node(value < 0 ? NEGATIVE : ATOM, [typeset(formatConstant(value)) + unit], value),
    e: node(ATOM, ["e"], Math.E),
    pi: node(ATOM, ["π"], Math.PI),
    sum: (count, term) => {
      const first = term(0);
      if (count === 1) return first;
      const terms = first.terms ? [...first.terms] : [first];
      for (let k = 1; k < count; k += 1) terms.push(term(k));
      const isTruncated = isBrief && needsTruncation(terms);
      m.isTruncated ||= isTruncated;
      const whole = operation(SUM, isTruncated ? null : joined(terms), addAll, ...terms);
      return { ...whole, ...(isTruncated ? inBrief(terms) : {}), terms };
    },
    mean: (count, term) => m.quotient(m.sum(count, term), m.constant(count)),
    difference: (a, b) => operation(SUM, [...within(a, SUM), " − ", ...within(b, QUOTIENT)], arithmetic.difference, a, b),
    negative: (a) => operation(NEGATIVE, ["−", ...within(a, ATOM)], arithmetic.negative, a),
    product: (a, b) => operation(PRODUCT, [...within(a, PRODUCT), "·", ...within(b, POWER)], arithmetic.product, a, b),
    quotient: (a, b) => operation(QUOTIENT, [...within(a, PRODUCT), " ÷ ", ...within(b, POWER)], arithmetic.quotient, a, b),
    power: (base, exponent) => {
      const tokens = [...within(base, ATOM), RAISED, ...within(exponent, NEGATIVE), LOWERED];
      return operation(POWER, tokens, arithmetic.power, base, exponent);
    },
    root: (a) => operation(ATOM, ["√", ...within(a, ATOM)], arithmetic.root, a),
    highest: (told, parts) => {
      const numbers = parts.map((part) => part.value);
      const value = arithmetic.highest(told, numbers);
      const alike = numbers.filter((other) => other === numbers[value - 1]).length;
      const remark = ` (highest: ${told(value - 1)}${alike > 1 ? `, the first of ${alike} equal ones` : ""})`;
      const { tokens } = m.call("argmax", ...parts);
      const highest = (...all) => arithmetic.highest(told, all);
      return operation(ATOM, [...tokens, { text: remark, isWords: true }], highest, ...parts);
    },
    compared: (name, told, parts, other) => {
      const remark = ` (${comparing[name].remark(told, parts.map((part) => part.value), other.value)})`;
      const tokens = [...m.call(name, ...parts).tokens.slice(0, -1), ", ", ...other.tokens, ")", { text: remark, isWords: true }];
      return operation(ATOM, tokens, (...all) => comparing[name].find(all.slice(0, -1), all.at(-1)), ...parts, other);
    },
    call: (name, ...parts) => {
      const [open, close] = BRACKETS[name] ?? [`${name.replace("°", "")}(`, ")"];
      const isTruncated = isBrief && needsTruncation(parts);
      m.isTruncated ||= isTruncated;
      const [shown, others] = isTruncated ? truncateArguments(parts) : [parts, null];
      const inside = shown.flatMap((part, k) => (k ? [", ", ...part.tokens] : part.tokens));
      const compute = (...all) => (name === "argmax" || comparing[name] ? NaN : arithmetic.call(name, ...all));
      return operation(ATOM, [open, ...inside, ...(others ? [`, ${others}`] : []), close], compute, ...parts);
    },
  };
  return m;
}

// With every term of every sum.
export const wholly = (places) => writing(places, false);

// With the name of each number in its place.
export const inLetters = (places, nameOf) => ({ ...writing(places), cell: (...cell) => node(ATOM, [{ text: nameOf(...cell) }], NaN) });

// The sign before a cell's result: = where a calculator gets it from the arithmetic as written, else ≈.
export const equals = ({ isTrue }) => (isTrue ? " = " : " ≈ ");

const wordsAsHtml = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");

const textOf = (token) => (typeof token === "string" ? token : token.text);

// HTML of text, <sub> and <sup>; a number or a sign of arithmetic needs no escaping, words do.
const asHtml = (token) => (token.isWords ? wordsAsHtml(token.text) : textOf(token));
export const html = (expression) =>
  expression.tokens.map((token) => (token === RAISED ? "<sup>" : token === LOWERED ? "</sup>" : asHtml(token))).join("");

// The line of a number, `Z[2,1] = 10·0.03 + 10·0.26 = 2.83`, as HTML.
export function lineOf([matrix, row, column], places, name = matrix.cellHtml(row, column)) {
  const expression = matrix.explain(row, column, places);
  const [arithmetic, result] = [html(expression), typeset(showOf(matrix, matrix.at(row, column), places))];
  return [name, ...(arithmetic === result ? [] : [arithmetic])].join(" = ") + equals(expression) + result;
}
