// A finger turns pages: a swipe goes on or back, a tap on an empty place goes on.

const MIN_SWIPE = 45; // pixels of a swipe
const MIN_SIDEWAYS = 1.5; // times as far sideways as up or down
const MAX_TAP = 8; // pixels of a tap

// The gesture of a finger that moved this far right and down: 1 is on, -1 back, "tap", or null.
export function gestureOf(right, down) {
  if (Math.abs(right) >= MIN_SWIPE && Math.abs(right) > MIN_SIDEWAYS * Math.abs(down)) return right < 0 ? 1 : -1;
  return Math.hypot(right, down) <= MAX_TAP ? "tap" : null;
}

// `onTurn` gets 1 or -1; `onTap` is called where there is neither a number nor a control.
export function onSwipe(element, { onTurn, onTap }) {
  let from = null;
  element.addEventListener("pointerdown", (event) => {
    from = event.isPrimary && event.pointerType === "touch" && !scrollsAcross(event.target, element) ? event : null;
  });
  element.addEventListener("pointercancel", () => (from = null));
  element.addEventListener("pointerup", (event) => {
    if (!from || event.pointerId !== from.pointerId) return;
    const meant = gestureOf(event.clientX - from.clientX, event.clientY - from.clientY);
    const isFree = !event.target.closest("td[data-row], button, input, select, label, summary, a");
    from = null;
    if (meant === "tap" && isFree) onTap();
    else if (Number.isInteger(meant)) onTurn(meant);
  });
}

// Whether the same movement would scroll an element that is wider than its place.
function scrollsAcross(node, within) {
  for (let at = node; at && at !== within; at = at.parentElement) {
    if (at.scrollWidth > at.clientWidth + 1 && /auto|scroll/.test(getComputedStyle(at).overflowX)) return true;
  }
  return false;
}
