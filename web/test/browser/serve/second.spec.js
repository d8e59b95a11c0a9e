// A second engine in the analysis: `tak-engine serve --engine`.

import { program } from '../support/needs.js';
import { Tak } from '../support/tak.js';
import { expect, test } from '../support/test.js';

test('the lines of a second engine are below ours and can be played', async ({ page, serve }) => {
  const { url } = await serve(['--engine', `path=${program}`, 'arg=tei', 'name=Other <b>', 'option.Threads=1']);
  const tak = await new Tak(page, url).start({ size: 5 });
  const other = page.getByRole('region', { name: 'Other <b>' });
  await tak.play('a1 e5');
  await expect(other).toHaveCount(0);
  await tak.live.check();
  const lines = page.getByRole('list', { name: 'Lines of Other <b>' }).getByRole('listitem');
  await expect(other.getByText(/^Depth \d/)).toBeVisible();
  await expect(
    page
      .getByRole('list', { name: 'Best lines' })
      .getByRole('button', { name: /^Play / })
      .first(),
  ).toBeVisible();
  await tak.button('More lines').click();
  await expect(lines).toHaveCount(4);
  // The line may be another one at the click.
  await lines
    .first()
    .getByRole('button', { name: /^Play / })
    .first()
    .click();
  await tak.counts(3);
  await expect(other.getByText(/^Depth \d/)).toBeVisible();
  await tak.fits();
  // It goes on after our engine has answered something else.
  await tak.openView('Learn');
  await tak.backToGame.click();
  await expect(other.getByText(/^Depth \d/)).toBeVisible();
  await tak.live.uncheck();
  await expect(other).toHaveCount(0);
});

test('a second engine that crashes is told, and the page goes on', async ({ page, serve }) => {
  const script =
    'read -r l; echo teiok; while read -r l; do case $l in isready) echo readyok;; go*) exit 7;; esac; done';
  const { url } = await serve(['--engine', 'path=sh', 'name=Bad', 'arg=-c', `arg=${script}`]);
  const tak = await new Tak(page, url).start({ size: 5 });
  await tak.play('a1 e5');
  await tak.live.check();
  const problem = tak.problem(
    'Bad has failed: at go infinite: it ended (exit status: 7). The next position starts it again.',
  );
  await expect(problem).toBeVisible();
  await expect(tak.effort).toBeVisible();
  await tak.fits();
  await tak.play('c3');
  await tak.shows('a1 e5 c3');
  await expect(problem).toBeVisible();
  await tak.live.uncheck();
  await expect(problem).toHaveCount(0);
});
