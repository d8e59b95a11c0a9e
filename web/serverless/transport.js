// The way to the engine: two workers of this page, and one for the explorer, in the form of a WebSocket. `tak-engine
// serve` has another file of this name, which opens a real one.

import { Searcher } from '../../bindings/wasm/js/searcher.js';
import { canShare, compile, workers } from '../../bindings/wasm/js/web.js';
import { Explorer } from './explorer.js';
import { keepOffline } from './offline.js';

/** The size of the table in MiB: the one of `tak-engine annotate`, so that the marks are the same. */
const HASH = 32;
const LACKING = 'this browser has no WebAssembly with SIMD, or it is turned off; another browser may do';

const platform = { canShare, startWorker: workers(({ name }) => new Worker('tak-engine.worker.js', { name })) };

async function loadEngine() {
  if (!globalThis.WebAssembly) {
    throw new Error(LACKING);
  }
  try {
    return await compile('tak-engine.wasm');
  } catch (error) {
    throw error instanceof WebAssembly.CompileError ? new Error(LACKING) : error;
  }
}

class EngineSocket extends EventTarget {
  readyState = WebSocket.CONNECTING;
  /** Who answers a question, by its name. */
  #questions = {};
  /** Answers questions that need no search, also during one. */
  #clerk = null;
  /** Searches and annotates. */
  #thinker = null;
  /** The question to the latter that waits for the end of the present job. A newer one takes its place. */
  #next = null;
  #isBusy = true;
  #explorer = new Explorer((text) => this.#hear(text));

  constructor() {
    super();
    this.#start().catch((error) => this.close(1011, error.message));
  }

  async #start() {
    const module = await loadEngine();
    this.#clerk = new Searcher(platform, module);
    this.#thinker = new Searcher(platform, module);
    this.readyState = WebSocket.OPEN;
    await this.#clerk.run({ do: 'hello' }, (text) => {
      this.#questions = JSON.parse(text).hello.questions;
      return this.#hear(text);
    });
    await this.#run(this.#thinker, { do: 'prepare', hash: HASH });
    performance.mark('engine-ready');
    keepOffline();
    this.#work();
  }

  send(text) {
    const { do: name, id } = JSON.parse(text);
    const { worker } = this.#questions[name];
    if (name === 'stop') {
      this.#think(null);
    } else if (worker === 'engine') {
      this.#think({ do: 'ask', text, hash: HASH, id });
    } else if (worker === 'explorer') {
      this.#explorer.ask(text, id);
    } else {
      this.#run(this.#clerk, { do: 'ask', text, hash: 0, id });
    }
  }

  close(code = 1000, reason = 'it does not answer') {
    this.readyState = WebSocket.CLOSED;
    this.#clerk?.close();
    this.#thinker?.close();
    this.#explorer.close();
    this.dispatchEvent(new CloseEvent('close', { code, reason }));
  }

  /** Runs a question in the place of the present one, or with null only ends that. */
  #think(job) {
    this.#next = job;
    if (this.#isBusy) {
      this.#thinker.interrupt();
    } else {
      this.#work();
    }
  }

  async #work() {
    this.#isBusy = true;
    while (this.#next) {
      const job = this.#next;
      this.#next = null;
      await this.#run(this.#thinker, job);
    }
    this.#isBusy = false;
  }

  /** Runs a job; if it fails, that is the answer to its question. */
  async #run(searcher, job) {
    try {
      if (await searcher.run(job, (text) => this.#hear(text)) === false) {
        throw new TypeError('a text has half of a surrogate pair');
      }
    } catch (error) {
      if (this.readyState === WebSocket.OPEN) {
        this.#hear(JSON.stringify({ id: job.id, error: error.message }));
      }
    }
  }

  /** Always true: a question that is replaced needs no more answers. */
  #hear(data) {
    this.dispatchEvent(new MessageEvent('message', { data }));
    return true;
  }
}

/** Opens a connection. */
export const openSocket = () => new EngineSocket();

/** Replaces the board until the first connection. */
export const LOADING = 'Loading the engine.';

/** Texts about an engine that is not there: one above the board, and one in its place. */
export function explain(reason, { hasBoard }) {
  const text = `The engine cannot be started: ${reason}. Your game is saved.`;
  return { status: hasBoard ? text : '', absent: text };
}
