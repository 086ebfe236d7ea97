// What a saved page starts: the explorer of the calculation, the training or the atlas that is written in it, or the
// question whose answer shows it.

import { Atlas } from "./atlas/atlas.js";
import { Guessing } from "./asking/guess.js";
import { Explorer } from "./explorer/explorer.js";
import { unpackPage } from "./record/packed_numbers.js";
import { Training } from "./training/training.js";

const root = document.getElementById("explorer");
const variants = await unpackPage(document.getElementById("calculation").textContent);
const steps = document.getElementById("training");
const training = steps && (await unpackPage(steps.textContent));
const { places, at: open, watch } = root.dataset;
const options = { places: Number(places), open, watch, level: 1, isPage: true };
const block = (path) => document.querySelector(`script[data-path="${CSS.escape(path)}"]`);
const fetch = async (path) => unpackPage(block(path).textContent);
const asked = document.getElementById("question");

// Nobody keeps a guess here. What the answer shows is an explorer, or HTML.
function ask(state) {
  const show = (element) => {
    element.innerHTML = state.shown;
    if (variants) new Explorer(element.appendChild(document.createElement("div")), variants, { ...options, isPage: false });
  };
  new Guessing(root, state, { onGuess: () => false, show });
}

if (asked) ask(await unpackPage(asked.textContent));
else if (variants.book) new Atlas(root, variants.book, { ...options, fetch, note: variants.note });
else if (training) new Training(root, variants, { ...options, training });
else new Explorer(root, variants, options);
