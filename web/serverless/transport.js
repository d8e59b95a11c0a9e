// The way to the engine: two workers of this page, and one for the explorer, in the form of a WebSocket. `tak-engine
// serve` has another file of this name, which opens a real one.

import { Searcher } from '../../bindings/wasm/js/searcher.js';
import { canShare, workers } from '../../bindings/wasm/js/web.js';
import { words } from '../src/words.js';
import { Explorer } from './explorer.js';
import { keepOffline } from './offline.js';

/** The size of the table in MiB: the one of `tak-engine annotate`, so that the marks are the same. */
const HASH = 32;

const platform = { canShare, startWorker: workers(({ name }) => new Worker('tak-engine.worker.js', { name })) };

/**
 * Compiles the engine's module while it is loaded. `tell` gets the part that is there; the build defines WASM_BYTES.
 * @param {(part: number) => void} tell
 */
async function loadEngine(tell) {
  if (!globalThis.WebAssembly) {
    throw new Error(words.noWebAssembly);
  }
  const response = await fetch('tak-engine.wasm');
  if (!response.ok || !response.body) {
    throw new Error(`tak-engine.wasm (${response.status} ${response.statusText})`);
  }
  let loaded = 0;
  const counter = new TransformStream({
    transform(part, controller) {
      loaded += part.length;
      tell(Math.min(1, loaded / WASM_BYTES));
      controller.enqueue(part);
    },
  });
  try {
    return await WebAssembly.compileStreaming(
      new Response(response.body.pipeThrough(counter), { headers: { 'Content-Type': 'application/wasm' } }),
    );
  } catch (error) {
    throw error instanceof WebAssembly.CompileError ? new Error(words.noWebAssembly) : error;
  }
}

/** @import { Hello } from '../src/protocol.js' */
/** @typedef {{ do: string, id?: unknown, hash?: number, text?: string }} Job */

class EngineSocket extends EventTarget {
  /** As of a WebSocket. @type {number} */
  readyState = WebSocket.CONNECTING;
  /** Who answers a question, by its name. @type {Hello['questions']} */
  #questions = {};
  /** Answers questions that need no search, also during one. @type {Searcher | null} */
  #clerk = null;
  /** Searches and annotates. @type {Searcher | null} */
  #thinker = null;
  /** The question to the latter that waits for the end of the present job. A newer one takes its place. @type {Job | null} */
  #next = null;
  #isBusy = true;
  #explorer = new Explorer((text) => this.#hear(text));

  constructor() {
    super();
    this.#start().catch((error) => this.close(1011, error.message));
  }

  async #start() {
    const module = await loadEngine((part) => this.dispatchEvent(new CustomEvent('progress', { detail: part })));
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

  /** @param {string} text */
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

  /** Runs a question in the place of the present one, or with null only ends that. @param {Job | null} job */
  #think(job) {
    this.#next = job;
    if (this.#isBusy) {
      this.#thinker?.interrupt();
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

  /** Runs a job; if it fails, that is the answer to its question. @param {Searcher | null} searcher @param {Job} job */
  async #run(searcher, job) {
    try {
      if ((await searcher?.run(job, (text) => this.#hear(text))) === false) {
        throw new TypeError('a text has half of a surrogate pair');
      }
    } catch (error) {
      if (this.readyState === WebSocket.OPEN) {
        this.#hear(JSON.stringify({ id: job.id, error: /** @type {Error} */ (error).message }));
      }
    }
  }

  /** Always true: a question that is replaced needs no more answers. @param {string} data */
  #hear(data) {
    this.dispatchEvent(new MessageEvent('message', { data }));
    return true;
  }
}

/** Opens a connection. */
export const openSocket = () => new EngineSocket();

/** What a user is told of an engine that is not there. @type {(reason: string) => string} */
export const explain = (reason) => words.noEngine(reason);
