// Less common controls behind one button: the menu lies over the sheet, and stays open while a reader tries them.

import { KEEPS_KEYS, button, claim, tag } from "../page/dom.js";

let menusMade = 0; // for the id that the button refers to, within one page

export class MoreMenu {
  // `parts` are lists of elements, each under its heading.
  constructor(parts) {
    const id = `handcalc-more-${(menusMade += 1)}`;
    this.button = button("⋯", () => this.turn(this.popover.hidden), { "aria-label": "More", title: "More: what if, find, settings, save", "aria-expanded": "false", "aria-controls": id });
    const sections = Object.entries(parts).map(([heading, elements]) => tag("section", { "aria-label": heading }, tag("h4", {}, heading), ...elements));
    this.popover = tag("div", { id, class: "hc-menu", role: "group", "aria-label": "More", hidden: "", tabindex: "-1", ...KEEPS_KEYS }, ...sections);
    this.element = tag("div", { class: "hc-more-box" }, this.button, this.popover);
    this.element.addEventListener("keydown", (event) => this.onKey(event));
    this.element.addEventListener("focusout", ({ relatedTarget }) => relatedTarget && this.closeOutside(relatedTarget));
    this.onPress = ({ target }) => this.closeOutside(target);
  }

  turn(isOpen) {
    this.popover.hidden = !isOpen;
    this.button.setAttribute("aria-expanded", String(isOpen));
    document[isOpen ? "addEventListener" : "removeEventListener"]("pointerdown", this.onPress, true);
  }

  closeOutside(target) {
    if (!this.element.contains(target)) this.turn(false);
  }

  onKey(event) {
    if (event.key !== "Escape" || this.popover.hidden) return;
    claim(event);
    this.turn(false);
    this.button.focus();
  }
}
