// What the tests of the page need besides npm packages.

import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { env } from 'node:process';
import { fileURLToPath } from 'node:url';

/** @param {string} path from the root of the repository */
const root = (path) => fileURLToPath(new URL(`../../../../${path}`, import.meta.url));

// A headless build first: it takes half the time.
const BROWSERS = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'chrome',
];

/** The browser: that of the variable `CHROMIUM`, or one on the path; `undefined` if there is none. */
export const browser =
  env.CHROMIUM ??
  BROWSERS.flatMap((name) => (env.PATH ?? '').split(delimiter).map((folder) => join(folder, name))).find(existsSync);

/** The program: that of the variable `TAK_ENGINE`, or the debug build. */
export const program = env.TAK_ENGINE ?? root('target/debug/tak-engine');

/** The folder that `make page` writes. */
export const staticPage = root('target/page');

/** The font of the pictures, which `scripts/browsers.sh` installs. */
const FONT = '/usr/share/fonts/truetype/dejavu';

/** Settings of fontconfig that draw all text with this font; `undefined` if it is not there. */
export const fonts = existsSync(FONT) ? root('web/test/browser/support/fonts.conf') : undefined;
