// The widget of a sentence with a switch: anywidget calls `render`.

import { Sentence } from "./asking/asked_sentence.js";
import { button, press, tag } from "./page/dom.js";

export default {
  render({ model, el }) {
    const [words, own, endings] = ["words", "own", "endings"].map((name) => model.get(name));
    const sentence = new Sentence({ words, own });
    const last = sentence.words.at(-1);
    const switches = endings.map(([word, shares]) => button(word, () => choose(word, shares)));
    const said = tag("span", { class: "hc-quiet", role: "status" }, model.get("note"));
    el.append(tag("div", { class: "handcalc-guess hc-endings" }, sentence.element, tag("p", {}, model.get("before"), " ", tag("span", { class: "hc-switch", role: "group" }, ...switches), " ", said)));
    function choose(word, shares) {
      last.textContent = word;
      endings.forEach(([other], k) => press(switches[k], other === word));
      sentence.tell(shares);
    }
    choose(...endings[0]);
    return () => sentence.dispose();
  },
};
