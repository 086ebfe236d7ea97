// What the teacher's page and the projector make of elements; text is never read as markup, and no style is written into it.

import { tag } from "../../../views/browser/page/dom.js";

export function button(words, onClick, attributes = {}) {
  const node = tag("button", { type: "button", ...attributes }, words);
  node.addEventListener("click", onClick);
  return node;
}

// Write only what is other than it was: nothing is laid out again for nothing.
export function updateText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function updateAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

const stillness = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: true };

// A soft flash where something has just changed.
export function flash(node) {
  if (!stillness.matches) node.animate([{ boxShadow: "inset 0 0 0 2px var(--chosen)" }, { boxShadow: "inset 0 0 0 2px transparent" }], 1600);
}

// Bars as long as the counts are; the element says them in words.
export function makeShareBar(counts, words, states) {
  const bar = tag("span", { class: "bar", role: "img", "aria-label": words });
  updateShareBar(bar, counts, words, states);
  return bar;
}

export function updateShareBar(bar, counts, words, states) {
  updateAttribute(bar, "aria-label", words);
  if (!bar.children.length) bar.append(...states.map((state) => tag("i", { class: state })));
  counts.forEach((count, k) => {
    const grow = String(count);
    if (bar.children[k].style.flexGrow !== grow) bar.children[k].style.flexGrow = grow;
  });
}
