// The entry of the package for browsers.

import { Closed, TakEngine } from './core.js';
import { weights } from './files.js';

TakEngine.platform.files.weights = weights;

export { Closed, TakEngine };
