// Every function of the package as a page would call it; compiled only.

import five from 'tak-engine/weights/5';
import { Game, init, type Outcome, type Stack, type StoredGame } from 'tak-engine/rules';
import { Closed, TakEngine, type Analysis, type Annotation, type ParsedGame, type Reason, type Report, type Result } from 'tak-engine';

export async function all(): Promise<void> {
  const engine: TakEngine = await TakEngine.start({
    hash: 16,
    wasm: new URL('https://example.org/tak-engine.wasm'),
    weights: [five],
    worker: (options) => new Worker('worker.js', options),
  });
  const game = await engine.play({ size: 6, komi: 2, opening: 'swap', moves: ['a1'] }, 'f6');
  const moves: string[] = game.moves;
  const abort = new AbortController();
  const found: Analysis = await engine.analyse({
    ...game,
    movetime: 100,
    multipv: 2,
    level: 0,
    signal: abort.signal,
    onInfo: (report: Report) => console.log(report.lines[0]?.chances[0], moves.length),
  });
  const best: string | null = found.best;
  const reasons: Reason[] = found.lines[0] ? await engine.reasons(game, found.lines[0]) : [];
  const legal: string[] = await engine.legalMoves({ tps: 'x3/x3/x3 1 1' });
  const result: Result | null = await engine.result(game);
  const { ptn }: { ptn: string; tps: string } = await engine.text(game, { white: 'Ann' });
  const parsed: ParsedGame = await engine.parsePtn(ptn);
  const annotated: Annotation = await engine.annotate(ptn, { nodes: 1000, onProgress: ({ done, total }) => done / total });
  engine.stop();
  engine.close();
  console.log(best, reasons[0]?.squares, legal, result?.winner, parsed.komi, annotated.moves[0]?.comments, Closed);
  await rules(engine);
  // @ts-expect-error: there is no such opening.
  await engine.result({ opening: 'none' });
  // @ts-expect-error: engines are made by `start`.
  new TakEngine();
}

/** Games by the rules, and the way from them to the engine. */
async function rules(engine: TakEngine): Promise<void> {
  await init();
  const game = new Game({ size: 6, komi: 2.5, opening: 'swap', reserves: [[30, 1], [30, 1]], moves: ['a1'] });
  const played: string = game.play('f6');
  const undone: string | null = game.undo();
  const outcome: Outcome | null = game.outcome;
  const stack: Stack | null = game.get('a1');
  const colors: readonly string[] = game.board().flatMap((row) => row.map((each) => each?.color ?? 'none'));
  const stored: StoredGame = game.toJSON();
  const { best }: Analysis = await engine.analyse({ ...game, depth: 2, level: 3, seed: 5 });
  const next: StoredGame = await engine.play(game, 'c3');
  const legal: string[] = await engine.legalMoves(stored);
  const parsed: ParsedGame = await engine.parsePtn(game.toPtn({ Player1: 'Ann' }));
  const again: Game = Game.fromPtn(new Game(parsed).toPtn());
  const svg: string = again.copy().svg({ theme: 'dark', width: 300, flipped: true, moves: game.legalMoves() });
  console.log(played, undone, outcome?.reason, stack?.type, colors, best, svg, `${game}`, again.tags['Player1'], again.note, next, legal);
  // @ts-expect-error: a getter.
  game.turn = 'black';
  // @ts-expect-error: there is no such theme.
  game.svg({ theme: 'pink' });
}
