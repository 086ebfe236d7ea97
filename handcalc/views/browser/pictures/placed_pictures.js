// Pictures beside the numbers: in the free upper right of a sheet, or below it.

import { SharePicture } from "./share_picture.js";
import { SoftmaxLines } from "./softmax_lines.js";

export class PlacedPictures {
  constructor(explorer) {
    this.explorer = explorer;
    this.pictures = [new SharePicture(explorer), new SoftmaxLines(explorer)];
    explorer.toolbar.aside.append(...this.pictures.map(({ element }) => element));
  }

  // Whether a sheet is on the page: while slides are shown there is none, and no picture beside it.
  get isOnPage() {
    const { current, element } = this.explorer.openSheets;
    return Boolean(current) && element.contains(current.element);
  }

  refresh() {
    this.isShown = this.isOnPage;
    for (const picture of this.pictures) picture.refresh(this.isShown);
  }

  follow(dirty) {
    for (const picture of this.pictures) picture.follow(dirty);
  }

  settle() {
    for (const picture of this.pictures) picture.settle?.();
  }

  lay() {
    if (this.isOnPage && !this.isShown) this.refresh();
  }
}
