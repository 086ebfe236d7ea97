// What a saved page carries: JSON, or if it is long, a string of base64 that is inflated first.

import { bytes } from "./binary.js";

export async function unpacked(text) {
  const data = JSON.parse(text);
  if (typeof data !== "string") return data;
  const stream = new Blob([bytes(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return oneByOne(await new Response(stream).json());
}

// The same with lists of objects where {fields: {name: values}, lacking: {name: places}} stands.
function oneByOne(data) {
  if (Array.isArray(data)) return data.map(oneByOne);
  if (data === null || typeof data !== "object") return data;
  if (data.fields) return listOf(data);
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, oneByOne(value)]));
}

function listOf({ fields, lacking }) {
  const found = Object.values(fields)[0].map(() => ({}));
  for (const [name, values] of Object.entries(fields)) {
    const without = new Set(lacking[name]);
    values.forEach((value, k) => without.has(k) || (found[k][name] = oneByOne(value)));
  }
  return found;
}
