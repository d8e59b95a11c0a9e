// A game with clocks is played by the tab that holds its lock. The browser releases the lock when the tab is closed.

/** Milliseconds for another page to release the game when it is left. */
const FAREWELL = 500;

/** The same for the previous page of this tab: nobody else has the game, and a busy browser takes its time. */
const RELOAD = 10_000;

export class Owner {
  constructor() {
    /** The seed of the game that this tab plays, or null. @type {number | null} */
    this.seed = null;
    this.free = () => {};
    // A page that comes back from the cache of the browser has no lock any more.
    addEventListener('pageshow', (event) => event.persisted && location.reload());
  }

  /** Releases the game of this tab. */
  release() {
    this.free();
    this.seed = null;
  }

  /**
   * Returns whether this tab may play the game with this seed. In a browser that refuses locks every tab may.
   * @param {number} seed
   * @param {boolean} isReload whether this tab played it before the page was loaded again
   */
  async claim(seed, isReload) {
    if (seed === this.seed || !navigator.locks) {
      return true;
    }
    this.release();
    // A busy browser takes its time even for a lock that is free.
    return (
      (await this.#request(seed, { ifAvailable: true })) ||
      this.#request(seed, { signal: AbortSignal.timeout(isReload ? RELOAD : FAREWELL) })
    );
  }

  /**
   * @param {number} seed
   * @param {LockOptions} options
   * @returns {Promise<boolean>}
   */
  #request(seed, options) {
    return new Promise((resolve) => {
      const hold = (/** @type {Lock | null} */ lock) =>
        lock &&
        new Promise((free) => {
          Object.assign(this, { seed, free: () => free(undefined) });
          resolve(true);
        });
      const isTaken = (/** @type {DOMException} */ { name }) => name === 'TimeoutError' || name === 'AbortError';
      const fail = (/** @type {DOMException} */ error) => resolve(!isTaken(error));
      navigator.locks.request(`tak-engine ${seed}`, options, hold).then(() => resolve(false), fail);
    });
  }
}
