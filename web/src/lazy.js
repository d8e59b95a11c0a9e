// Modules that are loaded when they are needed.

import { Unloaded } from './model/errors.js';
import { words } from './words.js';

/** Whether the server answers, or the browser keeps its files. */
const answers = () =>
  fetch('icon.svg', { cache: 'no-cache' }).then(
    ({ ok }) => ok,
    () => false,
  );

/**
 * Returns what loads a module once. Browsers remember until the page is loaded again that a module could not be loaded, so
 * the server is asked first; if it does not answer, the next call tries again.
 * @template T
 * @param {() => Promise<T>} load
 * @returns {() => Promise<T>}
 */
export function lazy(load) {
  /** @type {Promise<T> | null} */
  let loading = null;
  const begin = async () => {
    if (!(await answers())) {
      loading = null;
      throw new Unloaded(words.unloaded);
    }
    return load().catch((error) => {
      console.error(error);
      throw new Unloaded(words.unloadable);
    });
  };
  return () => {
    loading ??= begin();
    return loading;
  };
}
