// The number that a sheet opens with: one worth reading.

import { askable } from "./askable.js";
import { downOf, isShares, largestShare } from "./shares.js";

const MOST_COMPARED = 256; // numbers: as many as stand on the page without a window

// The largest share of the last step that holds shares; otherwise a good number of the last step.
export function opening(steps, calculation) {
  const shares = steps.findLast((matrix) => isShares(matrix, downOf(calculation)));
  if (shares) return largestShare(shares);
  const last = steps.at(-1);
  return last.values.length > MOST_COMPARED ? [last, 0, 0] : askable(last);
}
