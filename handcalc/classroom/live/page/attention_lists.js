// Lists beside the grid: alarms, newcomers, students who need help now, and the mistakes seen.

import { tag, typesetNodes } from "../../../views/browser/page/dom.js";
import { button, updateText } from "./elements.js";
import { clockWords, countedWords, doubtWords, joinNames, plainName } from "./teacher_words.js";

const SIGNS = { stuck: "!", wrong: "✗", silent: "…" };
const MAX_PLACES = 4; // steps that are named with a mistake
const MAX_NEEDS = 5; // of those who have wrong numbers, or are quiet

const ALARM_WORDS = {
  browser: (count) => `One device has taken ${count} seats.`,
  nick: (count, nick) => `${count} seats have been taken by “${nick}”.`,
  address: (count) => `${count} seats were taken at once from one network, as by a class behind one router.`,
  apart: (count) => `${count} seats were taken from one network one after another, never with two pages open together.`,
};

// A part of the page, rewritten only when its contents change.
class ListSection {
  constructor(page, title, name) {
    this.page = page;
    this.list = tag("div", { class: "list" });
    this.heading = tag("h2", {}, title);
    this.element = tag("section", { class: `part ${name}`, "aria-label": title }, this.heading, this.list);
    this.title = title;
  }

  // Puts the number of lines into the heading, as not all of them may be in sight.
  count(lines) {
    const words = lines > 1 ? `${this.title} (${lines})` : this.title;
    updateText(this.heading, words);
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

export class HelpList extends ListSection {
  show() {
    const { known, naming } = this.page;
    const names = known.needs.map(({ number }) => naming.of(number));
    const first = known.needs.filter(({ kind }) => kind !== "could explain").slice(0, MAX_NEEDS);
    const others = known.needs.filter(({ kind }) => kind === "could explain");
    const more = known.needs.length - first.length - others.length;
    this.update([known.needs, names, known.kinds.length], () => {
      const calm = first.length ? [] : [tag("p", { class: "quiet" }, "Nothing is wrong, and nobody is quiet.")];
      const rest = more > 0 ? [tag("p", { class: "quiet" }, `and ${countedWords(more, "other")}: order by “Needs help”`)] : [];
      return [...calm, tag("ol", {}, ...first.map((need) => this.line(need))), ...rest, ...(others.length ? [this.ready(others)] : [])];
    });
  }

  line({ number, code, kind, step, reason }) {
    const open = button("", ({ currentTarget }) => (step ? this.page.openCell(code, step, currentTarget) : this.page.openStudent(code, currentTarget)), { "data-kind": kind, "data-key": `${code} ${kind}` });
    const sheet = kind === "silent" && this.page.known.kinds.length > 1 ? `${this.page.titleOf(code)}: ` : "";
    const name = tag("span", { class: "name" }, this.page.naming.of(number));
    const why = tag("span", { class: "why" }, sheet, typesetNodes(reason));
    open.append(tag("b", { class: "sign", "aria-hidden": "true" }, SIGNS[kind]), tag("span", { class: "words" }, name, " ", why));
    return tag("li", {}, open);
  }

  // One line for students who could explain: the teacher need not go to them.
  ready(others) {
    const name = ({ number, code, kind, reason }) => button(this.page.naming.of(number), ({ currentTarget }) => this.page.openStudent(code, currentTarget), { "data-kind": kind, "data-key": `${code} ${kind}`, title: reason });
    return tag("p", { class: "ready" }, tag("b", { class: "sign", "aria-hidden": "true" }, "✓"), tag("span", {}, "could explain: ", ...others.flatMap((need, k) => [k ? ", " : "", name(need)])));
  }
}

export class MistakeList extends ListSection {
  show() {
    const { known, naming, markedBy } = this.page;
    const names = known.mistakes.map(({ students }) => students.map((number) => naming.of(number)));
    const alike = known.alike.map((one) => [one, joinNames(one.students.map((number) => naming.of(number)))]);
    this.update([known.mistakes, names, markedBy, alike], () => {
      const none = known.mistakes.length || alike.length ? [] : [tag("p", { class: "quiet" }, "No mistake has been seen yet.")];
      const head = alike.length ? [tag("h2", {}, "Alike, and no mistake explains them")] : [];
      return [...none, ...known.mistakes.map((mistake, k) => this.line(mistake, names[k])), ...head, ...alike.map((one) => this.alike(...one))];
    });
  }

  // A wrong number that several students wrote: the right one, and the texts they had there before.
  alike({ topic, step, written, right, students, before }, names) {
    const had = before.map(([text, count]) => `${text} (${count})`);
    return tag("p", { class: "alike" }, tag("b", {}, `${written} instead of ${right}`), " in ", typesetNodes(this.step({ topic, step }).long), `: ${countedWords(students.length, "student")}, ${names}`, had.length ? `. Before it they had ${joinNames(had)}.` : "");
  }

  // A line for a mistake; when opened, who made it, what it is, and what to say.
  line(mistake, names) {
    const { name, called, students, where } = mistake;
    const isMarked = this.page.markedBy === name;
    const head = button("", () => this.page.mark(isMarked ? null : mistake), { "aria-expanded": String(isMarked), "data-key": name, class: "mistake" });
    head.append(tag("b", { class: "count" }, String(students.length)), tag("span", {}, called, tag("span", { class: "where" }, " in ", ...this.places(where))));
    return tag("div", { class: "mistake" }, head, ...(isMarked ? this.more(mistake, names) : []));
  }

  more(mistake, names) {
    const [{ formula, why }] = mistake.where.map((place) => this.step(place));
    return [tag("p", { class: "names" }, joinNames(names, 6)), tag("p", {}, typesetNodes(mistake.sentence)), tag("p", { class: "say" }, typesetNodes(formula), ". ", typesetNodes(why)), this.showing(mistake)];
  }

  step({ topic, step }) {
    const kinds = this.page.known.kinds.filter((kind) => kind.topic === topic);
    return kinds.flatMap(({ steps }) => steps).find(({ name }) => name === step) ?? { long: plainName(step), formula: "", why: "" };
  }

  // The first few steps in which the mistake was seen.
  places(where) {
    const names = where.slice(0, MAX_PLACES).flatMap((place, k) => [k ? ", " : "", typesetNodes(this.step(place).long)]);
    return where.length > MAX_PLACES ? [...names, ` and ${countedWords(where.length - MAX_PLACES, "other")}`] : names;
  }

  // A button to show one such number to everybody.
  showing({ where, name }) {
    const [{ step, students }] = where;
    const row = [...this.page.known.rows.values()].find(({ number, steps }) => number === students[0] && step in steps);
    return row && button("Show one on the projector", () => this.page.showExample(row.code, step), { class: "small", "data-key": `${name} show` });
  }
}

export class NewcomerList extends ListSection {
  constructor(page) {
    super(page, "Waiting to come in", "newcomers");
    this.element.tabIndex = 0; // it scrolls where many wait
    this.element.hidden = true;
  }

  show() {
    const { known, naming } = this.page;
    this.element.hidden = !known.waiting.length;
    this.count(known.waiting.length);
    const free = known.waiting.filter(({ code }) => !known.rows.get(code)?.learner);
    const all = () => button(`Let ${free.length} in`, () => this.page.letIn(free), { "data-key": "all", class: "small" });
    this.update([known.waiting, free.length, naming.isHidden], () => [free.length > 2 ? all() : "", ...known.waiting.map((one) => this.line(one))]);
  }

  line({ learner, nick, code }) {
    const { known, naming, act } = this.page;
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

// Work that counts only once the teacher accepts it, or is much like another sheet; only the teacher sees this.
export class DoubtList extends ListSection {
  constructor(page) {
    super(page, "Is this their own work?", "doubts");
    this.element.hidden = true;
  }

  show() {
    const { known, naming } = this.page;
    const doubts = known.doubts ?? [];
    this.element.hidden = !doubts.length;
    this.count(doubts.length);
    this.update([doubts, doubts.map(({ number, of }) => [naming.of(number), naming.of(of)])], () => doubts.map((one) => this.line(one)));
  }

  line(doubt) {
    const { naming, act } = this.page;
    const { code, number, waits } = doubt;
    const who = naming.of(number);
    const open = button(who, ({ currentTarget }) => this.page.openStudent(code, currentTarget), { "data-key": `look ${code}`, class: "small" });
    const words = tag("p", {}, open, ` ${doubtWords(doubt, naming)}`);
    const count = button("Let it count", () => act({ do: "accept", code }), { class: "go small", "data-key": `accept ${code}`, "aria-label": `Let it count: the sheet of ${who}` });
    return tag("div", { class: "newcomer" }, words, ...(waits ? [count] : []));
  }
}

// Many seats taken by one browser, one nickname or one network: the teacher empties them, or says that all is well.
export class AlarmList extends ListSection {
  constructor(page) {
    super(page, "Is this your class?", "alarms");
    this.kept = new Set(); // learners who keep their seats
    this.element.setAttribute("role", "alert");
    this.element.hidden = true;
  }

  show() {
    const { known, naming } = this.page;
    const alarms = known.alarms ?? [];
    this.element.hidden = !alarms.length;
    this.count(alarms.length);
    this.update([alarms, naming.isHidden], () => alarms.map((one) => this.line(one)));
  }

  line({ alarm, kind, nick, apart, seats }) {
    const { known, naming, act } = this.page;
    const nameOf = (code) => (known.rows.has(code) ? naming.of(known.rows.get(code).number) : code);
    const taken = () => seats.filter(({ learner }) => !this.kept.has(learner));
    const words = ALARM_WORDS[apart ? "apart" : kind](seats.length, naming.newcomer(nick));
    const emptyWords = () => `Empty ${countedWords(taken().length, "seat")}`;
    const keep = () => seats.filter((seat) => !taken().includes(seat)).map(({ learner }) => learner);
    const empty = button(emptyWords(), () => act({ do: "empty", alarm, keep: keep() }), { class: "small", "data-key": `empty ${alarm}`, title: "The next to join with these codes get an empty sheet; it can be undone" });
    const choose = (learner) => {
      if (!this.kept.delete(learner)) this.kept.add(learner);
      updateText(empty, emptyWords());
    };
    const how = ({ learner, code, nick: called, device, at, open }) => {
      const box = tag("input", { type: "checkbox", "data-key": `seat ${learner}` });
      box.checked = !this.kept.has(learner);
      box.addEventListener("change", () => choose(learner));
      const nickname = called && !naming.isHidden ? `as “${called}”, ` : "";
      return tag("li", {}, tag("label", {}, box, nameOf(code), tag("small", {}, `${nickname}device ${device}, ${clockWords(at)}, ${open ? "page open" : "no page open"}`)));
    };
    return tag("div", { class: "newcomer" }, tag("p", {}, tag("b", {}, words)), tag("ul", { class: "seats" }, ...seats.map(how)), empty,
      button("All is well", () => act({ do: "well", alarm }), { class: "go small", "data-key": `well ${alarm}` }));
  }
}

// Seats that the teacher has emptied, with the numbers typed there; they can be given back.
export class EmptiedList extends ListSection {
  constructor(page) {
    super(page, "Emptied seats", "emptied");
    this.element.hidden = true;
  }

  show() {
    const { known, naming } = this.page;
    const { orphans } = known;
    this.element.hidden = !orphans.length;
    this.count(orphans.length);
    const free = orphans.filter(({ taken }) => !taken);
    const all = () => button(`Give ${free.length} back`, () => this.giveBack(free), { "data-key": "all", class: "small" });
    this.update([orphans, naming.isHidden], () => [free.length > 1 ? all() : "", ...orphans.map((one) => this.line(one))]);
  }

  async giveBack(orphans) {
    for (const { learner } of orphans) await this.page.act({ do: "give_back", learner });
  }

  line(orphan) {
    const { known, naming } = this.page;
    const { learner, nick, code, numbers, taken } = orphan;
    const who = naming.of(known.rows.get(code)?.number);
    const called = nick && !naming.isHidden ? ` (“${nick}”)` : "";
    const words = tag("p", {}, tag("b", {}, who), `${called}: ${countedWords(numbers, "number")} typed${taken ? "; somebody else has the seat now, and would leave it" : ""}`);
    return tag("div", { class: "newcomer" }, words, button("Give it back", () => this.giveBack([orphan]), { class: "small", "data-key": `back ${learner}`, "aria-label": `Give it back: the seat of ${who}` }));
  }
}
