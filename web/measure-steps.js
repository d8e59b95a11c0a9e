// How fast a long game opens, and how fast steps in one are with analysis on, over both ways to the page:
// `node web/measure-steps.js [STEPS]`, after `make page` and `cargo build`. TAK_ENGINE can name the program, and CHROMIUM
// the browser.

import { chromium } from '@playwright/test';

import { browser as executablePath, staticPage } from './test/browser/support/needs.js';
import { host, serve } from './test/browser/support/servers.js';
import { Tak } from './test/browser/support/tak.js';

const steps = Number(process.argv[2] ?? 60);
/** The lengths of the games in plies: for steps, and to be opened. */
const [STEP_PLIES, OPENED_PLIES] = [5000, 2000];
const OPENINGS = 7;
/** The longest wait for the page in milliseconds: other programs may have the processor. */
const TIMEOUT_MS = 180_000;

/** A game on 8x8 of this many plies. @param {number} plies */
const game = (plies) => `[Size "8"]\n\na1 h8 ${'h8- a1+ h7+ a2- '.repeat(plies / 4 - 1)}c3 d4`;

/** Tells the milliseconds from a click to the painted board after another move, in the page. */
function watch() {
  let begun = 0;
  addEventListener('click', ({ timeStamp }) => (begun = timeStamp), { capture: true });
  const observer = new MutationObserver(() => {
    const from = begun;
    requestAnimationFrame(() => {
      // The next task comes after the frame is painted.
      const { port1, port2 } = new MessageChannel();
      port1.onmessage = () => {
        if (document.getElementById('grid')?.ariaBusy === 'false' && begun === from && from > 0) {
          begun = 0;
          /** @type {any} */ (globalThis).tellPainted(`${performance.now() - from}`);
        }
      };
      port2.postMessage(null);
    });
  });
  // The move whose position is on the board. It is marked when the position is known.
  observer.observe(document, { subtree: true, attributes: true, attributeFilter: ['aria-current'] });
}

/** @param {number[]} times */
function shown(times) {
  const sorted = times.toSorted((a, b) => a - b);
  return `${[sorted[sorted.length >> 1], sorted[0], sorted[sorted.length - 1]].map((time) => time.toFixed(1)).join(', ')} ms`;
}

/**
 * @param {import('@playwright/test').Page} page
 * @param {string} url
 * @param {boolean} isSecond whether it is the second visit, with the files of the first one
 */
async function measure(page, url, isSecond) {
  const session = await page.context().newCDPSession(page);
  await session.send('Runtime.enable');
  await session.send('Runtime.addBinding', { name: 'tellPainted' });
  await page.addInitScript(watch);
  /** The milliseconds to the next painted board. @returns {Promise<number>} */
  const painted = () =>
    new Promise((resolve) => session.once('Runtime.bindingCalled', ({ payload }) => resolve(Number(payload))));
  // In the time of the processor, so that other programs count less.
  await session.send('Performance.enable', { timeDomain: 'threadTicks' });
  /** Milliseconds of script, and of styles and layout, so far. */
  const work = async () => {
    const { metrics } = await session.send('Performance.getMetrics');
    const seconds = (/** @type {string} */ name) => metrics.find((each) => each.name === name)?.value ?? 0;
    return 1000 * (seconds('ScriptDuration') + seconds('LayoutDuration') + seconds('RecalcStyleDuration'));
  };

  // While `expect` waits it describes the page with ranges, and as long as they live each change of the page takes long.
  /** @param {string} text */
  const said = (text) =>
    page.waitForFunction((text) => document.getElementById('said')?.textContent?.includes(text), text);
  const tak = await new Tak(page, url).open();
  if (isSecond) {
    await page.waitForFunction(() => navigator.serviceWorker.controller?.state === 'activated');
    await tak.reload();
  }
  const openings = [];
  for (let round = 0; round < OPENINGS; round += 1) {
    await tak.paste('[Size "8"]\n\na1 h8');
    await said('Opened, with 1 move.');
    await tak.openFiles();
    await tak.openDialog.getByRole('textbox').first().fill(game(OPENED_PLIES));
    const opened = painted();
    await tak.button('Open this text', tak.openDialog).click();
    openings.push(await opened);
    await said(`Opened, with ${OPENED_PLIES / 2} moves.`);
  }
  console.log(`  a game of ${OPENED_PLIES} plies opens in ${shown(openings)}`);

  await tak.paste(game(STEP_PLIES));
  await said(`Opened, with ${STEP_PLIES / 2} moves.`);
  await tak.live.check();
  await page.waitForFunction(() => document.querySelector('.lines'));
  // To look for a button by its name among 5,000 others takes Playwright long.
  const { x, y } = await page.evaluate(() => {
    const button = /** @type {HTMLElement} */ (document.querySelector('[aria-label="One move back"]'));
    const { left, top, width, height } = button.getBoundingClientRect();
    return { x: left + width / 2, y: top + height / 2 };
  });
  await page.mouse.move(x, y);
  const [works, paints] = [/** @type {number[]} */ ([]), /** @type {number[]} */ ([])];
  for (let step = 0; step < steps; step += 1) {
    // The analysis of the position goes on, or has not begun.
    await page.waitForTimeout(step % 2 ? 1000 : 100);
    const begun = await work();
    const isPainted = painted();
    await page.mouse.down();
    await page.mouse.up();
    paints.push(await isPainted);
    works.push((await work()) - begun);
  }
  console.log(`  a step at ${STEP_PLIES} plies: script and layout ${shown(works)}, click to paint ${shown(paints)}`);
}

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
console.log('median, least, most');
for (const [name, start, isSecond] of /** @type {const} */ ([
  ['from a server', () => serve(), false],
  ['without a server', () => host(staticPage), false],
  ['without a server, the second visit', () => host(staticPage), true],
])) {
  const server = await start();
  const page = await browser.newPage({ viewport: { width: 1200, height: 900 } });
  page.setDefaultTimeout(TIMEOUT_MS);
  console.log(`${name}:`);
  await measure(page, server.url, isSecond);
  await page.close();
  await server.stop();
}
await browser.close();
