// What else can be opened: a student, and a step.

import { button, shareBar, tag } from "./elements.js";
import { activityWords, countWords, listed, plainName, stateWords } from "./speaking.js";
import { activity, closedSteps, progress, rowsOf, shares, sheetsOf, SIGNS, stage, STATES, worst } from "./sheet_progress.js";
import { typeset } from "./typeset.js";

export class StudentView {
  constructor(desk, code) {
    Object.assign(this, { desk, code, key: code, isSure: false, isLive: true });
  }

  get row() {
    return this.desk.known.rows.get(this.code);
  }

  label() {
    return this.desk.naming.of(this.row.number);
  }

  title() {
    return [this.label()];
  }

  show() {
    const { row, desk } = this;
    const nick = desk.naming.nick(row.number, row.nick);
    const words = [nick && `joined as ${nick}`, activityWords(activity(row, desk.known), desk.known.kinds)];
    const said = words.filter(Boolean).join(" · ");
    return [
      said ? tag("p", {}, said) : null,
      ...sheetsOf(desk.known, row.number).flatMap((sheet) => this.sheet(sheet)),
      row.learner ? this.acts(row) : tag("p", { class: "quiet" }, "Nobody has joined with this code yet."),
    ].filter(Boolean);
  }

  // One of their sheets: which it is, how far it is, and what is to be looked at.
  sheet(row) {
    const { known, naming } = this.desk;
    const kind = known.kinds[row.kind];
    const { done, all } = progress(row, closedSteps(kind, known.until));
    const code = naming.isHidden ? [] : [tag("b", { class: "code" }, row.code), " · "]; // whoever sees a code can use it
    const head = tag("p", { class: "sheet" }, ...code, kind.title, ` · ${done} of ${all} right or following`);
    return [head, this.steps(row)];
  }

  steps(row) {
    const { steps } = this.desk.known.kinds[row.kind];
    const isBlank = !Object.values(row.steps).some((counts) => worst(counts) < STATES.length - 1);
    if (isBlank) return tag("p", { class: "quiet" }, "Nothing is written here yet.");
    const need = steps.filter(({ name }) => row.steps[name] && ["wrong", "close"].includes(STATES[worst(row.steps[name])]));
    const line = ({ name, long }) => {
      const state = worst(row.steps[name]);
      const open = button("", ({ currentTarget }) => this.desk.openCell(row.code, name, currentTarget), { "data-state": STATES[state], "data-key": `${row.code} ${name}` });
      open.append(tag("b", {}, SIGNS[state]), " ", typeset(long));
      return tag("li", {}, open);
    };
    return need.length ? tag("ul", { class: "steps" }, ...need.map(line)) : tag("p", { class: "quiet" }, "Nothing is wrong.");
  }

  acts({ learner, number }) {
    const { desk } = this;
    const who = desk.naming.of(number);
    const sure = (isSure) => {
      this.isSure = isSure;
      desk.panel.refresh();
    };
    const gone = () => desk.act({ do: "forget", learner }).then(() => desk.panel.close());
    const forgetting = this.isSure
      ? tag("div", { class: "sure", role: "alert" }, tag("p", {}, `Forget ${who}? All that they typed will be deleted for good.`), button("Forget for good", gone, { class: "danger", "data-key": "sure" }), button("Keep", () => sure(false), { "data-key": "forget" }))
      : button("Forget …", () => sure(true), { "data-key": "forget" });
    const empty = button("Wrong person: begin afresh", () => desk.act({ do: "vacate", code: this.code }), { "data-key": "vacate", title: "Whoever joins with this code next gets an empty sheet" });
    const release = this.row.left ? tag("p", { class: "quiet" }, "The code is free: whoever joins with it next goes on with this sheet.") : button("Lost phone: release the code", () => desk.act({ do: "release", code: this.code }), { "data-key": "release" });
    return tag("div", { class: "acts" }, release, empty, forgetting);
  }
}

export class StepView {
  constructor(desk, kind, step) {
    Object.assign(this, { desk, kind, step, key: `${kind} ${step}`, isLive: true });
  }

  get about() {
    return this.desk.known.kinds[this.kind].steps.find(({ name }) => name === this.step);
  }

  label() {
    return plainName(this.step);
  }

  title() {
    return [typeset(this.about.long)];
  }

  show() {
    const { desk, step } = this;
    const rows = rowsOf(desk.known, this.kind);
    const counts = shares(rows, step);
    const { until: last, of, kinds } = desk.known;
    const { topic, level } = kinds[this.kind];
    const isLast = last === step && (!of || (of[0] === topic && of[1] === level));
    const until = button("", () => desk.act({ do: "until", ...(isLast ? { step: null } : { step, topic, level }) }), { class: "go", "data-key": "until", "aria-pressed": String(isLast) });
    until.append(...(isLast ? ["Open all steps"] : ["Only up to ", typeset(this.about.long)]));
    return [
      shareBar(counts, countWords(counts), STATES),
      tag("ul", { class: "counts" }, ...STATES.map((state, k) => this.count(rows, state, k)).filter(Boolean)),
      tag("div", { class: "acts" }, until, button("Show how the class stands", () => desk.project({ kind: "shares" }), { "data-key": "shares" })),
    ];
  }

  // Who is in a state; those who are right need no list.
  count(rows, state, k) {
    const mine = rows.filter(({ learner, steps }) => learner && steps[this.step] && stage(steps[this.step]) === k);
    if (!mine.length) return null;
    const names = state === "wrong" || state === "close" ? `: ${listed(mine.map(({ number }) => this.desk.naming.of(number)), 12)}` : "";
    return tag("li", { "data-state": state }, tag("b", {}, SIGNS[k]), ` ${stateWords(mine.length, k)}${names}`);
  }
}

// A latecomer: a name for a code to read out.
export class NewStudentView {
  constructor(desk) {
    Object.assign(this, { desk, key: "new", told: null });
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
      const found = await this.desk.act({ do: "add", name: name.value });
      if (!found) return;
      this.told = { name: name.value.trim(), codes: found.codes ?? [] };
      this.desk.panel.refresh();
    });
    return [form, this.told ? this.answer(this.told) : tag("p", { class: "quiet" }, "The student gets new numbers, and a code for you to read out.")];
  }

  // Whose codes these are, and of which sheets.
  answer({ name, codes }) {
    const { naming, known } = this.desk;
    const { kinds, rows } = known;
    const line = (code) => tag("li", {}, tag("b", { class: "code" }, code), ` ${kinds[rows.get(code)?.kind]?.title ?? ""}`);
    return tag("div", { role: "status" }, tag("p", {}, naming.isHidden ? "The new student’s codes:" : `${name}’s codes:`), tag("ul", {}, ...codes.map(line)));
  }
}
