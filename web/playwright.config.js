// The tests of the page in Chromium, over both ways to it: from a server on a desktop, and without one on a phone. With
// the environment variable `SCREEN` set to `desktop` or `phone` it is that screen for both. With `QUICK` set, as in .ci/run,
// the tests outside the folders `serve` and `static` run without a server only, and those with the tag `@thorough`, which
// take long for what they find, do not run.

import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { env } from 'node:process';

import { defineConfig } from '@playwright/test';

import { browser, fonts, staticPage } from './test/browser/support/needs.js';

if (!browser) {
  throw new Error('no Chromium: CHROMIUM can name one, and scripts/browsers.sh installs one');
}

const SCREENS = { desktop: { width: 1200, height: 900 }, phone: { width: 390, height: 844 } };

/** @param {'desktop' | 'phone'} usual */
const screen = (usual) => ({
  viewport: SCREENS[env.SCREEN === 'desktop' || env.SCREEN === 'phone' ? env.SCREEN : usual],
});

const projects = [
  {
    name: 'serve',
    ...(env.QUICK && { testMatch: 'serve/**/*.spec.js' }),
    testIgnore: 'static/**',
    use: screen('desktop'),
  },
  // Keeping the files takes longer than most tests; those that need it say so.
  {
    name: 'static',
    testIgnore: 'serve/**',
    use: { ...screen('phone'), serviceWorkers: /** @type {const} */ ('block') },
  },
];

export default defineConfig({
  testDir: 'test/browser',
  testMatch: '**/*.spec.js',
  outputDir: '../target/browser',
  snapshotPathTemplate: '{testDir}/pictures/{projectName}/{arg}{ext}',
  // Without `make page` there is no static page to test. In CI that is a fault.
  projects: projects.filter(({ name }) => name !== 'static' || env.CI || existsSync(staticPage)),
  fullyParallel: true,
  forbidOnly: Boolean(env.CI),
  ...(env.QUICK && { grepInvert: /@thorough/ }),
  // Many tests wait for the engine or for clocks.
  workers: availableParallelism() + 1,
  // On a machine that stands still for seconds a click can be lost. What passes only the second time is listed as flaky.
  retries: env.CI ? 1 : 0,
  // For a machine that does other things.
  timeout: 180_000,
  expect: {
    timeout: 60_000,
    toHaveScreenshot: { maxDiffPixelRatio: 0.002 },
  },
  reporter: env.CI ? 'dot' : 'list',
  use: {
    launchOptions: {
      executablePath: browser,
      // Root has no sandbox. Hinting depends on the machine.
      args: ['--no-sandbox', '--font-render-hinting=none'],
      env: { ...env, ...(fonts && { FONTCONFIG_FILE: fonts }) },
    },
  },
});
