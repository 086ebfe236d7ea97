// The controls around the sheet: its title and steps above it, everything that is wanted now and then behind one button,
// what can be done with the chosen number beside its arithmetic; and the places that others fill.

import { asNumpy, asPng, asSvg, copy } from "./export.js";
import { KEEPS_KEYS, allow, button, choice, claim, download, press, tag, toggle } from "../page/dom.js";
import { background } from "../record/colours.js";

const PLACES = [0, 1, 2, 3, 4, 6];
const KEYS = [
  ["click, tap", "read a number's arithmetic"],
  ["drag a given up or down", "move it (with a finger: tap it first)"],
  ["← → ↑ ↓", "move among the numbers of a matrix; Tab goes to the next matrix"],
  ["Enter, Space", "read the number that Tab has reached; for listeners, its arithmetic"],
  ["digits, Enter", "type a given's new value: 2.5, −1, 1/3"],
  ["Alt + ↑ ↓", "move a given one step up or down; with Shift, ten"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["W", "watch the chosen number being made"],
  ["V", "keep the chosen number in view, beside the slider"],
  ["Esc", "cancel, and put the given back"],
  ["→ ←, Page keys", "while presenting: next and back; Page keys scroll first; Esc ends the slides"],
];

const KEYS_OF_BLOCKS = [
  ["click, Enter on the map", "open a block; with Shift or Ctrl, keep the others open"],
  ["Home", "while presenting: back to the title"],
];

export class Toolbar {
  constructor(explorer) {
    this.explorer = explorer;
    const place = (name) => tag("div", { class: name });
    [this.whatIf, this.switched, this.aside, this.keepPlace] = ["hc-what-if", "hc-switched-place", "hc-aside", "hc-row"].map(place);
    this.looks = this.makeLooks();
    this.givens = explorer.hasGivens ? this.makeGivens() : null;
    this.more = new MoreMenu({
      "What if …": [this.whatIf],
      "Find and show": [...this.makeWays(), this.keepPlace, ...this.makeSwitches(), explorer.stepper.bar.askSwitch, legend(explorer.calculation)],
      "Take along": this.makeTakes(),
    });
    this.title = tag("strong", { role: "heading", "aria-level": explorer.rank }, explorer.title);
    this.header = tag("div", { class: "hc-header" }, this.title, explorer.stepper.bar.element, this.switched, this.more.element);
  }

  // The controls for ways to other blocks, and for keeping this one open.
  makeWays() {
    const { navigation, levels } = this.explorer;
    if (!levels.isMany) return [];
    this.keep = toggle("Keep this block open", () => navigation.keep(navigation.level), "Leave this sheet open when another one is opened");
    return [navigation.finder.element, tag("div", { class: "hc-row", role: "group", "aria-label": "Blocks" }, navigation.visits.toBack, navigation.visits.toOn, this.keep)];
  }

  makeSwitches() {
    const { explorer } = this;
    const { variants } = explorer;
    this.switches = {};
    const add = (setting, words, options, read = (value) => value) => {
      const label = choice(words, options, (value) => explorer.set(setting, read(value)));
      this.switches[setting] = label.querySelector("select");
      return label;
    };
    const shown = [];
    if (variants.opening.spec.has_tokens !== false) {
      shown.push(add("convention", "Tokens as", [["columns", "columns"], ["rows", "rows"]]));
    }
    if (variants.has("handout")) {
      shown.push(add("arithmetic", "Arithmetic", [["exact", "exact"], ["handout", "pencil shortcuts"]]));
    }
    const places = [...new Set([...PLACES, explorer.places])].sort((a, b) => a - b);
    return [...shown, add("places", "Decimals", places.map((n) => [n, String(n)]), Number)];
  }

  // Tokens that have changed places are said after the title.
  entitle(swaps) {
    this.title.textContent = [this.explorer.calculation.spec.title, ...swaps].join(", ");
  }

  makeLooks() {
    const { explorer } = this;
    this.trace = toggle("Trace", (isOn) => explorer.showTrace(isOn), "The whole chain of the chosen number");
    this.pin = toggle("Pin", (isOn) => explorer.pin(isOn), "Keep these numbers, then see what changes");
    return tag("div", { class: "hc-acts hc-looks", role: "group", "aria-label": "Look closer" }, this.trace, this.pin);
  }

  makeGivens() {
    const act = (words, how) => button(words, () => this.explorer.edits[how]());
    [this.undo, this.redo, this.reset] = [act("Undo", "undo"), act("Redo", "redo"), act("Reset", "reset")];
    return tag("div", { class: "hc-acts hc-unchanged", role: "group", "aria-label": "Givens" }, this.undo, this.redo, this.reset);
  }

  makeTakes() {
    this.note = tag("span", { class: "hc-note", role: "status" });
    this.text = tag("textarea", { class: "hc-text", readonly: "", hidden: "", rows: "8", "aria-label": "The numbers as numpy code", ...KEEPS_KEYS });
    const keys = tag("dl", {}, ...[...KEYS, ...(this.explorer.levels.isMany ? KEYS_OF_BLOCKS : [])].flatMap(([key, what]) => [tag("dt", {}, key), tag("dd", {}, what)]));
    const help = tag("details", { class: "hc-help" }, tag("summary", KEEPS_KEYS, "Keys"), keys);
    const present = button("Present, full screen", () => {
      this.more.turn(false);
      this.explorer.presentation.open();
    });
    const saves = ["svg", "png"].map((kind) => button(`Save ${kind.toUpperCase()}`, () => this.save(kind)));
    const take = tag("div", { class: "hc-row", role: "group", "aria-label": "Export" }, present, button("Copy as numpy", () => this.copy()), ...saves);
    return [take, this.note, this.text, help];
  }

  // Show which buttons are on, and which can be pressed now.
  refresh() {
    const { explorer } = this;
    for (const [setting, list] of Object.entries(this.switches)) list.value = String(explorer[setting]);
    press(this.trace, explorer.trace.isOn);
    press(this.pin, explorer.comparison.pinned !== null);
    if (this.keep) press(this.keep, explorer.navigation.kept.has(explorer.navigation.path));
    if (this.givens && explorer.edits) this.refreshGivens(explorer.edits.history);
  }

  // Undo, Redo and Reset come with the first change, into a place of their own.
  refreshGivens({ canGoBack, canGoOn }) {
    const { givens, whatIf, navigation } = this.explorer;
    const isChanged = Object.keys({ ...givens, ...whatIf }).length > 0;
    allow(this.undo, canGoBack);
    allow(this.redo, canGoOn);
    allow(this.reset, isChanged);
    if (!isChanged) navigation.strip.mark(null);
    this.givens.classList.toggle("hc-unchanged", !canGoBack && !canGoOn);
  }

  async copy() {
    const { calculation, openSheets } = this.explorer;
    const text = asNumpy(calculation, openSheets.concealed);
    const isCopied = await copy(text);
    this.note.textContent = isCopied ? "Copied: paste it into any Python session." : "The browser did not allow copying: copy the text below.";
    this.text.hidden = isCopied;
    this.text.value = isCopied ? "" : text;
    if (!isCopied) this.text.select();
  }

  async save(kind) {
    const { openSheets, level: { label: title } } = this.explorer;
    const svg = asSvg(openSheets.current.element, title);
    const content = kind === "svg" ? new Blob([svg], { type: "image/svg+xml" }) : await asPng(svg);
    const name = `${title.toLowerCase().replace(/[^\p{L}\p{N}]+/gu, "-")}.${kind}`;
    download(content, name);
    this.note.textContent = `Saved as ${name}.`;
  }
}

const SWATCHES = [1, 0.4]; // of a matrix's largest number

const swatch = (size, neverNegative) => tag("i", { style: `background-color: ${background(size, 1, neverNegative)}` });

const swatches = (sizes, neverNegative = false) => tag("span", { "aria-hidden": "true" }, ...sizes.map((size) => swatch(size, neverNegative)));

// The legend of the colours behind the numbers, in one line: swatches of the colours that the numbers have.
function legend({ matrices }) {
  const hasNeverNegative = matrices.some((matrix) => matrix.entry.never_negative);
  const [strong, weak] = SWATCHES;
  const signs = tag("span", {}, "minus ", swatches([-strong, -weak, 0, weak, strong]), " plus");
  const never = tag("span", {}, swatches([weak, strong], true), " never negative");
  return tag("p", { class: "hc-legend", title: "The stronger the colour, the further the number is from 0, compared with the largest in its matrix." },
    signs, hasNeverNegative ? never : null, tag("span", {}, "the stronger the colour, the larger the number"));
}

let menusMade = 0; // for the id that the button refers to, within one page

// Less common controls behind one button: the menu lies over the sheet, and stays open while a reader tries them.
class MoreMenu {
  // `parts` are lists of elements, each under its heading.
  constructor(parts) {
    const id = `handcalc-more-${(menusMade += 1)}`;
    this.button = button("⋯", () => this.turn(this.popover.hidden), { "aria-label": "More", title: "More: what if, find, settings, save", "aria-expanded": "false", "aria-controls": id });
    const sections = Object.entries(parts).map(([heading, elements]) => tag("section", { "aria-label": heading }, tag("h4", {}, heading), ...elements));
    this.popover = tag("div", { id, class: "hc-menu", role: "group", "aria-label": "More", hidden: "", tabindex: "-1", ...KEEPS_KEYS }, ...sections);
    this.element = tag("div", { class: "hc-more-box" }, this.button, this.popover);
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && this.closeOutside(relatedTarget));
    this.onPress = ({ target }) => this.closeOutside(target);
  }

  turn(isOpen) {
    this.popover.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
    document[isOpen ? "addEventListener" : "removeEventListener"]("pointerdown", this.onPress, true);
  }

  closeOutside(target) {
    if (!this.element.contains(target)) this.turn(false);
  }

  onKey(event) {
    if (event.key !== "Escape" || this.popover.hidden) return;
    claim(event);
    this.turn(false);
    this.button.focus();
  }
}
