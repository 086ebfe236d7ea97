// Tables that Python has, too, written by .ci/elementwise.py: change them there, then run `make scripts`.

// notation.numbers
export const EXPONENT_FROM = 10000000000.0;
export const INFINITY = "\u221e";
export const FLOAT_NOISE = 1e-12;
export const CANCELLATION_NOISE = 1e-14;
export const MAX_DECIMAL_PLACES = 20;
export const SMALLEST_PLAIN = 1e-30;
export const LARGEST_PLAIN = 1e+30;
export const SUBSCRIPTS = { __proto__: null, "0": "₀", "1": "₁", "2": "₂", "3": "₃", "4": "₄", "5": "₅", "6": "₆", "7": "₇", "8": "₈", "9": "₉" };
export const SUPERSCRIPTS = { __proto__: null, "0": "⁰", "1": "¹", "2": "²", "3": "³", "4": "⁴", "5": "⁵", "6": "⁶", "7": "⁷", "8": "⁸", "9": "⁹", "-": "⁻" };

// notation.truncation
export const MAX_TERMS = 16;
export const TERMS_SHOWN = 5;

// operations.pencil_powers
export const MOST_TERMS = 5;
export const MORE_PLACES = 4;
export const NUDGE = 1.000000000001;

// operations.functions
export const LARGEST_POWER = 20;

// practice.exercise.parse_number
export const MAX_TYPED_LENGTH = 80;
export const MAX_QUOTED_LENGTH = 40;
export const TROUBLES = { __proto__: null, "not a number": "“{}” is not a number; write one such as 2.5, -1 or 1/3.", "unclear comma": "The comma in “{}” is unclear; write decimals with a point, as in 1.73, and thousands without a separator.", "no value": "“{}” has no value; look for a division by 0 or the root of a negative number.", "too large": "“{}” is too large to calculate with.", "too long": "“{}” is too long; a number has at most 80 characters." };
export const SPACES = "\t-\r \u0085\u00a0\u2000-\u200b\u2028\u2029\u202f\u205f\u2060\u3000\ufeff";
export const SAME_SIGNS = { __proto__: null, "−": "-", "–": "-", "—": "-", "·": "*", "⋅": "*", "×": "*", "∗": "*", "÷": "/", "∕": "/", "⁄": "/", ":": "/", "⁺": "+", "⁻": "-", "⁰": "0", "¹": "1", "²": "2", "³": "3", "⁴": "4", "⁵": "5", "⁶": "6", "⁷": "7", "⁸": "8", "⁹": "9" };
export const TYPED_CONSTANTS = { __proto__: null, "e": 2.718281828459045, "∞": Infinity, "inf": Infinity, "infinity": Infinity };
export const PREFIX_STRENGTHS = { __proto__: null, "-": 3, "+": 3, "√": 5, "sqrt": 5, "exp": 5 };
export const INFIX_STRENGTHS = { __proto__: null, "+": 1, "-": 1, "*": 2, "/": 2, "^": 4 };
export const CLOSING = { __proto__: null, "(": ")", "⌊": "⌋" };
