// The what-if switches: the same calculation without its scaling, with a mask, with tokens in another order.
// It offers what the open blocks have, and says beside them what is switched; a click there switches it back.

import { AblationControls } from "./ablation.js";
import { KEEPS_KEYS, button, press, tag, toggle, typesetNodes } from "../page/dom.js";
import { Scaling } from "./scaling.js";

const [FEWEST_TOKENS, MAX_TOKENS] = [2, 60]; // of a given whose tokens can change places
const [MAX_BUTTONS, MAX_SWAPS] = [6, 3]; // givens that have a button each, a swap each; of more there is a list
const isOn = (open, matrix) => open.some(({ own, inputs }) => own.includes(matrix) || inputs.includes(matrix));
const quiet = (words) => tag("span", { class: "hc-quiet", "aria-hidden": "true" }, words);
let whatIfsMade = 0; // for names and ids within one page

export class WhatIf {
  constructor(explorer) {
    this.explorer = explorer;
    this.id = `handcalc-what-if-${(whatIfsMade += 1)}`;
    this.places = {}; // of the two tokens that a reader has chosen, by given
    this.parts = new AblationControls(this);
    this.scaling = new Scaling(explorer);
    this.controls = tag("div", { class: "hc-what-if-controls", role: "group", "aria-label": "What if" });
    this.chips = tag("div", { class: "hc-switched-now", role: "group", "aria-label": "Switched on" });
    explorer.toolbar.whatIf.replaceChildren(this.controls);
    explorer.toolbar.switched.replaceChildren(this.chips);
  }

  get asked() {
    return this.explorer.comparison.asked;
  }

  // Another block is open, or the calculation is another one.
  refresh() {
    const { calculation, navigation: { open } } = this.explorer;
    const now = [calculation, ...open.map(({ path }) => path)];
    if (this.shown?.length === now.length && now.every((part, k) => part === this.shown[k])) return;
    this.shown = now;
    this.make(open);
    this.say();
  }

  settle() {
    this.scaling.settle();
    const { comparison, openSheets, toolbar } = this.explorer;
    if (!this.asked.note()) return;
    comparison.open();
    openSheets.tell("patch");
    this.explorer.refresh();
    toolbar.refresh();
    this.say();
  }

  ask(changes) {
    this.explorer.edits.make(changes);
  }

  // controls ------------------------------------------------------------------------------------

  make(open) {
    const hadFocus = this.controls.contains(document.activeElement) && document.activeElement.getAttribute("data-what");
    const parts = [...this.switches(open), this.parts.control(open), ...this.swaps(open), ...this.wholes(open)].filter(Boolean);
    this.controls.replaceChildren(...parts);
    this.explorer.toolbar.whatIf.closest("section").hidden = !parts.length;
    if (hadFocus) this.focus(hadFocus);
  }

  focus(what) {
    const all = [...this.controls.querySelectorAll("[data-what]")];
    const found = all.filter((node) => node.getAttribute("data-what") === what);
    (found.find((node) => node.checked) ?? found[0] ?? this.explorer.toolbar.more.button).focus({ preventScroll: true });
  }

  // What the steps of the open blocks could be instead.
  switches(open) {
    const { calculation: { spec, matrices } } = this.explorer;
    const { switches = [], places = [] } = spec.what_ifs ?? {};
    const paths = new Set(open.map(({ path }) => path));
    const blockOf = ({ at }) => matrices[at].name.slice(0, Math.max(0, matrices[at].name.lastIndexOf(".")));
    const own = (name) => places.filter((place) => place.switch === name);
    return switches.filter(({ name }) => own(name).some((place) => paths.has(blockOf(place)))).map((each) => this.row(`${each.request}${this.whereOf(own(each.name).map(blockOf), open)}:`, this.choice(each)));
  }

  // A sentence that begins with these words, and goes on with what can be chosen.
  row(words, ...parts) {
    return tag("div", { class: "hc-what-if-row" }, tag("span", { class: "hc-quiet" }, words), ...parts);
  }

  // Where a switch acts: everywhere that there is one.
  whereOf(places, open) {
    if (places.length > 1) return places.length === 2 ? " in both places" : ` in all ${places.length} places`;
    const level = open.find(({ path }) => path && path === places[0]);
    return level ? ` in ${level.label}` : "";
  }

  // One of two is a button that is pressed or not; of more, one stands beside the other.
  choice({ name, title: words, now, choices }) {
    const value = this.explorer.whatIf[name] ?? now;
    const other = choices.find((choice) => choice.value !== now);
    if (choices.length === 2) {
      const on = now === "none" ? other : choices.find((choice) => choice.value === now);
      const node = toggle("", (isOn) => this.ask(this.asked.switched(name, isOn ? on.value : choices.find((choice) => choice !== on).value, now)), words);
      node.append(typesetNodes(String(on.label)));
      node.setAttribute("data-what", name);
      press(node, value === on.value);
      return node;
    }
    const segments = tag("div", { class: "hc-segments", role: "radiogroup", "aria-label": words, title: words }, ...choices.map((choice, k) => this.segment(name, choice, k, value, now)));
    return segments;
  }

  segment(name, choice, k, value, now) {
    const isSwitched = choice.value === value && value !== now;
    const input = tag("input", { type: "radio", class: isSwitched ? "hc-switched" : null, name: `${this.id}-${name}`, value: k, "data-what": name, ...KEEPS_KEYS });
    input.checked = choice.value === value;
    input.addEventListener("change", () => this.ask(this.asked.switched(name, choice.value, now)));
    return tag("label", {}, input, tag("span", {}, typesetNodes(String(choice.label))));
  }

  // Tokens that can change places: two lists, and a button between.
  swaps(open) {
    const { convention, calculation } = this.explorer;
    const axis = convention === "columns" ? 1 : 0;
    const hasTokens = (matrix) => isOn(open, matrix) && matrix.labels(axis) && matrix.entry.shape[axis] >= FEWEST_TOKENS && matrix.entry.shape[axis] <= MAX_TOKENS;
    const found = calculation.givens.filter(hasTokens);
    const swap = (matrix) => this.swap(matrix, matrix.labels(axis));
    return found.length > MAX_SWAPS ? [this.swapIn(found, swap)] : found.map(swap);
  }

  // Of many givens with tokens one is chosen first: a row of lists that look the same would say nothing.
  swapIn(found, swap) {
    const node = tag("select", { "aria-label": "Swap in", "data-what": "swap in", ...KEEPS_KEYS }, ...found.map((matrix, k) => tag("option", { value: k }, matrix.inWords)));
    node.selectedIndex = Math.max(0, found.findIndex(({ name }) => name === this.swapsIn));
    const box = tag("div", { class: "hc-swap" });
    const show = () => {
      this.swapsIn = found[node.selectedIndex].name;
      box.replaceChildren(quiet("Of"), node, swap(found[node.selectedIndex]));
    };
    node.addEventListener("change", () => { show(); node.focus({ preventScroll: true }); });
    show();
    return box;
  }

  swap(matrix, labels) {
    const { inWords } = matrix;
    const twice = new Set(labels.filter((word, k) => labels.indexOf(word) !== k));
    const options = () => labels.map((word, k) => tag("option", { value: k }, twice.has(word) ? `${word} (${k + 1})` : word));
    const list = (words) => tag("select", { "aria-label": `${words} token of ${inWords}`, "data-what": `${words} ${matrix.name}`, ...KEEPS_KEYS }, ...options());
    const [one, other] = [list("First"), list("Second")];
    const keep = () => { this.places[matrix.name] = [one.selectedIndex, other.selectedIndex]; };
    for (const node of [one, other]) node.addEventListener("change", keep);
    [one.selectedIndex, other.selectedIndex] = this.places[matrix.name] ?? [0, 1];
    const go = button("Swap", () => {
      keep();
      if (one.selectedIndex !== other.selectedIndex) this.ask(this.asked.swapped(matrix.name, labels.length, one.selectedIndex, other.selectedIndex));
    }, { "aria-label": `Swap these tokens of ${inWords}`, title: "Swap these two tokens", "data-what": `swap ${matrix.name}` });
    return tag("div", { class: "hc-swap hc-what-if-row", role: "group", "aria-label": `Swap two tokens of ${inWords}` }, quiet("Swap"), one, quiet("and"), other, quiet(`in ${inWords}`), go);
  }

  // Givens as a whole: all zeros, and their numbers again; all times the same.
  wholes(open) {
    const isWorthIt = open.some((level) => level.steps.length > 1); // of a lone step all would be 0
    const givens = !isWorthIt ? [] : this.explorer.calculation.givens.filter((matrix) => isOn(open, matrix) && matrix.name && matrix.rowCount * matrix.columnCount > 1);
    this.buttons = new Map();
    if (!givens.length) return [];
    const parts = givens.length > MAX_BUTTONS ? [this.list(givens)] : givens.map((matrix) => this.zero(matrix));
    const zeros = tag("div", { class: "hc-zeros hc-what-if-row", role: "group", "aria-label": "All zeros" }, quiet("Set to zeros:"), ...parts);
    return [zeros, this.scaling.control(givens)];
  }

  zero(matrix) {
    const node = toggle("", (isOn) => this.ask(this.asked.zero(matrix, isOn)), `What if ${matrix.inWords} were all zeros?`);
    node.append(typesetNodes(matrix.typeset.name));
    node.setAttribute("aria-label", `${matrix.inWords} all zeros`);
    node.setAttribute("data-what", `zero ${matrix.name}`);
    this.buttons.set(matrix.name, node);
    return node;
  }

  list(givens) {
    const node = tag("select", { "aria-label": "Given", "data-what": "zero", ...KEEPS_KEYS }, ...givens.map((matrix, k) => tag("option", { value: k }, matrix.inWords)));
    const go = button("all zeros", () => this.ask(this.asked.zero(givens[node.selectedIndex], true)), { "data-what": "all zeros" });
    return tag("span", {}, node, " ", go);
  }

  // what is switched ----------------------------------------------------------------------------

  say() {
    const hadFocus = this.chips.contains(document.activeElement);
    const swapped = this.swappedNow();
    const chips = [...this.switchedNow(), ...this.parts.chips(), ...swapped.map(({ chip }) => chip), ...this.zeroedNow()];
    this.explorer.toolbar.entitle(swapped.map(({ words }) => words));
    for (const [name, node] of this.buttons) press(node, this.asked.zeroed.includes(name));
    this.parts.say();
    this.chips.replaceChildren(...chips);
    if (hadFocus) (this.chips.querySelector("button") ?? this.explorer.toolbar.more.button).focus({ preventScroll: true });
  }

  switchedNow() {
    const { calculation: { spec }, whatIf } = this.explorer;
    return (spec.what_ifs?.switches ?? []).filter(({ name }) => name in whatIf).map(({ name, now, choices }) => {
      const choice = choices.find(({ value }) => value === whatIf[name]) ?? { label: whatIf[name] };
      const words = name === "temperature" ? `T = ${choice.label}` : choice.label;
      return this.chip(typesetNodes(String(words)), () => this.asked.switched(name, now, now));
    });
  }

  swappedNow() {
    return Object.entries(this.explorer.whatIf.order ?? {}).map(([name, order]) => {
      const labels = this.labelsAtFirst(name);
      const moved = order.filter((k, at) => k !== at);
      const [one, other] = moved.sort((a, b) => a - b);
      const words = moved.length === 2 ? `${labels[one]} ⇄ ${labels[other]}` : "tokens reordered";
      return { words, chip: this.chip(words, () => this.asked.unswapped(name)) };
    });
  }

  labelsAtFirst(name) {
    const { calculation, convention, whatIf } = this.explorer;
    const matrix = calculation.byName.get(name);
    const axis = convention === "columns" ? 1 : 0;
    const labels = matrix.labels(axis);
    return Array.isArray(matrix.entry[["rows", "columns"][axis]]) ? labels.map((_, k) => labels[whatIf.order[name].indexOf(k)]) : labels;
  }

  zeroedNow() {
    const { calculation } = this.explorer;
    return this.asked.zeroed.map((name) => {
      const matrix = calculation.byName.get(name);
      const words = typesetNodes(`${matrix.typeset.name} = 0`);
      return this.chip(words, () => this.asked.zero(matrix, false));
    });
  }

  chip(words, changes) {
    const node = button("", () => this.ask(changes()), { class: "hc-switch-back", title: "Switch it back" });
    node.append(words, tag("span", { "aria-hidden": "true" }, " ×"));
    node.setAttribute("aria-label", `${node.firstChild ? node.textContent.replace(" ×", "") : ""}: switch it back`);
    return node;
  }
}
