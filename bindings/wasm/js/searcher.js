// The owner of a worker that searches. Such a worker is busy from a job to its end and gets no message meanwhile. To
// interrupt it, a flag in shared memory is set, which the search looks at; where memory cannot be shared, it is ended, and
// a fresh worker does the next job.

/** The name by which a worker knows that it is to search. */
export const SEARCHER = 'tak-engine-searcher';

/** What a job resolves to if its worker was replaced before its end. */
export const INTERRUPTED = Symbol('interrupted');

/**
 * The differences between browsers and Node: web.js or node.js.
 * @typedef {object} Platform
 * @property {() => boolean} canShare whether memory can be shared with a worker
 * @property {(hear: (message: any) => void) => { post: (message: unknown) => void, end: () => void }} startWorker
 */

/**
 * A job with those who wait for it.
 * @typedef {object} Waiting
 * @property {unknown} job
 * @property {((text: string) => unknown) | null} hear
 * @property {(value: any) => void} resolve
 * @property {(error: unknown) => void} reject
 * @property {boolean} canEnd whether it can be interrupted
 * @property {boolean} mustEnd whether it is to be
 */

/** The searcher is closed. */
export class Closed extends Error {
  constructor() {
    super('the engine is closed');
    this.name = 'Closed';
  }
}

export class Searcher {
  /**
   * @param {Platform} platform
   * @param {WebAssembly.Module} module
   * @param {import('./folder.js').Files?} files those beside the script of the worker by default
   */
  constructor(platform, module, files = null) {
    this.platform = platform;
    this.module = module;
    this.files = files;
    /** The weights that a worker has loaded, by board size, for the next one. */
    this.weights = new Map();
    this.flag = platform.canShare() ? new Int32Array(new SharedArrayBuffer(4)) : null;
    /** @type {Waiting[]} */
    this.jobs = [];
    this.isClosed = false;
    this.#begin();
  }

  #begin() {
    /** The worker has ended or failed, for example because its script could not be loaded, and cannot do the next job. */
    this.isOver = false;
    const worker = this.platform.startWorker((message) => worker === this.worker && this.#hear(message));
    this.worker = worker;
    const { module, flag, files, weights } = this;
    worker.post({ module, flag, files, weights });
  }

  /**
   * Runs a job after those before it, and resolves to its result. `hear` gets each of its messages, and returns true if
   * no more of them are needed for an answer: only then can the job be interrupted. Without `hear` it always can.
   * @param {unknown} job
   * @param {((text: string) => unknown) | null} [hear]
   * @returns {Promise<any>}
   */
  run(job, hear = null) {
    return new Promise((resolve, reject) => {
      if (this.isClosed) {
        reject(new Closed());
        return;
      }
      this.jobs.push({ job, hear, resolve, reject, canEnd: hear === null, mustEnd: false });
      if (this.jobs.length === 1) {
        this.#post();
      }
    });
  }

  #post() {
    if (this.isOver) {
      this.#replace();
    }
    if (this.flag) {
      Atomics.store(this.flag, 0, 0);
    }
    this.worker?.post(this.jobs[0].job);
  }

  /** Ends the present job as soon as there is an answer. Those that wait behind it are not concerned. */
  interrupt() {
    const [current] = this.jobs;
    if (!current) {
      return;
    }
    current.mustEnd = true;
    if (this.flag) {
      Atomics.store(this.flag, 0, 1);
    } else if (current.canEnd) {
      this.worker?.end();
      this.worker = null;
      this.isOver = true;
      this.#end('resolve', INTERRUPTED);
    }
  }

  /** Ends the worker and rejects all jobs. */
  close() {
    this.isClosed = true;
    this.worker?.end();
    this.worker = null;
    for (const { reject } of this.jobs.splice(0)) {
      reject(new Closed());
    }
  }

  #replace() {
    this.worker?.end();
    this.#begin();
  }

  /** @param {'resolve' | 'reject'} how @param {unknown} value */
  #end(how, value) {
    const { [how]: settle } = /** @type {Waiting} */ (this.jobs.shift());
    settle(value);
    if (this.jobs.length > 0) {
      this.#post();
    }
  }

  /** @param {Waiting} current @param {string} text */
  #tell(current, text) {
    try {
      current.canEnd = current.hear === null || current.hear(text) === true || current.canEnd;
    } catch (error) {
      // Nobody is left who could need an answer.
      current.reject(error);
      Object.assign(current, { hear: null, canEnd: true, mustEnd: true });
    }
    if (current.mustEnd && current.canEnd) {
      this.interrupt();
    }
  }

  /** @param {any} message */
  #hear(message) {
    if ('installed' in message) {
      this.weights.set(message.installed, message.bytes);
      return;
    }
    const [current] = this.jobs;
    if (!current) {
      this.isOver ||= 'failed' in message;
      return;
    }
    if ('say' in message) {
      this.#tell(current, message.say);
    } else if ('done' in message) {
      this.#end('resolve', message.done);
    } else {
      // After a panic an instance of the module cannot be used.
      this.#replace();
      this.#end('reject', new Error(message.failed));
    }
  }
}
