// The engine as a worker of a page: TEI, one line a message, both ways. It sends its options and `teiok` by itself.
// The same file is the worker inside that one, which searches.

import { jobs } from './jobs.js';
import { SEARCHER } from './searcher.js';
import { Tei } from './tei.js';
import { canShare, compile, read, workers } from './web.js';

const post = (message) => self.postMessage(message);

/** Only a classic worker can call it. */
function isClassic() {
  try {
    self.importScripts();
    return true;
  } catch {
    return false;
  }
}

if (self.name === SEARCHER) {
  const receive = jobs({ post, read });
  self.onmessage = ({ data }) => receive(data);
} else {
  const given = new URL(self.location.href).searchParams.get('wasm');
  const address = given ? new URL(given, self.location.href) : new URL('./tak-engine.wasm', import.meta.url);
  const type = isClassic() ? 'classic' : 'module';
  const startWorker = workers((options) => new Worker(self.location.href, { ...options, type }));
  const tei = new Tei({ canShare, startWorker }, compile(address), post, () => self.close(), given && address.href);
  self.onmessage = ({ data }) => tei.receive(data);
}
