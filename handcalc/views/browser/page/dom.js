// Making elements: every control of the explorer is made here, so that all behave alike.

// JupyterLab's command mode takes keys from what has the focus, unless it has this mark itself.
export const KEEPS_KEYS = { "data-lm-suppress-shortcuts": "true" };

const isThere = (thing) => thing !== null && thing !== undefined;

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) if (isThere(value)) node.setAttribute(key, value);
  node.append(...children.filter(isThere));
  return node;
}

export const tag = (name, attributes = {}, ...children) => filled(document.createElement(name), attributes, children);

export const svgTag = (name, attributes = {}, ...children) => filled(document.createElementNS("http://www.w3.org/2000/svg", name), attributes, children);

const ICONS = {
  first: "M3 3v10M13 3 6 8l7 5z",
  back: "M11 3 4 8l7 5z",
  watch: "M1 8s2.6-4.6 7-4.6S15 8 15 8s-2.6 4.6-7 4.6S1 8 1 8zM8 6.4a1.6 1.6 0 1 0 0 3.2 1.6 1.6 0 1 0 0-3.2z",
  play: "M4 2.5 13 8l-9 5.5z",
  pause: "M5 3v10M11 3v10",
  next: "M5 3l7 5-7 5z",
  all: "M13 3v10M3 3l7 5-7 5z",
  close: "M3 3l10 10M13 3 3 13",
  left: "M10 3 5 8l5 5",
  right: "M6 3l5 5-5 5",
  up: "M3 10l5-5 5 5",
  down: "M3 6l5 5 5-5",
};

const icon = (name) => svgTag("svg", { viewBox: "0 0 16 16", "aria-hidden": "true" }, svgTag("path", { d: ICONS[name] }));

// A button with a text, or with an icon and a text for screen readers; `shown` is a word beside the icon.
export function button(words, onClick, { symbol = null, shown = null, ...attributes } = {}) {
  const label = symbol ? { "aria-label": words, title: words, class: "hc-icon" } : {};
  const node = tag("button", { type: "button", ...KEEPS_KEYS, ...label, ...attributes }, symbol ? icon(symbol) : words, shown);
  node.addEventListener("click", () => node.getAttribute("aria-disabled") === "true" || onClick());
  return node;
}

// A button with nothing left to do keeps the focus, which `disabled` would take from it.
export const allow = (node, isAllowed) => node.setAttribute("aria-disabled", String(!isAllowed));

export function redraw(node, words, symbol, shown = "") {
  node.replaceChildren(icon(symbol), shown);
  node.setAttribute("aria-label", words);
  node.title = words;
}

// A toggle button; `onChange` gets whether it is pressed.
export function toggle(words, onChange, title = null) {
  const node = button(words, () => onChange(node.getAttribute("aria-pressed") !== "true"), { "aria-pressed": "false", title });
  return node;
}

export const press = (node, isDown) => node.setAttribute("aria-pressed", String(isDown));

// A choice of a few: a native list, which keyboard, touch and screen readers handle already.
export function choice(words, options, onChange) {
  const list = tag("select", KEEPS_KEYS, ...options.map(([value, text]) => tag("option", { value }, text)));
  list.addEventListener("change", () => onChange(list.value));
  return tag("label", { class: "hc-choice" }, tag("span", {}, words), list);
}

export function check(words, onChange, isOn = false) {
  const box = tag("input", { type: "checkbox", ...KEEPS_KEYS });
  box.checked = isOn;
  box.addEventListener("change", () => onChange(box.checked));
  return tag("label", { class: "hc-check" }, box, words);
}

// A key or a press is ours: neither the page nor a notebook around it does anything with it.
export function claim(event) {
  event.preventDefault();
  event.stopPropagation();
}

// A letter that is pressed alone, while nothing is typed.
export function onLetter(element, letter, act) {
  element.addEventListener("keydown", (event) => {
    if (event.key.toLowerCase() !== letter || event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.target.closest("input:not([type=range]), select, textarea")) return;
    claim(event);
    act();
  });
}

// What a browser has kept; it may keep nothing.
export function kept(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

// Returns whether it is kept; null is no longer.
export function keep(key, text) {
  try {
    if (text === null) localStorage.removeItem(key);
    else localStorage.setItem(key, text);
    return true;
  } catch {
    return false;
  }
}

export function download(content, name) {
  const link = tag("a", { href: URL.createObjectURL(content), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
}

// A form is submitted by its button, or by Enter in a field that `isOurs`, which JupyterLab would take from it.
export function onSubmit(form, submit, isOurs) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    submit();
  });
  form.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || !isOurs(event.target)) return;
    claim(event);
    submit();
  });
}

const ENTITIES = { "&lt;": "<", "&gt;": ">", "&amp;": "&" };

// HTML typeset by Python, as nodes: text, <sub>, <sup> and <code>; anything else in it stays text.
export function typesetNodes(html) {
  const open = [document.createDocumentFragment()];
  for (const piece of html.split(/(<\/?(?:su[bp]|code)>)/)) {
    if (/^<(?:su|co)/.test(piece)) open.push(tag(piece.slice(1, -1)));
    else if (/^<\/(?:su|co)/.test(piece) && open.length > 1) open.at(-2).append(open.pop());
    else open.at(-1).append(piece.replace(/&(?:lt|gt|amp);/g, (sign) => ENTITIES[sign]));
  }
  return open[0];
}

// S[2,4] with its name typeset.
export const cellNodes = ([matrix, row, column]) => typesetNodes(matrix.cellHtml(row, column));

// The meaning of a matrix, as words or as nodes with typeset names; null where it has none.
export const meaningNodes = ({ entry: { meaning, typeset } }) =>
  typeset?.meaning ? typesetNodes(typeset.meaning) : meaning || null;

// The text of a node, for those who listen: W Q, e to the power 2; a line is a sentence.
export function wordsOf(node) {
  if (node.nodeType === Node.TEXT_NODE) return node.data;
  if (node.nodeType === Node.ELEMENT_NODE && (node.hidden || node.ariaHidden === "true")) return "";
  const words = [...node.childNodes].map(wordsOf).join("");
  if (node.localName === "sub") return ` ${words}`;
  if (node.localName === "sup") return ` to the power ${words}`;
  return node.localName === "p" && words.trim() ? `${words.trim().replace(/[^.!?]$/, "$&.")} ` : words;
}

// The same of what a matrix means.
export const meaningInWords = ({ entry: { meaning, typeset } }) =>
  typeset?.meaning ? typesetNodes(typeset.meaning.replaceAll("<sub>", " ")).textContent : meaning;

// W_Q as W with Q below it; of an unnamed matrix its formula.
export function nameTag({ typeset }) {
  return tag("b", { class: "hc-name" }, typesetNodes(typeset.name || typeset.formula));
}

// S = KᵀQ, whole; of a given its name, of an unnamed matrix its formula.
export function equationNodes({ typeset: { name, formula } }) {
  return typesetNodes([name, formula].filter(Boolean).join(" = "));
}

// Listen to a model, and stop when the view is gone.
export function listen(model, listeners) {
  for (const [event, listener] of Object.entries(listeners)) model.on(event, listener);
  return () => {
    for (const [event, listener] of Object.entries(listeners)) model.off(event, listener);
  };
}
