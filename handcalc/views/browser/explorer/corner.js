// The free upper right of a sheet: where there is room, the panel stands there, with the pictures below it. While the
// sheet scrolls the panel stays in sight and covers no number: pictures scroll away below it.

import { tag } from "../page/dom.js";

const LEAST_WIDTH = 600; // pixels
const PANEL_HEIGHT = 164; // as in panel.css
const PICTURES_HEIGHT = 188; // with what is between it and them
const [FROM_NUMBERS, FROM_WORDS] = [34, 12]; // pixels between it and the numbers at its left, where ways have room; and captions
const [NEARER, FURTHER] = [26, 60]; // pixels by which they may come nearer, or withdraw
const ABOVE_NUMBERS = 10; // and above captions

export class Corner {
  constructor(explorer) {
    this.explorer = explorer;
    this.element = tag("div", { class: "hc-corner" });
  }

  // A hand moves a given: until it rests everything stays where it is.
  grasp() {
    this.isHeld = true;
  }

  settle() {
    this.isHeld = false;
    this.lay();
  }

  lay() {
    const { stage, openSheets, frame, element: root, mode, presentation } = this.explorer;
    if (this.isHeld || mode === "present" || presentation.isOpen || !stage.offsetWidth) return;
    const found = root.classList.contains("hc-compact") || openSheets.sheets.length !== 1 ? null : this.free(stage, frame.mostHeight);
    const place = this.steady(found);
    const written = JSON.stringify(place);
    if (written === this.written) return;
    [this.written, this.place] = [written, place];
    this.take(place);
  }

  // The same place as before, unless numbers come near: nothing moves with each number that grows.
  steady(place) {
    const { left = -Infinity, top, hasPictures } = this.place ?? {};
    const by = left - (place?.left ?? 0);
    return place && top === place.top && hasPictures === place.hasPictures && by >= -NEARER && by <= FURTHER ? { ...place, left } : place;
  }

  // {left, height, hasPictures}, in pixels of the stage, or null. Of all the sheet that scrolls away, what is said must
  // still be seen.
  free(stage, room) {
    const origin = stage.getBoundingClientRect();
    const top = this.explorer.openSheets.current.element.getBoundingClientRect().top - origin.top;
    const shown = this.explorer.openSheets.blocks.filter(({ table }) => !table.hidden);
    const boxes = shown.map(({ element }) => element.getBoundingClientRect());
    const words = shown.map((block) => block.words.getBoundingClientRect());
    const bottom = Math.max(...boxes.map((box) => box.bottom)) - origin.top;
    const hidden = Math.max(0, bottom - room);
    const lefts = [...boxes.map(({ right }) => right + FROM_NUMBERS), ...words.map(({ right }) => right + FROM_WORDS)].map((right) => right - origin.left).filter((left) => left <= origin.width - LEAST_WIDTH);
    const places = lefts.map((left) => {
      const tops = [...boxes, ...words].filter(({ right }) => right - origin.left > left).map(({ top }) => top - origin.top - ABOVE_NUMBERS);
      const height = Math.min(Math.max(bottom, room), ...tops) - top;
      return { left: Math.round(left), height: Math.round(height), seen: Math.round(height - hidden) };
    }).filter(({ seen }) => seen >= PANEL_HEIGHT);
    const withPictures = places.filter(({ height }) => height >= PANEL_HEIGHT + PICTURES_HEIGHT);
    const alone = places.filter(({ seen }) => seen >= PANEL_HEIGHT + (hidden ? PICTURES_HEIGHT : 0)); // they stand below the sheet
    const [best] = [...(withPictures.length ? withPictures : alone)].sort((one, other) => one.left - other.left);
    return best ? { top, ...best, hasPictures: withPictures.length > 0 } : null;
  }

  take(place) {
    const { element: root, stage, panel, body, toolbar, frame } = this.explorer;
    root.classList.toggle("hc-cornered", Boolean(place));
    if (place) {
      Object.assign(this.element.style, { top: `${place.top}px`, left: `${place.left}px`, height: `${place.height}px` });
      this.element.style.setProperty("--hc-seen", `${place.seen}px`);
      stage.style.minHeight = `${PANEL_HEIGHT + (place.hasPictures ? PICTURES_HEIGHT : 0)}px`;
      if (!this.element.isConnected) stage.append(this.element);
    } else {
      stage.style.minHeight = "";
      this.element.remove();
    }
    put(panel.element, place ? this.element : null, body);
    put(toolbar.aside, place?.hasPictures ? this.element : stage);
    frame.fit();
  }
}

// Put an element at the end of its new home, or after another element, unless it is there already.
function put(element, home, after) {
  if (element.parentElement === (home ?? after.parentElement)) return;
  if (home) home.append(element);
  else after.after(element);
}
