// The connection to the program: questions and answers over a WebSocket, which reconnects when it is lost.

/** @import { Hello } from './protocol.js' */

import { Lost, Refused } from './model/errors.js';
import { openSocket } from './transport.js';
import { words } from './words.js';

const ANSWER_TIMEOUT_MS = 10000;
const FIRST_WAIT = 250;
const LONGEST_WAIT = 5000;
/** The maximum size of a message in bytes. The program disconnects a client that sends more. */
export const MOST_BYTES = 512 * 1024;

/** @typedef {{do: string, [field: string]: unknown}} Question */

export class Connection extends EventTarget {
  constructor() {
    super();
    this.number = 0;
    /** @type {Map<number, {resolve: (answer: any) => void, reject: (error: Error) => void, timer: number}>} */
    this.waiting = new Map();
    /** @type {Map<number, (answer: any) => void>} */
    this.streams = new Map();
    this.wait = FIRST_WAIT;
    this.timer = 0;
    /** @type {WebSocket | null} */
    this.socket = null;
    /** @type {Hello | null} */
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
    socket.addEventListener('progress', (event) =>
      this.dispatchEvent(new CustomEvent('progress', { detail: /** @type {CustomEvent} */ (event).detail })),
    );
  }

  /** Questions in progress get no more answers. @param {string} reason */
  lose(reason) {
    this.hello = null;
    this.streams.clear();
    for (const { reject, timer } of this.waiting.values()) {
      clearTimeout(timer);
      reject(new Lost(words.connectionLost));
    }
    this.waiting.clear();
    this.dispatchEvent(new CustomEvent('lost', { detail: this.refusal || reason }));
    clearTimeout(this.timer);
    this.timer = window.setTimeout(() => this.connect(), this.wait);
    this.wait = Math.min(this.wait * 2, LONGEST_WAIT);
  }

  /** @param {string} data */
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

  /** @param {Question} question */
  send(question) {
    if (!this.isOpen) {
      throw new Lost(words.notConnected);
    }
    this.number += 1;
    const text = JSON.stringify({ id: this.number, ...question });
    // A character has at most three bytes.
    if (text.length > MOST_BYTES / 3 && new Blob([text]).size > MOST_BYTES) {
      throw new Refused(words.tooLarge);
    }
    this.socket?.send(text);
    return this.number;
  }

  /**
   * Sends a question and resolves to the answer.
   * @param {Question} question
   * @returns {Promise<any>}
   */
  async ask(question) {
    const id = this.send(question);
    return new Promise((resolve, reject) => {
      // A broken connection is not always detected.
      const timer = window.setTimeout(() => this.socket?.close(), ANSWER_TIMEOUT_MS);
      this.waiting.set(id, { resolve, reject, timer });
    });
  }

  /**
   * Sends a question with several answers. Returns a function that ends the listening.
   * @param {Question} question
   * @param {(answer: any) => void} heard
   */
  listen(question, heard) {
    const id = this.send(question);
    this.streams.set(id, heard);
    return () => {
      this.streams.delete(id);
    };
  }

  /**
   * Sends a question with several answers, and resolves to the last one with the last report of the engine.
   * @param {Question} question
   * @returns {Promise<any>}
   */
  listenToEnd(question) {
    return new Promise((resolve, reject) => {
      /** @type {unknown} */
      let report = null;
      let unlisten = () => {};
      const lose = () => reject(new Lost(words.connectionLost));
      this.addEventListener('lost', lose, { once: true });
      unlisten = this.listen(question, (answer) => {
        report = answer.report ?? report;
        if ('error' in answer || (this.hello && this.hello.questions[question.do].answer in answer)) {
          unlisten();
          this.removeEventListener('lost', lose);
          if ('error' in answer) {
            reject(new Refused(answer.error));
          } else {
            resolve({ ...answer, report });
          }
        }
      });
    });
  }
}
