// Words of the course with their sentences from the glossary: one is told where somebody points at it, clicks, taps, or
// comes with the keyboard. All words of a text are one stop of Tab; arrow keys go from one to the next.

import { KEEPS_KEYS, claim, tag } from "./dom.js";
import { GLOSSARY } from "./glossary_words.js";
import { OneStop } from "./one_stop.js";

const MEANINGS = new Map(Object.entries(GLOSSARY).map(([word, told]) => [word.toLowerCase(), told]));
const WORD = new RegExp(`\\b(${[...MEANINGS.keys()].sort((a, b) => b.length - a.length).join("|")})(?:s|es)?\\b`, "i");

// Marks each word of the glossary where an element first has it.
export function explain(element) {
  const found = new Map();
  markIn(element, found);
  const words = [...found.values()];
  const oneStop = new OneStop(() => words);
  oneStop.stop(words[0]);
  for (const word of words) word.addEventListener("keydown", oneStop.onKey);
  return element;
}

function markIn(element, found) {
  for (const node of [...element.childNodes]) {
    if (node.nodeType === Node.TEXT_NODE) markWords(node, found);
    else if (!/^(abbr|code|button|svg)$/.test(node.localName)) markIn(node, found);
  }
}

function markWords(text, found) {
  const match = WORD.exec(text.data);
  if (!match) return;
  const here = text.splitText(match.index);
  const rest = here.splitText(match[0].length);
  const word = match[1].toLowerCase();
  if (!found.has(word)) {
    found.set(word, marked(match[0], MEANINGS.get(word)));
    here.replaceWith(found.get(word));
  }
  markWords(rest, found);
}

// A click, a tap or Enter writes the sentence beside the word, and takes it away again.
function marked(word, told) {
  const node = tag("abbr", { title: told, role: "button", "aria-expanded": "false", ...KEEPS_KEYS }, word);
  const beside = tag("small", {}, ` (${told})`);
  node.addEventListener("click", () => {
    if (beside.isConnected) beside.remove();
    else node.after(beside);
    node.ariaExpanded = beside.isConnected;
  });
  node.addEventListener("keydown", (event) => {
    if (![" ", "Enter"].includes(event.key)) return;
    claim(event);
    node.click();
  });
  return node;
}
