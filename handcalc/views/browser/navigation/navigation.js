// The open blocks, and the ways to others: the strip of blocks, the map, back and on, find, links.

import { addressOf, resolveAddress } from "../record/cell_address.js";
import { BlockMap } from "./block_map.js";
import { BlockStrip } from "./block_strip.js";
import { Finder } from "./finder.js";
import { Visits } from "./visits.js";

export class Navigation {
  // `isPage` is whether the address of the whole page says what is open.
  constructor(explorer, isPage) {
    this.explorer = explorer;
    this.kept = new Set(); // paths that stay open when another one is opened
    this.path = "";
    this.visits = new Visits(isPage, (...place) => this.revisit(...place), (text, at) => this.arrive(text, at));
    this.map = new BlockMap(explorer);
    this.finder = new Finder(explorer);
    this.strip = new BlockStrip(this);
  }

  get level() {
    return this.explorer.levels.byPath.get(this.path);
  }

  get open() {
    return this.explorer.levels.list.filter(({ path }) => path === this.path || this.kept.has(path));
  }

  // Open the same blocks in another form of the calculation.
  reopen() {
    const { levels } = this.explorer;
    for (const path of this.kept) if (!levels.byPath.has(path)) this.kept.delete(path);
    if (!levels.byPath.has(this.path)) this.path = levels.first.path;
    this.level.look();
    this.map.draw();
    this.refresh();
  }

  // Begin at the place that a link or a caller names, or at the sheet of the lesson.
  begin(text) {
    const { explorer } = this;
    const wanted = text || this.visits.address;
    const found = wanted ? resolveAddress(wanted, explorer.levels, explorer.calculation) : null;
    this.path = (found?.level ?? explorer.levels.lesson).path;
    return found?.cell ?? null;
  }

  refresh() {
    this.map.light(this.open.map(({ path }) => path));
    this.explorer.toolbar?.refresh();
    this.strip.refresh();
  }

  // opening -----------------------------------------------------------------------------------

  // Open a block, beside the open ones or instead of them.
  turnTo(level, isBeside = false) {
    if (isBeside) this.kept.add(this.path).add(level.path);
    this.path = level.path;
    this.lay();
  }

  lay() {
    this.level.look();
    this.explorer.layOut();
    this.explorer.stepper.refresh();
    this.refresh();
  }

  // Look at another one of several open sheets: nothing is drawn again.
  lookAt(level) {
    if (level.path === this.path) return;
    this.kept.add(this.path).add(level.path);
    this.path = level.path;
    level.look();
    this.explorer.stepper.refresh();
    this.refresh();
  }

  // Open the target of a text; returns whether it has one.
  follow(text, isBeside = false) {
    const { explorer } = this;
    const found = resolveAddress(text, explorer.levels, explorer.calculation);
    if (!found) return false;
    this.map.giveWay();
    if (found.level.path !== this.path || isBeside) this.turnTo(found.level, isBeside);
    explorer.choose(...(found.cell ?? found.level.result));
    if (found.cell) explorer.sight.show(found.cell);
    else explorer.sight.showSheet();
    return true;
  }

  keep(level) {
    if (!this.kept.delete(level.path)) this.kept.add(level.path);
    this.lay();
    this.explorer.refresh();
  }

  close(level) {
    this.kept.delete(level.path);
    if (level.path === this.path) this.path = this.open.find((other) => other !== level).path;
    if (this.open.length < 2) this.kept.clear();
    this.lay();
    this.explorer.choose(...this.level.result);
  }

  // back and on -------------------------------------------------------------------------------

  // A number was chosen: a place of its own in another block, else the same place.
  note() {
    const { chosen, levels } = this.explorer;
    const text = levels.home(chosen[0]) === this.level ? addressOf(chosen) : this.path;
    if (this.visits.note(this.path, this.explorer.place(chosen), text, this.isByHand)) this.explorer.onOpen(text);
  }

  // The page's address has changed: by its own back and on, or by hand.
  arrive(text, at) {
    const { level } = resolveAddress(text, this.explorer.levels, this.explorer.calculation) ?? {};
    const isOurs = level && this.visits.history.states[at]?.path === level.path;
    if (isOurs || (!text && at === undefined)) return void this.visits.revisit(at ?? 0);
    this.isByHand = at === undefined;
    this.follow(text);
    this.isByHand = false;
  }

  revisit(path, cell) {
    const { explorer } = this;
    if (path !== this.path) this.turnTo(explorer.levels.byPath.get(path) ?? explorer.levels.first);
    explorer.choose(...explorer.found(cell));
  }
}
