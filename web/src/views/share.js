// Ways to share a game besides its texts: the system's own, pictures, another site.

/** @import { State } from '../types.js' */
/** @import { Page } from '../main.js' */

import { html, nothing } from '../../vendor/lit-html.js';
import { questionOf, shown } from '../model/doc.js';
import { toNinja } from '../model/sites.js';
import { words } from '../words.js';
import { button, download, picture } from './parts.js';
import { dialogWords } from './words.js';

/** The width of pictures in pixels. */
const WIDTH = 1200;

/** Shares the link with another program of this device. @param {Page} page */
async function share({ app, files }) {
  const { link } = app.state.texts;
  try {
    await navigator.share({ url: link });
  } catch (error) {
    // Whoever changes their mind is told nothing.
    if (!(error instanceof DOMException && error.name === 'AbortError')) {
      await files.copy(link, words.link, document.getElementById(`share-${words.link}`));
    }
  }
}

/** Saves a picture of the position, in the colours of the page. @param {Page} page @param {'svg' | 'png'} kind */
async function savePicture({ app: { doc, state }, engine }, kind) {
  const { board, colours } = state.settings;
  const isDark = colours === 'dark' || (colours === 'system' && matchMedia('(prefers-color-scheme: dark)').matches);
  const names = board === 'slate' ? ['light', 'dark'] : [board, `${board}-dark`];
  const question = {
    do: 'draw',
    game: questionOf(doc),
    theme: names[Number(isDark)],
    flipped: doc.flipped,
    width: WIDTH,
  };
  const { picture: drawn } = await engine.ask(question);
  download(
    kind === 'svg' ? drawn : await painted(drawn),
    `tak.${kind}`,
    kind === 'svg' ? 'image/svg+xml' : 'image/png',
  );
}

/** A picture of points. @param {string} svg @returns {Promise<Blob>} */
async function painted(svg) {
  const image = new Image();
  image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
  await image.decode();
  const canvas = Object.assign(document.createElement('canvas'), { width: image.width, height: image.height });
  canvas.getContext('2d')?.drawImage(image, 0, 0);
  return new Promise((resolve, reject) =>
    canvas.toBlob((blob) => (blob ? resolve(blob) : reject(new Error('no picture'))), 'image/png'),
  );
}

/**
 * @param {State} state
 * @param {Page} page
 */
export function shareWays(state, page) {
  const { texts } = state;
  const { app } = page;
  const { at, moves, tree } = shown(state);
  const main = tree.lineThrough(tree.root);
  const isMain = moves.slice(0, at).every((move, index) => move === main[index]);
  // Desktops have a clipboard and no apps to share with.
  const hasApps = 'share' in navigator && matchMedia('(pointer: coarse)').matches;
  return html`<div class="row ways">${hasApps ? button(dialogWords.shareWith, 'share', () => share(page), { isMain: true, isOff: !texts.link }) : nothing}
    ${button(dialogWords.saveSvg, 'file', () => app.do(() => savePicture(page, 'svg')))}${button(dialogWords.savePng, 'file', () => app.do(() => savePicture(page, 'png')))}
    ${texts.ptn ? html`<a class="button" href=${toNinja(texts.ptn, isMain ? at : 0)} target="_blank" rel="noopener noreferrer">${picture('explorer')}<span>${dialogWords.inNinja}</span></a>` : nothing}</div>`;
}
