// The widget for practising in a notebook: anywidget calls `render`.

import { listen, tag } from "./page/dom.js";
import { unpackPage } from "./record/packed_numbers.js";
import { OwnPractice } from "./practice/own_practice.js";
import { Practice } from "./practice/practice.js";

const GIVEN = ["spec", "blank", "places", "sizes", "code", "file", "plan"];
const STATE = ["texts", "states", "messages", "notice", "done", "hint", "hints", "spent", "finished", "back"];

export default {
  render({ model, el }) {
    const root = tag("div");
    el.append(root);
    const problems = model.get("problems");
    return problems ? practiseHere(root, problems) : practise(model, root);
  },
};

// Practise without Python: the page has problems, and marks them itself.
function practiseHere(root, given) {
  unpackPage(JSON.stringify(given)).then((unpacked) => new OwnPractice(root, unpacked));
  return () => {};
}

// Every number that is typed goes to Python at once, which writes it down and marks it.
function practise(model, root) {
  const state = () => Object.fromEntries([...GIVEN, ...STATE].map((name) => [name, model.get(name)]));
  const practice = new Practice(root, state(), {
    onText: (step, row, column, text) => model.send({ typed: [step, row, column, text] }),
    onAsk: (what, step) => model.send({ ask: what, step }),
  });
  const update = () => practice.update(Object.fromEntries(STATE.map((name) => [name, model.get(name)])));
  const listeners = { "change:code": () => practice.open(state()) };
  for (const name of STATE) listeners[`change:${name}`] = update;
  return listen(model, listeners);
}
