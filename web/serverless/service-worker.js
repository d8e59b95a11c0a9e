// Keeps all files of one version of the page. `web/build.js` defines FILES, their addresses and hashes, and VERSION.

/** @typedef {Event & { waitUntil: (work: Promise<unknown>) => void }} WorkerEvent */

/** The types of TypeScript are either those of pages or those of workers. */
const worker =
  /** @type {{ registration: ServiceWorkerRegistration, clients: { claim: () => Promise<void> }, skipWaiting: () => void }} */ (
    /** @type {unknown} */ (self)
  );
const OWN = `tak-engine ${worker.registration.scope} `;
const NAME = OWN + VERSION;
/** Where other programs send what they share, see the manifest. */
const SHARED = new URL('shared', self.location.href).href;

/** The hashes keep files of different versions apart while a site is being changed. */
async function fill() {
  const cache = await caches.open(NAME);
  await Promise.all(
    Object.entries(FILES).map(async ([path, integrity]) => {
      const response = await fetch(path, { cache: 'no-cache', integrity });
      if (!response.ok) {
        throw new Error(`${path} cannot be loaded (${response.status})`);
      }
      // A browser refuses pages that are marked as redirected, as some sites do with .html.
      await cache.put(path, new Response(response.body, { headers: response.headers }));
    }),
  );
}

/** Other pages of this site may have caches of their own. */
async function removeOthers() {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(OWN) && name !== NAME).map((name) => caches.delete(name)));
}

/**
 * An answer with the headers that isolate the page from others, so that it may share memory with its workers: then a
 * search is stopped by a flag, and keeps its table.
 * @param {Response} response
 */
function isolated(response) {
  if (response.type === 'opaque' || response.status === 0) {
    return response;
  }
  const headers = new Headers(response.headers);
  headers.set('Cross-Origin-Opener-Policy', 'same-origin');
  headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
  headers.set('Cross-Origin-Resource-Policy', 'same-origin');
  const { status, statusText } = response;
  return new Response([204, 205, 304].includes(status) ? null : response.body, { status, statusText, headers });
}

/** @param {Request} request */
async function answer(request) {
  const cache = await caches.open(NAME);
  const start = new URL('./', self.location.href);
  const isStart = request.url.split(/[?#]/)[0] === new URL('index.html', start).href;
  return isolated((await cache.match(isStart ? start : request, { ignoreSearch: true })) ?? (await fetch(request)));
}

/** A text or file that another program shares waits for the page, which is opened then. @param {Request} request */
async function receive(request) {
  const shared = await request.formData();
  const file = shared.get('file');
  const texts = ['text', 'url'].map((name) => shared.get(name)).filter((text) => text !== null);
  const isFile = file instanceof File && file.size > 0;
  const [text, name] = isFile ? [await file.text(), file.name] : [texts.join('\n'), ''];
  const response = new Response(text, { headers: { 'X-Name': encodeURIComponent(name) } });
  // Another one may come before the page has taken this.
  const query = `?shared=${crypto.randomUUID()}`;
  await (await caches.open(NAME)).put(SHARED + query, response);
  return Response.redirect(new URL(`./${query}`, SHARED).href, 303);
}

/** @type {(name: string, listener: (event: any) => void) => void} */
const on = (name, listener) => self.addEventListener(name, listener);

on('install', (/** @type {WorkerEvent} */ event) => event.waitUntil(fill()));
on('activate', (/** @type {WorkerEvent} */ event) =>
  event.waitUntil(removeOthers().then(() => worker.clients.claim())),
);
on('fetch', (event) => {
  const isShared = event.request.method === 'POST' && event.request.url === SHARED;
  event.respondWith((isShared ? receive : answer)(event.request));
});
on('message', ({ data }) => data === 'activate' && worker.skipWaiting());
