// Answers that come late, or not at all.

import { Explorer, GAMES } from '../support/explorer.js';
import { Library } from '../support/library.js';
import { Tak } from '../support/tak.js';
import { expect, test } from '../support/test.js';

/**
 * Keeps back what a page sends, from `hold` or from its start to `release` or `drop`.
 * @param {import('@playwright/test').Page} page
 * @param {boolean} isHeld
 */
async function delay(page, isHeld = false) {
  await page.addInitScript((fromStart) => {
    /** @type {(() => void)[] | null} */
    let held = fromStart ? [] : null;
    window.WebSocket = class extends WebSocket {
      /** @param {string} text */
      send(text) {
        if (held) {
          held.push(() => super.send(text));
        } else {
          super.send(text);
        }
      }
    };
    Object.assign(window, {
      hold: () => {
        held = [];
      },
      release: (isSent = true) => {
        const all = held ?? [];
        held = null;
        for (const send of isSent ? all : []) {
          send();
        }
        return all.length;
      },
      held: () => held?.length,
    });
  }, isHeld);
  return {
    /** Waits until a message is kept back. */
    isHeld: () => expect.poll(() => page.evaluate('held()')).toBeGreaterThan(0),
    hold: () => page.evaluate('hold()'),
    /** Returns the number of messages. */
    release: () => page.evaluate('release()'),
    drop: () => page.evaluate('release(false)'),
  };
}

test('moves are drawn before the program answers, and put back if it does not', async ({ page, serve, faults }) => {
  const server = await serve();
  const line = await delay(page);
  const tak = await new Tak(page, server.url).start({ size: 5, tps: 'x5/x5/x5/1121,x4/x4,2S 1 20' });
  await line.hold();
  await tak.pick('a2');
  await expect(tak.putBack).toBeVisible();
  await tak.pick('b2 c2 d2');
  await tak.holds('d2', 'black flat');
  await tak.holds('a2', 'empty');
  await tak.pick('e2');
  await tak.holds('e2', 'white flat');
  await tak.counts(0);
  // One question for all of it.
  expect(await line.release()).toBe(1);
  await tak.shows('4a2>1111');
  // A move that does not arrive is put back.
  await line.hold();
  await tak.pick('c4');
  await tak.holds('c4', 'black flat');
  await server.stop();
  await tak.said('Not done');
  await tak.holds('c4', 'empty');
  await tak.shows('4a2>1111');
  await line.drop();
  await serve([], server.port);
  await tak.connects();
  faults.length = 0;
  // It is played when the program is back.
  await tak.shows('4a2>1111 c4');
});

test('a puzzle survives a lost connection', async ({ page, serve, faults }) => {
  const server = await serve();
  const line = await delay(page);
  const tak = await new Tak(page, server.url).open();
  await tak.openPuzzle(['tinue', 'x4,2/x,2,x,1,x/x,2,x,1,x/x,2,x,1,1/x5 1 5', 0, 21, 21, 1, 1, 3, 1, 'Cd5 d1 e1']);
  // Whether this wins is a question to the engine.
  await line.hold();
  await tak.pick('e1');
  await tak.holds('e1', 'white flat');
  await server.stop();
  await tak.said('Not connected');
  await tak.holds('e1', 'empty');
  await line.drop();
  await serve([], server.port);
  await tak.connects();
  faults.length = 0;
  await tak.place('capstone', 'd5');
  await tak.tells('The answer is d1: go on.');
  await tak.pick('e1');
  await tak.tells('Solved.');
  // It is not held against the solver.
  await expect(tak.task).toContainText('In a row1');
});

test('a lost connection loses no collection', async ({ page, serve, faults }) => {
  const server = await serve();
  const tak = await new Tak(page, server.url).start({ size: 5 });
  const explorer = new Explorer(tak);
  await tak.openView('Explorer');
  await explorer.choose({ 'games.ptn': GAMES });
  await explorer.sums('3 games: ');
  await server.stop();
  await tak.said('Not connected');
  // A move that cannot be made changes nothing.
  await tak.pick('b2');
  await tak.said('Not done');
  // The program held the collection for that connection; the page sends it again.
  await serve([], server.port);
  await tak.connects();
  await explorer.move('a1').click();
  await tak.holds('a1', 'black flat');
  await explorer.sums('3 games: ');
  await tak.pick('e5');
  await explorer.lists(['c3; 2; White 50 %, draw 0 %, Black 50 %; 1500', /./]);
  faults.length = 0;
});

test('files that are read at the same time stay apart', async ({ tak, page }) => {
  await page.addInitScript(() => {
    window.WebSocket = class extends WebSocket {
      /** @param {string} text */
      send(text) {
        setTimeout(() => super.send(text), text.includes('"do":"list"') ? 200 : 0);
      }
    };
  });
  await tak.open();
  await page.evaluate(() => {
    for (const [name, move] of [
      ['Ann', 'c3'],
      ['Ben', 'd4'],
    ]) {
      const dataTransfer = new DataTransfer();
      // Each takes two messages.
      const text = `[Player1 "${name}"]\n[Size "5"]\n1. a1 e5 {${'long '.repeat(20_000)}}\n2. ${move}\n`;
      dataTransfer.items.add(new File([text], `${name}.ptn`));
      document.body.dispatchEvent(new DragEvent('drop', { dataTransfer, bubbles: true }));
    }
  });
  const library = new Library(tak);
  await tak.shows('a1 e5 d4');
  await library.open();
  await library.lists([/^Ben.* 2 moves .*Ben\.ptn$/, /^Ann.* 2 moves .*Ann\.ptn$/]);
});

test('a file reaches the library although the connection is lost or the page is loaded again', async ({
  tak,
  page,
}) => {
  /** What happens in the place of the next question for the games of a file. @type {((socket: import('@playwright/test').WebSocketRoute) => unknown) | null} */
  let next = null;
  await page.routeWebSocket(/\/play/, (socket) => {
    const server = socket.connectToServer();
    socket.onMessage((message) => {
      const act = next;
      if (act && JSON.parse(`${message}`).do === 'list') {
        next = null;
        act(socket);
      } else {
        server.send(message);
      }
    });
  });
  await tak.open();
  const library = new Library(tak);
  for (const [name, act] of /** @type {[string, NonNullable<typeof next>][]} */ ([
    ['Ann', (/** @type {import('@playwright/test').WebSocketRoute} */ socket) => socket.close()],
    ['Ben', () => page.reload()],
  ])) {
    next = act;
    await tak.openFiles();
    await tak.chooseFiles('Choose a file', { [`${name}.ptn`]: `[Player1 "${name}"]\n[Size "5"]\n1. a1 e5 2. d4` });
    await expect.poll(() => next).toBe(null);
    await tak.ready();
    await tak.shows('a1 e5 d4');
    await library.open();
    await library.lists([...(name === 'Ben' ? [/^Ben.*Ben\.ptn$/] : []), /^Ann.*Ann\.ptn$/]);
  }
});

test('an address that is opened while the page begins is not replaced by the first view', async ({ tak, page }) => {
  const line = await delay(page, true);
  await page.goto(tak.home);
  await line.isHeld();
  await page.evaluate(() => {
    location.hash = 'editor';
  });
  await line.release();
  await expect(tak.title).toHaveText('Set up a position');
  // The first view would follow.
  await tak.ready();
  await expect(page).toHaveURL(/#editor$/);
  await expect(tak.title).toHaveText('Set up a position');
});

test('texts to share are those of the position on the board', async ({ tak, page }) => {
  const line = await delay(page);
  await tak.start({ size: 5 });
  await tak.play('a1');
  await tak.dialog('Share');
  const ptn = tak.shareDialog.getByRole('textbox', { name: 'PTN' });
  await expect(ptn).toHaveValue(/1\. a1/);
  await tak.closeDialog();
  await tak.play('b2');
  await line.hold();
  await tak.dialog('Share');
  await tak.said('The texts of this position are being written.');
  await expect(ptn).toHaveCount(0);
  await line.release();
  await expect(ptn).toHaveValue(/1\. a1 b2/);
});

test('a click before the program has told the position is a move when it has', async ({ tak, context, home }) => {
  await tak.start({ size: 3 });
  await tak.play('a1 c3');
  const page = await context.newPage();
  const sent = await delay(page, true);
  const other = new Tak(page, home);
  await page.goto(home);
  await sent.isHeld();
  await other.square('b2').click();
  await sent.release();
  await other.shows('a1 c3 b2');
});

test('a click while a link opens plays no move', async ({ tak, context, home }) => {
  await tak.start({ size: 3 });
  await tak.play('a1 c3');
  const link = await tak.copyLink();
  await tak.play('b2');
  const page = await context.newPage();
  const sent = await delay(page, true);
  const other = new Tak(page, home);
  await page.goto(link);
  await sent.isHeld();
  const { x, y, width } = await other.box();
  await page.mouse.click(x + width / 2, y + width / 2);
  await sent.release();
  await other.shows('a1 c3');
  await other.holds('b2', 'empty');
  await tak.shows('a1 c3 b2');
});
