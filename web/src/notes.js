// The mark and the comment of the move on the board, which can be edited.

const $ = (id) => document.getElementById(id);

/** Numbers of engines, which are in the graph. */
const isEngines = (text) => /^\s*(name:"|cp:|wdl:|score:|[+-]\d)/.test(text);
/** PTN Ninja marks notes with an asterisk, and reads no numbers in them. */
const plain = (text) => text.replace(/^\*/, '');

/** What people have said in comments. */
export const said = (comments = []) => comments.filter((text) => !isEngines(text)).map(plain);

/** The comments with these texts in the place of those that people had written. */
function revised(comments, before, texts) {
  const own = texts.map((text) => before.find((each) => plain(each) === text) ?? (isEngines(text) ? `*${text}` : text));
  return [...own, ...comments.filter((text) => !before.includes(text))];
}

/** The marks with this judgement; those of tak and tinue stay. */
const marked = (marks, judgement) => marks.replace(/[!?]/g, '') + judgement;

/** Stores marks and comments that were changed. */
function store(game) {
  game.tree.version += 1;
  game.store();
  game.keep(game.state);
  game.changed();
}

export class Notes {
  constructor(game, connection) {
    Object.assign(this, { game, connection, node: null });
    $('mark').addEventListener('change', () => this.save());
    $('comment').addEventListener('change', () => this.save());
    addEventListener('pagehide', () => this.save());
  }

  /** What the fields should hold. */
  get stored() {
    const { marks = '' } = this.game.remarksOn(this.node) ?? {};
    return { judgement: marks.replace(/[^!?]/g, ''), text: said(this.node.notes?.comments).join('\n') };
  }

  show() {
    const { path, state: { at } } = this.game;
    const { node } = this;
    if (node !== path[at]) {
      // By wheel the board may leave a move whose comment is being written.
      this.save();
      this.node = path[at];
    } else if (document.activeElement === $('comment')) {
      return;
    }
    const { judgement, text } = this.stored;
    $('mark').value = judgement;
    $('comment').value = text;
    $('mark').disabled = $('comment').disabled = at === 0;
    this.shown = { judgement: $('mark').value, text };
  }

  /** Stores what was changed in the fields. */
  save() {
    const { game, node, shown } = this;
    const [judgement, text] = [$('mark').value, $('comment').value];
    if (!node?.parent || (judgement === shown.judgement && text === shown.text)) {
      return;
    }
    this.shown = { judgement, text };
    // Braces end comments in PTN.
    const texts = text.replaceAll('{', '(').replaceAll('}', ')').split('\n').map((line) => line.trim()).filter(Boolean);
    const { marks = '', comments = [], ...others } = node.notes ?? {};
    const before = comments.filter((each) => !isEngines(each));
    const change = (notes) => {
      const known = { marks: marked(notes.marks ?? '', judgement), comments: revised(notes.comments ?? [], before, texts) };
      return { ...notes, ...known };
    };
    const notes = { ...others, ...change({ marks, comments }) };
    node.notes = notes.marks || notes.comments.length > 0 || Object.keys(others).length > 0 ? notes : null;
    store(game);
    if (game.annotatedNodes()[node.depth] === node) {
      game.do(() => this.annotate(node.depth, change));
    }
  }

  /** Changes the notes of a move in the annotated game too. */
  async annotate(depth, change) {
    const { game, connection } = this;
    const { annotation } = game.state;
    const { found } = await connection.ask({ do: 'read', text: annotation.ptn, like: annotation.start });
    const { moves } = found.lines[0];
    const [move, notes = {}] = [moves[depth - 1]].flat();
    moves[depth - 1] = [move, change(notes)];
    const question = { do: 'write', game: found.game, main: found.game.moves, lines: found.lines, names: found.names };
    const { text: { ptn } } = await connection.ask(question);
    if (game.state.annotation === annotation) {
      const { marks } = moves[depth - 1][1];
      const all = annotation.said.map((each, index) => (index === depth - 1 ? { ...each, marks } : each));
      game.state = { ...game.state, annotation: { ...annotation, ptn, said: all } };
      store(game);
    }
  }
}
