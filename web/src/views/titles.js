// Names of players, and what is said about a document in one line.

/** @import { Color } from '../protocol.js' */
/** @import { Doc, State } from '../types.js' */

import {
  endOf,
  isEngines,
  isFinished,
  isFree,
  isLookingBack,
  isOurs,
  SECOND,
  shown,
  sideOf,
  turnAfter,
  viewOf,
} from '../model/doc.js';
import { turnOf } from '../model/squares.js';
import { movesText, words } from '../words.js';

/**
 * The name of a player, and a line below it.
 * @param {State} state
 * @param {Doc} doc
 * @param {Color} color
 */
export function playerOf({ settings, hello }, doc, color) {
  const { mode, human, names, level, otherLevel } = doc;
  const side = words.colors[color];
  if (mode === 'task' && doc.start.tps) {
    return color === turnOf(doc.start.tps)
      ? { name: words.you, about: side }
      : { name: side, about: doc.name === 'puzzle' ? words.opponent : words.waits };
  }
  if (mode === 'self' || (mode === 'engine' && color !== human)) {
    const own = mode === 'self' && color === 'black' ? otherLevel : level;
    const elo = hello?.levels[own - 1]?.elo;
    const name = own === SECOND ? names[color] : words.levelName(own);
    // Equal engines have the names of their colours.
    const [first, then] = mode === 'self' && level === otherLevel ? [side, name] : [name, side];
    return { name: first, about: elo === undefined ? then : words.withElo(then, elo) };
  }
  if (mode === 'engine') {
    return { name: names[color] || settings.you || words.you, about: side };
  }
  const isUser = isFree(doc) && doc.human === color && !names[color];
  // Files without names have White and Black.
  const name = isUser ? words.you : names[color];
  return name && name !== side ? { name, about: side } : { name: side, about: '' };
}

/**
 * The end of a game, told to the player if they took part.
 * @param {State} state
 * @param {Doc} doc
 * @returns {{title: string, about: string, kind: 'won' | 'lost' | 'drawn' | 'none'}}
 */
export function resultTitle(state, doc) {
  const view = endOf(doc).view;
  const outcome = view?.outcome ?? null;
  const { ended } = doc;
  const result = outcome?.result ?? ended?.result ?? '';
  const winner = outcome?.winner ?? ended?.winner ?? null;
  const side =
    doc.human === 'white' || doc.human === 'black' ? (isFree(doc) || doc.mode === 'engine' ? doc.human : null) : null;
  const { result: texts } = words;
  const flats = view && result.includes('F') ? texts.flatsAre(view.white.flats, view.black.flats) : '';
  const about = texts.about(result, movesText(doc.moves.length), flats);
  if (!winner) {
    return { title: result.includes('1/2') ? texts.draw : (ended?.says ?? outcome?.says ?? ''), about, kind: 'drawn' };
  }
  const how = result.includes('R')
    ? texts.road
    : result.includes('F')
      ? texts.flats
      : ended?.isTime
        ? texts.time
        : ended?.says.includes('resigns')
          ? texts.resigned
          : texts.some;
  if (side === null) {
    return { title: texts.won(playerOf(state, doc, winner).name, how).trim(), about, kind: 'none' };
  }
  if (winner === side) {
    return { title: texts.won(words.you, how).trim(), about, kind: 'won' };
  }
  const title =
    how === texts.road
      ? texts.youLost(texts.hasRoad(winner))
      : how === texts.flats
        ? texts.youLost(texts.hasFlats(winner))
        : how === texts.resigned
          ? texts.youResigned
          : how === texts.time
            ? texts.youTimeout
            : texts.youLost(playerOf(state, doc, winner).name);
  return { title, about, kind: 'lost' };
}

/**
 * Whose turn it is in the game.
 * @param {State} state
 * @returns {{strong: string, text: string, isAlarm: boolean, isBack: boolean}}
 */
export function statusOf(state) {
  const {
    docs: { game },
    settings,
  } = state;
  const view = viewOf(game);
  const { status } = words;
  /** @type {(parts: string[], isAlarm?: boolean, isBack?: boolean) => ReturnType<typeof statusOf>} */
  const say = ([strong, text], isAlarm = false, isBack = false) => ({ strong, text, isAlarm, isBack });
  if (!view) {
    return say(status.connecting);
  }
  if (isLookingBack(game)) {
    return say(status.back, false, true);
  }
  if (isEngines(game)) {
    return say(
      game.paused ? status.paused : status.engine(playerOf(state, game, turnAfter(game, game.moves.length)).name),
    );
  }
  const isFirst = view.places !== view.to_move;
  if (game.moves.length === 0) {
    return say(
      isFirst
        ? status.begins(view.to_move, view.places)
        : game.mode === 'engine'
          ? status.yours
          : status.turn(view.to_move),
    );
  }
  const [strong, text] =
    game.mode === 'engine' && isOurs(game)
      ? isFirst
        ? status.first(view.places)
        : status.yours
      : status.turn(view.to_move);
  if (view.threat.length > 0 && settings.callsTak) {
    const threat = status.threat(words.colors[view.to_move === 'white' ? 'black' : 'white'], gapsOf(state).join(', '));
    return say([strong, threat], true);
  }
  return say([strong, text]);
}

/** The squares that a threatened road lacks: those without a piece of it on top. @param {State} state @returns {string[]} */
export function gapsOf(state) {
  const view = viewOf(shown(state));
  if (!view) {
    return [];
  }
  const own = view.to_move === 'white' ? '2' : '1';
  return view.threat.filter((name) => {
    const stack = view.squares.find((square) => square.name === name)?.stack ?? '';
    return !(stack.endsWith(own) || stack.endsWith(`${own}C`));
  });
}

/** @typedef {{title: string, about: string, tab: string, look?: string, held?: unknown}} Title */

/** The titles of the view, for the panel, the bar of phones and the tab. @param {State} state @returns {Title} */
export function titleOf(state) {
  const doc = shown(state);
  const view = viewOf(doc);
  const { size, half_komi: half = 4 } = view ?? doc.start;
  const { isClock, minutes, increment } = doc.timing;
  const clock =
    doc.name !== 'game' || doc.mode === 'free'
      ? ''
      : isClock
        ? words.clockControl(minutes, increment)
        : words.noClockText;
  const about = [words.gameAbout(size, half / 2, clock), doc.takebacks > 0 ? words.takebacks(doc.takebacks) : '']
    .filter(Boolean)
    .join(' · ');
  const [white, black] = [playerOf(state, doc, 'white').name, playerOf(state, doc, 'black').name];
  if (doc.name === 'game') {
    const isTurn = doc.mode === 'engine' && !isFinished(doc) && isOurs(doc);
    const side = sideOf(doc);
    const title = side ? playerOf(state, doc, side === 'white' ? 'black' : 'white').name : words.versus(white, black);
    return { title, about, tab: isTurn ? words.yourMove : words.versus(white, black) };
  }
  if (doc.name === 'study') {
    const isNamed = doc.names.white !== '' || doc.names.black !== '';
    return { title: words.views.analysis, about, tab: isNamed ? words.versus(white, black) : words.views.analysis };
  }
  return { title: words.views[state.route], about, tab: words.views[state.route] };
}
