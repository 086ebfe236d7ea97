// The way through a level in one line, at the top of a slide: X → Q K V → S → … → Z, the current step filled.

import { nameTag, tag } from "../page/dom.js";
import { operandsOf } from "./slide_layout.js";

const MAX_GROUPS = 11; // places in a line; of more, those around the current one
const AROUND_NOW = 3;

// The steps of a level in groups: those that read nothing later than the group before. First comes what goes in.
export function stepsInLine(level, isRows) {
  const depths = new Map();
  const inner = (step) => step.operands.filter((matrix) => depths.has(matrix));
  for (const step of level.steps) depths.set(step, Math.max(0, ...inner(step).map((matrix) => depths.get(matrix))) + 1);
  const groups = Array.from({ length: Math.max(0, ...depths.values()) }, (_, k) => level.steps.filter((step) => depths.get(step) === k + 1));
  const begun = level.steps.filter((step) => inner(step).length === 0);
  const into = new Set(begun.flatMap((step) => operandsOf(step, isRows)[0]));
  return [[...into], ...groups].filter((group) => group.length);
}

// A long line without what is far from the current place; null where something is left out.
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
