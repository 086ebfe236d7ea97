// The verdict on a guess, and the explanation of a wrong one.

import { parseNumber, readAs } from "../record/parse_number.js";
import { MAX_TYPED_LENGTH } from "../record/tables.js";
import { judgeNumber } from "../steps/score.js";

const CHOOSE = { choice: "Choose one first.", order: "Put them in order first.", number: "Type a number first.", words: "Write a few words first." };
const LONGEST_WORDS = 400; // characters of an answer in words
const FEW = 2; // options, of which a second try would leave only the right one

export const longest = (kind) => (kind === "number" ? MAX_TYPED_LENGTH + 1 : LONGEST_WORDS);

// The verdict on a guess: { kind, trouble }. Words are not judged.
export function judgeGuess({ kind, answer, options, places }, text) {
  if (!text.trim()) return { kind: null, trouble: CHOOSE[kind] };
  if (kind === "words") return { kind: "own", trouble: "" };
  if (kind === "order") return { kind: text === answer.map((place) => options[place - 1][0]).join(", ") ? "right" : "wrong", trouble: "" };
  if (kind === "choice") return { kind: text === options[answer - 1][0] ? "right" : "wrong", trouble: "" };
  const { value, trouble } = parseNumber(text);
  if (Number.isNaN(value)) return { kind: null, trouble: trouble || CHOOSE.number };
  return { kind: judgeNumber(text, value, answer, Math.abs(answer), places), trouble: "" };
}

// Whether a first wrong answer leaves something to find out.
export const mayTryAgain = ({ kind, options }) => ["number", "order"].includes(kind) || (kind === "choice" && options.length > FEW);

// The guess as text beside the verdict, with the number as it was read, where it was written otherwise.
export function wordsOfGuess({ kind, places }, text) {
  const read = kind === "number" ? readAs(text, parseNumber(text).value, places) : "";
  return [text, read].filter(Boolean).join(" ");
}

// The meaning of a wrong answer, as HTML: `slips` has the answer and the text.
export function slipOf({ kind, slips, places }, text) {
  const isSame = (other) => kind === "number" && Math.abs(Number(other) - parseNumber(text).value) <= 0.5001 * 10 ** -places;
  return slips.find(([other]) => other === text || isSame(other))?.[1] ?? "";
}
