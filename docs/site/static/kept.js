// The guesses that this browser keeps, by the question's name, and what was typed in practice, by the problem's code
// (practice/kept_problem.js); saved and opened as the file that a notebook has.
"use strict";

(() => {
  const KEY = "handcalc:guess:";
  const PRACTICE = "handcalc:practice:";
  const FILE = "handcalc-log.jsonl";
  const NOT_KEPT = "This browser keeps nothing, so this guess is not kept.";
  let storage = null; // a browser may refuse to keep anything
  try {
    storage = window.localStorage;
  } catch {}

  // The line of a question; where the question or its answer has changed since, it is asked anew.
  function recall(name, version) {
    const line = JSON.parse(storage?.getItem(KEY + name) ?? "{}");
    return !line.version || line.version === version ? line : {};
  }

  // Which version of a question this is, in a few letters.
  function versionOf({ question, options, told, because }) {
    const letters = [...JSON.stringify([question, options, told, because])];
    return letters.reduce((sum, letter) => (Math.imul(sum, 31) + letter.codePointAt(0)) >>> 0, 7).toString(36);
  }

  // Keep a line, {question, guess, verdict, at, version}; what went wrong, if it is not kept.
  function remember(line) {
    try {
      storage.setItem(KEY + line.question, JSON.stringify(line));
      return "";
    } catch {
      return NOT_KEPT;
    }
  }

  const namesBehind = (begin) => Object.keys(storage ?? {}).filter((key) => key.startsWith(begin)).map((key) => key.slice(begin.length));
  const names = () => namesBehind(KEY);
  const codes = () => namesBehind(PRACTICE);

  function save() {
    const practised = codes().flatMap((code) => JSON.parse(storage.getItem(PRACTICE + code)).map((line) => JSON.stringify(line)));
    const lines = [...names().map((name) => storage.getItem(KEY + name)), ...practised];
    const url = URL.createObjectURL(new Blob(lines.map((line) => `${line}\n`)));
    Object.assign(document.createElement("a"), { href: url, download: FILE }).click();
    setTimeout(() => URL.revokeObjectURL(url));
  }

  async function open(file) {
    const lines = (await file.text()).split("\n").map(readLine);
    for (const { question, guess, verdict, at, version } of lines) {
      if (typeof question === "string" && typeof guess === "string" && typeof verdict === "string") remember({ question, guess, verdict, at, version });
    }
    for (const [code, practised] of byCode(lines)) {
      if (typeof code === "string") join(code, practised);
    }
    location.reload();
  }

  // What this browser has of a problem stays, and what it has beyond the file stays the latest.
  function join(code, practised) {
    const mine = JSON.parse(storage.getItem(PRACTICE + code) ?? "[]");
    const known = new Set(practised.map((line) => JSON.stringify(line)));
    const isOlder = practised.length <= mine.length && practised.every((line, k) => JSON.stringify(line) === JSON.stringify(mine[k]));
    if (!isOlder) storage.setItem(PRACTICE + code, JSON.stringify([...practised, ...mine.filter((line) => !known.has(JSON.stringify(line)))]));
  }

  function byCode(lines) {
    const found = new Map();
    for (const line of lines) found.set(line.code, [...(found.get(line.code) ?? []), line]);
    return found;
  }

  function readLine(line) {
    try {
      return JSON.parse(line) ?? {};
    } catch {
      return {};
    }
  }

  function forget(some) {
    for (const key of some) storage.removeItem(key);
    location.reload();
  }

  // Below a lesson: its guesses and its practice, to start afresh; below the course: all of them, to save and to open as well.
  function offer(place) {
    const asked = new Set([...document.querySelectorAll("[data-question]")].map((live) => live.dataset.question));
    const isAll = "all" in place.dataset;
    const mine = names().filter((name) => isAll || asked.has(name));
    if (!isAll && !asked.size) return;
    const here = new Set([...document.querySelectorAll("[data-codes]")].flatMap((live) => live.dataset.codes.split(" ")));
    const practised = codes().filter((code) => isAll || here.has(code));
    const keys = [...mine.map((name) => KEY + name), ...practised.map((code) => PRACTICE + code)];
    const said = mine.length === 1 ? "1 guess is" : `${mine.length || "No"} guesses are`;
    place.append(`${said} kept in this browser${isAll ? "" : `, of ${asked.size} questions here`}. `);
    if (keys.length) place.append(button("Start afresh", () => forget(keys)));
    if (!isAll) return;
    const chosen = Object.assign(document.createElement("input"), { type: "file", accept: ".jsonl", hidden: true });
    chosen.addEventListener("change", () => open(chosen.files[0]));
    if (keys.length) place.append(button(`Save as ${FILE}`, save));
    place.append(button("Open a saved file", () => chosen.click()), chosen);
  }

  function button(words, act) {
    const made = Object.assign(document.createElement("button"), { type: "button", textContent: words });
    made.addEventListener("click", act);
    return made;
  }

  window.handcalc = { kept: { recall, remember, versionOf } };
  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".hc-kept").forEach(offer));
})();
