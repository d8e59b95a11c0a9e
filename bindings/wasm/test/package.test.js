// The package as a project gets it: packed, installed, bundled, and used in Node and in Chromium.

import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import test, { after, before } from 'node:test';
import { fileURLToPath } from 'node:url';

import puppeteer from 'puppeteer-core';

const here = fileURLToPath(new URL('..', import.meta.url));
const tool = (name) => join(here, 'node_modules/.bin', name);
const TYPES = { '.html': 'text/html', '.js': 'text/javascript', '.wasm': 'application/wasm', '.bin': 'application/octet-stream' };
const BROWSERS = ['chromium-headless-shell', 'chromium', 'google-chrome'].map((name) => `/usr/bin/${name}`);

const project = mkdtempSync(join(tmpdir(), 'tak-engine-'));
const installed = join(project, 'node_modules/tak-engine');
const site = join(project, 'site');
const run = (command, ...args) => execFileSync(command, args, { cwd: project, encoding: 'utf8', stdio: 'pipe' });

/** The examples of a kind in the README and in the manual, in their order. */
function examples(kind) {
  const text = [join(installed, 'README.md'), join(here, '../../docs/web.md')].map((page) => readFileSync(page, 'utf8')).join('\n');
  return [...text.matchAll(new RegExp(`^\`\`\`${kind}\n([^]*?)^\`\`\``, 'gm'))].map(([, code]) => code);
}

/** Copies what the engine loads: the module and the weights. */
function copyLoaded(folder) {
  for (const name of readdirSync(installed).filter((each) => /\.(wasm|bin)$/.test(each))) {
    cpSync(join(installed, name), join(folder, name));
  }
}

/** Serves the site; addresses below /isolated/ with the headers that isolate a page. */
function serve() {
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url, 'http://localhost');
    if (pathname === '/favicon.ico') {
      response.writeHead(204).end();
      return;
    }
    const isolated = pathname.startsWith('/isolated/');
    const path = join(site, pathname.replace('/isolated/', '/'));
    if (!existsSync(path) || !TYPES[extname(path)]) {
      response.writeHead(404).end();
      return;
    }
    // Scripts of the README and of the example stand in the page itself, and so does the style of a board.
    const extra = pathname.startsWith('/readme/') ? "'unsafe-inline'" : '';
    const style = extra && `; style-src 'self' ${extra}`;
    response.writeHead(200, {
      'Content-Type': TYPES[extname(path)],
      'Content-Security-Policy': `default-src 'self'; script-src 'self' 'wasm-unsafe-eval' ${extra}${style}`,
      ...(isolated && { 'Cross-Origin-Opener-Policy': 'same-origin', 'Cross-Origin-Embedder-Policy': 'require-corp' }),
    });
    response.end(readFileSync(path));
  });
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server));
  });
}

let server;
let browser;

before(async () => {
  const [{ filename }] = JSON.parse(execFileSync('npm', ['pack', '--json', '--pack-destination', project], { cwd: join(here, 'js') }));
  writeFileSync(join(project, 'package.json'), '{ "private": true, "type": "module" }');
  run('npm', 'install', '--silent', '--no-audit', '--no-fund', '--offline', join(project, filename));
  mkdirSync(site);
  server = await serve();
  browser = await puppeteer.launch({
    executablePath: BROWSERS.find(existsSync),
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-component-update', '--disable-sync'],
  });
});

after(async () => {
  await browser?.close();
  server?.close();
  rmSync(project, { recursive: true });
});

/** Opens a page of the site, plain or isolated, and resolves to what it puts into its title. */
async function titleOf(path) {
  const page = await browser.newPage();
  const faults = [];
  page.on('pageerror', (error) => faults.push(error.message));
  page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  await page.goto(`http://127.0.0.1:${server.address().port}/${path}`);
  await page.waitForFunction(() => document.title !== '', { timeout: 120_000 }).catch((error) => faults.push(error.message));
  const title = await page.title();
  await page.close();
  assert.deepEqual(faults, []);
  return title;
}

/** A page with one script. */
function page(name, script) {
  writeFileSync(join(site, `${name}.html`), `<!doctype html><html lang="en"><script type="module" src="${script}"></script></html>`);
}

const ANALYSIS = `
import { TakEngine } from 'tak-engine';
try {
  const engine = await TakEngine.start();
  const game = await engine.play({ size: 5, moves: ['a1'] }, 'e5');
  const endless = engine.analyse({ ...game, onInfo: () => engine.stop() });
  const { best, lines } = await endless;
  const isLegal = (await engine.legalMoves(game)).includes(best);
  document.title = crossOriginIsolated + ' ' + (isLegal && (await engine.reasons(game, lines[0])).length > 0);
} catch (error) {
  document.title = error;
}`;

test('the types hold in a strict project', () => {
  cpSync(join(here, 'test/types.ts'), join(project, 'types.ts'));
  run(tool('tsc'), '--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022,dom', '--types', '', 'types.ts');
});

test('the types need none of browsers or Node', () => {
  writeFileSync(join(project, 'plain.ts'), "import { TakEngine } from 'tak-engine';\nimport { Game } from 'tak-engine/rules';\nexport const engine: Promise<TakEngine> = TakEngine.start();\nexport const game: Game = new Game();\n");
  run(tool('tsc'), '--strict', '--noEmit', '--target', 'es2022', '--module', 'nodenext', '--lib', 'es2022', '--types', '', 'plain.ts');
});

test('the examples of the README and the manual run in Node', () => {
  assert.ok(examples('js').length > 5);
  for (const [index, code] of examples('js').entries()) {
    const name = `example${index}.js`;
    writeFileSync(join(project, name), code);
    assert.notEqual(run('node', name), '');
  }
});

test('the examples of the manual run in a page', async () => {
  const folder = join(site, 'readme');
  cpSync(join(installed, 'classic'), folder, { recursive: true });
  copyLoaded(folder);
  assert.ok(examples('html').length > 0);
  for (const [index, code] of examples('html').entries()) {
    writeFileSync(join(folder, `${index}.html`), code);
    const tab = await browser.newPage();
    const answer = new Promise((resolve) => {
      tab.on('console', (message) => message.text().startsWith('bestmove') && resolve(message.text()));
      tab.on('pageerror', (error) => resolve(error.message));
    });
    await tab.goto(`http://127.0.0.1:${server.address().port}/readme/${index}.html`);
    assert.match(await answer, /^bestmove [a-f1-6SC]+$/);
    await tab.close();
  }
});

test('the page of 40 lines plays a move', async () => {
  const folder = join(site, 'readme');
  cpSync(installed, join(folder, 'tak-engine'), { recursive: true });
  const tab = await browser.newPage();
  await tab.setViewport({ width: 360, height: 640 });
  const faults = [];
  tab.on('pageerror', (error) => faults.push(error.message));
  tab.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
  const says = (text) => tab.waitForFunction(`document.querySelector('p').textContent === '${text}'`);
  const pieces = () => tab.$$eval('.piece', (all) => all.map(({ dataset }) => dataset.square));
  await tab.goto(`http://127.0.0.1:${server.address().port}/readme/tak-engine/examples/play.html`);
  await says('Your move: choose a square.');
  const { x, y, height } = await (await tab.$('svg .light')).boundingBox();
  assert.ok(await tab.evaluate('document.documentElement.scrollWidth <= 360'));
  // The lower left square is a1.
  await tab.mouse.click(x + height / 10, y + (height * 9) / 10);
  assert.deepEqual(await tab.$$eval('button', (all) => all.map(({ textContent }) => textContent)), ['a1']);
  await tab.click('button');
  await tab.waitForFunction("document.querySelectorAll('.piece').length === 2");
  await says('Your move: choose a square.');
  assert.ok((await pieces()).includes('a1'));
  if (process.env.PICTURE) {
    await tab.screenshot({ path: process.env.PICTURE });
  }
  assert.deepEqual(faults, []);
  await tab.close();
});

const RULES = `
import { Game, init } from 'tak-engine/rules';
const result = init().then(() => {
  const game = Game.fromPtn('1. a1 e5 2. c3');
  return game.size + ' ' + game.legalMoves().length + ' ' + game.svg().startsWith('<svg');
});`;

test('the rules work in a page and in a worker, bundled and as they are', async () => {
  cpSync(installed, join(site, 'tak-engine'), { recursive: true });
  writeFileSync(join(project, 'title.js'), `${RULES}\nresult.then((text) => { document.title = text; });`);
  writeFileSync(join(project, 'post.js'), `${RULES}\nresult.then(postMessage);`);
  writeFileSync(join(project, 'inside.js'), `
    const worker = new Worker(new URL('./post.js', import.meta.url), { type: 'module' });
    worker.onmessage = ({ data }) => { document.title = data; };`);
  const out = join(site, 'rules');
  run(tool('esbuild'), 'title.js', 'post.js', 'inside.js', '--bundle', '--format=esm', `--outdir=${out}`, '--log-level=error');
  for (const name of ['title', 'inside']) {
    page(`rules/${name}`, `${name}.js`);
    writeFileSync(join(project, 'index.html'), `<!doctype html><html lang="en"><script type="module" src="/${name}.js"></script></html>`);
    run(tool('vite'), 'build', '--base', './', '--outDir', join(site, `rules-${name}`), '--emptyOutDir', '--logLevel', 'error');
  }
  writeFileSync(join(site, 'plain.js'), `${RULES.replace("'tak-engine/rules'", "'./tak-engine/rules.js'")}\nresult.then((text) => { document.title = text; });`);
  page('plain', 'plain.js');
  for (const path of ['plain.html', 'rules/title.html', 'rules/inside.html', 'rules-title/index.html', 'rules-inside/index.html']) {
    assert.equal(await titleOf(path), '5 68 true', path);
  }
});

/** What a bundle prints that analyses in Node; the bundler gets the name of its script. */
function analysedInNode(bundle, out) {
  writeFileSync(join(project, 'analysis.js'), ANALYSIS.replace("document.title = crossOriginIsolated + ' ' +", 'console.log').replace('document.title = error', 'console.log(error)'));
  bundle('analysis.js');
  return run('node', join(out, 'analysis.js')).trim();
}

test('a bundle of Vite works in Node', () => {
  const out = join(project, 'vite-node');
  const bundle = (script) => run(tool('vite'), 'build', '--ssr', script, '--outDir', out, '--logLevel', 'error');
  assert.equal(analysedInNode(bundle, out), 'true');
});

test('a bundle of esbuild works in Node', () => {
  const out = join(project, 'esbuild-node');
  const bundle = (script) => run(tool('esbuild'), script, join(installed, 'node-worker.js'), '--bundle', '--platform=node', '--format=esm', `--outdir=${out}`, '--entry-names=[name]', '--log-level=error');
  mkdirSync(out);
  copyLoaded(out);
  assert.equal(analysedInNode(bundle, out), 'true');
});

for (const isolation of ['', 'isolated/']) {
  const kind = isolation ? 'isolated' : 'plain';
  const expected = `${isolation !== ''} true`;

  test(`the package itself works in a ${kind} page`, async () => {
    cpSync(installed, join(site, 'tak-engine'), { recursive: true });
    writeFileSync(join(site, 'direct.js'), ANALYSIS.replace("'tak-engine'", "'./tak-engine/index.js'"));
    page('direct', 'direct.js');
    assert.equal(await titleOf(`${isolation}direct.html`), expected);
  });

  test(`a bundle of Vite works in a ${kind} page`, async () => {
    writeFileSync(join(project, 'main.js'), ANALYSIS);
    writeFileSync(join(project, 'index.html'), '<!doctype html><html lang="en"><script type="module" src="/main.js"></script></html>');
    run(tool('vite'), 'build', '--base', './', '--outDir', join(site, 'vite'), '--emptyOutDir', '--logLevel', 'error');
    assert.equal(await titleOf(`${isolation}vite/index.html`), expected);
  });

  test(`a bundle of Vite has only the weights that it names, in a ${kind} page`, async () => {
    const script = ANALYSIS.replace("'tak-engine'", "'tak-engine/core';\nimport five from 'tak-engine/weights/5'");
    writeFileSync(join(project, 'main.js'), script.replace('start()', 'start({ weights: five })'));
    const out = join(site, 'one');
    run(tool('vite'), 'build', '--base', './', '--outDir', out, '--emptyOutDir', '--logLevel', 'error');
    const emitted = readdirSync(join(out, 'assets')).filter((name) => name.endsWith('.bin'));
    assert.deepEqual(emitted.map((name) => name.slice(0, 10)), ['weights-5-']);
    assert.equal(await titleOf(`${isolation}one/index.html`), expected);
  });

  test(`a bundle of esbuild works in a ${kind} page`, async () => {
    const given = "start({ wasm: 'tak-engine.wasm', worker: (options) => new Worker('worker.js', options) })";
    writeFileSync(join(project, 'app.js'), ANALYSIS.replace('start()', given));
    const out = join(site, 'esbuild');
    run(tool('esbuild'), 'app.js', join(installed, 'worker.js'), '--bundle', '--format=esm', `--outdir=${out}`, '--entry-names=[name]', '--log-level=error');
    copyLoaded(out);
    page('esbuild/app', 'app.js');
    assert.equal(await titleOf(`${isolation}esbuild/app.html`), expected);
  });

  for (const type of ['classic', 'module']) {
    test(`the ${type} worker speaks TEI in a ${kind} page`, async () => {
      const address = type === 'classic' ? 'tak-engine/classic/tak-engine.worker.js' : 'tak-engine/worker.js';
      writeFileSync(join(site, `${type}.js`), `
        const worker = new Worker('${address}', { type: '${type}' });
        const lines = [];
        const count = (start) => lines.filter((line) => line.startsWith(start)).length;
        worker.onmessage = ({ data }) => {
          lines.push(data);
          if (data.startsWith('info depth 4 ') && count('bestmove') === 2 && count('readyok') === 1) {
            worker.postMessage('isready');
            worker.postMessage('stop');
          } else if (data === 'readyok' && count('readyok') === 1) {
            for (let turn = 0; turn < 3; turn += 1) {
              worker.postMessage('position startpos moves a1 f6');
              worker.postMessage('go infinite');
              turn < 2 && worker.postMessage('stop');
            }
          }
          if (count('bestmove') === 3) {
            document.title = [data.slice(0, 8), count('teiok'), count('readyok'), count('info error')].join(' ');
          }
        };
        worker.onerror = ({ message }) => { document.title = message; };
        worker.postMessage('isready');`);
      page(type, `${type}.js`);
      assert.equal(await titleOf(`${isolation}${type}.html`), 'bestmove 1 2 0');
    });
  }
}
