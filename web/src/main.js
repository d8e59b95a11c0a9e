// Connects all parts, and draws the board after every change.

import { Attempt } from './attempt.js';
import { Board } from './board.js';
import { Clock } from './clock.js';
import { Connection } from './connection.js';
import { Dialogs } from './dialogs.js';
import { describe, lifts } from './draft.js';
import { Engine } from './analysis.js';
import { Game } from './game.js';
import { Input, stepOf } from './input.js';
import { NewGame } from './new-game.js';
import { Panel } from './panel.js';
import { codeOf } from './pieces.js';
import { Store, fromLink, load } from './state.js';
import { LOADING, explain } from './transport.js';
import { Task } from './task.js';

const $ = (id) => document.getElementById(id);

const connection = new Connection();
const store = new Store((isStored) => {
  $('unsaved').hidden = isStored;
});
const game = new Game(connection, load(), (state) => store.keep(state));
// The clocks are updated first, so that no question is sent while the wrong clock runs.
const clock = new Clock(game, connection);
const engine = new Engine(game, connection);
const board = new Board($('drawing'), $('grid'));
const attempt = new Attempt(game, connection);
const panel = new Panel(game, engine, attempt);
const dialogs = new Dialogs(game, connection);
const newGame = new NewGame(game, connection);
const task = new Task(game, connection);
/** The square under the mouse or finger. */
let pointed = null;

/** The effect of Enter on a square, as a sentence; empty if none. */
function offer(square) {
  const { view, hand: { draft } } = game;
  if (game.isOver || !game.isOurs || game.expected) {
    return '';
  }
  if (draft) {
    if (draft.flattens.includes(square.name)) {
      return ' Enter drops the capstone and flattens the wall.';
    }
    if (draft.next.includes(square.name)) {
      return ' Enter drops a piece here.';
    }
    return square.name === draft.draft.from && draft.draft.drops.length === 0 ? ' Enter puts the pieces back.' : '';
  }
  if (!square.stack) {
    const { enter } = view.kinds.find(({ kind }) => kind === game.hand.kind) ?? {};
    return enter ? ` Enter ${enter}.` : '';
  }
  const count = square.name === game.hand.cursor ? game.hand.count : null;
  return square.spreads ? ` Enter lifts ${count ?? lifts(square).at(-1)}.` : '';
}

function squares() {
  const known = game.expected ?? game.hand.draft?.squares ?? [];
  const changed = new Map(known.map((square) => [square.name, square]));
  return game.view.squares.map((square) => {
    const seen = { ...square, ...changed.get(square.name) };
    const label = `${seen.name}: ${describe(seen.stack, game.view.size)}.${offer(seen)}`;
    return { name: seen.name, stack: seen.stack, label, isLoose: game.hand.isLoose(seen.name) };
  });
}

/** The advised move, or the line of a better one, ready to be drawn. */
function advice() {
  const line = attempt.line.length > 0 ? attempt.line : [engine.advice].filter(Boolean);
  const colors = [game.view.places, game.view.places === 'white' ? 'black' : 'white'];
  return line.map((move, index) => ({ ...move, code: move.kind && codeOf(colors[index % 2], move.kind) }));
}

function draw() {
  panel.show();
  const { view, state, expected } = game;
  const draft = expected ? null : game.hand.draft;
  document.body.classList.toggle('waiting', !view);
  document.body.classList.toggle('flipped', state.flipped);
  if (!view) {
    return;
  }
  const move = view.last && !draft ? [view.last.from, ...view.last.drops.map(([name]) => name)] : [];
  const last = expected?.map(({ name }) => name) ?? move;
  board.show({
    size: view.size,
    flipped: state.flipped,
    squares: squares(),
    cursor: game.hand.cursor,
    marks: {
      last,
      road: view.outcome?.road ?? [],
      threat: state.callsTak && !draft && !expected ? view.threat : [],
      next: draft?.next ?? [],
      lifted: draft ? [draft.draft.from] : [],
    },
    played: game.played,
    held: draft && { over: game.hand.over, hand: draft.hand },
    advice: expected ? [] : advice(),
  });
  game.played = null;
  look();
}

/** Shows the piece that a click would place, and the pile under the pointer, or else the one with the cursor. */
function look() {
  const { view, hand: { draft, kind } } = game;
  const square = pointed && game.square(pointed);
  const isFree = square && !square.stack && !draft && !game.expected && !game.barred() && view.kinds.length > 0;
  board.hover(isFree ? pointed : null, codeOf(view.places, kind));
  panel.pile(pointed ?? (matchMedia('(hover: none)').matches ? null : game.hand.cursor));
}

new Input(game, board, (square) => {
  pointed = square;
  if (game.view) {
    look();
  }
});

/** The wait before positions next to this one are asked for. */
const PAUSE = 30;
let ahead = 0;

game.addEventListener('change', () => {
  draw();
  engine.work();
  clearTimeout(ahead);
  // If the program cannot be reached, the step itself says so.
  ahead = setTimeout(() => game.view && game.lookAhead().catch(() => {}), PAUSE);
});
game.addEventListener('say', ({ detail }) => {
  $('said').textContent = detail;
  $('notice').textContent = detail;
});
game.addEventListener('busy', ({ detail }) => document.body.classList.toggle('busy', detail));
clock.addEventListener('tick', () => panel.clocks());
game.addEventListener('refused', () => board.shake());
engine.addEventListener('report', () => {
  // The pieces are not redrawn: some may be moving.
  board.advise(advice());
  panel.analysis();
});
document.addEventListener('visibilitychange', () => engine.work());

connection.addEventListener('open', () => {
  $('connection').textContent = '';
  dialogs.greet();
  newGame.greet(connection.hello);
  panel.means = newGame.means;
  game.do(begin);
});
connection.addEventListener('lost', ({ detail }) => {
  engine.forget();
  const { status, absent } = explain(detail, { isRefused: connection.refusal !== '', hasBoard: game.view !== null });
  $('connection').textContent = status;
  $('absent').textContent = absent;
});

/** The view or the game in the address, or else the stored game. */
async function begin() {
  const hash = location.hash.slice(1);
  if (await task.route(hash)) {
    return;
  }
  if (!hash) {
    await game.refresh();
    return;
  }
  history.replaceState(null, '', location.pathname + location.search);
  const linked = fromLink(hash);
  if (!linked) {
    await game.refresh();
    game.say('Invalid link: it does not contain a game.');
    return;
  }
  try {
    await game.open(linked, linked);
  } catch (error) {
    await game.refresh();
    game.say(`Invalid game in the link: ${error.message}.`);
  }
}

addEventListener('hashchange', () => connection.isOpen && game.do(begin));

document.addEventListener('keydown', (event) => {
  if (document.querySelector('dialog[open]') || event.target.closest('textarea')) {
    return;
  }
  const key = event.key.toLowerCase();
  if ((event.ctrlKey || event.metaKey) && !event.altKey && game.view && (key === 'z' || key === 'y')) {
    event.preventDefault();
    game.do(() => game.undo.step(key === 'y' || event.shiftKey ? 1 : -1));
  } else if (game.view && stepOf(event, game) !== null) {
    event.preventDefault();
    const to = stepOf(event, game);
    game.do(() => game.walk(to(game.state.at)));
  } else if (event.key === '?') {
    event.preventDefault();
    dialogs.openKeys();
  } else if (event.key === 'Enter' && event.target === document.body) {
    event.preventDefault();
    $('grid').focus();
  }
});

// After the clocks have stopped.
addEventListener('pagehide', () => store.flush());
document.addEventListener('visibilitychange', () => store.flush());
$('absent').textContent = LOADING;
draw();
connection.connect();
