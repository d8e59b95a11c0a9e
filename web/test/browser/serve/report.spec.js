// The page about annotated games that `tak-engine annotate --report` writes.

import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';

import { program } from '../support/needs.js';
import { expect, test } from '../support/test.js';

const HOSTILE = "</svg><script>alert(1)</script>&'";

/** Games of placements on all sizes, in a fixed disorder. Most are walls, which make no roads. */
const GAMES = [3, 4, 5, 6, 7, 8, 5, 6].map((size, game) => {
  const squares = Array.from({ length: size * size }, (_, index) => {
    const at = (index * [7, 11, 13][game % 3] + game) % (size * size);
    return `${'abcdefgh'[at % size]}${Math.floor(at / size) + 1}`;
  });
  const moves = [...new Set(squares)]
    .slice(0, size === 3 ? 6 : 12)
    .map((square, ply) => `${ply % 3 > 0 && ply > 1 ? 'S' : ''}${square}`);
  const players = [
    ['Ann', HOSTILE],
    [HOSTILE, 'Dee'],
    ['Dee', 'Ann'],
  ][game % 3];
  return `[Player1 "${players[0]}"]\n[Player2 "${players[1]}"]\n[Size "${size}"]\n\n1. ${moves.join(' ')}\n`;
});

/** Players and results of games of one move. */
const RESULTS = [
  ['Once', 'Rest', '1-0'],
  ['Rest', 'Even', '1/2-1/2'],
  ['Never', 'Rest', '0-1'],
  ['Often', 'Rest', 'R-0'],
  ['Often', 'Rest', 'R-0'],
  ['Rest', 'Often', 'F-0'],
  ['Rest', 'Often', '0-R'],
  ['Often', 'Rest', '0-F'],
  ['Often', 'Rest', '0-R'],
  ['Often', 'Rest', '0-R'],
  ['Often', 'Rest', '0-R'],
  ['Open', 'Rest', '*'],
].map(([white, black, result]) => `[Player1 "${white}"]\n[Player2 "${black}"]\n[Size "5"]\n\n1. a1 e5 ${result}\n`);

/**
 * Writes the page about games.
 * @param {import('@playwright/test').TestInfo} info
 * @param {string[]} games
 */
function write(info, games) {
  const [ptn, html] = [info.outputPath('games.ptn'), info.outputPath('review.html')];
  writeFileSync(ptn, games.join('\n'));
  execFileSync(program, ['annotate', ptn, '--nodes', '150', '--report', html], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return html;
}

/** The columns of all tables that can be sorted. @param {import('@playwright/test').Page} page */
const columns = (page) =>
  page
    .getByRole('table')
    .evaluateAll((tables) =>
      tables
        .filter((table) => table.querySelector('thead button'))
        .map((table) =>
          [.../** @type {HTMLTableElement} */ (table).tBodies[0].rows].map((row) => row.cells[0].textContent),
        ),
    );

for (const width of [1200, 380]) {
  test(`it is shown without errors and overflow, and its parts work, ${width} wide`, async ({ page }, info) => {
    await page.setViewportSize({ width, height: 800 });
    await page.goto(pathToFileURL(write(info, GAMES)).href);
    const isWide = () =>
      page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth);
    expect(await isWide()).toBe(false);
    const before = await columns(page);
    expect(before.length).toBeGreaterThan(0);
    for (const heading of await page.locator('thead th:first-child').getByRole('button').all()) {
      await heading.click();
    }
    const number = (/** @type {string | null} */ text) => Number.parseFloat(text ?? '');
    expect(await columns(page)).toEqual(
      before.map((column) => column.sort((a, b) => number(b) - number(a) || (b ?? '').localeCompare(a ?? ''))),
    );
    // A point of a graph leads to its turning point, which is drawn.
    const point = page.locator('a.point.plain').first();
    await page.evaluate(
      (hash) => {
        location.hash = hash ?? '';
      },
      await point.getAttribute('href'),
    );
    expect((await page.locator(':target').boundingBox())?.height).toBeGreaterThan(100);
    const boards = page.getByRole('figure').locator('svg.tak');
    expect(await boards.count()).toBeGreaterThan(0);
    for (const board of await boards.all()) {
      expect((await board.boundingBox())?.width).toBeGreaterThan(150);
    }
  });
}

test('its tables sort scores and results by value', async ({ page }, info) => {
  await page.goto(pathToFileURL(write(info, RESULTS)).href);
  const sorted = async (/** @type {string} */ name) => {
    const heading = page.getByRole('columnheader', { name });
    await heading.getByRole('button').click();
    return heading.evaluate((head) => {
      const { cellIndex } = /** @type {HTMLTableCellElement} */ (head);
      const rows = [.../** @type {HTMLTableElement} */ (head.closest('table')).tBodies[0].rows];
      return rows.map((row) => row.cells[cellIndex].textContent).join(' ');
    });
  };
  // Equal values are in reverse order.
  expect(await sorted('score')).toBe('1/1 6½/11 ½/1 3/8 0/1 –');
  expect(await sorted('result')).toBe('F-0 R-0 R-0 1-0 1/2-1/2 0-R 0-R 0-R 0-F 0-R 0-1 *');
});

test('these tests see faults', async ({ page, faults }, info) => {
  const html = write(info, GAMES.slice(0, 1));
  const broken = readFileSync(html, 'utf8')
    .replace('<main>', '<main><p style="width:1500px">wide</p>')
    .replace('for (const table', 'missing(); for (const table');
  writeFileSync(html, broken);
  await page.goto(pathToFileURL(html).href);
  await expect.poll(() => faults.join()).toContain('missing');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide).toBeGreaterThan(100);
  faults.length = 0;
});
