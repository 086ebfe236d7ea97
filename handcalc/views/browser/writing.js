// The arithmetic of a cell as tokens, the counterpart of handcalc/expressions.py: a part is bracketed where
// it binds more loosely than its place requires. A token is a text, a cell's number, or the beginning and
// the end of what stands higher up: RAISED, LOWERED.

import { formatConstant, show, typeset } from "./numbers.js";

const [NEGATIVE, SUM, QUOTIENT, PRODUCT, POWER, ATOM] = [0, 1, 2, 3, 4, 5];

export const RAISED = { text: "" };
export const LOWERED = { text: "" };

const node = (binds, tokens) => ({ binds, tokens });

const within = (part, level) => (part.binds < level ? ["(", ...part.tokens, ")"] : part.tokens);

const infix = (binds, left, sign, right) => node(binds, [...left, sign, ...right]);

const BRACKETS = { floor: ["⌊", "⌋"] };

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

export function writing(places, { number, minus, over, power } = AS_HTML) {
  return {
    cell: (matrix, row, column, operand) => {
      const value = matrix.at(row, column);
      const token = { text: number(show(value, places)), matrix, row, column, operand };
      return node(value < 0 ? NEGATIVE : ATOM, [token]);
    },
    constant: (value) => node(value < 0 ? NEGATIVE : ATOM, [number(formatConstant(value))]),
    e: node(ATOM, ["e"]),
    sum: (count, term) => {
      const first = term(0);
      if (count === 1) return first;
      const tokens = first.isSum ? [...first.tokens] : [...within(first, QUOTIENT)];
      for (let k = 1; k < count; k += 1) tokens.push(" + ", ...within(term(k), QUOTIENT));
      return { ...node(SUM, tokens), isSum: true };
    },
    mean(count, term) {
      return this.quotient(this.sum(count, term), this.constant(count));
    },
    difference: (a, b) => infix(SUM, within(a, SUM), ` ${minus} `, within(b, QUOTIENT)),
    negative: (a) => node(NEGATIVE, [minus, ...within(a, ATOM)]),
    product: (a, b) => infix(PRODUCT, within(a, PRODUCT), "·", within(b, POWER)),
    quotient: (a, b) => infix(QUOTIENT, within(a, PRODUCT), over, within(b, POWER)),
    power: (base, exponent) => node(POWER, power(within(base, ATOM), exponent)),
    root: (a) => node(ATOM, ["√", ...within(a, ATOM)]),
    call: (name, ...parts) => {
      const [open, close] = BRACKETS[name] ?? [`${name}(`, ")"];
      const inside = parts.flatMap((part, k) => (k ? [", ", ...part.tokens] : part.tokens));
      return node(ATOM, [open, ...inside, close]);
    },
  };
}

export const plainly = (places) => writing(places, AS_TEXT);

const textOf = (token) => (typeof token === "string" ? token : token.text);

export const plain = (expression) => expression.tokens.map(textOf).join("");

// HTML of text, <sub> and <sup>; a number or a sign of arithmetic needs no escaping.
export const html = (expression) =>
  expression.tokens.map((token) => (token === RAISED ? "<sup>" : token === LOWERED ? "</sup>" : textOf(token))).join("");
