// The entry of the package for browsers without weights, for pages that name those they need.

import { Closed, TakEngine } from './engine.js';
import { canShare, compile, locate, workers } from './web.js';

TakEngine.platform = {
  wasm: new URL('./tak-engine.wasm', import.meta.url),
  files: { weights: {}, explorer: new URL('./tak-engine-explorer.wasm', import.meta.url).href },
  canShare,
  compile,
  locate,
  workers,
  // Bundlers recognise a worker by exactly this form.
  startWorker: workers(
    () => new Worker(new URL('./search-worker.js', import.meta.url), { type: 'module', name: 'tak-engine-searcher' }),
  ),
};

export { Closed, TakEngine };
