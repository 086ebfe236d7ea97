// After the last step of a block: how it went, step by step, the best so far, and the same with other numbers.

import { rearrangeGivens } from "./fresh_givens.js";
import { VERDICTS, signTag } from "./score.js";
import { button, nameTag, tag } from "../page/dom.js";

const AGAIN = "Rearranges the numbers of the givens; Undo brings these back";
const GO_ON = "“Next step” goes on to the next block.";
const LOOK = "Choose a sign to see that number again.";

export class Summary {
  constructor(stepper) {
    this.stepper = stepper;
    this.dots = tag("ol", { class: "hc-dots", "aria-label": "How each step went" });
    this.words = tag("p", { class: "hc-sum" });
    this.again = button("Again with other numbers", () => stepper.again(), { title: AGAIN });
    this.element = tag("div", { class: "hc-summary", role: "group", "aria-label": "How it went", tabindex: "-1", hidden: "" },
      this.words, this.dots, this.again);
  }

  get isOpen() {
    return !this.element.hidden;
  }

  // Show the summary at the end of a block, if anything was guessed in it; the round ends then.
  refresh() {
    const { stepper } = this;
    const { own, names, score } = stepper;
    const { presentation } = stepper.explorer;
    const isOver = stepper.isAtEnd && score.guesses(names) > 0 && (!presentation.isOpen || presentation.isAtEnd);
    if (isOver) this.write(own, names);
    this.element.hidden = !isOver;
  }

  // Bring it into sight, with the focus if that was on the question.
  come(hasFocus) {
    if (hasFocus) this.element.focus({ preventScroll: true });
    const { top, bottom } = this.element.getBoundingClientRect();
    if (top < 0 || bottom > innerHeight) this.element.scrollIntoView({ block: "nearest" });
  }

  write(own, names) {
    const { score, explorer, at, steps } = this.stepper;
    if (!this.isOpen) this.best = score.best(names);
    const right = score.count("right", names);
    const parts = [comparison(right, this.best), right < names.length ? LOOK : "", at < steps.length ? GO_ON : ""].filter(Boolean);
    this.words.replaceChildren(tag("strong", {}, result(score, names)), ` ${parts.join(" ")}`);
    this.dots.replaceChildren(...own.map((step) => tag("li", {}, this.dot(step, score.marks.get(step.name)))));
    this.again.hidden = !rearrangeGivens(explorer.calculation, 1);
    score.keep(names);
  }

  dot(step, mark = { kind: "shown" }) {
    const { kind } = mark;
    const words = `${step.typeset.called.join("")}: ${VERDICTS[kind].words}`;
    const node = button("", () => this.stepper.recall(step, mark), { class: "hc-dot", "data-kind": kind, "aria-label": words, title: words });
    node.append(signTag(kind), nameTag(step));
    return node;
  }
}

function result(score, names) {
  const [right, shown] = [score.count("right", names), names.length - score.guesses(names)];
  if (right === names.length) return right === 1 ? "Right." : `All ${right} right.`;
  return `${score.tally(names.length, names)}${shown ? `, ${shown} shown without a guess` : ""}.`;
}

function comparison(right, best) {
  if (best === null) return "";
  return right > best ? `A new best: it was ${best} before.` : `Your best so far is ${best}.`;
}
