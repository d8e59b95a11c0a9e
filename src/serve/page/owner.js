// Which tab plays a game with clocks: that which holds the lock of this game. The browser takes it back when the tab is closed.

/** How long this page may take to let go of its game when it is loaded again, in milliseconds. */
const FAREWELL = 500;

export class Owner {
  constructor() {
    /** The game that this tab plays, by its seed; null for none. */
    this.seed = null;
    this.free = () => {};
  }

  /** Gives back the game that this tab has played. */
  release() {
    this.free();
    this.seed = null;
  }

  /** Whether this tab may play the game with this seed. Where a browser has no locks every tab may. */
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
      navigator.locks.request(`tak-engine ${seed}`, { signal: AbortSignal.timeout(FAREWELL) }, hold).catch(() => resolve(false));
    });
  }
}
