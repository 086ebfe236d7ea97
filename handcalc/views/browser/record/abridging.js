// Which terms of a long sum are written: the rule of handcalc/abridging.py, held to the same table of examples.

const MOST_TERMS = 16; // that are written in full
const LARGEST_TERMS = 5; // that are written of more

export const isLong = (terms) => terms.length > MOST_TERMS;

const bySize = (values, size) => [...values.keys()].sort((a, b) => size(values[b]) - size(values[a]) || a - b).slice(0, LARGEST_TERMS);

const added = (values) => values.reduce((total, value) => total + value, 0);

// The terms of a sum that are written, what they make up together, and what the others do.
export function abridged(terms) {
  const values = terms.map((term) => term.value);
  const largest = bySize(values, Math.abs).filter((k) => values[k] !== 0);
  const written = largest.length ? largest : [0];
  const others = values.filter((_, k) => !written.includes(k));
  const count = written.length > 1 ? `${written.length} largest` : "largest";
  return {
    terms: written.map((k) => terms[k]),
    largest: `${count} of ${terms.length} terms`,
    together: added(written.map((k) => values[k])),
    others: `${others.length} more`,
    rest: added(others),
  };
}

// The largest of many numbers, and how many others there are.
export function largestOfMany(parts) {
  const written = bySize(parts.map((part) => part.value), (value) => value);
  return [written.map((k) => parts[k]), `… ${parts.length - written.length} more`];
}
