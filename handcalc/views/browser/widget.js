import { Explorer } from "./explorer.js";
import { tag } from "./tags.js";

const SETTINGS = ["convention", "arithmetic", "places"];

// anywidget's entry: the model carries the forms of the sheet to the page, and givens and switches
// both ways.
export default {
  render({ model, el }) {
    const root = tag("div");
    el.append(root);
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
      explorer = new Explorer(root, model.get("forms"), {
        ...settings,
        mode: model.get("mode"),
        givens: model.get("givens"),
        onGivens: (givens) => say("givens", givens),
        onSetting: say,
      });
    };
    const listeners = { "change:forms": draw, "change:givens": () => own || explorer.setGivens(model.get("givens")) };
    for (const name of SETTINGS) {
      listeners[`change:${name}`] = () => own || explorer.set(name, model.get(name), false);
    }
    draw();
    for (const [event, hear] of Object.entries(listeners)) model.on(event, hear);
    return () => {
      for (const [event, hear] of Object.entries(listeners)) model.off(event, hear);
    };
  },
};
