// Parts of the views that are opened on demand.

import { make } from './elements.js';

/** A button that does this. */
export function button(text, action, className = '') {
  const element = make('button', { type: 'button', textContent: text, className });
  element.addEventListener('click', action);
  return element;
}

export const row = (...parts) => make('div', { className: 'row' }, ...parts);

/** A list of choices, [value, text] each. */
export function choice(name, changed) {
  const list = make('select');
  list.addEventListener('change', changed);
  const label = make('label', {}, `${name} `, list);
  const offer = (options, chosen) => {
    list.replaceChildren(...options.map(([value, textContent]) => make('option', { value, textContent })));
    list.value = chosen;
  };
  return { label, list, offer };
}

/** A label that chooses a file, or several. */
export function fileButton(text, accept, taken, multiple = false) {
  const input = make('input', { type: 'file', className: 'unseen', accept, multiple });
  input.addEventListener('change', () => {
    const files = [...input.files];
    input.value = '';
    if (files.length > 0) {
      taken(files);
    }
  });
  return make('label', { className: 'button' }, text, input);
}

/** Offers a text as a file. */
export function download(text, name) {
  const address = URL.createObjectURL(new Blob([text], { type: 'application/json' }));
  make('a', { href: address, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(address), 1000);
}
