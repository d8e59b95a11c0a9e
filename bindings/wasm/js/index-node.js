// The entry of the package for Node.

import { Closed, TakEngine } from './engine.js';
import { filesIn } from './folder.js';
import * as platform from './node.js';

TakEngine.platform = { ...platform, files: filesIn(import.meta.url) };

export { Closed, TakEngine };
