// Dialogs and links of a server.

import { Tak } from '../support/tak.js';
import { expect, test } from '../support/test.js';

test('links go out without the token and come back', async ({ page, serve }) => {
  const { url } = await serve(['--token', 'SECRET-12345']);
  const tak = await new Tak(page, url).open();
  await tak.paste('1. a1 a5 2. c3');
  await tak.shows('a1 a5 c3');
  const link = await tak.copyLink();
  expect(link).not.toContain('SECRET');
  expect(link).toContain('#');
  await tak.play('d4');
  await tak.paste(link);
  await tak.shows('a1 a5 c3');
  await expect(tak.openDialog).toBeHidden();
});

test('the rules and the way back from them have the token', async ({ page, serve }) => {
  const { url } = await serve(['--token', 'SECRET-12345']);
  const tak = await new Tak(page, url).open();
  await tak.openView('Learn');
  const opened = page.context().waitForEvent('page');
  await page.locator('a[href^="how-to-play.html"]').first().click();
  const rules = await opened;
  await expect(rules.locator('use[href="#wcap"]').first()).toBeVisible();
  await rules.getByRole('link', { name: 'Back to the board' }).click();
  await new Tak(rules, url).ready();
});

test('choices in a dialog survive a lost connection', async ({ page, serve, faults }) => {
  const server = await serve();
  const tak = await new Tak(page, server.url).open();
  await tak.openNew();
  await tak.choose({ mode: 'engine', size: 7, level: 12 });
  await server.stop();
  await tak.said('Not connected');
  await tak.button('Start', tak.newDialog).click();
  const problem = tak.problem('tak-engine is not connected');
  await expect(problem).toBeVisible();
  await serve([], server.port);
  await tak.connects();
  await expect(tak.choice('size', 7)).toBeChecked();
  await expect(tak.newDialog.getByRole('slider', { name: 'Level' })).toHaveValue('12');
  await expect(problem).toBeHidden();
  faults.length = 0;
  await tak.button('Start', tak.newDialog).click();
  await expect(tak.squares).toHaveCount(49);
});
