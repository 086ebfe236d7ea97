// An order is guessed by moving cards: each is dragged, or goes up or down by a button.

import { button, tag, typesetNodes } from "../page/dom.js";

export class Cards {
  constructor({ options }) {
    this.start = options;
    this.list = tag("ol", { class: "hc-cards", "aria-label": "Your guess: the first one on top" });
    this.element = tag("div", { "data-drawn": "cards" }, this.list);
    this.clear();
  }

  get fields() {
    return [...this.list.querySelectorAll("button")];
  }

  get text() {
    return [...this.list.children].map(({ dataset }) => dataset.text).join(", ");
  }

  card([text, html]) {
    const move = (card, by) => {
      const other = by < 0 ? card.previousElementSibling : card.nextElementSibling;
      if (!other) return;
      if (by < 0) other.before(card);
      else other.after(card);
      card.querySelectorAll("button")[by < 0 ? 0 : 1].focus();
    };
    const card = tag("li", { "data-text": text }, tag("span", {}, typesetNodes(html)));
    card.append(button(`${text} up`, () => move(card, -1), { symbol: "up" }), button(`${text} down`, () => move(card, 1), { symbol: "down" }));
    card.addEventListener("pointerdown", (event) => this.take(card, event));
    card.addEventListener("pointermove", ({ clientY }) => card.matches(".hc-taken") && this.carry(card, clientY));
    card.addEventListener("lostpointercapture", () => card.classList.remove("hc-taken"));
    return card;
  }

  take(card, { target, pointerId }) {
    if (target.closest("button") || this.fields[0].disabled) return;
    card.setPointerCapture(pointerId);
    card.classList.add("hc-taken");
  }

  // The others make room: a card that is moved itself would be let go.
  carry(card, y) {
    const isThere = (other) => other !== card && other.getBoundingClientRect().top <= y && y <= other.getBoundingClientRect().bottom;
    const other = [...this.list.children].find(isThere);
    if (!other) return;
    if (card.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING) card.before(other);
    else card.after(other);
  }

  focus() {
    this.fields[0].focus();
  }

  clear() {
    this.list.replaceChildren(...this.start.map((option) => this.card(option)));
  }

  // The cards stand in the order that was guessed.
  settle(guess) {
    const order = guess.split(", ");
    const cards = [...this.list.children].sort((one, other) => order.indexOf(one.dataset.text) - order.indexOf(other.dataset.text));
    if (guess) this.list.replaceChildren(...cards);
    for (const field of this.fields) field.disabled = true;
  }
}
