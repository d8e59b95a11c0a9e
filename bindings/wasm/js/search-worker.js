// The worker of a page that searches.

import { jobs } from './jobs.js';
import { reasons } from './reasons.js';
import { read } from './web.js';

const port = { post: (message) => self.postMessage(message), read };
const receive = jobs(port, reasons(port));
self.onmessage = ({ data }) => receive(data);
