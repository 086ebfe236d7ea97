// The stages of a sheet, Project · Compare · Share · Mix: the steps in the bar are grouped by them, and they head its
// tracks.

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

// The name of each stage above the rows that belong to it; a row that is only read belongs to the next step's.
export function headTracks(sheet) {
  const { layout, tracks, calculation, level, isHorizontal } = sheet;
  const steps = new Set(level.own);
  const groups = layout.map((rows) => stagesOfRows(rows.map(({ main: [place, isCopy] }) => (isCopy ? null : calculation.matrices[place])), steps));
  if (!groups.some((group) => group.some(({ stage }) => stage))) return;
  tracks.forEach((track, k) => {
    track.classList.add("hc-staged");
    if (!isHorizontal) for (const part of track.children) part.style.gridRow = 2 * part.style.gridRow;
    track.prepend(...groups[k].map((group) => headOf(group, isHorizontal)));
  });
}

function headOf({ stage, from, to }, isHorizontal) {
  const head = tag("div", { class: "hc-stage-head" }, tag("span", {}, stage));
  if (isHorizontal) head.style.gridColumn = `${from + 1} / ${to + 1}`;
  else head.style.gridRow = 2 * from + 1;
  return head;
}

// Rows of a track in stages, as {stage, from, to}, without `to` itself.
function stagesOfRows(matrices, steps) {
  const own = matrices.map((matrix) => (matrix && steps.has(matrix) && !matrix.isGiven ? (matrix.entry.stage ?? "") : null));
  const found = [];
  own.forEach((stage, k) => {
    const name = stage ?? own.slice(k).find((other) => other !== null) ?? found.at(-1)?.stage ?? "";
    const last = found.at(-1);
    if (last && (!name || last.stage === name)) last.to = k + 1;
    else found.push({ stage: name, from: k, to: k + 1 });
  });
  return found;
}
