// Students by steps: one table for each kind of sheet. Only what has changed is written again.

import { tag, typesetNodes } from "../../../views/browser/page/dom.js";
import { button, flash, updateText, updateAttribute, makeShareBar, updateShareBar } from "./elements.js";
import { moveFocusByArrows } from "./roving_focus.js";
import { findActivity, closedSteps, countedOf, groupInBlocks, isDone, measureProgress, rowsOf, countStages, SIGNS, sortRows, STATES, worstState, wrongPercent } from "./sheet_progress.js";
import { activityWords, cellWords, countWords, plainName } from "./teacher_words.js";

const REORDER_INTERVAL = 10_000; // milliseconds between two changes of the order by themselves

export class PeopleGrid {
  // `page` has the class (`known`), `naming` and `order`, and handles `openCell`, `openStudent` and `openStep`.
  constructor(page, kind) {
    Object.assign(this, { page, kind, about: page.known.kinds[kind], lines: new Map(), orderedAt: 0 });
    this.body = tag("tbody");
    this.heads = new Map();
    const widths = tag("colgroup", {}, tag("col", { class: "who" }), ...this.about.steps.map(() => tag("col", { class: "step" })));
    this.table = tag("table", { role: "grid", class: "people", "aria-label": this.about.title }, widths, this.head(), this.body);
    this.element = tag("div", { class: "window" }, this.table, legend());
    this.element.style.setProperty("--steps", this.about.steps.length);
    this.table.addEventListener("click", ({ target }) => this.open(target.closest("[data-column]")));
    moveFocusByArrows(this.table, (cell) => this.open(cell));
  }

  head() {
    const blocks = groupInBlocks(this.about);
    const head = tag("thead");
    if (blocks.some(({ title }) => title)) {
      const over = blocks.map(({ title, steps }) => tag("th", { role: "columnheader", colspan: steps.length, class: "block" }, tag("span", {}, title)));
      head.append(tag("tr", { role: "row" }, tag("td", { role: "gridcell", class: "who" }), ...over));
    }
    const who = tag("th", { role: "columnheader", scope: "col", class: "who" }, "Student");
    head.append(tag("tr", { role: "row" }, who, ...blocks.flatMap(({ steps }) => steps.map((step, k) => this.stepHead(step, !k)))));
    return head;
  }

  stepHead(step, isFirst) {
    const bar = makeShareBar([0, 0, 0, 0, 0], "", STATES);
    const words = tag("span", { class: "name" }, typesetNodes(step.html));
    const cell = tag("th", { role: "columnheader", scope: "col", tabindex: -1, "data-column": step.name, class: isFirst ? "first" : null }, words, bar);
    this.heads.set(step.name, { cell, bar });
    return cell;
  }

  // Writes all rows, or those of some codes.
  update(codes) {
    const rows = rowsOf(this.page.known, this.kind);
    const changed = codes && new Set(codes);
    for (const row of rows) if (!changed || changed.has(row.code) || !this.lines.has(row.code)) this.write(row, Boolean(changed));
    this.tick(rows);
    this.order(rows, !codes);
    if (!changed || rows.some(({ code }) => changed.has(code))) this.share(rows);
    this.close();
  }

  // The bar over each column: the standing of the class in that step.
  share(rows) {
    for (const step of this.about.steps) {
      const { cell, bar } = this.heads.get(step.name);
      const counts = countStages(rows, step.name);
      updateShareBar(bar, counts, countWords(counts), STATES);
      updateAttribute(cell, "aria-label", `${plainName(step.name)}: ${countWords(counts)}`);
    }
  }

  write(row, isNews) {
    const line = this.lines.get(row.code) ?? this.line(row);
    line.row = row;
    for (const step of this.about.steps) this.cell(line, step.name, row.steps[step.name], isNews);
    this.name(line);
  }

  line(row) {
    const name = tag("span", { class: "name" });
    const nick = tag("span", { class: "nick" });
    const now = tag("span", { class: "now" });
    const far = tag("span", { class: "far" });
    const head = tag("th", { role: "rowheader", scope: "row", tabindex: -1, class: "who", "data-column": "" }, tag("div", {}, tag("span", { class: "names" }, name, nick), now, far));
    const cells = new Map();
    const firsts = new Set(groupInBlocks(this.about).map(({ steps }) => steps[0].name));
    for (const step of this.about.steps) {
      cells.set(step.name, tag("td", { role: "gridcell", tabindex: -1, "data-column": step.name, class: firsts.has(step.name) ? "first" : null }));
    }
    const element = tag("tr", { role: "row", "data-code": row.code }, head, ...cells.values());
    const line = { element, head, name, nick, now, far, cells, row, shown: new Map() };
    this.lines.set(row.code, line);
    this.body.append(element);
    return line;
  }

  cell({ cells, shown, row }, step, counts, isNews) {
    const cell = cells.get(step);
    const written = counts ? counts.join() : "";
    const label = cellWords(this.page.naming.of(row.number), plainName(step), counts);
    updateAttribute(cell, "aria-label", label);
    if (shown.get(step) === written) return;
    shown.set(step, written);
    const state = counts ? worstState(counts) : STATES.length - 1;
    updateAttribute(cell, "data-state", counts ? STATES[state] : "none");
    cell.toggleAttribute("data-done", Boolean(counts) && isDone(counts) && state === 0);
    const far = counts && state < 4 && !isDone(counts) ? countedOf(counts) : "";
    cell.style.setProperty("--wrong-share", `${counts ? wrongPercent(counts) : 0}%`);
    const sign = cell.firstChild ?? cell.appendChild(tag("b"));
    const count = sign.nextSibling ?? cell.appendChild(tag("small"));
    updateText(sign, counts ? SIGNS[state] : "");
    updateText(count, far);
    if (isNews) flash(cell);
  }

  name({ name, nick, row }) {
    const { naming } = this.page;
    updateText(name, naming.of(row.number));
    updateText(nick, naming.nick(row.number, row.nick));
  }

  // Updates the parts that change with time: who is typing, who is quiet, who needs help.
  tick(rows) {
    const { known } = this.page;
    const closed = closedSteps(this.about, known.until);
    const stuck = new Set(this.page.known.needs.filter(({ kind }) => kind === "stuck").map(({ code }) => code));
    for (const row of rows) {
      const line = this.lines.get(row.code);
      const doing = findActivity(row, known);
      const { done, all } = measureProgress(row, closed);
      const isReady = all && done === all;
      const words = isReady && doing.kind === "quiet" ? "" : activityWords(doing, known.kinds);
      updateText(line.now, words);
      updateAttribute(line.now, "data-kind", doing.kind);
      updateAttribute(line.now, "title", words);
      updateText(line.far, row.learner && all ? `${done} of ${all}` : "");
      line.element.toggleAttribute("data-stuck", stuck.has(row.code));
      line.element.toggleAttribute("data-away", !row.learner);
      line.element.toggleAttribute("data-marked", this.page.marked.has(row.number));
      this.outline(line);
      const name = this.page.naming.of(row.number);
      updateAttribute(line.head, "aria-label", [name, this.page.naming.nick(row.number, row.nick), stuck.has(row.code) ? "stuck" : "", words, all ? `${done} of ${all} right or following` : ""].filter(Boolean).join(", "));
    }
  }

  // Outlines the cells with the mistake that the teacher is looking at.
  outline({ cells, row }) {
    const { markedBy } = this.page;
    for (const [step, cell] of cells) {
      const isSeen = Boolean(markedBy) && row.seen.some(([where, name]) => where === step && name === markedBy);
      if (cell.hasAttribute("data-seen") !== isSeen) cell.toggleAttribute("data-seen", isSeen);
    }
  }

  // Sorts the rows when the teacher asks for it; otherwise seldom, and never under the pointer or the keyboard.
  order(rows, isAsked) {
    const isBusy = this.body.matches(":hover") || this.body.contains(document.activeElement);
    if (!isAsked && (isBusy || Date.now() - this.orderedAt < REORDER_INTERVAL)) return;
    this.orderedAt = Date.now();
    const { naming, known, orderBy } = this.page;
    const wanted = sortRows(rows, orderBy, { nameOf: (number) => naming.of(number), needs: known.needs, closed: closedSteps(this.about, known.until) });
    let at = this.body.firstElementChild;
    for (const { code } of wanted) {
      const { element } = this.lines.get(code);
      if (element === at) at = at.nextElementSibling;
      else this.body.insertBefore(element, at);
    }
    while (at) {
      const gone = at;
      at = at.nextElementSibling;
      this.lines.delete(gone.dataset.code);
      gone.remove();
    }
    if (!this.table.querySelector('[tabindex="0"]')) this.body.querySelector("[data-column]")?.setAttribute("tabindex", "0");
  }

  // Marks the columns of steps that are not open yet.
  close() {
    const closed = closedSteps(this.about, this.page.known.until, this.page.known.of);
    const key = [...closed].join();
    if (this.closed === key) return;
    this.closed = key;
    for (const step of this.about.steps) {
      const isClosed = closed.has(step.name);
      this.heads.get(step.name).cell.toggleAttribute("data-closed", isClosed);
      for (const { cells } of this.lines.values()) cells.get(step.name).toggleAttribute("data-closed", isClosed);
    }
  }

  open(cell) {
    if (!cell) return;
    const code = cell.closest("tr").dataset.code;
    const step = cell.dataset.column;
    if (!code && step) this.page.openStep(this.kind, step, cell);
    else if (code && step) this.page.openCell(code, step, cell);
    else if (code) this.page.openStudent(code, cell);
  }
}

// The meaning of the signs and numbers in a cell.
function legend() {
  const words = ["right", "close: just beyond rounding", "follows from an earlier slip", "wrong", "blank"];
  const signs = words.map((word, k) => tag("span", { "data-state": STATES[k] }, tag("b", {}, SIGNS[k]), ` ${word}`));
  return tag("p", { class: "legend" }, ...signs, tag("span", {}, "2 of 3: two of three numbers are right or follow; a deeper red, fewer of them"));
}

// Buttons to choose the kind of sheet, if there are several.
export function kindSwitch(known, chosen, onChoose) {
  const buttons = known.kinds.map(({ title, level }, kind) => {
    const isTwice = known.kinds.filter((other) => other.title === title).length > 1;
    return button(isTwice ? `${title}, level ${level}` : title, () => onChoose(kind), { "aria-pressed": String(kind === chosen) });
  });
  return tag("div", { class: "kinds", role: "group", "aria-label": "Sheets" }, ...buttons);
}
