// The dialogs. Each is a function of the state; the page opens and closes the element that holds them.

/** @import { State, Form } from '../types.js' */
/** @import { Preset } from '../actions/new-game.js' */
/** @import { Page } from '../main.js' */

import { html, live, nothing, svg } from '../../vendor/lit-html.js';
import { pending } from '../actions/files.js';
import { TIMES } from '../actions/new-game.js';
import { nodeOf, SECOND, shown, viewOf } from '../model/doc.js';
import { judgementOf, said } from '../model/notes.js';
import { movesText, words } from '../words.js';
import {
  button,
  download,
  field,
  fileButton,
  iconButton,
  picture,
  segments,
  select,
  stepper,
  toggle,
} from './parts.js';
import { shareWays } from './share.js';
import { titleOf } from './titles.js';
import { dialogWords } from './words.js';

/** @typedef {{target: HTMLInputElement}} InputEvent */

/**
 * @param {State} state
 * @param {Page} page
 */
export function dialog(state, page) {
  const { dialog: name } = state;
  const parts = { new: newGame, open, share, settings, keys, comment, more };
  return name
    ? html`<header><h2 id="dialog-title">${dialogWords.dialogs[name]}</h2>${iconButton(dialogWords.close, 'x', () => page.close())}</header>
    ${parts[name](state, page)}`
    : nothing;
}

/** Keeps the files that were being kept when the page was loaded again. @param {import('../actions/files.js').Files} files */
export function resume(files) {
  try {
    for (const file of pending()) {
      files.keep(...file);
    }
  } catch {
    // Storage is forbidden.
  }
}

/** A picture of a strength: pieces in a stack. @param {number} count */
const strength = (count) =>
  svg`<svg class="strength" viewBox="0 0 40 40" aria-hidden="true">${[0, 1, 2, 3].map(
    (each) => svg`
  <rect class=${each < count ? 'on' : ''} x=${each % 2 ? 5 : 4} y=${32 - 8 * each} width=${each % 2 ? 30 : 32} height="6" rx=${each % 2 ? 3 : 1.5}></rect>`,
  )}</svg>`;

/** @type {[Preset, number][]} */
const PRESETS = [
  ['first', 1],
  ['even', 2],
  ['hard', 3],
  ['full', 4],
];

/**
 * @param {State} state
 * @param {Page} page
 */
function newGame({ form, hello, settings: { level: usual } }, page) {
  if (!form || !hello) {
    return html`<p class="none">${words.starting}</p>`;
  }
  const { newGame: game, app } = page;
  const set = (/** @type {Partial<Form>} */ changes) => game.set(changes);
  const { mode, time, isMore, level, otherLevel } = form;
  const plays = mode === 'engine' || mode === 'self';
  const komi = Number(form.komi);
  const [least, most] = hello.half_komi.map((half) => half / 2);
  return html`<form class="new-game" method="dialog" @submit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    const dialogForm = /** @type {HTMLFormElement} */ (event.currentTarget);
    app
      .do(() => game.start())
      .then(() => {
        page.draw();
        // On a phone it may be below what is seen.
        dialogForm.querySelector('.problem')?.scrollIntoView({ block: 'center' });
      });
  }}>
    ${
      isMore
        ? nothing
        : html`<div class="presets" role="group" aria-label=${dialogWords.againstEngine}>${PRESETS.map(
            ([name, count]) => {
              const { size, level: own } = game.preset(name);
              return html`<button type="button" class="preset" @click=${() =>
                app.do(async () => {
                  await game.startPreset(name);
                  page.close();
                  app.dispatchEvent(new Event('grid'));
                })}>${strength(count)}<span><b>${dialogWords.presets[name]}</b><small>${dialogWords.presetText(size, own, hello.levels[own - 1]?.elo)}</small></span></button>`;
            },
          )}</div>`
    }
    <div class="fields">
      ${field(
        dialogWords.players,
        segments(
          dialogWords.players,
          [
            ['engine', dialogWords.modes.engine],
            ['two', dialogWords.modes.two],
            ['self', dialogWords.modes.self],
            ['free', dialogWords.modes.free],
          ],
          mode,
          (chosen) => set({ mode: chosen }),
        ),
      )}
      ${
        plays
          ? mode === 'self'
            ? player(dialogWords.whitesEngine, dialogWords.whitesLevel, level, hello, usual, (own) =>
                set({ level: own }),
              )
            : player(dialogWords.engine, dialogWords.level, level, hello, usual, (own) => set({ level: own }))
          : nothing
      }
      ${
        mode === 'self'
          ? html`${player(dialogWords.blacksEngine, dialogWords.blacksLevel, otherLevel, hello, usual, (own) => set({ otherLevel: own }))}
        ${field(
          words.games,
          segments(
            words.games,
            [
              [1, '1'],
              [2, '2'],
              [4, '4'],
              [10, '10'],
              [20, '20'],
            ],
            form.games,
            (games) => set({ games }),
          ),
        )}`
          : nothing
      }
      ${
        form.fromHere
          ? nothing
          : field(
              dialogWords.board,
              segments(
                dialogWords.board,
                hello.sizes.map(([size]) => /** @type {[number, string]} */ ([size, String(size)])),
                form.size,
                (size) => set({ size }),
              ),
            )
      }
      ${
        mode === 'engine'
          ? field(
              dialogWords.youPlay,
              segments(
                dialogWords.youPlay,
                [
                  ['white', words.colors.white],
                  ['black', words.colors.black],
                  ['either', dialogWords.either],
                  ['random', dialogWords.random],
                ],
                form.color,
                (color) => set({ color }),
              ),
            )
          : nothing
      }
      ${field(dialogWords.komi, html`<span title=${words.komiMeans(hello, 2 * komi)}>${stepper(dialogWords.komiText(form.komi), [dialogWords.lessKomi, () => set({ komi: String(komi - 0.5) }), komi <= least], [dialogWords.moreKomi, () => set({ komi: String(komi + 0.5) }), komi >= most])}</span>`)}
      ${
        mode === 'free'
          ? nothing
          : field(
              dialogWords.clock,
              segments(
                dialogWords.clock,
                [
                  ['free', dialogWords.noClock],
                  ...TIMES.map(
                    ([minutes, seconds]) =>
                      /** @type {[string, string]} */ ([`${minutes}+${seconds}`, `${minutes} + ${seconds}`]),
                  ),
                  ['clock', dialogWords.otherClock],
                ],
                time,
                (chosen) => set({ time: chosen }),
              ),
            )
      }
      ${
        mode !== 'free' && time === 'clock'
          ? html`<div class="field-pair">${numberField(dialogWords.minutes, form.minutes, 0.1, 600, 0.1, (minutes) => set({ minutes }))}
        ${numberField(dialogWords.increment, form.increment, 0, 600, 0.5, (increment) => set({ increment }))}</div>`
          : nothing
      }
      ${plays && time === 'free' && (level <= 0 || (mode === 'self' && otherLevel <= 0)) ? numberField(dialogWords.secondsPerMove, form.seconds, 0.1, 600, 0.1, (seconds) => set({ seconds })) : nothing}
    </div>
    ${isMore ? others(form, page) : nothing}
    ${form.problem ? html`<p class="problem" role="alert">${picture('x')}<span>${form.problem}</span></p>` : nothing}
    <footer><button type="button" class="link" aria-expanded=${String(isMore)} @click=${() => set({ isMore: !isMore })}>${picture('settings')}<span>${isMore ? dialogWords.fewer : dialogWords.moreChoices}</span></button>
      <button type="submit" class="button main large">${dialogWords.start}</button></footer></form>`;
}

/**
 * The choices that are seldom needed: names, opening, pieces, position.
 * @param {Form} form
 * @param {Page} page
 */
function others(form, page) {
  const set = (/** @type {Partial<Form>} */ changes) => page.newGame.set(changes);
  const [most, mostCaps] = page.app.state.hello?.reserve ?? [255, 255];
  const pieces = (/** @type {number} */ index) => (/** @type {string} */ value) =>
    set({
      pieces: /** @type {Form['pieces']} */ (form.pieces.map((each, at) => (at === index ? value : each))),
    });
  return html`<div class="fields">
    ${form.mode === 'engine' ? textField(dialogWords.yourName, form.you, (you) => set({ you })) : nothing}
    ${form.mode === 'two' ? html`<div class="field-pair">${textField(dialogWords.whitesName, form.white, (white) => set({ white }))}${textField(dialogWords.blacksName, form.black, (black) => set({ black }))}</div>` : nothing}
    ${
      form.fromHere
        ? nothing
        : select(
            dialogWords.opening,
            [
              ['swap', dialogWords.openings.swap],
              ['no-swap', dialogWords.openings['no-swap']],
              ['double-black', dialogWords.openings['double-black']],
            ],
            form.opening,
            (opening) => set({ opening }),
          )
    }
    <div class="field-pair">${dialogWords.pieceFields.map((text, index) => numberField(text, form.pieces[index], index % 2 ? 0 : 1, index % 2 ? mostCaps : most, 1, pieces(index)))}</div>
    ${toggle(dialogWords.fromHere, form.fromHere, (fromHere) => set({ fromHere }))}</div>`;
}

/**
 * @param {string} label
 * @param {string} value
 * @param {number} min
 * @param {number} max
 * @param {number} step
 * @param {(value: string) => void} change
 */
const numberField = (
  label,
  value,
  min,
  max,
  step,
  change,
) => html`<label class="field"><span>${label}</span><input type="number" min=${min} max=${max} step=${step}
  required .value=${live(value)} @input=${(/** @type {InputEvent} */ { target }) => change(target.value)}></label>`;

/**
 * @param {string} label
 * @param {string} value
 * @param {(value: string) => void} change
 */
const textField = (
  label,
  value,
  change,
) => html`<label class="field"><span>${label}</span><input type="text" maxlength="40" autocomplete="off"
  .value=${live(value)} @input=${(/** @type {InputEvent} */ { target }) => change(target.value)}></label>`;

/**
 * An engine that plays: ours at a level, or the second one.
 * @param {string} name
 * @param {string} label
 * @param {number} level
 * @param {NonNullable<State['hello']>} hello
 * @param {number} usual our level if it takes the place of the second
 * @param {(level: number) => void} choose
 */
function player(name, label, level, hello, usual, choose) {
  const own = level === SECOND ? nothing : field(label, slider(label, level, hello, choose));
  return hello.second
    ? html`${field(
        name,
        segments(
          name,
          [
            [0, dialogWords.ours],
            [SECOND, hello.second],
          ],
          Math.min(0, level),
          (chosen) => choose(chosen === SECOND ? SECOND : usual),
        ),
      )}${own}`
    : own;
}

/**
 * The levels, with full strength at the end.
 * @param {string} label
 * @param {number} level
 * @param {NonNullable<State['hello']>} hello
 * @param {(level: number) => void} choose
 */
function slider(label, level, { levels }, choose) {
  const most = levels.length + 1;
  const { elo, player } = levels[level - 1] ?? { elo: null, player: null };
  return html`<div class="range"><input type="range" min="1" max=${most} aria-label=${label} aria-valuetext=${dialogWords.levelText(level, elo, player)}
    .value=${live(String(level || most))} @input=${(/** @type {InputEvent} */ { target }) => choose(Number(target.value) % most)}>
    <output title=${dialogWords.eloMeans}><b>${level || words.full}</b> ${dialogWords.levelText(0, elo, player) === dialogWords.fullStrength ? '' : dialogWords.levelAbout(elo, player)}</output></div>`;
}

/**
 * @param {State} state
 * @param {Page} page
 */
function open({ texts, former }, page) {
  const { app, files } = page;
  return html`<form class="open" method="dialog" @submit=${(/** @type {Event} */ event) => {
    event.preventDefault();
    app.do(() => files.open(app.state.texts.paste));
  }}>
    <label class="stacked"><span>${dialogWords.pasteHere}</span><textarea rows="5" spellcheck="false" aria-invalid=${texts.problem ? 'true' : nothing}
      .value=${live(texts.paste)} @input=${(/** @type {InputEvent} */ { target }) => files.set({ paste: target.value, problem: '' })}></textarea></label>
    ${
      texts.problem
        ? html`<div class="problem" role="alert">${picture('x')}<span>${texts.problem}
      ${texts.details && !texts.problem.includes(texts.details) ? html`<small>${texts.details}</small>` : nothing}</span></div>`
        : nothing
    }
    <div class="row"><button type="submit" class="button main">${dialogWords.openText}</button>
      ${fileButton(dialogWords.chooseFile, '.ptn,.tps,.txt,text/plain', ([file]) => app.do(() => files.openFile(file)))}<small class="or-drop">${dialogWords.orDrop}</small></div>
    <div class="row">${button(words.views.library, 'file', () => {
      page.close();
      app.do(async () => {
        await page.show('library');
        (await page.shelf()).find({ source: '' });
      });
    })}${button(dialogWords.setUp, 'play', () => {
      page.close();
      app.do(() => page.show('editor'));
    })}<small class="none">${dialogWords.libraryHas}</small></div>
    <h3>${dialogWords.earlierGames}</h3>
    ${
      former.length === 0
        ? html`<p class="none">${dialogWords.noEarlier}</p>`
        : html`<ol class="library">${former
            .map(
              (game, index) => html`<li>
      <button type="button" @click=${() => app.do(() => page.openFormer(index))}><b>${words.versus(game.names.white || dialogWords.white, game.names.black || dialogWords.black)}</b>
      <small>${dialogWords.gameLine(game.start.size, movesText(game.moves.length), game.ended?.result ?? '')}</small></button></li>`,
            )
            .reverse()}</ol>`
    }</form>`;
}

/**
 * @param {State} state
 * @param {Page} page
 */
function share(state, page) {
  const { texts } = state;
  const { app, files } = page;
  const ptn = files.ptn;
  if (!texts.isWritten) {
    return html`<p class="none" role="status">${state.hello ? dialogWords.writing : words.notConnected}</p>`;
  }
  /**
   * @param {string} name
   * @param {string} text
   * @param {string} saved the file; none if empty
   * @param {number} rows
   */
  const row = (name, text, saved, rows) => html`<div class="shared"><label class="stacked"><span>${name}</span>
    ${
      rows > 1
        ? html`<textarea id="share-${name}" rows=${rows} readonly spellcheck="false" .value=${text}></textarea>`
        : html`<input id="share-${name}" type="text" readonly .value=${text}>`
    }</label>
    <div class="row">${button(
      texts.copied === name ? dialogWords.copiedName : dialogWords.copyName(name),
      texts.copied === name ? 'check' : 'copy',
      () => files.copy(text, name, document.getElementById(`share-${name}`)),
      { isOff: !text },
    )}
      ${saved ? button(dialogWords.saveName(name), 'file', () => download(saved.endsWith('.tps') ? `${text}\n` : text, saved)) : nothing}</div>
    ${texts.refused === name ? html`<p class="none">${words.notCopied}</p>` : nothing}</div>`;
  return html`<div class="share">${texts.link ? row(words.link, texts.link, '', 1) : html`<p class="none" role="status">${dialogWords.tooLong}</p>`}
    ${texts.link && texts.isShort ? html`<p class="none" role="status">${dialogWords.shortLink}</p>` : nothing}
    ${
      texts.annotated && !shown(state).annotation?.isRead
        ? toggle(dialogWords.withAnnotation, texts.withAnnotation, (withAnnotation) => {
            files.set({ withAnnotation });
            app.do(() => files.write());
          })
        : nothing
    }
    ${row('PTN', ptn, 'game.ptn', 7)}${row('TPS', texts.tps, 'position.tps', 2)}${shareWays(state, page)}</div>`;
}

/** @type {State['settings']['board'][]} */
const BOARDS = ['wood', 'slate', 'contrast'];

/**
 * @param {State} state
 * @param {Page} page
 */
function settings(state, page) {
  const { settings: own } = state;
  const { app } = page;
  const set = (/** @type {Partial<State['settings']>} */ changes) => app.do(() => app.set(changes));
  return html`<div class="settings"><div class="boards" role="radiogroup" aria-label=${dialogWords.board}>${BOARDS.map(
    (board) => html`
      <label class="board-choice" data-board=${board}><input type="radio" class="unseen" name="board" value=${board} .checked=${live(own.board === board)}
        @change=${() => set({ board })}>${page.sample(board)}<span>${dialogWords.boards[board]}</span></label>`,
  )}</div>
    ${field(
      dialogWords.colours,
      segments(
        dialogWords.colours,
        [
          ['system', dialogWords.system],
          ['light', dialogWords.light],
          ['dark', dialogWords.dark],
        ],
        own.colours,
        (colours) => set({ colours }),
      ),
    )}
    <div class="switches">${toggle(dialogWords.callTak, own.callsTak, (callsTak) => set({ callsTak }))}
      ${toggle(dialogWords.coordinates, own.coordinates, (coordinates) => set({ coordinates }))}
      ${toggle(words.flip, shown(state).flipped, () => page.flip())}
      ${toggle(dialogWords.numbersOnStacks, own.numbers, (numbers) => set({ numbers }))}
      ${toggle(dialogWords.animate, own.animates, (animates) => set({ animates }))}
      ${toggle(dialogWords.sound, own.sounds, (sounds) => set({ sounds }))}</div></div>`;
}

function keys() {
  return html`<table class="keys"><tbody>${dialogWords.keyList.map(([key, text]) => html`<tr><th scope="row">${key.map((each) => html`<kbd>${each}</kbd> `)}</th><td>${text}</td></tr>`)}</tbody></table>
    <p>${dialogWords.keysNote}</p>`;
}

/** The marks that can be given to a move. @type {string[]} */
const MARKS = ['', '!!', '!', '!?', '?!', '?', '??'];

/**
 * @param {State} state
 * @param {Page} page
 */
function comment(state, page) {
  const { study } = state.docs;
  const node = nodeOf(study);
  const judgement = judgementOf(page.marksOf(node));
  return html`<div class="comment-form"><p class="about">${dialogWords.commentOn(node.move)}</p>
    ${segments(
      dialogWords.mark,
      MARKS.map(
        (mark) =>
          /** @type {[string, any]} */ ([
            mark,
            mark ? html`<span title=${dialogWords.marks[mark]}>${mark}</span>` : dialogWords.noMark,
          ]),
      ),
      judgement,
      (mark) => page.app.do(() => page.note(node, mark, null)),
    )}
    <label class="stacked"><span>${words.comment}</span><textarea rows="3" maxlength="2000" .value=${said(node.notes?.comments ?? []).join('\n')}
      @change=${(/** @type {InputEvent} */ { target }) => page.app.do(() => page.note(node, null, target.value))}></textarea></label>
    <footer>${button(dialogWords.done, 'check', () => page.close(), { isMain: true })}</footer></div>`;
}

/**
 * What is seldom needed. On phones also what the rail has.
 * @param {State} state
 * @param {Page} page
 */
function more(state, page) {
  const { app } = page;
  const doc = shown(state);
  const isPlaying = doc.name === 'game' && doc.moves.length > 0;
  const act = (/** @type {() => unknown} */ action) => () => {
    page.close();
    app.do(action);
  };
  const item = (
    /** @type {string} */ text,
    /** @type {string} */ name,
    /** @type {() => void} */ action,
    isOff = false,
  ) => html`
    <li><button type="button" ?disabled=${isOff} @click=${action}>${picture(name)}<span>${text}</span></button></li>`;
  return html`<ul class="menu">
    ${item(words.share, 'share', () => page.open('share'), !viewOf(doc))}${item(words.open, 'open', () => page.open('open'))}
    ${item(
      words.flip,
      'flip',
      act(() => page.flip()),
    )}
    ${item(
      dialogWords.restorePrevious,
      'undo',
      act(() => page.play.back()),
      state.former.length === 0,
    )}
    ${item(
      dialogWords.setUp,
      'play',
      act(() => page.show('editor')),
    )}
    ${
      doc.name === 'game'
        ? item(
            words.analyse,
            'analysis',
            act(() => page.study.take()),
            !isPlaying,
          )
        : nothing
    }
    ${
      doc.name === 'study'
        ? item(
            dialogWords.keepGame,
            'download',
            act(async () => (await page.shelf()).keepOpened()),
            doc.moves.length === 0,
          )
        : nothing
    }
    ${
      doc.name === 'game' && doc.mode !== 'self'
        ? item(
            words.resign,
            'flag',
            act(() => app.store.update({ isResigning: true })),
            !isPlaying || doc.ended !== null,
          )
        : nothing
    }
    ${item(words.settings, 'settings', () => page.open('settings'))}${item(words.keys, 'keys', () => page.open('keys'))}
    <li><a href=${`how-to-play.html${location.search}`} target="_blank" rel="noopener">${picture('learn')}<span>${dialogWords.rulesPage}</span></a></li></ul>
    <p class="none">${titleOf(state).about}</p>`;
}
