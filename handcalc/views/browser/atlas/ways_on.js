// The ways from the numbers of an open block to other blocks: where they come from, and into which they go on.

import { addressOf } from "../record/cell_address.js";
import { leadsTo, titlesTo } from "./outline.js";
import { nameTag, tag } from "../page/dom.js";
import { wayElsewhere } from "../sheet/ports.js";

const MOST_WAYS = 4; // blocks side by side that are named, before the rest are counted

// Of a number, as {from, into}: pieces of {html, elsewhere, block}.
export function waysBeyond([{ entry }, row, column], levels, here) {
  if (!entry.origin) return {};
  const { from, name, into } = leadsTo(entry, levels, here);
  const at = addressOf([{ name: entry.origin }, row, column]);
  const before = name === entry.origin ? at : addressOf([{ name }, 0, 0]); // one of many that it read
  const link = (level, elsewhere) => ({ html: titlesTo(level, here), elsewhere, block: level.path });
  const links = into.slice(0, MOST_WAYS).flatMap((level, k) => [{ html: k ? ", " : "goes on into " }, link(level, at)]);
  const rest = into.length > MOST_WAYS ? [{ html: ` and ${into.length - MOST_WAYS} more blocks` }] : [];
  return { from: from && [{ html: "comes from " }, link(from, before)], into: [...links, ...rest] };
}

// Of a whole sheet: lists of what comes into it, and of what goes on from it.
export function waysAround(calculation, levels, here) {
  const [comes, goes] = [[], []];
  for (const matrix of calculation.matrices.filter(({ isVisible, entry }) => isVisible && entry.origin)) {
    const { from, name, into } = leadsTo(matrix.entry, levels, here);
    const link = (level, origin) => wayElsewhere(addressOf([{ name: origin }, 0, 0]), level.path, titlesTo(level, here));
    if (from) comes.push(tag("li", {}, nameTag(matrix), " from ", link(from, name)));
    if (!into.length) continue;
    const links = into.slice(0, MOST_WAYS).flatMap((level, k) => [k ? ", " : "", link(level, matrix.entry.origin)]);
    const rest = into.length > MOST_WAYS ? ` and ${into.length - MOST_WAYS} more` : "";
    goes.push(tag("li", {}, nameTag(matrix), " goes on into ", ...links, rest));
  }
  const list = (items, kind, words) => (items.length ? [tag("ul", { class: `hc-ports ${kind}`, "aria-label": words }, ...items)] : []);
  return [...list(comes, "hc-comes", "What comes in"), ...list(goes, "hc-goes", "What goes on")];
}
