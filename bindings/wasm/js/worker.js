// The engine as a worker of a page: TEI, one line a message, both ways. It sends its options and `teiok` by itself.
// The same file is the worker inside that one, which searches.

import { weights } from './files.js';
import { filesIn } from './folder.js';
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
  const here = new URL(self.location.href);
  const type = isClassic() ? 'classic' : 'module';
  // The package has the classic worker in a folder of its own.
  const given = here.searchParams.get('wasm') ?? (/\/classic\/[^/]*$/.test(here.pathname) ? '../tak-engine.wasm' : null);
  const address = given ? new URL(given, here) : new URL('./tak-engine.wasm', import.meta.url);
  // Reasons are no part of TEI.
  const files = given ? filesIn(address) : { weights, explorer: '' };
  const startWorker = workers((options) => new Worker(here, { ...options, type }));
  const tei = new Tei({ canShare, startWorker }, compile(address), post, () => self.close(), files);
  self.onmessage = ({ data }) => tei.receive(data);
}
