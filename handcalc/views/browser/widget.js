import { Explorer } from "./explorer.js";
import { Practice } from "./practice.js";
import { tag } from "./dom.js";

const SETTINGS = ["convention", "arithmetic", "places"];
const TOLD = ["texts", "states", "messages", "notice", "score", "hint", "finished", "back"];
const GIVEN = ["spec", "blank", "places", "code", "file"];

// anywidget's entry.
export default {
  render({ model, el }) {
    const root = tag("div");
    el.append(root);
    return model.get("mode") === "practise" ? practise(model, root) : explore(model, root);
  },
};

// Listen to a model, and stop when the view is gone.
function listen(model, listeners) {
  for (const [event, hear] of Object.entries(listeners)) model.on(event, hear);
  return () => {
    for (const [event, hear] of Object.entries(listeners)) model.off(event, hear);
  };
}

// The model carries the variants of the sheet to the page, and givens and switches both ways.
function explore(model, root) {
  let explorer = null;
  let own = false; // a change that this page made is no news to it
  const say = (name, value) => {
    own = true;
    model.set(name, value);
    model.save_changes();
    own = false;
  };
  const draw = () => {
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, model.get(name)]));
    explorer = new Explorer(root, model.get("variants"), {
      ...settings,
      mode: model.get("mode"),
      givens: model.get("givens"),
      onGivens: (givens) => say("givens", givens),
      onSetting: say,
    });
  };
  const listeners = { "change:variants": draw, "change:givens": () => own || explorer.setGivens(model.get("givens")) };
  for (const name of SETTINGS) {
    listeners[`change:${name}`] = () => own || explorer.set(name, model.get(name), false);
  }
  draw();
  return listen(model, listeners);
}

// Every number that is typed goes to Python at once, which writes it down and marks it.
function practise(model, root) {
  const state = () => Object.fromEntries([...GIVEN, ...TOLD].map((name) => [name, model.get(name)]));
  const practice = new Practice(root, state(), {
    onText: (step, row, column, text) => model.send({ typed: [step, row, column, text] }),
    onAsk: (what, step) => model.send({ ask: what, step }),
  });
  const tell = () => practice.update(Object.fromEntries(TOLD.map((name) => [name, model.get(name)])));
  const listeners = { "change:code": () => practice.open(state()) };
  for (const name of TOLD) listeners[`change:${name}`] = tell;
  return listen(model, listeners);
}
