// The teacher's decisions for the whole class, in one line over the grid.

import { tag } from "../../../views/browser/page/dom.js";
import { button, updateText } from "./elements.js";
import { clockWords, hereWords, plainName } from "./teacher_words.js";
import { countTyping } from "./sheet_progress.js";

const FILES = [
  ["marks.csv", "Marks (CSV)"],
  ["report.html", "Report"],
  ["report.csv", "Report (CSV)"],
  ["sheets.pdf", "Sheets to print"],
  ["keys.pdf", "Keys to print"],
  ["links.pdf", "Cards with QR codes"],
];

export class TopBar {
  constructor(page) {
    this.page = page;
    this.title = tag("h1");
    this.here = tag("p", { class: "here" });
    this.fresh = tag("p", { class: "fresh" });
    this.lost = tag("p", { class: "lost", role: "alert" });
    this.pause = button("Eyes up", () => page.act({ do: page.known.paused ? "resume" : "pause" }), { title: "Pause every phone until you go on" });
    this.names = button("Hide names", () => page.hideNames(!page.naming.isHidden), { "aria-keyshortcuts": "Alt+N", title: "Alt+N" });
    this.element = tag("header", { class: "top" }, tag("div", { class: "about" }, this.title, this.here, this.fresh, this.lost), tag("nav", { "aria-label": "The class" }, this.pause, this.names, this.projector(), this.more()));
    this.notice = tag("div", { class: "notices" });
  }

  projector() {
    const { page } = this;
    this.hide = button("Hide", () => page.act({ do: "hide" }));
    return menu("Projector", [
      button("Open its window", () => page.openProjector()),
      button("How to join", () => page.project({ kind: "join" })),
      button("How the class stands", () => page.project({ kind: "shares" })),
      this.hide,
    ]);
  }

  more() {
    const { page } = this;
    this.door = button("", () => page.act({ do: page.known.closed ? "open" : "closed" }));
    this.ending = button("End the class", () => page.end());
    return menu("More", [
      button("Add a student …", ({ currentTarget }) => page.openNewStudent(currentTarget)),
      ...FILES.map(([name, words]) => button(words, () => page.download(name))),
      this.door,
      this.ending,
    ]);
  }

  show() {
    const { known, naming } = this.page;
    const busy = countTyping(known);
    updateText(this.title, known.title);
    document.title = `${known.title}: teacher`;
    updateText(this.here, `${hereWords(known)}${busy ? `, ${busy} typing` : ""}`);
    updateText(this.pause, known.paused ? "Go on" : "Eyes up");
    this.pause.toggleAttribute("data-on", Boolean(known.paused));
    updateText(this.names, naming.isHidden ? "Show names" : "Hide names");
    this.names.toggleAttribute("data-on", naming.isHidden);
    updateText(this.door, known.closed ? "Let newcomers in at once" : "Newcomers wait for me");
    updateText(this.ending, known.over ? "Open the class again" : "End the class");
    this.tell();
  }

  // Tells the decisions in force: the class rests, steps are closed, something is on the projector.
  tell() {
    const { known, act } = this.page;
    const key = JSON.stringify([known.paused, known.until, known.shown, known.over, known.closed, known.trouble, known.unreachable]);
    if (this.told === key) return;
    this.told = key;
    const lines = [];
    const line = (words, undo, what) => lines.push(tag("p", {}, words, button(undo, () => act(what), { class: "small" })));
    if (known.over) line("The class is over; every answer is kept. ", "Open it again", { do: "resume" });
    else if (known.paused) line("Eyes up: every phone is paused. ", "Go on", { do: "resume" });
    if (known.trouble) lines.push(tag("p", { role: "alert" }, known.trouble));
    if (known.closed && !known.over) line("Newcomers wait until you let them in. ", "Let newcomers in at once", { do: "open" });
    if (known.until) line(`Open only up to ${plainName(known.until)}. `, "Open all steps", { do: "until", step: null });
    if (known.shown?.kind === "join" && known.unreachable) lines.push(tag("p", { role: "alert" }, known.unreachable));
    if (known.shown?.asked) line("The class is asked what happened. ", "Show the arithmetic", { do: "show", ...known.shown, asked: false });
    if (known.shown?.kind) line(`On the projector: ${SHOWN[known.shown.kind]?.(known.shown) ?? "something"}. `, "Hide", { do: "hide" });
    this.notice.replaceChildren(...lines);
  }

  // The time of the numbers, by the server's clock; `isHeard` is false while the server is silent.
  freshness(at, isHeard) {
    const time = clockWords(at);
    updateText(this.fresh, isHeard ? `as of ${time}` : "");
    updateText(this.lost, isHeard ? "" : `Connection lost; this is how it stood at ${time}. Trying again …`);
    document.body.toggleAttribute("data-stale", !isHeard);
  }
}

const SHOWN = {
  number: ({ step, row, column }) => `${plainName(step)}[${row + 1},${column + 1}]`,
  shares: () => "how the class stands",
  join: () => "how to join",
};

// A button with more buttons below it; a click elsewhere or Esc closes it.
function menu(words, buttons) {
  const head = tag("summary", {}, words);
  const found = tag("details", { class: "menu" }, head, tag("div", {}, ...buttons));
  const close = () => (found.open = false);
  found.addEventListener("click", ({ target }) => target.closest("button") && close());
  found.addEventListener("keydown", (event) => {
    if (event.key !== "Escape" || !found.open) return;
    event.stopPropagation();
    close();
    head.focus();
  });
  found.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && !found.contains(relatedTarget) && close());
  document.addEventListener("pointerdown", ({ target }) => found.contains(target) || close());
  return found;
}
