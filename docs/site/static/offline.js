// Where the site is served, it is there without a network after the first visit, and can be installed.
"use strict";

(() => {
  const ROOT = new URL("..", document.currentScript.src);

  function offer(worker) {
    const use = Object.assign(document.createElement("button"), { type: "button", textContent: "Use it" });
    const bar = Object.assign(document.createElement("p"), { className: "hc-newer", role: "status" });
    use.addEventListener("click", () => worker.postMessage("use"));
    bar.append("There is a newer version of these pages. ", use);
    document.body.append(bar);
  }

  function watch(registration) {
    if (registration.waiting) offer(registration.waiting);
    registration.addEventListener("updatefound", () => {
      const { installing } = registration;
      installing.addEventListener("statechange", () => {
        if (installing.state === "installed" && registration.active) offer(installing);
      });
    });
  }

  if (!location.protocol.startsWith("http") || !navigator.serviceWorker || navigator.connection?.saveData) return;
  document.head.append(Object.assign(document.createElement("link"), { rel: "manifest", href: new URL("manifest.webmanifest", ROOT) }));
  const had = Boolean(navigator.serviceWorker.controller);
  navigator.serviceWorker.addEventListener("controllerchange", () => had && location.reload());
  navigator.serviceWorker.register(new URL("sw.js", ROOT)).then(watch, () => {}); // a browser may refuse it
})();
