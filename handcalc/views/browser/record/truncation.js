// The terms of a long sum that are written: the rule of handcalc/notation/truncation.py, held to the same examples.

import { CANCELLATION_NOISE, MAX_TERMS, TERMS_SHOWN } from "./tables.js";

export const needsTruncation = (terms) => terms.length > MAX_TERMS;

const placesBySize = (values, size) => [...values.keys()].sort((a, b) => size(values[b]) - size(values[a]) || a - b).slice(0, TERMS_SHOWN);

const sum = (values) => values.reduce((total, value) => total + value, 0);

// The sum of typed decimals: where they cancel it is 0, as on paper, and not what floats leave of them.
export function addedAsDecimals(values) {
  const total = sum(values);
  return Math.abs(total) < CANCELLATION_NOISE * sum(values.map(Math.abs)) ? 0 : total;
}

// The terms of a sum that are written, and what the others make up.
export function truncateSum(terms) {
  const values = terms.map((term) => term.value);
  const largest = placesBySize(values, Math.abs).filter((k) => values[k] !== 0);
  const written = largest.length ? largest : [0];
  const others = values.filter((_, k) => !written.includes(k));
  const count = written.length > 1 ? `${written.length} largest` : "largest";
  return {
    terms: written.map((k) => terms[k]),
    largest: `${count} of ${terms.length} terms`,
    others: `${others.length} more`,
    rest: addedAsDecimals(others),
  };
}

// The largest of many numbers, and how many others there are.
export function truncateArguments(parts) {
  const written = placesBySize(parts.map((part) => part.value), (value) => value);
  return [written.map((k) => parts[k]), `… ${parts.length - written.length} more`];
}
