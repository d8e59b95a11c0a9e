// TEI with a worker of Node, with shared memory and without.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import test from 'node:test';
import { setImmediate } from 'node:timers/promises';

import * as node from '../js/node.js';
import { Tei } from '../js/tei.js';
import { Client, nodeWorker } from './client.js';

/** Runs a test in both ways to stop a search. */
function both(name, run) {
  for (const share of [true, false]) {
    test(`${name}, ${share ? 'with' : 'without'} shared memory`, async () => {
      const client = new Client(nodeWorker(share));
      try {
        await run(client);
      } finally {
        await client.end();
      }
    });
  }
}

const moveOf = (lines) => /^bestmove (\S+)$/.exec(lines.at(-1))[1];
const errors = (lines) => lines.filter((line) => line.startsWith('info error'));

both('the handshake comes by itself, early lines wait', async (client) => {
  client.send('isready');
  const lines = await client.until(/^readyok$/);
  assert.equal(lines[0], 'id name tak-engine');
  assert.ok(lines.includes('option name Hash type spin default 16 min 1 max 1024'), lines.join('\n'));
  assert.ok(!lines.some((line) => / Ponder | WeightsFile /.test(line)));
  assert.equal(lines.at(-2), 'teiok');
  assert.ok(lines.every((line) => !line.includes('\n')), 'one line a message');
});

both('three endless searches in a row are stopped', async (client) => {
  for (const moves of ['a1 e5', 'a1 e5 c3', 'a1 e5 c3 c4']) {
    client.send(`position startpos moves ${moves}`, 'go infinite', 'stop');
  }
  client.send('isready');
  const lines = await client.until(/^readyok$/);
  assert.equal(lines.filter((line) => line.startsWith('bestmove ')).length, 3);
  assert.deepEqual(errors(lines), []);
});

both('isready is answered during a search', async (client) => {
  client.send('teinewgame 5', 'setoption name MultiPV value 3', 'go infinite');
  await client.until(/ depth 3 /);
  client.send('isready');
  const before = await client.until(/^readyok$/);
  assert.ok(!before.some((line) => line.startsWith('bestmove')));
  client.send('stop');
  assert.match(moveOf(await client.until(/^bestmove/)), /^[a-e][1-5]$/);
});

both('position and options survive a stopped search', async (client) => {
  client.send('teinewgame 5', 'setoption name HalfKomi value 4', 'position startpos moves a1 e5', 'go infinite');
  await client.until(/ depth 2 /);
  client.send('stop', 'show');
  const [shown] = (await client.until(/^info string/)).slice(-1);
  assert.equal(shown, 'info string tps x4,1/x5/x5/x5/2,x4 1 2 halfkomi 4 reserves 20/1 20/1');
});

both('a line that needs the engine ends the search', async (client) => {
  for (const line of ['position startpos moves a1', 'teinewgame 6', 'setoption name MultiPV value 2', 'go nodes 100']) {
    client.send('go infinite');
    await client.until(/ pv /);
    client.send(line);
    await client.until(/^bestmove \S/);
  }
  await client.until(/^bestmove \S/);
});

both('an endless search that is over waits for stop', async (client) => {
  client.send('position tps x3/1,1,x/2,2,x 1 3', 'go infinite');
  await client.until(/ pv c2$/);
  client.send('isready');
  assert.ok(!(await client.until(/^readyok$/)).some((line) => line.startsWith('bestmove')));
  client.send('go infinite', 'stop');
  const lines = [...(await client.until(/^bestmove c2$/)), ...(await client.until(/^bestmove c2$/))];
  assert.deepEqual(errors(lines), []);
});

both('what cannot be obeyed is answered by an error', async (client) => {
  const cases = [
    ['setoption name Hash value 1025', /^info error option Hash takes 1 to 1024, not 1025$/],
    ['setoption name Threads value 2', /^info error option Threads takes 1 to 1/],
    ['setoption name Ponder value true', /^info error unknown option "Ponder"$/],
    ['fly', /^info error unknown command "fly"$/],
    [`position startpos moves ${'a1 '.repeat(200_000)}`, /^info error the line is longer than 524288 bytes$/],
    ...[{ go: 'infinite' }, null, undefined, 5, ['isready'], new Uint8Array(3)].map(
      (message) => [message, /^info error a message must be a text$/],
    ),
    ['\0', /^info error unknown command /],
    ['\ud800 \udc00', /^info error unknown command /],
    ['position startpos moves a1 a1', /^info error /],
  ];
  await client.until(/^teiok$/);
  for (const [line, expected] of cases) {
    client.send(line);
    const [answer] = await client.until(/./);
    assert.match(answer, expected);
  }
  client.send('go nodes 100');
  assert.equal(moveOf(await client.until(/^bestmove/)), '--', 'the position was refused');
});

both('a table of the largest size is allocated', async (client) => {
  client.send('setoption name Hash value 1024', 'isready', 'go nodes 1000');
  assert.deepEqual(errors(await client.until(/^bestmove/)), []);
});

both('a message other than text does not end the search', async (client) => {
  client.send('position startpos moves a1 f6', 'go infinite');
  await client.until(/ pv /);
  client.send(null, 'isready');
  const lines = await client.until(/^readyok$/);
  assert.equal(errors(lines).length, 1);
  assert.ok(!lines.some((line) => line.startsWith('bestmove')));
  client.send('stop');
  assert.match(moveOf(await client.until(/^bestmove/)), /^[a-f][1-6]$/);
});

both('a message with many lines is obeyed line by line', async (client) => {
  client.send('isready\n\nposition startpos moves a1\r\ngo nodes 100\nfly\n');
  const lines = await client.until(/^info error/);
  const heads = lines.map((line) => line.split(' ')[0]).filter((head) => ['readyok', 'bestmove'].includes(head));
  assert.deepEqual(heads, ['readyok', 'bestmove']);
});

test('without its module every line is answered by the reason', async () => {
  const said = [];
  let isClosed = false;
  const close = () => {
    isClosed = true;
  };
  const tei = new Tei(node, Promise.reject(new Error('no such file')), (line) => said.push(line), close);
  tei.receive('isready');
  await setImmediate();
  tei.receive('go infinite');
  const reason = 'info error the engine cannot be loaded: no such file';
  // The first one for the handshake.
  assert.deepEqual(said, [reason, reason, reason]);
  tei.receive('quit');
  assert.ok(isClosed);
});

both('quit ends the worker', async (client) => {
  client.send('go infinite', 'quit');
  assert.match(moveOf(await client.until(/^bestmove/)), /^[a-f][1-6]$/);
  const end = once(client.worker, 'exit');
  client.send('isready', 'go infinite');
  await end;
});
