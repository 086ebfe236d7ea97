// What else can be opened: a student, and a step.

import { button, shareBar, tag } from "./elements.js";
import { activityWords, countWords, counted, listed, plainName, stateWords } from "./speaking.js";
import { activity, progress, rowsOf, shares, SIGNS, STATES, worst } from "./standings.js";
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
    const { done, all } = progress(row);
    const words = [nick && `joined as ${nick}`, activityWords(activity(row, desk.known)), all ? `${done} of ${all} numbers right or following` : ""];
    return [
      tag("p", { class: "code" }, "Code ", tag("b", {}, row.code)),
      tag("p", {}, words.filter(Boolean).join(" · ")),
      this.steps(row),
      row.learner ? this.acts(row) : tag("p", { class: "quiet" }, "Nobody has joined with this code yet."),
    ];
  }

  steps(row) {
    const { steps } = this.desk.known.kinds[row.kind];
    const need = steps.filter(({ name }) => row.steps[name] && ["wrong", "close"].includes(STATES[worst(row.steps[name])]));
    const line = ({ name, long }) => {
      const state = worst(row.steps[name]);
      const open = button("", ({ currentTarget }) => this.desk.openCell(this.code, name, currentTarget), { "data-state": STATES[state], "data-key": name });
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
    const release = this.row.left ? tag("p", { class: "quiet" }, "The code is free: whoever joins with it next goes on with this sheet.") : button("Lost phone: release the code", () => desk.act({ do: "release", code: this.code }), { "data-key": "release" });
    return tag("div", { class: "acts" }, release, forgetting);
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
    const isLast = desk.known.until === step;
    const until = button("", () => desk.act({ do: "until", step: isLast ? null : step }), { class: "go", "data-key": "until", "aria-pressed": String(isLast) });
    until.append(...(isLast ? ["Open all steps"] : ["Only up to ", typeset(this.about.long)]));
    return [
      shareBar(counts, countWords(counts), STATES),
      tag("ul", { class: "counts" }, ...STATES.map((state, k) => this.count(rows, state, k)).filter(Boolean)),
      tag("div", { class: "acts" }, until, button("Show how the class stands", () => desk.project({ kind: "shares" }), { "data-key": "shares" })),
    ];
  }

  // Who is in a state; those who are right need no list.
  count(rows, state, k) {
    const mine = rows.filter(({ learner, steps }) => learner && steps[this.step] && worst(steps[this.step]) === k);
    if (!mine.length) return null;
    const names = state === "wrong" || state === "close" ? `: ${listed(mine.map(({ number }) => this.desk.naming.of(number)), 12)}` : "";
    return tag("li", { "data-state": state }, tag("b", {}, SIGNS[k]), ` ${stateWords(mine.length, k)}${names}`);
  }
}

// A latecomer: a name for a code to read out.
export class NewStudentView {
  constructor(desk) {
    Object.assign(this, { desk, key: "new", told: "" });
  }

  label() {
    return "Add a student";
  }

  title() {
    return ["Add a student"];
  }

  show() {
    const name = tag("input", { name: "name", autocomplete: "off", maxlength: 80, "data-key": "name", "aria-label": "Name" });
    const form = tag("form", {}, name, tag("button", { class: "go" }, "Add"));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      const found = await this.desk.act({ do: "add", name: name.value });
      if (!found) return;
      this.told = (found.codes ?? []).join(", ");
      this.desk.panel.refresh();
    });
    return [form, this.told ? tag("p", { class: "code", role: "status" }, counted(this.told.split(", ").length, "code"), ": ", tag("b", {}, this.told)) : tag("p", { class: "quiet" }, "The student gets new numbers, and a code for you to read out.")];
  }
}
