// The teacher's page: a live grid of students by steps, and the teacher's controls.

import { CellView, firstToLookAt } from "./cell_view.js";
import { NewStudentView, Panel, StepView, StudentView } from "./opened_views.js";
import { tag } from "../../../views/browser/page/dom.js";
import { button, updateAttribute } from "./elements.js";
import { kindSwitch, PeopleGrid } from "./people_grid.js";
import { ask } from "./server_requests.js";
import { AlarmList, DoubtList, EmptiedList, MistakeList, HelpList, NewcomerList } from "./attention_lists.js";
import { StudentNames } from "./teacher_words.js";
import { applyEvent, busiestKind } from "./sheet_progress.js";
import { findToken, followEvents } from "./event_stream.js";
import { TopBar } from "./topbar.js";

const ORDERS = [["name", "Name"], ["progress", "Progress"], ["help", "Needs help"]];
const DOWNLOAD_BEGINS = 10_000; // milliseconds that the browser may take to begin one
const kept = (name) => localStorage.getItem(`handcalc class ${name}`);
const keep = (name, value) => localStorage.setItem(`handcalc class ${name}`, value);

class TeacherPage {
  constructor(root, token) {
    Object.assign(this, { root, token, known: null, kind: 0, marked: new Set(), markedBy: null, orderBy: kept("order") ?? "name" });
    this.naming = new StudentNames(kept("names") === "hidden");
    this.act = this.act.bind(this);
    this.grids = new Map();
    this.panel = new Panel();
    this.parts = [new AlarmList(this), new NewcomerList(this), new DoubtList(this), new EmptiedList(this), new HelpList(this, "Who needs help now", "needs"), new MistakeList(this, "Mistakes seen", "mistakes")];
    this.bar = new TopBar(this);
    this.switch = tag("div", { class: "switches" });
    this.trouble = tag("p", { class: "trouble", role: "alert" });
    this.place = tag("div", { class: "place" });
    this.grid = tag("section", { class: "grid", "aria-label": "Students by steps" }, this.switch, this.place);
    const [alarms, newcomers, doubts, emptied, needs, mistakes] = this.parts.map(({ element }) => element);
    this.side = tag("div", { class: "side" }, alarms, newcomers, this.panel.element, doubts, emptied, needs, mistakes);
    document.addEventListener("keydown", (event) => this.key(event));
  }

  ask(path, body) {
    return ask(path, this.token, body);
  }

  // Carries out a decision for the class; a failure is told in one sentence.
  async act(what) {
    try {
      const found = await this.ask("api/class/do", what);
      this.trouble.textContent = "";
      return found;
    } catch (error) {
      this.trouble.textContent = error.message;
      return null;
    }
  }

  hear(event) {
    const isFirst = !this.known;
    const { known, codes } = applyEvent(this.known, event);
    this.known = known;
    this.naming.names = known.names;
    this.bar.freshness(known.at, true);
    if (isFirst) this.root.replaceChildren(this.bar.element, tag("main", {}, this.bar.notice, this.trouble, tag("div", { class: "both" }, this.side, this.grid)));
    if (isFirst) this.kind = busiestKind(known);
    if (isFirst || event.kinds) this.lay();
    this.show(codes);
    if (this.panel.view?.load && (!codes || this.panel.view.codes.some((code) => codes.includes(code)))) this.reload();
  }

  heard(state) {
    if (typeof state === "string") this.root.replaceChildren(tag("main", { class: "alone" }, tag("p", { role: "alert" }, state)));
    else if (this.known && !state) this.bar.freshness(this.known.at, false);
    else if (this.known) return;
    else if (!state) this.root.replaceChildren(tag("main", { class: "alone" }, tag("p", { role: "status" }, "The class cannot be reached; trying again …")));
  }

  // Lays out the page again, for other kinds of sheets or another one to look at.
  lay() {
    const { kinds } = this.known;
    if (!kinds[this.kind]) this.kind = 0;
    this.grids.clear();
    const orders = ORDERS.map(([name, words]) => button(words, () => this.sort(name), { "aria-pressed": String(name === this.orderBy) }));
    const order = tag("div", { class: "orders", role: "group", "aria-label": "Order" }, tag("span", {}, "Order by"), ...orders);
    this.switch.replaceChildren(...(kinds.length > 1 ? [kindSwitch(this.known, this.kind, (kind) => this.choose(kind))] : []), order);
    if (!kinds.length) return;
    const grid = new PeopleGrid(this, this.kind);
    this.grids.set(this.kind, grid);
    this.place.replaceChildren(grid.element);
  }

  choose(kind) {
    this.kind = kind;
    this.lay();
    this.show(null);
  }

  show(codes) {
    if (this.markedBy && !this.known.mistakes.some(({ name }) => name === this.markedBy)) Object.assign(this, { marked: new Set(), markedBy: null });
    this.grids.get(this.kind)?.update(codes);
    for (const part of this.parts) part.show();
    this.bar.show();
    if (this.panel.view?.isLive && (codes === null || codes.length)) this.panel.refresh();
  }

  sort(name) {
    this.orderBy = name;
    keep("order", name);
    for (const [k, node] of [...this.switch.querySelectorAll(".orders button")].entries()) updateAttribute(node, "aria-pressed", String(ORDERS[k][0] === name));
    this.show(null);
  }

  hideNames(isHidden) {
    this.naming.isHidden = isHidden;
    keep("names", isHidden ? "hidden" : "shown");
    this.show(null);
    this.panel.refresh();
  }

  async letIn(newcomers) {
    for (const { learner } of newcomers) await this.act({ do: "let_in", learner }); // a learner who would take over somebody's work goes on waiting
  }

  // Marks in the grid the students who made a mistake, or none.
  mark(mistake) {
    this.marked = new Set(mistake?.students);
    this.markedBy = mistake?.name ?? null;
    const isIn = (kind) => Boolean(kind) && mistake.where.some(({ topic, step }) => topic === kind.topic && kind.steps.some(({ name }) => name === step));
    if (mistake && !isIn(this.known.kinds[this.kind])) this.choose(Math.max(0, this.known.kinds.findIndex(isIn)));
    this.show([]);
    this.place.querySelector("[data-marked]")?.scrollIntoView({ block: "nearest" });
  }

  // The title of a sheet's kind.
  titleOf(code) {
    return this.known.kinds[this.known.rows.get(code)?.kind]?.title ?? "";
  }

  openCell(code, step, from) {
    this.panel.open(new CellView(this, code, step), from);
    this.reload();
  }

  openStudent(code, from) {
    this.panel.open(new StudentView(this, code), from);
    this.reload();
  }

  openStep(kind, step, from) {
    this.panel.open(new StepView(this, kind, step), from);
  }

  openNewStudent(from) {
    this.panel.open(new NewStudentView(this), from);
  }

  async reload() {
    const { view } = this.panel;
    try {
      await view.load();
      if (this.panel.view === view) this.panel.refresh();
    } catch (error) {
      this.trouble.textContent = error.message;
    }
  }

  // Fetches a step of a sheet as it stands now, or the whole sheet.
  async look(code, step = "") {
    return (await this.ask(`api/class/look?${new URLSearchParams({ code, step })}`)).steps;
  }

  project(what) {
    return this.act({ do: "show", ...what });
  }

  // Shows one number with a mistake on the projector, as it was written.
  async showExample(code, step) {
    const [{ cells }] = await this.look(code, step);
    const [row, column] = firstToLookAt(cells);
    return this.project({ kind: "number", code, step, row, column, written: true, asked: true });
  }

  openProjector() {
    open(`projector#${this.known.projector}`, "handcalc projector", "popup,width=1280,height=800");
  }

  // Downloads a file of the class; the token goes in a header, never in an address.
  async download(name) {
    const answer = await fetch(`api/class/${name}`, { headers: { Authorization: `token ${this.token}` } }).catch(() => null);
    this.trouble.textContent = !answer ? "The class cannot be reached; try again." : answer.ok ? "" : (await answer.json()).sentence;
    if (!answer?.ok) return;
    const address = URL.createObjectURL(await answer.blob());
    tag("a", { href: address, download: name }).click();
    setTimeout(() => URL.revokeObjectURL(address), DOWNLOAD_BEGINS);
  }

  end() {
    return this.act({ do: this.known.over ? "resume" : "end" });
  }

  key(event) {
    if (event.altKey && event.code === "KeyN") {
      event.preventDefault();
      this.hideNames(!this.naming.isHidden);
    } else if (event.key === "Escape" && !this.panel.close() && this.markedBy) {
      this.mark(null);
    }
  }
}

const token = findToken("teacher");
const page = new TeacherPage(document.body, token);
followEvents("api/class/events", token, (event) => page.hear(event), (state) => page.heard(state));
