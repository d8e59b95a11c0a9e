// The entry of the package for Node.

import { Closed, TakEngine } from './engine.js';
import * as platform from './node.js';

TakEngine.platform = platform;

export { Closed, TakEngine };
