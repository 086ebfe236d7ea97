// What a file has packed: the numbers of a given, as rows or for many of them as their bytes, little-endian, in base64;
// and the calculation of a saved page.

// Every browser's machine is little-endian, too.
const TYPES = { float64: Float64Array, float32: Float32Array, int16: Int16Array, int8: Int8Array };

export function unpackNumbers(written) {
  if (Array.isArray(written)) return Float64Array.from(written.flat());
  const stored = new TYPES[written.type](bytes(written.base64).buffer);
  return written.type === "float64" ? stored : Float64Array.from(stored);
}

export function bytes(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const found = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k += 1) found[k] = text.charCodeAt(k);
  return found;
}

// What a saved page carries: JSON, or if it is long, a string of base64 that is inflated first.
export async function unpackPage(text) {
  const data = JSON.parse(text);
  if (typeof data !== "string") return data;
  const stream = new Blob([bytes(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  const lines = await new Response(stream).text();
  const end = lines.indexOf("\n");
  return end < 0 ? unpackRows(JSON.parse(lines)) : forms(JSON.parse(lines.slice(0, end)), lines.slice(end + 1));
}

// Of the forms of a calculation, most pages show only the first: the others are read when somebody asks.
function forms([first, ...outlines], later) {
  let rows = null;
  const row = (k) => (rows ??= rowsOf(JSON.parse(later)))[k];
  return [unpackRows(first), ...outlines.map((outline, k) => whenAsked(outline, () => row(k)))];
}

function whenAsked(outline, row) {
  const known = new Map();
  for (const name of Object.keys(outline).filter((key) => outline[key] === null)) {
    const get = () => known.get(name) ?? known.set(name, unpackRows(row()[name])).get(name);
    Object.defineProperty(outline, name, { enumerable: true, get });
  }
  return outline;
}

// The same with lists of objects where {fields: {name: values}, lacking: {name: places}} stands; what can be
// kept is not copied. Rows come first, then what is in them: they were written from the inside out.
function unpackRows(data) {
  if (data === null || typeof data !== "object") return data;
  const found = data.fields ? rowsOf(data) : data;
  const places = Array.isArray(found) ? found.keys() : Object.keys(found);
  for (const at of places) if (typeof found[at] === "object") found[at] = unpackRows(found[at]);
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
