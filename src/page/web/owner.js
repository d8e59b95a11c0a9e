// A game with clocks is played by the tab that holds its lock. The browser releases the lock when the tab is closed.

/** Milliseconds for another page to release the game when it is left. */
const FAREWELL = 500;

export class Owner {
  constructor() {
    /** The seed of the game that this tab plays, or null. */
    this.seed = null;
    this.free = () => {};
    // The browser releases the lock of a page that is gone, but on a busy computer too late for the one that replaces it.
    addEventListener('pagehide', () => this.release());
    // A page that comes back from the cache of the browser has no lock any more.
    addEventListener('pageshow', (event) => event.persisted && location.reload());
  }

  /** Releases the game of this tab. */
  release() {
    this.free();
    this.seed = null;
  }

  /** Returns whether this tab may play the game with this seed. In a browser that refuses locks every tab may. */
  async claim(seed) {
    if (seed === this.seed || !navigator.locks) {
      return true;
    }
    this.release();
    return new Promise((resolve) => {
      const hold = () => new Promise((free) => {
        Object.assign(this, { seed, free });
        resolve(true);
      });
      const options = { signal: AbortSignal.timeout(FAREWELL) };
      const isTaken = ({ name }) => name === 'TimeoutError' || name === 'AbortError';
      navigator.locks.request(`tak-engine ${seed}`, options, hold).catch((error) => resolve(!isTaken(error)));
    });
  }
}
