// Ways from a block's sheet to others: links, the origin of a matrix, the sheet's title.

import { linkTo } from "../record/cell_address.js";
import { KEEPS_KEYS, button, tag } from "../page/dom.js";

// A link that opens a block, at a matrix or a number; events.js follows it.
export function wayTo(address, ...words) {
  return tag("a", { class: "hc-way", href: linkTo(address), "data-open": address, ...KEEPS_KEYS }, ...words);
}

// A link to a number of the calculation that this one is a block of, in one of its blocks; the atlas follows it.
export function wayElsewhere(address, path, ...words) {
  return tag("a", { class: "hc-way", href: linkTo(address), "data-elsewhere": address, "data-in": path, ...KEEPS_KEYS }, ...words);
}

const MAIN = "the main sheet"; // of steps that belong to no block

// The name of the place that a matrix comes from: a block, or the part that belongs to none.
export function blockName(levels, matrix) {
  const home = levels.home(matrix);
  return home.path ? home.label : matrix.isGiven ? "the input" : MAIN;
}

// The titles on the way to a block, without those around `here` as well.
export function titlesTo(level, here) {
  const around = here?.trail ?? [];
  return level.trail.filter((part) => part.path && (part === level || !around.includes(part))).map(({ label }) => label).join(" › ") || "the input";
}

// The origin of a matrix, for its caption on this sheet, which a mouse can click to go there. A grid may hold no
// link, so that keys find it in the head.
export const origin = (level, matrix) =>
  tag("span", { class: "hc-way", "data-open": matrix.name }, `from ${blockName(level.levels, matrix)}`);

export function ports(words, kind, items) {
  return items.length ? tag("ul", { class: `hc-ports ${kind}`, "aria-label": words }, ...items) : null;
}

export function blockHead(level, navigation) {
  const close = navigation.open.length > 1 ? button("Close this sheet", () => navigation.close(level), { symbol: "close" }) : null;
  const title = close && tag("strong", {}, level.label); // of one alone the strip says it
  return tag("div", { class: "hc-block-head" }, title, tag("span", {}, level.why), close);
}
