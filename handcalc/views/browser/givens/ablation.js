// Switching parts off: a head, or another part that is put beside others or added to a sum, counts as 0.

import { KEEPS_KEYS, button, press, tag, toggle } from "../page/dom.js";

const MAX_PARTS = 6; // that have a button each; of more there is a list

const pathInWords = (path) => path.split(".").map((part) => part.replaceAll("_", " ")).join(", ");
const isInside = (path, open) => open === "" || path === open || path.startsWith(`${open}.`);

export class AblationControls {
  constructor(whatIf) {
    this.whatIf = whatIf;
    this.buttons = new Map(); // by path
  }

  // The places of all parts that can be switched off, also of those that are off from the start.
  get all() {
    const { places = [] } = this.whatIf.explorer.calculation.spec.what_ifs ?? {};
    return places.filter(({ path }) => path !== undefined);
  }

  get paths() {
    return [...new Set(this.all.map(({ path }) => path))];
  }

  get atFirst() {
    return [...new Set(this.all.filter(({ now }) => now === "off").map(({ path }) => path))];
  }

  get off() {
    return this.whatIf.explorer.whatIf.ablate ?? this.atFirst;
  }

  turn(path, isOff) {
    this.whatIf.ask(this.whatIf.asked.turned(path, isOff, this.atFirst, this.paths));
  }

  // The control for the parts of the open blocks.
  control(open) {
    this.buttons.clear();
    const found = this.paths.map((path) => [path, open.find((block) => isInside(path, block.path))]).filter(([, block]) => block);
    if (!found.length) return null;
    const named = found.map(([path, block]) => [path, pathInWords(path === block.path ? path.split(".").at(-1) : path.slice(block.path && block.path.length + 1))]);
    const parts = named.length > MAX_PARTS ? [this.list(named)] : named.map(([path, words]) => this.button(path, words));
    return tag("div", { class: "hc-parts hc-what-if-row", role: "group", "aria-label": "Leave out" }, tag("span", { class: "hc-quiet", "aria-hidden": "true" }, "Leave out:"), ...parts);
  }

  button(path, words) {
    const node = toggle(words, (isOff) => this.turn(path, isOff), `What if ${words} had found nothing?`);
    node.setAttribute("aria-label", `${words} off`);
    node.setAttribute("data-what", `off ${path}`);
    press(node, this.off.includes(path));
    this.buttons.set(path, node);
    return node;
  }

  list(named) {
    const node = tag("select", { "aria-label": "Part", "data-what": "off", ...KEEPS_KEYS }, ...named.map(([path, words]) => tag("option", { value: path }, words)));
    if (named.some(([path]) => path === this.last)) node.value = this.last;
    const go = button("Leave out", () => this.turn((this.last = node.value), true), { "aria-label": "Switch this part off", title: "What if this part had found nothing?", "data-what": "switch off" });
    return tag("span", {}, node, " ", go);
  }

  say() {
    for (const [path, node] of this.buttons) press(node, this.off.includes(path));
  }

  chips() {
    const { ablate: off } = this.whatIf.explorer.whatIf;
    if (!off) return [];
    const back = this.atFirst.filter((path) => !off.includes(path));
    const gone = off.filter((path) => !this.atFirst.includes(path));
    const chip = (path, word, isOff) => this.whatIf.chip(`${pathInWords(path)} ${word}`, () => this.whatIf.asked.turned(path, isOff, this.atFirst, this.paths));
    return [...gone.map((path) => chip(path, "off", false)), ...back.map((path) => chip(path, "on", true))];
  }
}
