// Pictures beside the numbers: where a sheet leaves room, or below it where there is none.

import { SharePicture } from "./share_picture.js";
import { SoftmaxLines } from "./softmax_lines.js";

const [BETWEEN_PICTURES, ABOVE_PICTURES] = [22, 12]; // pixels between pictures
const OVERHANG = 32; // pixels by which they may reach out below the sheet, which makes room for them
const FROM_NUMBERS = 38; // pixels: a line of arithmetic has room between them

export class PlacedPictures {
  constructor(explorer) {
    this.explorer = explorer;
    this.element = explorer.toolbar.aside;
    this.pictures = [new SharePicture(explorer), new SoftmaxLines(explorer)];
    this.element.append(...this.pictures.map(({ element }) => element));
    this.places = [];
  }

  // Whether a sheet is on the page: while slides are shown there is none, and no picture beside it.
  get isOnPage() {
    const { current, element } = this.explorer.openSheets;
    return Boolean(current) && element.contains(current.element);
  }

  refresh() {
    this.isShown = this.isOnPage;
    for (const picture of this.pictures) picture.refresh(this.isShown);
    this.put();
  }

  follow(dirty) {
    for (const picture of this.pictures) picture.follow(dirty);
  }

  settle() {
    for (const picture of this.pictures) picture.settle?.();
  }

  lay() {
    const { openSheets, stage } = this.explorer;
    if (!this.isOnPage) return;
    this.places = freePlaces(openSheets.current.element, stage, stage.querySelector(".hc-panel"));
    this.measure(openSheets.current.element, stage);
    if (this.isShown) this.put();
    else this.refresh();
  }

  measure(sheet, stage) {
    const [inner, outer] = [sheet, stage].map((node) => node.getBoundingClientRect());
    this.end = inner.bottom - outer.top;
    this.origin = { left: inner.left - outer.left, top: inner.top - outer.top, zoom: inner.width / sheet.offsetWidth || 1 };
  }

  // Release the pictures from their places: in the corner of the sheet they stand by themselves.
  release() {
    this.written = null;
    this.element.style.minHeight = "";
    for (const { element } of this.pictures) {
      element.classList.remove("hc-free");
      Object.assign(element.style, { left: "", top: "", width: "" });
    }
  }

  // The places that are taken, in the sheet's own pixels: ways and words keep clear of them.
  reserve(spots, sizes) {
    const { left, top, zoom } = this.origin ?? {};
    const taken = spots.flatMap((spot, k) => (spot ? [{ left: (spot.left - left) / zoom, top: (spot.top - top) / zoom, width: sizes[k].width / zoom, height: sizes[k].height / zoom }] : []));
    if (this.explorer.openSheets.current) this.explorer.openSheets.current.reserved = taken;
  }

  // All in the first place with room for them, else each in one of its own, else below the sheet.
  put() {
    if (this.element.closest(".hc-corner")) return this.release();
    const pictures = this.pictures.filter(({ size }) => size);
    const own = pictures.map(({ size }) => size);
    const narrow = own.map(({ least, ...size }) => ({ ...size, width: least ?? size.width }));
    const together = [own, narrow].map((tried) => [tried, placedTogether(tried, this.places)]).find(([, spots]) => spots);
    const [sizes, spots] = together ?? [own, placedApart(own, this.places)];
    this.reserve(spots, sizes);
    const written = JSON.stringify([spots, sizes]);
    if (written === this.written) return;
    this.written = written;
    this.element.style.minHeight = `${Math.ceil(reachBelow(spots, sizes, this.end))}px`;
    pictures.forEach(({ element }, k) => {
      element.classList.toggle("hc-free", Boolean(spots[k]));
      element.style.left = spots[k] ? `${Math.round(spots[k].left)}px` : "";
      element.style.top = spots[k] ? `${Math.round(spots[k].top)}px` : "";
      element.style.width = sizes[k].width < own[k].width ? `${sizes[k].width}px` : "";
    });
  }
}

// The distance that the lowest of them reaches below the sheet's end.
const reachBelow = (spots, sizes, end) => Math.max(0, ...spots.map((spot, k) => (spot ? spot.top + sizes[k].height - end : 0)));

const sumOf = (sizes, name, after) => sizes.reduce((all, size) => all + size[name] + after, 0);

const fits = (size, { width, height }) => size.width <= width && size.height <= height;

// Side by side, or one above the other: {left, top} of each; null where there is no room for all.
function placedTogether(sizes, places) {
  const [high, wide] = ["height", "width"].map((name) => Math.max(...sizes.map((size) => size[name])));
  const row = { width: sumOf(sizes, "width", BETWEEN_PICTURES) - BETWEEN_PICTURES, height: high };
  const column = { width: wide, height: sumOf(sizes, "height", ABOVE_PICTURES) - ABOVE_PICTURES };
  const place = places.find((free) => fits(row, free) || fits(column, free));
  if (!place) return null;
  return sizes.map((_, k) => {
    const before = sizes.slice(0, k);
    if (fits(row, place)) return { left: place.left + sumOf(before, "width", BETWEEN_PICTURES), top: place.top };
    return { left: place.left, top: place.top + sumOf(before, "height", ABOVE_PICTURES) };
  });
}

function placedApart(sizes, places) {
  const free = [...places];
  return sizes.map((size) => {
    const k = free.findIndex((place) => fits(size, place));
    return k < 0 ? null : free.splice(k, 1)[0];
  });
}

// The free places of a sheet, from its last line up: under its last matrices, then beside a whole line; below the panel,
// where that stands in the corner.
function freePlaces(sheet, stage, panel) {
  const origin = stage.getBoundingClientRect();
  const tracks = [...sheet.querySelectorAll(":scope > .hc-track")].map((track) => track.getBoundingClientRect());
  const lines = [];
  for (const track of tracks) {
    const line = lines.at(-1);
    if (line && track.top < line.bottom) Object.assign(line, { right: track.right, bottom: Math.max(line.bottom, track.bottom), last: track });
    else lines.push({ top: track.top, bottom: track.bottom, right: track.right, last: track });
  }
  const least = panel ? panel.getBoundingClientRect().bottom + ABOVE_PICTURES : 0;
  const place = (left, start, bottom) => {
    const top = Math.max(start, least);
    return { left: left - origin.left, top: top - origin.top, width: origin.right - left, height: bottom - top };
  };
  if (lines.length) lines.at(-1).bottom += OVERHANG;
  return lines.reverse().flatMap(({ top, bottom, right, last }) => [
    place(last.left, last.bottom + FROM_NUMBERS, bottom),
    place(right + BETWEEN_PICTURES, top, bottom),
  ]);
}
