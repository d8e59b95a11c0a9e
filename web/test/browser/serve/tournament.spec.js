// The page to watch a tournament on: `tak-engine tournament --watch` and `tournament merge --follow`.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

import { AxeBuilder } from '@axe-core/playwright';

import { program } from '../support/needs.js';
import { expect, test } from '../support/test.js';

/**
 * Starts `tak-engine tournament`, and returns the address of its page.
 * @param {string[]} args
 * @param {(() => void)[]} ends what ends it
 */
async function start(args, ends) {
  const child = spawn(program, ['tournament', ...args], { stdio: ['ignore', 'pipe', 'pipe'] });
  ends.push(() => child.kill('SIGINT'));
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', () => {});
  }
  const lines = [child.stdout, child.stderr].map((input) => createInterface({ input }));
  for (;;) {
    const [line] = await Promise.race(lines.map((each) => once(each, 'line')));
    const url = /^The tournament is at (\S+)/.exec(line)?.[1];
    if (url) {
      return { url, child };
    }
  }
}

test('a tournament is watched while it is played', async ({ page }, info) => {
  /** @type {(() => void)[]} */
  const ends = [];
  const journal = info.outputPath('games.jsonl');
  const engine = (/** @type {string} */ name, /** @type {string} */ limit) => [
    '--engine',
    `path=${program}`,
    `name=${name}`,
    limit,
    'option.Hash=1',
  ];
  try {
    const { url, child } = await start(
      [
        ...['--size', '4', '--games', '2000', '--threads', '1', '--watch', '0', '--journal', journal],
        ...engine('<b>fast</b>', 'nodes=40'),
        ...engine('timed', 'tc=1000+1'),
      ],
      ends,
    );
    // The timed engine thinks for long, so that a game is in progress.
    await page.goto(url);
    const progress = page.locator('#live');
    await expect(progress.getByRole('figure')).toHaveCount(1);
    await expect(progress.getByText('<b>fast</b>')).toBeVisible();
    await expect(progress.locator('.clock')).toHaveText(/^1\d:\d\d$/);
    await expect(progress.getByText(/depth \d/).first()).toBeVisible();
    // The clock runs, and what has not changed stays.
    const link = page.getByRole('link', { name: 'Game 1', exact: true });
    await link.focus();
    const before = await progress.locator('.clock').textContent();
    await expect(progress.locator('.clock')).not.toHaveText(before ?? '');
    await expect(link).toBeFocused();
    await expect(page.getByText('No answer')).toBeHidden();
    await link.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Game 1');
    await expect(page.getByText('in progress')).toBeVisible();
    child.kill('SIGINT');
    await once(child, 'close');
  } finally {
    ends.map((end) => end());
  }
});

test('games of a folder are stepped through', { tag: '@thorough' }, async ({ page, faults }, info) => {
  /** @type {(() => void)[]} */
  const ends = [];
  const journal = info.outputPath('games.jsonl');
  const engines = ['one', 'two'].flatMap((name) => ['--engine', `path=${program}`, `name=${name}`, 'option.Hash=1']);
  try {
    const match = ['--size', '4', '--games', '4', '--all-engines', 'nodes=30', '--journal', journal];
    const child = spawn(program, ['tournament', ...match, ...engines], { stdio: 'ignore' });
    await once(child, 'close');
    const { url } = await start(['merge', '--follow', info.outputDir, '--watch', '0'], ends);
    await page.goto(url);
    await expect(page.getByText('4 of 4 games')).toBeVisible();
    await expect(page.getByRole('heading', { name: 'Standings' })).toBeVisible();
    for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
      await page.emulateMedia({ colorScheme });
      for (const address of [url, new URL('game/1', url).href]) {
        await page.goto(address);
        const { violations } = await new AxeBuilder({ page }).analyze();
        expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
        await page.setViewportSize({ width: 320, height: 600 });
        expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(320);
        await page.setViewportSize({ width: 1200, height: 900 });
      }
    }
    const current = page.locator('[aria-current=step]');
    const last = await page.locator('.moves a').last().textContent();
    await expect(current).toHaveText(last ?? '');
    await page.keyboard.press('Home');
    await expect(current).toHaveCount(0);
    // The script hears keys when it is loaded.
    await page.waitForLoadState();
    await page.keyboard.press('ArrowRight');
    await expect(current).toHaveText((await page.locator('.moves a').first().textContent()) ?? '');
    await expect(page.getByRole('img').first()).toBeVisible();
    await page.getByText('PTN', { exact: true }).click();
    await expect(page.getByText('[Player1 "one"]')).toBeVisible();
    await page.getByRole('link', { name: 'Back to the tournament' }).click();
    await expect(page).toHaveURL(url);
    // The page tells that its runner has ended.
    ends.map((end) => end());
    await expect(page.getByText('No answer: the runner has ended')).toBeVisible();
    // The server that is not there.
    faults.length = 0;
  } finally {
    ends.map((end) => end());
  }
});
