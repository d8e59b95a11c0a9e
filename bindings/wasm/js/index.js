// The entry of the package for browsers.

import { Closed, TakEngine } from './engine.js';
import { base, canShare, compile, workers } from './web.js';

TakEngine.platform = {
  wasm: new URL('./tak-engine.wasm', import.meta.url),
  base,
  canShare,
  compile,
  workers,
  // Bundlers recognise a worker by exactly this form.
  startWorker: workers(
    () => new Worker(new URL('./worker.js', import.meta.url), { type: 'module', name: 'tak-engine-searcher' }),
  ),
};

export { Closed, TakEngine };
