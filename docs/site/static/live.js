// Draws the widgets of a page without a kernel: a small host of the anywidget interface. A classic script, since modules
// do not load from file://.
"use strict";

(() => {
  const HERE = document.currentScript.src.replace(/[^/]*$/, "");
  const ELSEWHERE = "This page has no more of it: for the rest, install handcalc and run this lesson.";
  const scripts = new Map();
  const arrived = new Map();
  const handcalc = { kinds: {}, arrived: (name, states) => arrived.set(name, states) }; // what the scripts hand over
  window.handcalc = handcalc;

  function load(name) {
    const begin = (resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: `${HERE}${name}.js`, onload: resolve, onerror: reject });
      document.head.append(script);
    };
    if (!scripts.has(name)) scripts.set(name, new Promise(begin));
    return scripts.get(name);
  }

  class Model {
    constructor({ kind, state }, manager) {
      Object.assign(this, { kind, state, widget_manager: manager, listeners: new Map() });
      if (kind === "guess_widget") state.kept = keptGuess(this);
    }

    get(name) {
      return this.state[name];
    }

    set(name, value) {
      this.state[name] = value;
      this.tell(`change:${name}`, value);
    }

    save_changes() {}

    on(event, listener) {
      this.listeners.set(event, [...(this.listeners.get(event) ?? []), listener]);
    }

    off(event, listener) {
      this.listeners.set(event, (this.listeners.get(event) ?? []).filter((other) => other !== listener));
    }

    tell(event, value) {
      for (const listener of this.listeners.get(event) ?? []) listener(value);
    }

    send(message) {
      setTimeout(() => answer(this, message)); // later, as a kernel would
    }
  }

  function answer(model, message) {
    if (model.kind === "guess_widget") keepGuess(model, message);
    else if (message.open) model.tell("msg:custom", { path: message.open, block: { trouble: ELSEWHERE } });
    else if (message.moved) model.tell("msg:custom", { followed: false, trouble: ELSEWHERE });
  }

  // A guess is kept as a line of handcalc-log.jsonl has it, and with its question's words: where these have changed since, it is asked anew.
  const keyOf = (model) => `handcalc:guess:${model.get("name")}`;

  function keepGuess(model, kept) {
    const isKept = remember(keyOf(model), JSON.stringify({ ...kept, question: model.get("name"), at: new Date().toISOString(), words: model.get("question") }));
    model.set("notice", isKept ? "" : "This browser keeps nothing, so this guess is not kept.");
    model.set("kept", kept);
    model.set("heard", model.get("heard") + 1);
  }

  function keptGuess(model) {
    const { words, guess, verdict } = JSON.parse(recall(keyOf(model)) ?? "{}");
    return words === model.get("question") ? { guess, verdict } : {};
  }

  // A browser may refuse to keep anything.
  function remember(key, text) {
    try {
      localStorage.setItem(key, text);
      return true;
    } catch {
      return false;
    }
  }

  function recall(key) {
    try {
      return localStorage.getItem(key);
    } catch {
      return null;
    }
  }

  async function draw(model, el) {
    await load(model.kind);
    return (await handcalc.kinds[model.kind].render({ model, el })) ?? (() => {});
  }

  function open(states, name) {
    const manager = {
      get_model: async (child) => new Model(states[child], manager),
      async create_view(model) {
        const el = document.createElement("div");
        const leave = await draw(model, el);
        return { el, trigger() {}, remove: () => (leave(), el.remove()) };
      },
    };
    return manager.get_model(name).then(manager.create_view);
  }

  async function drawPlace(place) {
    const states = JSON.parse(place.parentElement.querySelector(".hc-states").textContent);
    place.replaceChildren((await open(states, place.dataset.model)).el);
    place.dataset.drawn = "";
  }

  // Each is drawn shortly before it comes into sight.
  function drawPlaces() {
    const see = (entries) => {
      for (const { isIntersecting, target } of entries) {
        if (!isIntersecting) continue;
        watch.unobserve(target);
        drawPlace(target);
      }
    };
    const watch = new IntersectionObserver(see, { rootMargin: "1200px" });
    for (const place of document.querySelectorAll(".hc-live")) watch.observe(place);
  }

  // Every example has a file of its own.
  async function openExample(button) {
    const gallery = button.closest(".hc-gallery");
    const { name } = button.dataset;
    await load(`states/${name}`);
    const { el } = await open(arrived.get(name), name);
    if (!gallery.previousElementSibling?.matches(".hc-opened")) gallery.before(Object.assign(document.createElement("div"), { className: "hc-opened" }));
    gallery.previousElementSibling.replaceChildren(el);
    for (const other of gallery.querySelectorAll("button[data-name]")) other.ariaPressed = String(other === button);
    gallery.previousElementSibling.scrollIntoView({ block: "start" });
  }

  // Widgets and pictures know a dark page by JupyterLab's own mark.
  function followTheme() {
    const system = matchMedia("(prefers-color-scheme: dark)");
    const follow = () => {
      const { theme } = document.body.dataset;
      const isDark = theme === "dark" || (theme !== "light" && system.matches);
      document.body.dataset.jpThemeLight = String(!isDark);
      document.documentElement.style.colorScheme = isDark ? "dark" : "light";
    };
    follow();
    system.addEventListener("change", follow);
    new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
  }

  document.addEventListener("DOMContentLoaded", () => {
    followTheme();
    drawPlaces();
  });
  document.addEventListener("click", ({ target }) => {
    const button = target.closest(".hc-gallery button[data-name]");
    if (button) openExample(button);
  });
})();
