// Pointing with the mouse at a number: what it neither is nor reads is dimmed, and what it reads has its frames, until
// the mouse leaves. A veil over each track does that, which those numbers rise above; choosing stays the click.

import { frameCells } from "./frames.js";

const LEAVING = 60; // milliseconds: the way from one number to the next is not leaving

export class Pointing {
  constructor(explorer) {
    this.explorer = explorer;
    this.lit = [];
    const { stage, element } = explorer;
    stage.addEventListener("pointerover", (event) => this.onOver(event));
    stage.addEventListener("pointermove", ({ clientX, clientY }) => (this.at = `${clientX},${clientY}`));
    stage.addEventListener("pointerleave", () => this.leave());
    stage.addEventListener("pointerdown", () => this.end());
    stage.addEventListener("wheel", () => this.end(), { capture: true, passive: true }); // windows show other numbers
    element.addEventListener("keydown", () => this.end(), { capture: true });
  }

  // Point at the number under the mouse, unless only the page has moved, to show a chosen number's sources.
  onOver({ pointerType, buttons, target, clientX, clientY }) {
    const isMaking = this.explorer.element.classList.contains("hc-making"); // what moves is looked at, not the mouse
    if (pointerType !== "mouse" || buttons || isMaking || this.at === `${clientX},${clientY}`) return;
    clearTimeout(this.leaving);
    const record = target.closest?.("td[data-row]")?.handcalc;
    if (!record || this.explorer.openSheets.concealed.has(record.owner)) this.leave();
    else if (record !== this.record) this.point(record);
  }

  leave() {
    clearTimeout(this.leaving);
    if (this.record) this.leaving = setTimeout(() => this.end(), LEAVING);
  }

  // Another number is chosen: stop pointing at the number under the mouse; the frames are drawn already.
  refresh() {
    this.end(false);
  }

  point(record) {
    this.clear();
    this.record = record;
    const { highlight } = this.explorer;
    const cell = [record.owner, record.row, record.column];
    this.light(cell, "hc-peek");
    for (const [source, role] of highlight.roles(cell)) this.light(source, role.replace("source", "peek"));
    frameCells(this.lit);
    this.turn(true);
  }

  light(cell, part) {
    for (const element of this.explorer.openSheets.showing(...cell)) {
      this.lit.push([element, part, element.getAttribute("data-frame")]);
      element.classList.add("hc-lit", part);
      element.handcalc.block.element.classList.add("hc-near");
    }
  }

  clear(isFramed = true) {
    for (const [element, part, frame] of this.lit) {
      element.classList.remove("hc-lit", part);
      element.handcalc.block.element.classList.remove("hc-near");
      if (isFramed && frame === null) element.removeAttribute("data-frame");
      else if (isFramed) element.setAttribute("data-frame", frame);
    }
    this.lit = [];
  }

  end(isFramed = true) {
    clearTimeout(this.leaving);
    if (!this.record) return;
    this.clear(isFramed);
    this.record = null;
    this.turn(false);
  }

  turn(isOn) {
    const { openSheets, toolbar } = this.explorer;
    for (const element of [...openSheets.sheets.map((sheet) => sheet.element), toolbar.aside]) element.classList.toggle("hc-pointing", isOn);
  }
}
