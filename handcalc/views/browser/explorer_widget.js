// The widget of an explorer, and of the atlas of a large calculation, in a notebook: anywidget calls `render`.

import { Atlas } from "./atlas/atlas.js";
import { Explorer } from "./explorer/explorer.js";
import { listen, tag } from "./page/dom.js";
import { Training } from "./training/training.js";

const SETTINGS = ["convention", "arithmetic", "places"];

export default {
  render({ model, el }) {
    const root = tag("div");
    el.append(root);
    return model.get("mode") === "atlas" ? atlas(model, root) : explore(model, root);
  },
};

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
      watch: model.get("watch"),
      givens: model.get("givens"),
      whatIf: model.get("what_if"),
      onGivens: (givens, whatIf) => send(["givens", givens], ["what_if", whatIf]),
      onSetting: (name, value) => send([name, value]),
      onOpen: (place) => send(["at", place]),
    });
  };
  const take = () => isOwn || explorer.edits.set({ givens: model.get("givens"), whatIf: model.get("what_if") });
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

// A block is requested when a reader opens it; the first one comes with the map.
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
