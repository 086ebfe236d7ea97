// The edge of a block's sheet: what it is and why, what comes in from other blocks, what goes on to them.

import { linkTo } from "../record/cell_address.js";
import { KEEPS_KEYS, button, nameTag, tag, toggle } from "../page/dom.js";

// A link that opens a block, at a matrix or a number; events.js follows it.
export function wayTo(address, ...words) {
  return tag("a", { class: "hc-way", href: linkTo(address), "data-open": address, ...KEEPS_KEYS }, ...words);
}

// A link to a number of the calculation that this one is a block of, in one of its blocks; the atlas follows it.
export function wayElsewhere(address, path, ...words) {
  return tag("a", { class: "hc-way", href: linkTo(address), "data-elsewhere": address, "data-in": path, ...KEEPS_KEYS }, ...words);
}

const MAIN = "the main sheet"; // of steps that belong to no block

const namedAs = (level, matrix) => nameTag({ typeset: level.typesetOf(matrix) });

// What a reader calls the place that a matrix comes from: a block, or what belongs to none.
export function blockName(levels, matrix) {
  const home = levels.home(matrix);
  return home.path ? home.label : matrix.isGiven ? "the input" : MAIN;
}

// The same with the blocks around it that are not around the reader, too.
function wayFrom(matrix, reader) {
  const home = reader.levels.home(matrix);
  if (!home.path) return blockName(reader.levels, matrix);
  return titlesTo(home, reader);
}

// The titles on the way to a block, without those around `here` as well.
export function titlesTo(level, here) {
  const around = here?.trail ?? [];
  return level.trail.filter((part) => part.path && (part === level || !around.includes(part))).map(({ label }) => label).join(" › ") || "the input";
}

// Where a matrix comes from, as its caption on this sheet has it: for a mouse the way there, too. A grid may hold no
// link, so that keys find it in the head.
export const origin = (level, matrix) =>
  tag("span", { class: "hc-way", "data-open": matrix.name }, `from ${blockName(level.levels, matrix)}`);

// X, Y from the input; Z from Attention head 1.
function comesIn(level) {
  const places = new Map();
  for (const matrix of level.inputs.filter((each) => each.isVisible)) {
    const place = wayFrom(matrix, level);
    places.set(place, [...(places.get(place) ?? []), matrix]);
  }
  return [...places].map(([place, matrices]) =>
    tag("li", {}, ...listed(matrices.map((matrix) => wayTo(matrix.name, namedAs(level, matrix)))), ` from ${place}`));
}

const listed = (items) => items.flatMap((item, k) => (k ? [", ", item] : [item]));

// Z goes on to concat of Multi-head attention; dX, dW are the results.
function goesOn(level) {
  const isRead = (matrix) => level.calculation.readersOf(matrix).some((reader) => level.levels.home(reader) !== level);
  const results = level.outputs.filter((matrix) => !isRead(matrix));
  const words = results.length > 1 ? " are the results" : " is the result";
  const last = results.length ? [tag("li", {}, ...listed(results.map((matrix) => namedAs(level, matrix))), words)] : [];
  return [...level.outputs.filter(isRead).map((matrix) => goesTo(level, matrix)), ...last];
}

// X goes on to Encoder 1, whatever in it reads X.
function goesTo(level, matrix) {
  const readers = level.calculation.readersOf(matrix).filter((reader) => level.levels.home(reader) !== level);
  const places = new Map(); // the outermost block that is not around this one too -> what reads in it
  for (const reader of readers) {
    const { trail } = level.levels.home(reader);
    const place = trail.find((part) => !level.trail.includes(part)) ?? trail.at(-1);
    places.set(place, [...(places.get(place) ?? []), reader]);
  }
  const words = [...places].flatMap(([place, read], k) => [k ? ", " : "", ...placeWords(level, place, read)]);
  return tag("li", {}, namedAs(level, matrix), " goes on to ", ...words);
}

// Its own steps by name; of what is in blocks inside it, the block alone.
function placeWords(level, place, readers) {
  const own = readers.filter((reader) => level.levels.home(reader) === place);
  if (own.length < readers.length) return [wayTo(place.path, place.label)];
  const names = own.flatMap((reader, k) => [k ? ", " : "", wayTo(reader.name, namedAs(place, reader))]);
  return [...names, place.path ? ` of ${place.label}` : ""];
}

export function ports(words, kind, items) {
  return items.length ? tag("ul", { class: `hc-ports ${kind}`, "aria-label": words }, ...items) : null;
}

export function blockHead(level, navigation) {
  const keep = toggle("Keep open", () => navigation.keep(level), "Leave this sheet open when another one is opened");
  const close = navigation.open.length > 1 ? button("Close this sheet", () => navigation.close(level), { symbol: "close" }) : null;
  const title = tag("div", { class: "hc-block-title" }, tag("strong", {}, level.label), tag("span", {}, level.why), keep, close);
  return tag("div", { class: "hc-block-head" }, title, ports("What comes in", "hc-comes", comesIn(level)), ports("What goes on", "hc-goes", goesOn(level)));
}
