// The what-if switches: the same calculation without its scaling, with a mask, with tokens in another order.
// It offers the switches of the open blocks, and lists beside them those in use; a click there switches one back.

import { KEEPS_KEYS, button, press, tag, toggle, typesetNodes } from "../page/dom.js";
import { Scaling } from "./scaling.js";

const [FEWEST_TOKENS, MAX_TOKENS] = [2, 60]; // of a given whose tokens can change places
const [MAX_BUTTONS, MAX_SWAPS] = [6, 3]; // things that have a button each, a swap each; of more there is a list
const isOn = (open, matrix) => open.some(({ own, inputs }) => own.includes(matrix) || inputs.includes(matrix));
const quiet = (words) => tag("span", { class: "hc-quiet", "aria-hidden": "true" }, words);
const pathInWords = (path) => path.split(".").map((part) => part.replaceAll("_", " ")).join(", ");
const isInside = (path, open) => open === "" || path === open || path.startsWith(`${open}.`);
let whatIfsMade = 0; // for names and ids within one page

export class WhatIf {
  constructor(explorer) {
    this.explorer = explorer;
    this.id = `handcalc-what-if-${(whatIfsMade += 1)}`;
    this.places = {}; // of the two tokens that a reader has chosen, by given
    this.last = {}; // what was last chosen in each list of things to switch
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
    this.buttons = []; // each with whether it is pressed
    const parts = [...this.switches(open), ...this.leavingOut(open), ...this.swaps(open), ...this.wholes(open)];
    this.controls.replaceChildren(...parts);
    this.explorer.toolbar.whatIf.closest("section").hidden = !parts.length;
    if (hadFocus) this.focus(hadFocus);
  }

  focus(what) {
    const all = [...this.controls.querySelectorAll("[data-what]")];
    const found = all.filter((node) => node.getAttribute("data-what") === what);
    (found.find((node) => node.checked) ?? found[0] ?? this.explorer.toolbar.more.button).focus({ preventScroll: true });
  }

  // The switches for the steps of the open blocks.
  switches(open) {
    const { calculation: { spec, matrices } } = this.explorer;
    const { switches = [], places = [] } = spec.what_ifs ?? {};
    const paths = new Set(open.map(({ path }) => path));
    const blockOf = ({ at }) => matrices[at].name.slice(0, Math.max(0, matrices[at].name.lastIndexOf(".")));
    const own = (name) => places.filter((place) => place.switch === name);
    return switches.filter(({ name }) => own(name).some((place) => paths.has(blockOf(place)))).map((each) => this.row(`${each.request}${this.whereOf(own(each.name).map(blockOf), open)}:`, this.choice(each)));
  }

  // A sentence that begins with these words, and ends with the choices.
  row(words, ...parts) {
    return tag("div", { class: "hc-what-if-row" }, tag("span", { class: "hc-quiet" }, words), ...parts);
  }

  // The words for the places where a switch acts: in all of them at once.
  whereOf(places, open) {
    if (places.length > 1) return places.length === 2 ? " in both places" : ` in all ${places.length} places`;
    const level = open.find(({ path }) => path && path === places[0]);
    return level ? ` in ${level.label}` : "";
  }

  // The control of a switch: two choices are one button, pressed or not; more are side by side.
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
    return tag("div", { class: "hc-segments", role: "radiogroup", "aria-label": words, title: words }, ...choices.map((choice, k) => this.segment(name, choice, k, value, now)));
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

  // Choose one of many givens with tokens first: a row of lists that look the same would say nothing.
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

  // Parts of the open blocks that are put beside others or added to a sum, and can count as 0.
  leavingOut(open) {
    const found = this.parts.all.map((path) => [path, open.find((block) => isInside(path, block.path))]).filter(([, block]) => block);
    const things = found.map(([path, block]) => {
      const words = pathInWords(path === block.path ? path.split(".").at(-1) : path.slice(block.path && block.path.length + 1));
      const isPressed = () => (this.explorer.whatIf.ablate ?? this.parts.atFirst).includes(path);
      return { words, html: words, label: `${words} off`, title: `What if ${words} had found nothing?`, what: `off ${path}`, isPressed, turn: (isOff) => this.turned(path, isOff) };
    });
    const go = { words: "Leave out", "aria-label": "Switch this part off", title: "What if this part had found nothing?", "data-what": "switch off" };
    return this.things("Leave out", "Leave out:", things, { "aria-label": "Part", "data-what": "off" }, go);
  }

  // The paths of all parts that can be switched off, and of those that are off from the start.
  get parts() {
    const { places = [] } = this.explorer.calculation.spec.what_ifs ?? {};
    const pathsOf = (some) => [...new Set(some.map(({ path }) => path).filter((path) => path !== undefined))];
    return { all: pathsOf(places), atFirst: pathsOf(places.filter(({ now }) => now === "off")) };
  }

  turned(path, isOff) {
    return this.asked.turned(path, isOff, this.parts.atFirst, this.parts.all);
  }

  // Givens as a whole: all zeros, and their numbers again; all times the same.
  wholes(open) {
    const isWorthIt = open.some((level) => level.steps.length > 1); // of a lone step all would be 0
    const givens = !isWorthIt ? [] : this.explorer.calculation.givens.filter((matrix) => isOn(open, matrix) && matrix.name && matrix.rowCount * matrix.columnCount > 1);
    const things = givens.map((matrix) => {
      const { inWords, name, typeset } = matrix;
      return { words: inWords, html: typeset.name, label: `${inWords} all zeros`, title: `What if ${inWords} were all zeros?`, what: `zero ${name}`, isPressed: () => this.asked.zeroed.includes(name), turn: (isZero) => this.asked.zero(matrix, isZero) };
    });
    const zeros = this.things("All zeros", "Set to zeros:", things, { "aria-label": "Given", "data-what": "zero" }, { words: "all zeros", "data-what": "all zeros" });
    return [...zeros, ...(givens.length ? [this.scaling.control(givens)] : [])];
  }

  // A row of things to switch: a button for each; of many, a list of them and a button.
  things(name, words, things, list, go) {
    if (!things.length) return [];
    const parts = things.length > MAX_BUTTONS ? [this.list(things, list, go)] : things.map((thing) => this.button(thing));
    return [tag("div", { class: "hc-things hc-what-if-row", role: "group", "aria-label": name }, quiet(words), ...parts)];
  }

  button({ html, label, title, what, isPressed, turn }) {
    const node = toggle("", (isDown) => this.ask(turn(isDown)), title);
    node.append(typesetNodes(html));
    node.setAttribute("aria-label", label);
    node.setAttribute("data-what", what);
    this.buttons.push([node, isPressed]);
    return node;
  }

  list(things, attributes, { words, ...go }) {
    const name = attributes["aria-label"];
    const node = tag("select", { ...attributes, ...KEEPS_KEYS }, ...things.map((thing, k) => tag("option", { value: k }, thing.words)));
    node.selectedIndex = Math.max(0, things.findIndex(({ what }) => what === this.last[name]));
    const turn = () => {
      const { what, turn: changes } = things[node.selectedIndex];
      this.last[name] = what;
      this.ask(changes(true));
    };
    return tag("span", {}, node, " ", button(words, turn, go));
  }

  // what is switched ----------------------------------------------------------------------------

  say() {
    const hadFocus = this.chips.contains(document.activeElement);
    const swapped = this.swappedNow();
    const chips = [...this.switchedNow(), ...this.leftOutNow(), ...swapped.map(({ chip }) => chip), ...this.zeroedNow()];
    this.explorer.toolbar.entitle(swapped.map(({ words }) => words));
    for (const [node, isPressed] of this.buttons) press(node, isPressed());
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

  leftOutNow() {
    const { explorer: { whatIf: { ablate: off } }, parts: { atFirst } } = this;
    const chip = (path, word) => this.chip(`${pathInWords(path)} ${word}`, () => this.turned(path, word === "on"));
    const [gone, back] = off ? [off.filter((path) => !atFirst.includes(path)), atFirst.filter((path) => !off.includes(path))] : [[], []];
    return [...gone.map((path) => chip(path, "off")), ...back.map((path) => chip(path, "on"))];
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
