// Scrolling elements, and how much of them can be seen.

const KEYBOARD = 80; // pixels: a keyboard on the screen is higher, a browser's own bar is not
const NOTEBOOKS = ".jp-WindowedPanel-outer, .jp-Notebook"; // they scroll, as soon as there is enough to scroll

// The element that scrolls another one up and down: a notebook's cells, else the page.
export function scrollerOf(element) {
  for (let outer = element.parentElement; outer && outer !== document.body; outer = outer.parentElement) {
    const isScroller = /auto|scroll/.test(getComputedStyle(outer).overflowY);
    if (isScroller && (outer.scrollHeight > outer.clientHeight || outer.matches(NOTEBOOKS))) return outer;
  }
  return document.scrollingElement ?? document.documentElement;
}

// The visible part of the window, or of what scrolls in it, from top to bottom; a keyboard on the screen may cover the
// rest. After a pinch zoom the reader looks around without help.
export function viewOf(scroller) {
  const port = window.visualViewport;
  const isLifted = port && port.scale < 1.01 && innerHeight - port.height > KEYBOARD;
  const [top, bottom] = isLifted ? [port.offsetTop, port.offsetTop + port.height] : [0, innerHeight];
  if (scroller === document.scrollingElement) return [top, bottom];
  const box = scroller.getBoundingClientRect();
  return [Math.max(top, box.top), Math.min(bottom, box.bottom)];
}
