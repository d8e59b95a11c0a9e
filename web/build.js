// Writes the page without a server into a folder: `node web/build.js FOLDER`. The files are those of `tak-engine serve`,
// except transport.js; the engine is the npm package in bindings/wasm/js.

import { createHash } from 'node:crypto';
import { cpSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { Resvg } from '@resvg/resvg-js';
import { build } from 'esbuild';

const [folder] = process.argv.slice(2);
if (!folder) {
  console.error('usage: node web/build.js FOLDER');
  process.exit(2);
}
const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const source = (name) => here(`src/${name}`);
const engine = (name) => here(`../bindings/wasm/js/${name}`);
const out = (name) => join(resolve(folder), name);

const POLICY = [
  "default-src 'none'", "script-src 'self' 'wasm-unsafe-eval'", "style-src 'self'", "img-src 'self' data:",
  "connect-src 'self'", "worker-src 'self'", "manifest-src 'self'", "base-uri 'none'", "form-action 'none'",
].join('; ');
const HEAD = `<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${POLICY}">`;
/** Parts of the page that are scripts of their own. */
const VIEWS = ['puzzles.js', 'learn.js', 'explore.js'];
/** Only for the page with the board. What the engine needs is loaded while the script is. */
const APP = `<link rel="manifest" href="manifest.webmanifest">
<link rel="apple-touch-icon" href="icon-180.png">
<meta name="theme-color" media="(prefers-color-scheme: light)" content="#ffffff">
<meta name="theme-color" media="(prefers-color-scheme: dark)" content="#1f2327">
<link rel="preload" href="tak-engine.wasm" as="fetch" crossorigin>
</head>`;
const MANIFEST = {
  id: './',
  name: 'Tak',
  description: 'A board to play and analyse Tak on',
  start_url: './',
  scope: './',
  display: 'standalone',
  background_color: '#f4f6f6',
  theme_color: '#ffffff',
  icons: [
    { src: 'icon-192.png', sizes: '192x192', type: 'image/png' },
    { src: 'icon-512.png', sizes: '512x512', type: 'image/png' },
    { src: 'icon-mask.png', sizes: '512x512', type: 'image/png', purpose: 'maskable' },
    { src: 'icon.svg', sizes: 'any', type: 'image/svg+xml' },
  ],
};

function writeDocument(name, ...replacements) {
  let text = readFileSync(source(name), 'utf8');
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
  const icon = readFileSync(source('icon.svg'), 'utf8');
  // Systems cut their own corners, at most a tenth of the width.
  const whole = icon.replace('viewBox="0 0 64 64"', 'viewBox="-6 -6 76 76"')
    .replace('<rect width="64" height="64" rx="12"', '<rect x="-6" y="-6" width="76" height="76"');
  writeIcon('icon-192.png', icon, 192);
  writeIcon('icon-512.png', icon, 512);
  writeIcon('icon-180.png', whole, 180);
  writeIcon('icon-mask.png', whole, 512);
}

const script = {
  bundle: true,
  minify: true,
  charset: 'utf8',
  target: 'es2022',
  logLevel: 'warning',
};

function hash(kind, content, encoding) {
  return createHash(kind).update(content).digest(encoding);
}

/** The address and the hash of every file, in a fixed order. A site may not show its start under its name. */
function hashes() {
  const names = readdirSync(out('.')).sort();
  const entry = (name) => [name === 'index.html' ? './' : name, `sha256-${hash('sha256', readFileSync(out(name)), 'base64')}`];
  return JSON.stringify(Object.fromEntries(names.map(entry)));
}

rmSync(out('.'), { recursive: true, force: true });
mkdirSync(out('.'), { recursive: true });
writeDocument('index.html', ['<meta charset="utf-8">', HEAD], ['</head>', APP]);
writeDocument('how-to-play.html', ['<meta charset="utf-8">', HEAD]);
writeFileSync(out('manifest.webmanifest'), JSON.stringify(MANIFEST));
writeIcons();
cpSync(source('style.css'), out('style.css'));
cpSync(source('icon.svg'), out('icon.svg'));
for (const name of readdirSync(engine('')).filter((each) => /\.(wasm|bin)$/.test(each))) {
  cpSync(engine(name), out(name));
}
for (const name of ['task.css', 'lessons.json']) {
  cpSync(source(name), out(name));
}
cpSync(here('../src/draw/themes.css'), out('themes.css'));
for (const size of ['4x4', '5x5', '6x6', '7x7']) {
  cpSync(here(`puzzles/${size}.jsonl`), out(`puzzles-${size}.jsonl`));
}
cpSync(engine('classic/tak-engine.worker.js'), out('tak-engine.worker.js'));
cpSync(here('serverless/tak-engine-explorer.wasm'), out('tak-engine-explorer.wasm'));
await build({
  ...script,
  entryPoints: [here('serverless/explorer-worker.js')],
  outfile: out('tak-engine-explorer.worker.js'),
  format: 'iife',
  // The glue would find the module beside itself, but gets its address.
  logOverride: { 'empty-import-meta': 'silent' },
});
await build({
  ...script,
  entryPoints: ['main.js', ...VIEWS].map(source),
  outdir: out('.'),
  format: 'esm',
  // A view is loaded when it is opened.
  external: VIEWS.map((name) => `./${name}`),
  plugins: [{
    name: 'transport',
    setup: ({ onResolve }) => onResolve({ filter: /\/transport\.js$/ }, () => ({ path: here('serverless/transport.js') })),
  }],
});
const files = hashes();
await build({
  ...script,
  entryPoints: [here('serverless/service-worker.js')],
  outfile: out('service-worker.js'),
  format: 'iife',
  define: { FILES: files, VERSION: JSON.stringify(hash('sha256', files, 'hex').slice(0, 12)) },
});
console.log(`the page is in ${folder}`);
