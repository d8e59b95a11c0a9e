// Games with the engine, hints, reviews and files.

import { readFile } from 'node:fs/promises';

import { TeiEngine } from './support/engine.js';
import { expect, test } from './support/test.js';

test('the engine answers, is reviewed, and plays again with colours swapped', async ({ tak }) => {
  await tak.open();
  await tak.newGame({ size: 4, mode: 'engine', color: 'black', level: 0, seconds: 0.2 });
  // The engine begins, and replies.
  await tak.counts(1);
  await expect(tak.player('black')).toContainText(/You[\s\S]*– to move/);
  await tak.free.click();
  await tak.counts(3);
  // No evaluation is shown before the end, although the engine has one.
  await expect(tak.live).toBeHidden();
  // Undo goes back to one's own last turn, and is counted.
  await expect(tak.text(/1 takeback/)).toHaveCount(0);
  await tak.button('Undo').click();
  await expect(
    tak
      .text(/1 takeback/)
      .filter({ visible: true })
      .first(),
  ).toBeVisible();
  await expect(tak.current).toHaveText((await tak.moves.first().textContent()) ?? '');
  await tak.resign();
  await tak.ends('Black resigns (1-0)');
  // Afterwards one button leads to the review.
  await expect(tak.text('You resigned').first()).toBeVisible();
  await tak.annotate();
  await tak.live.check();
  await expect(tak.effort).toBeVisible();
  await tak.page.getByRole('link', { name: 'Play' }).click();
  await tak.rematch.click();
  await expect(tak.player('white')).toContainText(/You[\s\S]*– to move/);
  await expect(tak.player('black')).toContainText('Full strength');
  await expect(tak.text(/1 takeback/)).toHaveCount(0);
  await expect(tak.live).toBeHidden();
});

test('two clicks start a game, and the level of an even one follows the results', async ({ tak }) => {
  /** @param {string} name */
  const start = async (name) => {
    await tak.button('New game').first().click();
    await expect(tak.newDialog.getByRole('button', { name: 'First game' })).toContainText('5 × 5 · level 1, Elo 317');
    await tak.newDialog.getByRole('button', { name }).click();
    await expect(tak.newDialog).toBeHidden();
  };
  await tak.open();
  await start('First game');
  await expect(tak.squares).toHaveCount(25);
  await expect(tak.player('black')).toContainText('Level 1');
  await tak.pick('a1');
  await tak.counts(2);
  const main = tak.page.getByRole('main');
  await start('Even');
  await expect(main).toContainText('Level 5');
  await tak.resign();
  await expect(main).toContainText('You resigned');
  await start('Even');
  await expect(main).toContainText('Level 4');
  await start('Hard');
  await expect(main).toContainText('Level 8');
  await start('Full strength');
  const players = tak.player('white').or(tak.player('black'));
  await expect(players.filter({ hasText: 'Full strength' })).toBeVisible();
});

test('the game of the engine with itself has a pace, a pause and single moves', async ({ tak, page }) => {
  const pace = (/** @type {string} */ name) =>
    page.getByRole('radiogroup', { name: 'Wait' }).getByRole('radio', { name, exact: true }).check();
  const stands = async (/** @type {number} */ count) => {
    await tak.counts(count);
    // Level 3 would answer at once.
    await page.clock.fastForward(8000);
    await page.waitForTimeout(100);
    await tak.counts(count);
  };
  await page.clock.install();
  await tak.open();
  await tak.newGame({ size: 8, mode: 'self', level: 3, time: 'free' });
  await pace('10 s');
  await tak.button('Pause').click();
  const count = await tak.moves.count();
  await stands(count);
  await tak.button('One move').click();
  await stands(count + 1);
  await tak.step('To the start', '');
  await tak.button('One move').click();
  await stands(count + 2);
  await expect(tak.moves.nth(count + 1)).toHaveAttribute('aria-current', 'true');
  await tak.reload();
  await stands(count + 2);
  // Each move is looked at for as long as was chosen.
  await tak.button('Continue').click();
  await tak.counts(count + 3);
  await stands(count + 3);
  await page.clock.fastForward(3000);
  await tak.counts(count + 4);
  await pace('0');
  // In the page, since the game could be over before a click from outside.
  const pause = (/** @type {HTMLElement} */ button, /** @type {number} */ most) =>
    new Promise((done) => {
      const look = (/** @type {unknown} */ _, /** @type {MutationObserver} */ observer) => {
        if (document.querySelectorAll('.moves button').length > most) {
          observer.disconnect();
          button.click();
          done(null);
        }
      };
      new MutationObserver(look).observe(document.body, { childList: true, subtree: true });
    });
  await tak.button('Pause').evaluate(pause, count + 6);
  await expect(tak.button('Continue')).toBeVisible();
  await stands(await tak.moves.count());
});

/** Checks “0”. The games may end, and the choice with them, before Playwright has seen that it is checked. */
const noWait = (/** @type {import('@playwright/test').Page} */ page) =>
  page
    .getByRole('radiogroup', { name: 'Wait' })
    .getByRole('radio', { name: '0', exact: true })
    .evaluate((radio) => /** @type {HTMLInputElement} */ (radio).click());

test('two levels play a series with colours swapped, and its score is shown', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 3, mode: 'self', level: 2, 'blacks level': 1, games: 2, time: 'free' });
  await expect(tak.player('white')).toContainText('Level 2');
  const score = tak.task.getByRole('paragraph').filter({ hasText: /of 2 games$/ });
  await expect(score).toHaveText('Level 2 0 : 0 Level 1 0 of 2 games');
  await noWait(page);
  await expect(score).toHaveText(/^Level 2\s+(1 : 0|0 : 1|½ : ½)\s+Level 1\s+1 of 2 games$/);
  await expect(tak.player('black')).toContainText('Level 2');
  await expect(score).toHaveText(/^Level 2\s+(2 : 0|1 : 1|0 : 2|1½ : ½|½ : 1½)\s+Level 1\s+2 of 2 games$/);
  await expect(tak.button('Again')).toBeVisible();
});

test('in a series of a level with itself the colours have names and points', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 3, mode: 'self', level: 2, 'blacks level': 2, games: 2, time: 'free' });
  await expect(tak.player('black')).toContainText(/Black\s*Level 2 · Elo \d+/);
  await expect(page).toHaveTitle('White – Black – Tak');
  const score = tak.task.getByRole('paragraph').filter({ hasText: /of 2 games$/ });
  await expect(score).toHaveText('White 0 : 0 Black 0 of 2 games');
  await noWait(page);
  const points = ['0', '½', '1', '1½', '2'];
  let white = 0;
  for (const games of [1, 2]) {
    await expect(score).toContainText(`${games} of 2 games`);
    const result = await tak.task.getByText(/^(White won|Black won|Draw)/).textContent();
    white += result?.startsWith('White') ? 2 : Number(result === 'Draw');
    await expect(score).toHaveText(`White ${points[white]} : ${points[2 * games - white]} Black ${games} of 2 games`);
  }
});

test('a newcomer is led to the lessons, or to a first game', async ({ tak, page }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await tak.open();
  const [lessons, first] = [page.getByRole('link', { name: 'Lessons' }), tak.button('First game')];
  for (const part of [lessons, first, tak.kind('flat'), tak.kind('capstone')]) {
    await expect(part).toBeInViewport({ ratio: 1 });
  }
  await lessons.click();
  await tak.tells('Lesson 1 of 12');
  await tak.backToGame.click();
  await first.click();
  await expect(tak.squares).toHaveCount(25);
  await expect(tak.player('black')).toContainText('Level 1');
  await tak.reload();
  await expect(tak.squares).toHaveCount(25);
  await expect(lessons).toBeHidden();
});

test('a hint is drawn on the board until a move is made', async ({ tak, page }) => {
  await page.clock.install();
  await tak.start({ size: 4, tps: 'x4/x4/2,2,x2/1,1,1,x 1 4' });
  await tak.openNew();
  await tak.choose({ mode: 'two' });
  await tak.fromHere.check();
  await tak.button('Start', tak.newDialog).click();
  await tak.ready();
  // Else the square would be marked after another move.
  await tak.set('Call “Tak”', false);
  // What was said about an earlier one is still said.
  const hint = async () => {
    await tak.button('Hint').click();
    await expect(page.locator('.news')).toContainText('Hint: d1.');
  };
  const before = await tak.picture(tak.square('d1'));
  await hint();
  // There is time to read and think before one asks, also by keyboard.
  await page.clock.fastForward(60_000);
  await tak.grid.focus();
  await tak.press('Tab Enter');
  await tak.said('d1 completes a road.');
  await page.clock.fastForward(60_000);
  await tak.isQuiet();
  await hint();
  await tak.player('black').click({ position: { x: 10, y: 10 } });
  await tak.isQuiet();
  await hint();
  await tak.press('Escape');
  await tak.isQuiet();
  await hint();
  await tak.changed(tak.square('d1'), before);
  await tak.grid.focus();
  await tak.play('a4', 'keys');
  await tak.isQuiet();
  await expect.poll(() => tak.picture(tak.square('d1'))).toBe(before);
  await tak.step('Undo', '');
  await tak.play('d1');
  await tak.ends('White wins by a road (R-0)');
});

test('level 1 is for beginners: a program that looks a little ahead wins', async ({ tak }) => {
  const engine = new TeiEngine(5);
  await tak.open();
  await tak.newGame({ size: 5, komi: 0, mode: 'engine', color: 'white', level: 1, you: 'Ada' });
  await expect(tak.player('white')).toContainText(/Ada[\s\S]*– to move/);
  await expect(tak.player('black')).toContainText('Level 1');
  const end = tak.page.getByRole('group', { name: 'End of the game' });
  while (!(await end.isVisible())) {
    const moves = await tak.moves.allTextContents();
    await tak.make(await engine.best(moves));
    await expect(tak.moves.nth(moves.length + 1).or(end)).toBeVisible();
  }
  engine.quit();
  await expect(end).toContainText('You won');
});

test('a game is annotated, and walked through by its graph and its turning points', async ({ tak }) => {
  await tak.start({ size: 3 });
  // White misses the road along the third row, and allows Black's along the first.
  await tak.play('a1 c3 b3 b1 a2');
  await tak.annotate();
  const graph = tak.graph;
  await tak.tells('White’s chances in %');
  await expect(graph).toHaveAttribute('aria-valuetext', /^3\. a2.*: White \d+ %$/);
  await tak.tab('Moves');
  const mark = tak.moves.nth(4);
  await expect(mark).toHaveText(/^a2.*\?/);
  const marked = (await mark.textContent()) ?? '';
  // The turning points lead to their moves.
  const turn = tak.turns.last();
  await tak.tab('Turning points');
  await expect(turn).toContainText('3. a2');
  await expect(tak.task.getByRole('row', { name: /^Accuracy/ })).toBeVisible();
  await tak.button('To the start').click();
  await turn.getByRole('button', { name: /^3\. a2/ }).click();
  await tak.tab('Moves');
  await tak.at('a2');
  // It survives a reload, and is part of the saved game.
  await tak.reload();
  await tak.tab('Moves');
  await expect(mark).toHaveText(marked);
  await tak.dialog('Share');
  const ptn = tak.shareDialog.getByLabel('PTN', { exact: true });
  await expect(ptn).toHaveValue(/loss:/);
  await tak.shareDialog.getByRole('switch', { name: 'With the engine’s review' }).uncheck();
  await expect(ptn).not.toHaveValue(/loss:/);
  await tak.closeDialog();
  // The middle of the graph is the middle of the game: the second move or the third, by a fraction of a pixel.
  await graph.click();
  await expect(tak.current).toHaveText(/^(c3|b3)/);
  const [middle] = /../.exec((await tak.current.textContent()) ?? '') ?? [];
  await tak.step('One move back', middle === 'c3' ? 'a1' : 'c3');
  await tak.step('To the end', 'a2');
  // Moves other than the annotated ones have no marks.
  await tak.step('One move back', 'b1');
  await tak.play('a3');
  await tak.shows(['a1', ...(await tak.moves.allTextContents()).slice(1, 4), marked].join(' '), ['3. a3']);
});

test('variations, comments, marks and evaluations of a file are shown and saved again', async ({ tak, beside }) => {
  const variations = '{2b_d4}\n2. -- d4? {too far}\n3. e3 1-0\n\n{2b_d4/mine}\n3. a3\n';
  const ptn =
    '[Player1 "Ada"]\n[Player2 "Bob"]\n[Result "*"]\n[Size "5"]\n[Komi "2"]\n\n{A lesson}\n' +
    `1. a1 e5 {*corners}\n2. c3!? {wdl:700,0,300 +0.40/9} c4 *\n\n${variations}`;
  await tak.open();
  await tak.paste(ptn);
  await tak.shows('a1 e5 c3!? c4', ['2... d4? too far 3. e3', '3. a3']);
  await expect(tak.comments('A lesson')).toBeVisible();
  await tak.visit('e5');
  await expect(tak.comments('corners')).toHaveText('corners');
  // The numbers of an engine are a point of the graph.
  await tak.step('One move forward', 'c3');
  await expect(tak.comments('wdl')).toBeHidden();
  await expect(tak.graph).toHaveAttribute('aria-valuetext', '2. c3!?: White 70 %');
  expect(await tak.ptn()).toBe(ptn);
  await tak.visit('d4');
  await expect(tak.comments('too far')).toBeVisible();
  expect(await tak.ptn()).toBe(ptn);
  await tak.reload();
  await expect(tak.comments('too far')).toBeVisible();
  await tak.button('To the end').click();
  await expect(tak.task.getByText(/1-0/).first()).toBeVisible();
  // An annotation changes the main line alone.
  await tak.visit('c4');
  await tak.said('After c4');
  await tak.annotate();
  await tak.tab('Moves');
  const annotated = await tak.ptn();
  expect(annotated).toContain('{*corners} {name:');
  expect(annotated.endsWith(variations)).toBe(true);
  const other = await beside(await tak.copyLink());
  await other.tab('Moves');
  await expect(other.variations.first()).toHaveText('2... d4? too far 3. e3');
});

test('an annotated file opens with all of its review, and names the variations that end early', async ({
  tak,
  page,
  beside,
}) => {
  await tak.annotated();
  const annotated = await tak.ptn();
  const rows = await tak.task.getByRole('row').allTextContents();
  const other = await beside();
  await other.ready();
  await other.paste(`${annotated}\n{2b_b2}\n2. -- b2\n3. c3\n`);
  await other.said('1 variation ends early: 2… b2 (3. c3: square c3 is not empty).');
  await expect(other.task.getByRole('row')).toHaveText(rows);
  await expect(other.button('Try again: a2')).toBeVisible();
  const [report] = await Promise.all([other.page.waitForEvent('download'), other.button('Report').click()]);
  expect(await readFile(await report.path(), 'utf8')).toContain('as in the file');
  expect(await other.ptn()).toContain(annotated.trim());
  // An opened file has no review apart from its comments.
  await other.dialog('Share');
  await expect(other.shareDialog.getByLabel('PTN', { exact: true })).toHaveValue(/loss:/);
  await expect(other.shareDialog.getByRole('switch')).toHaveCount(0);
  await page.close();
});

test('a link has all of a review, and a file without a result at its end keeps its last comment', async ({
  tak,
  beside,
}) => {
  await tak.annotated();
  const [rows, turns] = [await tak.task.getByRole('row').allTextContents(), await tak.turns.allTextContents()];
  const other = await beside(await tak.copyLink());
  await expect(other.task.getByRole('row')).toHaveText(rows);
  await expect(other.turns).toHaveText(turns);
  await expect(other.button('Report')).toBeVisible();
  await other.button('Try again: a2').click();
  await other.said('White played a2 here.');
  const open = (await tak.ptn()).trimEnd().replace(/ \S+$/, '');
  expect(open.endsWith('}')).toBe(true);
  await other.paste(open);
  await expect(other.button('Try again: a2')).toBeVisible();
  expect(await other.ptn()).toContain(open.split('\n').at(-1));
  // The result is in the link, too.
  await other.paste(`${open} 1-0\n`);
  const last = await beside(await other.copyLink());
  await expect(last.task.getByText(/1-0/).first()).toBeVisible();
  await expect(last.task.getByRole('row')).toHaveText(rows);
});

test('what is stored is not taken for the game of a link that is being opened', async ({ tak, beside, context }) => {
  await tak.annotated();
  const link = await tak.copyLink();
  // A click as soon as there is something to click on.
  await context.addInitScript(() => {
    new MutationObserver((_, observer) => {
      const button = document.querySelector('[aria-label="Try again: a2"]');
      if (button instanceof HTMLElement) {
        observer.disconnect();
        button.click();
      }
    }).observe(document, { childList: true, subtree: true });
  });
  const other = await beside(link);
  // On phones the bar tells what the card says.
  await expect(other.task.getByRole('group', { name: 'A mistake, tried again' })).toBeAttached();
  await other.said('White played a2 here.');
});

test('in an opened game the turning points of the reader come first', async ({ tak }) => {
  await tak.annotated();
  const ptn = (await tak.ptn()).replace(/\[Player[12] .*\]\n/g, '').replace('[Size', '[Player2 "Bob"]\n[Size');
  const opponents = tak.page.getByRole('list', { name: 'Of the opponent' }).getByRole('listitem');
  await tak.paste(ptn);
  await expect(tak.turns.filter({ hasText: '3. a2' })).toHaveCount(1);
  await expect(opponents).toHaveCount(0);
  await expect(tak.task.getByRole('columnheader').first()).toHaveText('White');
  await tak.newGame({ mode: 'engine', size: 3, level: 1, you: 'Bob' });
  await tak.paste(ptn);
  await expect(opponents.filter({ hasText: '3. a2' })).toHaveCount(1);
  await expect(tak.task.getByRole('columnheader').first()).toHaveText('Bob');
  // Nothing of another player is to be tried again.
  await expect(tak.task.getByRole('button', { name: /mistake/ })).toHaveCount(0);
});

test('a game of a tournament has its graph, and can be reviewed', async ({ tak }) => {
  await tak.open();
  await tak.paste(
    '[Size "3"]\n1. a1 c3\n2. b3 {cp:200 +0.46/3 9 nodes} b1 {cp:-200 -0.46/3}\n3. a2 {cp:0 +0.00/2} b2 {cp:0 +0.00/2}\n',
  );
  await expect(tak.move('b3').locator('.chance')).toHaveAttribute('data-chance', '73');
  const graph = tak.page.getByRole('slider', { name: 'White’s expected score' });
  await tak.visit('b3');
  await expect(graph).toHaveAttribute('aria-valuetext', /73/);
  await tak.visit('b1');
  await expect(graph).toHaveAttribute('aria-valuetext', /27/);
  await expect(tak.button('Review')).toBeEnabled();
});

test('a review is that of the game, also if a variation is on the board', async ({ tak }) => {
  await tak.start({ size: 3 });
  await tak.play('a1 c3 b3 b1 a2');
  await tak.visit('c3');
  await tak.play('b2');
  await tak.annotate();
  await expect(tak.turns.last()).toContainText('3. a2');
  // From a variation it leads back to the review that is there.
  await tak.tab('Moves');
  await tak.visit('c3');
  await tak.play('a3');
  await tak.button('Review').first().click();
  await expect(tak.button('Try again: a2')).toBeVisible();
  await tak.tab('Moves');
  await tak.at('c3');
});

test('games and positions come in and go out', async ({ tak }) => {
  await tak.start({ size: 5 });
  await tak.play('a1 e5');
  await tak.openFiles();
  // The error is shown, and nothing is lost.
  await tak.pasteHere('[Size "5"]\n1. a1 a1');
  await expect(tak.problem('1… a1 is not possible')).toBeVisible();
  await tak.pasteHere('1. a1 e5 2. a9 c3');
  await expect(tak.problem('Could not open this: invalid PTN: line 1: invalid move "a9"')).toBeVisible();
  await tak.pasteHere('<img src=x onerror=alert(1)>');
  await expect(tak.problem('This is no PTN, TPS or link.')).toBeVisible();
  await tak.closeDialog();
  await tak.shows('a1 e5');
  await tak.paste(
    '[Date "2026.11.25"]\n[Round "3"]\n[Size "7"]\n[Komi "2"]\n\n1. a1 g7 2. Cd4 Cc3 3. Ce5 Cf6 4. Sb2 Sb3 *',
  );
  await tak.shows('a1 g7 Cd4 Cc3 Ce5 Cf6 Sb2 Sb3');
  await expect(tak.player('black')).toContainText('Black');
  const written = await tak.ptn();
  for (const part of ['[Date "2026.11.25"]', '[Round "3"]', '4. Sb2 Sb3 *']) {
    expect(written).toContain(part);
  }
  expect(await tak.ptn('TPS')).toBe('x6,1/x5,2C,x/x4,1C,x2/x3,1C,x3/x,2S,2C,x4/x,1S,x5/2,x6 1 5');
  // The saved game can be opened again; a colour is not stored as a name.
  await tak.paste(written);
  await expect(tak.openDialog).toBeHidden();
  await expect(tak.player('white')).toContainText(/^\s*White\s*– to move/);
  await tak.paste('x5/x5/x2,12,x2/x5/x5 2 7');
  await expect(tak.squares).toHaveCount(25);
  await expect(tak.square('c3')).toHaveAccessibleName('c3: black flat on white. Enter lifts 2.');
});
