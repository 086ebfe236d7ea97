// Evaluates functions that Python sends, one a line, with the modules of the browser's rooms as first argument.

import { readdirSync } from "node:fs";
import { basename, dirname } from "node:path";
import { createInterface } from "node:readline";
import { pathToFileURL } from "node:url";

const [, , folder] = process.argv;
const modules = {};
const isInRoom = (name) => name.endsWith(".js") && ![".", "bundles"].includes(dirname(name)); // others begin a page
for (const file of readdirSync(folder, { recursive: true }).filter(isInRoom)) {
  modules[basename(file, ".js")] = await import(pathToFileURL(`${folder}/${file}`).href);
}

// JSON has no infinity, no NaN and (from JavaScript) no negative zero: { "$number": "-Infinity" }.
const revive = (_, value) => (value !== null && typeof value === "object" && "$number" in value ? Number(value.$number) : value);
const isSpecial = (value) => typeof value === "number" && (!Number.isFinite(value) || Object.is(value, -0));
const replace = (_, value) => {
  if (ArrayBuffer.isView(value)) return Array.from(value);
  return isSpecial(value) ? { $number: Object.is(value, -0) ? "-0" : String(value) } : value;
};

console.log = console.error; // standard output carries the answers
const compiled = new Map();
const compile = (text) => compiled.get(text) ?? compiled.set(text, (0, eval)(`(${text})`)).get(text);

for await (const line of createInterface({ input: process.stdin })) {
  const answer = {};
  try {
    const { code, argument } = JSON.parse(line, revive);
    answer.value = (await compile(code)(modules, argument)) ?? null;
  } catch (error) {
    answer.error = String(error?.stack ?? error);
  }
  process.stdout.write(`${JSON.stringify(answer, replace)}\n`);
}
