// The explorer of the page.

import { expect } from './expect.js';

/** Rated games on two boards. The first moves of those on 5x5 are equivalent. */
export const GAMES = `[Size "5"]
[Rating1 "1500"]

1. a1 e5 2. c3 1-0

[Size "5"]

1. e5 a1 2. c3 c2 0-1

[Size "5"]
[Rating1 "1600"]

1. a5 e1 2. d3 1/2-1/2

[Size "6"]

1. a1 f6

[Size "5"]

1. a1 a1

`;

export class Explorer {
  /** @param {import('./tak.js').Tak} tak */
  constructor(tak) {
    this.tak = tak;
    this.table = tak.task.getByRole('table');
    this.rows = this.table.getByRole('row').filter({ has: tak.page.getByRole('cell') });
  }

  /** Opens files by their names and contents. @param {Record<string, string | Buffer>} files */
  async choose(files) {
    await this.tak.chooseFiles(/^(Choose PTN files|Other files)$/, files);
  }

  /** The button of a move. @param {string} name */
  move(name) {
    return this.tak.button(name, this.table);
  }

  /** Waits until the position is summed up so. @param {string} text */
  async sums(text) {
    await this.tak.said(text);
  }

  /** Waits until these are the moves, with what is read of the bars. @param {(string | RegExp)[]} rows */
  async lists(rows) {
    await expect(async () => {
      const read = await this.rows.evaluateAll((all) =>
        all.map((row) => {
          const cells = [...row.children].map(
            (cell) =>
              cell.querySelector('[aria-label]')?.ariaLabel ??
              (
                [...cell.childNodes].find(({ nodeType, textContent }) => nodeType === 3 && textContent?.trim()) ?? cell
              ).textContent?.trim() ??
              '',
          );
          return cells.join('; ');
        }),
      );
      expect(read).toEqual(rows.map((row) => (typeof row === 'string' ? row : expect.stringMatching(row))));
    }).toPass({ timeout: 60_000 });
  }
}
