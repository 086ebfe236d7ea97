// Find by name: a matrix, also by its meaning, or a block.

import { KEEPS_KEYS, claim, meaningNodes, nameTag, tag } from "../page/dom.js";

const MAX_FOUND = 12; // answers at once
let finders = 0; // for ids, within one page

const small = (text) => (text ?? "").toLowerCase();

// A score of how well some texts match the typed one: the smaller, the better; null for no match.
function answers(texts, typed) {
  const at = texts.findIndex((text) => small(text) === typed);
  if (at >= 0) return at / 10;
  if (texts.some((text) => small(text).startsWith(typed))) return 1;
  return texts.some((text) => small(text).replace(/[_.]/g, " ").includes(` ${typed}`)) ? 2 : null; // where a word begins
}

// The number of enclosing blocks that two levels share.
const common = (level, here) => level.trail.filter((around) => here.trail.includes(around)).length;

// The matrices and blocks that a text names, best and nearest first: {text, level, matrix or null}.
export function findings(levels, typed, here = levels.root, most = MAX_FOUND) {
  const wanted = small(typed.trim());
  if (!wanted) return [];
  const found = [];
  const add = (texts, answer) => {
    const how = answers(texts, wanted);
    if (how !== null) found.push({ how, ...answer });
  };
  for (const level of levels.list) {
    if (level.path) add([level.path, level.label, level.title], { text: level.path, level, matrix: null });
    for (const matrix of level.own) {
      const short = matrix.name.slice(matrix.name.lastIndexOf(".") + 1);
      add([matrix.name, short, matrix.entry.meaning], { text: matrix.name, level, matrix });
    }
  }
  return found.sort((a, b) => a.how - b.how || common(b.level, here) - common(a.level, here)).slice(0, most);
}

export class Finder {
  constructor(explorer) {
    this.explorer = explorer;
    const id = `handcalc-find-${(finders += 1)}`;
    this.field = tag("input", {
      type: "search", role: "combobox", placeholder: "Find Z, scores …", "aria-label": "Find a matrix or a block by name",
      "aria-expanded": "false", "aria-controls": id, "aria-autocomplete": "list", autocomplete: "off", spellcheck: "false", ...KEEPS_KEYS,
    });
    this.list = tag("ul", { id, role: "listbox", "aria-label": "Found", hidden: "" });
    this.element = tag("div", { class: "hc-finder" }, this.field, this.list);
    this.field.addEventListener("input", () => this.show());
    this.field.addEventListener("keydown", (event) => this.onKey(event));
    this.field.addEventListener("blur", () => this.close());
    this.list.addEventListener("pointerdown", (event) => this.onPress(event));
  }

  show() {
    this.found = findings(this.explorer.levels, this.field.value, this.explorer.level);
    this.list.replaceChildren(...this.found.map((answer, k) => this.item(answer, k)));
    this.list.hidden = !this.found.length;
    this.field.setAttribute("aria-expanded", String(!this.list.hidden));
    this.point(0);
  }

  item({ level, matrix }, k) {
    const words = matrix ? [nameTag({ typeset: level.typesetOf(matrix) }), " ", meaningNodes(matrix) ?? ""] : [tag("b", {}, level.label)];
    const titles = (matrix ? level : level.around).trail.map(({ label }) => label).join(" › ");
    return tag("li", { id: `${this.list.id}-${k}`, role: "option", "data-at": k }, ...words, tag("span", {}, titles));
  }

  // Mark the answer that Enter goes to.
  point(at) {
    this.at = this.found.length ? (at + this.found.length) % this.found.length : 0;
    [...this.list.children].forEach((item, k) => item.setAttribute("aria-selected", String(k === this.at)));
    const now = this.list.children[this.at];
    if (now) this.field.setAttribute("aria-activedescendant", now.id);
    else this.field.removeAttribute("aria-activedescendant");
    now?.scrollIntoView({ block: "nearest" });
  }

  onKey(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step && this.found?.length) this.point(this.at + step);
    else if (event.key === "Enter") this.go();
    else if (event.key === "Escape") this.close();
    else return;
    claim(event);
  }

  onPress(event) {
    const item = event.target.closest("li");
    if (!item) return;
    event.preventDefault();
    this.at = Number(item.dataset.at);
    this.go();
  }

  go() {
    const answer = this.found?.[this.at];
    if (!answer) return;
    this.close();
    this.field.value = "";
    this.explorer.navigation.follow(answer.text);
    this.explorer.focus(this.explorer.chosen);
  }

  close() {
    this.found = [];
    this.list.hidden = true;
    this.field.setAttribute("aria-expanded", "false");
    this.field.removeAttribute("aria-activedescendant");
  }
}
