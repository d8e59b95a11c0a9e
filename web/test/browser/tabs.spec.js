// Several tabs of one browser.

import { expect, test } from './support/test.js';

test('each tab keeps its own game, and a new tab starts with the last one', async ({ tak, beside }) => {
  await tak.start({ size: 3 });
  await tak.play('a1 c3');
  const other = await beside();
  await other.shows('a1 c3');
  await other.play('b2');
  await tak.reload();
  await tak.shows('a1 c3');
  await tak.play('b3');
  await tak.shows('a1 c3 b3');
  await other.reload();
  await other.shows('a1 c3 b2');
});

test('a clock runs in one tab, and others show a copy until it is closed', async ({ tak, beside, page }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', time: 'clock', minutes: 10 });
  await tak.play('a1 e5');
  const other = await beside();
  await other.said('This game is being played in another tab');
  await expect(other.clock('white')).toBeHidden();
  // The copy is unchanged, so the next tab also starts with the game.
  const third = await beside();
  await third.said('This game is being played in another tab');
  // Both copies can be played on; neither is the game.
  await other.play('c3');
  await other.shows('a1 e5 c3');
  await tak.play('d3 d4');
  await tak.shows('a1 e5 d3 d4');
  // The tab of the game keeps it over a reload, and releases it when it is closed.
  await tak.reload();
  await tak.shows('a1 e5 d3 d4');
  await expect(tak.clock('white')).toBeVisible();
  await page.close();
  const last = await beside();
  await last.shows('a1 e5 d3 d4');
  await expect(last.clock('white')).toBeVisible();
});

for (const [what, script] of [
  ['full', "Storage.prototype.setItem = () => { throw new DOMException('', 'QuotaExceededError'); };"],
  [
    'forbidden',
    `for (const name of ['localStorage', 'sessionStorage']) {
      Object.defineProperty(window, name, { get() { throw new DOMException('', 'SecurityError'); } });
    }
    navigator.locks.request = async () => { throw new DOMException('', 'SecurityError'); };`,
  ],
]) {
  test(`a page whose storage is ${what} is playable, and says that it keeps no game`, async ({ tak, page }) => {
    const unsaved = tak.problem('The browser does not store this game');
    await tak.open();
    await expect(unsaved).toBeHidden();
    await page.addInitScript(script);
    await tak.open();
    await tak.newGame({ size: 3, mode: 'two', time: 'clock', minutes: 10 });
    await tak.play('a1 c3');
    await expect(tak.clock('white')).toBeVisible();
    await expect(unsaved).toBeVisible();
  });
}

test('what could not be loaded is told, and loaded at the next click', async ({ tak, page, faults }) => {
  await tak.start({ size: 5 });
  await tak.dialog('Settings');
  await tak.closeDialog();
  await page.route('**/*', (route) => route.abort());
  for (const [view, heading] of [
    ['Learn', 'The road'],
    ['Explorer', 'Explorer'],
  ]) {
    await page.getByRole('link', { name: view, exact: true }).click();
    await tak.tells('This part of the page could not be loaded; try again.');
    const failed = page.waitForEvent('requestfailed');
    await tak.button('Again').click();
    await failed;
    await tak.said('This part of the page could not be loaded; try again.');
    await page.unroute('**/*');
    await tak.button('Again').click();
    await expect(tak.title).toHaveText(heading);
    await page.route('**/*', (route) => route.abort());
  }
  faults.length = 0;
});
