// Watches one thing on the page and what a hand does to it: when it was moved, when the page had the new
// value, when that was painted, when all was still. Times are performance.now(), in milliseconds.

(() => {
  const PATIENCE = 30_000;
  const QUIET = 1_000;
  const FRAME = 1_000 / 60;
  const ANYTHING = { attributes: true, characterData: true, childList: true, subtree: true };

  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const frame = () => new Promise((done) => requestAnimationFrame(done));

  // A saved page has no kernel.
  const kernelIsIdle = () =>
    !window.jupyterapp || window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "idle";

  // Call in a frame: its other callbacks run before the paint, a message sent there arrives after it.
  const afterPaint = (act) => {
    const { port1, port2 } = new MessageChannel();
    port1.onmessage = act;
    port2.postMessage(null);
  };

  const painted = async () => {
    await frame();
    await new Promise(afterPaint);
    return performance.now();
  };

  window.HandcalcProbe = class {
    // `area` is what changes, `value` gives the part of it that shows the value. The hand:
    // `focus` takes hold of the page, `read` gives the value that the page shows now, as text, or nothing
    // while there is none; `set` moves, `letGo` comes after; `settled` waits until
    // what is in the page can be painted.
    constructor(area, { value = () => area, ...hand }) {
      const idle = { place: () => {}, letGo: () => {}, settled: async () => {} };
      Object.assign(this, idle, hand, { area, value });
      this.changes = []; // [time, value]
      this.moves = []; // [time, frames until then]
      this.observer = new MutationObserver(() => this.look());
      window.addEventListener("keydown", () => (this.pressed ??= performance.now()), true);
    }

    // Another block may have been opened since the last time.
    attend() {
      this.observer.disconnect();
      this.observer.observe(this.value(), ANYTHING);
      this.known = this.read();
    }

    look() {
      const now = performance.now();
      const value = this.read();
      if (!value || value === this.known) return;
      this.known = value;
      this.changes.push([now, value]);
    }

    // one key ---------------------------------------------------------------------------------

    // Call before a key is pressed; `answer` then waits for the page's reply to it.
    arm() {
      this.attend();
      this.pressed = null;
      this.changes = [];
      this.answered = this.untilPainted();
    }

    async untilPainted() {
      const end = performance.now() + PATIENCE;
      while (!this.changes.length) {
        if (performance.now() > end) throw new Error("The page never showed a new value.");
        await frame();
      }
      await this.settled();
      return painted();
    }

    async answer() {
      const after = await this.answered;
      return { number: this.changes[0][0] - this.pressed, painted: after - this.pressed };
    }

    // many moves ------------------------------------------------------------------------------

    // Move through all values, one each 1/60 s, starting in the middle of a frame, as timers and frames
    // of equal length would race otherwise. A hand does not wait: a value whose time has passed is left
    // out, all but the last one.
    async burst(values) {
      const end = values.length - 1;
      this.start();
      await frame();
      await wait(FRAME / 2);
      const begin = performance.now();
      for (let k = 0; k <= end; k = Math.max(k + 1, Math.min(end, this.due(begin)))) {
        await wait(Math.max(0, begin + k * FRAME - performance.now()));
        if (k === end) this.watchAll();
        this.mark(performance.now());
        this.set(values[k]);
      }
      const found = await this.rest();
      this.letGo();
      await this.untilStill(100);
      return { ...found, final: this.read() };
    }

    due(begin) {
      return Math.floor((performance.now() - begin) / FRAME);
    }

    // From here on sample in every frame what is about to be painted.
    start() {
      this.attend();
      Object.assign(this, { changes: [], moves: [], frames: 0, touched: null, shown: new Set() });
      const before = this.read();
      this.isSampling = true;
      const sample = () => {
        if (!this.isSampling) return;
        this.frames += 1;
        const value = this.read();
        if (value && value !== before) this.shown.add(value);
        requestAnimationFrame(sample);
      };
      requestAnimationFrame(sample);
    }

    mark(time) {
      this.moves.push([time, this.frames]);
    }

    // Whatever in sight follows the last move counts, not only the value: the page is to be still.
    // Watching all of a large sheet costs time, so that a burst does it from its last move on only.
    watchAll() {
      const isSeen = ({ target }) => {
        const { top, bottom } = (target.nodeType === 1 ? target : target.parentElement)?.getBoundingClientRect() ?? {};
        return bottom > 0 && top < innerHeight;
      };
      this.all = new MutationObserver((changes) => {
        if (changes.some(isSeen)) this.touched = performance.now();
      });
      this.all.observe(this.area, ANYTHING);
    }

    // Wait until nothing follows any more, the hand still holding; then say what has been seen.
    async rest() {
      await this.untilStill(QUIET);
      this.isSampling = false;
      this.all.disconnect();
      const [first, last] = [this.moves[0], this.moves.at(-1)];
      if (!(this.touched >= last[0])) throw new Error("Nothing followed the last move.");
      return {
        shown: this.shown.size,
        frames: last[1] - first[1] + 1,
        lag: this.touched - last[0],
        number: this.afterMoves(),
      };
    }

    // For each change of the value how long after the last move before it.
    afterMoves() {
      return this.changes.map(([time]) => time - this.moves.findLast(([moved]) => moved <= time)[0]);
    }

    // The kernel is idle and nothing has changed for a while.
    async untilStill(quiet) {
      const begin = performance.now();
      const isStill = () => {
        const last = Math.max(begin, this.touched ?? 0, this.changes.at(-1)?.[0] ?? 0);
        return performance.now() - last > quiet;
      };
      do {
        if (performance.now() > begin + PATIENCE) throw new Error("The page did not come to rest.");
        await wait(50);
      } while (!isStill() || !kernelIsIdle());
    }
  };
})();
