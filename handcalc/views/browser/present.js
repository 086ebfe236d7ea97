// Presenting: one step at a time over the whole window, large enough for the back row.

import { plural } from "./numbers.js";
import { verdictTags } from "./score.js";
import { Sheet } from "./sheet.js";
import { flowLine } from "./slide_flow.js";
import { layoutOfGivens, layoutOfStep } from "./slide_layout.js";
import { SlideStage, stageOf } from "./slide_stage.js";
import { titlePicture } from "./slide_title.js";
import { columnsIn } from "./window.js";
import { allow, button, equationNodes, tag } from "./dom.js";

const SCROLLING = { PageDown: 1, ArrowDown: 1, " ": 1, PageUp: -1, ArrowUp: -1 }; // a clicker sends the page keys
const ON = ["ArrowRight", "ArrowDown", "PageDown", " ", "Enter"];
const LONG = 70; // letters of arithmetic, from which on it is written smaller
const BACK = ["ArrowLeft", "ArrowUp", "PageUp", "Backspace"];

export class Presentation {
  constructor(explorer) {
    this.explorer = explorer;
    this.head = tag("h2", { class: "hc-slide-head" });
    this.count = tag("span", { class: "hc-slide-count" });
    this.flow = tag("div", { class: "hc-slide-flow" });
    this.stage = new SlideStage();
    this.reason = tag("p", { class: "hc-slide-why" });
    this.line = tag("p", { class: "hc-arithmetic" });
    this.asking = tag("div", { class: "hc-slide-question" });
    this.messages = tag("div", { class: "hc-slide-messages" }, tag("div", { role: "status", "aria-live": "polite" }, this.reason, this.line), this.asking);
    this.toBack = button("Back", () => this.back(), { symbol: "back" });
    this.toNext = button("Next", () => this.next(), { symbol: "next" });
    this.score = tag("span", { class: "hc-score" });
    const close = button("Stop presenting", () => this.close(), { symbol: "close" });
    const top = tag("div", { class: "hc-slide-top" }, this.head, this.count, close);
    const foot = tag("div", { class: "hc-slide-foot" }, this.toBack, this.toNext,
      tag("span", { class: "hc-slide-keys" }, "→ next  ← back  type a guess  Esc closes"), this.score);
    this.element = tag("dialog", { class: "handcalc-explorer hc-present", "aria-label": `Presenting: ${explorer.title}` }, this.flow, top, tag("div", { class: "hc-slide-body" }, this.messages, this.stage.element), foot);
    this.bind();
  }

  bind() {
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("close", () => this.leave());
    this.stage.place.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-row]");
      if (cell) this.pick(cell.handcalc);
    });
    this.observer = new ResizeObserver(() => this.resize());
    this.left = 0;
  }

  get isOpen() {
    return this.element.open;
  }

  open() {
    const { stepper } = this.explorer;
    this.home = stepper.question.element.parentElement;
    this.asking.append(stepper.question.element);
    this.explorer.element.append(this.element);
    this.element.showModal();
    document.documentElement.requestFullscreen?.().catch(() => {}); // the dialog covers the window all the same
    this.observer.observe(this.element);
    this.isAtEnd = false;
    this.start(this.left);
    this.toNext.focus();
  }

  // From so many steps on: where it was left, if it was closed before the end.
  start(at) {
    this.isTitle = at === 0;
    this.explorer.stepper.go(at);
  }

  // Of several blocks each begins with the map.
  get hasMap() {
    return this.explorer.levels.isMany;
  }

  close() {
    this.element.close();
  }

  leave() {
    this.observer.disconnect();
    this.element.remove();
    const { stepper } = this.explorer;
    this.left = stepper.isDone || this.isTitle ? 0 : stepper.at;
    this.home.append(stepper.question.element);
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    stepper.go(Infinity);
    this.explorer.onPresented();
  }

  next() {
    const { stepper } = this.explorer;
    if (stepper.isDone) {
      this.isAtEnd = true;
      this.refresh();
    } else if (!stepper.asked && this.isTitle) this.begin();
    else if (!stepper.asked && this.hasMap && this.isOther(stepper.steps[stepper.at])) this.turnTo(stepper.steps[stepper.at]);
    else stepper.next();
  }

  // After the title: the first block, lit on the map, or what is given.
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
    const isScrolled = isFree && SCROLLING[event.key] && this.stage.scrollOn(SCROLLING[event.key]);
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
    if (explorer.desk.concealed.has(owner) && explorer.stepper.asked) explorer.stepper.askInstead([owner, row, column]);
    else if (!explorer.desk.concealed.has(owner)) {
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

  // What is on the slide: "title", "map", "givens", "step" or "whole".
  get kind() {
    const { stepper } = this.explorer;
    if (this.isAtEnd && stepper.isDone) return this.hasMap ? "map" : "whole";
    if (this.isTitle) return this.hasMap ? "map" : "title";
    if (stepper.step) return "step";
    return this.hasMap ? "map" : "givens";
  }

  refresh() {
    if (!this.isOpen) return;
    const { stepper } = this.explorer;
    if (!stepper.isDone) this.isAtEnd = false;
    if (stepper.asked) this.isTitle = false;
    const { kind } = this;
    this.size = `${innerWidth} × ${innerHeight}`;
    this.element.dataset.slide = kind;
    this.drawStage(kind);
    this.drawFlow(kind);
    this.head.replaceChildren(...this.headTags(kind));
    this.count.textContent = this.counted(kind);
    this.say(kind === "step");
    allow(this.toBack, !this.isTitle);
    allow(this.toNext, !this.isAtEnd);
    this.stage.fit();
    if (kind === "step") this.stage.reveal(this.sheet.showing(...this.explorer.chosen)[0]);
    this.keepKeys();
  }

  drawStage(kind) {
    const { explorer } = this;
    const { calculation, level, navigation, places, stepper } = explorer;
    this.sheet?.dispose();
    this.sheet = null;
    if (kind === "map") return this.stage.show(navigation.map.copy(this.isAtEnd || this.isTitle));
    if (kind === "title") return this.stage.show(titlePicture(explorer));
    this.sheet = new Sheet(calculation, places, this.layout(kind), columnsIn(Infinity), level);
    this.sheet.conceal(stepper.hidden);
    this.stage.show(this.sheet.element, { sheet: this.sheet, isOverview: kind === "whole" });
    if (kind === "step") explorer.highlight.apply(this.sheet);
  }

  layout(kind) {
    const { calculation, convention, level, stepper } = this.explorer;
    if (kind === "whole") return level.layout;
    if (kind === "givens") return layoutOfGivens(calculation);
    return layoutOfStep(stepper.step, level.layout, convention === "rows", stageOf(innerWidth, innerHeight));
  }

  // The way through the block that is calculated.
  drawFlow(kind) {
    const { convention, level, stepper } = this.explorer;
    const isShown = kind !== "title" && (kind !== "map" || !(this.isAtEnd || this.isTitle)) && level.hasSteps;
    this.flow.replaceChildren(...(isShown ? [flowLine(level, convention === "rows", kind === "step" ? stepper.step : null, stepper.hidden)] : []));
    this.flow.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  say(isStep) {
    const { explanation, stepper } = this.explorer;
    this.reason.replaceChildren(...(isStep ? [...verdictTags(stepper.verdict), stepper.verdict ? " " : "", stepper.step.entry.why] : [this.whyOf()]));
    this.line.replaceChildren(...(isStep ? explanation.lineTags() : []));
    this.line.classList.toggle("hc-long", this.line.textContent.length > LONG);
    this.messages.hidden = !isStep && !this.reason.textContent;
    this.score.textContent = stepper.score.words;
  }

  headTags(kind) {
    const { title, level, stepper } = this.explorer;
    if (kind === "step") return [equationNodes(stepper.step)];
    if (kind === "whole" || this.isAtEnd || this.isTitle) return [title];
    return [kind === "map" ? level.label : `${title}: what is given`];
  }

  counted(kind) {
    const { level, levels, stepper: { own, step, steps } } = this.explorer;
    if (kind === "step") return `${this.hasMap ? `${level.label} · ` : ""}${own.indexOf(step) + 1} of ${own.length}`;
    if (this.isAtEnd) return this.hasMap ? "the whole" : "the whole sheet";
    if (this.isTitle && this.hasMap) return plural(levels.list.filter((other) => other.hasSteps).length, "block");
    return plural(this.hasMap ? own.length : steps.length, "step");
  }

  // Why it is calculated at all, or why that block is there.
  whyOf() {
    const { calculation, level } = this.explorer;
    if (this.isAtEnd) return "";
    if (this.isTitle) return calculation.spec.why ?? "";
    return this.hasMap ? level.why : "";
  }

  // The focused control may be gone from the slide: keys must keep working.
  keepKeys() {
    const now = document.activeElement;
    if (!this.element.contains(now) || !now.checkVisibility()) this.toNext.focus({ preventScroll: true });
  }
}

export function startCard(explorer) {
  const words = "One step at a time; each asks you for one of its numbers before showing them. Keys: → and ←, or a clicker; Esc closes.";
  return tag("div", { class: "hc-start" },
    tag("div", {}, tag("strong", {}, explorer.title), tag("p", {}, words)),
    button("Present", () => explorer.present(), { class: "hc-go" }));
}

