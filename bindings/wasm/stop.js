// What shared memory brings: `node stop.js [ROUNDS]`. Searches are stopped after 0.3 s, by a worker of Node with it and by
// one without it: milliseconds to the answer, and to the first report of the next search. Medians, and the largest.

import { setTimeout as wait } from 'node:timers/promises';

import { Client, nodeWorker } from './test/client.js';

const rounds = Number(process.argv[2] ?? 30);

/** Milliseconds from sending a line to an answer. */
async function timed(client, line, answer) {
  const begun = performance.now();
  client.send(line);
  await client.until(answer);
  return performance.now() - begun;
}

function summary(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return `${sorted[sorted.length >> 1].toFixed(1)} (${sorted.at(-1).toFixed(1)})`;
}

for (const share of [true, false]) {
  const client = new Client(nodeWorker(share));
  const [stops, reports] = [[], []];
  client.send('position startpos moves a1 f6 c3 d4', 'go depth 1');
  await client.until(/^bestmove/);
  for (let round = 0; round < rounds; round += 1) {
    reports.push(await timed(client, 'go infinite', /^info depth/));
    await wait(300);
    stops.push(await timed(client, 'stop', /^bestmove/));
  }
  console.log(`${share ? 'with' : 'without'}: stop ${summary(stops)}, next report ${summary(reports)}`);
  await client.end();
}
