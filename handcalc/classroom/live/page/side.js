// Beside the grid: who needs help now, the mistakes that were seen, and who waits to come in.

import { button, tag } from "./elements.js";
import { counted, listed, plainName } from "./speaking.js";
import { typeset } from "./typeset.js";

const SIGNS = { stuck: "!", wrong: "✗", silent: "…" };
const MOST_PLACES = 4; // steps that are named with a mistake
const MOST = 5; // of those who have wrong numbers, or are quiet

// A part of the page that is written again only where it says something else.
export class Part {
  constructor(title, name) {
    this.list = tag("div", { class: "list" });
    this.heading = tag("h2", {}, title);
    this.element = tag("section", { class: `part ${name}`, "aria-label": title }, this.heading, this.list);
    this.title = title;
  }

  // How many there are, where not all of them are in sight.
  count(lines) {
    const words = lines > 1 ? `${this.title} (${lines})` : this.title;
    if (this.heading.textContent !== words) this.heading.textContent = words;
  }

  update(key, lines) {
    const now = JSON.stringify(key);
    if (this.key === now) return;
    this.key = now;
    const had = this.list.contains(document.activeElement) ? document.activeElement.dataset.key : null;
    this.list.replaceChildren(...lines());
    if (had) this.list.querySelector(`[data-key="${CSS.escape(had)}"]`)?.focus();
  }
}

export class Needs extends Part {
  constructor(desk) {
    super("Who needs help now", "needs");
    this.desk = desk;
  }

  show() {
    const { known, naming } = this.desk;
    const names = known.needs.map(({ number }) => naming.of(number));
    const first = known.needs.filter(({ kind }) => kind !== "could explain").slice(0, MOST);
    const others = known.needs.filter(({ kind }) => kind === "could explain");
    const more = known.needs.length - first.length - others.length;
    this.update([known.needs, names, known.kinds.length], () => {
      const calm = first.length ? [] : [tag("p", { class: "quiet" }, "Nothing is wrong, and nobody is quiet.")];
      const rest = more > 0 ? [tag("p", { class: "quiet" }, `and ${counted(more, "other")}: order by “Needs help”`)] : [];
      return [...calm, tag("ol", {}, ...first.map((need) => this.line(need))), ...rest, ...(others.length ? [this.ready(others)] : [])];
    });
  }

  line({ number, code, kind, step, reason }) {
    const open = button("", ({ currentTarget }) => (step ? this.desk.openCell(code, step, currentTarget) : this.desk.openStudent(code, currentTarget)), { "data-kind": kind, "data-key": `${code} ${kind}` });
    const sheet = kind === "silent" && this.desk.known.kinds.length > 1 ? `${this.desk.titleOf(code)}: ` : "";
    const name = tag("span", { class: "name" }, this.desk.naming.of(number));
    const why = tag("span", { class: "why" }, sheet, typeset(reason));
    open.append(tag("b", { class: "sign", "aria-hidden": "true" }, SIGNS[kind]), tag("span", { class: "words" }, name, " ", why));
    return tag("li", {}, open);
  }

  // In one line: nobody has to go there.
  ready(others) {
    const name = ({ number, code, kind, reason }) => button(this.desk.naming.of(number), ({ currentTarget }) => this.desk.openStudent(code, currentTarget), { "data-kind": kind, "data-key": `${code} ${kind}`, title: reason });
    return tag("p", { class: "ready" }, tag("b", { class: "sign", "aria-hidden": "true" }, "✓"), tag("span", {}, "could explain: ", ...others.flatMap((need, k) => [k ? ", " : "", name(need)])));
  }
}

export class Mistakes extends Part {
  constructor(desk) {
    super("Mistakes seen", "mistakes");
    this.desk = desk;
  }

  show() {
    const { known, naming, markedBy } = this.desk;
    const names = known.mistakes.map(({ students }) => students.map((number) => naming.of(number)));
    this.update([known.mistakes, names, markedBy], () => {
      if (!known.mistakes.length) return [tag("p", { class: "quiet" }, "No mistake has been seen yet.")];
      return known.mistakes.map((mistake, k) => this.line(mistake, names[k]));
    });
  }

  // A line for each; who made it, what it is and what to say, where it is open.
  line(mistake, names) {
    const { name, called, students, where } = mistake;
    const isMarked = this.desk.markedBy === name;
    const head = button("", () => this.desk.mark(isMarked ? null : mistake), { "aria-expanded": String(isMarked), "data-key": name, class: "mistake" });
    head.append(tag("b", { class: "count" }, String(students.length)), tag("span", {}, called, tag("span", { class: "where" }, " in ", ...this.places(where))));
    return tag("div", { class: "mistake" }, head, ...(isMarked ? this.more(mistake, names) : []));
  }

  more(mistake, names) {
    const [{ formula, why }] = mistake.where.map((place) => this.step(place));
    return [tag("p", { class: "names" }, listed(names, 6)), tag("p", {}, typeset(mistake.sentence)), tag("p", { class: "say" }, typeset(formula), ". ", typeset(why)), this.showing(mistake)];
  }

  step({ topic, step }) {
    const kinds = this.desk.known.kinds.filter((kind) => kind.topic === topic);
    return kinds.flatMap(({ steps }) => steps).find(({ name }) => name === step) ?? { long: plainName(step), formula: "", why: "" };
  }

  // The steps it was seen in, the first few.
  places(where) {
    const names = where.slice(0, MOST_PLACES).flatMap((place, k) => [k ? ", " : "", typeset(this.step(place).long)]);
    return where.length > MOST_PLACES ? [...names, ` and ${counted(where.length - MOST_PLACES, "other")}`] : names;
  }

  // One of the numbers in question, for everybody to see.
  showing({ where, name }) {
    const [{ step, students }] = where;
    const row = [...this.desk.known.rows.values()].find(({ number, steps }) => number === students[0] && step in steps);
    return row && button("Show one on the projector", () => this.desk.showExample(row.code, step), { class: "small", "data-key": `${name} show` });
  }
}

export class Newcomers extends Part {
  constructor(desk) {
    super("Waiting to come in", "newcomers");
    this.desk = desk;
    this.list.tabIndex = 0; // it scrolls where many wait
    this.element.hidden = true;
  }

  show() {
    const { known, naming } = this.desk;
    this.element.hidden = !known.waiting.length;
    this.count(known.waiting.length);
    const free = known.waiting.filter(({ code }) => !known.rows.get(code)?.learner);
    const all = () => button(`Let ${free.length} in`, () => this.desk.letIn(free), { "data-key": "all", class: "small" });
    this.update([known.waiting, free.length, naming.isHidden], () => [free.length > 2 ? all() : "", ...known.waiting.map((one) => this.line(one))]);
  }

  line({ learner, nick, code }) {
    const { known, naming, act } = this.desk;
    const number = known.rows.get(code)?.number;
    const who = naming.newcomer(nick);
    const isTaken = known.rows.get(code)?.learner;
    const whose = `with the code of ${number ? naming.of(number) : code}`;
    const words = tag("p", {}, tag("b", {}, who), ` ${whose}${isTaken ? ", which is in use" : ""}`);
    const letIn = isTaken ? [
      button("Go on there", () => act({ do: "approve", learner }), { class: "go small", "data-key": `in ${learner}`, "aria-label": `Go on there: ${who} with the numbers that are on the sheet` }),
      button("Begin afresh", () => act({ do: "afresh", learner }), { class: "small", "data-key": `new ${learner}`, "aria-label": `Begin afresh: ${who} with an empty sheet` }),
    ] : [button("Let in", () => act({ do: "approve", learner }), { class: "go small", "data-key": `in ${learner}`, "aria-label": `Let ${who} in` })];
    return tag("div", { class: "newcomer" }, words, ...letIn,
      button("Refuse", () => act({ do: "refuse", learner }), { class: "small", "data-key": `out ${learner}`, "aria-label": `Refuse ${who}` }));
  }
}
