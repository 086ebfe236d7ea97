// The projector's page: the teacher's choice, in large type; it never receives a name.

import { svgTag, tag, typesetNodes } from "../../../views/browser/page/dom.js";
import { makeShareBar } from "./elements.js";
import { countWords, hereWords, STAGES } from "./teacher_words.js";
import { SIGNS, STATES, sum } from "./sheet_progress.js";
import { findToken, followEvents } from "./event_stream.js";

const MIN_SIGN_SHARE = 0.08; // of a bar, for a sign beside the count
const LINE_LETTERS = [21, 27, 35, 110, Infinity]; // letters of a line, and of three lines, as large as there is room
const READABLE_LINES = 20; // lines on a screen, each 36 pixels high on one of 1080
const QR_MARGIN = 4; // squares around a QR code, as its readers want it

const PROJECTOR_VIEWS = {
  number: ({ number, title }) =>
    number ? numberOf(number) : [tag("h1", {}, title)],
  shares: ({ kinds }) => {
    const columns = columnsFor(kinds);
    main.style.setProperty("--columns", columns);
    main.style.setProperty("--lines", linesOf(kinds, columns));
    return [...kinds.flatMap((kind) => sharesOf(kind, columns)), key()];
  },
  join: ({ address, qr, here, students, title, unreachable }) => [
    tag("div", { class: "join" }, code(qr, address), tag("div", {}, tag("h1", {}, title), unreachable ? tag("p", { class: "alone", role: "alert" }, unreachable) : tag("p", {}, "Scan this, or open"), tag("p", { class: "address" }, address.replace(/^https?:\/\/|\/$/g, "")), tag("p", { class: "quiet" }, "Your code is on your sheet."), tag("p", { class: "joined" }, hereWords({ here, students })))),
  ],
};

// The number on show: first a question, then its arithmetic, once the class has had time to think.
function numberOf({ html, formula, title, written, spoken, name, givens }) {
  if (!html) {
    const question = tag("p", { class: "wrote" }, ...(written ? ["Somebody wrote ", tag("b", {}, written), " for "] : ["What is "]), typesetNodes(name), written ? ". What happened?" : "?");
    return [tag("p", { class: "quiet" }, title), tag("h1", { class: "formula" }, typesetNodes(formula)), tag("ul", { class: "givens" }, ...givens.map((given) => tag("li", {}, typesetNodes(given)))), question];
  }
  const arithmetic = tag("p", { class: "arithmetic" }, typesetNodes(html));
  arithmetic.dataset.size = LINE_LETTERS.findIndex((most) => arithmetic.textContent.length <= most);
  const wrote = written ? [tag("p", { class: "wrote" }, "Somebody wrote ", tag("b", {}, written), " here. What happened?")] : [];
  return [tag("p", { class: "quiet" }, title), tag("h1", { class: "formula" }, typesetNodes(formula)), ...wrote, arithmetic, tag("p", { class: "spoken" }, spoken)];
}

// The height of all steps in lines, in so many columns; a title is nearly as high as two lines.
const linesOf = (kinds, columns) => kinds.reduce((all, { steps }) => all + Math.ceil(steps.length / columns) + 1.7, 1);

// Two columns if one would be too small to read from the last row.
const columnsFor = (kinds) => (linesOf(kinds, 1) <= READABLE_LINES ? 1 : 2);

function sharesOf({ title, steps }, columns) {
  const line = ({ html, counts }) => tag("li", {}, tag("b", {}, typesetNodes(html)), labelled(makeShareBar(counts, countWords(counts), STATES), counts, MIN_SIGN_SHARE * columns), tag("span", { class: "count" }, sum(counts) ? `of ${sum(counts)}` : ""));
  const list = tag("ul", { class: "standing" }, ...steps.map(line));
  list.style.setProperty("--rows", Math.ceil(steps.length / columns));
  return [tag("h1", {}, title), list];
}

// The meaning of the signs.
function key() {
  const words = STAGES.map((word, k) => tag("span", { "data-state": STATES[k] }, tag("b", {}, SIGNS[k]), ` ${word}`));
  return tag("p", { class: "key" }, ...words);
}

// A bar with the count in each part, and the sign where there is room.
function labelled(bar, counts, roomy) {
  counts.forEach((count, k) => {
    if (count) bar.children[k].textContent = count > roomy * sum(counts) ? `${SIGNS[k]} ${count}` : count;
  });
  return bar;
}

function code({ size, path }, address) {
  const box = `${-QR_MARGIN} ${-QR_MARGIN} ${size + 2 * QR_MARGIN} ${size + 2 * QR_MARGIN}`;
  return svgTag("svg", { viewBox: box, class: "qr", role: "img", "aria-label": `QR code of ${address}` }, svgTag("path", { d: path }));
}

let known = {};
const main = document.querySelector("main");

function hear(event) {
  const { at, whole, ...news } = event;
  known = whole ? news : { ...known, ...news };
  if (!whole && !Object.keys(news).length) return;
  document.title = `${known.title}: projector`;
  const rest = known.paused ? [tag("p", { class: "eyes-up", role: "status" }, "Eyes up")] : [];
  const shown = PROJECTOR_VIEWS[known.kind]?.(known) ?? [tag("h1", {}, known.title), tag("p", { class: "quiet" }, hereWords(known))];
  main.dataset.kind = known.kind || "nothing";
  main.replaceChildren(...rest, ...shown);
}

function heard(state) {
  document.body.toggleAttribute("data-stale", state !== true);
  if (typeof state === "string") main.replaceChildren(tag("p", { role: "alert" }, state));
}

addEventListener("hashchange", () => location.reload()); // opened once more from the teacher's page
followEvents("api/projector", findToken("projector"), hear, heard);
