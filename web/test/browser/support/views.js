// Every view of the page, in a state in which all its parts are seen.

import { expect } from '@playwright/test';

import { Explorer } from './explorer.js';

const TALL = 'x5/x2,21212121C,x2/x,1,2S,x2/x5/2,x4 1 20';
const TINUE = ['tinue', 'x4,2/x,2,x,1,x/x,2,x,1,x/x,2,x,1,1/x5 1 5', 0, 21, 21, 1, 1, 3, 1, 'Cd5 d1 e1'];

/**
 * @typedef {object} View
 * @property {string} name
 * @property {(tak: import('./tak.js').Tak) => Promise<unknown>} open
 * @property {boolean} [isMoving] whether it never looks the same twice
 */

/** @type {View[]} */
export const VIEWS = [
  { name: 'empty board', open: (tak) => tak.open() },
  {
    name: 'game',
    open: async (tak) => {
      await tak.start({ size: 5, tps: TALL });
      await tak.play('a5 e1');
      await tak.annotate();
    },
  },
  {
    name: 'pieces in hand',
    open: async (tak) => {
      await tak.start({ size: 5, tps: TALL });
      await tak.pick('c4');
      await expect(tak.putBack).toBeVisible();
    },
  },
  {
    name: 'analysis',
    isMoving: true,
    open: async (tak) => {
      await tak.start({ size: 5, tps: TALL });
      await tak.live.check();
      await expect(tak.effort).toBeVisible();
    },
  },
  {
    name: 'tak',
    open: async (tak) => {
      await tak.start({ size: 4 });
      await tak.play('a4 a1 b1 d4 c1');
      await expect(tak.player('white')).toContainText('Tak');
    },
  },
  {
    name: 'game with clocks',
    isMoving: true,
    open: async (tak) => {
      await tak.open();
      await tak.newGame({ mode: 'two', time: '3+2' });
      await tak.play('a1 b2');
    },
  },
  {
    name: 'library',
    isMoving: true,
    open: async (tak) => {
      await tak.open();
      await tak.paste('[Player1 "Ann"]\n[Size "5"]\n1. a1 e5 1-0\n\n[Player1 "Cid"]\n[Size "6"]\n1. a1 f6\n');
      await tak.said('2 games added.');
    },
  },
  {
    name: 'hint',
    open: async (tak) => {
      await tak.open();
      await tak.newGame({ size: 4, mode: 'two' });
      await tak.button('Hint').filter({ visible: true }).click();
      await tak.said('Hint: ');
    },
  },
  {
    name: 'finished game',
    open: async (tak) => {
      await tak.open();
      await tak.newGame({ size: 3, mode: 'two', white: 'Ada', black: 'Bob' });
      await tak.play('a1 c3 b3 b1 a2 c1');
      await tak.ends('(0-R)');
    },
  },
  {
    name: 'watching',
    isMoving: true,
    open: async (tak) => {
      await tak.open();
      await tak.newGame({ size: 8, mode: 'self', level: 3, time: 'free' });
      await tak.button('Pause').click();
    },
  },
  {
    name: 'variations',
    open: async (tak) => {
      await tak.start({ size: 5 });
      await tak.play('a1 e5 c3 c4');
      await tak.visit('e5');
      await tak.play('b2 b3');
    },
  },
  {
    name: 'mistake tried again',
    open: async (tak) => {
      await tak.annotated();
      await tak.button('Try again: a2').click();
      await tak.said('White played a2 here.');
    },
  },
  {
    name: 'puzzle',
    open: async (tak) => {
      await tak.open();
      await tak.openPuzzle(TINUE);
    },
  },
  {
    name: 'puzzle not solved',
    open: async (tak) => {
      await tak.open();
      await tak.openPuzzle(TINUE);
      await tak.pick('d5');
      await tak.tells('d5 is not the move');
      await tak.holds('d5', 'empty');
    },
  },
  {
    name: 'learn',
    open: async (tak) => {
      await tak.open();
      await tak.openView('Learn');
    },
  },
  {
    name: 'editor',
    open: async (tak) => {
      await tak.start({ size: 5, tps: TALL });
      await tak.page.goto(`${tak.home}#editor`);
      await tak.tells('White to move · move 20');
    },
  },
  {
    name: 'explorer',
    open: async (tak) => {
      const explorer = new Explorer(tak);
      await tak.start({ size: 3 });
      await tak.openView('Explorer');
      await explorer.choose({
        'games.ptn': '[Size "3"]\n[Rating1 "1500"]\n1. a1 c3 1-0\n\n[Size "3"]\n1. a1 b2 0-1\n\n[Size "3"]\n1. a9',
      });
      await explorer.move('a1').click();
      await explorer.sums('2 games: ');
      await tak.text('Damaged games').click();
    },
  },
  {
    name: 'new game',
    open: async (tak) => {
      await tak.open();
      await tak.openNew();
    },
  },
  {
    name: 'open',
    open: async (tak) => {
      await tak.start({ size: 5 });
      await tak.openFiles();
    },
  },
  {
    name: 'share',
    open: async (tak) => {
      await tak.start({ size: 5 });
      await tak.play('a1');
      await tak.dialog('Share');
    },
  },
  {
    name: 'settings',
    open: async (tak) => {
      await tak.open();
      await tak.dialog('Settings');
    },
  },
  {
    name: 'comment',
    open: async (tak) => {
      await tak.start({ size: 5 });
      await tak.play('a1');
      await tak.openNote();
    },
  },
  {
    name: 'keys',
    open: async (tak) => {
      await tak.open();
      await tak.press('?');
      await expect(tak.keysDialog).toBeVisible();
    },
  },
  { name: 'how to play', open: (tak) => tak.page.goto(`${tak.home}how-to-play.html`) },
];

/** The choices of boards. */
export const THEMES = ['Wood', 'Slate', 'High contrast'];
