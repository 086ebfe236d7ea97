// A question about pictures: they stand above it, as Python has drawn them.

import { tag } from "../page/dom.js";

export class Pictures {
  constructor({ html }) {
    this.element = tag("div", { class: "hc-drawn-pictures", "data-drawn": "pictures" });
    this.element.innerHTML = html;
  }

  ask() {}

  reveal() {}
}
