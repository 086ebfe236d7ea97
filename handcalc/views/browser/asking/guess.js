// A question of a lesson on the page: its answer, and what it shows, come after a guess or when somebody asks.

import { button, onSubmit, tag, typesetNodes, wordsOf } from "../page/dom.js";
import { explain } from "../page/glossary.js";
import { parseNumber } from "../record/parse_number.js";
import { VERDICTS, signTag } from "../steps/score.js";
import { SentenceQuestion } from "./asked_sentence.js";
import { AskedSheet } from "./asked_sheet.js";
import { Bars } from "./bars.js";
import { Cards } from "./cards.js";
import { Options, Typed } from "./fields.js";
import { judgeGuess, mayTryAgain, slipOf, wordsOfGuess } from "./judging.js";
import { Shape } from "./shape.js";

const DRAWN = {
  sheet: ({ drawn, places }) => new AskedSheet(drawn, places),
  sentence: (state) => new SentenceQuestion(state.drawn, state),
  bars: ({ drawn }) => new Bars(drawn),
  shape: ({ drawn }) => new Shape(drawn),
  pictures: ({ drawn: { html } }) => ({ element: picturesOf(html) }),
};
const NOT_KEPT = "Python is not answering, so this guess is not kept; run the cell again.";
const ONCE_MORE = "Try once more.";
const PATIENCE = 2500; // ms until the page says so

// Hides the stored HTML before the widget, for readers without a kernel, once the widget is on the page.
function hideStored(root) {
  let around = root.parentElement;
  while (around && !around.querySelector(".hc-guess-static")) around = around.parentElement;
  const stored = [...(around?.querySelectorAll(".hc-guess-static") ?? [])];
  stored.filter((node) => node.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1)?.setAttribute("hidden", "");
}

// Pictures stand above the question, as Python has drawn them.
function picturesOf(html) {
  const element = tag("div", { class: "hc-drawn-pictures", "data-drawn": "pictures" });
  element.innerHTML = html;
  for (const cell of element.querySelectorAll("td[tabindex]")) cell.removeAttribute("tabindex"); // Tab leads to the options
  for (const hint of element.querySelectorAll(".hc-hint")) hint.textContent = "Point at a number to read its arithmetic.";
  return element;
}

export class Guessing {
  // `state` is what Python knows: {question, kind, options, answer, told, because, places, slips, drawn, kept, notice}, where
  // `kept` is the guess of an earlier time, {guess, verdict}, and `drawn` what it is asked on. `onGuess` gets such a
  // guess, and says false where nobody keeps it; `show` fills an element, and may return what empties it.
  constructor(root, state, { onGuess, show }) {
    Object.assign(this, { element: root, state, onGuess, show });
    this.first = null; // the first guess, if that was wrong: there is one more try
    this.asked = tag("p", { class: "hc-asks" }, tag("strong", {}, "Your guess:"), " ", explain(typesetNodes(state.question)));
    this.trouble = tag("p", { class: "hc-trouble", role: "alert" });
    this.voice = tag("div", { class: "hc-unseen", role: "status" });
    this.told = tag("div", { class: "hc-told", role: "group", "aria-label": "The answer", tabindex: "-1" });
    this.notice = tag("p", { class: "hc-trouble", role: "alert" });
    this.shown = tag("div", { class: "hc-guess-shown" });
    this.again = button("Guess again", () => this.ask(), { class: "hc-again" });
    this.makeAnswer();
    const said = tag("div", { class: "hc-answering" }, this.answer.element, this.acts(), this.trouble, this.told, this.notice);
    const isApart = this.drawing && !this.answer.element.contains(this.drawing.element);
    this.form = tag("form", { role: "group", "aria-label": wordsOf(typesetNodes(state.question)) }, isApart ? this.drawing.element : null, said);
    root.replaceChildren(tag("div", { class: "handcalc-guess" }, this.asked, this.form, this.voice), this.shown);
    const watch = new ResizeObserver(() => root.isConnected && (watch.disconnect(), hideStored(root)));
    watch.observe(root);
    onSubmit(this.form, () => this.check(), (target) => this.answer.fields.includes(target));
    this.form.addEventListener("input", () => (this.trouble.textContent = ""));
    this.update({});
  }

  // Make the answer's control and the question's drawing: one object, where the drawing itself is answered.
  makeAnswer() {
    const { state, state: { kind, drawn } } = this;
    const made = kind === "order" ? new Cards(state) : DRAWN[drawn?.kind]?.(state);
    this.drawing = made ?? null;
    if (made?.text !== undefined) this.answer = made;
    else this.answer = kind === "choice" ? made?.options ?? new Options(state) : new Typed(state);
    if (drawn?.kind === "sheet" && this.answer.moveInto && this.drawing.isOneNumber) this.drawing.take(this.answer);
  }

  acts() {
    this.commit = button("This is my guess", () => {}, { type: "submit", class: "hc-go" });
    this.showing = button("Show me", () => this.keep("", "shown"));
    return tag("div", { class: "hc-acts" }, this.commit, this.showing);
  }

  check() {
    const { text } = this.answer;
    const { kind, trouble } = judgeGuess(this.state, text);
    this.trouble.textContent = (!text && this.answer.nothing) || trouble;
    if (!kind) return this.answer.focus();
    if (kind === "wrong" && this.first === null && mayTryAgain(this.state)) return this.tryAgain(text);
    this.keep(text, kind === "right" && this.first !== null ? "second" : kind);
  }

  // After a first wrong answer, tell its meaning, and nothing that gives the right one away.
  tryAgain(text) {
    this.send(text, "tried");
    this.tellTry(text);
    this.answer.focus();
  }

  tellTry(text) {
    this.first = text;
    this.answer.strike?.(text);
    this.tell([this.verdictLine(text, "wrong"), tag("p", {}, this.meaning(text), ONCE_MORE)]);
  }

  // Show lines and controls; a screen reader reads the lines once, without the controls.
  tell(lines, acts = []) {
    const [said, more] = [lines, acts].map((parts) => parts.filter(Boolean));
    this.told.replaceChildren(...said, ...more);
    this.voice.textContent = said.map(wordsOf).join("").trim();
  }

  // The meaning of a wrong answer, in a few words.
  meaning(text) {
    const told = slipOf(this.state, text) || (this.state.kind === "number" && this.drawing?.slipOf?.(parseNumber(text).value)) || "";
    return tag("span", { class: "hc-meant" }, typesetNodes(told), told ? " " : "");
  }

  send(guess, verdict) {
    if (this.onGuess({ guess, verdict }) === false) return;
    clearTimeout(this.patience);
    this.patience = setTimeout(() => (this.notice.textContent = NOT_KEPT), PATIENCE);
  }

  keep(guess, verdict) {
    this.send(guess, verdict);
    this.reveal({ guess, verdict }, true);
    this.told.focus({ preventScroll: true });
  }

  // Python has kept a guess, here or in another view.
  update(state) {
    Object.assign(this.state, state);
    const { kept, notice } = this.state;
    if (kept.verdict === undefined) return;
    clearTimeout(this.patience);
    this.notice.textContent = notice;
    if (kept.verdict !== "tried") this.reveal(kept);
    else if (!this.isOpen && this.first === null) this.tellTry(kept.guess);
  }

  // Ask once more, and clear the answer.
  ask() {
    this.isOpen = false;
    this.first = null;
    this.answer.clear();
    this.drawing?.ask?.();
    this.tell([]);
    this.clear();
    this.form.classList.remove("hc-answered");
    this.answer.focus();
  }

  clear() {
    this.leave?.();
    this.leave = null;
    this.shown.replaceChildren();
  }

  reveal({ guess, verdict }, isNew = false) {
    const wasOpen = this.isOpen;
    this.isOpen = true;
    this.trouble.textContent = "";
    this.form.classList.add("hc-answered");
    this.answer.settle(guess, this.state);
    if (!wasOpen) this.drawing?.reveal?.(isNew);
    const isMeant = ["wrong", "close"].includes(verdict);
    const why = tag("p", {}, isMeant ? this.meaning(guess) : null, explain(typesetNodes(this.state.because)));
    const answer = tag("p", { class: "hc-answer" }, tag("strong", {}, "Answer:"), " ", typesetNodes(this.state.told));
    this.tell([this.drawing?.line, this.verdictLine(guess, verdict), answer, why], [this.drawing?.watching, this.again]);
    if (!wasOpen) this.leave = this.show(this.shown) ?? null;
  }

  verdictLine(guess, verdict) {
    const said = guess ? ` You said: ${wordsOfGuess(this.state, guess)}` : "";
    if (!VERDICTS[verdict]) return tag("p", {}, `${said.trim()}${/[.!?]$/.test(said) ? "" : "."} Compare it with the answer.`);
    const words = tag("strong", { class: "hc-verdict", "data-kind": verdict }, signTag(verdict), ` ${VERDICTS[verdict].words}`);
    return tag("p", {}, words, this.state.kind === "choice" || verdict === "shown" ? "" : `${said}.`);
  }
}
