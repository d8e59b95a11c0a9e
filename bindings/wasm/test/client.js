// A front end that speaks TEI with a worker.

import { Worker } from 'node:worker_threads';

/** A worker of Node that can or cannot share memory with the one inside it. */
export function nodeWorker(share) {
  return new Worker(new URL('../js/node-worker.js', import.meta.url), { workerData: { share } });
}

export class Client {
  #lines = [];
  #wake = () => {};

  constructor(worker) {
    this.worker = worker;
    worker.on('message', (line) => {
      this.#lines.push(line);
      this.#wake();
    });
  }

  send(...lines) {
    lines.forEach((line) => this.worker.postMessage(line));
  }

  /** The lines up to the first one that matches. */
  async until(pattern) {
    for (let seen = 0; ; ) {
      for (; seen < this.#lines.length; seen += 1) {
        if (pattern.test(this.#lines[seen])) {
          return this.#lines.splice(0, seen + 1);
        }
      }
      await new Promise((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  end() {
    return this.worker.terminate();
  }
}
