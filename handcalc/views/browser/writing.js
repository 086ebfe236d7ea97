// The arithmetic of a cell as tokens: text, or a cell's number. The counterpart of handcalc/expressions.py:
// a part is bracketed where it binds more loosely than its place requires.

import { formatConstant, show } from "./numbers.js";

const [NEGATIVE, SUM, QUOTIENT, PRODUCT, POWER, ATOM] = [0, 1, 2, 3, 4, 5];

const node = (binds, tokens) => ({ binds, tokens });

const within = (part, level) => (part.binds < level ? ["(", ...part.tokens, ")"] : part.tokens);

const infix = (binds, left, sign, right) => node(binds, [...left, sign, ...right]);

const BRACKETS = { floor: ["⌊", "⌋"] };

export function writing(places) {
  return {
    cell: (matrix, row, column, operand) => {
      const value = matrix.at(row, column);
      const token = { text: show(value, places), matrix, row, column, operand };
      return node(value < 0 ? NEGATIVE : ATOM, [token]);
    },
    constant: (value) => node(value < 0 ? NEGATIVE : ATOM, [formatConstant(value)]),
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
    difference: (a, b) => infix(SUM, within(a, SUM), " - ", within(b, QUOTIENT)),
    negative: (a) => node(NEGATIVE, ["-", ...within(a, ATOM)]),
    product: (a, b) => infix(PRODUCT, within(a, PRODUCT), "·", within(b, POWER)),
    quotient: (a, b) => infix(QUOTIENT, within(a, PRODUCT), " / ", within(b, POWER)),
    power: (base, exponent) => infix(POWER, within(base, ATOM), "^", within(exponent, ATOM)),
    root: (a) => node(ATOM, ["√", ...within(a, ATOM)]),
    call: (name, ...parts) => {
      const [open, close] = BRACKETS[name] ?? [`${name}(`, ")"];
      const inside = parts.flatMap((part, k) => (k ? [", ", ...part.tokens] : part.tokens));
      return node(ATOM, [open, ...inside, close]);
    },
  };
}

export const plain = (expression) =>
  expression.tokens.map((token) => (typeof token === "string" ? token : token.text)).join("");
