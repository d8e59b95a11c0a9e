// The same as worker.js for a worker thread of Node.

import { parentPort, workerData } from 'node:worker_threads';

import { jobs } from './jobs.js';
import * as platform from './node.js';
import { SEARCHER } from './searcher.js';
import { Tei } from './tei.js';

const post = (message) => parentPort.postMessage(message);

if (workerData?.role === SEARCHER) {
  parentPort.on('message', jobs({ post, read: platform.read }));
} else {
  const shared = { ...platform, canShare: () => workerData?.share ?? platform.canShare() };
  const tei = new Tei(shared, platform.compile(platform.wasm), post, () => parentPort.close());
  parentPort.on('message', (message) => tei.receive(message));
}
