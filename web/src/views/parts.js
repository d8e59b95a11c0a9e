// Parts of which the views are made.

/** @import { TemplateResult } from '../../vendor/lit-html.js' */

import { html, live, nothing, svg } from '../../vendor/lit-html.js';
import { ICONS } from './icons.js';

/** A picture of our own, by its name. @param {string} name */
export const picture = (name) =>
  svg`<svg class="picture" viewBox="0 0 24 24" aria-hidden="true"><path d=${ICONS[name]}></path></svg>`;

/**
 * A button with a picture and a word.
 * @param {string} text
 * @param {string} name the picture; none if empty
 * @param {() => void} act
 * @param {{isMain?: boolean, isOff?: boolean, isSmall?: boolean, label?: string}} how
 */
export function button(text, name, act, { isMain = false, isOff = false, isSmall = false, label = '' } = {}) {
  const look = `button ${isMain ? 'main' : ''} ${isSmall ? 'small' : ''}`;
  return html`<button type="button" class=${look} ?disabled=${isOff} aria-label=${label || nothing} @click=${act}>
    ${name ? picture(name) : nothing}<span>${text}</span></button>`;
}

/**
 * A button with a picture alone.
 * @param {string} text
 * @param {string} name
 * @param {() => void} act
 * @param {{isOff?: boolean, look?: string, pressed?: boolean | null}} how
 */
export function iconButton(text, name, act, { isOff = false, look = '', pressed = null } = {}) {
  return html`<button type="button" class="icon-button ${look}" aria-label=${text} title=${text} ?disabled=${isOff}
    aria-pressed=${pressed === null ? nothing : String(pressed)} @click=${act}>${picture(name)}</button>`;
}

/**
 * One of a few choices, next to each other.
 * @template {string | number} T
 * @param {string} label
 * @param {[T, string | TemplateResult][]} choices
 * @param {T | null} chosen
 * @param {(value: T) => void} choose
 */
export function segments(label, choices, chosen, choose) {
  return html`<div class="segments" role="radiogroup" aria-label=${label}>${choices.map(
    ([value, text]) => html`
    <label class="segment"><input type="radio" name=${`segment-${label}`} value=${value} .checked=${live(value === chosen)}
      @change=${() => choose(value)}><span>${text}</span></label>`,
  )}</div>`;
}

/**
 * A switch for what acts at once.
 * @param {string} label
 * @param {boolean} isOn
 * @param {(isOn: boolean) => void} turn
 */
export function toggle(label, isOn, turn) {
  return html`<label class="switch"><input type="checkbox" role="switch" .checked=${live(isOn)}
    @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => turn(target.checked)}><i></i><span>${label}</span></label>`;
}

/**
 * A choice with its name.
 * @param {string} label
 * @param {unknown} content
 */
export const field = (label, content) => html`<div class="field"><span>${label}</span>${content}</div>`;

/**
 * A number with buttons for less and more.
 * @param {string} text
 * @param {[string, () => void, boolean]} less its name, what it does, and whether it is off
 * @param {[string, () => void, boolean]} more
 */
export function stepper(text, [lessText, less, isLeast], [moreText, more, isMost]) {
  return html`<span class="stepper"><button type="button" aria-label=${lessText} ?disabled=${isLeast} @click=${less}>${picture('minus')}</button>
    <b>${text}</b><button type="button" aria-label=${moreText} ?disabled=${isMost} @click=${more}>${picture('plus')}</button></span>`;
}

/**
 * A list of choices.
 * @param {string} label
 * @param {[string, string][]} options
 * @param {string} chosen
 * @param {(value: string) => void} choose
 */
export function select(label, options, chosen, choose) {
  return html`<label class="field"><span>${label}</span><select .value=${live(chosen)}
    @change=${(/** @type {{target: HTMLSelectElement}} */ { target }) => choose(target.value)}>
    ${options.map(([value, text]) => html`<option value=${value} ?selected=${value === chosen}>${text}</option>`)}</select></label>`;
}

/**
 * A label that chooses files.
 * @param {string} text
 * @param {string} accept
 * @param {(files: File[]) => void} taken
 * @param {{isMultiple?: boolean, isMain?: boolean}} how
 */
export function fileButton(text, accept, taken, { isMultiple = false, isMain = false } = {}) {
  return html`<label class="button ${isMain ? 'main' : ''}">${picture('file')}<span>${text}</span><input type="file" class="unseen"
    accept=${accept} ?multiple=${isMultiple} @change=${(/** @type {{target: HTMLInputElement}} */ { target }) => {
      const files = [...(target.files ?? [])];
      target.value = '';
      if (files.length > 0) {
        taken(files);
      }
    }}></label>`;
}

/**
 * The head of a card: a title, a line about it, and what can be done.
 * @param {string | TemplateResult} title
 * @param {string | TemplateResult} about
 * @param {unknown} actions
 */
export const head = (
  title,
  about,
  actions = nothing,
) => html`<header class="head"><div><h2>${title}</h2>${about ? html`<p>${about}</p>` : nothing}</div>
  <div class="actions">${actions}</div></header>`;

/**
 * What became of a move: right, wrong, or what to do.
 * @param {'' | 'right' | 'wrong'} kind
 * @param {string} title
 * @param {string} text
 */
export function feedback(kind, title, text) {
  const name = { '': 'target', right: 'check', wrong: 'x' }[kind];
  return html`<div class="feedback ${kind}">${picture(name)}<div><b>${title}</b>${text ? html`<p>${text}</p>` : nothing}</div></div>`;
}

/**
 * Offers a text as a file, or other contents.
 * @param {string | Blob} text
 * @param {string} name
 * @param {string} type
 */
export function download(text, name, type = 'text/plain') {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  Object.assign(link, { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}

/** The text of a file: UTF-8, UTF-16 with a byte order mark, or Windows-1252, as older programs write. @param {Uint8Array} bytes */
export function decoded(bytes) {
  const mark = (bytes[0] << 8) | bytes[1];
  if (mark === 0xfffe || mark === 0xfeff) {
    return new TextDecoder(mark === 0xfffe ? 'utf-16le' : 'utf-16be').decode(bytes);
  }
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('windows-1252').decode(bytes);
  }
}
