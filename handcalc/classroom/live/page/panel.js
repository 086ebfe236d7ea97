// What has been opened, beside the grid: one at a time; Esc closes it and goes back to where it was opened.

import { tag } from "../../../views/browser/page/dom.js";
import { button } from "./elements.js";

export class Panel {
  constructor() {
    this.element = tag("section", { class: "panel", "aria-label": "Opened", hidden: true, tabindex: -1 });
    this.from = null;
  }

  // `view` has a `title` (nodes), `label`, `key`, and writes itself: `show()` returns nodes, anew where the class changes.
  open(view, from) {
    this.from = from ?? this.from;
    this.view = view;
    this.element.hidden = false;
    this.element.setAttribute("aria-label", view.label());
    this.refresh();
    (this.element.querySelector("[autofocus]") ?? this.element).focus({ preventScroll: true });
    if (this.element.parentElement) this.element.parentElement.scrollTop = 0; // it stands first there
  }

  close() {
    if (this.element.hidden) return false;
    const hadFocus = this.element.contains(document.activeElement);
    this.element.hidden = true;
    this.view = null;
    this.element.replaceChildren();
    if (hadFocus) this.from?.focus({ preventScroll: true });
    return true;
  }

  refresh() {
    if (!this.view) return;
    const focused = this.element.contains(document.activeElement) && document.activeElement !== this.element ? document.activeElement.dataset.key : null;
    const closing = button("×", () => this.close(), { class: "close", "aria-label": "Close", "data-key": "close" });
    this.element.setAttribute("aria-label", this.view.label());
    this.element.replaceChildren(tag("div", { class: "head" }, tag("h2", {}, ...this.view.title()), closing), ...this.view.show());
    if (focused) (this.element.querySelector(`[data-key="${CSS.escape(focused)}"]`) ?? this.element).focus();
  }
}
