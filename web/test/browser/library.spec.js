// The library: games that are kept, found by name and position, exported and imported.

import { readFile } from 'node:fs/promises';

import { Library } from './support/library.js';
import { expect, test } from './support/test.js';

const TWO = `[Event "Cup"]
[Date "2024.05.06"]
[Player1 "Åsa"]
[Player2 "Bob <b>"]
[Size "5"]

1. a1 e5 {first} 2. c3 c2 1-0

[Player1 "Cid"]
[Player2 "Dora"]
[Size "6"]
[Komi "2"]

1. a1 f6 2. c3 0-1
`;

test('a file of several games shows them, and one is found and opened', async ({ tak }) => {
  const library = new Library(tak);
  await tak.open();
  await tak.openFiles();
  await tak.chooseFiles('Choose a file', { 'club.ptn': `${TWO}\n[Size "5"]\n1. a1 a1\n` });
  await tak.said('2 games added. 1 game is damaged and left out.');
  await library.lists([
    'Åsa – Bob <b>1-05 × 5 · 2 moves · 2024.05.06 · club.ptn',
    'Cid – Dora0-16 × 6 · 2 moves · club.ptn',
  ]);
  await tak.fits();
  await library.search('bob CUP asa');
  await library.lists([/^Åsa/]);
  await library.search('2024-05');
  await library.lists([/^Åsa/]);
  await library.search('nobody');
  await expect(tak.text('No game is like that.')).toBeVisible();
  await library.search('');
  await library.size('6');
  await library.lists([/^Cid/]);
  await library.size('All');
  await library.game(/^Åsa/).click();
  await tak.shows('a1 e5 c3 c2');
  // A file of one game is opened at once, and kept too.
  await tak.openFiles();
  await tak.chooseFiles('Choose a file', { 'one.ptn': '[Player1 "Eve"]\n[Size "5"]\n1. a1 e5 2. d4\n' });
  await tak.shows('a1 e5 d4');
  await library.open();
  await library.lists([/^Eve/, /^Åsa/, /^Cid/]);
  // The same games again are no other ones.
  await tak.paste(TWO);
  await tak.said('0 games added. 2 games were here already.');
  await library.count(3);
});

test('all files on their way into the library are kept though the page is loaded again', async ({ tak, page }) => {
  const library = new Library(tak);
  await tak.open();
  // A browser that takes its time.
  await page.evaluate(() => {
    IDBFactory.prototype.open = () => /** @type {any} */ (new EventTarget());
  });
  for (const [name, move] of [
    ['Ann', 'd4'],
    ['Ben', 'd5'],
  ]) {
    await tak.openFiles();
    await tak.chooseFiles('Choose a file', { [`${name}.ptn`]: `[Player1 "${name}"]\n[Size "5"]\n1. a1 e5 2. ${move}` });
    await tak.shows(`a1 e5 ${move}`);
  }
  // A position is none for the library, and the games are not forgotten with it.
  await tak.openFiles();
  await tak.chooseFiles('Choose a file', { 'here.tps': 'x4,1/x5/x5/x5/2,x4 1 2' });
  await tak.holds('e5', 'white flat');
  await tak.reload();
  await library.open();
  await library.has(/^Ann.*Ann\.ptn$/);
  await library.has(/^Ben.*Ben\.ptn$/);
  expect(await page.evaluate(() => sessionStorage.getItem('tak-engine-files'))).toBe('[]');
});

test('the game of a link can be kept', async ({ tak }) => {
  const library = new Library(tak);
  await tak.start({ size: 5 });
  await tak.play('a1 e5');
  await tak.button('More').filter({ visible: true }).first().click();
  await tak.button('Keep in the library').click();
  await tak.said('1 game added.');
  await library.open();
  await library.lists(['White – Black5 × 5 · 1 move · pasted text']);
});

test('games with the position on the board are found, and open there', async ({ tak, page }) => {
  const library = new Library(tak);
  await tak.start({ size: 5 });
  // The image of the game's position.
  await tak.play('e1 a5 c3');
  await tak.paste(TWO);
  await library.count(2);
  // Phones have the board only if it matters which position it shows.
  if ((page.viewportSize()?.width ?? 0) < 900) {
    await expect(tak.grid).toBeHidden();
  }
  await library.here.check({ force: true });
  await expect(tak.grid).toBeInViewport({ ratio: 1 });
  await tak.fits();
  await library.lists([/^Åsa/]);
  await library.game(/^Åsa/).click();
  await tak.shows('a1 e5 c3 c2');
  await tak.at('c3');
  await tak.step('One move forward', 'c2');
  await library.open();
  await library.lists([/^Åsa/]);
});

test('a finished game is kept once, deleted and brought back', async ({ tak, page }) => {
  const library = new Library(tak);
  await tak.open();
  await tak.newGame({ mode: 'two', size: 3, white: 'Ann', black: 'Ben', time: 'free' });
  await tak.play('a1 c3 b3 b1');
  await tak.resign();
  await library.open();
  const date = new Date();
  const day = [date.getFullYear(), date.getMonth() + 1, date.getDate()]
    .map((part) => `${part}`.padStart(2, '0'))
    .join('.');
  await library.lists([`Ann – Ben0-13 × 3 · 2 moves · ${day} · played here`]);
  await tak.reload();
  await library.open();
  await library.count(1);
  await tak.button('Delete Ann – Ben').click();
  await library.count(0);
  await page.locator('.news button').click();
  await library.count(1);
  await tak.said('Restored: Ann – Ben.');
  await tak.reload();
  await library.open();
  await library.count(1);
});

test('an exported library is the same after its import', async ({ tak, page }) => {
  const library = new Library(tak);
  const odd = TWO.replace('{first}', '{a [Size "9"] in\r\n[Player1 "a comment"] \u202e} ');
  await tak.open();
  await tak.paste(odd);
  await library.count(2);
  const first = await library.saved();
  expect(first).toContain('Åsa');
  // A game that comes back is in its place.
  await tak.button('Delete Åsa – Bob <b>').click();
  await page.locator('.news button').click();
  await library.count(2);
  expect(await library.saved()).toBe(first);
  for (const name of ['Åsa – Bob <b>', 'Cid – Dora']) {
    await tak.button(`Delete ${name}`).click();
  }
  await library.count(0);
  await tak.chooseFiles('Add PTN files', { 'tak-library.ptn': first });
  await library.count(2);
  expect(await library.saved()).toBe(first);
  // Another tab has it too, at once.
  const other = await page.context().newPage();
  await other.goto(`${page.url().split('#')[0]}#library`);
  await expect(other.getByRole('list', { name: 'Games' }).getByRole('listitem')).toHaveCount(2);
  await tak.button('Delete Cid – Dora').click();
  await expect(other.getByRole('list', { name: 'Games' }).getByRole('listitem')).toHaveCount(1);
});

test('without a database games are kept until the tab is closed, and a full one loses nothing', async ({
  tak,
  page,
}) => {
  const library = new Library(tak);
  await page.addInitScript(() => {
    IDBFactory.prototype.open = () => {
      throw new DOMException('no', 'SecurityError');
    };
  });
  await tak.open();
  await tak.paste(TWO);
  await expect(tak.problem('This browser does not store games')).toBeVisible();
  await library.lists([/^Åsa/, /^Cid/]);
  expect(await library.saved()).toContain('[Player1 "Cid"]');
});

test('what does not fit is refused by name, and what a later version has stored is not touched', async ({
  tak,
  page,
}) => {
  const library = new Library(tak);
  await tak.open();
  await tak.paste(TWO);
  await library.count(2);
  // Browsers abort what does not fit, at the end.
  await page.evaluate(() => {
    const { add } = IDBObjectStore.prototype;
    IDBObjectStore.prototype.add = function (...all) {
      const request = add.apply(this, all);
      if (this.name === 'texts') {
        Object.defineProperty(this.transaction, 'error', { value: new DOMException('', 'QuotaExceededError') });
        this.transaction.abort();
      }
      return request;
    };
  });
  await tak.chooseFiles('Add PTN files', { 'big.ptn': TWO.replaceAll('c3', 'd3').replaceAll('e5', 'e4') });
  await expect(tak.problem('big.ptn was not added: this browser has no more space for games')).toBeVisible();
  await library.count(2);
  // The game of a single one is open nevertheless.
  await tak.openFiles();
  await tak.chooseFiles('Choose a file', { 'one.ptn': '[Size "5"]\n1. a1 e5 2. d4\n' });
  await tak.said('one.ptn is not in the library: this browser has no more space for games.');
  await tak.shows('a1 e5 d4');
  await page.goto(`${tak.home}how-to-play.html`);
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open('tak-engine-library', 99);
        request.onsuccess = () => resolve(request.result.close());
      }),
  );
  await page.goto(`${tak.home}#library`);
  await expect(tak.problem('A later version of this page has stored these games')).toBeVisible();
  await library.count(0);
});

test('games of the first version, one in each record, are listed, opened and removed', async ({ tak, page }) => {
  const library = new Library(tak);
  await page.goto(`${tak.home}how-to-play.html`);
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        const request = indexedDB.open('tak-engine-library', 1);
        request.onupgradeneeded = () => {
          const about = {
            size: 5,
            half_komi: 4,
            plies: 2,
            date: '',
            result: '1-0',
            tags: '',
            source: 'old.ptn',
            added: 1,
          };
          const games = request.result.createObjectStore('games', { keyPath: 'id' });
          const texts = request.result.createObjectStore('texts');
          for (const [id, white] of /** @type {const} */ ([
            [1, 'Ann'],
            [2, 'Cid'],
          ])) {
            games.add({ id, key: white, white, black: 'Ben', ...about });
            texts.add(`[Player1 "${white}"]\n[Size "5"]\n1. a1 e5 1-0\n`, id);
          }
        };
        request.onsuccess = () => resolve(request.result.close());
      }),
  );
  await page.goto(`${tak.home}#library`);
  await library.lists([/^Ann – Ben/, /^Cid – Ben/]);
  await tak.button('Delete Ann – Ben').click();
  await tak.paste(TWO);
  await page.getByRole('switch', { name: 'Only games of pasted text' }).click();
  await library.count(3);
  await library.game(/^Cid – Ben/).click();
  await tak.shows('a1 e5');
});

test('a write that fails leaves the library as it was', async ({ tak, page }) => {
  const library = new Library(tak);
  await tak.open();
  await tak.paste(TWO);
  await library.count(2);
  await page.evaluate(() => {
    const { add } = IDBObjectStore.prototype;
    let left = 2;
    IDBObjectStore.prototype.add = function (...all) {
      left -= 1;
      if (left === 0) {
        this.transaction.abort();
      }
      return add.apply(this, all);
    };
  });
  await tak.chooseFiles('Add PTN files', { 'more.ptn': TWO.replaceAll('c3', 'd3').replaceAll('e5', 'e4') });
  await expect(tak.problem('more.ptn was not added')).toBeVisible();
  await library.count(2);
  await tak.reload();
  await library.open();
  await library.count(2);
});

test('ten thousand games open and are searched at once', async ({ tak, page }) => {
  const library = new Library(tak);
  const files = ['a', 'e', 'c']
    .flatMap((file) => ['1', '5', '3'].map((rank) => file + rank))
    .filter((square) => square !== 'c3');
  const games = Array.from({ length: 10_000 }, (_, index) => {
    const moves = [files[index % 8], 'c3', 'b2', 'b3', 'd4', 'd2']
      .map((move, ply) => (ply % 2 ? `${move}\n` : `${ply / 2 + 1}. ${move} `))
      .join('');
    return `[Event "Round ${index % 100}"]\n[Date "20${10 + (index % 15)}.0${1 + (index % 9)}.11"]\n[Player1 "Player ${index}"]\n[Player2 "Other ${(index * 7) % 1000}"]\n[Size "5"]\n[Komi "2"]\n\n${moves}1-0\n`;
  }).join('\n');
  await tak.open();
  await library.open();
  await tak.chooseFiles('Add PTN files', { 'all.ptn': games });
  await library.about('10,000 games');
  await tak.reload();
  await page.evaluate(() => {
    location.hash = 'play';
  });
  await tak.reload();
  const opened = await library.time(async () => {
    await page.evaluate(() => {
      location.hash = 'library';
    });
  }, '10,000 games');
  const searched = await library.time(() => library.search('player 777 round'), /^\d+ of 10,000 games$/);
  console.info(`10,000 games: opened in ${opened} ms, searched in ${searched} ms`);
});

test('the explorer begins with the library, lists games below the moves, and opens one there', async ({ tak }) => {
  const library = new Library(tak);
  await tak.open();
  await tak.paste(TWO);
  await library.count(2);
  await library.game(/^Cid/).click();
  await tak.visit('a1');
  await tak.openView('Explorer');
  await tak.tells('Library · 2 games');
  const played = tak.page.getByRole('list', { name: 'Games with this position' }).getByRole('button');
  await expect(played).toHaveText([/^Cid – Dora/]);
  await played.first().click();
  await tak.shows('a1 f6 c3');
  await tak.at('a1');
});

test('a game is shared as a picture and at another site, and pasted anywhere', async ({ tak, page }) => {
  await tak.open();
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.body.dispatchEvent(new ClipboardEvent('paste', { clipboardData, bubbles: true }));
  }, 'look: https://ptn.ninja/NoZQlgXgpgBARAVjgXQLAChgAUA2BDATygCcBGeAEYDsqoUMNSA6GPcqBDAJhYGMBmGAG8A5gFcALgH4AvjAAmAFgxA&ply=2.');
  await tak.shows('a1 e5 c3 d4');
  await tak.at('e5');
  await tak.dialog('Share');
  await expect(page.getByRole('link', { name: 'Open in PTN Ninja' })).toHaveAttribute(
    'href',
    /^https:\/\/ptn\.ninja\/.+&ply=1!$/,
  );
  for (const [name, begin] of [
    ['Save as SVG', '<svg'],
    ['Save as PNG', '\u0089PNG'],
  ]) {
    const download = page.waitForEvent('download');
    await tak.button(name).click();
    const bytes = await readFile(await (await download).path());
    expect(bytes.toString('latin1')).toContain(begin);
  }
});

test('games of earlier versions are taken over once', async ({ tak }) => {
  const library = new Library(tak);
  await tak.open();
  await tak.newGame({ mode: 'two', size: 5, white: 'Ann', black: 'Ben', time: 'free' });
  await tak.play('a1 e5 c3');
  await tak.newGame({ mode: 'two', size: 6, time: 'free' });
  // Opened games were not played here, so they stay where they came from.
  for (const end of ['e5', 'd4']) {
    await tak.paste(`[Size "5"]\n1. a1 ${end}`);
    await tak.at(end);
  }
  await library.open();
  await library.lists([/^Ann – Ben/]);
  await tak.button('Delete Ann – Ben').click();
  await library.count(0);
  await tak.reload();
  await library.open();
  await library.about('0 games');
});
