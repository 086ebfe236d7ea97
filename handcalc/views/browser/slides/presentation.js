// Presenting: one step at a time over the whole window, large enough for the back row.

import { cellToAsk } from "../record/askable.js";
import { Slide } from "./slide.js";
import { onSwipe } from "../page/swipe.js";
import { allow, button, tag } from "../page/dom.js";

const SCROLLING = { PageDown: 1, ArrowDown: 1, " ": 1, PageUp: -1, ArrowUp: -1 }; // a clicker sends the page keys
const ON = ["ArrowRight", "ArrowDown", "PageDown", " ", "Enter"];
const BACK = ["ArrowLeft", "ArrowUp", "PageUp", "Backspace"];

export class Presentation {
  constructor(explorer) {
    this.explorer = explorer;
    this.slide = new Slide(explorer);
    this.toBack = button("Back", () => this.back(), { symbol: "back" });
    this.toNext = button("Next", () => this.next(), { symbol: "next" });
    this.score = tag("span", { class: "hc-score" });
    const close = button("Stop presenting", () => this.element.close(), { symbol: "close" });
    const { flow, head, count, body } = this.slide;
    const top = tag("div", { class: "hc-slide-top" }, head, count, close);
    const foot = tag("div", { class: "hc-slide-foot" }, this.toBack, this.toNext,
      tag("span", { class: "hc-slide-keys" }, "→ next  ← back  type a guess  Esc ends"), this.score);
    this.element = tag("dialog", { class: "handcalc-explorer hc-present", "aria-label": `Presenting: ${explorer.title}` }, flow, top, body, foot);
    this.bind();
  }

  bind() {
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("close", () => this.isOpen || this.leave()); // not when it is only raised
    this.slide.stage.place.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-row]");
      if (cell) this.pick(cell.handcalc);
    });
    onSwipe(this.element, {
      onTurn: (step) => (step > 0 ? this.next() : this.back()),
      onTap: () => this.explorer.stepper.asked || this.next(), // a tap beside the field is no answer
    });
    this.observer = new ResizeObserver(() => this.resize());
    this.left = 0;
  }

  get isOpen() {
    return this.element.open;
  }

  open() {
    const { openSheets, stepper } = this.explorer;
    openSheets.element.replaceChildren(); // a number stands on a page once, and now it is the slide's
    this.home = stepper.panel.parentElement;
    this.slide.asking.append(stepper.panel);
    this.explorer.element.append(this.element);
    this.element.showModal();
    document.documentElement.requestFullscreen?.().then(() => this.raise(), () => {}); // else it covers the window
    this.observer.observe(this.element);
    this.isAtEnd = false;
    this.start(this.left);
    this.toNext.focus();
    this.arrive();
  }

  // What goes to full screen is painted over dialogs that are open: this one is opened once more, above it.
  raise() {
    if (!this.isOpen) return;
    const { activeElement } = this.element.getRootNode();
    this.element.close();
    this.element.showModal();
    activeElement?.focus();
  }

  // Begin at a named block or step, asking for this number of it, or for one worth asking for.
  beginAt(level, cell, isNumber) {
    const { steps } = this.explorer.stepper;
    const isStep = steps.includes(cell?.[0]);
    const step = isStep ? cell[0] : level.steps[0];
    if (!step) return;
    this.left = steps.indexOf(step);
    this.wish = { step, cell: isNumber ? cell : cellToAsk(step), isStep };
  }

  arrive() {
    const { step, cell, isStep } = this.wish ?? {};
    this.wish = null;
    if (!step) return;
    this.isTitle = false;
    if (isStep) this.explorer.stepper.askFor(cell);
    else this.turnTo(step);
  }

  // Start from this many steps on: the place where it was left, if it was closed before the end.
  start(at) {
    this.isTitle = at === 0;
    this.explorer.stepper.go(at);
  }

  // Whether there are several blocks, each of which begins with the map.
  get hasMap() {
    return this.explorer.levels.isMany;
  }

  leave() {
    this.observer.disconnect();
    this.element.remove();
    const { explorer, explorer: { stepper } } = this;
    this.left = stepper.isDone || this.isTitle ? 0 : stepper.at;
    this.home.append(stepper.panel);
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    stepper.go(Infinity);
    if (explorer.mode !== "present") explorer.openSheets.show();
  }

  next() {
    const { stepper } = this.explorer;
    if (this.isAtEnd) return;
    if (stepper.isDone) {
      this.isAtEnd = true;
      this.refresh();
    } else if (!stepper.asked && this.isTitle) this.begin();
    else if (!stepper.asked && this.hasMap && this.isOther(stepper.steps[stepper.at])) this.turnTo(stepper.steps[stepper.at]);
    else stepper.next();
  }

  // Go on after the title: to the first block, lit on the map, or to the givens.
  begin() {
    this.isTitle = false;
    if (this.hasMap) this.turnTo(this.explorer.stepper.steps[0]);
    else this.refresh();
  }

  isOther(step) {
    return this.explorer.levels.home(step) !== this.explorer.level;
  }

  // The map, with the block of a step lit that is about to begin; or where it was before.
  turnTo(step) {
    this.isTitle = false;
    this.explorer.navigation.turnTo(this.explorer.levels.home(step));
    this.refresh();
  }

  back() {
    const { stepper } = this.explorer;
    if (this.isAtEnd) {
      this.isAtEnd = false;
      this.refresh();
    } else if (!stepper.asked && stepper.at === 0) {
      this.isTitle = true;
      this.refresh();
    } else if (this.hasMap && stepper.isBetween) this.turnTo(stepper.steps[stepper.at - 1]);
    else stepper.back();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab" || event.key === "Escape") return;
    event.stopPropagation();
    const { stepper } = this.explorer;
    const isTyping = event.target === stepper.question.field;
    const isButton = event.target.closest("button") && event.target !== this.toNext && [" ", "Enter"].includes(event.key);
    if (isButton || (isTyping && event.key === "Enter" && stepper.question.field.value.trim())) return;
    const isPage = event.key.startsWith("Page");
    if (event.key === "Home" && !isTyping) this.start(0);
    const isFree = isPage || !isTyping || !stepper.question.field.value;
    const isScrolled = isFree && SCROLLING[event.key] && this.slide.stage.scrollOn(SCROLLING[event.key]);
    if (isScrolled) event.preventDefault();
    else if (isFree && ON.includes(event.key)) this.next();
    else if (isFree && BACK.includes(event.key)) this.back();
    else if (event.key !== "Home" && !isTyping && stepper.asked && /^[-+.,\d]$/.test(event.key)) {
      stepper.question.field.focus();
      stepper.question.field.value = event.key;
    } else return;
    event.preventDefault();
  }

  // A tap on another number of the step asks for that one, or explains it.
  pick({ owner, row, column }) {
    const { explorer } = this;
    if (explorer.openSheets.concealed.has(owner) && explorer.stepper.asked) explorer.stepper.askInstead([owner, row, column]);
    else if (!explorer.openSheets.concealed.has(owner)) {
      explorer.choose(owner, row, column);
      this.refresh();
    }
  }

  // drawing -----------------------------------------------------------------------------------

  // A window of another size may have room for another layout.
  resize() {
    const size = `${innerWidth} × ${innerHeight}`;
    if (size !== this.size) this.refresh();
  }

  // The kind of the current slide.
  get kind() {
    const { stepper } = this.explorer;
    if (this.isAtEnd && stepper.isDone) return "whole";
    if (this.isTitle) return "title";
    return stepper.step ? "step" : "begin";
  }

  refresh() {
    if (!this.isOpen) return;
    const { stepper } = this.explorer;
    if (!stepper.isDone) this.isAtEnd = false;
    if (stepper.asked) this.isTitle = false;
    stepper.summary.refresh();
    const { kind } = this;
    this.size = `${innerWidth} × ${innerHeight}`;
    this.element.dataset.slide = this.hasMap && kind !== "step" ? "map" : kind;
    this.slide.draw(kind, this.hasMap);
    this.score.textContent = stepper.score.words;
    allow(this.toBack, !this.isTitle);
    allow(this.toNext, !this.isAtEnd);
    this.slide.fit();
    this.keepKeys();
  }

  // The focused control may be gone from the slide: keys must keep working.
  keepKeys() {
    const now = document.activeElement;
    if (!this.element.contains(now) || !now.checkVisibility()) this.toNext.focus({ preventScroll: true });
  }
}

export function startCard(explorer) {
  const words = "One step at a time: each asks for one of its numbers before it shows them. Press → and ←, or use a clicker; Esc ends the slides.";
  return tag("div", { class: "hc-start" },
    tag("div", {}, tag("strong", {}, explorer.title), tag("p", {}, words)),
    button("Present", () => explorer.presentation.open(), { class: "hc-go" }));
}

