// Pictures of the page are compared with those in the folder of that name. `npm run pictures` makes them again, with
// `-- -g NAME` for some. They are of views that look the same each time, and few enough to be looked at.

import { fonts } from '../support/needs.js';
import { expect, test } from '../support/test.js';
import { VIEWS } from '../support/views.js';

/** The colours in which each view is compared. @type {Record<string, ('light' | 'dark')[]>} */
const SCHEMES = {
  'empty board': ['light'],
  'pieces in hand': ['light', 'dark'],
  tak: ['light', 'dark'],
  'finished game': ['light', 'dark'],
  variations: ['light'],
  'mistake tried again': ['dark'],
  puzzle: ['light'],
  'new game': ['light'],
};

test.use({ viewport: { width: 1000, height: 700 } });

for (const { name, open } of VIEWS) {
  for (const colorScheme of SCHEMES[name] ?? []) {
    test(`${name}, ${colorScheme}`, async ({ tak, page }) => {
      test.skip(!fonts && !process.env.CI, 'the font of the pictures is not there');
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await open(tak);
      await page.mouse.move(0, 0);
      await tak.isQuiet();
      await expect(page).toHaveScreenshot(`${name} ${colorScheme}.png`.replaceAll(' ', '-'));
    });
  }
}
