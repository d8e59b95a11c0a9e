// The sizes of what a page loads, gzipped, against their budgets. With `--check` it fails if one is too large.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

/** Program and worker together. */
const PROGRAM = 350_000;
/** The weights of one board size. */
const WEIGHTS = 60_000;
/** The explorer and the reports, which are loaded when they are wanted. */
const EXPLORER = 220_000;
/** The rules, whose module is in the script. */
const RULES = 100_000;

let isOver = false;

function gzipped(name) {
  const bytes = readFileSync(new URL(`./${name}`, import.meta.url));
  const { length } = gzipSync(bytes, { level: 9 });
  console.log(`${name}: ${bytes.length} bytes, ${length} gzipped`);
  return length;
}

function compare(what, size, budget) {
  console.log(`${what} ${size} gzipped, the budget is ${budget}`);
  isOver ||= size > budget;
}

compare('together', gzipped('js/tak-engine.wasm') + gzipped('js/classic/tak-engine.worker.js'), PROGRAM);
const weights = [3, 4, 5, 6, 7, 8].map((size) => gzipped(`js/weights-${size}.bin`));
compare('the largest of the weights', Math.max(...weights), WEIGHTS);
compare('the explorer and the reports', gzipped('../../web/serverless/tak-engine-explorer.wasm'), EXPLORER);
compare('the rules', gzipped('js/rules.js'), RULES);
process.exitCode = isOver && process.argv.includes('--check') ? 1 : 0;
