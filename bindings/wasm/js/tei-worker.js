// The engine as a worker of a page: TEI, one line a message, both ways. It sends its options and `teiok` by itself.
// The same script is the worker inside that one, which searches.

import { filesIn } from './folder.js';
import { jobs } from './jobs.js';
import { SEARCHER } from './searcher.js';
import { Tei } from './tei.js';
import { canShare, compile, read, workers } from './web.js';

const port = { post: (message) => self.postMessage(message), read };

/**
 * Begins the work of this script. The query of its address can name another address of the module: `?wasm=ADDRESS`.
 * @param {'classic' | 'module'} type of the script
 * @param {URL} module its usual address
 * @param {Record<number, string>} [weights] those in the folder of the module by default
 * @param [more] further jobs of the worker that searches, of this port
 */
export function begin(type, module, weights, more) {
  if (self.name === SEARCHER) {
    const receive = jobs(port, more?.(port));
    self.onmessage = ({ data }) => receive(data);
    return;
  }
  const here = new URL(self.location.href);
  const given = here.searchParams.get('wasm');
  const address = given ? new URL(given, here) : module;
  const files = filesIn(address);
  if (weights && !given) {
    files.weights = weights;
  }
  const startWorker = workers((options) => new Worker(here, { ...options, type }));
  const tei = new Tei({ canShare, startWorker }, compile(address), port.post, () => self.close(), files);
  self.onmessage = ({ data }) => tei.receive(data);
}
