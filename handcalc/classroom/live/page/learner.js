// A learner's page: join with a code, fill in one's sheet. What is typed is kept until the teacher's computer has it.

import { Again } from "./backoff.js";
import { Desk } from "./desk.js";
import { GONE, REFUSED, awayCard, joinCard, waitingCard } from "./join.js";
import { Kept, storage } from "./kept.js";
import { Notice } from "./notice.js";
import { Post } from "./post.js";
import { Live, ask } from "./server.js";
import { codeIn, given, isSameCode, standing, toDo } from "./ticket.js";

const LATE = 4000; // ms until marks have had the time to come

const root = document.getElementById("class");
const kept = new Kept(storage());
const notice = new Notice(kept.isKept);
const again = new Again(() => enter());
let [ticket, live, desk, turn] = [given(document.body.dataset) ?? kept.get("ticket"), null, null, 0]; // whoever turns away needs no answer any more

const post = new Post(kept, (code, answers) => ask("api/answers", ticket?.token, { code, answers }).then((found) => found.acknowledged), {
  reached: (isReached) => notice.reached(isReached, !post.unsent.length),
  held: (sentence) => notice.pass(sentence),
  out: () => leave(GONE),
  dropped: (sentence) => notice.pass(sentence),
  sent: () => setTimeout(lookAgain, live?.isOpen ? LATE : 1000), // marks come by the socket, where there is one
});

document.body.prepend(notice.element);
addEventListener("hashchange", begin);
for (const way of ["online", "offline"]) addEventListener(way, wake);
document.addEventListener("visibilitychange", () => document.hidden || wake());
begin();

// A code from a QR code is read once, and does not stay in the address.
function begin() {
  const code = codeIn(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  if (toDo(code, ticket) === "return") return enter(code);
  stop();
  const back = ticket ? { words: `Go on as ${ticket.nick || ticket.code}`, go: () => enter() } : null;
  show(joinCard({ code, nick: ticket?.nick, back }, join));
}

async function join(code, nick) {
  const found = await ask("api/join", "", { code, nick });
  stop();
  ticket = { token: found.token, code, nick, codes: [] };
  kept.set("ticket", ticket);
  if (found.state === "waiting") wait(found.sentence);
  else await enter(code);
}

// Straight to the sheet, where the server still knows the ticket: to that of a code, or to the one that was open last.
async function enter(code = ticket.at ?? ticket.code) {
  const mine = (turn += 1);
  const found = await ask("api/sheet", ticket.token).catch((error) => error);
  if (mine !== turn) return;
  const where = standing(found);
  if (where === "in") return work(found, code);
  if (where === "waiting") return wait(found.sentence);
  if (where === "out") return leave(GONE);
  if (!desk) show(awayCard(ticket, () => leave()));
  again.later(found.after);
}

function wait(sentence) {
  if (!live) show(waitingCard(ticket, sentence, () => leave()));
  connect();
}

async function work(state, code) {
  again.worked();
  const codes = (state.sheets ?? [state]).map(({ code }) => code);
  kept.set("ticket", (ticket = { ...ticket, codes }));
  desk = new Desk(root, state, { ticket, post, notice, leave: () => leave(), fetchSheet, fetchHint, opened });
  connect();
  post.countFrom(state.n);
  post.begin(codes);
  await desk.open(codes.find((own) => isSameCode(own, code)) ?? state.code);
}

function connect() {
  live ??= new Live(ticket.token, {
    onMessage: hear,
    onOut: () => enter(),
    onState: (isReached) => {
      const isAnew = isReached && (!desk || !notice.isReached);
      notice.reached(isReached, !post.unsent.length);
      if (isReached) post.again.now();
      if (isAnew) refresh();
    },
  });
}

const opened = (at) => kept.set("ticket", (ticket = { ...ticket, at }));

// What the server says of its own accord.
function hear({ marks, state, ...decided }) {
  if (state && state !== "in" && state !== "waiting") return leave(desk ? GONE : REFUSED);
  if (state && !desk) return enter();
  desk?.take({ ...decided, ...marks });
  if (decided.paused === false) post.again.now();
}

// A socket may seem to be open and carry nothing.
function lookAgain() {
  if (desk && post.unmarked.of(desk.state.code, []).length) refresh();
}

// All anew: a phone that was asleep has heard nothing.
async function refresh() {
  if (!desk) return ticket && enter();
  const state = await fetchSheet(desk.state.code);
  if (state) desk.take(state);
}

function wake() {
  if (!live) return;
  live.wake();
  post.again.now();
  refresh();
}

const fetchSheet = (code) => asked(`api/sheet?code=${encodeURIComponent(code)}`);
const fetchHint = (code, step) => asked("api/hint", { code, step });

// An answer, or nothing and a sentence that says why.
async function asked(path, body) {
  const found = await ask(path, ticket.token, body).catch((error) => error);
  const where = standing(found);
  if (where === "in") return found;
  if (where === "out") leave(GONE);
  else if (where === "away") notice.reached(false, false);
  else notice.pass(found.message);
  return null;
}

// To the card where one joins; what is not sent yet is not left behind unasked.
function leave(sentence = "") {
  const count = post.unsent.length;
  if (!sentence && count && !confirm(`What you typed last is not sent yet (${count}). Leave without it?`)) return;
  if (!sentence) post.discard();
  stop();
  const { code, nick } = ticket ?? {};
  ticket = null;
  kept.remove("ticket");
  show(joinCard(sentence ? { code, nick, sentence } : {}, join));
}

function stop() {
  turn += 1;
  live?.stop();
  post.stop();
  again.worked();
  notice.paused(false);
  [live, desk] = [null, null];
}

function show(card) {
  root.replaceChildren(card);
  [...card.querySelectorAll("input")].find((input) => !input.value)?.focus();
}
