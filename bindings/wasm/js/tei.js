// TEI for a page: lines in, lines out. A worker searches; what comes meanwhile is answered here.

import { INTERRUPTED, Searcher } from './searcher.js';

const COMMANDS = 'tei isready setoption teinewgame position go stop quit show d help'.split(' ');
/** Lines that end a search, as they do in the program. */
const ENDING = ['stop', 'position', 'teinewgame', 'setoption', 'go', 'quit'];
/** Lines that a fresh worker has to know. */
const REMEMBERED = ['position', 'teinewgame', 'setoption'];
const LONGEST_ERROR = 240;

/** The command of a line: its first word, or the second if only that is one. */
function commandOf(line) {
  const [first = '', second = ''] = line.trim().split(/\s+/, 2);
  return !COMMANDS.includes(first) && COMMANDS.includes(second) ? second : first;
}

function errorLine(reason) {
  const text = reason.replace(/[^ -~]+/g, ' ').slice(0, LONGEST_ERROR);
  return `info error ${text}`;
}

export class Tei {
  /**
   * @param platform see `Searcher`
   * @param {Promise<WebAssembly.Module>} module
   * @param {(line: string) => void} say gets one line at a time
   * @param {() => void} close is called after `quit`
   * @param {import('./folder.js').Files?} files see `Searcher`
   */
  constructor(platform, module, say, close, files = null) {
    this.say = say;
    this.close = close;
    this.queue = ['tei'];
    /** What a fresh worker has to be sent first. */
    this.log = [];
    /** The first move of the last line of play that the search reported, and whether it has given its answer. */
    this.search = null;
    /** The answer to a search without limits waits for `stop`. */
    this.isHeld = false;
    this.isBusy = true;
    /** The answer to all lines if the engine cannot be loaded. */
    this.fault = null;
    this.#load(platform, module, files);
  }

  async #load(platform, module, files) {
    try {
      this.searcher = new Searcher(platform, await module, files);
    } catch (error) {
      this.fault = errorLine(`the engine cannot be loaded: ${error.message}`);
      this.queue.splice(0).forEach((line) => this.#take(line));
      return;
    }
    this.isBusy = false;
    this.#proceed();
  }

  /** Takes a message of the page: one line, or several. */
  receive(message) {
    if (typeof message !== 'string') {
      this.say(errorLine('a message must be a text'));
      return;
    }
    for (const line of message.split('\n')) {
      this.#take(line);
    }
  }

  #take(line) {
    const command = commandOf(line);
    if (command === '') {
      return;
    }
    if (this.fault) {
      command === 'quit' ? this.close() : this.say(this.fault);
      return;
    }
    const isEnding = this.queue.some((waiting) => ENDING.includes(commandOf(waiting)));
    if (this.search && command === 'isready' && !isEnding) {
      this.search.ready += 1;
      this.#answerReady();
      return;
    }
    this.queue.push(line);
    if (this.search && ENDING.includes(command)) {
      this.#interrupt();
    }
    this.#proceed();
  }

  /** Only when the search has begun, so that what was wrong with its line comes first. */
  #answerReady() {
    for (; this.search.hasBegun && this.search.ready > 0; this.search.ready -= 1) {
      this.say('readyok');
    }
  }

  #interrupt() {
    if (!this.search.isAnswered) {
      this.searcher.interrupt();
    }
  }

  /** Obeys the lines that wait, one by one. */
  async #proceed() {
    if (this.isBusy) {
      return;
    }
    this.isBusy = true;
    while (this.queue.length > 0) {
      const line = this.queue.shift();
      const command = commandOf(line);
      const done = await (command === 'go' ? this.#go(line) : this.#obey(line, command));
      if (done === false) {
        this.searcher.close();
        this.close();
        return;
      }
    }
    this.isBusy = false;
  }

  async #obey(line, command) {
    if (REMEMBERED.includes(command)) {
      this.#remember(line, command);
    }
    try {
      return await this.searcher.run({ do: 'line', text: line }, (text) => this.#pass(text));
    } catch (error) {
      this.say(errorLine(`the engine has failed: ${error.message}`));
      // The next worker must not fail by the same line.
      this.log = this.log.filter((known) => known !== line);
      return this.#remind();
    }
  }

  async #go(line) {
    if (this.isHeld) {
      await this.#obey('stop', 'stop');
    }
    const search = { best: null, isAnswered: false, hasBegun: false, ready: 0 };
    this.search = search;
    const result = this.searcher.run({ do: 'line', text: line }, (text) => {
      this.#pass(text);
      search.hasBegun ||= text.startsWith('info depth ');
      this.#answerReady();
      return this.#note(search, text);
    });
    // Those that came before the search began.
    this.queue.splice(0).forEach((waiting) => this.#take(waiting));
    let done = INTERRUPTED;
    try {
      done = await result;
    } catch (error) {
      this.say(errorLine(`the engine has failed: ${error.message}`));
    }
    search.hasBegun = true;
    this.#answerReady();
    this.search = null;
    this.isHeld = done !== INTERRUPTED && !search.isAnswered;
    if (done === INTERRUPTED) {
      if (!search.isAnswered) {
        this.say(`bestmove ${search.best ?? '--'}`);
      }
      await this.#remind();
    }
  }

  /** Notes what a message says of a search. True if it is enough for an answer. */
  #note(search, message) {
    for (const line of message.split('\n')) {
      search.isAnswered ||= line.startsWith('bestmove ');
      const found = / pv (\S+)/.exec(line);
      if (found && !/ multipv (?!1 )/.test(line)) {
        search.best = found[1];
      }
    }
    return search.best !== null && !search.isAnswered;
  }

  #pass(message) {
    message.split('\n').forEach(this.say);
  }

  /** Of positions only the last counts, and a game without options of its own is over when the next begins. */
  #remember(line, command) {
    if (command !== 'setoption') {
      this.log = this.log.filter((known) => commandOf(known) !== 'position');
    }
    if (command === 'teinewgame' && commandOf(this.log.at(-1) ?? '') === 'teinewgame') {
      this.log.pop();
    }
    this.log.push(line);
  }

  /** Sends a fresh worker all that the last one knew. What it says to that has been said before. */
  async #remind() {
    try {
      for (const line of this.log) {
        await this.searcher.run({ do: 'line', text: line }, () => false);
      }
    } catch {
      this.log = [];
    }
  }
}
