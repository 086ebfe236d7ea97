// The frame: an explorer is as high as its host shows beside what stands above it, at most as high as its sheet, which
// scrolls inside. Nothing is sticky, so nothing covers a number.

import { scrollerOf, viewOf } from "../page/scrolling.js";

const [NARROW, LOW] = [640, 600]; // pixels of width, as in narrow.css, and of room: from there on the panel is short
const SCANT = 330; // pixels of room below which the panel is one line
const MIN_BOARD = 140; // pixels of the sheet, whatever the room
const [FIRST_SCREEN, BELOW] = [0.35, 12]; // where a frame may begin to fit the first screen, of its height; pixels left free below

export class Frame {
  constructor(explorer) {
    this.explorer = explorer;
    this.watch();
  }

  // The window changes while explorers come and go: it must not keep them.
  watch() {
    const [own, leaving] = [new WeakRef(this), new AbortController()];
    const onChange = () => (own.deref() ? own.deref().fit() : leaving.abort());
    addEventListener("resize", onChange, leaving);
    for (const name of ["resize", "scroll"]) window.visualViewport?.addEventListener(name, onChange, leaving);
    this.sizes = new ResizeObserver(onChange);
  }

  // Observe everything that limits the room of the frame; an explorer may be put into its host only later.
  attach() {
    const { element: root } = this.explorer;
    this.scroller = scrollerOf(root);
    this.sizes.disconnect();
    const cell = root.closest(".jp-Cell");
    const around = [this.scroller, cell?.querySelector(".jp-Cell-inputWrapper"), ...this.fixed()];
    for (const part of around) if (part) this.sizes.observe(part);
    this.fit();
  }

  // The fixed parts above the sheet; dialogs are left out, as slides lie over everything.
  fixed() {
    const { element: root, body, panel } = this.explorer;
    return [...root.children].filter((part) => part !== body && part !== panel.element && part.localName !== "dialog");
  }

  // The height the frame may have: the visible part, less what is above it in its cell or, on a page, on its first screen.
  room() {
    const { element: root } = this.explorer;
    const scroller = scrollerOf(root);
    const [top, bottom] = viewOf(scroller);
    const isPage = scroller === document.scrollingElement;
    const { top: at } = root.getBoundingClientRect();
    const fromStart = at - (isPage ? 0 : top) + scroller.scrollTop;
    const cell = root.closest(".jp-Cell");
    const isFirst = !cell && fromStart < FIRST_SCREEN * (bottom - top);
    const above = isFirst ? fromStart : at - (cell ?? root).getBoundingClientRect().top;
    return bottom - top - above - BELOW;
  }

  fit() {
    const { element: root, space, sight, navigation } = this.explorer;
    if (!root.offsetHeight) return; // it is not shown yet
    if (this.scroller !== scrollerOf(root)) return this.attach();
    const room = Math.round(this.room());
    navigation.map.rest(room, space);
    const fixed = this.fixedHeight();
    const now = String([room, fixed, space < NARROW]);
    if (now === this.fitted) return;
    this.fitted = now;
    root.classList.toggle("hc-compact", space < NARROW || room < LOW);
    root.classList.toggle("hc-one-line", room - fixed < SCANT);
    this.mostHeight = room - fixed - BELOW; // of the sheet, if nothing stands below it
    this.set(room, fixed);
    this.explorer.companions.tell("lay");
    sight.hold();
  }

  // Before there is a sheet, so that it is laid out in its frame at once.
  begin() {
    const { element: root, space, navigation } = this.explorer;
    if (!root.offsetHeight) return;
    const room = Math.round(this.room());
    navigation.map.rest(room, space);
    this.set(room, this.fixedHeight());
  }

  // What is the same as before is not set again: every number would be styled again.
  set(room, fixed) {
    const { style } = this.explorer.element;
    const lengths = { "--hc-room": `${room}px`, "--hc-frame-height": `${Math.max(room, fixed + MIN_BOARD + 44)}px` };
    for (const [name, length] of Object.entries(lengths)) if (style.getPropertyValue(name) !== length) style.setProperty(name, length);
  }

  fixedHeight() {
    return this.fixed().reduce((all, part) => all + part.offsetHeight, 0);
  }
}
