// How fast the page without a server starts: `node web/measure.js FOLDER [ROUNDS]`. Each round is a cold load in a fresh
// Chromium at 10 Mbit/s and 40 ms, from a host that compresses its files. CHROMIUM can name the browser. Scripts of
// workers, some 4 kB, are not slowed down.

import { once } from 'node:events';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import { chromium } from '@playwright/test';

import { browser as executablePath } from './test/browser/support/needs.js';
import { TYPES } from './test/browser/support/servers.js';

const LINE = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };

const [folder, rounds = '10'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node web/measure.js FOLDER [ROUNDS]');
  process.exit(2);
}

const names = readdirSync(folder, { encoding: 'utf8', recursive: true }).filter((name) =>
  statSync(join(folder, name)).isFile(),
);
const compressed = new Map(names.map((name) => [name, gzipSync(readFileSync(join(folder, name)), { level: 9 })]));
/** The files that were asked for. @type {string[]} */
const asked = [];

const server = createServer(({ url = '' }, response) => {
  const name = new URL(url, 'http://localhost').pathname.slice(1) || 'index.html';
  const content = compressed.get(name);
  if (content) {
    asked.push(name);
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' }).end(content);
  } else {
    response.writeHead(404).end();
  }
});
server.listen(0, '127.0.0.1');
await once(server, 'listening');
const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());

/** Notes the first frame with a square in it, in the page. */
function watch() {
  const look = () => {
    if (document.querySelector('[role=gridcell]')) {
      performance.mark('first-board');
    } else {
      requestAnimationFrame(look);
    }
  };
  requestAnimationFrame(look);
}

async function load() {
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const page = await browser.newPage();
    const session = await page.context().newCDPSession(page);
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
    await page.addInitScript(watch);
    asked.length = 0;
    await page.goto(`http://127.0.0.1:${port}/`, { waitUntil: 'commit' });
    await page.waitForFunction(() => performance.getEntriesByName('engine-ready').length > 0);
    // The files for the next visit are asked for after that.
    const files = asked.slice(0, asked.indexOf('service-worker.js') >>> 0);
    const at = await page.evaluate(() =>
      ['first-paint', 'first-board', 'engine-ready'].map((name) => performance.getEntriesByName(name)[0].startTime),
    );
    return { at, files };
  } finally {
    await browser.close();
  }
}

/** @param {number[]} times */
function shown(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return `${[sorted[sorted.length >> 1], sorted[0], sorted[sorted.length - 1]].map((time) => time.toFixed(0)).join(', ')} ms`;
}

const loads = [];
for (let round = 0; round < Number(rounds); round += 1) {
  loads.push(await load());
}
server.close();
console.log(`${rounds} cold loads at 10 Mbit/s and 40 ms: median, least, most`);
console.log(`first paint: ${shown(loads.map(({ at: [paint] }) => paint))}`);
console.log(`first board: ${shown(loads.map(({ at: [, board] }) => board))}`);
console.log(`from the first paint to the first board: ${shown(loads.map(({ at: [paint, board] }) => board - paint))}`);
console.log(`engine ready: ${shown(loads.map(({ at: [, , ready] }) => ready))}`);
const files = [...new Set(loads.flatMap((each) => each.files))];
const size = (/** @type {string} */ name) => compressed.get(name)?.length ?? 0;
console.log(`asked for until then: ${files.reduce((sum, name) => sum + size(name), 0)} bytes gzipped`);
for (const name of files) {
  console.log(`  ${name} ${size(name)}`);
}
