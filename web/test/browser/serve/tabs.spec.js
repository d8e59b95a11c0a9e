// Tabs of a server with a limit.

import { Tak } from '../support/tak.js';
import { expect, test } from '../support/test.js';

test('a page beyond the limit of sessions shows the reason, and gets a board when one is free', async ({
  page,
  context,
  serve,
}) => {
  const { url } = await serve(['--sessions', '1']);
  await new Tak(page, url).open();
  const other = new Tak(await context.newPage(), url);
  await other.page.goto(url);
  const says = other.status.filter({ hasText: 'the only session is taken; --sessions allows more' });
  await expect(says).toHaveCount(2);
  await expect(says.last()).toBeVisible();
  await expect(other.button('Undo')).toBeHidden();
  for (const name of ['New game', 'Open and save']) {
    await expect(other.button(name)).toBeDisabled();
  }
  await page.close();
  await expect(other.squares.first()).toBeAttached();
  await expect(says).toHaveCount(0);
  for (const name of ['New game', 'Open and save']) {
    await expect(other.button(name)).toBeEnabled();
  }
});
