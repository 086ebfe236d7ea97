// One rule for every number that a learner types: handcalc/practice/exercise/parse_number.py describes it, and
// tests/golden/typed_numbers.json tests both.

import { show, typeset } from "./numbers.js";
import { CLOSING, INFIX_STRENGTHS, MAX_QUOTED_LENGTH, MAX_TYPED_LENGTH, PREFIX_STRENGTHS } from "./tables.js";
import { SAME_SIGNS, SPACES, TROUBLES, TYPED_CONSTANTS } from "./tables.js";

const AROUND = new RegExp(`^[${SPACES}]+|[${SPACES}]+$`, "g");
const TOKEN = new RegExp(`[${SPACES}]*([0-9.,]*[0-9][0-9.,]*(?:[eE][-+]?[0-9]+)?|[A-Za-z]+|[^${SPACES}])`, "gu");
const PLAIN_NUMBER = /^(?:[0-9]+[.,]?[0-9]+|[0-9]+\.?|[.,][0-9]+)(?:[eE][-+]?[0-9]+)?$/;
const THOUSANDS = /^[1-9][0-9]{0,2},[0-9]{3}(?:[eE].*)?$/;
const MIXED_FRACTION = /([0-9]*)([¼-¾⅐-⅞])/g; // 2½

class NoNumber extends Error {}

// { value, trouble }: a number (NaN where nothing was attempted), or a sentence about why there is none.
export function parseNumber(text) {
  const plain = text.replace(AROUND, "");
  if (/^_*$/.test(plain)) return { value: NaN, trouble: "" };
  try {
    return { value: readNumberText(plain), trouble: "" };
  } catch (error) {
    if (!(error instanceof NoNumber)) throw error;
    const characters = [...plain];
    const quoted = characters.length <= MAX_QUOTED_LENGTH ? plain : characters.slice(0, MAX_QUOTED_LENGTH - 1).join("") + "…";
    return { value: NaN, trouble: TROUBLES[error.message].split("{}").join(quoted) };
  }
}

// The number that a text was read as, where that may surprise: "= 1.73" for 1,73, "≈ 0.33" for 1/3; "" for −2.5.
export function readAs(text, value, places) {
  if (!Number.isFinite(value) || /^[-−+]?(?:\d+\.?\d*|\.\d+)$/.test(text.trim())) return "";
  const shown = show(value, places);
  return `${Number(shown) === value ? "=" : "≈"} ${typeset(shown)}`;
}

function readNumberText(plain) {
  if ([...plain].length > MAX_TYPED_LENGTH) throw new NoNumber("too long");
  const raised = plain.replace(/[⁺⁻]?[⁰¹²³⁴⁵⁶⁷⁸⁹]+/g, (found) => `^(${found})`).replaceAll("**", "^");
  const mixed = raised.replace(MIXED_FRACTION, (_, whole, sign) => `(${whole || 0}+${sign.normalize("NFKC")})`);
  const narrow = mixed.replace(/[！-～]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) - 0xfee0));
  const same = narrow.replace(/./gsu, (sign) => SAME_SIGNS[sign] ?? sign);
  const tokens = [...same.matchAll(TOKEN)].map((match) => match[1]).reverse(); // the next one is the last
  const value = readExpression(tokens, 0);
  if (tokens.length) throw new NoNumber("not a number");
  return value + 0; // -0 is written 0
}

// Read the next part, as far as its signs bind at least this tightly.
function readExpression(tokens, least) {
  let value = readOperand(tokens);
  while ((INFIX_STRENGTHS[tokens.at(-1)] ?? -1) >= least) {
    const sign = tokens.pop();
    const right = readExpression(tokens, INFIX_STRENGTHS[sign] + (sign === "^" ? 0 : 1));
    value = checkedFinite(applyInfix(sign, value, right), value, right);
  }
  return value;
}

function readOperand(tokens) {
  const token = (tokens.pop() ?? "").toLowerCase();
  if (token in PREFIX_STRENGTHS) {
    if (/^[-+]$/.test(token) && /^[-+]$/.test(tokens.at(-1))) throw new NoNumber("not a number"); // --3 is a slip; 2--3 is not
    const inside = readExpression(tokens, PREFIX_STRENGTHS[token]);
    return checkedFinite(applyPrefix(token, inside), inside);
  }
  if (token in CLOSING) {
    const inside = readExpression(tokens, 0);
    if (tokens.pop() !== CLOSING[token]) throw new NoNumber("not a number");
    return token === "(" ? inside : Math.floor(inside);
  }
  return TYPED_CONSTANTS[token] ?? readLiteral(token);
}

function readLiteral(token) {
  const isUnclear = THOUSANDS.test(token) || (token.includes(",") && !PLAIN_NUMBER.test(token));
  if (isUnclear) throw new NoNumber(/[0-9]/.test(token) ? "unclear comma" : "not a number");
  if (!PLAIN_NUMBER.test(token)) throw new NoNumber("not a number");
  return checkedFinite(Number(token.replace(",", ".")));
}

function applyPrefix(sign, inside) {
  if (sign === "exp") return Math.exp(inside);
  return sign === "-" ? -inside : sign === "+" ? inside : Math.sqrt(inside);
}

function applyInfix(sign, left, right) {
  if (sign === "^") return left === 0 && right < 0 ? NaN : left ** right; // 1 ** Infinity is NaN already
  if (sign === "/") return right === 0 ? NaN : left / right;
  return sign === "+" ? left + right : sign === "-" ? left - right : left * right;
}

// Finite numbers must give a finite value; anything else gets a sentence.
function checkedFinite(value, ...operands) {
  if (Number.isNaN(value)) throw new NoNumber("no value");
  if (!Number.isFinite(value) && operands.every(Number.isFinite)) throw new NoNumber("too large");
  return value;
}
