// The bar above the sheet: buttons that go from step to step, the steps by name, how many there are, the score.

import { plural, signOf } from "../record/numbers.js";
import { allow, button, check, nameTag, redraw, tag } from "../page/dom.js";
import { OneStop } from "../page/one_stop.js";

const [MAX_NAMES, MAX_BESIDE_BLOCKS] = [10, 6]; // steps that are named at once; and where blocks are named, too

// The range of steps that are named: those around one of them.
function namedAround(at, count, most) {
  const start = Math.max(0, Math.min(at - Math.floor((most - 1) / 2), count - most));
  return [start, Math.min(count, start + most)];
}

// The steps in the stages that the record gives them, as {stage, steps}: neighbours of one stage together; a
// step without one joins those before it. Without any stages there is one group without a name.
export function stagesOf(steps) {
  const groups = [];
  for (const step of steps) {
    const stage = step.entry.stage ?? groups.at(-1)?.stage ?? "";
    if (groups.at(-1)?.stage === stage) groups.at(-1).steps.push(step);
    else groups.push({ stage, steps: [step] });
  }
  return groups;
}

// List items for the steps that have one, grouped under the names of their stages where there are any.
function byStage(steps, item) {
  const groups = stagesOf(steps).map(({ stage, steps: own }) => ({ stage, items: own.map((step) => item(step, steps.indexOf(step))).filter(Boolean) }));
  const named = groups.filter(({ items }) => items.length);
  if (named.every(({ stage }) => !stage)) return named.flatMap(({ items }) => items);
  return named.map(({ stage, items }) =>
    tag("li", { class: "hc-step-stage" }, stage ? tag("span", { class: "hc-stage-name", "aria-hidden": "true" }, stage) : null,
      tag("ol", { "aria-label": stage || null }, ...items)));
}

export class StepBar {
  constructor(stepper) {
    this.stepper = stepper;
    const control = (words, symbol, onClick) => button(words, onClick, { symbol });
    this.toStart = control("To the start: hide every step", "first", () => stepper.go(stepper.start));
    this.toBack = control("One step back", "back", () => stepper.back());
    this.toPlay = button("Play the steps", () => (stepper.timer ? stepper.pause() : stepper.play()), { symbol: "play", shown: "Play", class: "hc-play" });
    this.toNext = control("Next step", "next", () => stepper.next());
    this.toAll = control("Show every step", "all", () => stepper.go(Infinity));
    this.names = tag("ol", { class: "hc-steps" });
    const names = tag("div", { class: "hc-step-names", role: "toolbar", "aria-label": "Steps" }, this.names);
    this.oneStop = new OneStop(() => this.names.querySelectorAll("button"));
    names.addEventListener("keydown", this.oneStop.onKey);
    this.count = tag("span", { class: "hc-count" });
    this.score = tag("span", { class: "hc-score" });
    this.askSwitch = check("Ask me first", (isOn) => stepper.ask(isOn), stepper.isAsking); // among the settings
    this.askSwitch.title = "Each step asks for one of its numbers before it shows them.";
    const transport = tag("div", { class: "hc-transport", role: "group", "aria-label": "Step by step" },
      this.toPlay, this.toStart, this.toBack, this.toNext, this.toAll);
    this.element = tag("div", { class: "hc-stepper" }, transport, names, this.count, this.score);
  }

  showPlaying(isPlaying) {
    if (isPlaying) redraw(this.toPlay, "Pause", "pause", "Pause");
    else redraw(this.toPlay, "Play the steps", "play", "Play");
  }

  refresh() {
    const { own, asked, at, step, isDone, hidden, score } = this.stepper;
    const concealed = new Set(hidden);
    for (const node of [this.toBack, this.toStart]) allow(node, at > 0 || asked !== null);
    allow(this.toAll, !isDone);
    this.count.textContent = own.includes(step) && !isDone ? `Step ${own.indexOf(step) + 1} of ${own.length}` : plural(own.length, "step");
    this.nameSteps(own, concealed);
    this.score.textContent = score.words;
  }

  // Another number is chosen: name the steps around its own.
  follow() {
    const { own, hidden } = this.stepper;
    if (own.indexOf(this.middle) !== this.around) this.nameSteps(own, new Set(hidden));
  }

  // The step that the names are about: of those that go on, else of the chosen number.
  get middle() {
    const { stepper } = this;
    return stepper.isDone ? stepper.explorer.chosen?.[0] : (stepper.step ?? stepper.own[0]);
  }

  nameSteps(own, concealed) {
    this.around = own.indexOf(this.middle);
    const [from, to] = namedAround(Math.max(0, this.around), own.length, this.stepper.explorer.levels.isMany ? MAX_BESIDE_BLOCKS : MAX_NAMES);
    const items = byStage(own, (matrix, k) => (k >= from && k < to ? this.name(matrix, k, !concealed.has(matrix)) : null));
    this.names.replaceChildren(...items);
    this.oneStop.stop(this.names.querySelector("[aria-current]") ?? this.names.querySelector("button"));
    this.names.classList.toggle("hc-more-before", from > 0);
    this.names.classList.toggle("hc-more-after", to < own.length);
  }

  // Scroll the name of this step into the middle, where the names have no room side by side.
  followSteps() {
    const now = this.names.querySelector("[aria-current]");
    const strip = now && [this.names, this.element].find((node) => node.scrollWidth > node.clientWidth + 1);
    if (!strip) return;
    const [at, place] = [now, strip].map((node) => node.getBoundingClientRect());
    strip.scrollLeft += (at.left + at.right - place.left - place.right) / 2;
  }

  name(matrix, k, isShown) {
    const { stepper } = this;
    const go = button("", () => stepper.goTo(matrix), { "aria-label": `Step ${k + 1}: ${matrix.typeset.spoken}`, title: matrix.typeset.spoken });
    go.append(tag("span", { class: "hc-step-number" }, signOf(k + 1)), " ", ...nameTag(matrix).childNodes);
    const isNow = matrix === stepper.step && !stepper.isDone;
    if (isNow) go.setAttribute("aria-current", "step");
    return tag("li", { class: isShown ? "hc-shown" : "hc-coming" }, go);
  }
}
