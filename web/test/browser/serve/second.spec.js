// A second engine in the analysis and in games: `tak-engine serve --engine`.

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

/**
 * The choice of a player in the dialog for new games.
 * @param {Tak} tak
 * @param {string} player
 * @param {string} name
 */
const choose = (tak, player, name) =>
  tak.newDialog.getByRole('radiogroup', { name: player, exact: true }).getByRole('radio', { name }).check();

test('a second engine is an opponent, with a time per move', async ({ page, serve }) => {
  const { url } = await serve(['--engine', `path=${program}`, 'arg=tei', 'name=Other <b>', 'option.Threads=1']);
  const tak = await new Tak(page, url).open();
  await tak.openNew();
  await tak.choose({ mode: 'engine', size: 5, color: 'white', time: 'free' });
  await choose(tak, 'Opponent', 'Other <b>');
  await expect(tak.newDialog.getByRole('slider')).toHaveCount(0);
  await tak.choose({ seconds: 0.1 });
  await tak.fits();
  await tak.button('Start', tak.newDialog).click();
  await expect(tak.title).toHaveText('Other <b>');
  await tak.free.click();
  await tak.counts(2);
  await tak.free.click();
  await tak.counts(4);
  await tak.button('Undo').first().click();
  await tak.free.click();
  await tak.counts(4);
  await tak.reload();
  await expect(tak.title).toHaveText('Other <b>');
  await tak.free.click();
  await tak.counts(6);
  await tak.dialog('Share');
  await expect(tak.shareDialog.getByRole('textbox', { name: 'PTN' })).toHaveValue(/\[Player2 "Other <b>"\]/);
});

test('two engines play a series', async ({ page, serve }) => {
  const { url } = await serve(['--engine', `path=${program}`, 'arg=tei', 'name=Other', 'option.Threads=1']);
  const tak = await new Tak(page, url).open();
  await tak.openNew();
  await tak.choose({ mode: 'self', size: 3, time: 'free', 'blacks level': 1, games: 2 });
  await choose(tak, 'White', 'Other');
  await tak.choose({ seconds: 0.1 });
  await tak.button('Start', tak.newDialog).click();
  const score = tak.page.locator('.series');
  await expect(score).toHaveText(/Other.*Level 1.*0 of 2 games/s);
  await tak.page.getByRole('radiogroup', { name: 'Wait' }).getByRole('radio', { name: '0', exact: true }).check();
  await expect(score).toHaveText(/[012] : [012].*2 of 2 games/s);
  await expect(tak.title).toHaveText('Level 1 – Other');
});

test('a second engine that gives no move leaves the game to another opponent', async ({ page, serve }) => {
  const script =
    'read -r l; echo size 5 halfkomi 0 4; echo teiok; while read -r l; do case $l in isready) echo readyok;; go*) echo bestmove a1;; esac; done';
  const { url } = await serve(['--engine', 'path=sh', 'name=Bad', 'arg=-c', `arg=${script}`]);
  const tak = await new Tak(page, url).open();
  await tak.openNew();
  await tak.choose({ mode: 'engine', size: 6, color: 'white', level: 2, time: '3+2' });
  await choose(tak, 'Opponent', 'Bad');
  await tak.button('Start', tak.newDialog).click();
  await expect(tak.newDialog.getByText('This cannot be played: Bad: it does not play 6x6; it offers 5.')).toBeVisible();
  await tak.choose({ size: 5 });
  await tak.button('Start', tak.newDialog).click();
  await expect(tak.newDialog).toBeHidden();
  await tak.play('a1');
  const problem = page.getByRole('alert').getByText('Bad gives no move: its move a1 is illegal: ');
  await expect(problem).toBeVisible();
  await tak.fits();
  // Its clock stands still meanwhile, and the game can be undone.
  const clock = tak.page.locator('.clock').first();
  const left = await clock.textContent();
  await tak.button('Undo').first().click();
  await tak.counts(1);
  await expect(problem).toHaveCount(0);
  await tak.play('a1');
  await expect(problem).toBeVisible();
  await tak.button('Try again').click();
  await expect(problem).toBeVisible();
  expect(await clock.textContent()).toBe(left);
  await page.getByRole('button', { name: /^Go on with Level/ }).click();
  await tak.counts(2);
  await expect(problem).toHaveCount(0);
  await tak.dialog('Share');
  await expect(tak.shareDialog.getByRole('textbox', { name: 'PTN' })).toHaveValue(
    /\[Player2 "Bad, tak-engine level \d+"\]/,
  );
});
