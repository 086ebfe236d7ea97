// The widget of a question in a notebook: anywidget calls `render`.

import { Guessing } from "./asking/guess.js";
import { listen, tag } from "./page/dom.js";

const ASKED = ["question", "kind", "options", "answer", "told", "because", "places", "slips", "drawn", "kept", "notice"];

export default {
  render({ model, el, host }) {
    const root = tag("div", { class: "hc-guess-around" });
    el.append(root);
    return guess(model, root, host);
  },
};

// A guess goes to Python, which keeps it. What the answer shows is another widget, or HTML; until then it is not there.
function guess(model, root, host) {
  const state = Object.fromEntries(ASKED.map((name) => [name, model.get(name)]));
  const guessing = new Guessing(root, state, { onGuess: (kept) => model.send(kept), show: (element) => showAnswer(model, element, host) });
  const take = () => guessing.update({ kept: model.get("kept"), notice: model.get("notice") });
  const stop = listen(model, { "change:heard": take, "change:kept": take }); // in marimo numbers come before other values
  return () => {
    stop();
    guessing.clear();
  };
}

function showAnswer(model, element, host) {
  element.innerHTML = model.get("shown");
  const child = model.get("child")?.slice("IPY_MODEL_".length);
  if (!child) return null;
  return host?.getWidget ? showByHost(host, child, element) : showByManager(model.widget_manager, child, element);
}

// From anywidget 0.11 on.
function showByHost(host, child, element) {
  const showing = new AbortController();
  host.getWidget(`anywidget:${child}`).then((widget) => showing.signal.aborted || widget.render({ el: element, signal: showing.signal }));
  return () => showing.abort();
}

function showByManager(manager, child, element) {
  const drawn = manager.get_model(child).then((found) => manager.create_view(found));
  drawn.then((view) => {
    element.append(view.el);
    view.trigger("displayed"); // as if it were in a cell of its own
  });
  return () => drawn.then((view) => view.remove());
}
