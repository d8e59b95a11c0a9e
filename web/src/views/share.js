// Ways to share a game besides its texts: the system's own, pictures, another site.

/** @import { State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { shown } from '../model/doc.js';
import { toNinja } from '../model/sites.js';
import { button, picture } from './parts.js';
import { dialogWords } from './words.js';

/**
 * @param {State} state
 * @param {Page} page
 */
export function shareWays(state, page) {
  const { texts } = state;
  const { app, files } = page;
  const { at, moves, tree } = shown(state);
  const main = tree.lineThrough(tree.root);
  const isMain = moves.slice(0, at).every((move, index) => move === main[index]);
  // Desktops have a clipboard and no apps to share with.
  const hasApps = 'share' in navigator && matchMedia('(pointer: coarse)').matches;
  return html`<div class="row ways">${hasApps ? button(dialogWords.shareWith, 'share', () => files.share(), { isMain: true, isOff: !texts.link }) : nothing}
    ${button(dialogWords.saveSvg, 'file', () => app.do(() => files.picture('svg')))}${button(dialogWords.savePng, 'file', () => app.do(() => files.picture('png')))}
    ${texts.ptn ? html`<a class="button" href=${toNinja(texts.ptn, isMain ? at : 0)} target="_blank" rel="noopener noreferrer">${picture('explorer')}<span>${dialogWords.inNinja}</span></a>` : nothing}</div>`;
}
