// The stages of a sheet, Project · Compare · Share · Mix: the steps in the bar are grouped by them.

import { tag } from "../page/dom.js";

// The steps in the stages that the record gives them, as {stage, steps}: neighbours of one stage together; a
// step without one joins those before it. Without any stages there is one group without a name.
export function stagesOf(steps) {
  const groups = [];
  for (const step of steps) {
    const stage = step.entry.stage ?? groups.at(-1)?.stage ?? "";
    if (groups.at(-1)?.stage === stage) groups.at(-1).steps.push(step);
    else groups.push({ stage, steps: [step] });
  }
  return groups;
}

// List items for the steps that have one, grouped under the names of their stages where there are any.
export function byStage(steps, item) {
  const groups = stagesOf(steps).map(({ stage, steps: own }) => ({ stage, items: own.map((step) => item(step, steps.indexOf(step))).filter(Boolean) }));
  const named = groups.filter(({ items }) => items.length);
  if (named.every(({ stage }) => !stage)) return named.flatMap(({ items }) => items);
  return named.map(({ stage, items }) =>
    tag("li", { class: "hc-step-stage" }, stage ? tag("span", { class: "hc-stage-name", "aria-hidden": "true" }, stage) : null,
      tag("ol", { "aria-label": stage || null }, ...items)));
}
