// Workers and files in a browser.

import { SEARCHER } from './searcher.js';

/** The full address of what is relative to the page. @param {string | URL} address */
export const locate = (address) => new URL(address, globalThis.location?.href);

/** Only pages that are isolated from others can share memory with a worker. */
export function canShare() {
  return globalThis.crossOriginIsolated === true;
}

/** @param {string | URL} address */
async function load(address) {
  const response = await fetch(address);
  if (!response.ok) {
    throw new Error(`${address} cannot be loaded (${response.status} ${response.statusText})`);
  }
  return response;
}

/** The bytes of a file. @param {string | URL} address */
export async function read(address) {
  return (await load(address)).arrayBuffer();
}

/** Compiles a module from its address. @param {string | URL} address */
export async function compile(address) {
  const response = await load(address);
  // Servers that do not know its type are not rare.
  if (response.headers.get('Content-Type')?.startsWith('application/wasm')) {
    return WebAssembly.compileStreaming(response);
  }
  return WebAssembly.compile(await response.arrayBuffer());
}

/**
 * @param {(options: WorkerOptions & { name: string }) => Worker} create
 * @returns {import('./searcher.js').Platform['startWorker']}
 */
export function workers(create) {
  return (hear) => {
    const worker = create({ type: 'module', name: SEARCHER });
    worker.onmessage = ({ data }) => hear(data);
    worker.onerror = (event) => {
      event.preventDefault?.();
      hear({ failed: event.message || 'a worker cannot be started' });
    };
    return {
      post: (message) => worker.postMessage(message),
      end: () => worker.terminate(),
    };
  };
}
