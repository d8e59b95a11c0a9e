// The engine as an opponent of the page, over TEI.

import { spawn } from 'node:child_process';
import { createInterface } from 'node:readline';

import { program } from './needs.js';

export class TeiEngine {
  /** @param {number} size of the board */
  constructor(size) {
    this.child = spawn(program, ['tei'], { stdio: ['pipe', 'pipe', 'inherit'] });
    this.lines = createInterface(this.child.stdout)[Symbol.asyncIterator]();
    this.child.stdin.write(`tei\nteinewgame ${size}\n`);
  }

  /** The best move after these, of few nodes. @param {string[]} moves */
  async best(moves) {
    this.child.stdin.write(`position startpos moves ${moves.join(' ')}\ngo nodes 20000\n`);
    for (;;) {
      const { value = '', done } = await this.lines.next();
      const [, move] = /^bestmove (\S+)/.exec(value) ?? [];
      if (move || done) {
        return move ?? '';
      }
    }
  }

  quit() {
    this.child.kill();
  }
}
