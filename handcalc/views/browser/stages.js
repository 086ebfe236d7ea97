// The stages of a sheet, Project · Compare · Share · Mix: the steps in the bar are grouped by them.

import { stagesOf } from "./flow.js";
import { tag } from "./dom.js";

// List items, one for each step, grouped under the names of their stages where they have any.
export function byStage(steps, item) {
  const groups = stagesOf(steps);
  if (groups.every(({ stage }) => !stage)) return steps.map(item);
  return groups.map(({ stage, steps: own }) =>
    tag("li", { class: "hc-step-stage" }, stage ? tag("span", { class: "hc-stage-name", "aria-hidden": "true" }, stage) : null,
      tag("ol", { "aria-label": stage || null }, ...own.map((step) => item(step, steps.indexOf(step))))));
}
