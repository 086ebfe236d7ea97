// A learner's page: join with a code, fill in one's sheet. What is typed is kept until the teacher's computer has it.

import { AnswerOutbox } from "./answer_outbox.js";
import { BrowserStorage, findStorage } from "./browser_storage.js";
import { GONE, REFUSED, awayCard, joinCard, confirmLeaving, outCard, waitingCard } from "./join_cards.js";
import { LearnerSheets } from "./learner_sheets.js";
import { Notice } from "./notice.js";
import { ServerLine } from "./server_line.js";
import { Retry, ask } from "./server_requests.js";
import { nameBrowser, readCode, isSameCode, findStanding, chooseTicket, decideOnCode } from "./ticket.js";

const root = document.getElementById("class");
const kept = new BrowserStorage(findStorage(), document.body.dataset.class);
const notice = new Notice(kept.isKept, () => sheets?.uncover());
const retry = new Retry(() => enter());
let [ticket, line, sheets, turn] = [chooseTicket(document.body.dataset, kept.get("ticket")), null, null, 0];

const outbox = new AnswerOutbox(kept, (code, answers) => ask("api/answers", ticket?.token, { code, answers }).then((found) => found.acknowledged), {
  reached: (isReached) => notice.reached(isReached, !outbox.unsent.length),
  held: (sentence) => notice.showBriefly(sentence),
  out: () => leave(GONE),
  dropped: (sentence) => notice.showBriefly(sentence),
  sent: (code) => line?.expectMarks(code),
});

document.body.prepend(notice.element);
addEventListener("hashchange", readAddress);
addEventListener("beforeunload", (event) => kept.isKept || !outbox.unsent.length || event.preventDefault());
addEventListener("resize", () => notice.measure());
for (const way of ["online", "offline"]) addEventListener(way, () => line?.wake());
document.addEventListener("visibilitychange", () => document.hidden || line?.wake());
readAddress();

// A code from a QR code is read once, and does not stay in the address.
function readAddress() {
  const code = readCode(location.hash);
  if (location.hash) history.replaceState(null, "", location.pathname + location.search);
  if (decideOnCode(code, ticket) === "return") return enter(code || undefined);
  stop();
  const back = ticket ? { words: `Go on as ${ticket.nick || ticket.code}`, go: () => enter() } : null;
  show(joinCard({ code, nick: ticket?.nick, back }, join));
}

async function join(code, nick) {
  const found = await ask("api/join", "", { code, nick, browser: nameBrowser(kept) });
  stop();
  outbox.unmarked.forget(); // of the learner who was here before
  keepTicket({ token: found.token, code, nick });
  if (found.state === "waiting") wait(found.sentence);
  else await enter(code);
}

function keepTicket(new_) {
  ticket = new_;
  kept.set("ticket", ticket);
}

// Goes straight to a sheet if the server still knows the ticket: that of a code, or the one that was open last.
async function enter(code = ticket.at ?? ticket.code) {
  const mine = (turn += 1);
  const found = await ask("api/sheet", ticket.token).catch((error) => error);
  if (mine !== turn) return; // somebody has turned away since
  const where = findStanding(found);
  if (where === "in") return openSheets(found, code);
  if (where === "waiting") return wait(found.sentence);
  if (where === "out") return leave(GONE);
  if (!sheets) show(awayCard(ticket, leave));
  retry.later(found.after);
}

function wait(sentence) {
  retry.worked();
  if (!line) show(waitingCard(ticket, sentence, leave));
  connect();
}

async function openSheets(state, code) {
  retry.worked();
  const codes = state.sheets.map((sheet) => sheet.code);
  keepTicket({ ...ticket, codes });
  connect();
  const opened = (at) => keepTicket({ ...ticket, at });
  sheets = new LearnerSheets(root, state, { ticket, outbox, notice, line, leave, opened });
  outbox.begin(codes);
  await sheets.open(codes.find((own) => isSameCode(own, code)) ?? state.code);
}

function connect() {
  line ??= new ServerLine({ token: ticket.token, outbox, notice, takeMessage, out: () => leave(GONE), refresh: () => (sheets ? sheets.refresh() : enter()) });
}

// Handles a message that the server sends unasked.
function takeMessage({ marks, state, ...decided }) {
  if (state && state !== "in" && state !== "waiting") return leave(sheets ? GONE : REFUSED);
  if (state && !sheets) return enter();
  if (Object.keys(decided).length) sheets?.decide(decided);
  if (marks) sheets?.take(marks);
  if (decided.paused === false) outbox.retry.now();
}

// Goes back to the card for joining, for a reason or on request; the learner is asked before unsent texts are lost.
function leave(reason = "") {
  if (!reason && sheets && !confirmLeaving(outbox.unsent.length)) return;
  if (!reason) outbox.discard();
  stop();
  const { code, nick, isGiven } = ticket ?? {};
  ticket = null;
  kept.remove("ticket");
  show(isGiven ? outCard() : joinCard(reason ? { code, nick, sentence: reason } : {}, join));
}

function stop() {
  turn += 1;
  line?.cut();
  outbox.stop();
  retry.worked();
  notice.paused(false);
  [line, sheets] = [null, null];
}

function show(card) {
  root.replaceChildren(card);
  [...card.querySelectorAll("input")].find((input) => !input.value)?.focus();
}
