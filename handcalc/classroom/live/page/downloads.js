// A file of the class, fetched with the token, which stands in no address.

import { tag } from "./elements.js";

const KEPT = 10_000; // milliseconds that the browser may take to begin

// Returns what is the matter, in one sentence, or nothing.
export async function download(name, token) {
  const answer = await fetch(`api/class/${name}`, { headers: { Authorization: `token ${token}` } }).catch(() => null);
  if (!answer) return "The class cannot be reached; try again.";
  if (!answer.ok) return (await answer.json()).sentence;
  const address = URL.createObjectURL(await answer.blob());
  tag("a", { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT);
  return "";
}
