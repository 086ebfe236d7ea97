// The picture of the title slide: a sentence and how much of each word goes into one of them, where the record
// has words and their shares; else the inputs, their way, and the result.

import { svgTag, meaningNodes, nameTag, tag } from "../page/dom.js";
import { downOf, isShares, listsOf } from "../record/shares.js";
import { stepsInLine, shortenLine } from "./slide_flow.js";

const [MAX_WORDS, MAX_LETTERS] = [16, 72]; // in one line
const [LETTER_WIDE, WORD_GAP, WORD_TYPE] = [11.4, 18, 20]; // of a word, in the picture's own lengths
const [BETWEEN_NAMES, ARROW_LETTERS, MEANINGS] = [1.3, 3.2, 6]; // letters that these take
const [ARC_SHALLOW, ARC_DEEP, ARC_THICK] = [26, 118, 13]; // arcs

// A sentence in the record, as {words, from, shares}: how much of each word goes into the one that the title
// names, or else into the one that takes most from another; null if there is none.
export function sentenceIn(calculation) {
  const down = downOf(calculation);
  const matrix = calculation.matrices.find((one) => one.isVisible && isOfWords(one.entry) && isShares(one, down));
  if (!matrix) return null;
  const words = matrix.entry.rows;
  const { at } = listsOf(matrix, down);
  const all = words.map((_, from) => words.map((_, to) => matrix.values[at(from, to)]));
  const most = all.map((shares, from) => Math.max(...shares.filter((_, to) => to !== from)));
  const named = words.findIndex((word) => calculation.spec.title.includes(`“${word}”`));
  const from = named < 0 ? most.indexOf(Math.max(...most)) : named;
  return { words, from, shares: all[from] };
}

// Whether its rows and columns are the same words, few enough for a line.
function isOfWords({ rows, columns }) {
  if (!Array.isArray(rows) || !Array.isArray(columns) || rows.length < 2) return false;
  return rows.length <= MAX_WORDS && rows.join("").length <= MAX_LETTERS && rows.join("\n") === columns.join("\n");
}

// The places of the words, and the paths of the arcs: {width, height, centres, arcs: [{d, width, share}]}.
export function arcsOf({ words, from, shares }) {
  const wide = words.map((word) => LETTER_WIDE * [...word].length + WORD_GAP);
  const ends = wide.map((_, k) => wide.slice(0, k + 1).reduce((a, b) => a + b, 0));
  const centres = ends.map((end, k) => end - wide[k] / 2);
  const far = Math.max(...centres.map((x) => Math.abs(x - centres[from])));
  const arcs = centres.map((x, to) => {
    const deep = ARC_SHALLOW + (ARC_DEEP - ARC_SHALLOW) * (Math.abs(x - centres[from]) / far);
    return { d: `M${centres[from]} 0C${centres[from]} ${deep} ${x} ${deep} ${x} 0`, width: 0.8 + ARC_THICK * shares[to], share: shares[to] };
  });
  return { width: ends.at(-1), height: 0.78 * ARC_DEEP + 14, centres, arcs: arcs.filter((_, to) => to !== from) };
}

export function titlePicture({ calculation, convention, level }) {
  const sentence = sentenceIn(calculation);
  return sentence ? drawnSentence(sentence) : inAndOut(calculation, level, convention === "rows");
}

function drawnSentence(sentence) {
  const { words, from } = sentence;
  const { width, height, centres, arcs } = arcsOf(sentence);
  const lines = arcs.map(({ d, width: thick, share }) => svgTag("path", { d, "stroke-width": thick, opacity: 0.35 + 0.65 * share }));
  const spoken = words.map((word, k) => svgTag("text", { x: centres[k], y: -12, class: k === from ? "hc-word-now" : "hc-word" }, word));
  const frame = svgTag("rect", { x: centres[from] - (LETTER_WIDE * [...words[from]].length) / 2 - 7, y: -12 - WORD_TYPE, width: LETTER_WIDE * [...words[from]].length + 14, height: WORD_TYPE + 12, rx: 6 });
  const picture = svgTag("svg", { viewBox: `0 ${-WORD_TYPE - 20} ${width} ${height + WORD_TYPE + 20}`, class: "hc-sentence", role: "img", "aria-label": words.join(" ") }, ...lines, frame, ...spoken);
  return tag("figure", { class: "hc-title" }, picture, tag("figcaption", {}, `How much of each word goes into “${words[from]}”?`));
}

// X → Q K V → … → Z under the names of their stages, with what X and Z are and how large.
function inAndOut(calculation, level, isRows) {
  const groups = stepsInLine(level, isRows);
  const places = shortenLine(groups, groups.length - 1);
  const items = places.map((group, k) => {
    const isEnd = group === groups[0] || group === groups.at(-1);
    return tag("li", {}, tag("small", {}, stageBegun(group, places[k - 1])), tag("span", {}, ...(group ? group.map(nameTag) : ["…"])),
      ...(group && isEnd ? [tag("small", {}, ...whatIs(group))] : []));
  });
  const way = tag("ol", { class: "hc-ways", "aria-label": "From input to output" }, ...items);
  way.style.setProperty("--hc-letters", lettersIn(places));
  return tag("div", { class: "hc-title" }, way);
}

// The stage that begins with these steps, if one does.
function stageBegun(group, before) {
  const stage = group?.[0].entry.stage ?? "";
  return stage === before?.at(-1).entry.stage ? "" : stage;
}

function whatIs([matrix]) {
  const { isGiven, entry: { shape } } = matrix;
  return [meaningNodes(matrix) ?? (isGiven ? "given" : ""), tag("br"), shape.join(" × ")];
}

// About how long the line is, in letters: it is written so that it fits the window.
function lettersIn(groups) {
  const name = ({ typeset }) => typeset.name.replace(/<[^>]*>|&\w+;/g, "").length + BETWEEN_NAMES;
  return groups.reduce((all, group) => all + ARROW_LETTERS + (group ?? []).reduce((sum, matrix) => sum + name(matrix), 0), MEANINGS);
}
