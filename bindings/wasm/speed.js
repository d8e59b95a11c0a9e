// The speed of the module in Node against the program: `node speed.js PROGRAM [DEEPER]`, ten pairs in turn.

import { execFileSync } from 'node:child_process';

import { Searcher } from './js/searcher.js';
import * as node from './js/node.js';

const PAIRS = 10;
const [program, deeper = '3'] = process.argv.slice(2);

const speedIn = (text) => Number(/^(\d+) nps$/m.exec(text)[1]);

async function ownSpeed() {
  const searcher = new Searcher(node, await node.compile(node.wasm));
  let said = '';
  await searcher.run({ do: 'bench', deeper: Number(deeper) }, (text) => {
    said += `${text}\n`;
  });
  searcher.close();
  return speedIn(said);
}

if (!program) {
  console.error('usage: node speed.js PROGRAM [DEEPER]');
  process.exit(2);
}
const ratios = [];
for (let pair = 1; pair <= PAIRS; pair += 1) {
  const native = speedIn(execFileSync(program, ['bench', '--deeper', deeper], { encoding: 'utf8' }));
  const own = await ownSpeed();
  ratios.push(own / native);
  console.log(`pair ${pair}: ${native} nodes/s native, ${own} in Node, ratio ${(own / native).toFixed(3)}`);
}
ratios.sort((a, b) => a - b);
const median = (ratios[PAIRS / 2 - 1] + ratios[PAIRS / 2]) / 2;
console.log(`median ${median.toFixed(3)}, from ${ratios[0].toFixed(3)} to ${ratios.at(-1).toFixed(3)}`);
