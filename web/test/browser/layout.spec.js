// The layout in windows of many sizes, and the colours.

import { expect, test } from './support/test.js';
import { THEMES, VIEWS } from './support/views.js';

test('the whole board is seen in a low window', async ({ tak, page }) => {
  await page.setViewportSize({ width: 740, height: 360 });
  await tak.start({ size: 6 });
  await expect(page.locator('#news').getByText('Position opened.')).toBeInViewport({ ratio: 1 });
  for (const [width, height] of [
    [740, 360],
    [667, 375],
    [600, 400],
    [820, 600],
  ]) {
    await page.setViewportSize({ width, height });
    await expect.poll(async () => (await tak.box()).bottom, `${width} by ${height}`).toBeLessThanOrEqual(height);
    // What is pressed lies on what is drawn.
    const { ratio, part } = await page.evaluate(() => {
      const [grid, drawing] = ['grid', 'drawing'].map((id) => document.getElementById(id)?.getBoundingClientRect());
      return { ratio: (grid?.width ?? 0) / (grid?.height ?? 1), part: (grid?.width ?? 0) / (drawing?.width ?? 1) };
    });
    expect(ratio, `${width} by ${height}`).toBeCloseTo(1, 2);
    expect(part, `${width} by ${height}`).toBeGreaterThan(0.9);
    await expect(tak.player('black').getByRole('img', { name: / left$/ })).toBeInViewport({ ratio: 1 });
    await tak.fits();
  }
  // At least the first move of a line.
  await tak.live.check();
  for (const [width, height] of [
    [740, 360],
    [667, 375],
    [320, 568],
  ]) {
    await page.setViewportSize({ width, height });
    const first = page.getByRole('button', { name: /^Play / }).first();
    await first.scrollIntoViewIfNeeded();
    await expect(first, `${width} by ${height}`).toBeInViewport({ ratio: 0.99 });
  }
  // With enough height it is as wide as the window.
  await page.setViewportSize({ width: 380, height: 800 });
  await expect.poll(async () => (await tak.box()).width).toBeGreaterThan(340);
});

const WINDOWS = [
  [1280, 720],
  [1400, 900],
  [1920, 1080],
  [375, 667],
  [390, 844],
];

/** Phones that lie. */
const LYING = [
  [667, 375],
  [844, 390],
];

for (let size = 3; size <= 8; size += 1) {
  test(`a board of size ${size} is as large as it can be in every window`, async ({ tak, page }) => {
    await tak.start({ size });
    for (const [width, height] of WINDOWS) {
      const name = `${width} by ${height}`;
      await page.setViewportSize({ width, height });
      await expect(async () => {
        const box = await tak.box();
        expect(Math.min(box.x, box.y), name).toBeGreaterThanOrEqual(0);
        expect(box.bottom, name).toBeLessThanOrEqual(height);
        if (width > height) {
          expect(box.height, name).toBeGreaterThanOrEqual(0.72 * height);
        } else {
          expect(box.width, name).toBeGreaterThanOrEqual(0.9 * width);
        }
        expect(Math.abs(box.width - box.height), name).toBeLessThan(1);
      }).toPass();
      for (const part of [
        tak.button('To the start'),
        ...['flat', 'wall', 'capstone'].map((kind) => tak.kind(kind)),
        ...[tak.player('white'), tak.player('black')],
      ]) {
        await expect(part, name).toBeInViewport({ ratio: 1 });
      }
      await tak.fits();
    }
  });
}

for (const [width, height] of WINDOWS) {
  test(`at ${width} by ${height} what a player needs is seen`, { tag: '@thorough' }, async ({ tak, page }) => {
    await page.setViewportSize({ width, height });
    await tak.open();
    // A game has more buttons beside the steps.
    await tak.newGame({ mode: 'two', time: '3+2', white: 'Ada', black: 'Bob' });
    await tak.play('a1 b2');
    for (const part of [tak.kind('capstone'), tak.button('To the start'), tak.clock('white')]) {
      await expect(part).toBeInViewport({ ratio: 1 });
    }
    await expect(tak.player('white').getByText('Ada')).toBeVisible();
    await tak.resign();
    await tak.page.mouse.move(0, 0);
    await expect(tak.rematch).toBeInViewport({ ratio: 1 });
    await page.setViewportSize({ width: 320, height: 568 });
    await expect(tak.rematch).toBeInViewport({ ratio: 1 });
    await tak.fits();
  });
}

test('on a small phone a task, its answer and the board are seen at once', async ({ tak, page }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  const seen = async (/** @type {string} */ text, /** @type {string} */ button) => {
    await expect(page.locator('.bar').getByText(text).last()).toBeInViewport({ ratio: 1 });
    await expect(tak.grid).toBeInViewport({ ratio: 1 });
    const [foot, tray] = await Promise.all([tak.button(button).boundingBox(), tak.player('white').boundingBox()]);
    expect((tray?.y ?? 0) + (tray?.height ?? 0), text).toBeLessThanOrEqual((foot?.y ?? 0) + 1);
    await tak.fits();
  };
  await tak.open();
  await tak.openView('Learn');
  // The longest texts. The board gives way to them, also in the smallest window.
  for (const [width, height, lesson, text] of /** @type {const} */ ([
    [375, 667, 'both', 'You may uncover it'],
    [320, 568, 'both', 'You may uncover it'],
    [320, 568, 'flat', 'Place a flat'],
    [375, 667, 'flat', 'Place a flat'],
  ])) {
    await page.setViewportSize({ width, height });
    await page.goto(`${tak.home}#learn/${lesson}`);
    await seen(text, 'Show me');
  }
  await seen('You are White. Place a flat on any empty square', 'Show me');
  const before = await tak.box();
  await tak.button('Show me').click();
  await seen('Right. Good. It can be part of your road. Now Black would move.', 'Next');
  expect(await tak.box()).toEqual(before);
  await tak.button('Next').click();
  await seen('One more, and they reach the right side. Finish the road.', 'Show me');
  await tak.openView('Puzzles');
  await seen(' to move. ', 'Solution');
  // What follows the solution is in sight, too.
  await tak.button('Solution').click();
  await seen('The solution ', 'Next puzzle');
  for (const name of ['Analyse', 'One move back', 'One move forward']) {
    await expect(tak.button(name)).toBeInViewport({ ratio: 1 });
  }
  // The styles of the view are not those of the dialog.
  await tak.openNew();
  const [label, choices] = await Promise.all([
    tak.newDialog.getByText('Players', { exact: true }).boundingBox(),
    tak.newDialog.getByRole('radiogroup', { name: 'Players' }).boundingBox(),
  ]);
  expect((label?.y ?? 0) + (label?.height ?? 0)).toBeLessThanOrEqual(choices?.y ?? 0);
  // The board of a puzzle is none that was chosen.
  await expect(tak.choice('size', 6)).toBeChecked();
  await tak.closeDialog();
  // A game without moves has nothing to scroll to.
  await tak.backToGame.click();
  await expect.poll(() => page.evaluate(() => document.documentElement.scrollHeight)).toBe(667);
  await tak.annotated();
  await tak.button('Try again: a2').click();
  await seen('White played a2 here. Find a better move.', 'End');
});

test('on a tablet the panel alone has the text of a task, and shows it', async ({ tak, page }) => {
  const text = 'You are White. Place a flat on any empty square';
  await page.setViewportSize({ width: 768, height: 1024 });
  await tak.open();
  await tak.openView('Learn');
  await tak.tells(text);
  await expect(page.locator('.bar').getByText(text)).toBeHidden();
  await tak.openView('Puzzles');
  const task = tak.task.getByText(/^(White|Black) to move\. /);
  const row = await tak.button('Next puzzle').boundingBox();
  await expect.poll(async () => (await task.boundingBox())?.y ?? Infinity).toBeLessThan((row?.y ?? 0) - 40);
});

test('both reserves are seen if the pieces to place are Black’s, and clocks are equal', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 6, mode: 'two', time: '3+2' });
  await tak.play('a1 f6 c3');
  const reserve = (/** @type {'white' | 'black'} */ color) => tak.player(color).getByRole('img', { name: / left$/ });
  const tray = page.getByRole('radiogroup', { name: 'Piece to place' });
  for (const [width, height] of [
    [320, 568],
    [375, 667],
    [768, 1024],
    [1024, 768],
    [1280, 720],
  ]) {
    await page.setViewportSize({ width, height });
    const at = `${width} by ${height}`;
    await expect(reserve('black'), at).toBeInViewport({ ratio: 1 });
    await expect(reserve('white'), at).toBeInViewport({ ratio: 1 });
    const right = await reserve('white').evaluate((element) => {
      const range = document.createRange();
      range.selectNodeContents(/** @type {Element} */ (element.lastElementChild));
      return range.getBoundingClientRect().right;
    });
    const [pieces, ...clocks] = await Promise.all(
      [tray, tak.clock('white'), tak.clock('black')].map((part) => part.boundingBox()),
    );
    expect(right, at).toBeLessThanOrEqual(pieces?.x ?? 0);
    expect(clocks[0]?.height, at).toBe(clocks[1]?.height);
    await tak.fits();
  }
});

test('news cover neither the board nor what can be pressed', async ({ tak, page }) => {
  await tak.start({ size: 5 });
  for (const [width, height] of [
    [375, 667],
    [768, 1024],
    [1280, 720],
    [1400, 900],
  ]) {
    await page.setViewportSize({ width, height });
    await page.keyboard.press('[');
    const news = page.locator('.news');
    await expect(news).toHaveText('This is the start.');
    const covered = await news.evaluate((box) => {
      const { left, top, right, bottom } = box.getBoundingClientRect();
      return [...document.querySelectorAll('#grid, a, button, label')]
        .filter((each) => !box.contains(each) && each.checkVisibility())
        .filter((each) => {
          const other = each.getBoundingClientRect();
          return other.left < right && left < other.right && other.top < bottom && top < other.bottom;
        })
        .map((each) => each.ariaLabel ?? each.textContent);
    });
    expect(covered, `${width} by ${height}`).toEqual([]);
  }
});

test('a button is on top of what is scrolled below it', async ({ tak, page }) => {
  await page.setViewportSize({ width: 375, height: 667 });
  await tak.open();
  await tak.openNew();
  const start = tak.button('Start', tak.newDialog);
  const covered = await tak.newDialog.evaluate((box) => {
    const names = [];
    for (let top = 0; top < box.scrollHeight; top += 20) {
      box.scrollTop = top;
      const button = /** @type {HTMLElement} */ (box.querySelector('footer .main'));
      const { x, y, width, height } = button.getBoundingClientRect();
      const hit = document.elementFromPoint(x + width / 2, y + height / 2);
      names.push(...(hit && button.contains(hit) ? [] : [hit?.tagName]));
    }
    return names;
  });
  expect(covered).toEqual([]);
  await expect(start).toBeInViewport({ ratio: 1 });
});

test('rings of the focus are seen whole', async ({ tak, page }) => {
  await tak.start({ size: 5 });
  await tak.play('a1 e5 c3 c4 d3 d4 b2 b3');
  for (const [width, height] of [
    [1280, 720],
    [390, 844],
  ]) {
    await page.setViewportSize({ width, height });
    const cut = await page.evaluate(() => {
      /** @type {string[]} */
      const names = [];
      const all = /** @type {NodeListOf<HTMLElement>} */ (
        document.querySelectorAll('.rail a, .move, .button, .steps *')
      );
      for (const element of all) {
        element.focus(/** @type {FocusOptions} */ ({ focusVisible: true }));
        if (document.activeElement !== element) {
          continue;
        }
        const { outlineWidth, outlineOffset } = getComputedStyle(element);
        const edge = Number.parseFloat(outlineWidth) + Number.parseFloat(outlineOffset);
        const { left, top, right, bottom } = element.getBoundingClientRect();
        for (let box = element.parentElement; box && box !== document.body; box = box.parentElement) {
          const outer = box.getBoundingClientRect();
          const spaces = [left - outer.left, top - outer.top, outer.right - right, outer.bottom - bottom];
          if (getComputedStyle(box).overflowY !== 'visible' && Math.min(...spaces) < edge - 0.6) {
            names.push(`${element.className} ${element.textContent?.trim()}`);
          }
        }
      }
      return names;
    });
    expect(cut, `${width} by ${height}`).toEqual([]);
  }
});

test('a long list of moves leaves the buttons in sight on a lying phone, and itself on an upright one', async ({
  tak,
  page,
}) => {
  await page.setViewportSize({ width: 844, height: 390 });
  await tak.open();
  await tak.newGame({ size: 6, mode: 'two' });
  await tak.play('a1 f6 d4 c3 d3 c4 d5 Cd2 Cc5 c2 b3 b4 e4 e3 e5 e2 f4 b5 b2 a3');
  for (const name of ['One move back', 'Undo', 'Resign']) {
    await expect(tak.button(name).filter({ visible: true }).first(), name).toBeInViewport({ ratio: 1 });
  }
  await expect(tak.move('a3')).toBeInViewport({ ratio: 1 });
  await page.setViewportSize({ width: 390, height: 844 });
  const steps = await tak.button('One move back').boundingBox();
  await expect
    .poll(async () => {
      const move = await tak.move('a3').boundingBox();
      return move && steps && move.y + move.height <= steps.y;
    })
    .toBe(true);
});

test('on a lying phone both names, the flats, the clocks and the pieces are seen', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 5, mode: 'two', time: '3+2', white: 'Ada', black: 'Bob' });
  await tak.play('a1 e5 c3');
  for (const [width, height] of LYING) {
    await page.setViewportSize({ width, height });
    for (const part of [
      tak.player('white').getByText('Ada'),
      tak.player('black').getByText('Bob'),
      page.getByRole('img', { name: 'Flats: White 2, Black 1' }),
      tak.clock('white'),
      tak.clock('black'),
      tak.kind('capstone'),
      page.getByRole('heading', { name: 'Ada – Bob' }),
    ]) {
      await expect(part, `${width} by ${height}`).toBeInViewport({ ratio: 1 });
    }
    const { y, bottom } = await tak.box();
    expect(Math.abs(y - (height - bottom)), 'above and below the board').toBeLessThan(2);
  }
});

test('on a lying phone the answer to a move is seen, and nothing makes the page higher than the window', async ({
  tak,
  page,
}) => {
  await page.setViewportSize({ width: 844, height: 390 });
  for (const name of ['puzzle not solved', 'editor', 'explorer']) {
    await VIEWS.find((view) => view.name === name)?.open(tak);
    for (const [width, height] of LYING) {
      const at = `${name}, ${width} by ${height}`;
      await page.setViewportSize({ width, height });
      if (name === 'puzzle not solved') {
        const answer = await tak.task.getByText('d5 is not the move').boundingBox();
        const row = await tak.button('Solution').boundingBox();
        expect(answer?.y, at).toBeGreaterThan(0);
        expect((answer?.y ?? 0) + (answer?.height ?? 0), at).toBeLessThanOrEqual(row?.y ?? 0);
      }
      expect(await page.evaluate(() => document.documentElement.scrollHeight), at).toBe(height);
      await tak.fits();
    }
  }
});

test('on a lying phone the steps are seen in a review, and the move on the board below live lines', async ({
  tak,
  page,
}) => {
  await page.setViewportSize({ width: 667, height: 375 });
  await tak.annotated();
  const point = tak.button('Try again: a2');
  for (const [width, height] of LYING) {
    const at = `${width} by ${height}`;
    await page.setViewportSize({ width, height });
    for (const step of ['To the start', 'One move back', 'One move forward', 'To the end']) {
      await expect(tak.button(step), at).toBeInViewport({ ratio: 1 });
    }
    await expect(point, at).toBeInViewport({ ratio: 1 });
    await tak.fits();
  }
  await page.setViewportSize({ width: 667, height: 375 });
  await tak.start({ size: 5 });
  await tak.play('a1 e5 c3 c4 d3 d4');
  await tak.live.check();
  await expect(tak.effort).toBeVisible();
  for (const [width, height] of LYING) {
    await page.setViewportSize({ width, height });
    await expect(tak.move('d4'), `${width} by ${height}`).toBeInViewport({ ratio: 0.95 });
  }
});

test('with fingers the waits of a game and the numbers to lift are wide enough', async ({ tak, page }) => {
  const widths = (/** @type {import('@playwright/test').Locator} */ all) =>
    all.evaluateAll((each) => Math.min(...each.map((part) => part.getBoundingClientRect().width)));
  await page.setViewportSize({ width: 375, height: 667 });
  await tak.start({ size: 5, tps: 'x5/x2,21212121C,x2/x5/x5/x5 1 20' });
  await tak.pick('c4');
  const counts = page.getByRole('group', { name: 'Number of pieces to lift' }).getByRole('button');
  await expect(counts).toHaveCount(5);
  for (const [width, height] of [[375, 667], ...LYING]) {
    await page.setViewportSize({ width, height });
    expect(await widths(counts), `${width} by ${height}`).toBeGreaterThanOrEqual(44);
  }
  await tak.newGame({ mode: 'self', level: 1 });
  await tak.button('Pause').click();
  const waits = page.getByRole('radiogroup', { name: 'Wait' }).getByRole('radio');
  for (const [width, height] of [[375, 667], ...LYING]) {
    await page.setViewportSize({ width, height });
    expect(await widths(waits), `${width} by ${height}`).toBeGreaterThanOrEqual(44);
  }
});

test('on a lying phone nothing is wider than the panel, and a comment is seen whole', async ({ tak, page }) => {
  await page.setViewportSize({ width: 844, height: 390 });
  for (const name of ['learn', 'library', 'explorer', 'puzzle', 'comment']) {
    await VIEWS.find((view) => view.name === name)?.open(tak);
    for (const [width, height] of LYING) {
      await page.setViewportSize({ width, height });
      const wide = await page.evaluate(() => {
        const panel = /** @type {Element} */ (document.getElementById('panel'));
        const edge = panel.getBoundingClientRect().right;
        return [...panel.querySelectorAll('button, .button, .segments')]
          .filter((each) => each.checkVisibility() && each.getBoundingClientRect().right > edge)
          .map((each) => each.ariaLabel ?? each.textContent);
      });
      expect(wide, `${name}, ${width} by ${height}`).toEqual([]);
    }
  }
  await expect(tak.button('Done')).toBeInViewport({ ratio: 1 });
});

test('in a low window the panel can be read, too', async ({ tak, page }) => {
  await tak.open();
  for (const [width, height] of [
    [667, 375],
    [640, 360],
  ]) {
    await page.setViewportSize({ width, height });
    for (const view of /** @type {const} */ (['Puzzles', 'Learn'])) {
      await tak.openView(view);
      expect((await tak.task.boundingBox())?.width, view).toBeGreaterThanOrEqual(190);
      await tak.fits();
    }
  }
  // A long question has a row of its own.
  await tak.backToGame.click();
  await tak.newGame({ mode: 'two', time: 'free' });
  await tak.play('a1 b2');
  await (await tak.seldom('Resign')).click();
  const question = tak.button('Really resign as White?');
  expect(await question.evaluate(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth)).toBe(0);
});

test('no focus moves the page out of a low window', async ({ tak, page }) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  await tak.open();
  await tak.openView('Puzzles');
  await tak.button('Solution').waitFor();
  for (let count = 0; count < 60; count += 1) {
    await tak.press('Tab');
    expect(await page.evaluate(() => document.scrollingElement?.scrollTop)).toBe(0);
  }
});

test('a high stack is seen on a small screen', async ({ tak, page }) => {
  await page.setViewportSize({ width: 360, height: 740 });
  await tak.start({ size: 7, tps: `x7/x7/x7/x3,${'12'.repeat(15)},x3/x7/x7/x7 1 50` });
  await tak.square('d4').click({ button: 'right' });
  await tak.holds('d4', 'black flat on white, black, white, black, white, black, deeper 12 white, 11 black');
  await tak.fits();
});

test('a name of 450 characters makes nothing wider than the window', async ({ tak, page }) => {
  await tak.open();
  await tak.paste(`[Size "5"]\n[Player1 "${'W'.repeat(450)}"]\n1. a1 e5`);
  await tak.at('e5');
  for (const width of [320, 360, 375, 640, 1024, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    await tak.fits();
  }
});

test('a result is never broken across lines', async ({ tak, page }) => {
  await tak.open();
  await tak.newGame({ size: 3, mode: 'two' });
  await tak.play('a1 b1');
  await tak.resign();
  const result = tak.task.getByText('1-0').or(tak.task.getByText('0-1'));
  await expect(result).toBeVisible();
  for (const width of [320, 340, 360, 380, 400, 500, 640, 800, 1024, 1280]) {
    await page.setViewportSize({ width, height: 800 });
    const lines = await result.evaluate((element) => {
      const nodes = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
      const tops = [];
      while (nodes.nextNode()) {
        const { data } = /** @type {Text} */ (nodes.currentNode);
        const range = document.createRange();
        range.setStart(nodes.currentNode, Math.max(0, data.search(/[01]-[01]/)));
        range.setEnd(nodes.currentNode, data.length);
        tops.push(...(/[01]-[01]/.test(data) ? [...range.getClientRects()].map(({ top }) => top) : []));
      }
      return new Set(tops).size;
    });
    expect(lines, `${width}`).toBe(1);
  }
});

test('a theme changes board and page, and is kept', async ({ tak, page }) => {
  await tak.open();
  const seen = [await tak.picture(tak.grid)];
  for (const theme of ['Slate', 'High contrast']) {
    await tak.board(theme);
    // The dialog was over the board, which shows a piece under the pointer.
    await page.mouse.move(0, 0);
    seen.push(await tak.changed(tak.grid, ...seen));
    await tak.reload();
    await expect.poll(() => tak.picture(tak.grid)).toBe(seen.at(-1));
  }
});

test('the rules have the colours that are chosen, and the pieces of the board', async ({ tak, page }) => {
  const ground = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  await tak.open();
  await tak.board('High contrast');
  const before = await ground();
  await page.goto(`${tak.home}how-to-play.html`);
  expect(await ground()).toBe(before);
  await expect(page.locator('.tone-1').first()).toHaveCSS('fill', 'rgb(255, 255, 255)');
  // The diagrams have the pieces of the board.
  await expect(page.locator('.road').first()).toBeVisible();
  await expect(page.locator('use[href="#wcap"]').first()).toBeVisible();
});

for (const scheme of /** @type {const} */ (['light', 'dark'])) {
  test.describe(() => {
    test.use({ colorScheme: scheme });

    // Texts in drawings are not checked by axe. WCAG 2.2, 1.4.3.
    test(`coordinates have a contrast of 4.5 with the frame, ${scheme}`, async ({ tak, page }) => {
      await tak.open();
      for (const theme of THEMES) {
        await tak.board(theme);
        const contrasts = await page.evaluate(() => {
          /** @param {string} name */
          const shine = (name) => {
            const probe = document.createElement('i');
            probe.style.color = `var(${name})`;
            document.body.append(probe);
            const [r, g, b] = (getComputedStyle(probe).color.match(/\d+/g) ?? [])
              .map((part) => Number(part) / 255)
              .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
            probe.remove();
            return 0.2126 * r + 0.7152 * g + 0.0722 * b;
          };
          const [low, high] = [shine('--coordinate'), shine('--frame')].sort((a, b) => a - b);
          return [(high + 0.05) / (low + 0.05)];
        });
        expect(Math.min(...contrasts), theme).toBeGreaterThanOrEqual(4.5);
      }
    });
  });
}
