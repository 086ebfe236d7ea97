// The way through a level in one line, at the top of a slide: X → Q K V → S → … → Z, the current step filled.

import { nameTag, tag } from "../page/dom.js";
import { operandsOf } from "./slide_layout.js";

const MAX_GROUPS = 11; // places in a line; of more, those around the current one
const AROUND_NOW = 3;

// The steps of a level in groups: those that come from nothing later than the group before, be it by way of other
// blocks. First comes what goes in.
export function stepsInLine({ steps }, isRows) {
  const depths = new Map();
  const depthOf = (matrix) => {
    if (!depths.has(matrix)) depths.set(matrix, Math.max(0, ...matrix.operands.map(depthOf)) + steps.includes(matrix));
    return depths.get(matrix);
  };
  const last = Math.max(0, ...steps.map(depthOf));
  const groups = Array.from({ length: last }, (_, k) => steps.filter((step) => depths.get(step) === k + 1));
  const into = new Set(last ? groups[0].flatMap((step) => operandsOf(step, isRows)[0]) : []);
  return [[...into], ...groups].filter((group) => group.length);
}

// A long line without groups far from the current place; null where some are left out.
export function shortenLine(groups, now) {
  if (groups.length <= MAX_GROUPS) return groups;
  const isNear = (k) => k === 0 || k === groups.length - 1 || Math.abs(k - now) <= AROUND_NOW;
  return groups.map((group, k) => (isNear(k) ? group : null)).filter((group, k, all) => group || all[k - 1]);
}

// The line of a level; `step` is the current one, `hidden` are those to come.
export function flowLine(level, isRows, step, hidden) {
  const groups = stepsInLine(level, isRows);
  const coming = new Set(hidden);
  const place = (matrix) => {
    const kind = matrix === step ? "hc-flow-now" : coming.has(matrix) ? "hc-flow-coming" : "hc-flow-done";
    return tag("span", { class: kind, "aria-current": matrix === step ? "step" : null }, ...nameTag(matrix).childNodes);
  };
  const now = groups.findIndex((group) => group.includes(step));
  const items = shortenLine(groups, now).map((group) => tag("li", {}, ...(group ? group.map(place) : ["…"])));
  return tag("ol", { class: "hc-flow", "aria-label": "All steps in order" }, ...items);
}
