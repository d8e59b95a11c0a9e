// The two ways to the page: `tak-engine serve`, and a host of static files, as simple as they come.

import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { extname, join } from 'node:path';
import { createInterface } from 'node:readline';

import { program } from './needs.js';

/** @typedef {{ url: string, port: number, stop: () => Promise<void> }} Server */

/**
 * Starts the program.
 * @param {string[]} [options]
 * @param {number} [port] 0 for any
 * @returns {Promise<Server>}
 */
export async function serve(options = [], port = 0) {
  const hash = options.includes('--hash') ? [] : ['--hash', '4'];
  const child = spawn(program, ['serve', '--port', `${port}`, '--threads', '1', ...hash, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, RUST_LOG: 'error' },
  });
  const ended = once(child, 'close');
  // The tests may be killed.
  const kill = () => child.kill('SIGKILL');
  process.on('exit', kill);
  const line = await Promise.race([once(createInterface(child.stdout), 'line').then(String), ended.then(() => '')]);
  const url = /^The board is at (\S+)/.exec(line)?.[1];
  if (!url) {
    throw new Error(`${program} does not serve: ${line}`);
  }
  const stop = async () => {
    process.off('exit', kill);
    kill();
    await ended;
  };
  return { url, port: Number(new URL(url).port), stop };
}

/** The folder of the page on the host: it has to work at any path. */
const PATH = '/games/tak/';

/** The types of files by the ends of their names. @type {Record<string, string>} */
export const TYPES = {
  '.css': 'text/css',
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/**
 * Serves a folder. After `stop` the page has no network.
 * @param {string} folder
 * @returns {Promise<Server>}
 */
export async function host(folder) {
  const server = createServer(async (request, response) => {
    const { pathname } = new URL(request.url ?? '', 'http://localhost');
    const name = pathname.startsWith(PATH) ? pathname.slice(PATH.length) || 'index.html' : '';
    try {
      const content = await readFile(join(folder, name));
      const type = TYPES[extname(name)] ?? 'application/octet-stream';
      response.writeHead(200, { 'Content-Type': type }).end(content);
    } catch {
      response.writeHead(404).end();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const stop = async () => {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  };
  return { url: `http://127.0.0.1:${port}${PATH}`, port, stop };
}
