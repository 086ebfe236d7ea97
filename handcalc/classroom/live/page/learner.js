// A learner's page: join with a code, fill in one's sheet. What is typed is kept until the teacher's computer has it.

import { Again } from "./backoff.js";
import { Desk } from "./desk.js";
import { GONE, REFUSED, awayCard, joinCard, mayLeave, outCard, waitingCard } from "./join.js";
import { Kept, storage } from "./kept.js";
import { Line } from "./line.js";
import { Notice } from "./notice.js";
import { Post } from "./post.js";
import { ask } from "./server.js";
import { browserOf, codeIn, isSameCode, standing, ticketFrom, toDo } from "./ticket.js";

const root = document.getElementById("class");
const kept = new Kept(storage(), document.body.dataset.class);
const notice = new Notice(kept.isKept, () => desk?.uncover());
const again = new Again(() => enter());
let [ticket, line, desk, turn] = [ticketFrom(document.body.dataset, kept.get("ticket")), null, null, 0];

const post = new Post(kept, (code, answers) => ask("api/answers", ticket?.token, { code, answers }).then((found) => found.acknowledged), {
  reached: (isReached) => notice.reached(isReached, !post.unsent.length),
  held: (sentence) => notice.pass(sentence),
  out: () => leave(GONE),
  dropped: (sentence) => notice.pass(sentence),
  sent: (code) => line?.expect(code),
});

document.body.prepend(notice.element);
addEventListener("hashchange", begin);
addEventListener("beforeunload", (event) => kept.isKept || !post.unsent.length || event.preventDefault());
addEventListener("resize", () => notice.measure());
for (const way of ["online", "offline"]) addEventListener(way, () => line?.wake());
document.addEventListener("visibilitychange", () => document.hidden || line?.wake());
begin();

// A code from a QR code is read once, and does not stay in the address.
function begin() {
  const code = codeIn(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  if (toDo(code, ticket) === "return") return enter(code || undefined);
  stop();
  const back = ticket ? { words: `Go on as ${ticket.nick || ticket.code}`, go: () => enter() } : null;
  show(joinCard({ code, nick: ticket?.nick, back }, join));
}

async function join(code, nick) {
  const found = await ask("api/join", "", { code, nick, browser: browserOf(kept) });
  stop();
  post.unmarked.forget(); // of whoever was here before
  keep({ token: found.token, code, nick });
  if (found.state === "waiting") wait(found.sentence);
  else await enter(code);
}

function keep(new_) {
  ticket = new_;
  kept.set("ticket", ticket);
}

// Straight to the sheet, where the server still knows the ticket: to that of a code, or to the one that was open last.
async function enter(code = ticket.at ?? ticket.code) {
  const mine = (turn += 1);
  const found = await ask("api/sheet", ticket.token).catch((error) => error);
  if (mine !== turn) return; // somebody has turned away since
  const where = standing(found);
  if (where === "in") return work(found, code);
  if (where === "waiting") return wait(found.sentence);
  if (where === "out") return leave(GONE);
  if (!desk) show(awayCard(ticket, leave));
  again.later(found.after);
}

function wait(sentence) {
  again.worked();
  if (!line) show(waitingCard(ticket, sentence, leave));
  connect();
}

async function work(state, code) {
  again.worked();
  const codes = state.sheets.map((sheet) => sheet.code);
  keep({ ...ticket, codes });
  connect();
  const opened = (at) => keep({ ...ticket, at });
  desk = new Desk(root, state, { ticket, post, notice, line, leave, opened });
  post.begin(codes);
  await desk.open(codes.find((own) => isSameCode(own, code)) ?? state.code);
}

function connect() {
  line ??= new Line({ token: ticket.token, post, notice, hear, out: () => leave(GONE), anew: () => (desk ? desk.refresh() : enter()) });
}

// What the server says of its own accord.
function hear({ marks, state, ...decided }) {
  if (state && state !== "in" && state !== "waiting") return leave(desk ? GONE : REFUSED);
  if (state && !desk) return enter();
  if (Object.keys(decided).length) desk?.decide(decided);
  if (marks) desk?.take(marks);
  if (decided.paused === false) post.again.now();
}

// To the card where one joins, for a reason or because somebody wants to; what is not sent yet is not left unasked.
function leave(reason = "") {
  if (!reason && desk && !mayLeave(post.unsent.length)) return;
  if (!reason) post.discard();
  stop();
  const { code, nick, isGiven } = ticket ?? {};
  ticket = null;
  kept.remove("ticket");
  show(isGiven ? outCard() : joinCard(reason ? { code, nick, sentence: reason } : {}, join));
}

function stop() {
  turn += 1;
  line?.cut();
  post.stop();
  again.worked();
  notice.paused(false);
  [line, desk] = [null, null];
}

function show(card) {
  root.replaceChildren(card);
  [...card.querySelectorAll("input")].find((input) => !input.value)?.focus();
}
