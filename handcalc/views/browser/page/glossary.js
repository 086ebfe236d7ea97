// Words of the course with their sentences from the glossary: one is told where somebody points at it, clicks or taps.

import { tag } from "./dom.js";
import { GLOSSARY } from "./glossary_words.js";

const MEANINGS = new Map(Object.entries(GLOSSARY).map(([word, told]) => [word.toLowerCase(), told]));
const WORD = new RegExp(`\\b(${[...MEANINGS.keys()].sort((a, b) => b.length - a.length).join("|")})(?:s|es)?\\b`, "i");

// Marks each word of the glossary where an element first has it.
export function explain(element, seen = new Set()) {
  for (const node of [...element.childNodes]) {
    if (node.nodeType === Node.TEXT_NODE) markWords(node, seen);
    else if (!/^(abbr|code|button|svg)$/.test(node.localName)) explain(node, seen);
  }
  return element;
}

function markWords(text, seen) {
  const found = WORD.exec(text.data);
  if (!found) return;
  const here = text.splitText(found.index);
  const rest = here.splitText(found[0].length);
  const word = found[1].toLowerCase();
  if (!seen.has(word) && seen.add(word)) here.replaceWith(marked(found[0], MEANINGS.get(word)));
  markWords(rest, seen);
}

// A click, or a tap, writes the sentence beside the word, and takes it away again.
function marked(word, told) {
  const node = tag("abbr", { title: told }, word);
  const beside = tag("small", {}, ` (${told})`);
  node.addEventListener("click", () => (beside.isConnected ? beside.remove() : node.after(beside)));
  return node;
}
