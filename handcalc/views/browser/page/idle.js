// What can wait until the page has been painted and has nothing else to do.

const LATEST = 300; // milliseconds until it is done, however busy the page is

export const whenIdle = (run) => (window.requestIdleCallback ? requestIdleCallback(run, { timeout: LATEST }) : setTimeout(run, 1));
