// Tokens that change places: which two to propose, and whose line a number stands in afterwards.

// The two that the chosen number's own token can watch: the first two others. Without such a token, the first two.
export function proposed(labels, own) {
  const others = labels.map((_, k) => k).filter((k) => labels[k] !== own);
  return own !== undefined && others.length >= 2 && others.length < labels.length ? others.slice(0, 2) : [0, 1];
}

// `row 1 is “man” now, no longer “dog”`, for the row and the column of a number; "" if both are as they were.
export function renamed(now, before, row, column) {
  const sides = [["row", 0, row], ["column", 1, column]];
  const said = ([word, axis, k]) => {
    const [is, was] = [now, before].map((matrix) => matrix.labels(axis)?.[k]);
    return is === was || !is || !was ? [] : `${word} ${k + 1} is “${is}” now, no longer “${was}”`;
  };
  return sides.flatMap(said).join(", ");
}
