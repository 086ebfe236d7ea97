// How long to wait before the next try: twice as long each time, and never all phones at once.

const [FIRST, LONGEST] = [400, 8000]; // milliseconds

export const delay = (failures, random = Math.random) => Math.min(LONGEST, FIRST * 2 ** failures) * (0.5 + 0.5 * random());

// One thing that is tried again and again until it works: `later()` after a while, `now()` at once.
export class Again {
  constructor(run, { random = Math.random, wait = setTimeout, stop = clearTimeout } = {}) {
    Object.assign(this, { run, random, wait: (...how) => wait(...how), stop: (timer) => stop(timer), failures: 0, timer: null });
  }

  later(least = 0) {
    this.stop(this.timer);
    this.timer = this.wait(() => this.run(), Math.max(least, delay(this.failures, this.random)));
    this.failures += 1;
  }

  now() {
    this.worked();
    return this.run();
  }

  // The next time that it does not work is the first one.
  worked() {
    this.stop(this.timer);
    this.failures = 0;
  }
}
