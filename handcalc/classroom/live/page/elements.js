// Elements for the teacher's page and the projector; text is never read as markup, and no style is written into it.

import { tag } from "../../../views/browser/page/dom.js";

export function button(words, onClick, attributes = {}) {
  const node = tag("button", { type: "button", ...attributes }, words);
  node.addEventListener("click", onClick);
  return node;
}

// Writes a text only if it has changed, to avoid needless layout.
export function updateText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

export function updateAttribute(node, name, value) {
  if (node.getAttribute(name) !== value) node.setAttribute(name, value);
}

const stillness = typeof matchMedia === "function" ? matchMedia("(prefers-reduced-motion: reduce)") : { matches: true };

// A soft flash on an element that has just changed.
export function flash(node) {
  if (!stillness.matches) node.animate([{ boxShadow: "inset 0 0 0 2px var(--chosen)" }, { boxShadow: "inset 0 0 0 2px transparent" }], 1600);
}

// A bar with a part for each count, as long as the count; its label says the counts in words.
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
