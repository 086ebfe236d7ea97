import { Atlas } from "./atlas/atlas.js";
import { Explorer } from "./explorer/explorer.js";
import { Guessing } from "./lessons/guess.js";
import { Practice } from "./practice/practice.js";
import { tag } from "./page/dom.js";
import { Training } from "./training/training.js";

const SETTINGS = ["convention", "arithmetic", "places"];
const STATE = ["texts", "states", "messages", "notice", "score", "hint", "hints", "spent", "finished", "back"];
const ASKED = ["question", "kind", "options", "answer", "told", "because", "places", "kept", "notice"];
const MODES = { practise, guess, atlas };
const GIVEN = ["spec", "blank", "places", "sizes", "code", "file"];

// anywidget's entry.
export default {
  render({ model, el }) {
    const root = tag("div");
    el.append(root);
    return (MODES[model.get("mode")] ?? explore)(model, root);
  },
};

// Listen to a model, and stop when the view is gone.
function listen(model, listeners) {
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
  };
}

// The model carries the variants of the sheet to the page, and givens and switches both ways.
function explore(model, root) {
  let explorer = null;
  let isOwn = false; // whether a change was made by this page
  const send = (...values) => {
    isOwn = true;
    for (const [name, value] of values) model.set(name, value);
    model.save_changes();
    isOwn = false;
  };
  const open = (variants, options) =>
    options.training ? new Training(root, variants, options).explorer : new Explorer(root, variants, options);
  const draw = () => {
    explorer?.stepper.pause();
    const drawn = tag("div"); // none that another explorer listens to
    root.replaceWith(drawn);
    root = drawn;
    const settings = Object.fromEntries(SETTINGS.map((name) => [name, model.get(name)]));
    const training = model.get("training"); // of a training alone
    explorer = open(model.get("variants"), {
      ...settings,
      training,
      mode: model.get("mode"),
      open: model.get("at"),
      givens: model.get("givens"),
      whatIf: model.get("what_if"),
      onGivens: (givens, whatIf) => send(["givens", givens], ["what_if", whatIf]),
      onSetting: (name, value) => send([name, value]),
      onOpen: (place) => send(["at", place]),
    });
  };
  const take = () => isOwn || explorer.setGivens(model.get("givens"), model.get("what_if"));
  const listeners = {
    "change:variants": draw,
    "change:givens": take,
    "change:what_if": take,
    "change:at": () => isOwn || explorer.navigation.follow(model.get("at")),
  };
  for (const name of SETTINGS) {
    listeners[`change:${name}`] = () => isOwn || explorer.set(name, model.get(name), false);
  }
  draw();
  const leave = listen(model, listeners);
  return () => {
    leave();
    explorer.stepper.pause();
  };
}

// A block is asked for when somebody opens it; the first one has come with the map.
function atlas(model, root) {
  const waiting = new Map(Object.entries(model.get("first")).map(([path, block]) => [path, { block }]));
  const fetch = (path) =>
    new Promise((resolve) => {
      const { block } = waiting.get(path) ?? {};
      waiting.delete(path);
      if (block) return resolve(block);
      waiting.set(path, { resolve });
      model.send({ open: path });
    });
  const take = (message) => {
    const { path, block, map, drawn } = message;
    if (map) shown.learn(map, drawn);
    if ("followed" in message) shown.followed(message);
    waiting.get(path)?.resolve?.(block);
    waiting.delete(path);
  };
  const settings = Object.fromEntries(SETTINGS.map((name) => [name, model.get(name)]));
  const send = (name, value) => {
    model.set(name, value);
    model.save_changes();
  };
  const shown = new Atlas(root, model.get("book"), {
    ...settings,
    fetch,
    onMove: (moved, convention, at) => model.send({ moved, convention, at }),
    askMap: (convention) => model.send({ map: convention }),
    open: model.get("at"),
    note: model.get("note"),
    onOpen: (place) => send("at", place),
    onSetting: send,
  });
  const stop = listen(model, { "msg:custom": take, "change:at": () => shown.follow(model.get("at")) });
  return () => {
    stop();
    shown.close();
  };
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

// A guess goes to Python, which keeps it. What the answer shows is another widget, or HTML; until then it is not there.
function guess(model, root) {
  const state = Object.fromEntries(ASKED.map((name) => [name, model.get(name)]));
  const guessing = new Guessing(root, state, { onGuess: (kept) => model.send(kept), show: (element) => showAnswer(model, element) });
  const stop = listen(model, { "change:heard": () => guessing.update({ kept: model.get("kept"), notice: model.get("notice") }) });
  return () => {
    stop();
    guessing.clear();
  };
}

function showAnswer(model, element) {
  element.innerHTML = model.get("shown");
  const child = model.get("child");
  if (!child) return null;
  const manager = model.widget_manager;
  const drawn = manager.get_model(child.slice("IPY_MODEL_".length)).then((found) => manager.create_view(found));
  drawn.then((view) => {
    element.append(view.el);
    view.trigger("displayed"); // as if it were in a cell of its own
  });
  return () => drawn.then((view) => view.remove());
}
