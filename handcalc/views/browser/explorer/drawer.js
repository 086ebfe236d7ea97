// The panel about the chosen number. Below a sheet with room around it; in a narrow or short window a drawer at its
// lower edge, as high as the arithmetic and the given, which can be pulled up.

import { scrollerOf, viewOf } from "../sheet/sight.js";
import { button, claim, tag } from "../page/dom.js";
import { prefersReducedMotion } from "../page/reduced_motion.js";

const SLENDER = 640; // pixels of the page, as in narrow.css
const LOW = 600; // pixels of the window, or of the notebook in it
const KEYBOARD = 80; // pixels: a keyboard on the screen is higher, a browser's own bar is not
const PULLS = 4; // pixels until a press on the handle is a pull
const ECHO = 500; // milliseconds after which a click is no echo of a press
const GLIDE = { duration: 170, easing: "ease-out" };

export class Drawer {
  constructor(explorer) {
    this.explorer = explorer;
    const { explanation, stepper, input, toolbar, comparison, trace } = explorer;
    const left = tag("div", { class: "hc-about" }, explanation.element, explanation.everything, stepper.panel);
    const right = tag("div", { class: "hc-move" }, input.element, toolbar.acts);
    this.lists = tag("div", { class: "hc-lists" }, comparison.element, trace.element);
    this.handle = button("More about this number", () => this.onClick(), { symbol: "up", "aria-expanded": "false" });
    this.handle.classList.add("hc-handle");
    this.element = tag("div", { class: "hc-panel" }, this.handle, left, right, this.lists);
    this.handle.addEventListener("pointerdown", (event) => this.grab(event));
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    Object.assign(this, { isOpen: false, isPast: false, released: -Infinity });
    this.fit();
    this.watch();
  }

  get isDrawer() {
    return this.element.classList.contains("hc-drawer");
  }

  // The window changes while explorers come and go: it must not keep them.
  watch() {
    const [own, leaving] = [new WeakRef(this), new AbortController()];
    const onChange = () => (own.deref() ? own.deref().fit() : leaving.abort());
    addEventListener("resize", onChange, leaving);
    for (const name of ["resize", "scroll"]) window.visualViewport?.addEventListener(name, onChange, leaving);
  }

  // Whether there is room, and how much; a keyboard on the screen lifts the drawer.
  fit() {
    const { element: root, space } = this.explorer;
    const scroller = scrollerOf(root);
    const isPage = scroller === document.scrollingElement;
    const [top, bottom] = viewOf(scroller);
    const height = isPage ? innerHeight : scroller.clientHeight;
    const isDrawer = space < SLENDER || bottom - top < LOW;
    const covered = isPage ? Math.round(innerHeight - bottom) : 0;
    const lift = covered > KEYBOARD ? covered : 0;
    const now = [isDrawer, Math.min(height, Math.round(bottom - top)), lift];
    if (String(now) === String(this.fitted)) return;
    this.fitted = now;
    this.element.classList.toggle("hc-drawer", isDrawer);
    root.classList.toggle("hc-cramped", isDrawer);
    this.handle.hidden = !isDrawer;
    this.element.style.setProperty("--hc-room", `${now[1]}px`);
    this.element.style.setProperty("--hc-lift", `${lift}px`);
    root.style.paddingBottom = lift ? `${lift}px` : ""; // so that the page can scroll as far
    if (this.element.contains(document.activeElement)) this.explorer.sight.show(this.explorer.chosen);
  }

  // Another number is chosen, or what is said of it has changed.
  refresh() {
    const { trace, comparison, stepper, toolbar } = this.explorer;
    toolbar.guide.classList.toggle("hc-going", !stepper.isDone); // the next step stays at hand
    const isListing = trace.isOn || !comparison.element.hidden;
    if (isListing !== this.element.classList.contains("hc-listing")) this.element.scrollTop = 0;
    this.element.classList.toggle("hc-listing", isListing);
    this.element.classList.toggle("hc-questioned", Boolean(stepper.asked));
    if (!stepper.summary.isOpen) this.isPast = false;
    this.element.classList.toggle("hc-summed", stepper.summary.isOpen && !this.isPast);
  }

  // pulling it up -----------------------------------------------------------------------------

  pull(isOpen) {
    const before = this.element.offsetHeight;
    this.isOpen = isOpen;
    this.element.classList.toggle("hc-pulled", isOpen);
    this.element.style.height = "";
    this.handle.setAttribute("aria-expanded", String(isOpen));
    this.element.scrollTop = 0;
    this.glide(this.element.offsetHeight - before);
    this.explorer.sight.show(this.explorer.chosen);
  }

  glide(pixels) {
    if (!pixels || prefersReducedMotion()) return;
    this.element.animate([{ transform: `translateY(${pixels}px)` }, { transform: "none" }], GLIDE);
  }

  // A click by keys; one that only ends a pull, or a press, was heard already.
  onClick() {
    if (performance.now() - this.released > ECHO) this.pull(!this.isOpen);
  }

  // The handle follows the hand, and the drawer goes on the way it was pulled; a press alone turns it.
  grab(event) {
    if (event.button !== 0) return;
    const { element, handle } = this;
    let hasMoved = false;
    const [start, from, wasOpen] = [event.clientY, element.offsetHeight, this.isOpen];
    const follow = ({ clientY }) => {
      if (!hasMoved && Math.abs(start - clientY) < PULLS) return;
      hasMoved = true;
      element.classList.add("hc-pulled");
      element.style.height = `${Math.max(from + start - clientY, 60)}px`;
    };
    const end = ({ type }) => {
      for (const name of ["pointerup", "pointercancel"]) handle.removeEventListener(name, end);
      handle.removeEventListener("pointermove", follow);
      this.released = performance.now();
      const limit = wasOpen ? from - 3 * PULLS : from + 3 * PULLS;
      if (hasMoved) this.pull(element.offsetHeight > limit);
      else if (type === "pointerup") this.pull(!wasOpen);
    };
    handle.setPointerCapture(event.pointerId);
    handle.addEventListener("pointermove", follow);
    for (const name of ["pointerup", "pointercancel"]) handle.addEventListener(name, end);
  }

  onKey(event) {
    const isWanted = { ArrowUp: true, ArrowDown: false, Escape: false }[event.key];
    const isHere = event.target === this.handle || (event.key === "Escape" && this.isOpen && !event.defaultPrevented);
    if (!this.isDrawer || !isHere || isWanted === undefined || isWanted === this.isOpen) return;
    claim(event);
    this.pull(isWanted);
    this.handle.focus({ preventScroll: true });
  }
}
