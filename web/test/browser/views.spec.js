// Every view: barriers for people with disabilities that axe-core finds, and overflow.

import AxeBuilder from '@axe-core/playwright';

import { expect, test } from './support/test.js';
import { THEMES, VIEWS } from './support/views.js';

const SCHEMES = /** @type {const} */ (['light', 'dark']);

/** @param {import('@playwright/test').Page} page @param {string[]} [rules] all by default */
async function barriers(page, rules) {
  // Colours on the way to others are not judged.
  await page.emulateMedia({ reducedMotion: 'reduce' });
  const builder = new AxeBuilder({ page }).setLegacyMode().options({ resultTypes: ['violations'] });
  const { violations } = await (rules ? builder.withRules(rules) : builder).analyze();
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`);
}

for (const { name, open } of VIEWS) {
  test(`axe finds nothing: ${name}`, { tag: '@thorough' }, async ({ tak, page }) => {
    await open(tak);
    await tak.fits();
    expect(await barriers(page), 'light').toEqual([]);
    // The others differ only in colours.
    await page.emulateMedia({ colorScheme: 'dark' });
    expect(await barriers(page, ['color-contrast']), 'dark').toEqual([]);
  });
}

test('axe finds nothing: colours of a game', async ({ tak, page }) => {
  await VIEWS.find(({ name }) => name === 'game')?.open(tak);
  for (const theme of THEMES) {
    await tak.board(theme);
    for (const colorScheme of SCHEMES) {
      await page.emulateMedia({ colorScheme });
      expect(await barriers(page, ['color-contrast']), `${theme}, ${colorScheme}`).toEqual([]);
    }
  }
});

test('axe finds a barrier that is there', async ({ tak, page }) => {
  await tak.open();
  await page.evaluate(() => document.body.append(new Image()));
  expect((await barriers(page)).join()).toContain('image-alt');
});
