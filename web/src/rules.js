// The page with the rules has the board and the colours that are chosen in the settings, and its diagrams the pieces of the
// board.

import { diagram } from './views/diagram.js';

try {
  const { board = 'wood', colours = 'system' } = JSON.parse(localStorage.getItem('tak-engine') ?? '').settings;
  Object.assign(document.documentElement.dataset, { board, colours });
} catch {
  // Nothing is stored, or it cannot be read.
}

/** @type {(text?: string) => string[]} */
const listed = (text) => text?.split(' ') ?? [];

/** The spread in the data of a diagram: the square that it leaves, and those on which it drops pieces. @param {DOMStringMap} data */
function spreadIn({ from, drops }) {
  if (!from) {
    return [];
  }
  /** @type {[string, number][]} */
  const counts = listed(drops).map((each) => [each.slice(0, 2), Number(each.slice(3))]);
  const color = /** @type {const} */ ('white');
  return [{ move: { text: '', from, kind: null, drops: counts }, color, rank: 0, isWeak: false }];
}

/** Draws the diagrams, with the shapes of the start page. Its address may need the token of this one. */
async function draw() {
  const start = `./${location.search}`;
  document.querySelector('a[href="./"]')?.setAttribute('href', start);
  const page = new DOMParser().parseFromString(await (await fetch(start)).text(), 'text/html');
  document.body.prepend(...page.querySelectorAll('.defs'));
  for (const drawing of document.querySelectorAll('svg[data-tps]')) {
    const data = /** @type {SVGElement} */ (drawing).dataset;
    const [road, last] = [listed(data.road), listed(data.last)];
    diagram(
      data.tps ?? '',
      { road, marks: { won: road, last }, advice: spreadIn(data), hasCoordinates: true },
      drawing,
    );
  }
}

draw();
