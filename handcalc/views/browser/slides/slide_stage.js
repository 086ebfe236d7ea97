// The middle of a slide: its numbers in type as large as fits. What still does not fit is scrolled, with a sign.

import { KEEPS_KEYS, button, tag } from "../page/dom.js";
import { prefersReducedMotion } from "../page/reduced_motion.js";

const SCROLLED = 0.8; // of what is in sight, that a key scrolls by
const AT_END = 3; // pixels from its end
const AT_EDGE = 8; // pixels that captions keep from it
const WIDE_FROM = 1.25; // times its height, from which on a window is wide: as in present.css
const SMALLEST_ACROSS = 10; // pixels of a number in columns that would not be in sight otherwise
const SMALLEST_OVERVIEW = 11; // pixels of a number on the whole sheet
const [LEAST_ENLARGED, MOST_ENLARGED] = [1.5, 4]; // times: the map, and the map with all its layers unfolded

// Pixels of a number, at least and at most, in a window so wide: zoomed in, a window is narrower.
export function typeLimits(width, isOverview = false) {
  const least = Math.min(16, Math.max(12, 7.7 + 0.0065 * width));
  return [isOverview ? Math.min(least, SMALLEST_OVERVIEW) : least, Math.max(36, 0.029 * width)];
}

// The rough width and height of a step's stage: its words are beside it, or in a tall window below.
export function stageOf(width, height) {
  const part = width > WIDE_FROM * height ? { width: 0.57 * width, height: 0.76 * height } : { width: 0.94 * width, height: 0.55 * height };
  return { ...part, window: width };
}

// Whether there is more in a direction: of "up" and "down", "left" and "right".
export function moreOf({ scrollTop, scrollLeft, scrollWidth, scrollHeight, clientWidth, clientHeight }) {
  const ends = {
    up: scrollTop, down: scrollHeight - clientHeight - scrollTop,
    left: scrollLeft, right: scrollWidth - clientWidth - scrollLeft,
  };
  return Object.keys(ends).filter((side) => ends[side] > AT_END);
}

export class SlideStage {
  constructor() {
    this.place = tag("div", { class: "hc-slide-stage", tabindex: "0", role: "region", "aria-label": "Numbers of this step", ...KEEPS_KEYS });
    this.sign = button("More below ↓", () => this.scrollOn(1), { class: "hc-slide-more" });
    this.element = tag("div", { class: "hc-slide-middle" }, this.place, this.sign);
    this.place.addEventListener("scroll", () => this.tell(), { passive: true });
  }

  // Put this there; a sheet's type is fitted, `isOverview` if it may be smaller.
  show(element, { sheet = null, isOverview = false } = {}) {
    Object.assign(this, { sheet, isOverview });
    this.place.replaceChildren(element);
    this.place.scrollTo(0, 0);
  }

  // Scroll no further than it takes to see a number.
  reveal(cell) {
    cell?.scrollIntoView({ block: "nearest", inline: "nearest" });
    this.tell();
  }

  // As large as fits; smaller than is good where columns would be out of sight, and scrolled where rows would be.
  fit() {
    if (!this.place.isConnected) return;
    if (!this.sheet) this.enlargeMap();
    else for (const isForFingers of this.isOverview ? [false] : [true, false]) { // else a number may be smaller than a finger
      this.place.classList.toggle("hc-for-fingers", isForFingers);
      this.fitType();
      if (this.fits()) break;
    }
    this.tell();
  }

  // The map as large as fits, with all its layers unfolded where there is room for them.
  enlargeMap() {
    const map = this.place.querySelector(":scope > .hc-map");
    if (!map) return;
    const layers = map.querySelectorAll(".hc-map-layer");
    const zoomOf = () => {
      map.style.zoom = 1;
      return Math.min(this.place.clientWidth / map.scrollWidth, this.place.clientHeight / map.scrollHeight, MOST_ENLARGED);
    };
    for (const layer of layers) layer.classList.remove("hc-folded");
    if (zoomOf() < LEAST_ENLARGED) for (const layer of layers) layer.classList.add("hc-folded");
    map.style.zoom = Math.max(1, zoomOf());
  }

  fitType() {
    const [least, most] = typeLimits(innerWidth, this.isOverview);
    const largest = this.largest(Math.min(least, SMALLEST_ACROSS), least, () => this.fitsAcross());
    if (largest < least || !this.set(least, () => this.fits())) this.set(largest);
    else this.largest(least, most, () => this.fits());
  }

  // The largest type between two sizes that meets a condition; the smaller size is taken to meet it.
  largest(low, high, isGood) {
    if (this.set(high, isGood)) return high;
    while (high - low > 0.5) {
      const middle = (low + high) / 2;
      if (this.set(middle, isGood)) low = middle;
      else high = middle;
    }
    this.set(low);
    return low;
  }

  set(size, isGood = () => true) {
    this.place.style.setProperty("--hc-type", `${size}px`);
    this.sheet.captions.lay(this.place.clientWidth - AT_EDGE);
    return isGood();
  }

  // Measure the laid-out sheet: numbers that fly above it take no room.
  fits() {
    return this.sheet.element.offsetHeight <= this.place.clientHeight && this.fitsAcross();
  }

  fitsAcross() {
    const { place, sheet: { element, tracks } } = this;
    return element.offsetWidth <= place.clientWidth && tracks.every((track) => track.scrollWidth <= element.clientWidth + 1);
  }

  // Scroll on or back; false where there is nothing more that way.
  scrollOn(direction) {
    if (!moreOf(this.place).includes(direction > 0 ? "down" : "up")) return false;
    const behavior = prefersReducedMotion() ? "instant" : "smooth";
    this.place.scrollBy({ top: direction * SCROLLED * this.place.clientHeight, behavior });
    this.tell();
    return true;
  }

  // Say where there is more: edges fade, and a button scrolls down.
  tell() {
    const more = moreOf(this.place);
    this.place.dataset.more = more.join(" ");
    this.sign.hidden = !more.includes("down");
  }
}
