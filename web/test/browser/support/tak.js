// The page as a person uses it. Everything is found by role and name, so this is the only file that knows the words of the
// page's controls.

import { createHash } from 'node:crypto';

import { expect } from './expect.js';

/** @typedef {import('@playwright/test').Locator} Locator */
/** @typedef {'white' | 'black'} Color */

/**
 * The start of a game, as in a link.
 * @typedef {{ size: number, half_komi?: number, opening?: string, tps?: string }} Start
 */

/** The choices in the dialog for new games that are next to each other, by their labels and names. */
const CHOICES = {
  size: { label: 'Board', options: (/** @type {unknown} */ size) => `${size}` },
  mode: { label: 'Players', options: { engine: 'Engine', two: 'Two people', self: 'Watch', analysis: 'Analysis' } },
  color: { label: 'You play', options: { white: 'White', black: 'Black', lot: 'Alternating', random: 'Random' } },
  games: { label: 'Games', options: (/** @type {unknown} */ count) => `${count}` },
  time: {
    label: 'Clock',
    options: (/** @type {unknown} */ time) =>
      ({ free: 'None', clock: 'Other' })[`${time}`] ?? `${time}`.replace('+', ' + '),
  },
};

/** The other fields, by their labels. */
const FIELDS = {
  seconds: 'Engine’s seconds per move',
  minutes: 'Minutes per player',
  increment: 'Seconds added per move',
  you: 'Your name',
  white: 'Name of White',
  black: 'Name of Black',
  'white stones': 'White’s flats',
  'white caps': 'White’s capstones',
  'black stones': 'Black’s flats',
  'black caps': 'Black’s capstones',
};

/** Opening rules as the list names them. @type {Record<string, string>} */
const OPENINGS = {
  swap: 'standard: an opponent’s flat each',
  'no-swap': 'no swap: any of one’s own pieces',
  'double-black': 'double black: two black flats, then one white',
};

/**
 * @typedef {{ [Name in keyof typeof CHOICES | keyof typeof FIELDS | 'komi' | 'opening' | 'level' | 'blacks level']?: string | number }} Choices
 */

/** Pixels at the edge of a part that are left out of its picture. */
const EDGE = 4;

/** A result, as it stands in a line about a game. */
const RESULT = /(^| )([01RF]-[01RF]|1\/2-1\/2)( |$)/;

/** @type {Record<string, string>} */
const KINDS = { '': 'flat', S: 'wall', C: 'capstone' };

/** What may follow a move. */
const MARKS = '[^\\w+<>-]*';

/** @param {Color} color */
const nameOf = (color) => (color === 'white' ? 'White' : 'Black');

/** A regular expression for a text. @param {string} text */
const literal = (text) => text.replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

export class Tak {
  /**
   * @param {import('@playwright/test').Page} page
   * @param {string} home its address
   */
  constructor(page, home) {
    this.page = page;
    this.home = home;
    this.grid = page.getByRole('grid', { name: 'Tak board' });
    this.squares = this.grid.getByRole('gridcell');
    this.list = page.getByRole('group', { name: 'Moves of the game' });
    /** The moves of the main line. */
    this.moves = this.list.getByRole('listitem', { name: /^$/ }).getByRole('button');
    /** The variations, a row each. */
    this.variations = this.list.getByRole('listitem', { name: 'Variation' });
    /** The move whose position is on the board. */
    this.current = this.list.locator('[aria-current]');
    this.putBack = this.button('Put back');
    this.status = page.getByRole('status');
    this.newDialog = page.getByRole('dialog', { name: 'New game' });
    this.openDialog = page.getByRole('dialog', { name: 'Open' });
    this.shareDialog = page.getByRole('dialog', { name: 'Share' });
    this.noteDialog = page.getByRole('dialog', { name: 'Comment' });
    this.keysDialog = page.getByRole('dialog', { name: 'Keys' });
    this.mark = page.getByRole('radiogroup', { name: 'Mark' });
    this.comment = page.getByRole('textbox', { name: 'Comment' });
    /** White's expected score from move to move. */
    this.graph = page.getByRole('slider', { name: 'White’s expected score' });
    this.turns = page.getByRole('list', { name: /^(Turning points|Of the opponent)$/ }).getByRole('listitem');
    this.rematch = this.button('Rematch');
    /** The place of a puzzle, a lesson or the explorer. */
    this.task = page.getByRole('complementary', { name: 'Game' });
    this.title = this.task.getByRole('heading', { level: 2 }).first();
    this.backToGame = page.getByRole('link', { name: 'Back to the game' });
    this.fromHere = this.newDialog.getByRole('switch', { name: 'Start from the position on the board' });
    this.live = page.getByRole('switch', { name: 'Live' });
  }

  // ---- Opening ----

  /** Opens the page, and waits for a board. */
  async open(url = this.home) {
    await this.page.goto(url);
    await this.ready();
    return this;
  }

  /** Waits until the program has told the position on the board. */
  async ready() {
    // The library has no board on phones.
    await expect(this.page.getByRole('grid', { includeHidden: true }).first()).toHaveAttribute('aria-busy', 'false');
  }

  /** Starts a game by a link; both sides can be played. @param {Start} start */
  async start(start) {
    // The address alone would change otherwise, and what the page says might be about an earlier game.
    if (this.page.url() !== 'about:blank') {
      await this.page.goto('about:blank');
    }
    const link = { start: { half_komi: 0, opening: 'swap', ...start }, moves: [] };
    await this.page.goto(`${this.home}#${btoa(JSON.stringify(link))}`);
    await this.said('Position opened.');
    return this;
  }

  /** Reloads the page, and waits for a board. */
  async reload() {
    await this.page.reload();
    await this.ready();
  }

  /** Restores the game that was replaced last. */
  async restore() {
    await this.button('More').filter({ visible: true }).first().click();
    await this.button('Restore previous game').click();
  }

  /** Waits until a lost connection is back. */
  async connects() {
    await expect(this.status.filter({ hasText: /^Not connected/ })).toHaveCount(0);
  }

  // ---- Parts ----

  /** @param {string} name @param {Locator | import('@playwright/test').Page} [within] */
  button(name, within = this.page) {
    return within.getByRole('button', { name, exact: true });
  }

  /** @param {string} name */
  square(name) {
    return this.grid.getByRole('gridcell', { name: new RegExp(`^${name}:`) });
  }

  /** The group about a player. @param {Color} color */
  player(color) {
    return this.page.getByRole('group', { name: nameOf(color), exact: true });
  }

  /** @param {Color} color */
  clock(color) {
    return this.player(color).getByRole('timer');
  }

  /** The seconds on a clock. @param {Color} color */
  async seconds(color) {
    const text = (await this.clock(color).textContent()) ?? '';
    const [minutes, seconds] = text.split(':').map(Number);
    return 60 * minutes + seconds;
  }

  /** @param {string} kind flat, wall or capstone */
  kind(kind) {
    return this.page
      .getByRole('radiogroup', { name: 'Piece to place' })
      .getByRole('radio', { name: new RegExp(`^${kind}`, 'i') });
  }

  // ---- On the board ----

  /** Clicks squares one after the other. @param {string} squares */
  async pick(squares) {
    for (const square of squares.split(' ')) {
      await this.square(square).click();
    }
  }

  /**
   * Drags from the middle of a square to that of others. Between them it is never far from the line.
   * @param {string} squares
   * @param {'mouse' | 'touch'} by
   */
  async drag(squares, by) {
    const { mouse } = this.page;
    const touch = by === 'touch' ? await this.finger() : null;
    const points = [];
    for (const square of squares.split(' ')) {
      points.push(await this.middle(square));
    }
    let { x, y } = points[0];
    await (touch ? touch('touchStart', x, y) : mouse.move(x, y).then(() => mouse.down()));
    for (const to of points.slice(1)) {
      for (const share of [0.25, 0.5, 0.75, 1]) {
        const [nextX, nextY] = [x + (to.x - x) * share, y + (to.y - y) * share];
        await (touch ? touch('touchMove', nextX, nextY) : mouse.move(nextX, nextY));
      }
      ({ x, y } = to);
    }
    await (touch ? touch('touchEnd') : mouse.up());
  }

  /** A finger on the screen, which Playwright cannot move. */
  async finger() {
    const session = await this.page.context().newCDPSession(this.page);
    return async (/** @type {'touchStart' | 'touchMove' | 'touchEnd'} */ type, x = 0, y = 0) => {
      await session.send('Input.dispatchTouchEvent', { type, touchPoints: type === 'touchEnd' ? [] : [{ x, y }] });
    };
  }

  /** The place of the board in the window. */
  async box() {
    const { x = 0, y = 0, width = 0, height = 0 } = (await this.grid.boundingBox()) ?? {};
    return { x, y, width, height, bottom: y + height };
  }

  /** The middle of a square in the window. @param {string} square */
  async middle(square) {
    const cell = this.square(square);
    await cell.scrollIntoViewIfNeeded();
    const box = await cell.boundingBox();
    if (!box) {
      throw new Error(`${square} is not seen`);
    }
    return { x: box.x + box.width / 2, y: box.y + box.height / 2 };
  }

  /** The first empty square. */
  get free() {
    return this.grid.getByRole('gridcell', { name: /^..: empty/ }).first();
  }

  /** Presses Tab until this has the focus. @param {Locator} target */
  async tabTo(target) {
    const hasFocus = () => target.evaluate((element) => element === document.activeElement);
    for (let tries = 0; tries < 60 && !(await hasFocus()); tries += 1) {
      await this.page.keyboard.press('Tab');
    }
    await expect(target).toBeFocused();
  }

  /** Presses keys one after the other. @param {string} keys */
  async press(keys) {
    for (const key of keys.split(' ')) {
      await this.page.keyboard.press(key);
    }
  }

  /**
   * Makes moves on the board, and waits until the last one is on it.
   * @param {string} moves
   * @param {'mouse' | 'keys'} [by]
   */
  async play(moves, by = 'mouse') {
    for (const move of moves.split(' ')) {
      if (/^..$/.test(move) && by === 'mouse') {
        await this.square(move).click();
      } else {
        await this.make(move, by);
        await this.at(move);
      }
    }
    await this.at(moves.split(' ').at(-1) ?? '');
  }

  /** Makes a move, to which there may be an answer at once. @param {string} move @param {'mouse' | 'keys'} [by] */
  async make(move, by = 'mouse') {
    const [, letter, square] = /^([SC]?)([a-h][1-8])$/.exec(move) ?? [];
    await (square ? this.place(KINDS[letter], square, by) : this.spread(move, by));
  }

  /** Chooses a kind of piece, and places it. @param {string} kind @param {string} square @param {'mouse' | 'keys'} [by] */
  async place(kind, square, by = 'mouse') {
    const button = this.kind(kind);
    if (by === 'mouse') {
      await button.check();
      await this.square(square).click();
      return;
    }
    await this.cursorTo(square);
    for (let tries = 0; tries < 3 && !(await button.isChecked()); tries += 1) {
      const before = await this.saidNow();
      await this.press('c');
      await expect.poll(() => this.saidNow()).not.toBe(before);
    }
    await this.press('Enter');
  }

  /** @param {string} move @param {'mouse' | 'keys'} by */
  async spread(move, by) {
    const [, count, from, way, drops] = /^(\d?)(..)([-+<>])(\d*)$/.exec(move) ?? [];
    const lifted = Number(count || 1);
    if (by === 'mouse') {
      await this.square(from).click();
      await expect(this.putBack).toBeVisible();
      const button = this.button(`lift ${lifted}`);
      // Of a single piece there is no choice.
      if (await button.isVisible()) {
        await button.click();
        await expect(button).toHaveAttribute('aria-pressed', 'true');
      }
    } else {
      await this.cursorTo(from);
      await this.press(`${lifted} Enter`);
    }
    await expect(this.putBack).toBeVisible();
    const [right, up] = { '+': [0, 1], '-': [0, -1], '>': [1, 0], '<': [-1, 0] }[way] ?? [];
    let square = from;
    for (const drop of drops || `${lifted}`) {
      square = String.fromCharCode(square.charCodeAt(0) + right) + (Number(square[1]) + up);
      for (let index = 0; index < Number(drop); index += 1) {
        // If there is only one square for the rest, it is dropped at once.
        if (await this.putBack.isHidden()) {
          return;
        }
        const before = await this.saidNow();
        if (by === 'mouse') {
          await this.square(square).click();
        } else {
          await this.cursorTo(square);
          await this.press('Enter');
        }
        await expect.poll(() => this.saidNow(), `a piece falls on ${square}`).not.toBe(before);
      }
    }
  }

  /** Moves the cursor there with the arrow keys. @param {string} square */
  async cursorTo(square) {
    const cursor = this.grid.getByRole('gridcell', { selected: true });
    const from = (await cursor.getAttribute('aria-label'))?.slice(0, 2) ?? '';
    const [right, up] = [square.charCodeAt(0) - from.charCodeAt(0), Number(square[1]) - Number(from[1])];
    for (const [key, back, steps] of /** @type {const} */ ([
      ['ArrowRight', 'ArrowLeft', right],
      ['ArrowUp', 'ArrowDown', up],
    ])) {
      for (let step = 0; step < Math.abs(steps); step += 1) {
        await this.page.keyboard.press(steps > 0 ? key : back);
      }
    }
    await expect(cursor).toHaveAccessibleName(new RegExp(`^${square}:`));
  }

  // ---- What is seen and heard ----

  /** A text on the page. @param {string | RegExp} text */
  text(text) {
    return this.page.getByText(text);
  }

  /** Waits until the page says this, in any of its live regions. @param {string} text */
  async said(text) {
    await expect(this.status.filter({ hasText: text }).first()).toBeAttached();
  }

  /** Waits until no news cover the board. */
  async isQuiet() {
    await expect(this.page.locator('.news')).toHaveCount(0);
  }

  /** All that the page says. */
  async saidNow() {
    return (await this.status.allTextContents()).join('\n');
  }

  /**
   * Waits until these are the moves of the main line, and the rows of variations if they are named.
   * @param {string} moves
   * @param {string[]} [variations]
   */
  async shows(moves, variations) {
    await expect(this.moves).toHaveText(moves.split(' '));
    if (variations) {
      await expect(this.variations).toHaveText(variations);
    }
  }

  /** Waits until the main line has this many moves. @param {number} count */
  async counts(count) {
    await expect(this.moves).toHaveCount(count);
  }

  /** Waits until this move is on the board last; for '' none. @param {string} move */
  async at(move) {
    await (move === ''
      ? expect(this.current).toHaveCount(0)
      : expect(this.current).toHaveText(new RegExp(`^${literal(move)}${MARKS}$`)));
  }

  /** A move in the list. @param {string} name */
  move(name) {
    return this.list.getByRole('button', { name: new RegExp(`^${literal(name)}${MARKS}$`) }).first();
  }

  /** Goes to a move of the list. @param {string} name */
  async visit(name) {
    await this.move(name).click();
    await this.at(name);
  }

  /** Presses a button that leads to another place of the game: after this move. @param {string} name @param {string} move */
  async step(name, move) {
    await this.button(name).click();
    await this.at(move);
  }

  /** Waits until a square looks like this: `white flat on black`. @param {string} square @param {string} content */
  async holds(square, content) {
    await expect(this.square(square)).toHaveAccessibleName(new RegExp(`^${square}: ${literal(content)}\\.`));
  }

  /** The hash of a picture of a part without its edges, which others may overlap. @param {Locator} part */
  async picture(part) {
    await part.scrollIntoViewIfNeeded();
    const { x = 0, y = 0, width = 0, height = 0 } = (await part.boundingBox()) ?? {};
    const clip = { x: x + EDGE, y: y + EDGE, width: width - 2 * EDGE, height: height - 2 * EDGE };
    const picture = await this.page.screenshot({ clip, animations: 'disabled' });
    return createHash('sha256').update(picture).digest('hex');
  }

  /**
   * Waits until a part looks different from all of these pictures, and returns how.
   * @param {Locator} part
   * @param {string[]} pictures
   */
  async changed(part, ...pictures) {
    let now = '';
    await expect(async () => {
      now = await this.picture(part);
      expect(pictures).not.toContain(now);
    }).toPass({ timeout: 60_000 });
    return now;
  }

  /** Waits for this result: `White wins by a road (R-0)`. @param {string} text */
  async ends(text) {
    const [, result = text] = /\((.*)\)/.exec(text) ?? [];
    await expect(this.task.getByRole('paragraph').filter({ hasText: result }).first()).toBeVisible();
  }

  /** Waits until no result is shown. */
  async goesOn() {
    await expect(this.task.getByRole('paragraph').filter({ hasText: RESULT })).toHaveCount(0);
  }

  /** The depth and speed of the engine. */
  get effort() {
    return this.page.getByRole('paragraph').filter({ hasText: /^Depth \d/ });
  }

  /** Reviews the game. */
  async annotate() {
    await this.button('Review').first().click();
    await this.said('Reviewed.');
  }

  /** Shows the moves of a reviewed game, or its turning points. @param {'Moves' | 'Turning points'} name */
  async tab(name) {
    await this.task.getByRole('radio', { name, exact: true }).check();
  }

  /** Checks that nothing is wider than the window. */
  async fits() {
    const isWide = await this.page.evaluate(() => {
      const { scrollWidth, clientWidth } = document.documentElement;
      return scrollWidth > clientWidth;
    });
    expect(isWide, 'wider than the window').toBe(false);
  }

  // ---- Dialogs ----

  /** Opens the dialog for new games with all its choices. */
  async openNew() {
    await this.button('New game').first().click();
    await this.button('More: names, opening, pieces, position', this.newDialog).click();
  }

  /** A field of the dialog for new games. @param {keyof typeof FIELDS} name */
  field(name) {
    return this.newDialog.getByLabel(FIELDS[name], { exact: true });
  }

  /** One of the choices next to each other. @param {keyof typeof CHOICES} name @param {string | number} value */
  choice(name, value) {
    const { label, options } = CHOICES[name];
    const text = typeof options === 'function' ? options(value) : options[/** @type {keyof typeof options} */ (value)];
    return this.newDialog
      .getByRole('radiogroup', { name: label, exact: true })
      .getByRole('radio', { name: text, exact: true });
  }

  /** Sets fields of that dialog. @param {Choices} choices */
  async choose(choices) {
    // The other choices depend on who plays.
    const order = /** @type {[keyof Choices, string | number][]} */ (Object.entries(choices)).sort(
      ([one], [other]) => Number(other === 'mode') - Number(one === 'mode'),
    );
    for (const [name, value] of order) {
      if (name === 'komi') {
        await this.komi(Number(value));
      } else if (name === 'opening') {
        await this.newDialog.getByLabel('Opening').selectOption({ label: OPENINGS[value] });
      } else if (name === 'level' || name === 'blacks level') {
        const label = name === 'blacks level' ? 'Black’s level' : /^(White’s level|Level)$/;
        const slider = this.newDialog.getByRole('slider', { name: label, exact: true });
        await slider.fill(`${Number(value) || (await slider.getAttribute('max'))}`);
      } else if (name in CHOICES) {
        await this.choice(/** @type {keyof typeof CHOICES} */ (name), value).check();
      } else {
        await this.field(/** @type {keyof typeof FIELDS} */ (name)).fill(`${value}`);
      }
    }
  }

  /** Sets the komi with its buttons. @param {number} komi */
  async komi(komi) {
    const field = this.newDialog.locator('.field').filter({ has: this.button('More komi') });
    for (let tries = 0; tries < 200; tries += 1) {
      const now = Number((await field.locator('b').textContent())?.replace('−', '-'));
      if (now === komi) {
        return;
      }
      await this.button(now < komi ? 'More komi' : 'Less komi').click();
    }
  }

  /** Starts a game in the dialog, with the last choices of what is not named. @param {Choices} choices */
  async newGame(choices) {
    await this.openNew();
    await this.choose(choices);
    await this.button('Start', this.newDialog).click();
    await expect(this.newDialog).toBeHidden();
    await this.ready();
  }

  /** Opens a dialog of the rail, which phones have in a menu. @param {'Open' | 'Share' | 'Settings' | 'Keys'} name */
  async dialog(name) {
    const button = this.button(name).filter({ visible: true }).first();
    if (!(await button.isVisible())) {
      await this.button('More').filter({ visible: true }).first().click();
    }
    await this.button(name).filter({ visible: true }).last().click();
    await expect(this.page.getByRole('dialog', { name })).toBeVisible();
  }

  async openFiles() {
    await this.dialog('Open');
  }

  async closeDialog() {
    await this.page.keyboard.press('Escape');
    await expect(this.page.getByRole('dialog')).toHaveCount(0);
  }

  /** Opens a game, a position or a link as text. @param {string} text */
  async paste(text) {
    await this.openFiles();
    await this.pasteHere(text);
  }

  /** The same in the open dialog. @param {string} text */
  async pasteHere(text) {
    await this.openDialog.getByLabel('A game in PTN, a position in TPS, or a link').fill(text);
    await this.button('Open this text', this.openDialog).click();
  }

  /** The text that the page shares in this form. @param {'PTN' | 'TPS'} [form] */
  async ptn(form = 'PTN') {
    await this.dialog('Share');
    const field = this.shareDialog.getByLabel(form, { exact: true });
    await expect(field).not.toHaveValue('');
    const text = await field.inputValue();
    await this.closeDialog();
    return text;
  }

  /** Copies the link to this game. */
  async copyLink() {
    await this.page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
    await this.dialog('Share');
    await this.button('Copy Link', this.shareDialog).click();
    await this.said('Link copied.');
    await this.closeDialog();
    return this.page.evaluate(() => navigator.clipboard.readText());
  }

  /** Sets a switch of the settings. @param {string} name @param {boolean} isOn */
  async set(name, isOn) {
    await this.dialog('Settings');
    await this.page.getByRole('dialog').getByRole('switch', { name, exact: true }).setChecked(isOn);
    await this.closeDialog();
  }

  /** A problem with this text in it. @param {string} text */
  problem(text) {
    return this.page.getByRole('alert').filter({ hasText: text });
  }

  /** Lets files fall on a part of the page. @param {Locator} part @param {Record<string, string>} files their texts by name */
  async drop(part, files) {
    const dataTransfer = await this.page.evaluateHandle((texts) => {
      const data = new DataTransfer();
      for (const [name, text] of Object.entries(texts)) {
        data.items.add(new File([text], name));
      }
      return data;
    }, files);
    await part.dispatchEvent('drop', { dataTransfer });
  }

  /** Chooses the board of the settings. @param {string} name */
  async board(name) {
    await this.dialog('Settings');
    await this.page.getByRole('radiogroup', { name: 'Board' }).getByRole('radio', { name }).check();
    await this.closeDialog();
  }

  // ---- Notes ----

  async openNote() {
    await this.button('Comment').click();
    await expect(this.noteDialog).toBeVisible();
  }

  /** Gives the move on the board a mark. @param {string} mark */
  async judge(mark) {
    await this.mark.getByRole('radio', { name: mark || 'none', exact: true }).check();
  }

  /** Comments on the move on the board. @param {string} text */
  async note(text) {
    await this.comment.fill(text);
    await this.comment.blur();
  }

  /** The comments as they are shown. @param {string} text */
  comments(text) {
    return this.list.getByText(text);
  }

  // ---- Puzzles, lessons, the explorer ----

  /** Opens a view by its link. @param {'Puzzles' | 'Learn' | 'Explorer'} name */
  async openView(name) {
    await this.page.getByRole('link', { name, exact: true }).click();
    await expect(this.backToGame).toBeVisible();
    await this.ready();
  }

  /** Opens a puzzle by its link. @param {unknown[]} puzzle */
  async openPuzzle(puzzle) {
    const hash = `puzzles/${btoa(JSON.stringify(puzzle)).replaceAll('=', '')}`;
    await this.page.evaluate((to) => {
      location.hash = to;
    }, hash);
    // It is said after all is drawn.
    await expect(this.status.filter({ hasText: / to move\. / })).toBeAttached();
  }

  /** Waits until a puzzle or a lesson says this. @param {string} text */
  async tells(text) {
    await expect(this.task.getByText(text).first()).toBeVisible();
  }

  /** Chooses files with a button. @param {string | RegExp} name @param {Record<string, string | Buffer>} files their contents by name */
  async chooseFiles(name, files) {
    const payloads = Object.entries(files).map(([each, text]) => ({
      name: each,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    }));
    await this.page.getByLabel(name).setInputFiles(payloads);
  }

  /** The position on the board in words. */
  async position() {
    const names = await this.squares.evaluateAll((cells) => cells.map(({ ariaLabel }) => ariaLabel?.split('.')[0]));
    return names.join();
  }

  /** Opens an annotated game in which White misses the road along the third row, and allows Black's along the first. */
  async annotated() {
    await this.start({ size: 3 });
    await this.play('a1 c3 b3 b1 a2');
    await this.annotate();
  }

  // ---- Ends ----

  /** A button that phones have in their menu, which this opens then. @param {'Resign' | 'Analyse'} name */
  async seldom(name) {
    const button = this.button(name).filter({ visible: true });
    await expect(button.or(this.button('More').filter({ visible: true })).first()).toBeVisible();
    if ((await button.count()) === 0) {
      await this.button('More').filter({ visible: true }).first().click();
    }
    return button.last();
  }

  /** Analyses the game with the engine. */
  async analyse() {
    await (await this.seldom('Analyse')).click();
  }

  /** Resigns, and confirms it. */
  async resign() {
    await (await this.seldom('Resign')).click();
    await this.page.getByRole('button', { name: /^Really resign/ }).click();
  }
}
