// About the chosen number: its formula and reason, its arithmetic, what it reads and feeds.

import { addressOf } from "../record/cell_address.js";
import { byHand, inPieces } from "../record/pencil_powers.js";
import { counted, showOf, typeset } from "../record/numbers.js";
import { wayElsewhere, wayTo } from "../sheet/ports.js";
import { tellSlip } from "../record/slips.js";
import { verdictTags } from "../steps/score.js";
import { LOWERED, RAISED, equals, wholly, writing } from "../record/expression.js";
import { KEEPS_KEYS, button, cellNodes, equationNodes, meaningNodes, tag, typesetNodes } from "../page/dom.js";
import { explain } from "../page/glossary.js";

const TROUBLE = "A division by zero, or a number too large to write: choose another value for the given.";

export class Explanation {
  constructor(explorer) {
    this.explorer = explorer;
    this.why = tag("p", { class: "hc-why" });
    this.reason = tag("p", { class: "hc-reason" });
    this.name = tag("b", { class: "hc-result" });
    this.rest = tag("span");
    this.line = tag("p", { class: "hc-arithmetic", "data-arithmetic": "" }, this.name, this.rest);
    this.slip = tag("p", { class: "hc-slip-told", hidden: "" });
    this.hidden = tag("p", { class: "hc-still-hidden", hidden: "" }, "Its step is still hidden. ",
      button("Show it", () => explorer.stepper.goTo(explorer.chosen[0])), button("Show every step", () => explorer.stepper.go(Infinity)));
    this.hand = tag("p", { class: "hc-hand", hidden: "" });
    this.links = tag("p", { class: "hc-links" });
    this.element = tag("div", { class: "hc-messages" }, this.line, this.hidden, this.slip, this.why, this.reason, this.hand, this.links);
    this.makeEverything();
  }

  // Every term of a long sum, shown on request.
  makeEverything() {
    this.termsName = tag("span");
    this.terms = tag("span");
    const line = tag("p", { class: "hc-terms" }, this.termsName, this.terms);
    this.everything = tag("details", { class: "hc-everything", hidden: "" }, tag("summary", KEEPS_KEYS, "Every term"), line);
    this.everything.addEventListener("toggle", () => this.showTerms());
  }

  // Another number is chosen, or the same one in another form.
  refresh() {
    const { chosen, stepper } = this.explorer;
    const [matrix] = chosen;
    const words = [matrix.isGiven && !matrix.entry.from_outside ? "given" : null, meaningNodes(matrix)].filter(Boolean);
    const formula = matrix.isGiven ? [] : [" · ", equationNodes(matrix)];
    this.why.replaceChildren(tag("strong", {}, cellNodes(chosen)), ...formula, ...words.flatMap((word) => [" · ", word]));
    this.reason.replaceChildren(...verdictTags(stepper.verdictOn(chosen), stepper.goOn), explain(tag("span", {}, matrix.isGiven ? "" : matrix.entry.why ?? "")));
    this.name.replaceChildren(cellNodes(chosen));
    this.roleOf = this.explorer.highlight.roleOf();
    this.ways = this.waysParts();
    this.follow();
  }

  // The chosen number or its operands have changed: patch their text in place.
  follow() {
    this.said = this.pieces();
    patch(this.rest, this.said);
    this.explorer.voice.compare();
    this.everything.hidden = !this.isTruncated;
    if (this.everything.open) this.showTerms();
    const { chosen, openSheets, stepper } = this.explorer;
    this.hidden.hidden = !openSheets.concealed.has(chosen[0]) || stepper.asked !== null;
    this.showByHand();
    this.showSlip();
    const links = this.linkParts();
    const written = JSON.stringify(links);
    if (written === this.written) return;
    this.written = written;
    this.links.replaceChildren(...links.map(linkNode));
  }

  // The way to work it out by hand, where the arithmetic does not say it; not while the number is asked for.
  showByHand() {
    const { chosen, openSheets, places, stepper } = this.explorer;
    const isAsked = openSheets.concealed.has(chosen[0]) || stepper.first;
    const text = isAsked ? "" : byHand(...chosen, places, this.ofOperands);
    if (text === this.byHand) return;
    this.byHand = text;
    this.hand.hidden = !text;
    const parts = inPieces(text).map((part) => (part.raised ? tag("sup", {}, part.raised) : part.text));
    this.hand.replaceChildren(...(text ? ["By hand: ", ...parts] : []));
  }

  // The mistake of a published sheet in this number; hidden while the number is asked for.
  showSlip() {
    const { calculation, chosen, openSheets, places, stepper } = this.explorer;
    const isAsked = openSheets.concealed.has(chosen[0]) || stepper.first;
    const slip = isAsked ? null : calculation.slipAt(...chosen);
    this.slip.hidden = !slip;
    this.slip.textContent = slip ? tellSlip(slip, ...chosen, places, calculation.givens.some((given) => given.hasMoved)) : "";
  }

  showTerms() {
    const isShown = this.everything.open && this.isTruncated;
    this.termsName.replaceChildren(isShown ? cellNodes(this.explorer.chosen) : "");
    patch(this.terms, isShown ? this.pieces(wholly) : []);
  }

  // The pieces after the name: {text, class, title} of a number, {text} of a sign, {inside} of an exponent.
  pieces(how = writing) {
    const { chosen, openSheets, places, stepper } = this.explorer;
    const [matrix, row, column] = chosen;
    const isWhole = how !== writing;
    if (!isWhole) [this.isTruncated, this.ofOperands] = [false, places];
    const isAskedAgain = stepper.first && stepper.asked.every((part, k) => part === chosen[k]);
    if (openSheets.concealed.has(matrix) && !isAskedAgain) return [{ text: " = ?" }];
    const result = typeset(showOf(matrix, matrix.at(row, column), places));
    const expression = matrix.explain(row, column, places, how);
    const ends = isAskedAgain ? [{ text: " = ?" }] : [{ text: equals(expression) }, { text: result, kind: "hc-result" }];
    if (matrix.isGiven) return ends;
    if (!isWhole) ({ isTruncated: this.isTruncated, ofOperands: this.ofOperands } = expression);
    const arithmetic = this.nested(expression.tokens);
    const isRepeated = arithmetic.map(({ text }) => text).join("") === result;
    return isRepeated ? ends : [{ text: " = " }, ...arithmetic, ...ends];
  }

  nested(tokens) {
    const open = [[]];
    for (const token of tokens) {
      if (token === RAISED) open.push([]);
      else if (token === LOWERED) open.at(-2).push({ inside: open.pop() });
      else if (typeof token === "string") open.at(-1).push({ text: token });
      else if (!token.matrix) open.at(-1).push({ text: token.text });
      else open.at(-1).push(number(token, this.roleOf));
    }
    return open[0];
  }

  // The cells that the chosen number reads and feeds, {html, to}; those on no open sheet are links there.
  linkParts() {
    const { calculation, chosen, comparison, openSheets } = this.explorer;
    if (!calculation.isSound()) return [{ html: TROUBLE }];
    const change = openSheets.concealed.has(chosen[0]) ? "" : comparison.describe(...chosen);
    return [...this.ways, { html: change && `  |  ${change}` }];
  }

  // The numbers that the chosen one reads and feeds: these stay the same while givens move.
  waysParts() {
    const { calculation, chosen, openSheets } = this.explorer;
    const { from: outside = null, into = [] } = this.explorer.ways(chosen);
    const part = ({ html, cell }, k) => [...(k ? [{ html: ", " }] : []), { html, to: openSheets.shows(cell[0]) ? null : addressOf(cell) }];
    const all = (word, cells) => [{ html: `${word} ` }, ...condenseAddresses(cells).flatMap(part)];
    const [sources, readers] = [chosen[0].sources(chosen[1], chosen[2]), calculation.feeds(...chosen)];
    const from = sources.length ? all("reads", sources) : (outside ?? [{ html: chosen[0].isGiven ? "a given" : "reads nothing" }]);
    const inside = readers.length ? all("feeds", readers) : [];
    const to = [...inside, ...(inside.length && into.length ? [{ html: "  |  " }] : []), ...into];
    return [...from, { html: "  |  " }, ...(to.length ? to : [{ html: "feeds no other number" }])];
  }
}

// Text, or a link to a number of this calculation, or of one that it is a block of.
function linkNode({ html, to, elsewhere, block }) {
  const words = typesetNodes(html);
  return elsewhere ? wayElsewhere(elsewhere, block, words) : to ? wayTo(to, words) : words;
}

const number = ({ text, matrix, row, column }, roleOf) =>
  ({ text, kind: roleOf([matrix, row, column]) ?? "hc-read", title: matrix.cellName(row, column) });

// Write pieces of text, reusing the node at each place if it is of the same kind.
export function patch(line, pieces) {
  pieces.forEach((piece, k) => {
    const node = line.childNodes[k];
    if (node && isOf(node, piece)) rewrite(node, piece);
    else if (node) node.replaceWith(nodeOf(piece));
    else line.append(nodeOf(piece));
  });
  while (line.childNodes.length > pieces.length) line.lastChild.remove();
}

const tagOf = ({ inside, kind }) => (inside ? "sup" : kind === "hc-result" ? "b" : "span");

const isOf = (node, piece) => node.nodeName.toLowerCase() === tagOf(piece) && (node.className ?? "") === (piece.kind ?? "");

function rewrite(node, { text, title, inside }) {
  if (inside) return patch(node, inside);
  if (node.firstChild.data !== text) node.firstChild.data = text;
  if (title && node.title !== title) node.title = title;
}

function nodeOf(piece) {
  const { text, kind, title, inside } = piece;
  const node = tag(tagOf(piece), { class: kind, title }, ...(inside ? [] : [text]));
  if (inside) patch(node, inside);
  return node;
}

// Addresses in few words, {html, cell}: `row 2 of V`, `column 1 of A`, `8 numbers of X`, and the first of them.
function condenseAddresses(addresses) {
  const groups = new Map();
  for (const address of addresses) {
    if (!groups.has(address[0])) groups.set(address[0], []);
    groups.get(address[0]).push(address);
  }
  return [...groups].map(([matrix, cells]) => ({ html: inWords(matrix, cells), cell: cells[0] }));
}

// Names typeset, as HTML.
function inWords(matrix, cells) {
  const rows = new Set(cells.map((cell) => cell[1]));
  const columns = new Set(cells.map((cell) => cell[2]));
  if (cells.length === 1) return matrix.cellHtml(cells[0][1], cells[0][2]);
  if (rows.size === 1 && columns.size === matrix.columnCount) return `row ${counted([...rows][0])} of ${matrix.typeset.name}`;
  if (columns.size === 1 && rows.size === matrix.rowCount) return `column ${counted([...columns][0])} of ${matrix.typeset.name}`;
  return `${cells.length} numbers of ${matrix.typeset.name}`;
}
