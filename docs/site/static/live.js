// Draws the widgets of a page without a kernel: a small host of the anywidget interface. A classic script, since modules
// do not load from file://.
"use strict";

(() => {
  const HERE = document.currentScript.src.replace(/[^/]*$/, "");
  const ELSEWHERE = "This block has not come. For all of it, install handcalc and run this lesson.";
  const ONLY_HERE = "On this page it changes the open block alone.";
  const whenIdle = window.requestIdleCallback ?? ((act) => setTimeout(act, 200)); // Safari has none
  const scripts = new Map();
  const handcalc = Object.assign(window.handcalc, { kinds: {}, arrived: {} }); // what scripts hand over

  function load(name) {
    const begin = (resolve, reject) => {
      const script = Object.assign(document.createElement("script"), { src: `${HERE}${name}.js`, onload: resolve, onerror: reject });
      document.head.append(script);
    };
    if (!scripts.has(name)) scripts.set(name, new Promise(begin));
    return scripts.get(name);
  }

  const arrive = (name) => load(`states/${name}`).then(() => handcalc.arrived[name]);

  // A variant is written as what it changes in the one before.
  function changed(base, change) {
    if ("is" in change) return change.is;
    const made = Array.isArray(base) ? [...base] : { ...base };
    for (const [key, inside] of Object.entries(change.in)) made[key] = changed(base[key], inside);
    for (const key of change.out ?? []) delete made[key];
    return made;
  }

  class Model {
    constructor({ kind, state }, manager) {
      state.variants?.forEach((variant, k, all) => k && (all[k] = changed(all[k - 1], variant)));
      Object.assign(this, { kind, state, widget_manager: manager, listeners: new Map() });
      if (kind === "guess_widget") state.kept = handcalc.kept.recall(state.name, handcalc.kept.versionOf(state));
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
    else if ("open" in message) openBlock(model, message.open);
    else if ("moved" in message) model.tell("msg:custom", { followed: false, trouble: ONLY_HERE });
  }

  function keepGuess(model, kept) {
    const line = { ...kept, question: model.get("name"), at: new Date().toISOString(), version: handcalc.kept.versionOf(model.state) };
    model.set("notice", handcalc.kept.remember(line));
    model.set("kept", kept);
    model.set("heard", model.get("heard") + 1);
  }

  // Blocks of a large model are files of their own.
  async function openBlock(model, path) {
    const file = model.get("blocks")?.[path];
    const block = file ? await arrive(file).catch(() => null) : null;
    model.tell("msg:custom", { path, block: block ?? { trouble: ELSEWHERE } });
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
        return { el, model, trigger() {}, remove: () => (leave(), el.remove()) };
      },
    };
    return manager.get_model(name).then(manager.create_view);
  }

  const statesOf = (place) => JSON.parse(place.parentElement.querySelector(".hc-states").textContent);

  async function drawNow(place, at) {
    const states = statesOf(place);
    if (at) states[place.dataset.model].state.at = at;
    const { el, model } = await open(states, place.dataset.model);
    place.replaceChildren(el);
    place.dataset.drawn = "";
    return model;
  }

  // Each place is drawn once; what is drawn can be opened at another number.
  const drawn = new Map();

  function drawPlace(place, at = "") {
    if (!drawn.has(place)) drawn.set(place, drawNow(place, at));
    else if (at) drawn.get(place).then((model) => model.set("at", at));
    return drawn.get(place);
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
    const places = [...document.querySelectorAll(".hc-live")];
    for (const place of places) watch.observe(place);
    drawRest(places);
  }

  // The others when there is nothing else to do, so that a link leads to its place and a page can be printed.
  function drawRest([place, ...others]) {
    if (place) whenIdle(() => drawPlace(place).then(() => drawRest(others)));
  }

  // Every example has a file of its own.
  async function openExample(button) {
    const gallery = button.closest(".hc-gallery");
    const { name } = button.dataset;
    const { el } = await open(await arrive(name), name);
    if (!gallery.previousElementSibling?.matches(".hc-opened")) gallery.before(Object.assign(document.createElement("div"), { className: "hc-opened" }));
    gallery.previousElementSibling.replaceChildren(el);
    for (const other of gallery.querySelectorAll("button[data-name]")) other.ariaPressed = String(other === button);
    gallery.previousElementSibling.scrollIntoView({ block: "start" });
    history.replaceState(null, "", `#${name}`);
  }

  // An address that ends with a number's, 05_heads.html#head_2.A[2,1], opens the first explorer that has it; one of
  // the gallery an example.
  function followAddress() {
    const address = readAddress();
    if (!address || document.getElementById(address)) return;
    const example = document.querySelector(`.hc-gallery button[data-name="${CSS.escape(address)}"]`);
    if (example) openExample(example);
    const name = address.replace(/\[.*/, "");
    const places = [...document.querySelectorAll(".hc-live")];
    const place = places.find((one) => "opens" in one.dataset && hasName(one, name));
    if (!place) return;
    const above = places.slice(0, places.indexOf(place)).map((one) => drawPlace(one)); // what grows there moves it
    Promise.all([...above, drawPlace(place, address)]).then(() => place.scrollIntoView({ block: "start" }));
  }

  function readAddress() {
    try {
      return decodeURIComponent(location.hash.slice(1));
    } catch {
      return ""; // a lone %
    }
  }

  function hasName(place, name) {
    const { book, variants } = statesOf(place)[place.dataset.model].state;
    const { matrices, blocks } = book ?? variants[0].spec;
    const known = [...matrices.map((matrix) => matrix.name), ...blocks.map((block) => block.path)];
    return known.some((one) => one && (one === name || one.endsWith(`.${name}`)));
  }

  // The address follows the number that is chosen in an explorer of the lesson.
  function writeAddress({ target }) {
    const chosen = target.closest(".hc-live[data-opens]")?.querySelector("[role=gridcell][aria-selected=true]");
    if (!chosen || chosen.closest(".hc-atlas")) return; // whose blocks call it by a short name
    const { step, row, column } = chosen.dataset;
    history.replaceState(null, "", `#${step}[${Number(row) + 1},${Number(column) + 1}]`);
  }

  // Widgets and pictures know a dark page by JupyterLab's own mark.
  function followTheme() {
    const [system, paper] = ["(prefers-color-scheme: dark)", "print"].map((query) => matchMedia(query));
    const follow = () => {
      const { theme } = document.body.dataset;
      const isDark = !paper.matches && (theme === "dark" || (theme !== "light" && system.matches));
      document.body.dataset.jpThemeLight = String(!isDark);
      document.documentElement.style.colorScheme = isDark ? "dark" : "light";
    };
    follow();
    for (const query of [system, paper]) query.addEventListener("change", follow);
    new MutationObserver(follow).observe(document.body, { attributeFilter: ["data-theme"] });
  }

  // What scrolls can be scrolled by keys.
  function reachCode() {
    for (const code of document.querySelectorAll("pre")) if (code.scrollWidth > code.clientWidth) code.tabIndex = 0;
  }

  // This script stands below all places.
  followTheme();
  drawPlaces();
  followAddress();
  whenIdle(reachCode);
  window.addEventListener("hashchange", followAddress);
  document.addEventListener("click", (event) => {
    const button = event.target.closest(".hc-gallery button[data-name]");
    if (button) openExample(button);
    else writeAddress(event);
  });
  document.addEventListener("keyup", writeAddress);
})();
