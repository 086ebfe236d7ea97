// What each sign on the sheet means: a finger sees no titles.

import { tag } from "../page/dom.js";

const LEGEND = { correct: "right", follows: "follows from your earlier numbers", wrong: "look again", unread: "not a number" };

// Of the states that fields have just now.
export function legendOf(fields, signs) {
  const shown = Object.keys(LEGEND).filter((state) => fields.some((field) => field.classList.contains(`hc-${state}`)));
  return shown.flatMap((state) => [tag("span", {}, tag("b", { class: `hc-${state}` }, signs[state]), ` ${LEGEND[state]}`), " "]);
}
