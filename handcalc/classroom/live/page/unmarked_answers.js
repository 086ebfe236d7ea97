// Answers that the teacher's computer has and the marks do not show yet: older marks never take them from the page.

const MARKED_WITHIN = 20_000; // ms after which marks without a text mean that another page has changed it

export class UnmarkedAnswers {
  constructor(now = Date.now) {
    this.now = now;
    this.answers = new Map(); // by number: [answer, when]
    this.latest = {}; // by code: how much the marks know that are on the page
    this.run = null; // of the server, from its start to its end
  }

  // Starts afresh for another learner.
  forget() {
    this.answers.clear();
    this.latest = {};
  }

  add(n, answer) {
    this.answers.set(n, [answer, this.now()]);
  }

  // Notes the server's run: one that was restarted may have an older database, so its marks count from there.
  from(run) {
    if (this.run !== null && run !== undefined && run !== this.run) this.latest = {};
    this.run = run ?? this.run;
  }

  // Whether marks are at least as new as the last ones; `seen` grows with every answer and mark.
  isNew({ code, seen = 0 }) {
    if (seen < (this.latest[code] ?? 0)) return false;
    this.latest[code] = seen;
    return true;
  }

  // Drops the answers up to the number `n`: the marks include them.
  known(code, n) {
    for (const [own, [[of]]] of this.answers) if (of === code && own <= n) this.answers.delete(own);
  }

  // For marks that do not say how far they go: drops the answers of a cell once its newest text is in the marks.
  confirm(code, texts) {
    const newest = new Map(this.of(code, []).map(([step, row, column, text]) => [`${step},${row},${column}`, text]));
    for (const [n, [[own, step, row, column], when]] of this.answers) {
      const isKnown = (texts[step]?.[[row, column]] ?? "") === newest.get(`${step},${row},${column}`);
      if (own === code && (isKnown || this.now() - when > MARKED_WITHIN)) this.answers.delete(n);
    }
  }

  // The newest text of each cell that is not in a sheet's marks yet, texts still `waiting` included:
  // [step, row, column, text].
  of(code, waiting) {
    const known = [...this.answers].map(([n, [answer]]) => [n, answer]);
    const own = [...known, ...waiting].filter(([, answer]) => answer[0] === code).sort(([one, typed], [two, other]) => (typed[5] ?? 0) - (other[5] ?? 0) || one - two);
    return [...new Map(own.map(([, [, ...typed]]) => [typed.slice(0, 3).join(), typed.slice(0, 4)])).values()];
  }
}

// The outbox of one sheet, with the interface that practice.js expects.
export const outboxOf = (outbox, code) => ({
  get entries() {
    return outbox.unmarked.of(code, outbox.waiting);
  },
  add: (...typed) => outbox.add(code, ...typed),
  confirm: (texts) => outbox.unmarked.confirm(code, texts),
});
