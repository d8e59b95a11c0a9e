// Long games over a connection.

import { expect, test } from '../support/test.js';

/** The changes of the document while an action runs. @param {import('../support/tak.js').Tak} tak @param {() => Promise<void>} action */
async function changes(tak, action) {
  const observer = await tak.page.evaluateHandle(() => {
    const changed = { count: 0 };
    const options = { childList: true, attributes: true, characterData: true, subtree: true };
    new MutationObserver((records) => {
      changed.count += records.length;
    }).observe(document.body, options);
    return changed;
  });
  await action();
  return observer.evaluate(({ count }) => count);
}

test('a step in a long game asks as little and draws as little as in a short one', async ({ tak, page }) => {
  /** @type {number[]} */
  const asked = [];
  page.on('websocket', (socket) => socket.on('framesent', ({ payload }) => asked.push(payload.length)));
  const steps = async () => {
    await tak.step('One move forward', 'e5');
    await tak.step('One move back', 'd4');
  };
  // The number of moves on the board.
  const count = () =>
    tak.list.evaluate((list) => [...list.querySelectorAll('button')].findIndex((move) => move.ariaCurrent) + 1);
  await tak.open();
  await tak.paste('[Size "8"]\n\na1 h8 c3 d4 e5');
  await tak.counts(5);
  await tak.step('One move back', 'd4');
  const short = await changes(tak, steps);

  const filler = 'h8- a1+ h7+ a2- '.repeat(300);
  await tak.paste(`[Size "8"]\n\na1 h8 ${filler} c3 d4 e5`);
  await tak.counts(1205);
  // The list shows the move, at the end and anywhere else.
  await expect(tak.current).toBeInViewport({ ratio: 0.9 });
  await tak.step('To the start', '');
  await tak.button('One move forward').evaluate((button) => {
    for (let step = 0; step < 61; step += 1) {
      /** @type {HTMLElement} */ (button).click();
    }
  });
  await expect.poll(count).toBe(61);
  await expect(tak.current).toBeInViewport({ ratio: 0.9 });
  // Even in the middle of many spreads a question has only some of them.
  asked.length = 0;
  await tak.moves.nth(900).click();
  await expect.poll(count).toBe(901);
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(Math.max(...asked)).toBeLessThan(1500);
  await tak.step('To the end', 'e5');
  asked.length = 0;
  await tak.step('One move back', 'd4');
  // The position before is asked for in advance, with one placement.
  await expect.poll(() => asked.length).toBeGreaterThan(0);
  expect(asked.length).toBeLessThanOrEqual(3);
  expect(Math.max(...asked)).toBeLessThan(400);
  // Positions that were seen need no program.
  await page.evaluate(() => {
    WebSocket.prototype.send = () => {};
  });
  expect(await changes(tak, steps)).toBeLessThan(1.5 * short + 10);
});
