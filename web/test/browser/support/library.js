// The library of the page.

import { readFile } from 'node:fs/promises';

import { expect } from './expect.js';

export class Library {
  /** @param {import('./tak.js').Tak} tak */
  constructor(tak) {
    this.tak = tak;
    this.games = tak.page.getByRole('list', { name: 'Games' }).getByRole('listitem');
    this.here = tak.page.getByRole('switch', { name: 'With the position on the board' });
  }

  /** Opens it from the dialog. */
  async open() {
    await this.tak.openFiles();
    await this.tak.button('Library', this.tak.openDialog).click();
    await expect(this.tak.page.getByRole('heading', { name: 'Library' })).toBeVisible();
  }

  /** The button that opens a game. @param {RegExp} name */
  game(name) {
    return this.games.getByRole('button', { name }).first();
  }

  /** Waits until these games are listed. @param {(string | RegExp)[]} texts */
  async lists(texts) {
    await expect(this.games.locator('.kept')).toHaveText(texts);
  }

  /** Waits until one game of this name is listed, among others. @param {RegExp} name */
  async has(name) {
    await expect(this.games.locator('.kept').filter({ hasText: name })).toHaveCount(1);
  }

  /** @param {number} count */
  async count(count) {
    await expect(this.games).toHaveCount(count);
  }

  /** @param {string} text */
  async search(text) {
    await this.tak.page.getByRole('textbox', { name: 'Search for names, event, date or file' }).fill(text);
  }

  /** @param {string} name */
  async size(name) {
    await this.tak.task.getByRole('radiogroup', { name: 'Board' }).getByRole('radio', { name, exact: true }).check();
  }

  /** The line about the library. @param {string | RegExp} text */
  async about(text) {
    await expect(this.tak.task.locator('.head p').getByText(text)).toBeVisible();
  }

  /** The file with all games. */
  async saved() {
    const download = this.tak.page.waitForEvent('download');
    await this.tak.button('Save all as one PTN file').click();
    return readFile(await (await download).path(), 'utf8');
  }

  /** The milliseconds in the page from an action until the line about the library is like that. @param {() => Promise<void>} act @param {string | RegExp} text */
  async time(act, text) {
    const { page } = this.tak;
    const source = typeof text === 'string' ? `^${text}$` : text.source;
    const waited = page.evaluate((wanted) => {
      const begun = { at: 0 };
      addEventListener('hashchange', () => (begun.at = performance.now()), { capture: true, once: true });
      addEventListener('input', () => (begun.at = performance.now()), { capture: true, once: true });
      return new Promise((resolve) => {
        const look = () => {
          const now = document.querySelector('#panel .head p')?.textContent ?? '';
          if (begun.at > 0 && new RegExp(wanted).test(now)) {
            resolve(Math.round(performance.now() - begun.at));
          } else {
            requestAnimationFrame(look);
          }
        };
        look();
      });
    }, source);
    await act();
    return waited;
  }
}
