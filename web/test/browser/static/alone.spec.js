// The page without a server: offline, updated, and in browsers that refuse it something.

import { createHash } from 'node:crypto';
import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { Explorer } from '../support/explorer.js';
import { Library } from '../support/library.js';
import { staticPage } from '../support/needs.js';
import { Tak } from '../support/tak.js';
import { expect, test } from '../support/test.js';
import { isKept } from './kept.js';

test.use({ serviceWorkers: 'allow' });

test('it starts without a network', async ({ page, host, beside }) => {
  const server = await host();
  const tak = await new Tak(page, server.url).open();
  await tak.newGame({ size: 4, mode: 'engine', color: 'black', level: 1 });
  await tak.counts(1);
  await isKept(tak);
  await server.stop();
  await tak.reload();
  await tak.counts(1);
  await tak.free.click();
  await tak.counts(3);
  // The explorer is loaded when it is opened.
  await tak.openView('Explorer');
  await new Explorer(tak).choose({ 'games.ptn': '[Size "4"]\n1. a1 d4' });
  await tak.tells('games.ptn · 1 game');
  await tak.backToGame.click();
  await tak.counts(3);
  // In a new tab, by its other name, and the second page. The stored game is there.
  const other = await beside(`${server.url}index.html`);
  await other.counts(3);
  await other.page.goto(`${server.url}how-to-play.html`);
  const article = other.page.getByRole('article');
  await expect.poll(() => article.getByRole('figure').count()).toBeGreaterThan(3);
  await expect(article).toHaveCSS('max-width', '760px');
});

test('files and texts that other programs share are opened, also without a network', async ({ page, host, beside }) => {
  const server = await host();
  const tak = await new Tak(page, server.url).open();
  await isKept(tak);
  const manifest = await (await fetch(`${server.url}manifest.webmanifest`)).json();
  const { share_target: target, shortcuts, file_handlers: handlers } = manifest;
  expect(handlers[0].accept['text/x-ptn']).toContain('.ptn');
  await server.stop();
  /** @param {Record<string, string>} texts @param {string} file */
  const share = async (texts, file = '') => {
    const address = await page.evaluate(
      async ({ action, given, content, fileName }) => {
        const form = new FormData();
        for (const [name, text] of Object.entries(given)) {
          form.append(name, text);
        }
        form.append('file', new File([content], fileName));
        return (await fetch(action, { method: 'POST', body: form })).url;
      },
      { action: target.action, given: texts, content: file, fileName: 'Gäme.ptn' },
    );
    return beside(address);
  };
  const one = await share({ text: '[Size "5"]\n1. a1 e5' });
  await one.shows('a1 e5');
  const two = await share({}, '[Size "4"]\n[Player1 "Ann"]\n1. a1 d4 2. b2');
  await two.shows('a1 d4 b2');
  expect(new URL(two.page.url()).search).toBe('');
  // The file goes on its way into the library if the page is loaded again.
  await two.reload();
  await two.page.goto(new URL(shortcuts[2].url, server.url).href);
  const games = new Library(two);
  await games.has(/^Ann.*Gäme\.ptn$/);
  // As a browser sends what is shared: a form as the address of a page.
  const three = await page.context().newPage();
  await three.setContent(
    `<form method="post" enctype="${target.enctype}" action="${new URL(target.action, server.url)}"><input name="text"><button>Share</button></form>`,
  );
  await three.getByRole('textbox').fill('[Size "3"]\n1. a1 c3 2. b2');
  await three.getByRole('button').click();
  await new Tak(three, server.url).shows('a1 c3 b2');
});

test('files that are opened with it go to the board or the library', async ({ page, home, faults }) => {
  await page.addInitScript(() => {
    const launchQueue = {
      /** @param {(launch: unknown) => void} take */
      setConsumer(take) {
        /** @param {Record<string, string | null>} files their texts by name; a file that is gone has none */
        const launch = (files, targetURL = location.href) => {
          const handles = Object.entries(files).map(([name, text]) => ({
            kind: 'file',
            name,
            getFile: async () => {
              if (text === null) {
                throw new DOMException('it is gone', 'NotFoundError');
              }
              return new File([text], name);
            },
          }));
          take({ files: handles, targetURL });
        };
        Object.assign(window, { launch });
        launch({ 'first.ptn': '[Player1 "Ann"]\n[Size "5"]\n1. a1 e5 2. c3' });
      },
    };
    Object.defineProperty(window, 'launchQueue', { value: launchQueue });
  });
  const tak = await new Tak(page, home).open();
  await tak.shows('a1 e5 c3');
  /** @param {Record<string, string | null>} files @param {string} [address] */
  const launch = (files, address) =>
    page.evaluate(
      ([given, to]) => /** @type {any} */ (window).launch(given, to),
      /** @type {const} */ ([files, address]),
    );
  await launch({ 'here.tps': 'x4,1/x5/x5/x5/2,x4 1 2' });
  await tak.counts(0);
  await tak.holds('a1', 'black flat');
  await launch({ 'gone.ptn': null });
  await tak.said('Could not open this: gone.ptn: it is gone.');
  await launch({ 'b.ptn': '[Size "4"]\n1. a1 d4', 'c.ptn': '[Size "6"]\n1. a1 f6' });
  const library = new Library(tak);
  for (const name of [/c\.ptn$/, /b\.ptn$/, /^Ann.*first\.ptn$/]) {
    await library.has(name);
  }
  await launch({}, new URL('./#puzzles', home).href);
  await expect(tak.button('Solution')).toBeVisible();
  expect(faults).toEqual([]);
});

/** Replaces the language and the version of a page. @param {string} folder @param {string} version */
function update(folder, version) {
  const [index, worker] = ['index.html', 'service-worker.js'].map((name) => join(folder, name));
  const text = readFileSync(index, 'utf8');
  const next = text.replace('lang="en"', 'lang="en-GB"');
  const hash = (/** @type {string} */ content) => createHash('sha256').update(content).digest('base64');
  const script = readFileSync(worker, 'utf8');
  expect(script).toContain(hash(text));
  expect(script).toContain(version);
  writeFileSync(index, next);
  writeFileSync(worker, script.replace(hash(text), hash(next)).replace(version, 'next'));
}

test('an update waits for its user and reaches all tabs', async ({ page, host, beside }, info) => {
  const folder = info.outputPath('page');
  cpSync(staticPage, folder, { recursive: true });
  const server = await host(folder);
  const tak = await new Tak(page, server.url).start({ size: 3 });
  await tak.play('a1 c3');
  await isKept(tak);
  const other = await beside(server.url);
  await other.play('b2');
  const version = await page.evaluate(async () => (await caches.keys())[0].split(' ').at(-1));
  update(folder, version ?? '');
  // It is noticed at a start, and waits.
  for (let start = 0; start < 2; start += 1) {
    await tak.reload();
    await expect(tak.button('Update')).toBeVisible();
    await expect(page.locator('html')).toHaveAttribute('lang', 'en');
  }
  await tak.button('Update').click();
  for (const [each, moves] of /** @type {const} */ ([
    [tak, 'a1 c3'],
    [other, 'a1 c3 b2'],
  ])) {
    await expect(each.page.locator('html')).toHaveAttribute('lang', 'en-GB');
    await each.shows(moves);
    await expect(each.button('Update')).toBeHidden();
  }
  expect(await page.evaluate(async () => (await caches.keys()).length)).toBe(1);
});

for (const [what, quota, script] of /** @type {const} */ ([
  ['has no room', 100_000, ''],
  [
    'refuses it',
    100_000_000,
    "navigator.serviceWorker.register = () => Promise.reject(new DOMException('', 'SecurityError'))",
  ],
  ['has no workers for it', 100_000_000, 'delete Navigator.prototype.serviceWorker'],
])) {
  test(`if the browser ${what}, the files are not kept and it is played online`, async ({ page, context, host }) => {
    const { url } = await host();
    const session = await context.newCDPSession(page);
    await session.send('Storage.overrideQuotaForOrigin', { origin: new URL(url).origin, quotaSize: quota });
    await page.addInitScript(script);
    const tak = await new Tak(page, url).start({ size: 3 });
    await tak.play('a1 c3');
    await expect
      .poll(() => page.evaluate(() => performance.getEntriesByName('engine-ready').length))
      .toBeGreaterThan(0);
    await expect
      .poll(() => page.evaluate(async () => (await navigator.serviceWorker?.getRegistration()) === undefined))
      .toBe(true);
    await tak.reload();
    await tak.shows('a1 c3');
  });
}

test('a browser without WebAssembly gets a reason', async ({ page, host }) => {
  const { url } = await host();
  await page.addInitScript('delete globalThis.WebAssembly');
  await page.goto(url);
  const reason =
    'The engine cannot be started: this browser has no WebAssembly with SIMD, or it is turned off; another browser may do.';
  await expect(page.getByRole('status').filter({ hasText: reason })).toBeVisible();
});

test('a busy engine answers the next question', async ({ page, host }) => {
  // A worker that searches hears nothing: a fresh one takes its place, without isolation from other sites.
  const { url } = await host();
  const tak = await new Tak(page, url).start({ size: 6 });
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(false);
  await tak.live.check();
  for (const square of ['a1', 'f6', 'c3']) {
    await expect(tak.effort).toBeVisible();
    const before = await tak.effort.textContent();
    await tak.play(square);
    await expect(tak.effort).not.toHaveText(before ?? '');
  }
  await expect(tak.effort).toBeVisible();
  // A review, which ends by itself, follows an analysis that would not.
  await tak.annotate();
});

test('a worker that does not start is replaced', async ({ page, host, faults }) => {
  const { url } = await host();
  // The second worker is the one that searches.
  await page.addInitScript(() => {
    let count = 0;
    globalThis.Worker = class extends Worker {
      /** @param {string | URL} url @param {WorkerOptions} [options] */
      constructor(url, options) {
        count += 1;
        super(count === 2 ? 'missing.js' : url, options);
      }
    };
  });
  const tak = await new Tak(page, url).start({ size: 6 });
  await tak.live.check();
  await expect(tak.effort).toBeVisible();
  // The file that is not there.
  faults.length = 0;
});

test('it can be installed', async ({ page, context, host }) => {
  const { url } = await host();
  await new Tak(page, url).open();
  const areRight = await page.evaluate(async () => {
    const link = /** @type {HTMLLinkElement} */ (document.querySelector('link[rel=manifest]'));
    const { icons } = await (await fetch(link.href)).json();
    return Promise.all(
      icons.map(async (/** @type {{ src: string, sizes: string }} */ { src, sizes }) => {
        const image = new Image();
        image.src = src;
        await image.decode();
        return sizes === 'any' || sizes === `${image.naturalWidth}x${image.naturalHeight}`;
      }),
    );
  });
  expect(areRight).toEqual([true, true, true, true]);
  const session = await context.newCDPSession(page);
  expect((await session.send('Page.getAppManifest')).errors).toEqual([]);
});
