// A question about pictures: they stand above it, as Python has drawn them.

import { tag } from "../page/dom.js";

export class Pictures {
  constructor({ html }) {
    this.element = tag("div", { class: "hc-drawn-pictures", "data-drawn": "pictures" });
    this.element.innerHTML = html;
    for (const cell of this.element.querySelectorAll("td[tabindex]")) cell.removeAttribute("tabindex"); // Tab leads to the options
  }

  ask() {}

  reveal() {}
}
