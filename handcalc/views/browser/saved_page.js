// The script of a saved page: it starts the explorer of the calculation, the training or the atlas written in it.

import { Atlas } from "./atlas/atlas.js";
import { Explorer } from "./explorer/explorer.js";
import { unpackPage } from "./record/packed_numbers.js";
import { Training } from "./training/training.js";

const root = document.getElementById("explorer");
const variants = await unpackPage(document.getElementById("calculation").textContent);
const steps = document.getElementById("training");
const training = steps && (await unpackPage(steps.textContent));
const { places, at: open, watch } = root.dataset;
const options = { places: Number(places), open, watch, level: 1, isPage: !("within" in root.dataset) };
const block = (path) => document.querySelector(`script[data-path="${CSS.escape(path)}"]`);
const fetch = async (path) => unpackPage(block(path).textContent);

if (variants.book) new Atlas(root, variants.book, { ...options, fetch, note: variants.note });
else if (training) new Training(root, variants, { ...options, training });
else new Explorer(root, variants, options);
