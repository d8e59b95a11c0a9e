// Workers and files in Node.

import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { Worker } from 'node:worker_threads';

import { SEARCHER } from './searcher.js';

export const wasm = new URL('./tak-engine.wasm', import.meta.url);

/** Threads of one process always can. */
export function canShare() {
  return true;
}

/** The full address of a file: from an address, or from a path as programs of Node write them. */
export const locate = (address) =>
  typeof address !== 'string' || address.startsWith('file:') ? new URL(address) : pathToFileURL(address);

/** The bytes of a file. */
export const read = (address) => readFile(new URL(address));

/** Compiles a module from its address. */
export async function compile(address) {
  return WebAssembly.compile(await readFile(address));
}

export function startWorker(hear) {
  // Options of the process may not be those of a worker, such as `--input-type`.
  const options = { workerData: { role: SEARCHER }, execArgv: [] };
  const worker = new Worker(new URL('./node-worker.js', import.meta.url), options);
  // A process may end while its engine waits.
  worker.unref();
  worker.on('message', (message) => {
    if ('done' in message || 'failed' in message) {
      worker.unref();
    }
    hear(message);
  });
  worker.on('error', (error) => hear({ failed: error.message }));
  return {
    post: (message) => {
      if ('do' in message) {
        worker.ref();
      }
      worker.postMessage(message);
    },
    end: () => void worker.terminate(),
  };
}
