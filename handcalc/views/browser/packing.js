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
  if (data === null || typeof data !== "object") return data;
  if (Array.isArray(data) || data.fields) return rowsOf(data).map(oneByOne);
  return Object.fromEntries(Object.entries(data).map(([name, value]) => [name, oneByOne(value)]));
}

function rowsOf(data) {
  if (Array.isArray(data)) return data;
  const rows = Array.from({ length: data.count }, () => ({}));
  for (const [name, values] of Object.entries(data.fields)) {
    const lacking = new Set(data.lacking[name]);
    rowsOf(values).forEach((value, k) => lacking.has(k) || (rows[k][name] = value));
  }
  return rows;
}
