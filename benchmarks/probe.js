// Watches one slider and what follows it: when it was moved, when the page had the new value, when that
// was painted. Times are performance.now(), in milliseconds.

(() => {
  const PATIENCE = 30_000;
  const QUIET = 1_000;
  const FRAME = 1_000 / 60;

  const wait = (ms) => new Promise((done) => setTimeout(done, ms));
  const frame = () => new Promise((done) => requestAnimationFrame(done));

  const kernelIsIdle = () =>
    window.jupyterapp.shell.currentWidget.sessionContext.session.kernel.status === "idle";

  // After the next frame: its callbacks run before the paint, a message sent there arrives after it.
  const painted = async () => {
    await frame();
    const { port1, port2 } = new MessageChannel();
    await new Promise((done) => {
      port1.onmessage = done;
      port2.postMessage(null);
    });
    return performance.now();
  };

  class Probe {
    // `area` is what changes, `slider` what takes the keys; `read` gives the value that the page shows
    // now, as text, or nothing while there is none; `set` moves the slider; `settled` waits until what
    // is in the page can be painted.
    constructor(area, slider, { read, set, settled = async () => {} }) {
      Object.assign(this, { area, slider, read, set, settled });
      this.shown = read();
      this.changes = []; // [time, value]
      new MutationObserver(() => this.look()).observe(area, {
        attributes: true, characterData: true, childList: true, subtree: true,
      });
      for (const kind of ["keydown", "input"]) {
        window.addEventListener(kind, () => this.stamp(kind), true);
      }
    }

    look() {
      const now = performance.now();
      const value = this.read();
      if (!value || value === this.shown) return;
      this.shown = value;
      this.changes.push([now, value]);
    }

    stamp(kind) {
      if (this.moved && !(kind in this.moved)) this.moved[kind] = performance.now();
    }

    // Take the keys, with slider and area in view as far as they fit.
    focus() {
      this.area.scrollIntoView({ block: "start" });
      this.slider.focus();
    }

    // Call before a key is pressed; `answer` then waits for the page's reply to it.
    arm() {
      this.moved = {};
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
      const from = this.moved.keydown;
      return {
        number: this.changes[0][0] - from,
        painted: after - from,
        fromInput: "input" in this.moved ? this.changes[0][0] - this.moved.input : null,
      };
    }

    // Move through all values, one each 1/60 s, and sample in every frame what is about to be painted.
    async burst(values) {
      this.changes = [];
      const before = this.read();
      const shown = new Set();
      let frames = 0;
      let sampling = true;
      const sample = () => {
        frames += 1;
        if (this.read() && this.read() !== before) shown.add(this.read());
        if (sampling) requestAnimationFrame(sample);
      };
      requestAnimationFrame(sample);
      await this.moves(values);
      const framesMeanwhile = frames;
      this.set(values.at(-1), true);
      await this.untilQuiet();
      sampling = false;
      const lag = Math.max(0, this.changes.at(-1)[0] - this.lastMove);
      const seconds = (this.lastMove - this.firstMove) / 1000;
      return { shown: shown.size, frames: framesMeanwhile, lag, seconds, final: this.read() };
    }

    // All has arrived when the kernel is idle and nothing has changed for a while.
    async untilQuiet() {
      const end = performance.now() + PATIENCE;
      const still = () => performance.now() - (this.changes.at(-1)?.[0] ?? Infinity) > QUIET;
      do {
        if (performance.now() > end) throw new Error("The page did not come to rest.");
        await wait(100);
      } while (!still() || !kernelIsIdle());
    }

    // Starting in the middle of a frame, as timers and frames of equal length would race otherwise.
    async moves(values) {
      await frame();
      await wait(FRAME / 2);
      this.firstMove = performance.now();
      for (const [k, value] of values.entries()) {
        await wait(Math.max(0, this.firstMove + k * FRAME - performance.now()));
        this.lastMove = performance.now();
        this.set(value, false);
      }
    }
  }

  const notebook = document.querySelector(".jp-NotebookPanel:not(.lm-mod-hidden)");
  const handle = notebook.querySelector(".noUi-handle");
  const picture = () => notebook.querySelector(".widget-interact img");
  const root = notebook.querySelector(".handcalc-explorer");
  const range = root.querySelector("input[type=range]");
  const number = root.querySelector('[data-step="Z"][data-row="0"][data-column="0"]');
  const fire = (kind) => range.dispatchEvent(new Event(kind, { bubbles: true }));

  window.handcalcProbes = {
    interact: new Probe(handle.closest(".widget-interact"), handle, {
      read: () => picture()?.src,
      set: (value) => handle.closest(".noUi-target").noUiSlider.set(value),
      settled: () => picture()?.decode(),
    }),
    explore: new Probe(root, range, {
      read: () => number.dataset.value,
      set: (value, letGo) => {
        range.value = value;
        fire(letGo ? "change" : "input");
      },
    }),
  };
})();
