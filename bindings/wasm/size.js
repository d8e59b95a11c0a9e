// The size of what a page loads, gzipped, against its budget. With `--check` it fails if that is too much.

import { readFileSync } from 'node:fs';
import { gzipSync } from 'node:zlib';

const BUDGET = 350_000;

const sizes = ['tak-engine.wasm', 'classic/tak-engine.worker.js'].map((name) => {
  const bytes = readFileSync(new URL(`./js/${name}`, import.meta.url));
  const gzipped = gzipSync(bytes, { level: 9 }).length;
  console.log(`${name}: ${bytes.length} bytes, ${gzipped} gzipped`);
  return gzipped;
});
const total = sizes.reduce((sum, size) => sum + size, 0);
console.log(`together ${total} gzipped, the budget is ${BUDGET}`);
process.exitCode = process.argv.includes('--check') && total > BUDGET ? 1 : 0;
