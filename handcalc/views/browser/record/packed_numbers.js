// Unpacks data of a file: the numbers of a given, as rows or for many of them as their bytes, little-endian, in base64;
// and the calculation of a saved page.

// Every browser's machine is little-endian, too.
const TYPES = { float64: Float64Array, float32: Float32Array, int16: Int16Array, int8: Int8Array };

export function unpackNumbers(written) {
  if (Array.isArray(written)) return Float64Array.from(written.flat());
  const stored = new TYPES[written.type](bytes(written.base64).buffer);
  return written.type === "float64" ? stored : Float64Array.from(stored);
}

function bytes(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const found = new Uint8Array(text.length); // filled in a loop: Uint8Array.from takes twenty times as long
  for (let k = 0; k < text.length; k += 1) found[k] = text.charCodeAt(k);
  return found;
}

// The data of a saved page: JSON, or if it is long, a string of base64 that is inflated first.
export async function unpackPage(text) {
  const data = JSON.parse(text);
  return typeof data === "string" ? JSON.parse(await inflated(data)) : data;
}

export function inflated(base64) {
  return new Response(new Response(bytes(base64)).body.pipeThrough(new DecompressionStream("deflate"))).text();
}
