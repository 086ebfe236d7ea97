// A learner's sheets: one in sight, others to switch to, and marks as they come.

import { button, tag } from "../../../views/browser/page/dom.js";
import { Practice } from "../../../views/browser/practice/practice.js";
import { NumberKeys, hasFinger } from "./number_keys.js";
import { outboxOf } from "./unmarked_answers.js";

const NOT_STORED = "This browser stores nothing (a private window, perhaps), so leave this page open until you have finished.";

export class LearnerSheets {
  // `about` is {ticket, outbox, notice, line, opened(code), leave()}.
  constructor(root, state, about) {
    Object.assign(this, { about, state, decisions: 0 });
    this.switch = tag("nav", { class: "class-sheets", "aria-label": "Your sheets" });
    this.sheet = tag("div");
    this.keys = hasFinger() ? new NumberKeys(this.sheet, () => this.uncover()) : null;
    root.replaceChildren(tag("h1", { class: "class-unseen" }, "Your sheet"), this.switch, tag("div", { class: "class-desk" }, this.sheet, this.keys?.element ?? null), this.foot());
    this.practice = new Practice(this.sheet, this.shown(state), {
      onText: () => {}, // the outbox sends it
      onAsk: (what, step) => this.onAsk(what, step),
      outboxOf: ({ code }) => outboxOf(about.outbox, code),
      unsaved: "",
    });
    this.keys?.refresh();
    this.take(state);
  }

  foot() {
    const { ticket, leave, notice } = this.about;
    const who = tag("span", {}, `You are here as ${ticket.nick || ticket.code}. `);
    const words = [who, ticket.isGiven ? null : button("Not you? Join with another code", () => leave(), { class: "class-link" })];
    return tag("footer", { class: "class-foot" }, ...(notice.isKept ? [] : [tag("p", {}, NOT_STORED)]), tag("p", {}, ...words.filter(Boolean)));
  }

  // The part of the server's state that the practice page shows; hints stay until the sheet is finished.
  shown(state) {
    const { notice, ...rest } = state;
    const other = this.others.find((sheet) => !sheet.finished);
    const onward = other ? { next: "Next sheet", told: `“Next sheet” goes on with ${other.title}.` } : null;
    return { ...rest, file: "class", notice: "", hint: "", hints: state.finished ? {} : this.state.hints, onward: state.finished ? onward : null };
  }

  get others() {
    return this.state.sheets.filter(({ code }) => code !== this.state.code);
  }

  // Takes in a sheet or marks from the server, for this sheet or another one. Marks older than those on show are
  // ignored.
  take({ paused = this.state.paused, over = this.state.over, until = this.state.until, sheets = this.state.sheets, hints, spent, ...news }) {
    const { outbox, notice } = this.about;
    Object.assign(this.state, { paused, over, until, sheets });
    outbox.countFrom(Math.max(news.n ?? 0, news.last ?? 0)); // another device of this learner may have counted on
    outbox.unmarked.from(news.run);
    outbox.setClock(news.now);
    outbox.addSheets(sheets.map(({ code }) => code));
    notice.paused(Boolean(paused), Boolean(over));
    if (news.texts && outbox.unmarked.isNew(news)) {
      this.note(news);
      outbox.unmarked.known(news.code, news.n);
      if (news.code === this.state.code) Object.assign(this.state, news);
    }
    this.drawSwitch();
    this.practice.update(this.shown(this.state));
  }

  // Takes in the teacher's latest decision; a response on its way may not know it yet.
  decide(decided) {
    this.decisions += 1;
    this.take(decided);
  }

  // Notes the progress of a sheet for its button.
  note({ code, finished, score }) {
    const sheet = this.state.sheets.find((one) => one.code === code);
    if (sheet) Object.assign(sheet, { finished, score });
  }

  drawSwitch() {
    const { sheets } = this.state;
    this.switch.hidden = sheets.length < 2;
    const texts = sheets.map((sheet) => [sheet.title, `${sheet.finished ? "✓ " : ""}${sheet.score}`]);
    const now = JSON.stringify([texts, this.state.code]);
    if (now === this.drawn) return;
    this.drawn = now;
    this.switch.replaceChildren(...sheets.map(({ code }, k) => button("", () => this.open(code), { "aria-current": code === this.state.code ? "true" : null })));
    texts.forEach(([title, far], k) => this.switch.children[k].append(tag("strong", {}, title), tag("span", {}, far)));
  }

  // Opens another sheet as soon as it has been fetched.
  async open(code) {
    this.wanted = code;
    if (code === this.state.code) return;
    this.practice.commit();
    const state = await this.fetch(code);
    if (!state || this.wanted !== code) return;
    this.state = state;
    this.practice.open(this.shown(state));
    this.keys?.refresh();
    this.take(state);
    this.about.opened(code);
    this.switch.querySelector("[aria-current]")?.focus();
    scrollTo({ top: 0 });
  }

  async fetch(code) {
    const { decisions } = this;
    const found = await this.about.line.ask(`api/sheet?code=${encodeURIComponent(code)}`);
    const { paused, over, until } = this.state;
    return found && decisions !== this.decisions ? { ...found, paused, over, until } : found;
  }

  // Fetches the sheet again: a phone that was asleep has missed messages.
  async refresh() {
    const { code } = this.state;
    const state = await this.fetch(code);
    if (state && code === this.state.code) this.take(state);
  }

  async onAsk(what, step) {
    if (what === "next") return this.open(this.others.find((sheet) => !sheet.finished)?.code ?? this.state.code);
    const found = await this.about.line.ask("api/hint", { code: this.state.code, step });
    if (!found) return;
    const hints = { ...this.state.hints, [found.step]: found.hint };
    Object.assign(this.state, { hints, spent: found.spent });
    this.practice.update({ hints, spent: found.spent });
  }

  // Keeps the field in sight when its keyboard has come up.
  uncover() {
    const field = document.activeElement;
    if (this.practice?.recordOf(field)?.field) this.practice.uncover(field);
  }
}
