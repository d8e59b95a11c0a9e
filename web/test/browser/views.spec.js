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

/** Controls that are too small for fingers, with their sizes. @param {import('@playwright/test').Page} page */
const small = (page) =>
  page.evaluate(() => {
    const place = document.querySelector('dialog[open]') ?? document.body;
    // In a low window a high stack has less room for the number to lift.
    const controls = [
      ...place.querySelectorAll('button:not(p *, #grid *, .counts *), select, label:has(> input.unseen), .segment'),
    ];
    return controls.flatMap((control) => {
      const { width, height } = control.getBoundingClientRect();
      const isSmall = height < 43.5 || (control.matches('button') && width < 43.5);
      const isSeen = width > 1 && control.checkVisibility({ visibilityProperty: true });
      return isSeen && isSmall ? [`${control.textContent?.trim()} ${width} by ${height}`] : [];
    });
  });

for (const [width, height] of [
  [844, 390],
  [1024, 768],
]) {
  test.describe(`with fingers, at ${width} by ${height}`, { tag: '@thorough' }, () => {
    test.use({ hasTouch: true, isMobile: true, viewport: { width, height } });
    for (const { name, open } of VIEWS) {
      test(`controls are large enough: ${name}`, async ({ tak, page }) => {
        await open(tak);
        expect(await small(page)).toEqual([]);
      });
    }
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
