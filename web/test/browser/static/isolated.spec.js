// From the second visit on, the page is isolated by its service worker: memory is shared with the engine.

import { Tak } from '../support/tak.js';
import { expect, test } from '../support/test.js';
import { isKept } from './kept.js';

test.use({ serviceWorkers: 'allow' });

/** @typedef {{ depth: number, nodes: number }} Report */

/** Counts the workers of the page, and keeps the reports of searches by questions. */
function watch() {
  /** @type {Map<number, Report[]>} */
  const reports = new Map();
  const watched = { workers: 0, reports };
  globalThis.Worker = class extends Worker {
    /** @param {string | URL} url @param {WorkerOptions} [options] */
    constructor(url, options) {
      super(url, options);
      watched.workers += 1;
      this.addEventListener('message', ({ data }) => {
        const { id, report } = JSON.parse(data.say ?? '{}');
        if (report) {
          reports.set(id, [...(reports.get(id) ?? []), report]);
        }
      });
    }
  };
  Object.assign(globalThis, { watched });
}

/** What was seen of the workers so far. @param {Tak} tak */
const seen = ({ page }) =>
  page.evaluate(() => {
    /** @type {{ workers: number, reports: Map<number, Report[]> }} */
    const { workers, reports } = /** @type {any} */ (globalThis).watched;
    return { workers, searches: [...reports.values()] };
  });

/** Waits until the last search has this depth, and returns the nodes that it took. @param {Tak} tak @param {number} depth */
async function nodesTo(tak, depth) {
  let nodes = 0;
  await expect
    .poll(async () => {
      const last = (await seen(tak)).searches.at(-1) ?? [];
      nodes = last.find((report) => report.depth >= depth)?.nodes ?? 0;
      return nodes;
    })
    .toBeGreaterThan(0);
  return nodes;
}

test('from the second visit on a flag stops the search, and its table stays', async ({ page, host }) => {
  const depth = 7;
  const { url } = await host();
  await page.addInitScript(watch);
  const tak = await new Tak(page, url).open();
  await isKept(tak);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await tak.start({ size: 6 });
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(true);
  await tak.play('a1 f6');
  await tak.live.check();
  const fresh = await nodesTo(tak, depth);
  const { workers, searches } = await seen(tak);
  // A search without an end is stopped by a move.
  await tak.play('c3');
  await expect.poll(async () => (await seen(tak)).searches.length).toBe(searches.length + 1);
  await nodesTo(tak, 2);
  await tak.step('One move back', 'f6');
  await expect.poll(async () => (await seen(tak)).searches.length).toBe(searches.length + 2);
  // With an empty table it would take just as many.
  expect(await nodesTo(tak, depth)).toBeLessThan(fresh);
  expect((await seen(tak)).workers).toBe(workers);
});
