// Filling blanks on the page: a sheet whose blank numbers are fields, marked by Python as they come.

import { BlankSheet, downwards } from "./blank_sheet.js";
import { dictionary } from "../record/dictionary.js";
import { FadingEdges } from "../page/fading_edges.js";
import { Gate, Hiding, laterWords } from "./gate.js";
import { Levels, atHomeOnce } from "../record/sheet_levels.js";
import { PracticePanel, legendOf } from "./practice_panel.js";
import { Calculation } from "../record/calculation.js";
import { allow, claim, equationNodes, tag, typesetNodes } from "../page/dom.js";
import { Outbox } from "./outbox.js";
import { BY_NAME } from "./states.js";
import { parseNumber, readAs } from "../record/parse_number.js";
import { MAX_TYPED_LENGTH } from "../record/tables.js";

const UNSAVED = "Python is not answering, so what you typed last is not in the file yet. This browser keeps it; run the cell again.";
const PATIENCE = 2500; // ms until the page says that Python is not answering
const DOWN = { ArrowDown: 1, Enter: 1, ArrowUp: -1 };

// Names in a sentence: semicolons between them, where one has a comma, as that of a step in head 1 of layer 2.
const inAList = (names) => names.join(names.some((name) => name.includes(", ")) ? "; " : ", ");

export class Practice {
  // `state` is what Python knows: {spec, blank, places, sizes, texts, states, messages, notice, done, hint, hints, spent, code,
  // file, plan}: `hints` is the last one to each step, `spent` has the steps to which there is no further one, `plan` is
  // {number, of, part, hiding}: which problem of how many, whether it has more steps than it asks for, and how many
  // numbers each step hides in which a click hides one; and of a class {paused, until}: whether it rests, and the last
  // step that is open.
  // `onText` gets (name, row, column, text), `onAsk` "hint" with a step, "next", "back" or "whole"; `outboxOf` a state is what
  // keeps texts until they are in the file, and `unsaved` what is said where they come there late.
  constructor(root, state, { onText, onAsk, outboxOf = ({ file, code }) => new Outbox(file, code), unsaved = UNSAVED }) {
    Object.assign(this, { element: root, onText, onAsk, outboxOf, unsavedWords: unsaved });
    root.classList.add("handcalc-explorer", "handcalc-practice");
    this.title = tag("strong", { role: "heading", "aria-level": 3 });
    this.score = tag("span", { class: "hc-score" });
    this.legend = tag("p", { class: "hc-sign-words" });
    this.later = tag("p", { class: "hc-later-words" });
    this.stage = tag("div", { class: "hc-stage" });
    this.panel = new PracticePanel((what) => this.ask(what));
    root.replaceChildren(tag("div", { class: "hc-header" }, this.title, this.score), this.stage, this.later, this.legend, this.panel.element);
    this.stage.addEventListener("change", (event) => this.onChange(event.target));
    this.stage.addEventListener("focusin", (event) => this.onFocus(event.target));
    this.stage.addEventListener("keydown", (event) => this.onKey(event));
    this.stage.addEventListener("click", (event) => this.onClick(event));
    this.open(state);
    this.edges = new FadingEdges(this);
    new ResizeObserver(() => this.settle()).observe(this.stage);
  }

  // The page has another width.
  settle() {
    for (const { captions } of this.sheets) captions.lay();
    this.edges.lay();
  }

  open(state) {
    this.state = state;
    this.outbox = this.outboxOf(state);
    this.gate = new Gate(state.blank);
    this.hiding = new Hiding(state);
    this.texts = dictionary();
    this.calculation = new Calculation(state.spec);
    const typed = (name, row, column) => this.texts[name]?.[[row, column]] ?? "";
    const isRight = (name, row, column) => this.stateOf(name, row, column) === "correct";
    this.levels = new Levels(this.calculation);
    this.sheets = [];
    this.stage.replaceChildren(...this.drawn(new Set(state.blank), { typed, isRight }));
    for (const way of this.stage.querySelectorAll("[data-open]")) if (!this.sectionOf(way)) way.replaceWith(...way.childNodes);
    this.fields = [...this.stage.querySelectorAll("table")].flatMap((table) => downwards(table));
    this.writeSizes();
    this.title.textContent = `${state.spec.title} · ${state.code}`;
    this.step = state.blank[0];
    this.isFinished = Boolean(state.finished); // it was before
    this.element.classList.remove("hc-just-now");
    this.update(state);
    this.begin(this.fields.find((field) => !field.value && !field.closest(".hc-later")));
    for (const { captions } of this.sheets) captions.lay();
    this.left = "";
    for (const typed of this.outbox.entries) this.send(...typed);
  }

  // Ask for the step of the field to begin with, and frame it: a sheet may draw a later step further up.
  begin(first) {
    this.turnTo(first ? this.recordOf(first).owner.name : this.step);
    this.frame(first);
  }

  // Frame the cell to begin with, until the first field has the focus.
  frame(first) {
    for (const cell of this.stage.querySelectorAll(".hc-first")) cell.classList.remove("hc-first");
    first?.closest("td").classList.add("hc-first");
  }

  // Scroll to that cell; a notebook stays where it is.
  goToFirst() {
    const first = this.stage.querySelector(".hc-first input");
    if (first) this.uncover(first);
  }

  // Leave an unfinished problem only when asked a second time.
  ask(what) {
    const open = this.isFinished ? 0 : this.state.blank.reduce((sum, step) => sum + this.counted(step).all - this.counted(step).right, 0);
    const isAsked = what === "next" && open > 0 && this.left !== this.state.code;
    this.left = isAsked ? this.state.code : "";
    if (isAsked) this.panel.askOnce(open);
    else this.onAsk(what, what === "hint" ? this.step : null);
  }

  // A sheet for each block in which something is blank; its fields are there and nowhere else.
  drawn(blank, about) {
    const { calculation, levels, state } = this;
    const empty = calculation.matrices.filter((matrix) => blank.has(matrix.name));
    const found = levels.worked.filter((level) => !empty.length || level.own.some((matrix) => empty.includes(matrix)));
    const homes = new Set();
    return found.map((level) => {
      const guests = new Set(empty.filter((matrix) => levels.home(matrix) !== level).map((matrix) => matrix.index));
      const sheet = new BlankSheet(calculation, state.places, blank, about, atHomeOnce(level.layout, homes, guests), level);
      this.sheets.push(sheet);
      sheet.onMove = () => this.mark();
      return levels.isMany ? this.framed(level, sheet.element) : sheet.element;
    });
  }

  framed(level, sheet) {
    const title = tag("div", { class: "hc-block-title" }, tag("strong", {}, level.label), tag("span", {}, level.why));
    return tag("section", { class: "hc-block", "aria-label": level.label, "data-path": level.path }, tag("div", { class: "hc-block-head" }, title), sheet);
  }

  patch() {
    for (const sheet of this.sheets) sheet.patch();
  }

  send(step, row, column, text) {
    this.onText(step, row, column, text);
    clearTimeout(this.patience);
    this.patience = setTimeout(() => this.unsaved(), PATIENCE);
  }

  unsaved() {
    if (this.outbox.entries.length) this.panel.notice.textContent = this.state.notice || this.unsavedWords;
  }

  // The texts in the file, with those on top that still wait to be written; without a file all of them wait.
  showTexts(texts) {
    if (!this.state.notice) this.outbox.confirm(texts);
    this.texts = dictionary(structuredClone(texts));
    this.unmarked = new Set();
    for (const [step, row, column, text] of this.outbox.entries) this.put(step, row, column, text);
    this.patch();
  }

  // Keep a text that has just been typed, as unmarked unless the marked text is the same.
  put(step, row, column, text) {
    (this.texts[step] ??= {})[[row, column]] = text;
    const isMarked = (this.state.texts[step]?.[[row, column]] ?? "") === text;
    this.unmarked[isMarked ? "delete" : "add"](`${step},${row},${column}`);
  }

  recordOf(field) {
    return field.closest?.("td")?.handcalc;
  }

  onFocus(field) {
    const record = this.recordOf(field);
    if (!record?.field) return;
    this.frame(null);
    this.showPlace(record);
    this.turnTo(record.owner.name);
    field.select();
    this.uncover(field);
  }

  // Speak of a step from now on.
  turnTo(step) {
    this.step = step;
    this.showProgress();
    this.panel.about.replaceChildren(...this.aboutStep());
    this.showMessages();
    this.showHint();
  }

  // The labels of the row and the column that a field belongs to.
  showPlace({ block, row, column }) {
    for (const label of this.stage.querySelectorAll(".hc-here")) label.classList.remove("hc-here");
    for (const label of [block.rowHeads[row - block.window.top], block.columnHeads[column - block.window.left]]) label?.classList.add("hc-here");
  }

  // Commit the half-typed text in the field that has the focus.
  commit() {
    const field = document.activeElement;
    if (this.fields.includes(field)) this.onChange(field);
  }

  // The panel covers a part of the window: scroll the field in use clear of it.
  uncover(field) {
    const covers = getComputedStyle(this.panel.element).position === "sticky" ? this.panel.element.offsetHeight : 0;
    this.element.style.setProperty("--hc-covered", `${covers}px`);
    field.scrollIntoView({ block: "nearest", inline: "nearest" });
  }

  // The messages about the step that is being filled, or about the first one that has any; and which others do:
  // what comes before it in the calculation is to be looked at first.
  showMessages() {
    const messages = dictionary(this.state.messages);
    const steps = Object.keys(messages);
    const shown = messages[this.step] ? this.step : steps[0];
    const others = steps.filter((step) => step !== shown && step !== this.step);
    const isBefore = (step) => steps.indexOf(step) < steps.indexOf(shown);
    const named = (some) => inAList(some.map((step) => this.nameOf(step)));
    const [before, after] = [others.filter(isBefore), others.filter((step) => !isBefore(step))];
    const lines = [
      ...(before.length ? [`First look again at ${named(before)}.`] : []),
      ...(messages[shown] ?? []),
      ...(after.length ? [`Look again at ${named(after)}, too.`] : []),
    ];
    this.panel.messages.replaceChildren(...lines.map((line) => tag("p", {}, typesetNodes(line))));
    this.panel.reach();
  }

  // Show the hint of the step; the words on the whole sheet stay until a learner asks for a hint.
  showHint() {
    const { hint, finished, spent = [] } = this.state;
    const hints = dictionary(finished ? {} : (this.state.hints ?? {}));
    this.panel.showHint(hints[this.step] ?? (Object.keys(hints).length ? "" : (hint ?? "")), spent.includes(this.step));
    allow(this.panel.hinting, this.gate.isOpen(this.step) && !spent.includes(this.step));
  }

  nameOf(step) {
    return this.calculation.byName.get(step).typeset.name;
  }

  aboutStep() {
    const matrix = this.calculation.byName.get(this.step);
    const level = this.levels.home(matrix);
    const place = this.levels.isMany && level.path ? `${level.label} · ` : "";
    const todo = this.hiding.has(this.step) ? "The numbers are copied; click those that are to be hidden." : `Round to ${this.state.places} decimal places.`;
    const told = this.gate.isLater(this.step) ? "Your teacher will open this step." : todo;
    return [place, tag("strong", {}, equationNodes({ typeset: level.typesetOf(matrix) })), ...this.sizesOf(this.step), ` · ${told}`];
  }

  // The sizes that a formula uses without giving their numbers: d_k = 2.
  sizesOf(step) {
    const sizes = dictionary(this.state.sizes ?? {})[step];
    return sizes ? [", ", tag("span", { class: "hc-sizes" }, typesetNodes(sizes))] : [];
  }

  // Write the sizes above the numbers, too, right after the formula.
  writeSizes() {
    const homes = new Map(this.fields.map((field) => [this.recordOf(field).owner.name, this.recordOf(field).block]));
    for (const [step, { element }] of homes) element.querySelector(".hc-caption > span > .hc-formula")?.after(...this.sizesOf(step));
  }

  onChange(field) {
    const record = this.recordOf(field);
    const { owner, row, column } = record;
    const text = field.value.trim().slice(0, MAX_TYPED_LENGTH + 1).toWellFormed(); // what is longer is too long anyway
    if ((this.texts[owner.name]?.[[row, column]] ?? "") === text) return;
    this.put(owner.name, row, column, text);
    this.outbox.add(owner.name, row, column, text);
    this.patch();
    this.mark();
    this.send(owner.name, row, column, text);
  }

  // The way to another block leads to its sheet; where that is not here, there are only words.
  onClick(event) {
    const record = this.recordOf(event.target);
    if (record?.field === event.target) this.toggle(record);
    const way = event.target.closest("[data-open]");
    if (!way) return;
    event.preventDefault();
    this.sectionOf(way)?.scrollIntoView({ block: "start" });
  }

  sectionOf(way) {
    const home = this.levels.home(this.calculation.byName.get(way.dataset.open));
    return [...this.stage.children].find((child) => child.dataset.path === home.path);
  }

  // Enter and the arrows go down and up a column, then to the next or the last column, then matrix.
  onKey(event) {
    const step = DOWN[event.key];
    const record = this.recordOf(event.target);
    if (event.key === " " && record?.field && this.toggle(record)) claim(event);
    if (!step || !record?.field) return;
    claim(event);
    if (event.key === "Enter" || !record.block.window.isWhole) this.onChange(event.target);
    let field = this.fieldAfter(event.target, record, step);
    while (field && this.gate.isLater(this.recordOf(field).owner.name)) field = this.fieldAfter(field, this.recordOf(field), step);
    field?.focus();
  }

  // The next field; in a window of a large matrix that of the next number, which it is moved to.
  fieldAfter(field, { block, row, column }, step) {
    const { window, table } = block;
    const edge = (count) => (step > 0 ? count - 1 : 0);
    if (window.isWhole || (row === edge(window.rowCount) && column === edge(window.columnCount))) {
      const last = window.isWhole ? field : downwards(table).at(step > 0 ? -1 : 0);
      return this.fields[this.fields.indexOf(last) + step];
    }
    const record = field.closest("td").handcalc;
    const below = block.beside(record, step, 0) ?? block.beside(record, -step * window.rowCount, step);
    return below.querySelector("input");
  }

  // Show Python's marks: a state for every blank, messages, a score, a hint.
  update(state) {
    if (state.paused && !this.gate.isPaused) this.commit();
    this.state = { ...this.state, ...state };
    this.gate.set(this.state);
    this.gate.apply(this.fields, (field) => this.recordOf(field));
    for (const field of this.fields) this.hiding.show(this.recordOf(field), this.texts);
    const { lastOpen } = this.gate;
    this.later.replaceChildren(...(lastOpen ? laterWords(typesetNodes(this.nameOf(lastOpen))) : []));
    this.showTexts(this.state.texts);
    this.mark();
    this.showMessages();
    this.panel.show(this.state);
    this.showHint();
    this.showProgress();
    this.finish(Boolean(this.state.finished));
  }

  // `Q 4 of 6`: the step that is being filled, and which problem of how many this is.
  showProgress() {
    const { right, all } = this.counted(this.step);
    const { number, of } = this.state.plan ?? {};
    const rest = [`${right} of ${all}`, of > 1 && `problem ${number} of ${of}`, this.state.done > 0 && `${this.state.done} finished`];
    const said = [typesetNodes(this.nameOf(this.step)), ` ${rest.filter(Boolean).join(" · ")}`];
    if (this.score.textContent !== said.map((part) => part.textContent ?? part).join("")) this.score.replaceChildren(...said);
  }

  // The numbers of a step that are right, of those that are to be filled in; where a click hides them, of those.
  counted(step) {
    const matrix = this.calculation.byName.get(step);
    const states = dictionary(this.state.states)[step] ?? [];
    const right = states.flat().filter((state) => state === "correct").length;
    const all = this.hiding.count(step) ?? matrix.rowCount * matrix.columnCount;
    return { right: Math.min(right, all), all };
  }

  toggle(record) {
    const { owner, field } = record;
    if (!this.hiding.has(owner.name) || !this.gate.isOpen(owner.name)) return false;
    this.hiding.toggle(field);
    this.onChange(field);
    return true;
  }

  // The whole sheet takes its colours when the last number is right; then the focus goes to the next control.
  finish(isFinished) {
    const isNow = isFinished && !this.isFinished;
    const hadFocus = this.element.contains(document.activeElement);
    this.isFinished = isFinished;
    this.element.classList.toggle("hc-finished", isFinished);
    if (isNow || !isFinished) this.element.classList.toggle("hc-just-now", isNow);
    this.sheets.flatMap((sheet) => sheet.blocks).forEach(({ table }, k) => table.style.setProperty("--hc-at", k)); // one after the other
    this.panel.finish(isFinished, Object.values(this.state.states).flat(2).length);
    if (isNow && hadFocus) this.panel.end.focus(); // and into sight
  }

  stateOf(name, row, column) {
    if (this.unmarked?.has(`${name},${row},${column}`)) return this.texts[name][[row, column]] ? "waiting" : "not attempted";
    return dictionary(this.state.states)[name]?.[row]?.[column] ?? "not attempted";
  }

  // Show the mark of each number that has a field at present.
  mark() {
    for (const field of this.fields) {
      const record = this.recordOf(field);
      const now = this.stateOf(record.owner.name, record.row, record.column);
      field.className = `hc-${now.replace(" ", "-")}`;
      field.setAttribute("aria-invalid", String(now === "wrong" || now === "unread"));
      const later = this.gate.isLater(record.owner.name) ? "opens later" : "";
      const words = [BY_NAME[now].learner, later, readAs(field.value, parseNumber(field.value).value, this.state.places)].filter(Boolean).join(", ");
      field.setAttribute("aria-label", `${record.owner.cellName(record.row, record.column)}${words && `, ${words}`}`);
      field.title = words;
      record.sign.textContent = now === "not attempted" ? "" : BY_NAME[now].sign;
      record.sign.className = field.className;
    }
    this.legend.replaceChildren(...legendOf(this.fields));
  }
}
