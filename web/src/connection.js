// The connection to the program: questions and answers over a WebSocket, which reconnects when it is lost.

import { openSocket } from './transport.js';

const PATIENCE = 10000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
/** The maximum size of a message in bytes. The program disconnects a client that sends more. */
export const MOST_BYTES = 512 * 1024;

/** The program refuses a question and gives the reason. */
export class Refused extends Error {}
/** The program is not connected. */
export class Lost extends Error {}

export class Connection extends EventTarget {
  constructor() {
    super();
    this.number = 0;
    this.waiting = new Map();
    this.streams = new Map();
    this.wait = FIRST_WAIT;
    this.socket = null;
    this.hello = null;
    /** The program's reason for refusing this page. */
    this.refusal = '';
    // Reconnects at once if the computer wakes up or the network is back.
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
    const socket = openSocket();
    this.socket = socket;
    this.refusal = '';
    socket.addEventListener('message', ({ data }) => this.hear(data));
    socket.addEventListener('close', ({ reason }) => socket === this.socket && this.lose(reason));
  }

  /** Questions in progress get no more answers. */
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
      // All sessions are in use; the program says so and closes the connection.
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
    // A character has at most three bytes.
    if (text.length > MOST_BYTES / 3 && new Blob([text]).size > MOST_BYTES) {
      throw new Refused('this is too large (at most 512 KiB)');
    }
    this.socket.send(text);
    return this.number;
  }

  /** Sends a question and resolves to the answer. */
  async ask(question) {
    const id = this.send(question);
    return new Promise((resolve, reject) => {
      // A broken connection is not always detected.
      const timer = setTimeout(() => this.socket.close(), PATIENCE);
      this.waiting.set(id, { resolve, reject, timer });
    });
  }

  /** Sends a question with several answers. Returns a function that ends the listening. */
  listen(question, heard) {
    const id = this.send(question);
    this.streams.set(id, heard);
    return () => this.streams.delete(id);
  }
}
