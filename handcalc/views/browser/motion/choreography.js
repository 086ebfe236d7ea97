// The making of a number, as data: which numbers fly, in which order, when, and what becomes of them.

import { shows } from "../record/calculator.js";
import { asWritten, operand, showOf, typeset } from "../record/numbers.js";
import { LOWERED, RAISED } from "../record/expression.js";

const FLYING_TERMS = { most: 6, first: 4 }; // of a sum that all fly, and of a longer one
const MAX_PRODUCT_PLACES = 8; // of two operands of four places each
const FLYING_CELLS = { most: 8, first: 5 }; // of one term
const MS = { lift: 260, flight: 440, apart: 100, allApart: 400, pair: 200, turn: 140, rest: 200, merge: 180, drop: 240, wave: 260, fade: 160 };

// {terms: [{pieces, product}], more, result} of [matrix, row, column]: a term is written in pieces, {text, level}
// of a sign and {text, level, cell} of a number that flies; several terms become products before they are added;
// `more` is how many terms of a long sum stay where they are.
export function choreography([matrix, row, column], places) {
  const expression = matrix.explain(row, column, places);
  const all = expression.terms ?? [expression];
  const seen = all.length > FLYING_TERMS.most ? all.slice(0, FLYING_TERMS.first) : all;
  const value = matrix.at(row, column);
  const result = showOf(matrix, value, places);
  const ofProducts = placesOfProducts(all, value, result, places);
  const terms = seen.map((term) => (all.length > 1 ? addend(term, ofProducts) : { pieces: piecesOf(term.tokens), product: null }));
  return { terms, more: all.length - seen.length, result: typeset(result) };
}

// A term is what a calculator gets from its operands as they are written.
function addend({ tokens, printed: [value] }, places) {
  const pieces = piecesOf(tokens);
  if (pieces.length === 1) return { pieces: value < 0 ? bracketed(pieces) : pieces, product: null };
  const product = typeset(operand(value, places));
  return { pieces, product: value < 0 ? `(${product})` : product };
}

// The fewest with which the products, added up as they are written, are the result.
function placesOfProducts(terms, value, result, places) {
  if (places === null) return null;
  for (let of = places; of < MAX_PRODUCT_PLACES; of += 1) {
    const sum = terms.reduce((total, { printed: [product] }) => total + asWritten(product, of), 0);
    if (shows(sum, value, result, places)) return of;
  }
  return MAX_PRODUCT_PLACES;
}

const bracketed = (pieces) => [{ text: "(", level: 0 }, ...pieces, { text: ")", level: 0 }];

function piecesOf(tokens) {
  const isLong = tokens.filter((token) => token.matrix).length > FLYING_CELLS.most;
  const pieces = [];
  let [level, count] = [0, 0];
  for (const token of tokens) {
    if (token === RAISED) level += 1;
    else if (token === LOWERED) level -= 1;
    else if (typeof token === "string") pieces.push({ text: token, level });
    else {
      pieces.push({ text: token.text, level, cell: [token.matrix, token.row, token.column] });
      count += 1;
      if (isLong && count === FLYING_CELLS.first) return [...pieces, { text: " …", level: 0 }];
    }
  }
  return pieces;
}

// The order of events: each term lands and becomes its product, they are added, the sum drops into its cell, and
// the rest of the matrix follows.
export function timesOf({ terms }) {
  const apart = Math.min(MS.apart, MS.allApart / terms.length);
  const lands = terms.map((_, k) => MS.lift + MS.flight + k * apart);
  const turns = terms.map(({ product }, k) => (product === null ? null : lands[k] + MS.pair));
  const last = Math.max(...lands, ...turns.map((turn) => (turn ? turn + MS.turn : 0)));
  const sum = last + MS.rest;
  const drop = sum + MS.merge;
  const wave = drop + MS.drop;
  return { ...MS, lands, turns, sum, drop, wave, end: wave + MS.wave + MS.fade };
}

// The delay of a number after the first one, from which it lies this many rows and columns away.
export function delayOf(down, right, [rows, columns]) {
  const farthest = Math.max(1, rows + columns - 2);
  return MS.wave * Math.min(1, (Math.abs(down) + Math.abs(right)) / farthest);
}
