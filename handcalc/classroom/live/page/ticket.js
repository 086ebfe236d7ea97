// Who this browser is in the class: a code from the address, and the ticket that joining gave.

const LOOKALIKES = { B: "8", G: "6", S: "5", Z: "2", I: "1", L: "1" }; // as practice/exercise/codes.py reads them

export const tidyCode = (text) => text.toUpperCase().replace(/[\s–—_.]+/g, "-").replace(/^-+|-+$/g, "").slice(0, 24);
const bareCode = (code) => tidyCode(code).replaceAll("-", "").replace(/[BGSZIL]/g, (sign) => LOOKALIKES[sign]);
export const isSameCode = (one, two) => bareCode(one) === bareCode(two);

// The code that a QR code has put behind the address: ADDRESS/#CODE.
export function readCode(hash) {
  try {
    return tidyCode(decodeURIComponent(hash.slice(1)));
  } catch {
    return "";
  }
}

// What this browser is called where it joins, so that a class is not taken by one: chance, and nothing about it.
export function nameBrowser(kept) {
  const known = kept.get("browser");
  if (typeof known === "string" && known) return known;
  const made = [...crypto.getRandomValues(new Uint8Array(16))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  kept.set("browser", made);
  return made;
}

// The ticket that the page brings along where a Hub knows who somebody is, or the one that this browser keeps.
export function chooseTicket({ token, code, nick }, kept) {
  if (token) return { token, code, nick, at: kept?.code === code ? kept.at : undefined, isGiven: true };
  return kept?.token && !kept.isGiven ? kept : null;
}

// Where somebody stands by what the server says: a sheet, or why there is none.
export function findStanding(found) {
  if (found instanceof Error) return found.isOut ? "out" : (found.isAway ?? true) ? "away" : "busy";
  return found.state && found.state !== "in" ? (found.state === "waiting" ? "waiting" : "out") : "in";
}

// What to do with a code from the address for somebody who was here before: go on, or ask.
export function decideOnCode(code, ticket) {
  if (!ticket?.token) return "join";
  return !code || ticket.isGiven || [ticket.code, ...(ticket.codes ?? [])].some((own) => isSameCode(own, code)) ? "return" : "join";
}
