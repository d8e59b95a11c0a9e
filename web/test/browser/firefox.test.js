// The page without a server in Firefox. The tests in Chromium, of every part of it, are in tests/browser.

import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

import puppeteer from 'puppeteer-core';

const folder = fileURLToPath(new URL('../../../target/page', import.meta.url));
const firefox = process.env.FIREFOX ?? ['firefox', 'firefox-esr'].map((name) => `/usr/bin/${name}`).find(existsSync);
const skip = !process.env.CI && ((!firefox && 'no Firefox: FIREFOX can name one') || (!existsSync(folder) && 'no target/page'));
const TYPES = { '.html': 'text/html', '.css': 'text/css', '.js': 'text/javascript', '.wasm': 'application/wasm', '.svg': 'image/svg+xml' };

function serve() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    const path = join(folder, pathname.replace('/tak/', '/').replace(/\/$/, '/index.html'));
    if (existsSync(path)) {
      response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream', Connection: 'close' });
      response.end(readFileSync(path));
    } else {
      response.writeHead(404).end();
    }
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

test('a game, an analysis and a start without a network in Firefox', { skip, timeout: 120_000 }, async () => {
  const server = await serve();
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox });
  try {
    const page = await browser.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    // Not `waitForFunction`: it needs eval, which the page forbids. While the page loads, `evaluate` fails.
    const wait = async (condition) => {
      while (!(await page.evaluate(condition).catch(() => false))) {
        await delay(20);
      }
    };
    const moves = (count) => wait(`document.querySelectorAll('#moves button').length === ${count}`);
    await page.goto(`http://127.0.0.1:${server.address().port}/tak/`);
    await wait("document.querySelectorAll('[role=gridcell]').length === 36");
    await page.click('#open-new');
    for (const [id, value] of [['size', '5'], ['mode', 'engine'], ['color', 'black'], ['level', '3']]) {
      await page.select(`#new-${id}`, value);
    }
    await page.evaluate(() => { document.querySelector('#new-more').open = true; });
    await page.click('#new-start');
    await moves(1);
    await page.click('#hint-button');
    await wait("document.querySelector('#notice').textContent.startsWith('Hint: ')");
    await page.evaluate(() => navigator.serviceWorker.ready.then(() => true));
    await wait("navigator.serviceWorker.controller?.state === 'activated'");
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
    await page.reload();
    await moves(1);
    await page.evaluate(() => [...document.querySelectorAll('[role=gridcell]')].find((cell) => cell.ariaLabel.includes(': empty')).click());
    await moves(3);
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
    server.close();
  }
});
