// The cards before the sheet: join with a code, wait to be let in, wait for the teacher's computer.

import { button, tag } from "../../../views/browser/page/dom.js";
import { tidyCode } from "./ticket.js";

const WHAT_TO_DO = "Calculate on paper and type your numbers here. Each one is marked as you go, and your teacher can see how far you are.";
const WHO_SEES_NAMES = "Your teacher sees this name. Others see it only if your teacher shows names.";
const SERVER_AWAY = "The teacher’s computer cannot be reached. This page keeps trying, and goes on by itself.";
export const GONE = "You are not in the class any more. To go on, join again with your code.";
export const REFUSED = "Your teacher has not let you in with this code. Check the code on your sheet.";
const LOAD_AGAIN = "Load this page again to go on.";
const PLAIN_TYPING = { autocomplete: "off", autocorrect: "off", spellcheck: "false" };
const NO_NAME = "Type your name or a nickname, so that your teacher knows who you are.";
const NO_CODE = "Type the code on your sheet, such as SA1-423E.";

const card = (...parts) => tag("section", { class: "class-card", "aria-live": "polite" }, ...parts);
const quiet = (words) => tag("p", { class: "class-quiet" }, words);
const other = (ticket, leave) => (ticket.isGiven ? null : button("Use another code", () => leave(), { class: "class-link" }));
const facts = ({ code, nick }) => quiet([nick, code].filter(Boolean).join(" · "));

// A field with a label above it and room for an error below.
function field(words, name, attributes) {
  const trouble = tag("p", { class: "class-wrong", id: `${name}-trouble`, role: "alert" });
  const input = tag("input", { name, type: "text", "aria-describedby": `${name}-trouble`, ...attributes });
  const tell = (sentence) => {
    trouble.textContent = sentence;
    input.setAttribute("aria-invalid", String(Boolean(sentence)));
    if (sentence) input.focus();
  };
  return { element: tag("div", { class: "class-field" }, tag("label", {}, tag("span", {}, words), input), trouble), input, tell };
}

// `join(code, nick)` lets a learner in, or throws a sentence; `back` is for learners who have a sheet already.
export function joinCard({ code = "", nick = "", sentence = "", back = null }, join) {
  const coded = field("Code on your sheet", "code", { ...PLAIN_TYPING, autocapitalize: "characters", enterkeyhint: "next", maxlength: 40, value: code });
  const named = field("Your name or a nickname", "nick", { ...PLAIN_TYPING, autocapitalize: "words", enterkeyhint: "go", maxlength: 40, value: nick });
  const trouble = tag("p", { class: "class-wrong", role: "alert" }, sentence);
  const go = tag("button", { class: "class-go", type: "submit" }, "Join");
  const form = tag("form", { novalidate: "" }, coded.element, named.element, quiet(WHO_SEES_NAMES), trouble, go);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit({ coded, named, trouble, go }, join);
  });
  coded.input.addEventListener("blur", () => (coded.input.value = tidyCode(coded.input.value)));
  const stay = back && button(back.words, back.go, { class: "class-link" });
  return card(tag("h1", {}, "Join your class"), tag("p", {}, WHAT_TO_DO), form, stay);
}

async function submit({ coded, named, trouble, go }, join) {
  for (const { tell } of [coded, named]) tell("");
  trouble.textContent = "";
  const [code, nick] = [tidyCode(coded.input.value), named.input.value.trim()];
  if (!code) return coded.tell(NO_CODE);
  if (!nick) return named.tell(NO_NAME);
  go.setAttribute("aria-disabled", "true");
  await join(code, nick).catch((error) => {
    if ([400, 403].includes(error.status) && /code/i.test(error.message)) coded.tell(error.message);
    else trouble.textContent = error.message;
  });
  go.setAttribute("aria-disabled", "false");
}

export const waitingCard = (ticket, sentence, leave) =>
  card(tag("h1", {}, "Please wait"), tag("p", {}, sentence), quiet("Leave this page open: it goes on by itself."), facts(ticket), other(ticket, leave));

export const awayCard = (ticket, leave) => card(tag("h1", {}, "One moment"), tag("p", {}, SERVER_AWAY), facts(ticket), other(ticket, leave));

// The card for students who log in at a Hub: they have no code to join with.
export const outCard = () => card(tag("h1", {}, "You are not in the class any more"), tag("p", {}, LOAD_AGAIN));

// Asks whether the learner means to leave a sheet; `count` texts are not sent yet.
export function confirmLeaving(count) {
  const unsent = count ? `What you typed last (${count === 1 ? "1 number" : `${count} numbers`}) has not been sent yet and will be lost. ` : "";
  return confirm(`${unsent}Leave this sheet? To come back with its code, you need your teacher to let you in.`);
}
