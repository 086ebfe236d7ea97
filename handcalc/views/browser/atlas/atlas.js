// A large calculation: its map, and the sheet of one block at a time, which is fetched when somebody opens it.
//
// The sheet is an explorer of its own: it can do all that the explorer of a single block can. This
// module has the parts around it: the map, the trail, back and on, find, and the ways from its numbers to other blocks.

import { BlockMap } from "../navigation/block_map.js";
import { BlockStrip } from "../navigation/block_strip.js";
import { Explorer } from "../explorer/explorer.js";
import { Finder } from "../navigation/finder.js";
import { Visits } from "../navigation/visits.js";
import { BlockCache } from "./block_cache.js";
import { MovedGivens } from "./moved_givens.js";
import { Outline, waysAround, waysBeyond } from "./atlas_outline.js";
import { addressOf, resolveAddress } from "../record/cell_address.js";
import { button, nameTag, tag } from "../page/dom.js";
import { titlesTo } from "../sheet/ports.js";
import { isSame } from "../record/dependence.js";

const PATIENCE_WITH_KERNEL = 6000; // milliseconds
const NO_ANSWER = "Python has not answered yet. Is the kernel running? If not, run the cell again.";
const UNKNOWN_WIDTH = 1280; // pixels, of a page that is not shown yet

export class Atlas {
  // `fetch(path)` promises {variants, left_out, trouble}; `askMap(convention)` asks for a map; `onMove(moved)`, if
  // there is a kernel, has all blocks calculated with moved givens, {name: [[row, column, value], ...]}; `onOpen` and `onSetting` are those of an explorer.
  constructor(root, book, { fetch, askMap = () => {}, onMove = null, open = "", isPage = false, level: rank = 3, onOpen = () => {}, onSetting = () => {}, note = "", ...settings }) {
    Object.assign(this, { element: root, book, askMap, onMove, isPage, rank, onOpen, onSetting, settings, note });
    this.outline = new Outline(book);
    this.levels = this.outline.levels;
    this.calculation = this.outline; // as the finder and links read it
    this.convention = settings.convention || book.convention;
    if (this.convention !== book.convention) this.outline.turn();
    this.variants = { map: (convention) => book.maps[convention] };
    this.kept = new BlockCache(fetch);
    this.moves = new MovedGivens();
    this.visits = new Visits(isPage, (...place) => (this.opened = this.open(...place)), (text, at) => this.arrive(text, at));
    root.classList.add("handcalc-explorer", "hc-atlas");
    this.space = root.clientWidth || UNKNOWN_WIDTH;
    this.makeParts();
    const wanted = open || this.visits.address;
    const found = wanted ? resolveAddress(wanted, this.levels, this.outline) : null;
    this.opened = this.open((found?.level ?? this.levels.first).path, found?.cell ?? null);
  }

  makeParts() {
    this.path = "";
    this.map = new BlockMap(this);
    this.finder = new Finder(this);
    this.strip = new BlockStrip(this);
    this.state = tag("p", { class: "hc-why", role: "status" });
    this.putBack = button("Put all back", () => this.moveBack());
    this.moved = tag("p", { class: "hc-why", hidden: "" }, tag("span", { role: "status" }), " ", this.putBack);
    this.ways = tag("div", { class: "hc-block-head" });
    this.place = tag("div", { class: "hc-opened" });
    const title = tag("strong", { role: "heading", "aria-level": this.rank }, this.outline.title);
    const numbers = `${this.book.count.toLocaleString("en")} numbers, one block at a time.`;
    const about = tag("span", { class: "hc-quiet" }, [numbers, this.note].filter(Boolean).join(" "));
    const ways = tag("div", { class: "hc-row", role: "group", "aria-label": "Visited" }, this.visits.toBack, this.visits.toOn, this.finder.element);
    this.element.replaceChildren(tag("div", { class: "hc-header" }, title, about, ways), this.strip.element, this.map.element, this.state, this.moved, this.ways, this.place);
    this.map.draw();
    this.element.addEventListener("click", (event) => this.onLink(event));
    new ResizeObserver(([{ contentRect }]) => this.resize(contentRect.width)).observe(this.element);
  }

  resize(width) {
    if (!width || width === this.space) return;
    this.space = width;
    this.map.resize();
  }

  // As the trail, the map and the finder ask ------------------------------------------------------

  get explorer() {
    return this;
  }

  get navigation() {
    return this;
  }

  get level() {
    return this.levels.byPath.get(this.path);
  }

  get chosen() {
    return this.inner?.chosen;
  }

  focus(cell) {
    if (cell) this.inner.focus(cell);
  }

  // opening -----------------------------------------------------------------------------------

  // Open the target of a text; returns whether it has one.
  follow(text) {
    const found = resolveAddress(text, this.levels, this.outline);
    if (!found) return false;
    this.map.giveWay();
    this.opened = this.open(found.level.path, found.cell && [found.cell[0].name, ...found.cell.slice(1)]);
    return true;
  }

  // Open a block at a number, [name in the whole, row, column]; of what was asked for last, the last is shown.
  async open(path, cell = null) {
    const asked = (this.asked = Symbol(path));
    const named = cell && typeof cell[0] !== "string" ? [cell[0].name, ...cell.slice(1)] : cell;
    if (path !== this.path || !this.inner) {
      const title = titlesTo(this.levels.byPath.get(path));
      this.say(`Opening ${title} …`);
      const timer = setTimeout(() => asked === this.asked && this.say(`Opening ${title} … ${NO_ANSWER}`), PATIENCE_WITH_KERNEL);
      const block = await this.kept.get(path);
      clearTimeout(timer);
      if (asked !== this.asked) return;
      if (block.trouble) return this.say(block.trouble);
      this.show(path, block, named);
    }
    const found = named && this.within(named);
    if (found && !isSame(found, this.inner.chosen)) {
      this.inner.choose(...found);
      this.inner.sight.show(found);
    }
    this.noteVisit();
  }

  show(path, { variants, left_out: leftOut, is_file: isFile }, cell) {
    this.path = path;
    this.inner?.stepper.pause();
    this.inner = null; // what a new sheet chooses first is none of the old one's
    const root = tag("div");
    this.place.replaceChildren(root);
    const first = cell && variants[0].spec.matrices.find(({ origin, name }) => name && origin === cell[0]);
    this.inner = new Explorer(root, variants, {
      open: first ? addressOf([first, ...cell.slice(1)]) : "",
      ...this.settings,
      convention: this.convention,
      level: this.rank + 1,
      ways: (cell) => waysBeyond(cell, this.levels, this.level),
      onChoose: () => this.inner && this.noteVisit(),
      onSetting: (name, value) => this.set(name, value),
      onGivens: () => this.move(),
    });
    this.say(...(leftOut?.length ? this.leftOutWords(leftOut, path, isFile) : []));
    this.map.rest(innerHeight, this.space);
    this.map.light([path]);
    this.strip.refresh();
    this.ways.replaceChildren(...waysAround(this.inner.calculation, this.levels, this.level));
  }

  // Drop the open block, and all that are kept.
  close() {
    this.inner?.stepper.pause();
    this.inner = null;
    this.kept.clear();
    this.element.replaceChildren();
  }

  say(...words) {
    this.state.replaceChildren(...words);
    this.state.hidden = !words.length;
  }

  // A note on what a file leaves out and how to have it, or on a block too large for any page.
  leftOutWords(names, path, isFile) {
    const listed = names.flatMap((name, k) => [k === 0 ? "" : k === names.length - 1 ? " and " : ", ", nameTag({ typeset: this.level.typesetOf(this.outline.byName.get(name)) })]);
    const what = `so what is calculated with ${names.length > 1 ? "them" : "it"} is given here.`;
    if (!isFile) return ["This block has too many numbers for a page. It is shown without ", ...listed, `, ${what}`];
    return ["This file leaves out ", ...listed, ` of this block, ${what} With all its numbers: `, tag("code", {}, `${path ? `calc.blocks["${path}"]` : 'calc.level("")'}.save_html("block.html")`)];
  }

  // The number of the open sheet that has this name in the whole.
  within([name, row, column]) {
    const matrix = this.inner.calculation.matrices.find(({ entry, isVisible }) => entry.origin === name && isVisible);
    return matrix && row < matrix.rowCount && column < matrix.columnCount ? [matrix, row, column] : null;
  }

  // A switch of the sheet goes with a reader to the next one.
  set(name, value) {
    this.settings[name] = value;
    if (name === "convention") {
      this.convention = value;
      this.outline.turn();
      this.moves.turn();
      if (!this.book.maps[value]) this.askMap(value);
      this.drawMap();
    }
    this.onSetting(name, value);
  }

  // The map in a convention has come.
  learn(convention, drawings) {
    this.book.maps[convention] = drawings;
    this.drawMap();
  }

  drawMap() {
    this.map.draw();
    this.map.light([this.path]);
  }

  // moving givens -----------------------------------------------------------------------------

  // A movement has ended: all other blocks are calculated again where the kernel is.
  move() {
    const moved = this.moves.take(this.inner.calculation.givens);
    if (!this.onMove || !Object.keys(moved).length) return;
    this.tell("The other blocks are being calculated …");
    this.onMove(moved, this.convention, this.path);
  }

  moveBack() {
    this.moves = new MovedGivens();
    this.onMove({}, this.convention, this.path);
  }

  // Blocks sent before are out of date; so is the open one, if it reads a number that has changed elsewhere.
  async followed({ followed, is_behind: isBehind, trouble }) {
    this.tell(followed ? this.moves.words : trouble);
    if (!followed) return;
    const [matrix, ...place] = this.inner.chosen;
    const cell = matrix.entry.origin ? [matrix.entry.origin, ...place] : null;
    this.kept.clear();
    if (!isBehind) return;
    this.inner = null;
    this.opened = this.open(this.path, cell);
    await this.opened;
  }

  tell(text) {
    this.moved.firstChild.textContent = text;
    this.moved.hidden = !text;
    this.putBack.hidden = !this.moves.words;
  }

  // links and keys ---------------------------------------------------------------------------

  // A link to another block is followed here; what the sheet has itself it follows itself.
  onLink(event) {
    const link = event.target.closest?.("[data-elsewhere], [data-open], [data-block]");
    if (!link || (this.place.contains(link) && !link.dataset.elsewhere)) return;
    event.preventDefault();
    const { elsewhere, in: path, open, names, block } = link.dataset;
    if (!elsewhere) return this.follow(open ?? names?.split("\n")[0] ?? block);
    const found = resolveAddress(elsewhere, this.levels, this.outline);
    if (!found) return;
    this.map.giveWay();
    this.opened = this.open(path ?? found.level.path, found.cell);
  }

  // back and on -------------------------------------------------------------------------------

  noteVisit() {
    if (!this.inner?.chosen) return;
    const [matrix, row, column] = this.inner.chosen;
    const { origin } = matrix.entry;
    const cell = origin ? [origin, row, column] : null;
    const text = cell && !matrix.entry.from_outside ? addressOf([{ name: origin }, row, column]) : this.path;
    if (this.visits.note(this.path, cell, text)) this.onOpen(text);
  }

  arrive(text, at) {
    if (at !== undefined && this.visits.history.states[at]) this.visits.revisit(at);
    else this.follow(text);
  }
}
