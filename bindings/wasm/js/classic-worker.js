// The engine as a classic worker that speaks TEI, for the bundle in the folder `classic`. The other files are in the folder
// above that, as in the package, or beside the script.

import { begin } from './tei-worker.js';

const here = new URL(self.location.href);
begin('classic', new URL(here.pathname.includes('/classic/') ? '../tak-engine.wasm' : 'tak-engine.wasm', here));
