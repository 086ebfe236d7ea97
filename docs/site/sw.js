// All of the site, kept when it is first visited. A new version is fetched whole, and used when every page of the old one
// is closed or somebody says so: no page is half old. build.py puts in the version and the files.


const SITE = `handcalc ${self.registration.scope} `; // other sites of the same server have their own
const KEPT = SITE + VERSION;

self.addEventListener("install", (event) => {
  const all = FILES.map((path) => new Request(path, { cache: "reload" }));
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(all)));
});

self.addEventListener("activate", (event) => {
  const tidy = async () => {
    const old = (await caches.keys()).filter((name) => name.startsWith(SITE) && name !== KEPT);
    await Promise.all(old.map((name) => caches.delete(name)));
    await self.clients.claim();
  };
  event.waitUntil(tidy());
});

self.addEventListener("message", ({ data }) => {
  if (data === "use") self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const asked = request.url.split(/[?#]/)[0] === self.registration.scope ? "index.html" : request;
  event.respondWith(answer(asked, request));
});

// What is not kept is large, and rarely asked for: it is kept from then on.
async function answer(asked, request) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(asked, { ignoreSearch: true });
  if (found) return found;
  const fetched = await fetch(request);
  if (fetched.ok) await kept.put(request, fetched.clone());
  return fetched;
}
