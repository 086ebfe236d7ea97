// One slide: its head, the way through the steps, the numbers, and the words on them.

import { plural } from "../record/numbers.js";
import { verdictTags } from "../steps/score.js";
import { Sheet } from "../sheet/sheet.js";
import { flowLine } from "./slide_flow.js";
import { layoutOfGivens, layoutOfStep, roomOfStep } from "./slide_layout.js";
import { SlideStage, stageOf, typeLimits } from "./slide_stage.js";
import { titlePicture } from "./slide_title.js";
import { equationNodes, tag } from "../page/dom.js";

const LONG = 70; // letters of arithmetic, from which on it is written smaller

export class Slide {
  constructor(explorer) {
    this.explorer = explorer;
    this.flow = tag("div", { class: "hc-slide-flow" });
    this.head = tag("h2", { class: "hc-slide-head" });
    this.count = tag("span", { class: "hc-slide-count" });
    this.stage = new SlideStage();
    this.reason = tag("p", { class: "hc-slide-why" });
    this.line = tag("p", { class: "hc-arithmetic" });
    this.asking = tag("div", { class: "hc-slide-question" });
    this.messages = tag("div", { class: "hc-slide-messages" }, tag("div", { role: "status", "aria-live": "polite" }, this.reason, this.line), this.asking);
    this.body = tag("div", { class: "hc-slide-body" }, this.messages, this.stage.element);
  }

  // `kind` is "title", "begin" (before the first step of a block), "step" or "whole"; all but steps are the map,
  // where there is one.
  draw(kind, hasMap) {
    this.hasMap = hasMap;
    this.drawStage(kind);
    this.drawFlow(kind);
    this.head.replaceChildren(...this.headTags(kind));
    this.count.textContent = this.counted(kind);
    this.say(kind);
  }

  // Fit the slide, once everything on it has its room.
  fit() {
    this.stage.fit();
    if (this.sheet) this.stage.reveal(this.sheet.showing(...this.explorer.chosen)[0]);
  }

  drawStage(kind) {
    const { explorer } = this;
    const { calculation, level, navigation, places, stepper } = explorer;
    this.drawn?.dispose();
    this.sheet = this.drawn = null;
    if (this.hasMap && kind !== "step") return this.stage.show(navigation.map.copy(kind !== "begin"));
    if (kind === "title") return this.stage.show(titlePicture(explorer));
    const layout = this.layout(kind);
    const sheet = new Sheet(calculation, places, layout, kind === "step" ? this.room(layout) : {}, level, stepper.hidden);
    this.drawn = sheet;
    this.stage.show(sheet.element, { sheet, isOverview: kind === "whole" });
    if (kind !== "step") return;
    this.sheet = sheet;
    const [matrix, row, column] = explorer.chosen;
    sheet.reveal([explorer.chosen, ...matrix.sources(row, column)]);
    explorer.highlight.apply(sheet);
  }

  layout(kind) {
    const { calculation, convention, level, stepper } = this.explorer;
    if (kind === "whole") return level.layout;
    if (kind === "begin") return layoutOfGivens(calculation);
    return layoutOfStep(stepper.step, calculation.matrices, level.layout, convention === "rows", stageOf(innerWidth, innerHeight));
  }

  room(layout) {
    const { calculation: { matrices }, convention } = this.explorer;
    const stage = { ...stageOf(innerWidth, innerHeight), isRows: convention === "rows" };
    return roomOfStep(layout, matrices, stage, typeLimits(innerWidth)[0]);
  }

  // The way through the block that is calculated.
  drawFlow(kind) {
    const { convention, level, stepper } = this.explorer;
    const isShown = level.hasSteps && kind !== "title" && !(this.hasMap && kind === "whole");
    const step = kind === "step" ? stepper.step : null;
    this.flow.replaceChildren(...(isShown ? [flowLine(level, convention === "rows", step, stepper.hidden)] : []));
    this.flow.querySelector("[aria-current]")?.scrollIntoView({ block: "nearest", inline: "center" });
  }

  say(kind) {
    const { chosen, explanation, stepper } = this.explorer;
    const isStep = kind === "step";
    this.reason.replaceChildren(...(isStep ? [...verdictTags(stepper.verdictOn(chosen), stepper.goOn), tag("span", { class: "hc-slide-step-why" }, stepper.step.entry.why ?? "")] : [this.why(kind)]));
    this.line.replaceChildren(...(isStep ? [explanation.name, explanation.rest].map((node) => node.cloneNode(true)) : []));
    this.line.classList.toggle("hc-long", this.line.textContent.length > LONG);
    this.messages.hidden = !isStep && !this.reason.textContent && !stepper.summary.isOpen;
  }

  headTags(kind) {
    const { title, level, stepper } = this.explorer;
    if (kind === "step") return [equationNodes(stepper.step)];
    if (kind !== "begin") return [title];
    return [this.hasMap ? level.label : `${title}: the givens`];
  }

  counted(kind) {
    const { level, levels, stepper: { own, step, steps } } = this.explorer;
    if (kind === "step") return `${this.hasMap ? `${level.label} · ` : ""}${own.indexOf(step) + 1} of ${own.length}`;
    if (kind === "whole") return this.hasMap ? "the whole" : "the whole sheet";
    if (kind === "title" && this.hasMap) return plural(levels.list.filter((other) => other.hasSteps).length, "block");
    return plural(this.hasMap ? own.length : steps.length, "step");
  }

  // Why it is calculated at all, or why that block is there.
  why(kind) {
    const { calculation, level } = this.explorer;
    if (kind === "title") return calculation.spec.why ?? "";
    return this.hasMap && kind === "begin" ? level.why : "";
  }
}
