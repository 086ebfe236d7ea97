// The outbox: typed texts are kept until the teacher's computer has them, numbered in order.

import { Retry } from "./server_requests.js";
import { UnmarkedAnswers } from "./unmarked_answers.js";

const MAX_TEXTS = 40; // at once
const REFUSED_WAIT = 4000; // ms until who takes nothing just now, as a class that is paused, is asked again
const STORED = "waiting "; // before the number of a text, in the browser's storage

export class AnswerOutbox {
  // `send(code, answers)` returns the acknowledged numbers, or throws as server_requests.js does. `tell` has a callback
  // for each event: reached(isReached), held(sentence), out(sentence), dropped(sentence), sent(code).
  constructor(kept, send, tell, how = {}) {
    Object.assign(this, { kept, send, tell, codes: new Set(), limit: MAX_TEXTS, leap: 1, now: how.now ?? Date.now });
    this.retry = new Retry(() => this.sendWaiting(), how);
    this.waiting = new Map(); // by number: [code, step, row, column, text, at]
    this.unmarked = new UnmarkedAnswers(how.now);
    for (const name of kept.names(STORED)) this.adopt(Number(name.slice(STORED.length)), kept.get(name));
  }

  // Takes over a text that an earlier visit left; a browser's storage may hold anything.
  adopt(n, answer) {
    const isOne = Number.isSafeInteger(n) && n > 0 && Array.isArray(answer) && [5, 6].includes(answer.length);
    if (isOne && answer.every((part, k) => ([2, 3, 5].includes(k) ? Number.isInteger(part) : typeof part === "string"))) this.waiting.set(n, answer);
  }

  // Sends the texts of these sheets; those that wait for other learners' sheets stay.
  begin(codes) {
    this.codes = new Set(codes);
    this.isStopped = false;
    return this.retry.now();
  }

  // Adds sheets that the class got later.
  addSheets(codes) {
    for (const code of codes) this.codes.add(code);
  }

  stop() {
    this.isStopped = true;
    this.retry.worked();
  }

  get unsent() {
    return [...this.waiting.entries()].filter(([, [code]]) => this.codes.has(code)).sort(([one], [two]) => one - two);
  }

  // Counts on from n, which this learner has reached, perhaps on another phone.
  countFrom(n) {
    if (n > (Number(this.kept.get("n")) || 0)) this.kept.set("n", n);
  }

  // The next number; another page of this browser may have counted on.
  takeNumber(leap = 1) {
    const n = Math.max(Number(this.kept.get("n")) || 0, 0, ...this.waiting.keys()) + leap;
    this.kept.set("n", n);
    return n;
  }

  // Notes the server's time; all tabs of this browser go by it.
  setClock(now) {
    if (Number.isFinite(now)) this.kept.set("clock", now - this.now());
  }

  // The time of typing, by the server's clock: later than that of any text typed in this browser before.
  typedAt() {
    const now = Math.round(this.now() + (Number(this.kept.get("clock")) || 0));
    const at = Math.max(now, (Number(this.kept.get("typed")) || 0) + 1);
    this.kept.set("typed", at);
    return at;
  }

  add(...answer) {
    this.keep(this.takeNumber(), [...answer, this.typedAt()]);
    if (!this.retry.failures) return this.sendWaiting();
  }

  keep(n, answer) {
    this.waiting.set(n, answer);
    this.kept.set(STORED + n, answer);
  }

  drop(n) {
    this.waiting.delete(n);
    this.kept.remove(STORED + n);
  }

  discard() {
    for (const [n] of this.unsent) this.drop(n);
  }

  // The oldest texts of one sheet, as many as go at once.
  get batch() {
    const { unsent } = this;
    return unsent.filter(([, [code]]) => code === unsent[0][1][0]).slice(0, this.limit);
  }

  async sendWaiting() {
    if (this.isBusy || this.isStopped || !this.unsent.length) return;
    this.isBusy = true;
    const { batch } = this;
    const [[, [code]]] = batch;
    const goesOn = await this.send(code, batch.map(([n, [, ...cell]]) => [n, ...cell])).then((numbers) => this.onAcknowledged(batch, numbers, code), (error) => this.onRefused(batch, error));
    this.isBusy = false;
    if (goesOn) await this.sendWaiting();
  }

  onAcknowledged(batch, numbers, code) {
    const done = batch.filter(([n]) => numbers.includes(n));
    for (const [n, answer] of done) {
      this.drop(n);
      this.unmarked.add(n, answer);
    }
    if (!done.length) return this.retry.later(); // it answers, and keeps nothing
    this.retry.worked();
    [this.limit, this.leap] = [Math.min(MAX_TEXTS, 2 * this.limit), 1];
    this.tell.reached(true);
    this.tell.sent(code);
    return true;
  }

  // Whether to go on at once: with fewer texts, so that one that is refused keeps back no other.
  onRefused(batch, error) {
    if (error.isOut) return this.onOut(error);
    const isAway = error.isAway ?? true;
    this.tell.reached(!isAway);
    if (error.status === 423) this.tell.held(error.message);
    if (isAway || error.status === 429) return this.retry.later(error.after);
    if (error.status === 423) return this.retry.later(REFUSED_WAIT);
    if (batch.length > 1) this.limit = Math.ceil(batch.length / 2);
    else if (error.status === 409) this.renumberFrom(batch[0][0]);
    else this.giveUp(...batch[0], error);
    return true;
  }

  onOut(error) {
    this.stop();
    this.tell.out(error.message);
  }

  // The number of a text was used for another one: it gets a new one, further away each time. The texts behind
  // it are numbered anew, too, so that the last one typed is sent last.
  renumberFrom(n) {
    let leap = (this.leap *= 2);
    for (const [own, answer] of this.unsent.filter(([own]) => own >= n)) {
      const next = this.takeNumber(leap);
      this.drop(own);
      this.keep(next, answer);
      leap = 1;
    }
  }

  giveUp(n, answer, error) {
    this.drop(n);
    this.tell.dropped(error.message);
  }
}
