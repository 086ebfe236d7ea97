// What a saved page carries: JSON, or if it is long, a string of base64 that is inflated first.

import { bytes } from "./binary.js";

export async function unpacked(text) {
  const data = JSON.parse(text);
  if (typeof data !== "string") return data;
  const stream = new Blob([bytes(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const packed = await new Response(stream).json();
  return Array.isArray(packed) || packed.fields ? rowsOf(packed).map(whenAsked) : oneByOne(packed);
}

// Of the forms of a calculation, most pages show only the first.
function whenAsked(row) {
  if (row === null || typeof row !== "object" || Array.isArray(row) || row.fields) return oneByOne(row);
  const [found, known] = [{}, new Map()];
  for (const name of Object.keys(row)) {
    const get = () => known.get(name) ?? known.set(name, oneByOne(row[name])).get(name);
    Object.defineProperty(found, name, { enumerable: true, get });
  }
  return found;
}

// The same with lists of objects where {fields: {name: values}, lacking: {name: places}} stands; what can be
// kept is not copied. Rows come first, then what is in them: they were written from the inside out.
function oneByOne(data) {
  if (data === null || typeof data !== "object") return data;
  const found = data.fields ? rowsOf(data) : data;
  const places = Array.isArray(found) ? found.keys() : Object.keys(found);
  for (const at of places) if (typeof found[at] === "object") found[at] = oneByOne(found[at]);
  return found;
}

function rowsOf(data) {
  if (Array.isArray(data)) return data;
  const rows = Array.from({ length: data.count }, () => ({}));
  for (const name in data.fields) {
    const [values, absent] = [rowsOf(data.fields[name]), new Set(data.lacking[name])];
    for (let k = 0; k < data.count; k += 1) if (!absent.has(k)) rows[k][name] = values[k];
  }
  return rows;
}
