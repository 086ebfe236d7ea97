// The panel beside the grid, and its views: a student, a step, and the form for a latecomer.

import { tag, typesetNodes } from "../../../views/browser/page/dom.js";
import { markOf, told, workedOnOwn } from "./cell_view.js";
import { button, makeShareBar } from "./elements.js";
import { activityWords, countWords, joinNames, plainName, stateWords } from "./teacher_words.js";
import { findActivity, closedSteps, measureProgress, rowsOf, countStages, sheetsOf, SIGNS, findStage, STATES, worstState } from "./sheet_progress.js";

// The panel shows one view at a time; Esc closes it and moves the focus back to where it was opened.
export class Panel {
  constructor() {
    this.element = tag("section", { class: "panel", "aria-label": "Opened", hidden: true, tabindex: -1 });
    this.from = null;
  }

  // `view` has a `title` (nodes), a `label`, and `show()`, which returns its nodes anew whenever the class changes.
  open(view, from) {
    this.from = from ?? this.from;
    this.view = view;
    this.element.hidden = false;
    this.element.setAttribute("aria-label", view.label());
    this.refresh();
    (this.element.querySelector("[autofocus]") ?? this.element).focus({ preventScroll: true });
    if (this.element.parentElement) this.element.parentElement.scrollTop = 0; // it stands first there
  }

  close() {
    if (this.element.hidden) return false;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.view = null;
    this.element.replaceChildren();
    if (hadFocus) this.from?.focus({ preventScroll: true });
    return true;
  }

  refresh() {
    if (!this.view) return;
    const focused = this.element.contains(document.activeElement) && document.activeElement !== this.element ? document.activeElement.dataset.key : null;
    const closing = button("×", () => this.close(), { class: "close", "aria-label": "Close", "data-key": "close" });
    this.element.setAttribute("aria-label", this.view.label());
    this.element.replaceChildren(tag("div", { class: "head" }, tag("h2", {}, ...this.view.title()), closing), ...this.view.show());
    if (focused) (this.element.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? this.element).focus();
  }
}

export class StudentView {
  constructor(page, code) {
    Object.assign(this, { page, code, isSure: false, isLive: true, found: new Map() });
  }

  get codes() {
    return sheetsOf(this.page.known, this.row.number).map(({ code }) => code);
  }

  // Fetches everything written on the student's sheets.
  async load() {
    this.found = new Map(await Promise.all(this.codes.map(async (code) => [code, await this.page.look(code)])));
  }

  get row() {
    return this.page.known.rows.get(this.code);
  }

  label() {
    return this.page.naming.of(this.row.number);
  }

  title() {
    return [this.label()];
  }

  show() {
    const { row, page } = this;
    const nick = page.naming.nick(row.number, row.nick);
    const words = [nick && `joined as ${nick}`, activityWords(findActivity(row, page.known), page.known.kinds)];
    const said = words.filter(Boolean).join(" · ");
    return [
      said ? tag("p", {}, said) : null,
      ...sheetsOf(page.known, row.number).flatMap((sheet) => this.sheet(sheet)),
      row.learner ? this.acts(row) : tag("p", { class: "quiet" }, "Nobody has joined with this code yet."),
    ].filter(Boolean);
  }

  // One of the student's sheets: its title, its progress, and the steps that need a look.
  sheet(row) {
    const { known, naming } = this.page;
    const kind = known.kinds[row.kind];
    const { done, all } = measureProgress(row, closedSteps(kind, known.until));
    const code = naming.isHidden ? [] : [tag("b", { class: "code" }, row.code), " · "]; // a code that is seen can be used
    const head = tag("p", { class: "sheet" }, ...code, kind.title, ` · ${done} of ${all} right or following`);
    return [head, tag("div", { class: "whole" }, ...(this.found.get(row.code) ?? []).map((seen) => this.step(row, seen)))];
  }

  // One step of the whole sheet: its formula, the student's numbers, and the feedback on them.
  step({ code, steps }, { step, formula, cells, messages, own }) {
    const counts = steps[step];
    const head = counts ? button("", ({ currentTarget }) => this.page.openCell(code, step, currentTarget), { "data-state": STATES[worstState(counts)], "data-key": `${code} ${step}` }) : tag("span", {});
    head.append(...(counts ? [tag("b", {}, SIGNS[worstState(counts)]), " "] : []), typesetNodes(formula));
    const rows = cells.map((line) => tag("tr", {}, ...line.map((cell) => this.number(cell))));
    return tag("div", { class: "step" }, head, tag("table", { "aria-label": plainName(step) }, tag("tbody", {}, ...rows)), ...told(messages), ...workedOnOwn(own));
  }

  number({ text, state }) {
    if (state === "given") return tag("td", {}, text);
    const { counted, sign, word } = markOf({ state });
    return tag("td", { "data-state": counted }, text || "–", tag("b", { "aria-label": word }, text ? sign : ""));
  }

  acts({ learner, number }) {
    const { page } = this;
    const who = page.naming.of(number);
    const sure = (isSure) => {
      this.isSure = isSure;
      page.panel.refresh();
    };
    const gone = () => page.act({ do: "forget", learner }).then(() => page.panel.close());
    const forgetting = this.isSure
      ? tag("div", { class: "sure", role: "alert" }, tag("p", {}, `Forget ${who}? All that they typed will be deleted for good.`), button("Forget for good", gone, { class: "danger", "data-key": "sure" }), button("Keep", () => sure(false), { "data-key": "forget" }))
      : button("Forget …", () => sure(true), { "data-key": "forget" });
    const empty = button("Wrong person: begin afresh", () => page.act({ do: "vacate", code: this.code }), { "data-key": "vacate", title: "The next to join with this code gets an empty sheet" });
    const release = this.row.left ? tag("p", { class: "quiet" }, "The code is free: the next to join with it continues this sheet.") : button("Lost phone: release the code", () => page.act({ do: "release", code: this.code }), { "data-key": "release" });
    return tag("div", { class: "acts" }, release, empty, forgetting);
  }
}

export class StepView {
  constructor(page, kind, step) {
    Object.assign(this, { page, kind, step, isLive: true });
  }

  get about() {
    return this.page.known.kinds[this.kind].steps.find(({ name }) => name === this.step);
  }

  label() {
    return plainName(this.step);
  }

  title() {
    return [typesetNodes(this.about.long)];
  }

  show() {
    const { page, step } = this;
    const rows = rowsOf(page.known, this.kind);
    const counts = countStages(rows, step);
    const { until: last, of, kinds } = page.known;
    const { topic, level } = kinds[this.kind];
    const isLast = last === step && (!of || (of[0] === topic && of[1] === level));
    const until = button("", () => page.act({ do: "until", ...(isLast ? { step: null } : { step, topic, level }) }), { class: "go", "data-key": "until", "aria-pressed": String(isLast) });
    until.append(...(isLast ? ["Open all steps"] : ["Only up to ", typesetNodes(this.about.long)]));
    return [
      makeShareBar(counts, countWords(counts), STATES),
      tag("ul", { class: "counts" }, ...STATES.map((state, k) => this.count(rows, state, k)).filter(Boolean)),
      tag("div", { class: "acts" }, until, button("Show how the class stands", () => page.project({ kind: "shares" }), { "data-key": "shares" })),
    ];
  }

  // The number of students in a state, with their names if it is wrong or close.
  count(rows, state, k) {
    const mine = rows.filter(({ learner, steps }) => learner && steps[this.step] && findStage(steps[this.step]) === k);
    if (!mine.length) return null;
    const names = state === "wrong" || state === "close" ? `: ${joinNames(mine.map(({ number }) => this.page.naming.of(number)), 12)}` : "";
    return tag("li", { "data-state": state }, tag("b", {}, SIGNS[k]), ` ${stateWords(mine.length, k)}${names}`);
  }
}

// The form for a latecomer: it takes a name and gives a code to read out.
export class NewStudentView {
  constructor(page) {
    Object.assign(this, { page, told: null });
  }

  label() {
    return "Add a student";
  }

  title() {
    return ["Add a student"];
  }

  show() {
    const name = tag("input", { name: "name", autocomplete: "off", maxlength: 80, "data-key": "name", autofocus: true });
    const form = tag("form", {}, tag("label", {}, "Name", name), tag("button", { class: "go" }, "Add"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const found = await this.page.act({ do: "add", name: name.value });
      if (!found) return;
      this.told = { name: name.value.trim(), codes: found.codes ?? [] };
      this.page.panel.refresh();
    });
    return [form, this.told ? this.answer(this.told) : tag("p", { class: "quiet" }, "The student gets new numbers, and a code for you to read out.")];
  }

  // The latecomer's codes, each with its sheet.
  answer({ name, codes }) {
    const { naming, known } = this.page;
    const { kinds, rows } = known;
    const line = (code) => tag("li", {}, tag("b", { class: "code" }, code), ` ${kinds[rows.get(code)?.kind]?.title ?? ""}`);
    return tag("div", { role: "status" }, tag("p", {}, naming.isHidden ? "The new student’s codes:" : `${name}’s codes:`), tag("ul", {}, ...codes.map(line)));
  }
}
