// How long a step takes in games of several lengths, on the page without a server and with analysis on:
// `node web/steps.js FOLDER`. Each time is the median of 20 steps, from the click to the changed list of moves: to positions
// that were not seen before, and back; then the longest of all. CHROMIUM can name the browser.

import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';

import puppeteer from 'puppeteer-core';

const LENGTHS = [60, 600, 5000];
const STEPS = 20;
const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm' };

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node web/steps.js FOLDER');
  process.exit(2);
}
const chromium = process.env.CHROMIUM
  ?? ['chromium-headless-shell', 'chromium', 'google-chrome'].map((name) => `/usr/bin/${name}`).find(existsSync);

const server = createServer((request, response) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  const file = join(folder, pathname === '/' ? 'index.html' : pathname);
  response.writeHead(existsSync(file) ? 200 : 404, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream' });
  response.end(existsSync(file) ? readFileSync(file) : '');
}).listen(0, 'localhost');

/** A game of this length on 8x8: four flats that go round, then two more. */
function game(plies) {
  const round = ['h8-', 'a1+', 'h7+', 'a2-'];
  const moves = Array.from({ length: plies - 4 }, (_, index) => round[index % 4]);
  return `[Size "8"]\n\n${['a1', 'h8', ...moves, 'c4', 'd4'].join(' ')}`;
}

/** Runs in the page: opens a game and walks through it. Returns milliseconds. */
async function walk(text, plies, steps) {
  const find = (label) => [...document.querySelectorAll('button')].find((each) => (each.ariaLabel ?? each.textContent.trim()) === label);
  const pause = (time) => new Promise((go) => setTimeout(go, time));
  const until = async (isSo) => {
    while (!isSo()) {
      await pause(1);
    }
  };
  const changed = () => new Promise((go) => {
    const options = { attributes: true, subtree: true, attributeFilter: ['aria-current'] };
    new MutationObserver((changes, observer) => go(observer.disconnect())).observe(document.querySelector('.moves'), options);
  });
  const press = async (label) => {
    const begun = performance.now();
    const done = changed();
    find(label).click();
    await done;
    return performance.now() - begun;
  };
  let longest = 0;
  const median = async (label) => {
    const times = [];
    for (let step = 0; step < steps; step += 1) {
      times.push(await press(label));
      await pause(100);
    }
    longest = Math.max(longest, ...times);
    return times.sort((a, b) => a - b)[steps / 2];
  };
  find('Open').click();
  await until(() => document.querySelector('dialog[open] textarea'));
  const field = document.querySelector('dialog textarea');
  field.value = text;
  field.dispatchEvent(new Event('input'));
  await pause(500);
  const begun = performance.now();
  find('Open this text').click();
  await until(() => document.querySelectorAll('.moves .turn-row button').length === plies && !document.querySelector('dialog[open]'));
  const opened = performance.now() - begun;
  const live = document.querySelector('[role=switch]');
  if (!live.checked) {
    live.click();
  }
  await until(() => /^Depth/.test(document.querySelector('.live .fine')?.textContent ?? ''));
  return { opened, back: await median('One move back'), again: await median('One move forward'), longest };
}

const browser = await puppeteer.launch({ executablePath: chromium, args: ['--no-sandbox'] });
try {
  const page = await browser.newPage();
  await page.setViewport({ width: 1280, height: 720 });
  await page.goto(`http://localhost:${server.address().port}/`);
  await page.waitForSelector('[role=grid][aria-busy=false]');
  console.log('plies  opened     back    again  longest (ms)');
  for (const plies of LENGTHS) {
    const { opened, back, again, longest } = await page.evaluate(walk, game(plies), plies, STEPS);
    const columns = [plies, ...[opened, back, again, longest].map((time) => time.toFixed(1))];
    console.log(columns.map((column, index) => String(column).padStart(index === 0 ? 5 : 8)).join(' '));
  }
} finally {
  await browser.close();
  server.close();
}
