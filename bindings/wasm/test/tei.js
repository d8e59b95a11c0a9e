#!/usr/bin/env node
// TEI on stdin and stdout, by the worker of the package: for the tests of the program and for tournaments.

import { Worker } from 'node:worker_threads';

/** A line longer than the engine takes. */
const TOO_LONG = 'x'.repeat(512 * 1024);

const worker = new Worker(new URL('../js/node-worker.js', import.meta.url));
let isGreeted = false;
worker.on('message', (line) => {
  // The worker presents itself without being asked to.
  if (isGreeted) {
    process.stdout.write(`${line}\n`);
    if (line.startsWith('info error')) {
      process.stderr.write(`${line}\n`);
    }
  }
  isGreeted ||= line === 'teiok';
});
worker.on('exit', (code) => process.exit(code));
// The reader of the output has closed it.
process.stdout.on('error', () => process.exit());

/** Sends a line. A message is text, so a line of other bytes is made one that is refused. */
function send(bytes) {
  const text = bytes.toString();
  worker.postMessage(bytes.equals(Buffer.from(text)) ? text : `${text} ${TOO_LONG}`);
}

let rest = Buffer.alloc(0);
process.stdin.on('data', (bytes) => {
  rest = Buffer.concat([rest, bytes]);
  for (let end = rest.indexOf('\n'); end >= 0; end = rest.indexOf('\n')) {
    send(rest.subarray(0, end));
    rest = rest.subarray(end + 1);
  }
});
process.stdin.on('end', () => {
  send(rest);
  worker.postMessage('quit');
});
