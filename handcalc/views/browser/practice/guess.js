// A question of a lesson on the page: its answer, and what it shows, come after a guess or when somebody asks.

import { KEEPS_KEYS, button, onSubmit, tag, typesetNodes } from "../page/dom.js";
import { MAX_TYPED_LENGTH, parseNumber, readAs } from "../record/parse_number.js";
import { VERDICTS, judgeNumber, signTag } from "../steps/score.js";

const LONGEST_WORDS = 400; // characters of an answer in words
const CHOOSE = { choice: "Choose one first.", number: "Type a number first.", words: "Write a few words first." };
const NOT_KEPT = "Python is not answering, so this guess is not kept; run the cell again.";
const PATIENCE = 2500; // ms until the page says so
let questionCount = 0; // on this page: a choice has a name of its own

// What a guess comes to: { kind, trouble }. Words are not judged.
export function judgeGuess({ kind, answer, options, places }, text) {
  if (!text.trim()) return { kind: null, trouble: CHOOSE[kind] };
  if (kind === "words") return { kind: "own", trouble: "" };
  if (kind === "choice") return { kind: text === options[answer - 1][0] ? "right" : "wrong", trouble: "" };
  const { value, trouble } = parseNumber(text);
  if (Number.isNaN(value)) return { kind: null, trouble: trouble || CHOOSE.number };
  return { kind: judgeNumber(text, value, answer, Math.abs(answer), places), trouble: "" };
}

// What was said, as a line beside the verdict: a number that was read otherwise than it was written is told.
export function wordsOfGuess({ kind, places }, text) {
  const read = kind === "number" ? readAs(text, parseNumber(text).value, places) : "";
  return [text, read].filter(Boolean).join(" ");
}

// What is stored for readers without a kernel stands before the widget: it goes, once the widget is on the page.
export function hideStored(root) {
  let around = root.parentElement;
  while (around && !around.querySelector(".hc-guess-static")) around = around.parentElement;
  const stored = [...(around?.querySelectorAll(".hc-guess-static") ?? [])];
  stored.filter((node) => node.compareDocumentPosition(root) & Node.DOCUMENT_POSITION_FOLLOWING).at(-1)?.setAttribute("hidden", "");
}

export class Guessing {
  // `state` is what Python knows: {question, kind, options, answer, told, because, places, kept, notice}, where `kept` is
  // the guess of an earlier time, {guess, verdict}. `onGuess` gets such a guess; `show` fills an element, and may
  // return what empties it.
  constructor(root, state, { onGuess, show }) {
    Object.assign(this, { element: root, state, onGuess, show });
    this.asked = tag("p", { class: "hc-asks" }, tag("strong", {}, "Your guess:"), " ", typesetNodes(state.question));
    this.trouble = tag("p", { class: "hc-trouble", role: "alert" });
    this.told = tag("div", { class: "hc-told", role: "status", tabindex: "-1" });
    this.notice = tag("p", { class: "hc-trouble", role: "alert" });
    this.shown = tag("div", { class: "hc-guess-shown" });
    this.form = tag("form", {}, this.choices(), this.acts());
    this.again = button("Guess again", () => this.ask(), { class: "hc-again" });
    const card = tag("div", { class: "handcalc-guess" }, this.asked, this.form, this.trouble, this.told, this.notice);
    root.replaceChildren(card, this.shown);
    const watch = new ResizeObserver(() => root.isConnected && (watch.disconnect(), hideStored(root)));
    watch.observe(root);
    onSubmit(this.form, () => this.check(), (target) => this.fields.includes(target));
    this.form.addEventListener("input", () => (this.trouble.textContent = ""));
    this.update({});
  }

  choices() {
    const { kind, options } = this.state;
    questionCount += 1;
    if (kind === "choice") {
      this.fields = options.map(([text]) => tag("input", { type: "radio", name: `hc-guess-${questionCount}`, value: text, ...KEEPS_KEYS }));
      this.lines = options.map(([, html], k) => tag("label", {}, this.fields[k], tag("span", {}, typesetNodes(html))));
      return (this.fieldset = tag("fieldset", { "aria-label": "Your guess" }, ...this.lines));
    }
    const longest = kind === "number" ? MAX_TYPED_LENGTH + 1 : LONGEST_WORDS;
    const field = tag("input", { type: "text", "aria-label": "Your guess", maxlength: longest, autocomplete: "off", spellcheck: "false", ...KEEPS_KEYS });
    this.fields = [field];
    this.lines = [];
    return (this.fieldset = tag("fieldset", { class: `hc-${kind}` }, field));
  }

  acts() {
    this.commit = button("This is my guess", () => {}, { type: "submit", class: "hc-go" });
    this.showing = button("Show me", () => this.keep("", "shown"));
    return tag("div", { class: "hc-acts" }, this.commit, this.showing);
  }

  get text() {
    const { kind } = this.state;
    return kind === "choice" ? (this.fields.find((field) => field.checked)?.value ?? "") : this.fields[0].value.trim();
  }

  check() {
    const { kind, trouble } = judgeGuess(this.state, this.text);
    this.trouble.textContent = trouble;
    if (kind) return this.keep(this.text, kind);
    (this.fields.find((field) => field.checked) ?? this.fields[0]).focus();
  }

  keep(guess, verdict) {
    this.onGuess({ guess, verdict });
    clearTimeout(this.patience);
    this.patience = setTimeout(() => (this.notice.textContent = NOT_KEPT), PATIENCE);
    this.reveal({ guess, verdict });
    this.told.focus({ preventScroll: true });
  }

  // Python has kept a guess, here or in another view.
  update(state) {
    Object.assign(this.state, state);
    const { kept, notice } = this.state;
    if (kept.verdict === undefined) return;
    clearTimeout(this.patience);
    this.notice.textContent = notice;
    this.reveal(kept);
  }

  // Ask once more: the answer goes.
  ask() {
    this.isOpen = false;
    this.fieldset.disabled = false;
    for (const field of this.fields) Object.assign(field, this.state.kind === "choice" ? { checked: false } : { value: "" });
    for (const line of this.lines) line.querySelector(".hc-sign")?.remove();
    this.told.replaceChildren();
    this.clear();
    this.form.classList.remove("hc-answered");
    this.fields[0].focus();
  }

  clear() {
    this.leave?.();
    this.leave = null;
    this.shown.replaceChildren();
  }

  reveal({ guess, verdict }) {
    const isNew = !this.isOpen;
    this.isOpen = true;
    this.trouble.textContent = "";
    this.fieldset.disabled = true;
    this.form.classList.add("hc-answered");
    this.mark(guess);
    this.told.replaceChildren(this.verdictLine(guess, verdict), this.answerLine(), tag("p", {}, typesetNodes(this.state.because)), this.again);
    if (isNew) this.leave = this.show(this.shown) ?? null;
  }

  // The chosen option and the right one, each with its sign.
  mark(guess) {
    const { kind, options, answer } = this.state;
    if (kind !== "choice") return void (this.fields[0].value = guess);
    this.fields.forEach((field, k) => {
      const isRight = k === answer - 1;
      field.checked = options[k][0] === guess;
      this.lines[k].querySelector(".hc-sign")?.remove();
      if (isRight || field.checked) this.lines[k].append(signTag(isRight ? "right" : "wrong"));
    });
  }

  verdictLine(guess, verdict) {
    const said = guess ? ` You said: ${wordsOfGuess(this.state, guess)}` : "";
    if (!VERDICTS[verdict]) return tag("p", {}, `${said.trim()}${/[.!?]$/.test(said) ? "" : "."} Compare it with the answer.`);
    const words = tag("strong", { class: "hc-verdict", "data-kind": verdict }, signTag(verdict), ` ${VERDICTS[verdict].words}`);
    return tag("p", {}, words, this.state.kind === "choice" || verdict === "shown" ? "" : `${said}.`);
  }

  answerLine() {
    return tag("p", { class: "hc-answer" }, tag("strong", {}, "Answer:"), " ", typesetNodes(this.state.told));
  }
}
