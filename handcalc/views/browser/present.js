// Presenting: one step at a time over the whole window, large enough for the back row.

import { plural } from "./numbers.js";
import { verdictTags } from "./score.js";
import { Sheet } from "./sheet.js";
import { columnsIn } from "./window.js";
import { allow, button, equationNodes, tag } from "./dom.js";

const ON = ["ArrowRight", "ArrowDown", "PageDown", " ", "Enter"]; // a clicker sends the page keys
const BACK = ["ArrowLeft", "ArrowUp", "PageUp", "Backspace"];
const [LARGEST, SMALLEST] = [36, 8]; // pixels of a number

export class Presentation {
  constructor(explorer) {
    this.explorer = explorer;
    this.head = tag("h2", { class: "hc-slide-head" });
    this.count = tag("span", { class: "hc-slide-count" });
    this.stage = tag("div", { class: "hc-slide-stage", tabindex: "0", role: "region", "aria-label": "The numbers of this step" });
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
    this.element = tag("dialog", { class: "handcalc-explorer hc-present", "aria-label": `Presenting: ${explorer.title}` }, top, this.stage, this.messages, foot);
    this.bind();
  }

  bind() {
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("close", () => this.leave());
    this.stage.addEventListener("click", (event) => {
      const cell = event.target.closest("td[data-row]");
      if (cell) this.pick(cell.handcalc);
    });
    this.observer = new ResizeObserver(() => this.fit());
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
    this.isTitle = this.hasMap && at === 0;
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
    } else if (!stepper.asked && this.isTitle) this.turnTo(stepper.steps[0]);
    else if (!stepper.asked && this.hasMap && this.isOther(stepper.steps[stepper.at])) this.turnTo(stepper.steps[stepper.at]);
    else stepper.next();
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
    } else if (this.hasMap && stepper.isBetween) {
      if (stepper.at > 0) this.turnTo(stepper.steps[stepper.at - 1]);
      else this.isTitle = true;
      this.refresh();
    } else stepper.back();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab" || event.key === "Escape") return;
    event.stopPropagation();
    const { stepper } = this.explorer;
    const isTyping = event.target === stepper.question.field;
    const isButton = event.target.closest("button") && [" ", "Enter"].includes(event.key);
    if (isButton || (isTyping && event.key === "Enter" && stepper.question.field.value.trim())) return;
    const isPage = event.key.startsWith("Page");
    if (event.key === "Home" && !isTyping) this.start(0);
    const isFree = isPage || !isTyping || !stepper.question.field.value;
    if (isFree && ON.includes(event.key)) this.next();
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

  refresh() {
    if (!this.isOpen) return;
    const { explorer } = this;
    const { stepper, calculation } = explorer;
    const { step } = stepper;
    const isWhole = this.isAtEnd && stepper.isDone;
    if (!stepper.isDone) this.isAtEnd = false;
    if (stepper.asked) this.isTitle = false;
    const isStep = step && !isWhole && !this.isTitle;
    const isMap = this.hasMap && !isStep;
    this.sheet = isMap ? null : new Sheet(calculation, explorer.places, this.layout(isWhole ? null : step, isWhole), columnsIn(Infinity), explorer.level);
    this.sheet?.conceal(stepper.hidden);
    this.stage.replaceChildren(isMap ? explorer.navigation.map.copy(isWhole || this.isTitle) : this.sheet.element);
    this.head.replaceChildren(...this.headTags(isStep, isMap, isWhole));
    this.count.textContent = this.counted(isStep, isWhole);
    this.reason.replaceChildren(...(isStep ? [...verdictTags(stepper.verdict), stepper.verdict ? " " : "", step.entry.why] : [this.whyOf(isMap, isWhole)]));
    this.line.replaceChildren(...(isStep ? explorer.explanation.lineTags() : []));
    this.messages.hidden = !isStep && !this.reason.textContent;
    this.score.textContent = stepper.score.words;
    allow(this.toBack, isWhole || stepper.at > 0 || stepper.asked !== null || (this.hasMap && !this.isTitle));
    allow(this.toNext, !isWhole);
    if (isStep) explorer.highlight.apply(this.sheet);
    this.fit();
    this.keepKeys();
  }

  layout(step, isWhole) {
    if (isWhole) return this.explorer.level.layout;
    return step ? this.layoutOf(step) : this.layoutOfGivens();
  }

  headTags(isStep, isMap, isWhole) {
    const { title, level, stepper } = this.explorer;
    if (isStep) return [equationNodes(stepper.step)];
    if (isWhole || this.isTitle) return [title];
    return [isMap ? level.label : `${title}: what is given`];
  }

  counted(isStep, isWhole) {
    const { level, levels, stepper: { own, step, steps } } = this.explorer;
    if (isWhole) return this.hasMap ? "the whole" : "the whole sheet";
    if (!isStep) return this.isTitle ? plural(levels.list.filter((other) => other.hasSteps).length, "block") : plural(this.hasMap ? own.length : steps.length, "step");
    return `${this.hasMap ? `${level.label} · ` : ""}${own.indexOf(step) + 1} of ${own.length}`;
  }

  // On the map: why this block is there.
  whyOf(isMap, isWhole) {
    return isMap && !isWhole && !this.isTitle ? this.explorer.level.why : "";
  }

  // The focused control may be gone from the slide: keys must keep working.
  keepKeys() {
    const now = document.activeElement;
    if (!this.element.contains(now) || !now.checkVisibility()) this.toNext.focus({ preventScroll: true });
  }

  // A step with what it reads, as on paper: left of it, above it, beside it.
  layoutOf(step) {
    const { layout } = this.explorer.level;
    const alone = ([place, isCopy]) => ({ left: null, main: [place, isCopy], right: [] });
    const track = layout.find((rows) => rows.some(({ main }) => main[0] === step.index));
    const row = track?.find(({ main }) => main[0] === step.index);
    if (row?.left) return [[alone(track[0].main), row]];
    const sources = step.operands;
    const isRows = this.explorer.convention === "rows";
    const above = sources.filter((matrix) => (isRows ? matrix.rowCount === step.rowCount : matrix.columnCount === step.columnCount));
    const beside = sources.filter((matrix) => !above.includes(matrix));
    const here = { left: null, main: [step.index, false], right: beside.map((matrix) => [matrix.index, false]) };
    return [[...above.map((matrix) => alone([matrix.index, false])), here]];
  }

  layoutOfGivens() {
    const { givens } = this.explorer.calculation;
    return givens.map((matrix) => [{ left: null, main: [matrix.index, false], right: [] }]);
  }

  // As large as fits, tracks wrapped where that gives larger type.
  fit() {
    const { stage } = this;
    const inner = this.sheet?.element;
    if (!inner?.isConnected) return;
    const fits = (size) => {
      stage.style.setProperty("--hc-type", `${size}px`);
      return inner.scrollWidth <= stage.clientWidth && inner.scrollHeight <= stage.clientHeight && !this.sticksOut(inner);
    };
    let [low, high] = [SMALLEST, LARGEST];
    while (high - low > 0.5) {
      const middle = (low + high) / 2;
      if (fits(middle)) low = middle;
      else high = middle;
    }
    fits(low);
  }

  sticksOut(inner) {
    return this.sheet.tracks.some((track) => track.scrollWidth > inner.clientWidth + 1);
  }
}

export function startCard(explorer) {
  const words = "One step at a time; each asks you for one of its numbers before showing them. Keys: → and ←, or a clicker; Esc closes.";
  return tag("div", { class: "hc-start" },
    tag("div", {}, tag("strong", {}, explorer.title), tag("p", {}, words)),
    button("Present", () => explorer.present(), { class: "hc-go" }));
}

