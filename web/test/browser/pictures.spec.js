// Pictures of every view are compared with those in the folder of that name. `npm run pictures` makes them again, with
// `-- -g NAME` for one view. A view that has none is not compared.

import { existsSync } from 'node:fs';
import { env } from 'node:process';

import { fonts } from './support/needs.js';
import { expect, test } from './support/test.js';
import { VIEWS } from './support/views.js';

for (const { name, open } of VIEWS.filter(({ isMoving }) => !isMoving)) {
  for (const colorScheme of /** @type {const} */ (['light', 'dark'])) {
    const file = `${name} ${colorScheme}.png`.replaceAll(' ', '-');
    if (!env.PICTURES && !existsSync(new URL(`pictures/serve/${file}`, import.meta.url))) {
      continue;
    }
    test(`${name}, ${colorScheme}`, async ({ tak, page }) => {
      test.skip(!fonts && !env.CI, 'the font of the pictures is not there');
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      await open(tak);
      await page.mouse.move(0, 0);
      await expect(page).toHaveScreenshot(file);
    });
  }
}
