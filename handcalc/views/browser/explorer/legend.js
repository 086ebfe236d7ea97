// What the colours behind the numbers mean, in one line: swatches of the colours that the numbers have.

import { background } from "../sheet/colours.js";
import { tag } from "../page/dom.js";

const SWATCHES = [1, 0.4]; // of a matrix's largest number

const swatch = (size, neverNegative) => tag("i", { style: `background-color: ${background(size, 1, neverNegative)}` });

const swatches = (sizes, neverNegative = false) => tag("span", { "aria-hidden": "true" }, ...sizes.map((size) => swatch(size, neverNegative)));

// `hasShares` is whether any matrix of the calculation is never negative.
export function legend(hasNeverNegative) {
  const [strong, weak] = SWATCHES;
  const signs = tag("span", {}, "minus ", swatches([-strong, -weak, 0, weak, strong]), " plus");
  const never = tag("span", {}, swatches([weak, strong], true), " never negative");
  return tag("p", { class: "hc-legend", title: "The stronger the colour, the further the number is from 0, compared with the largest in its matrix." },
    signs, hasNeverNegative ? never : null, tag("span", {}, "stronger = larger in its matrix"));
}
