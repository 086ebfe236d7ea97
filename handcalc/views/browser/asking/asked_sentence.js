// A sentence: its words side by side, the one that asks filled, and arcs as wide as what it gives to each.

import { Options } from "./fields.js";
import { svgTag, tag, typesetNodes } from "../page/dom.js";
import { show } from "../record/numbers.js";

const [THIN, THICK] = [0.8, 13]; // pixels of an arc, of the smallest share and of a whole
const LEAST = 0.005; // a share that is worth an arc
const [LOW, HIGH] = [14, 46]; // pixels that an arc rises, to the next word and to the last one
const PLACES = 2;

export class Sentence {
  // `own` is the place of the word that asks, if one does; `wordTag(place)` may make a word's element.
  constructor({ words, own = null }, wordTag = () => null) {
    this.own = own;
    this.arcs = svgTag("svg", { class: "hc-arcs", "aria-hidden": "true" });
    this.words = words.map((word, k) => wordTag(k) ?? tag("span", { class: "hc-word" }, word));
    this.words[own]?.classList.add("hc-own");
    this.element = tag("div", { class: "hc-sentence", "data-drawn": "sentence" }, this.arcs, tag("div", { class: "hc-sentence-words" }, ...this.words));
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.element);
  }

  // Show the share of each word, null for a word that the calculation leaves out; an empty list hides the arcs.
  tell(shares) {
    this.shares = shares;
    this.element.classList.toggle("hc-with-arcs", shares.length > 0);
    this.words.forEach((word, k) => {
      const share = shares[k] ?? null;
      word.style.setProperty("--hc-share", share ?? 0);
      if (share === null) word.removeAttribute("data-share");
      else word.setAttribute("data-share", show(share, PLACES));
    });
    this.draw();
  }

  // The arcs follow the words, wherever lines break; each keeps its element, so that its width moves.
  draw() {
    const shown = (this.shares ?? []).map((share, k) => [share, k]).filter(([share, k]) => share !== null && k !== this.own);
    const around = this.element.getBoundingClientRect();
    const topOf = (k) => {
      const box = this.words[k].getBoundingClientRect();
      return [box.left + box.width / 2 - around.left, box.top - around.top];
    };
    while (this.arcs.childNodes.length > shown.length) this.arcs.lastChild.remove();
    if (!shown.length || !around.width) return;
    const [x, y] = topOf(this.own);
    const farthest = Math.max(1, ...shown.map(([, k]) => Math.abs(k - this.own)));
    shown.forEach(([share, k], place) => {
      const [toX, toY] = topOf(k);
      const rise = LOW + ((HIGH - LOW) * Math.abs(k - this.own)) / farthest;
      const top = Math.min(y, toY) - 1.33 * rise;
      const arc = this.arcs.childNodes[place] ?? this.arcs.appendChild(svgTag("path", { fill: "none" }));
      arc.setAttribute("d", `M${x} ${y}C${x} ${top} ${toX} ${top} ${toX} ${toY}`);
      arc.style.strokeWidth = `${share < LEAST ? 0 : THIN + (THICK - THIN) * share}px`;
    });
  }

  dispose() {
    this.observer.disconnect();
  }
}

// A question whose answer is a word: tap it where it stands. Options that are no words follow the sentence.
export class SentenceQuestion {
  // `drawn` is what views/asking/asked_sentence.py hands over: {words, own, at, shares}, where `at` has each option's place.
  constructor(drawn, state) {
    this.drawn = drawn;
    const { at } = drawn;
    const isWord = (k) => at[k] !== null;
    this.options = at.some((place) => place !== null) ? new Options(state, (field, html, k) => (isWord(k) ? chip(field, html) : other(field, html))) : new Options(state);
    const places = new Map(at.map((place, k) => [place, this.options.lines[k]]).filter(([place]) => place !== null));
    this.sentence = new Sentence(drawn, (place) => places.get(place) ?? null);
    this.element = this.sentence.element;
    const rest = this.options.lines.filter((_, k) => !isWord(k));
    if (places.size) this.options.element.replaceChildren(this.element, ...rest);
  }

  ask() {
    this.sentence.tell([]);
  }

  reveal() {
    this.sentence.tell(this.drawn.shares);
  }
}

const chip = (field, html) => tag("label", { class: "hc-word hc-choice-word" }, field, tag("span", {}, typesetNodes(html)));

const other = (field, html) => tag("label", {}, field, tag("span", {}, typesetNodes(html)));
