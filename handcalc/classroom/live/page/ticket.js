// This browser's place in the class: a code from the address, and the ticket received on joining.

const LOOKALIKES = { B: "8", G: "6", S: "5", Z: "2", I: "1", L: "1" }; // as practice/exercise/codes.py reads them

export const tidyCode = (text) => text.toUpperCase().replace(/[\s–—_.]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 24);
const bareCode = (code) => tidyCode(code).replaceAll("-", "").replace(/[BGSZIL]/g, (sign) => LOOKALIKES[sign]);
export const isSameCode = (one, two) => bareCode(one) === bareCode(two);

// The code at the end of an address from a QR code: ADDRESS/#CODE.
export function readCode(hash) {
  try {
    return tidyCode(decodeURIComponent(hash.slice(1)));
  } catch {
    return "";
  }
}

// The name under which this browser joins, so that one browser cannot take all seats: random, it tells nothing of it.
export function nameBrowser(kept) {
  const known = kept.get("browser");
  if (typeof known === "string" && known) return known;
  const made = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  kept.set("browser", made);
  return made;
}

// The ticket: the page brings it for users of a Hub; otherwise it is the one that this browser keeps.
export function chooseTicket({ token, code, nick }, kept) {
  if (token) return { token, code, nick, at: kept?.code === code ? kept.at : undefined, isGiven: true };
  return kept?.token && !kept.isGiven ? kept : null;
}

// The learner's standing by the server's answer: "in" with a sheet, or the reason why there is none.
export function findStanding(found) {
  if (found instanceof Error) return found.isOut ? "out" : (found.isAway ?? true) ? "away" : "busy";
  return found.state && found.state !== "in" ? (found.state === "waiting" ? "waiting" : "out") : "in";
}

// The action for a code from the address: "return" to the learner's own sheets, or "join".
export function decideOnCode(code, ticket) {
  if (!ticket?.token) return "join";
  return !code || ticket.isGiven || [ticket.code, ...(ticket.codes ?? [])].some((own) => isSameCode(own, code)) ? "return" : "join";
}
