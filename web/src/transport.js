// The way to the program: a WebSocket to `tak-engine serve`. The page without a server has another file of this name.

/** Opens a connection. */
export function openSocket() {
  const address = new URL('play', location.href);
  address.protocol = location.protocol === 'https:' ? 'wss:' : 'ws:';
  address.search = location.search;
  address.hash = '';
  return new WebSocket(address);
}

/** Replaces the board until the first connection. */
export const LOADING = '';

/** Texts about a connection that is lost or refused: one above the board, and one in its place. */
export function explain(reason, { isRefused }) {
  const why = reason ? ` (${reason})` : '';
  return {
    status: `Not connected${why}: reconnecting. Your game is saved.`,
    absent: isRefused
      ? `tak-engine refused this page: ${reason}. Close another tak-engine page to free a session.`
      : 'Waiting for tak-engine. The board appears when it responds.',
  };
}
