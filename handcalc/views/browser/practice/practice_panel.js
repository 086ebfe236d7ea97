// Below the sheet to fill in: the step being filled, Python's words on it, a hint, and once all of it is
// right how it went. It is always as high, so that no button moves away from under a finger.

import { plural } from "../record/numbers.js";
import { KEEPS_KEYS, allow, button, tag, typesetNodes } from "../page/dom.js";
import { explain } from "../page/glossary.js";
import { ROWS } from "./states.js";

// The step after this sheet: the words of its button, and their explanation.
const ONWARD = { next: "Next problem", told: "“Next problem” brings new numbers." };
const READABLE = { tabindex: "0", role: "region", "aria-label": "Feedback", ...KEEPS_KEYS };

export class PracticePanel {
  // `onAsk` gets "hint", "next", "back" or "whole".
  constructor(onAsk) {
    this.about = tag("p", { class: "hc-why" });
    this.notice = tag("p", { class: "hc-unsaved" });
    this.hint = tag("p", { class: "hc-hint hc-reason" });
    this.messages = tag("div", { class: "hc-messages" });
    this.end = tag("p", { class: "hc-end", tabindex: "-1", hidden: "" });
    this.hinting = button("Hint", () => onAsk("hint"), { class: "hc-hinting" });
    this.next = button("Next problem", () => onAsk("next"));
    this.back = button("Back", () => onAsk("back"), { title: "Back to the previous problem" });
    this.whole = button("All of it", () => onAsk("whole"), { title: "Fill in every step of this problem" });
    this.leaving = tag("p", { class: "hc-leaving" });
    const spoken = tag("div", { role: "status", "aria-atomic": "false" }, this.leaving, this.notice, this.hint, this.messages);
    this.read = tag("div", { class: "hc-read" }, this.end, this.about, spoken);
    this.acts = tag("div", { class: "hc-acts" }, this.hinting, this.next, this.back);
    this.element = tag("div", { class: "hc-panel" }, this.read, this.acts);
  }

  // Show what Python says. Where nothing comes after this sheet `onward` is null,
  // and where nothing goes back `back` is left out.
  show({ notice, finished, back, plan, onward = ONWARD }) {
    this.notice.textContent = notice;
    this.leaving.textContent = "";
    if (plan?.part) this.acts.append(this.whole);
    else this.whole.remove();
    this.reach();
    this.next.classList.toggle("hc-go", Boolean(finished));
    this.hinting.classList.toggle("hc-away", Boolean(finished)); // there is nothing to be asked, and the others stay where they are
    const isLast = plan?.of > 1 && plan.number === plan.of;
    this.told = `${isLast ? "That was the last of them. " : ""}${onward?.told ?? ""}`;
    this.next.textContent = onward?.next ?? "";
    this.next.hidden = !onward;
    this.back.hidden = back === undefined;
    allow(this.back, back);
  }

  // Show a hint, and scroll to a new one; where there is no further one, the button says so.
  showHint(hint, isSpent) {
    if (hint !== this.hinted) {
      this.hint.replaceChildren(explain(typesetNodes(hint)));
      if (hint) this.read.scrollTop = this.hint.offsetTop - this.read.offsetTop;
    }
    this.hinted = hint;
    this.hinting.textContent = isSpent ? "No more hints" : "Hint";
    this.reach();
  }

  // Let keys scroll the text, if it is longer than its room.
  reach() {
    const { read } = this;
    if (read.scrollHeight > read.clientHeight) for (const [name, value] of Object.entries(READABLE)) read.setAttribute(name, value);
    else for (const name of Object.keys(READABLE)) read.removeAttribute(name);
  }

  // Tell a learner who goes on now how many fields are left unfinished.
  askOnce(count) {
    const fields = count === 1 ? "One field is" : `${plural(count, "field")} are`;
    this.leaving.textContent = `${fields} not finished. “Next problem” once more leaves this one; “Back” brings everything back.`;
    this.read.scrollTop = 0;
    this.reach();
  }

  // All of it is right, or is not any more: `count` numbers.
  finish(isFinished, count) {
    this.end.hidden = !isFinished;
    this.about.hidden = this.messages.hidden = isFinished;
    const all = count === 1 ? "The number is" : `All ${plural(count, "number")} are`;
    this.end.replaceChildren(...(isFinished ? [tag("strong", {}, `✓ ${all} right.`), ` ${this.told}`] : []));
  }
}

// The legend of the signs that fields have at present: a finger sees no titles.
export function legendOf(fields) {
  const isShown = ({ name, learner }) => learner && name !== "waiting" && fields.some((field) => field.classList.contains(`hc-${name}`));
  return ROWS.filter(isShown).flatMap(({ name, sign, learner }) => [tag("span", {}, tag("b", { class: `hc-${name}` }, sign), ` ${learner}${name === "follows" ? " (Hint shows how)" : ""}`), " "]);
}
