// Checks types and runs the tests that a change touches, after each change: `npm run watch`.

import { spawn } from 'node:child_process';
import { readdirSync, readFileSync, watch } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

const WEB = dirname(fileURLToPath(import.meta.url));
/** Run after changes that no test is named after. */
const ANY = 'test/browser/moving.spec.js';
/** Milliseconds in which other files may change too. */
const PAUSE = 200;

/** @param {string} folder @returns {string[]} */
const filesIn = (folder) =>
  readdirSync(join(WEB, folder), { recursive: true, encoding: 'utf8' }).map((name) => join(folder, name));

/** Whether a module imports another one, at any remove. @param {string} file @param {string} wanted @returns {boolean} */
function imports(file, wanted, seen = new Set()) {
  if (file === wanted) {
    return true;
  }
  if (seen.has(file)) {
    return false;
  }
  seen.add(file);
  const text = readFileSync(join(WEB, file), 'utf8');
  return [...text.matchAll(/(?:from|import\() ?'(\.[^']+\.js)'/g)].some(([, name]) =>
    imports(join(dirname(file), name), wanted, seen),
  );
}

/** The tests that a changed file touches: those that import it, those of its name, or any. @param {string} file */
function touched(file) {
  const tests = filesIn('test').filter((name) => /\.(test|spec)\.js$/.test(name) && !name.endsWith('firefox.test.js'));
  if (tests.includes(file)) {
    return [file];
  }
  const [word] = basename(file).split(/[.-]/);
  const isOf = (/** @type {string} */ name) => basename(name).startsWith(word) || imports(name, file);
  const found = tests.filter(file.startsWith('test/browser/support') ? (name) => imports(name, file) : isOf);
  const isShared = file.startsWith('test/') ? found.length > 5 : !found.some((name) => name.endsWith('.spec.js'));
  return isShared ? [...found.filter((name) => name.endsWith('.test.js')), ANY] : found;
}

/** Runs a command. Returns whether it succeeded. @param {string} command @param {string[]} options */
const run = (command, ...options) =>
  new Promise((resolve) => {
    console.log(`$ ${command} ${options.join(' ')}`);
    spawn(command, options, { cwd: WEB, stdio: 'inherit' }).on('close', (code) => resolve(code === 0));
  });

/** @param {string[]} changed */
async function check(changed) {
  const tests = [...new Set(changed.flatMap(touched))];
  const units = tests.filter((name) => name.endsWith('.test.js'));
  const pages = tests.filter((name) => name.endsWith('.spec.js'));
  const steps = [
    () => run('npx', 'tsc', '--project', '.'),
    () => units.length === 0 || run('node', '--test', ...units),
    // The program may have the files in it.
    () => changed.every((name) => !name.startsWith('src')) || run('cargo', 'build', '--quiet'),
    () => pages.length === 0 || run('npx', 'playwright', 'test', '--project=serve', ...pages),
  ];
  for (const step of steps) {
    if (!(await step())) {
      console.log('failed');
      return;
    }
  }
  console.log('passed');
}

/** @type {Set<string>} */
const changed = new Set();
let timer = setTimeout(() => {}, 0);
let isBusy = false;

function settle() {
  clearTimeout(timer);
  timer = setTimeout(async () => {
    if (isBusy || changed.size === 0) {
      return;
    }
    isBusy = true;
    const files = [...changed];
    changed.clear();
    await check(files);
    isBusy = false;
    settle();
  }, PAUSE);
}

for (const folder of ['src', 'styles', 'test']) {
  watch(join(WEB, folder), { recursive: true }, (_, name) => {
    if (name && /\.(js|css|html|json)$/.test(name)) {
      changed.add(relative(WEB, join(WEB, folder, name)));
      settle();
    }
  });
}
console.log('watching src, styles and test');
