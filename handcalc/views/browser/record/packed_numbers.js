// The numbers of a given as a file has them: rows, or for many numbers their bytes, little-endian, as base64.

// Every browser's machine is little-endian, too.
const TYPES = { float64: Float64Array, float32: Float32Array, int16: Int16Array, int8: Int8Array };

export function decoded(written) {
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
