// The usual values and ranges are those that the program and the worker of the package announce in TEI.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import test from 'node:test';
import { fileURLToPath } from 'node:url';

import { ANALYSE, START, USUAL } from '../js/options.js';
import { Game, init } from '../js/rules.js';
import { Client, nodeWorker } from './client.js';

const target = process.env.CARGO_TARGET_DIR ?? fileURLToPath(new URL('../../../target', import.meta.url));
const program = ['debug', 'release'].map((profile) => `${target}/${profile}/tak-engine`).find(existsSync);

/** The options in lines of TEI by name: default, min, max and the values to choose from. */
function announced(lines) {
  const options = lines.filter((line) => line.startsWith('option ')).map((line) => {
    const [, name, rest] = /^option name (.+?) type \w+ ?(.*)$/.exec(line);
    const words = [...rest.matchAll(/(default|min|max|var) (\S+)/g)];
    const one = (wanted) => words.find(([, word]) => word === wanted)?.[2];
    return [name, { usual: one('default'), min: one('min'), max: one('max'), all: words.filter(([, word]) => word === 'var').map(([, , value]) => value) }];
  });
  const sizes = lines.find((line) => line.startsWith('size ')).split(' halfkomi ')[0].split(' ').slice(1);
  return { ...Object.fromEntries(options), sizes };
}

const accepts = (check, value) => {
  try {
    check(value, 'value');
    return true;
  } catch {
    return false;
  }
};

/** The class takes exactly the values of an option, and has its default. `factor` is that of the option. */
function same(name, { usual, min, max }, factor = 1) {
  const check = { ...ANALYSE, ...START }[name];
  const taken = [min - 1, Number(min), Number(max), Number(max) + 1].map((value) => accepts(check, value / factor));
  assert.deepEqual([USUAL[name], ...taken], [usual / factor, false, true, true, false], name);
}

function compare({ HalfKomi, MultiPV, Level, Opening, sizes }) {
  same('komi', HalfKomi, 2);
  same('multipv', MultiPV);
  same('level', Level);
  assert.equal(USUAL.opening, Opening.usual);
  assert.ok(Opening.all.length === 3 && Opening.all.every((value) => accepts(ANALYSE.opening, value)));
  assert.deepEqual([2, 3, 4, 5, 6, 7, 8, 9].filter((size) => accepts(ANALYSE.size, size)), sizes.map(Number));
}

test('usual values are those of the program', { skip: !program && 'the program is not built' }, () => {
  compare(announced(execFileSync(program, ['tei'], { input: 'tei\nquit\n', encoding: 'utf8' }).split('\n')));
  // Those of the command line are in its help.
  const help = execFileSync(program, ['analyse', '--help'], { encoding: 'utf8' });
  const usual = (option) => new RegExp(`--${option} <[^>]+>[^]*?\\[default: ([^\\]]+)\\]`).exec(help)[1];
  const { size, komi, level, multipv } = USUAL;
  assert.deepEqual(['size', 'komi', 'level', 'multipv'].map(usual).map(Number), [size, komi, level, multipv]);
});

test('usual values are those of the worker, and of the rules', async () => {
  const client = new Client(nodeWorker(true));
  const options = announced(await client.until(/^teiok$/));
  await client.end();
  compare(options);
  // A page has less memory than the program.
  same('hash', options.Hash);
  await init();
  const { size, komi, opening } = new Game();
  assert.deepEqual({ size, komi, opening }, { size: USUAL.size, komi: USUAL.komi, opening: USUAL.opening });
});
