// One line for whoever sees this for the first time: what can be done here. It goes when it is closed, or when one
// of these things is done, and does not come back.

import { button, tag, typesetNodes } from "../page/dom.js";
import { scrollerOf } from "../sheet/sight.js";

const SEEN = "handcalc-first-line";
const NUMBERS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"];
const MAX_NAMED = 4; // givens

// A browser may keep nothing: then it is said once on every page.
const memory = {
  get isSeen() {
    try {
      return localStorage.getItem(SEEN) !== null;
    } catch {
      return false;
    }
  },
  keep() {
    try {
      localStorage.setItem(SEEN, "yes");
    } catch {} // nothing depends on it
  },
};

// What can be done with these givens and so many steps, by mouse or finger: text, {typeset} names, and the {sign} of Play.
export function whatCanBeDone(givens, steps, isFinger) {
  const plays = steps ? [" ", { sign: "▶" }, ` plays the ${NUMBERS[steps] ?? steps} step${steps === 1 ? "" : "s"}.`] : [];
  if (isFinger) return [`Tap a number to see how it is made.${givens.length ? " Tap a given, then drag it." : ""}`, ...plays];
  const named = givens.length > MAX_NAMED ? givens.slice(0, 2) : givens;
  const before = (k) => (k === 0 ? "" : k === givens.length - 1 ? " or " : ", ");
  const names = named.flatMap((given, k) => [before(k), { typeset: given.typeset.name }]);
  const drags = givens.length ? [" Drag a number in ", ...names, named.length < givens.length ? " or another given" : "", " to change it."] : [];
  return ["Click any number to see how it is made.", ...drags, ...plays];
}

const written = ({ sign, typeset: name }) => (sign ? tag("span", { role: "img", "aria-label": "Play" }, sign) : tag("b", {}, typesetNodes(name)));

export class FirstLine {
  constructor(explorer) {
    this.explorer = explorer;
    this.line = null;
  }

  // What is first shown is what it starts from; a number that is chosen later, or steps that are hidden, end it.
  refresh() {
    const { explorer } = this;
    const now = explorer.place(explorer.chosen).join();
    this.first ??= now;
    const isPlaying = explorer.stepper.at < Infinity;
    if (this.past && isPlaying && !explorer.toolbar.bar.matches(":hover")) this.giveBack(); // what one clicks stays there, too
    if (this.line && (now !== this.first || isPlaying)) this.end();
    if (this.past && explorer.level !== this.level) this.giveBack();
    if (!this.isOver && !this.line) this.begin();
  }

  // Where the page is scrolled the sheet stays where it is.
  giveBack() {
    if (!this.past) return;
    const { element, stage, sight } = this.explorer;
    const top = () => stage.getBoundingClientRect().top;
    const before = top();
    this.past.remove();
    this.past = null;
    sight.scroll(scrollerOf(element), { top: top() - before });
  }

  follow() {
    if (this.line) this.end();
  }

  begin() {
    const { calculation, openSheets, level, toolbar: { hints } } = this.explorer;
    this.level = level;
    this.isOver = this.explorer.mode === "present" || memory.isSeen || document.querySelector(".hc-first") !== null; // of several on a page one says it
    if (this.isOver) return;
    const isFinger = matchMedia("(pointer: coarse)").matches;
    const said = whatCanBeDone(calculation.givens.filter((given) => openSheets.shows(given)), level.steps.length, isFinger);
    const close = button("Hide this line", () => {
      this.end();
      this.giveBack();
    }, { symbol: "close" });
    this.line = tag("p", { class: "hc-first" }, tag("span", {}, ...said.map((part) => (typeof part === "string" ? part : written(part)))), close);
    hints.append(this.line);
  }

  // Closed, it leaves no place; else its place stays, so that nothing moves under a hand that has just chosen, until
  // steps are shown or the hand is at the panel.
  end() {
    this.past = this.line;
    this.explorer.drawer.element.addEventListener("pointerenter", () => this.giveBack(), { once: true });
    if (this.line.contains(document.activeElement)) this.explorer.toolbar.settings.button.focus();
    this.line.classList.add("hc-past");
    this.line.lastChild.remove();
    this.line = null;
    this.isOver = true;
    memory.keep();
  }
}
