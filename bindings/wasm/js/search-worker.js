// The worker of a page that searches.

import { jobs } from './jobs.js';
import { read } from './web.js';

const receive = jobs({ post: (message) => self.postMessage(message), read });
self.onmessage = ({ data }) => receive(data);
