// The engine as a module worker that speaks TEI, or for a bundle the one that searches.

import { weights } from './files.js';
import { reasons } from './reasons.js';
import { begin } from './tei-worker.js';

begin('module', new URL('./tak-engine.wasm', import.meta.url), weights, reasons);
