// The worker of the explorer: questions as JSON in, answers out. Those that come before the module is loaded wait.

import init, { Explorer } from './tak_engine_explorer.js';

const loaded = init({ module_or_path: 'tak-engine-explorer.wasm' }).then(() => new Explorer());

self.onmessage = async ({ data }) => {
  try {
    const explorer = await loaded;
    self.postMessage(explorer.answer(data) ?? null);
  } catch (error) {
    // After a panic the module cannot be used.
    self.postMessage({ failed: error instanceof Error ? error.message : String(error) });
  }
};
