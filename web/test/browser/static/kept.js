// The files that a service worker keeps.

import { expect } from '@playwright/test';

/** Waits until the page could start without a network. @param {import('../support/tak.js').Tak} tak */
export async function isKept(tak) {
  await expect
    .poll(() => tak.page.evaluate(() => navigator.serviceWorker.controller?.state).catch(() => ''))
    .toBe('activated');
}
