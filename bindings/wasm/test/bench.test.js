// The search visits the same nodes as in the program.

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import test from 'node:test';

import { Searcher } from '../js/searcher.js';
import * as node from '../js/node.js';

test('bench has the signature of the program', async () => {
  const searcher = new Searcher(node, await node.compile(node.wasm));
  let said = '';
  await searcher.run({ do: 'bench', deeper: 0 }, (text) => {
    said += `${text}\n`;
  });
  searcher.close();
  const recorded = readFileSync(new URL('../../../benches/signature', import.meta.url), 'utf8').trim();
  assert.equal(/^(\d+) nodes$/m.exec(said)[1], recorded, said);
});
