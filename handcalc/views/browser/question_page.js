// The script of a question's saved page. The explorer in its answer is inflated when a reader asks for it.

import { Guessing } from "./asking/guess.js";
import { inflated, unpackPage } from "./record/packed_numbers.js";
import { tag } from "./page/dom.js";

const root = document.getElementById("asked");
const later = document.getElementById("later");

// Nobody keeps a guess here. What the answer shows is an explorer, or HTML.
function show(element, { shown, explorer }) {
  element.innerHTML = shown;
  if (!explorer) return;
  element.append(tag("div", { id: "explorer", "data-within": "", ...explorer }));
  inflated(later.textContent).then((code) => document.body.append(Object.assign(document.createElement("script"), { type: "module", textContent: code })));
}

const state = await unpackPage(document.getElementById("question").textContent);
new Guessing(root, state, { onGuess: () => false, show: (element) => show(element, state) });
