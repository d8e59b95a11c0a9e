// Writes the page without a server into a folder: `node web/build.js FOLDER`. The files are those of `tak-engine serve`,
// except transport.js; the engine is the npm package in bindings/wasm/js.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join, resolve, sep } from 'node:path';
import { fileURLToPath } from 'node:url';
import { gzipSync } from 'node:zlib';

import { Resvg } from '@resvg/resvg-js';
import { transformSync } from 'esbuild';
import { build } from 'rolldown';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node web/build.js FOLDER');
  process.exit(2);
}
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const engine = (name) => here(`../bindings/wasm/js/${name}`);
const out = (name) => join(resolve(folder), name);

const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data:",
  "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
].join('; ');
const HEAD = `<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
/** The styles that are needed at once. */
const STYLES = ['themes', 'style', 'board'].map((name) => `styles/${name}.css`);
/** The maximum number of bytes, gzipped, of the page with a first board. */
const BOARD = 70_000;
/** The same until the engine is ready, without weights. */
const READY = 400_000;
/** Only for the page with the board. What the engine needs is loaded while the script is. */
const APP = `<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-180.png">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#f3f2ee">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#141618">
<link rel="preload" href="tak-engine.wasm" as="fetch" crossorigin>
</head>`;
const MANIFEST = {
  id: './',
  name: 'Tak',
  description: 'A board to play and analyse Tak on',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#f3f2ee',
  theme_color: '#f3f2ee',
  categories: ['games'],
  // A game that is being played stays.
  launch_handler: { client_mode: ['focus-existing', 'auto'] },
  shortcuts: [['Analysis', 'analysis'], ['Puzzles', 'puzzles'], ['Library', 'library'], ['Set up a position', 'editor']]
    .map(([name, view]) => ({ name, url: `./#${view}` })),
  file_handlers: [{ action: './', accept: { 'text/x-ptn': ['.ptn', '.tps'] } }],
  // The service worker takes it.
  share_target: {
    action: './shared',
    method: 'POST',
    enctype: 'multipart/form-data',
    params: {
      text: 'text',
      url: 'url',
      files: [{ name: 'file', accept: ['text/plain', 'text/x-ptn', '.ptn', '.tps', '.txt'] }],
    },
  },
  icons: [
    { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: 'icon-mask.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
};

function writeDocument(name, ...replacements) {
  let text = readFileSync(here(name), 'utf8');
  for (const [part, other] of replacements) {
    if (!text.includes(part)) {
      throw new Error(`${name} has no ${part}`);
    }
    text = text.replace(part, other);
  }
  writeFileSync(out(name), text);
}

function writeIcon(name, svg, width) {
  writeFileSync(out(name), new Resvg(svg, { fitTo: { mode: 'width', value: width } }).render().asPng());
}

function writeIcons() {
  const icon = readFileSync(here('icon.svg'), 'utf8');
  // Systems cut their own corners, at most a tenth of the width.
  const whole = icon.replace('viewBox="0 0 64 64"', 'viewBox="-6 -6 76 76"')
    .replace('<rect width="64" height="64" rx="12"', '<rect x="-6" y="-6" width="76" height="76"');
  writeIcon('icon-192.png', icon, 192);
  writeIcon('icon-512.png', icon, 512);
  writeIcon('icon-180.png', whole, 180);
  writeIcon('icon-mask.png', whole, 512);
}

/** Bundles a script. Returns its file and those that it needs at once, without views that are loaded later. */
async function bundle(entry, { define, output, ...options }) {
  const result = await build({
    input: here(entry),
    transform: { target: 'es2022', define },
    output: { minify: true, entryFileNames: '[name].js', ...output },
    ...options,
  });
  const main = result.output.find(({ isEntry }) => isEntry);
  return [main.fileName, ...main.imports];
}

function hash(kind, content, encoding) {
  return createHash(kind).update(content).digest(encoding);
}

/** The address and the hash of every file, in a fixed order. A site may not show its start under its name. */
function hashes() {
  const names = readdirSync(out('.'), { recursive: true }).map((name) => name.replaceAll(sep, '/'))
    .filter((name) => statSync(out(name)).isFile()).sort();
  const entry = (name) => [name === 'index.html' ? './' : name, `sha256-${hash('sha256', readFileSync(out(name)), 'base64')}`];
  return JSON.stringify(Object.fromEntries(names.map(entry)));
}

/** Compares what is loaded, gzipped, with its budget. Returns whether it is within it. */
function isWithin(budget, what, files) {
  const size = [...files].reduce((sum, name) => sum + gzipSync(readFileSync(name), { level: 9 }).length, 0);
  console.log(`${what} needs ${size} bytes gzipped, at most ${budget}`);
  return size <= budget;
}

rmSync(out('.'), { recursive: true, force: true });
mkdirSync(out('.'), { recursive: true });
const styles = STYLES.map((name) => `<link rel="stylesheet" href="${name}">`).join('\n');
writeDocument(
  'index.html', ['<meta charset="utf-8">', HEAD], ['</head>', APP], [styles, '<link rel="stylesheet" href="style.css">'], ['src/main.js', 'main.js'],
);
writeDocument('how-to-play.html', ['<meta charset="utf-8">', HEAD]);
writeFileSync(out('manifest.webmanifest'), JSON.stringify(MANIFEST));
writeIcons();
for (const name of ['icon.svg', 'lessons.json', 'openings.tsv', 'puzzles', ...['board', 'dialogs', 'library', 'task', 'rules', 'themes'].map((name) => `styles/${name}.css`)]) {
  cpSync(here(name), out(name), { recursive: true });
}
for (const name of readdirSync(engine('')).filter((each) => /\.(wasm|bin)$/.test(each))) {
  cpSync(engine(name), out(name));
}
cpSync(engine('classic/tak-engine.worker.js'), out('tak-engine.worker.js'));
cpSync(here('serverless/tak-engine-explorer.wasm'), out('tak-engine-explorer.wasm'));
const css = STYLES.map((name) => readFileSync(here(name), 'utf8')).join('\n');
writeFileSync(out('style.css'), transformSync(css, { loader: 'css', minify: true, charset: 'utf8', target: 'es2022' }).code);
await bundle('serverless/explorer-worker.js', {
  output: { file: out('tak-engine-explorer.worker.js'), format: 'iife' },
});
await bundle('src/rules.js', { output: { file: out('src/rules.js') } });
const main = await bundle('src/main.js', {
  define: { WASM_BYTES: String(statSync(engine('tak-engine.wasm')).size) },
  plugins: [{ name: 'transport', resolveId: (id) => (/\/transport\.js$/.test(id) ? here('serverless/transport.js') : null) }],
  // A view is loaded when it is opened. What the first one imports is one file: twelve, for each set of views that share
  // something, are 6 kB more.
  preserveEntrySignatures: false,
  output: { dir: out('.'), codeSplitting: { groups: [{ name: 'main', test: /src[\\/]main\.js$/ }] } },
});
const files = hashes();
await bundle('serverless/service-worker.js', {
  define: { FILES: files, VERSION: JSON.stringify(hash('sha256', files, 'hex').slice(0, 12)) },
  output: { file: out('service-worker.js'), format: 'iife' },
});
console.log(`the page is in ${folder}`);
const board = ['index.html', 'style.css', ...main].map(out);
// All else comes after the engine, or when it is opened.
const ready = [...board, out('tak-engine.wasm'), out('tak-engine.worker.js')];
const isGood = [isWithin(BOARD, 'the first board', board), isWithin(READY, 'the ready engine', ready)];
process.exitCode = Number(isGood.includes(false));
