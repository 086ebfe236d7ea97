// The numbers of a given as a file has them: rows, or for many numbers their bytes, little-endian, as base64.

const READERS = {
  float64: [8, (view, at) => view.getFloat64(at, true)],
  float32: [4, (view, at) => view.getFloat32(at, true)],
  int16: [2, (view, at) => view.getInt16(at, true)],
  int8: [1, (view, at) => view.getInt8(at)],
};

export function decoded(written, count) {
  if (Array.isArray(written)) return Float64Array.from(written.flat());
  const [size, read] = READERS[written.type];
  const view = new DataView(bytes(written.base64).buffer);
  return Float64Array.from({ length: count }, (_, k) => read(view, k * size));
}

function bytes(base64) {
  if (Uint8Array.fromBase64) return Uint8Array.fromBase64(base64);
  const text = atob(base64);
  const found = new Uint8Array(text.length);
  for (let k = 0; k < text.length; k += 1) found[k] = text.charCodeAt(k);
  return found;
}

// The JSON in a page: as it is, or as a string of base64 that has to be inflated first.
export async function unpacked(text) {
  const data = JSON.parse(text);
  if (typeof data !== "string") return data;
  const stream = new Blob([bytes(data)]).stream().pipeThrough(new DecompressionStream("deflate"));
  return new Response(stream).json();
}
