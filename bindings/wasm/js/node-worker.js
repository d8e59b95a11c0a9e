// The same as worker.js for a worker thread of Node.

import { parentPort, workerData } from 'node:worker_threads';

import { jobs } from './jobs.js';
import * as platform from './node.js';
import { reasons } from './reasons.js';
import { SEARCHER } from './searcher.js';
import { Tei } from './tei.js';

const post = (message) => parentPort.postMessage(message);

if (workerData?.role === SEARCHER) {
  const port = { post, read: platform.read };
  parentPort.on('message', jobs(port, reasons(port)));
} else {
  const shared = { ...platform, canShare: () => workerData?.share ?? platform.canShare() };
  const tei = new Tei(shared, platform.compile(platform.wasm), post, () => parentPort.close());
  parentPort.on('message', (message) => tei.receive(message));
}
