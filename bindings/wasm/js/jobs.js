// The inside of a worker that searches: it runs one job after the other.

import { Page, Tei, bench, hello, initSync, setHost } from './tak_engine.js';

/**
 * @param port `post` sends a message to the owner
 * @returns the receiver of messages of the owner: first the compiled module and the flag, then jobs
 */
export function jobs(port) {
  let flag = null;
  let panic = '';
  const host = {
    now: () => performance.now(),
    isStopped: () => flag !== null && Atomics.load(flag, 0) !== 0,
    say: (text) => port.post({ say: text }),
    panicked: (text) => {
      panic = text;
    },
  };
  let tei = null;
  let page = null;
  const kinds = {
    // One line of TEI.
    line: ({ text }) => (tei ??= new Tei()).line(text),
    // The first message to a page.
    hello: () => host.say(hello()),
    // One question of a page, for an engine with a table of so many MiB.
    ask: ({ text, hash }) => (page ??= new Page(hash)).ask(text),
    // The engine of `ask` in advance.
    prepare: ({ hash }) => void (page ??= new Page(hash)),
    bench: ({ deeper }) => bench(deeper),
  };
  return (message) => {
    try {
      if ('module' in message) {
        flag = message.flag;
        initSync({ module: message.module });
        setHost(host);
      } else {
        port.post({ done: kinds[message.do](message) });
      }
    } catch (error) {
      port.post({ failed: panic || String(error?.message ?? error) });
    }
  };
}
