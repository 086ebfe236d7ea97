// A sentence over the top of the page while there is a problem; it does not move the page.

import { tag } from "../../../views/browser/page/dom.js";
import { hasFinger } from "./number_keys.js";

const away = (device) => `The teacher’s computer cannot be reached. What you type is kept on this ${device} and sent as soon as possible.`;
const SERVER_AWAY_UNSTORED = "The teacher’s computer cannot be reached. What you type is sent as soon as possible; leave this page open until then.";
const SERVER_BACK = "The teacher’s computer is back, and has everything you typed.";
const CLASS_PAUSED = "Your teacher has paused the class. What you typed is kept.";
const CLASS_OVER = "The class is over. What you typed is kept.";
const SHOWN_BRIEFLY = 5000; // ms

export class Notice {
  // `onRoom` is called when the notice grows or shrinks.
  constructor(isKept, onRoom) {
    Object.assign(this, { isKept, onRoom, isReached: true, isPaused: false, owed: false, passing: "" });
    this.element = tag("p", { class: "class-notice", role: "status" });
    this.show();
  }

  // Notes whether the teacher's computer can be reached, and whether it has all typed texts.
  reached(isReached, isSent) {
    if (!isReached) this.owed = true;
    this.isReached = isReached;
    if (isReached && isSent && this.owed) {
      this.owed = false;
      this.showBriefly(SERVER_BACK);
    }
    this.show();
  }

  paused(isPaused, isOver = false) {
    Object.assign(this, { isPaused, isOver });
    this.show();
  }

  // Shows a sentence for a short time.
  showBriefly(sentence) {
    this.passing = sentence;
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.showBriefly(""), SHOWN_BRIEFLY);
    this.show();
  }

  get sentence() {
    if (!this.isReached) return this.isKept ? away(hasFinger() ? "phone" : "computer") : SERVER_AWAY_UNSTORED;
    if (this.isPaused) return this.isOver ? CLASS_OVER : CLASS_PAUSED;
    return this.passing;
  }

  // Measures the notice, so that it does not cover the field being filled in.
  measure() {
    document.documentElement.style.setProperty("--class-notice", `${this.element.offsetHeight}px`);
    this.onRoom();
  }

  show() {
    const { sentence } = this;
    if (this.element.textContent === sentence) return;
    this.element.textContent = sentence;
    this.element.classList.toggle("class-away", !this.isReached);
    this.measure();
  }
}
