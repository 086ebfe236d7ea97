// The switches, behind one button: what is set once does not stand between a reader and the numbers.

import { button, tag } from "../page/dom.js";

let settingsMade = 0; // for the id that the button refers to, within one page

export class Settings {
  constructor(...switches) {
    const id = `handcalc-settings-${(settingsMade += 1)}`;
    this.button = button("Settings", () => this.turn(this.popover.hidden), { "aria-expanded": "false", "aria-controls": id });
    this.popover = tag("div", { id, class: "hc-settings", role: "group", "aria-label": "Settings", hidden: "" }, ...switches);
    this.element = tag("div", { class: "hc-settings-box" }, this.button, this.popover);
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
    event.preventDefault();
    event.stopPropagation();
    this.turn(false);
    this.button.focus();
  }
}
