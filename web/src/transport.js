// The way to the program: a WebSocket to `tak-engine serve`. The page without a server has another file of this name.

import { words } from './words.js';

/** Opens a connection. */
export function openSocket() {
  const address = new URL('play', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = location.search;
  address.hash = '';
  return new WebSocket(address);
}

/** What a user is told of a connection that is lost or refused. @type {(reason: string, isRefused: boolean) => string} */
export const explain = (reason, isRefused) => (isRefused ? words.refusedPage(reason) : words.reconnecting(reason));
