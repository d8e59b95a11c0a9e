// The way to the explorer: a worker with a module of its own, which is loaded with the first question.

export class Explorer {
  /** @type {Worker | null} */
  #worker = null;
  /** The numbers of the questions that wait for answers, which come in their order. @type {unknown[]} */
  #asked = [];

  /** @param {(answer: string) => void} hear gets the answers as JSON */
  constructor(hear) {
    this.hear = hear;
  }

  /** @param {string} text @param {unknown} id its number */
  ask(text, id) {
    this.#worker ??= this.#start();
    this.#asked.push(id);
    this.#worker.postMessage(text);
  }

  close() {
    this.#worker?.terminate();
    this.#worker = null;
    this.#asked = [];
  }

  #start() {
    const worker = new Worker('tak-engine-explorer.worker.js');
    worker.onmessage = ({ data }) => {
      if (data?.failed) {
        this.#fail(data.failed);
      } else {
        const id = this.#asked.shift();
        this.hear(data ?? JSON.stringify({ id, error: 'invalid question' }));
      }
    };
    worker.onerror = (event) => {
      event.preventDefault();
      this.#fail('its worker cannot be started');
    };
    return worker;
  }

  /** Answers all questions with the reason. The next one starts another worker, without a collection. @param {string} reason */
  #fail(reason) {
    const asked = this.#asked;
    this.close();
    for (const id of asked) {
      this.hear(JSON.stringify({ id, error: `the explorer has failed: ${reason}` }));
    }
  }
}
