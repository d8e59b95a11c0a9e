// The page without a server in Firefox, which Playwright can only drive in a build of its own. The tests in Chromium, of
// every part of the page, are beside this file.

import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import test from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';

import puppeteer from 'puppeteer-core';

import { staticPage } from './support/needs.js';
import { host } from './support/servers.js';

const firefox = process.env.FIREFOX ?? ['firefox', 'firefox-esr'].map((name) => `/usr/bin/${name}`).find(existsSync);
const lacks = !firefox ? 'no Firefox: FIREFOX can name one' : !existsSync(staticPage) ? 'no target/page' : false;

test('a game, an analysis and a start without a network in Firefox', {
  skip: !process.env.CI && lacks,
  timeout: 120_000,
}, async () => {
  const server = await host(staticPage);
  const browser = await puppeteer.launch({ browser: 'firefox', executablePath: firefox });
  try {
    const page = await browser.newPage();
    /** @type {string[]} */
    const faults = [];
    page.on('pageerror', (error) => faults.push(`${error}`));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    // Not `waitForFunction`: it needs eval, which the page forbids. While the page loads, `evaluate` fails.
    const wait = async (/** @type {string} */ condition) => {
      while (!(await page.evaluate(condition).catch(() => false))) {
        await delay(20);
      }
    };
    const moves = (/** @type {number} */ count) =>
      wait(`document.querySelectorAll('[role=group][aria-label="Moves of the game"] button').length === ${count}`);
    const button = (/** @type {string} */ name) => page.locator(`aria/${name}[role="button"]`).click();
    const choose = (/** @type {string} */ group, /** @type {string} */ value) =>
      page.locator(`[role=radiogroup][aria-label="${group}"] label:has([value="${value}"])`).click();
    await page.goto(server.url);
    await wait("document.querySelectorAll('[role=gridcell]').length === 36");
    await button('New game');
    await choose('Players', 'engine');
    await choose('Board', '5');
    await choose('You play', 'black');
    await page.focus('aria/Level[role="slider"]');
    for (const key of /** @type {const} */ (['Home', 'ArrowRight', 'ArrowRight'])) {
      await page.keyboard.press(key);
    }
    await button('Start');
    await moves(1);
    await button('Hint');
    await wait(
      "[...document.querySelectorAll('[role=status]')].some(({ textContent }) => textContent.startsWith('Hint: '))",
    );
    await wait("navigator.serviceWorker.controller?.state === 'activated'");
    await server.stop();
    await page.reload();
    await moves(1);
    await page.locator('[role=gridcell][aria-label*=": empty"]').click();
    await moves(3);
    assert.deepEqual(faults, []);
  } finally {
    await browser.close();
  }
});
