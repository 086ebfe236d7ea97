// The controls around the sheet: settings above it, what can be done beside it, what can be saved below; and the
// places that others fill: hints, the legend, what-if switches, what stands beside the sheet.

import { asNumpy, asPng, asSvg, copy, download } from "./export.js";
import { KEEPS_KEYS, allow, button, choice, claim, press, tag, toggle } from "../page/dom.js";
import { background } from "../sheet/colours.js";

const PLACES = [0, 1, 2, 3, 4, 6];
const KEYS = [
  ["click, tap", "read a number's arithmetic"],
  ["drag a given up or down", "move it (with a finger: tap it first)"],
  ["← → ↑ ↓", "move among the numbers of a matrix; Tab goes to the next matrix"],
  ["Enter, Space", "read the number that Tab has reached"],
  ["digits, Enter", "type a given's new value: 2.5, −1, 1/3"],
  ["Alt + ↑ ↓", "move a given one step up or down; with Shift, ten"],
  ["Ctrl + Z, Ctrl + Y", "undo, redo"],
  ["W", "watch the chosen number being made"],
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
    const place = (name, ...parts) => tag("div", { class: name }, ...parts);
    this.hints = place("hc-hints");
    this.header = this.makeHeader();
    this.acts = this.makeActs();
    this.foot = this.makeFoot();
    this.whatIf = place("hc-what-if");
    this.aside = place("hc-aside");
    const hasNeverNegative = explorer.calculation.matrices.some((matrix) => matrix.entry.never_negative);
    this.guide = place("hc-guide", explorer.stepper.bar.element);
    this.bar = place("hc-bar", this.guide, this.whatIf); // in reach while the sheet scrolls
    const legendPlace = place("hc-legend-place", legend(hasNeverNegative));
    if (explorer.levels.isMany) this.foot.firstChild.after(legendPlace); // above, the way to the block has the room
    else this.guide.append(legendPlace);
  }

  makeHeader() {
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
    shown.push(add("places", "Decimals", places.map((n) => [n, String(n)]), Number));
    this.settings = new Settings(...shown, explorer.stepper.bar.askSwitch);
    this.title = tag("strong", { role: "heading", "aria-level": explorer.rank }, explorer.title);
    const present = button("Present, full screen", () => explorer.presentation.open(), { symbol: "full" });
    return tag("div", { class: "hc-header" }, this.title, this.hints, tag("div", { class: "hc-switches" }, this.settings.element, present));
  }

  // The title is of the sheet that was opened: tokens that have changed places since are said after it.
  entitle(swaps) {
    this.title.textContent = [this.explorer.title, ...swaps].join(", ");
  }

  makeActs() {
    const { explorer } = this;
    this.trace = toggle("Trace", (isOn) => explorer.showTrace(isOn), "The whole chain of the chosen number");
    this.pin = toggle("Pin", (isOn) => explorer.pin(isOn), "Keep these numbers, then see what changes");
    this.undo = button("Undo", () => explorer.edits.undo());
    this.redo = button("Redo", () => explorer.edits.redo());
    this.reset = button("Reset", () => explorer.edits.reset());
    const group = (words, ...parts) => tag("div", { role: "group", "aria-label": words }, ...parts);
    const givens = explorer.hasGivens ? group("Givens", this.undo, this.redo, this.reset) : null;
    return tag("div", { class: "hc-acts" }, group("Look closer", this.trace, this.pin), givens);
  }

  makeFoot() {
    this.note = tag("span", { class: "hc-note", role: "status" });
    this.text = tag("textarea", { class: "hc-text", readonly: "", hidden: "", rows: "8", "aria-label": "The numbers as numpy code", ...KEEPS_KEYS });
    const keys = tag("dl", {}, ...[...KEYS, ...(this.explorer.levels.isMany ? KEYS_OF_BLOCKS : [])].flatMap(([key, what]) => [tag("dt", {}, key), tag("dd", {}, what)]));
    const help = tag("details", { class: "hc-help" }, tag("summary", KEEPS_KEYS, "Keys"), keys);
    const saves = ["svg", "png"].map((kind) => button(`Save ${kind.toUpperCase()}`, () => this.save(kind)));
    const take = tag("div", { role: "group", "aria-label": "Export" }, button("Copy as numpy", () => this.copy()), ...saves);
    return tag("div", { class: "hc-foot" }, take, help, this.note, this.text);
  }

  // Show what is on and what can be done just now.
  refresh() {
    const { explorer } = this;
    for (const [setting, list] of Object.entries(this.switches)) list.value = String(explorer[setting]);
    press(this.trace, explorer.trace.isOn);
    press(this.pin, explorer.comparison.pinned !== null);
    allow(this.undo, explorer.edits.history.canGoBack);
    allow(this.redo, explorer.edits.history.canGoOn);
    allow(this.reset, Object.keys({ ...explorer.givens, ...explorer.whatIf }).length > 0);
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

// What the colours behind the numbers mean, in one line: swatches of the colours that the numbers have.
function legend(hasNeverNegative) {
  const [strong, weak] = SWATCHES;
  const signs = tag("span", {}, "minus ", swatches([-strong, -weak, 0, weak, strong]), " plus");
  const never = tag("span", {}, swatches([weak, strong], true), " never negative");
  return tag("p", { class: "hc-legend", title: "The stronger the colour, the further the number is from 0, compared with the largest in its matrix." },
    signs, hasNeverNegative ? never : null, tag("span", {}, "stronger = larger in its matrix"));
}

let settingsMade = 0; // for the id that the button refers to, within one page

// The switches, behind one button: what is set once does not stand between a reader and the numbers.
class Settings {
  constructor(...switches) {
    const id = `handcalc-settings-${(settingsMade += 1)}`;
    this.button = button("Settings", () => this.turn(this.popover.hidden), { "aria-expanded": "false", "aria-controls": id });
    this.popover = tag("div", { id, class: "hc-settings", role: "group", "aria-label": "Settings", hidden: "" }, ...switches);
    this.element = tag("div", { class: "hc-settings-box" }, this.button, this.popover);
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
