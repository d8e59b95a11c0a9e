// How fast the page without a server starts: `node web/measure.js FOLDER [ROUNDS]`. Each round is a cold load in a fresh
// Chromium at 10 Mbit/s and 40 ms, from a host that compresses its files. CHROMIUM can name the browser. Scripts of
// workers, some 3 kB, are not slowed down.

import { existsSync, readFileSync, readdirSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { gzipSync } from 'node:zlib';

import puppeteer from 'puppeteer-core';

const TYPES = {
  '.html': 'text/html',
  '.css': 'text/css',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.webmanifest': 'application/manifest+json',
};
const LINE = { offline: false, latency: 40, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };
const STEPS = 100;

const [folder, rounds = '10'] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node web/measure.js FOLDER [ROUNDS]');
  process.exit(2);
}
const chromium = process.env.CHROMIUM
  ?? ['chromium-headless-shell', 'chromium', 'google-chrome'].map((name) => `/usr/bin/${name}`).find(existsSync);

const names = readdirSync(folder, { recursive: true }).filter((name) => statSync(join(folder, name)).isFile());
const compressed = new Map(names.map((name) => [`/${name}`, gzipSync(readFileSync(join(folder, name)), { level: 9 })]));

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const name = pathname === '/' ? '/index.html' : pathname;
  if (compressed.has(name)) {
    const type = TYPES[extname(name)] ?? 'application/octet-stream';
    response.writeHead(200, { 'Content-Type': type, 'Content-Encoding': 'gzip' }).end(compressed.get(name));
  } else {
    response.writeHead(404).end();
  }
});
await new Promise((resolve) => {
  server.listen(0, '127.0.0.1', resolve);
});

/** Notes when the first square is painted, in the page. */
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

/** The milliseconds from a key to the changed board, for steps of the cursor to and fro on 8x8, in the page. */
async function step(steps) {
  const grid = document.getElementById('grid');
  const times = [];
  for (let index = 0; index < steps; index += 1) {
    const before = grid.getAttribute('aria-activedescendant');
    const begun = performance.now();
    grid.dispatchEvent(new KeyboardEvent('keydown', { key: index % 2 ? 'ArrowLeft' : 'ArrowRight', bubbles: true }));
    while (grid.getAttribute('aria-activedescendant') === before) {
      await null;
    }
    // Asking for a size has the browser lay the page out.
    grid.getBoundingClientRect();
    times.push(performance.now() - begun);
    await new Promise(requestAnimationFrame);
  }
  return times;
}

async function load() {
  const browser = await puppeteer.launch({
    executablePath: chromium,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
  try {
    const page = await browser.newPage();
    // Puppeteer's own method needs a later Chromium.
    const session = await page.createCDPSession();
    await session.send('Network.enable');
    await session.send('Network.emulateNetworkConditions', LINE);
    await page.evaluateOnNewDocument(watch);
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    const at = (name) => page.waitForFunction((mark) => performance.getEntriesByName(mark)[0]?.startTime, {}, name)
      .then((handle) => handle.jsonValue());
    const [board, ready] = [await at('first-board'), await at('engine-ready')];
    await page.waitForSelector('[role=grid][aria-busy=false]');
    await page.click('.new-game');
    for (const [label, value] of [['Players', 'two'], ['Board', '8']]) {
      await page.click(`dialog [aria-label="${label}"] [value="${value}"]`);
    }
    await page.click('dialog [type=submit]');
    await page.waitForFunction(() => document.querySelectorAll('[role=gridcell]').length === 64);
    const requests = [];
    page.on('request', (request) => requests.push(request.url()));
    const steps = await page.evaluate(step, STEPS);
    return { board, ready, steps, requests };
  } finally {
    await browser.close();
  }
}

const median = (numbers) => [...numbers].sort((a, b) => a - b)[Math.floor(numbers.length / 2)];
const shown = (numbers) => {
  const digits = median(numbers) < 100 ? 1 : 0;
  return `${[median(numbers), Math.min(...numbers), Math.max(...numbers)].map((each) => each.toFixed(digits)).join(', ')} ms`;
};

const loads = [];
for (let round = 0; round < Number(rounds); round += 1) {
  loads.push(await load());
}
server.close();
console.log(`${rounds} cold loads at 10 Mbit/s and 40 ms: median, least, most`);
console.log(`first board: ${shown(loads.map(({ board }) => board))}`);
console.log(`engine ready: ${shown(loads.map(({ ready }) => ready))}`);
console.log(`step of the cursor on 8x8: ${shown(loads.flatMap(({ steps }) => steps))}`);
console.log(`requests during the steps: ${loads.reduce((sum, { requests }) => sum + requests.length, 0)}`);
