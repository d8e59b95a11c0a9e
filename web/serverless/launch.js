// What other programs of the device give to the installed page: files that are opened with it, and shared texts.

import { Refused } from '../src/model/errors.js';
import { words } from '../src/words.js';

/** @typedef {{ name: string, getFile: () => Promise<File> }} Handle */
/** @typedef {{ files?: Handle[], targetURL?: string }} Launch */

/** @param {() => Promise<File[]>} files @param {string} text */
const open = (files, text = '') => dispatchEvent(new CustomEvent('tak-open', { detail: { files, text } }));

/** A file may be gone. @param {Handle} handle */
const fileOf = (handle) =>
  handle.getFile().catch(({ message }) => {
    throw new Refused(words.notOpened(`${handle.name}: ${message}`));
  });

/** @param {Launch} launch */
function take({ files = [], targetURL = '' }) {
  if (files.length > 0) {
    open(() => Promise.all(files.map(fileOf)));
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
    const address = new URL(`shared${location.search}`, location.href).href;
    history.replaceState(null, '', location.pathname + location.hash);
    const shared = await caches.match(address);
    if (shared) {
      const name = decodeURIComponent(shared.headers.get('X-Name') ?? '');
      const text = await shared.text();
      open(async () => (name ? [new File([text], name)] : []), text);
      await Promise.all((await caches.keys()).map(async (cache) => (await caches.open(cache)).delete(address)));
    }
  }
}
