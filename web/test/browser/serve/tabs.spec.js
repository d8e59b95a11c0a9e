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
  await expect(says).toHaveCount(1);
  await expect(says).toBeVisible();
  await page.close();
  await other.ready();
  await expect(says).toHaveCount(0);
});
