// The inside of a worker that searches: it runs one job after the other.

import { filesIn } from './folder.js';
import { Page, Tei, bench, hello, initSync, installWeights, setHost } from './tak_engine.js';

const SIZES = [3, 4, 5, 6, 7, 8];

/**
 * @param port `post` sends a message to the owner, `read` loads a file
 * @param more further kinds of jobs, by their names
 * @returns the receiver of messages of the owner: first the compiled module with what belongs to it, then jobs
 */
export function jobs(port, more = {}) {
  let flag = null;
  let panic = '';
  /** The addresses of the other files; those beside this one by default. */
  let files = null;
  /** Promises of the weights that are loaded or being loaded, by board size. */
  const weights = new Map();
  let tei = null;
  let page = null;

  function weightsOf(size) {
    if (!weights.has(size)) {
      const address = files.weights[size];
      weights.set(size, address ? port.read(address) : Promise.reject(new Error(`no weights for ${size}x${size} are given`)));
    }
    return weights.get(size);
  }

  async function install(size) {
    const bytes = new Uint8Array(await weightsOf(size));
    installWeights(size, bytes);
    port.post({ installed: size, bytes });
  }

  /** Lets an engine work, and loads the weights that it lacks. */
  async function finish(engine) {
    for (let size = engine.proceed(); size !== undefined; size = engine.proceed()) {
      await install(size);
    }
  }

  const host = {
    now: () => performance.now(),
    isStopped: () => flag !== null && Atomics.load(flag, 0) !== 0,
    say: (text) => port.post({ say: text }),
    // If this fails, it is tried again when they are needed.
    expect: (size) => void weightsOf(size).catch(() => weights.delete(size)),
    panicked: (text) => {
      panic = text;
    },
  };
  const kinds = {
    // One line of TEI. False after `quit`.
    async line({ text }) {
      tei ??= new Tei();
      tei.line(text);
      await finish(tei);
      return !tei.isOver;
    },
    // The first message to a page.
    hello: () => host.say(hello()),
    // One question of a page, for an engine with a table of so many MiB. False without a question.
    async ask({ text, hash }) {
      page ??= new Page(hash);
      const isQuestion = page.ask(text);
      await finish(page);
      return isQuestion;
    },
    // The engine of `ask` in advance.
    prepare: ({ hash }) => void (page ??= new Page(hash)),
    async bench({ deeper }) {
      for (const size of SIZES) {
        await install(size);
      }
      bench(deeper);
    },
    ...more,
  };
  return async (message) => {
    try {
      if ('module' in message) {
        ({ flag } = message);
        files = message.files ?? filesIn(import.meta.url);
        message.weights.forEach((bytes, size) => weights.set(size, Promise.resolve(bytes)));
        initSync({ module: message.module });
        setHost(host);
      } else {
        port.post({ done: await kinds[message.do](message, files) });
      }
    } catch (error) {
      port.post({ failed: panic || String(error?.message ?? error) });
    }
  };
}
