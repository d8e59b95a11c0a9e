// What other programs of the device give to the installed page: files that are opened with it, and shared texts.

/** @typedef {{ files?: { getFile: () => Promise<File> }[], targetURL?: string }} Launch */

/** @param {File[]} files @param {string} text */
const open = (files, text = '') => dispatchEvent(new CustomEvent('tak-open', { detail: { files, text } }));

/** @param {Launch} launch */
async function take({ files = [], targetURL = '' }) {
  if (files.length > 0) {
    open(await Promise.all(files.map((each) => each.getFile())));
  } else if (targetURL && new URL(targetURL).hash) {
    // A shortcut, while the page is open.
    location.hash = new URL(targetURL).hash;
  }
}

export async function launch() {
  const { launchQueue } = /** @type {{ launchQueue?: { setConsumer: (take: (launch: Launch) => void) => void } }} */ (
    globalThis
  );
  launchQueue?.setConsumer(take);
  if (new URLSearchParams(location.search).has('shared')) {
    history.replaceState(null, '', location.pathname + location.hash);
    const address = new URL('shared', location.href).href;
    const shared = await caches.match(address);
    if (shared) {
      const name = decodeURIComponent(shared.headers.get('X-Name') ?? '');
      const text = await shared.text();
      open(name ? [new File([text], name)] : [], text);
      await Promise.all((await caches.keys()).map(async (cache) => (await caches.open(cache)).delete(address)));
    }
  }
}
