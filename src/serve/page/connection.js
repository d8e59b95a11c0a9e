// The way to the program: questions with answers, over a WebSocket that is made again whenever it is lost.

const PATIENCE = 10000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
/** What the program takes in one message, in bytes. Whoever sends more is cut off. */
export const MOST_BYTES = 512 * 1024;

/** The program said why it does not do what it was asked. */
export class Refused extends Error {}
/** The program cannot be asked now. */
export class Lost extends Error {}

export class Connection extends EventTarget {
  constructor(address) {
    super();
    this.address = address;
    this.number = 0;
    this.waiting = new Map();
    this.streams = new Map();
    this.wait = FIRST_WAIT;
    this.socket = null;
    this.hello = null;
    /** Why the program does not take this page, in its words. */
    this.refusal = '';
    // A computer that wakes up, or a network that is back, is a reason to try at once.
    addEventListener('online', () => this.connect());
    document.addEventListener('visibilitychange', () => document.hidden || this.connect());
  }

  get isOpen() {
    return this.hello !== null && this.socket?.readyState === WebSocket.OPEN;
  }

  connect() {
    if (this.socket && this.socket.readyState <= WebSocket.OPEN) {
      return;
    }
    clearTimeout(this.timer);
    const socket = new WebSocket(this.address);
    this.socket = socket;
    this.refusal = '';
    socket.addEventListener('message', ({ data }) => this.hear(data));
    socket.addEventListener('close', ({ reason }) => socket === this.socket && this.lose(reason));
  }

  /** What has been asked will not be answered any more. */
  lose(reason) {
    this.hello = null;
    this.streams.clear();
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Lost('the connection to tak-engine is lost'));
    }
    this.waiting.clear();
    this.dispatchEvent(new CustomEvent('lost', { detail: this.refusal || reason }));
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  hear(data) {
    let message;
    try {
      message = JSON.parse(data);
    } catch {
      // The program has no place for us, and says so before it hangs up.
      this.refusal = data.replace('info error ', '');
      return;
    }
    if (message.hello) {
      this.hello = message.hello;
      this.wait = FIRST_WAIT;
      this.dispatchEvent(new CustomEvent('open'));
      return;
    }
    const { id, ...answer } = message;
    this.streams.get(id)?.(answer);
    const question = this.waiting.get(id);
    if (question) {
      clearTimeout(question.timer);
      this.waiting.delete(id);
      if ('error' in answer) {
        question.reject(new Refused(answer.error));
      } else {
        question.resolve(answer);
      }
    }
  }

  send(question) {
    if (!this.isOpen) {
      throw new Lost('tak-engine is not connected');
    }
    this.number += 1;
    const text = JSON.stringify({ id: this.number, ...question });
    if (new Blob([text]).size > MOST_BYTES) {
      throw new Refused('this is too large (at most 512 KiB)');
    }
    this.socket.send(text);
    return this.number;
  }

  /** Asks, and resolves to the answer. */
  async ask(question) {
    const id = this.send(question);
    return new Promise((resolve, reject) => {
      // A connection that no longer leads anywhere is not always noticed.
      const timer = setTimeout(() => this.socket.close(), PATIENCE);
      this.waiting.set(id, { resolve, reject, timer });
    });
  }

  /** Asks something that is answered bit by bit, until nobody listens any more. Returns what ends the listening. */
  listen(question, heard) {
    const id = this.send(question);
    this.streams.set(id, heard);
    return () => this.streams.delete(id);
  }
}
