// The edge of a block's sheet: what it is and why, what comes in from other blocks, what goes on to them.

import { linkTo } from "../record/address.js";
import { KEEPS_KEYS, button, nameTag, tag, toggle } from "../page/dom.js";

// A link that opens a block, at a matrix or a number; events.js follows it.
export function wayTo(address, ...words) {
  return tag("a", { class: "hc-way", href: linkTo(address), "data-open": address, ...KEEPS_KEYS }, ...words);
}

// A link to a number of the calculation that this one is a block of, in one of its blocks; the atlas follows it.
export function wayElsewhere(address, path, ...words) {
  return tag("a", { class: "hc-way", href: linkTo(address), "data-elsewhere": address, "data-in": path, ...KEEPS_KEYS }, ...words);
}

const namedAs = (level, matrix) => nameTag({ typeset: level.typesetOf(matrix) });

// What a reader calls the place that something comes from.
export const blockName = (level) => (level.path ? level.label : "the input");

// The same with the blocks around it that are not around the reader, too.
function wayFrom(level, reader) {
  const around = reader.trail;
  return level.path ? level.trail.filter((part) => part === level || !around.includes(part)).map(({ label }) => label).join(" › ") : "the input";
}

// Where a matrix comes from, as its caption on this sheet has it: for a mouse the way there, too. A grid may hold no
// link, so that keys find it in the head.
export const origin = (level, matrix) =>
  tag("span", { class: "hc-way", "data-open": matrix.name }, `from ${blockName(level.levels.home(matrix))}`);

// X from the input, Z from Attention head 1.
const comesIn = (level, matrix) =>
  tag("li", {}, wayTo(matrix.name, namedAs(level, matrix)), ` from ${wayFrom(level.levels.home(matrix), level)}`);

// Z goes on to concat of Multi-head attention; X to Encoder 1, whatever in it reads X.
function goesOn(level, matrix) {
  const readers = level.calculation.readersOf(matrix).filter((reader) => level.levels.home(reader) !== level);
  const places = new Map(); // the outermost block that is not around this one too -> what reads in it
  for (const reader of readers) {
    const { trail } = level.levels.home(reader);
    const place = trail.find((part) => !level.trail.includes(part)) ?? trail.at(-1);
    places.set(place, [...(places.get(place) ?? []), reader]);
  }
  const words = [...places].flatMap(([place, read], k) => [k ? ", " : "", ...placeWords(level, place, read)]);
  return tag("li", {}, namedAs(level, matrix), ...(words.length ? [" goes on to ", ...words] : [" is the result"]));
}

// Its own steps by name; of what is in blocks inside it, the block alone.
function placeWords(level, place, readers) {
  const own = readers.filter((reader) => level.levels.home(reader) === place);
  if (own.length < readers.length) return [wayTo(place.path, place.label)];
  const names = own.flatMap((reader, k) => [k ? ", " : "", wayTo(reader.name, namedAs(place, reader))]);
  return [...names, place.path ? ` of ${place.label}` : ""];
}

function ports(words, kind, items) {
  return items.length ? tag("ul", { class: `hc-ports ${kind}`, "aria-label": words }, ...items) : null;
}

export function blockHead(level, navigation) {
  const keep = toggle("Keep open", () => navigation.keep(level), "Leave this sheet open when another one is opened");
  const close = navigation.open.length > 1 ? button("Close this sheet", () => navigation.close(level), { symbol: "close" }) : null;
  const title = tag("div", { class: "hc-block-title" }, tag("strong", {}, level.label), tag("span", {}, level.why), keep, close);
  const comes = level.inputs.filter((matrix) => matrix.isVisible).map((matrix) => comesIn(level, matrix));
  const goes = level.outputs.map((matrix) => goesOn(level, matrix));
  return tag("div", { class: "hc-block-head" }, title, ports("What comes in", "hc-comes", comes), ports("What goes on", "hc-goes", goes));
}
