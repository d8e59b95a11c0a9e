// The test of a page: one server for each worker, and no errors in the browser at the end.

import { test as base, expect } from '@playwright/test';

import { staticPage } from './needs.js';
import { host, serve } from './servers.js';
import { Tak } from './tak.js';

export { expect };

/**
 * @typedef {object} Fixtures
 * @property {string[]} faults what the pages of the test complained about so far; a test that expects something empties it
 * @property {Tak} tak the page, which is not open yet
 * @property {(url?: string) => Promise<Tak>} beside opens the page in another tab
 * @property {(options?: string[], port?: number) => Promise<import('./servers.js').Server>} serve starts another server
 * @property {(folder?: string) => Promise<import('./servers.js').Server>} host starts another host of static files
 */

/** @extends {ReturnType<typeof base.extend<Fixtures, { home: string }>>} */
export const test = base.extend(
  /** @type {import('@playwright/test').Fixtures<Fixtures, { home: string }, import('@playwright/test').PlaywrightTestArgs & import('@playwright/test').PlaywrightTestOptions, import('@playwright/test').PlaywrightWorkerArgs & import('@playwright/test').PlaywrightWorkerOptions>} */ ({
    home: [
      async ({}, use, { project }) => {
        const server = await (project.name === 'static' ? host(staticPage) : serve());
        await use(server.url);
        await server.stop();
      },
      { scope: 'worker' },
    ],

    faults: [
      async ({ context }, use) => {
        /** @type {string[]} */
        const faults = [];
        context.on('weberror', (error) => faults.push(`${error.error().stack}`));
        context.on('console', (message) => {
          if (!message.text().includes('blocked by Playwright')) {
            faults.push(`${message.type()}: ${message.text()}`);
          }
        });
        await use(faults);
        expect(faults, 'errors in the browser').toEqual([]);
      },
      { auto: true },
    ],

    tak: async ({ page, home }, use) => {
      await use(new Tak(page, home));
    },

    beside: async ({ context, home }, use) => {
      await use(async (url = home) => {
        const tak = new Tak(await context.newPage(), home);
        await tak.page.goto(url);
        return tak;
      });
    },

    serve: async ({}, use) => {
      await using(use, serve);
    },

    host: async ({}, use) => {
      await using(use, (folder = staticPage) => host(folder));
    },
  }),
);

/**
 * Gives a test servers that are stopped after it.
 * @template {unknown[]} Args
 * @param {(start: (...args: Args) => Promise<import('./servers.js').Server>) => Promise<void>} use
 * @param {(...args: Args) => Promise<import('./servers.js').Server>} start
 */
async function using(use, start) {
  /** @type {import('./servers.js').Server[]} */
  const running = [];
  await use(async (...args) => {
    const server = await start(...args);
    const { stop } = server;
    server.stop = async () => {
      running.splice(running.indexOf(server), 1);
      await stop();
    };
    running.push(server);
    return server;
  });
  await Promise.all(running.map((server) => server.stop()));
}
