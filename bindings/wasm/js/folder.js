// The addresses of files that are in one folder.

const SIZES = [3, 4, 5, 6, 7, 8];

/**
 * What a worker loads besides its module: the weights by board size, and the module that gives reasons.
 * @typedef {object} Files
 * @property {Record<number, string>} weights
 * @property {string} explorer
 */

/** @param {string | URL} folder or a file in it @returns {Files} */
export function filesIn(folder) {
  const address = (/** @type {string} */ name) => new URL(name, folder).href;
  const weights = Object.fromEntries(SIZES.map((size) => [size, address(`weights-${size}.bin`)]));
  return { weights, explorer: address('tak-engine-explorer.wasm') };
}
