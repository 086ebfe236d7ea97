// Presenting: one step at a time over the whole window, large enough for the back row.

import { plural } from "./numbers.js";
import { Sheet } from "./sheet.js";
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
  }

  get isOpen() {
    return this.element.open;
  }

  open() {
    const { stepper } = this.explorer;
    this.home = stepper.question.parentElement;
    this.asking.append(stepper.question);
    this.explorer.element.append(this.element);
    this.element.showModal();
    document.documentElement.requestFullscreen?.().catch(() => {}); // the dialog covers the window all the same
    this.observer.observe(this.element);
    this.isAtEnd = false;
    stepper.go(0);
    this.toNext.focus();
  }

  close() {
    this.element.close();
  }

  leave() {
    this.observer.disconnect();
    this.element.remove();
    this.home.append(this.explorer.stepper.question);
    if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
    this.explorer.stepper.go(Infinity);
    this.explorer.onPresented();
  }

  next() {
    const { stepper } = this.explorer;
    if (stepper.isDone) {
      this.isAtEnd = true;
      this.refresh();
    } else stepper.next();
  }

  back() {
    const { stepper } = this.explorer;
    if (this.isAtEnd) {
      this.isAtEnd = false;
      this.refresh();
    } else stepper.back();
  }

  onKey(event) {
    if (event.ctrlKey || event.metaKey || event.altKey || event.key === "Tab" || event.key === "Escape") return;
    event.stopPropagation();
    const { stepper } = this.explorer;
    const isTyping = event.target === stepper.field;
    const isButton = event.target.closest("button") && [" ", "Enter"].includes(event.key);
    if (isButton || (isTyping && event.key === "Enter" && stepper.field.value.trim())) return;
    const isPage = event.key.startsWith("Page");
    const isFree = isPage || !isTyping || !stepper.field.value;
    if (isFree && ON.includes(event.key)) this.next();
    else if (isFree && BACK.includes(event.key)) this.back();
    else if (!isTyping && stepper.asked && /^[-+.,\d]$/.test(event.key)) {
      stepper.field.focus();
      stepper.field.value = event.key;
    } else return;
    event.preventDefault();
  }

  // A tap on another number of the step asks for that one, or explains it.
  pick({ owner, row, column }) {
    const { explorer } = this;
    if (explorer.sheet.concealed.has(owner) && explorer.stepper.asked) explorer.stepper.askInstead([owner, row, column]);
    else if (!explorer.sheet.concealed.has(owner)) {
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
    const layout = isWhole ? calculation.spec.layout : step ? this.layoutOf(step) : this.layoutOfGivens();
    this.sheet = new Sheet(calculation, explorer.places, layout);
    this.sheet.conceal(stepper.hidden);
    this.stage.replaceChildren(this.sheet.element);
    const head = isWhole ? [explorer.title] : step ? [equationNodes(step)] : [`${explorer.title}: what is given`];
    this.head.replaceChildren(...head);
    this.count.textContent = isWhole ? "the whole sheet" : step ? `${stepper.steps.indexOf(step) + 1} of ${stepper.steps.length}` : plural(stepper.steps.length, "step");
    const words = step ? step.entry.why : "";
    this.reason.replaceChildren(...(isWhole ? [] : [...stepper.verdictTags(), stepper.verdict ? " " : "", words]));
    this.line.replaceChildren(...(step && !isWhole ? explorer.explanation.lineTags() : []));
    this.messages.hidden = !step || isWhole;
    this.score.textContent = stepper.scored();
    allow(this.toBack, stepper.at > 0 || stepper.asked !== null);
    allow(this.toNext, !isWhole);
    if (step && !isWhole) explorer.highlight.apply(this.sheet);
    this.fit();
    this.keepKeys();
  }

  // The focused control may be gone from the slide: keys must keep working.
  keepKeys() {
    const now = document.activeElement;
    if (!this.element.contains(now) || !now.checkVisibility()) this.toNext.focus({ preventScroll: true });
  }

  // A step with what it reads, as on paper: left of it, above it, beside it.
  layoutOf(step) {
    const { layout } = this.explorer.calculation.spec;
    const alone = ([place, isCopy]) => ({ left: null, main: [place, isCopy], right: [] });
    const track = layout.find((rows) => rows.some(({ main }) => main[0] === step.index));
    const row = track?.find(({ main }) => main[0] === step.index);
    if (row?.left) return [[alone(track[0].main), row]];
    const sources = this.sourcesOf(step);
    const isRows = this.explorer.convention === "rows";
    const above = sources.filter((matrix) => (isRows ? matrix.rowCount === step.rowCount : matrix.columnCount === step.columnCount));
    const beside = sources.filter((matrix) => !above.includes(matrix));
    const here = { left: null, main: [step.index, false], right: beside.map((matrix) => [matrix.index, false]) };
    return [[...above.map((matrix) => alone([matrix.index, false])), here]];
  }

  // The matrices on the sheet that a step reads, each once.
  sourcesOf(step) {
    const found = new Set();
    step.forEachCell((row, column) => {
      for (const [matrix] of step.sources(row, column)) found.add(matrix);
    });
    return [...found].sort((a, b) => a.index - b.index);
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
    return [...inner.children].some((track) => track.scrollWidth > inner.clientWidth + 1);
  }
}

export function startCard(explorer) {
  const words = "One step at a time; each asks you for one of its numbers before showing them. Keys: → and ←, or a clicker; Esc closes.";
  return tag("div", { class: "hc-start" },
    tag("div", {}, tag("strong", {}, explorer.title), tag("p", {}, words)),
    button("Present", () => explorer.present(), { class: "hc-go" }));
}

