"""The engine: answers, limits, Ctrl-C, threads."""

import inspect
import os
import re
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

import tak_engine
from tak_engine import (
    Batch, Engine, EngineTerminatedError, Game, Limit, Move, PovScore, Score, TeiEngine, Wdl, _native, analyse_many,
    index_move
)  # fmt: skip
from tak_engine._engine import MAX_MULTIPV

WON = "x3/1,1,x/2,2,x 1 3"
PROGRAM = os.environ.get("TAK_ENGINE", str(Path(__file__).parents[3] / "target/debug/tak-engine"))


@pytest.fixture
def engine() -> Engine:
    return Engine(hash=4)


def test_answers_have_the_keys_of_python_chess(engine: Engine) -> None:
    game = Game(5)
    game.push("a1")
    info = engine.analyse(game, Limit(depth=4))
    assert info["depth"] == 4 and info["nodes"] > 0 and info["time"] > 0 and info["nps"] > 0
    assert info["score"].turn == "black" and info["score"].white() == -info["score"].relative
    wdl = info["score"].wdl()
    assert wdl.white().wins == wdl.black().losses and sum(vars(wdl.relative).values()) == 1000
    for move in info["pv"]:
        game.push(move)


def test_lines_are_ranked(engine: Engine) -> None:
    infos = engine.analyse(Game(5), Limit(depth=3), multipv=4)
    assert [info["multipv"] for info in infos] == [1, 2, 3, 4]
    scores = [info["score"].relative for info in infos]
    assert scores == sorted(scores, reverse=True)
    assert len({info["pv"][0] for info in infos}) == 4


def test_searches_with_limits_are_repeatable() -> None:
    game = Game(6)
    answers = [Engine(hash=4).analyse(game, Limit(nodes=20_000)) for _ in range(2)]
    assert answers[0]["pv"] == answers[1]["pv"] and answers[0]["nodes"] == answers[1]["nodes"] <= 20_000


def test_a_proven_win(engine: Engine) -> None:
    for info in (engine.analyse(Game(tps=WON), Limit(depth=3)), engine.solve(Game(tps=WON), Limit(nodes=1000))):
        assert info["score"] == PovScore(Score(win=1), "white") and info["solved"]
        assert info["score"].black() == Score(win=-1) and info["pv"] == [Move("c2")]
    assert engine.solve(Game(tps=WON), Limit(nodes=1000), shortest=True)["shortest"]
    assert not engine.solve(Game(6), Limit(nodes=100))["solved"]


def test_a_finished_game_has_no_answer(engine: Engine) -> None:
    game = Game(tps=WON)
    game.push("c2")
    assert engine.analyse(game, Limit(depth=2)) == {} and engine.analyse(game, Limit(depth=2), multipv=2) == []
    assert engine.play(game, Limit(depth=2)).move is None
    assert list(engine.analysis(game, Limit(depth=2))) == []
    assert engine.annotate(game, Limit(nodes=10)).winner == "white"


def test_levels_play_and_need_no_limit() -> None:
    moves = {seed: Engine(level=1, seed=seed).play(Game(6)).move for seed in range(20)}
    assert moves == {seed: Engine(level=1, seed=seed).play(Game(6)).move for seed in range(20)}
    assert len(set(moves.values())) > 3
    # An analysis is at full strength.
    analysed = [Engine(level=level).analyse(Game(5), Limit(depth=5)) for level in (1, None)]
    assert analysed[0]["depth"] == 5 and analysed[0]["pv"] == analysed[1]["pv"]


def test_several_threads_search() -> None:
    info = Engine(threads=2, hash=4).analyse(Game(5), Limit(nodes=20_000))
    assert info["pv"][0] in Game(5).legal_moves


def test_an_analysis_is_read_while_it_runs_and_stopped(engine: Engine) -> None:
    depths = []
    with engine.analysis(Game(6), multipv=2) as analysis:
        for info in analysis:
            depths.append((info["depth"], info["multipv"]))
            if info["depth"] == 4:
                break
        assert len(analysis.multipv) == 2 and analysis.info["multipv"] == 1
    assert depths[:4] == [(1, 1), (1, 2), (2, 1), (2, 2)]
    assert analysis.wait()[0]["depth"] >= 4
    assert next(analysis, None) is None


def test_reasons_are_given_at_the_end(engine: Engine) -> None:
    info = engine.analyse(Game(tps=WON), Limit(depth=2))
    assert info["reasons"][0] == {
        "text": "c2 completes a road.",
        "kind": "road",
        "squares": info["reasons"][0]["squares"],
        "basis": "rules",
    }
    assert sorted(info["reasons"][0]["squares"]) == ["a2", "b2", "c2"]
    assert "reasons" not in next(iter(engine.analysis(Game(6))))


def test_a_search_ends_an_analysis_of_the_same_engine(engine: Engine) -> None:
    analysis = engine.analysis(Game(6))
    assert engine.analyse(Game(tps=WON), Limit(depth=2))["pv"] == [Move("c2")]
    assert analysis.wait()[0]["pv"]
    engine.analysis(Game(6))
    engine.clear()


def test_other_searches_of_an_engine_are_waited_for(engine: Engine) -> None:
    with ThreadPoolExecutor(4) as pool:
        infos = pool.map(lambda _: engine.analyse(Game(6), Limit(nodes=20_000)), range(8))
        assert all(info["nodes"] > 15_000 for info in infos)


def test_only_some_moves_are_searched(engine: Engine) -> None:
    game = Game(tps=WON)
    assert engine.analyse(game, Limit(depth=2), root_moves=[Move("a3")])["pv"][0] == Move("a3")
    assert engine.play(game, Limit(depth=2), root_moves=iter(["a3"])).move == Move("a3")
    infos = engine.analysis(game, Limit(depth=2), 9, root_moves=["a3", "c2"]).wait()
    assert [info["pv"][0] for info in infos] == [Move("c2"), Move("a3")]
    refused: list[tuple[list[Move | str], str]] = [
        (["a9"], "invalid move"), ([Move("a1")], "illegal move a1"), ([], "root_moves are empty")
    ]  # fmt: skip
    for moves, reason in refused:
        with pytest.raises(ValueError, match=reason):
            engine.play(game, Limit(depth=2), root_moves=moves)


@pytest.mark.parametrize(
    "limit",
    [
        Limit(white_clock=0.2, black_clock=10**6),
        Limit(black_clock=0.2),
        Limit(white_clock=0, white_inc=0.2),
        Limit(white_clock=10**6, time=0.1),
        Limit(white_clock=10**6, white_inc=1000, nodes=1000),
        Limit(white_clock=10**6, depth=2),
    ],
    ids=str,
)
def test_the_first_of_clocks_and_other_limits_ends_a_search(limit: Limit, engine: Engine) -> None:
    begun = time.monotonic()
    info = engine.play(Game(6), limit).info
    # With nothing but the great clock it would be many minutes.
    assert info["pv"] and time.monotonic() - begun < 10
    assert limit.nodes is None or info["nodes"] <= limit.nodes


def test_elo_chooses_the_nearest_level() -> None:
    levels = [Engine(elo=elo).level for elo in (0, 317, 364, 366, 1500, 3334)]
    assert levels == [1, 1, 1, 2, 12, 30] and Engine().level is None


def test_a_closed_engine_says_so() -> None:
    with Engine(hash=1) as engine:
        analysis = engine.analysis(Game(6))
    assert analysis.wait()[0]["pv"]
    engine.close()
    for call in (lambda: engine.analyse(Game(), Limit(depth=1)), lambda: engine.play(Game(), Limit(depth=1)), engine.clear):
        with pytest.raises(EngineTerminatedError, match="the engine is closed"):
            call()


def test_defaults_are_those_of_tei_and_of_the_command_line() -> None:
    if not Path(PROGRAM).exists() and "CI" not in os.environ:
        pytest.skip("the program is not built")
    with TeiEngine.popen(PROGRAM) as program:
        tei = program.options
    engine, game = Engine(), Game()
    assert [tei[name].default for name in ("Threads", "Hash", "MultiPV", "Level", "Seed", "Opening", "HalfKomi")] == [
        str(engine.threads), str(engine.hash), "1", "0", "0", game.opening, f"{game.komi:g}"
    ]  # fmt: skip
    assert (tei["Level"].max, tei["Elo"].max) == (_native.MAX_LEVEL, _native.MAX_ELO)
    assert tei["MultiPV"].max == MAX_MULTIPV and program.sizes == [3, 4, 5, 6, 7, 8]
    for name, least, most in (("threads", 0, 257), ("hash", 0, 65_537), ("level", 0, 31), ("elo", -1, 3335)):
        option = tei[name.title()]
        for value in (least, most):
            with pytest.raises(ValueError, match=f"{name} {value} is out of range, expected .* to {option.max}"):
                Engine(**{name: value})
    said = subprocess.run([PROGRAM, "analyse", "--help"], capture_output=True, text=True, check=True).stdout
    # Threads and table are another matter: a command has the machine for itself.
    entries = [" ".join(entry.split()) for entry in re.split(r"\n +(?:-\w, )?--(?=[a-z]+ <)", said)]
    defaults = {entry.split()[0]: entry.partition("[default: ")[2].partition("]")[0] for entry in entries}
    assert defaults["size"] == str(game.size) and defaults["komi"] == f"{game.komi:g}"
    assert defaults["multipv"] == "1" and defaults["level"] == "0" and defaults["opening"].endswith("or swap")
    batch = inspect.signature(analyse_many).parameters["hash"].default
    assert defaults["hash"] == f"256, batch: {batch}" and defaults["threads"] == "all cores"


def test_the_lock_of_python_is_released(engine: Engine) -> None:
    analysis = engine.analysis(Game(6))
    thread = threading.Thread(target=analysis.wait)
    thread.start()
    # The thread waits for an endless search: only without the lock this goes on.
    analysis.stop()
    thread.join(60)
    assert not thread.is_alive()


def test_threads_use_engines_at_once() -> None:
    game = Game(5)
    alone = Engine(hash=1).analyse(game, Limit(nodes=5_000))["pv"]
    shared = Engine(hash=1)
    with ThreadPoolExecutor(8) as pool:
        apart = pool.map(lambda _: Engine(hash=1).analyse(game, Limit(nodes=5_000))["pv"], range(16))
        assert all(pv == alone for pv in apart)
        # One engine for all: they wait for each other.
        assert all(pool.map(lambda _: shared.analyse(game, Limit(nodes=500))["pv"], range(16)))


ENDLESS = {
    "analyse": "engine.analyse(game, Limit(nodes=10**15))",
    "two threads": "Engine(threads=2).analyse(game, Limit(nodes=10**15))",
    "play": "engine.play(game, Limit(time=10**6))",
    "analysis": "engine.analysis(game).wait()",
    "solve": "engine.solve(game, Limit(nodes=10**15))",
    "annotate": "engine.annotate(game, Limit(nodes=10**15))",
    "analyse_many": "analyse_many([game] * 4, Limit(nodes=10**15))",
    "asyncio": "asyncio.run(AsyncEngine(hash=1).analyse(game, Limit(nodes=10**15)))",
    "perft": "game.perft(50)",
    # Long, but not without end: rarely anybody wins by random moves.
    "play_random": "Batch(1000, size=8, seed=1).play_random(), Batch(100_000, size=8, seed=1).play_random()",
    "wait for another": "engine.analyse(game, Limit(nodes=10**15))",
}


@pytest.mark.parametrize("work", ENDLESS)
def test_ctrl_c_ends_endless_work(work: str) -> None:
    before = ""
    if work == "wait for another":
        before = "threading.Thread(target=lambda: engine.analyse(game, Limit(nodes=10**15)), daemon=True).start()"
    script = f"""
import asyncio, os, signal, threading, time
from tak_engine import AsyncEngine, Batch, Engine, Game, Limit, analyse_many
engine, game = Engine(hash=1), Game(6)
# A shell starts programs in the background with this signal ignored.
signal.signal(signal.SIGINT, signal.default_int_handler)
{before}
def interrupt():
    time.sleep(0.3)
    os.kill(os.getpid(), signal.SIGINT)
threading.Thread(target=interrupt).start()
try:
    {ENDLESS[work]}
except KeyboardInterrupt:
    print("interrupted", flush=True)
{"os._exit(0)" if before else 'print(engine.analyse(game, Limit(nodes=10))["nodes"] > 0)'}
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=120)
    assert (done.stdout.split(), done.returncode) == (["interrupted"] + ([] if before else ["True"]), 0), done.stderr


@pytest.mark.skipif(not hasattr(tak_engine._native, "_panic") and "CI" not in os.environ, reason="a release build")
def test_a_panic_is_an_exception() -> None:
    with pytest.raises(RuntimeError, match="internal error in tak_engine: on purpose"):
        getattr(tak_engine._native, "_panic")()


def test_annotated_games(engine: Engine) -> None:
    game = Game.from_ptn('[Size "5"]\n[Player1 "Ann"]\n\n1. c3 e1 2. d2 d3 3. c2 Cb3 4. b2 e3 5. e2 a3 0-R')
    annotated = engine.annotate(game, Limit(nodes=2_000))
    assert [move.move for move in annotated.moves] == game.moves and len(annotated.chances) == 11
    blunder = annotated.moves[8]
    assert blunder.allowed is not None and (blunder.allowed.plies, blunder.allowed.line) == (1, [Move("a3")])
    assert (blunder.turn, blunder.number, blunder.phase) == ("white", 5, "opening")
    assert blunder.score == PovScore(Score(win=-1), "white") and blunder.chance == annotated.chances[9] == 0
    assert annotated.accuracy["black"] is not None and annotated.accuracy["black"] > 50
    assert '[Player1 "Ann"]' in annotated.ptn and "allows a win in 1 ply: a3" in annotated.ptn
    assert Game.from_ptn(annotated.ptn) == game
    assert annotated.moves[9].score.is_solved() and annotated.winner == "black"


def test_annotations_are_those_of_the_program(tmp_path: Path) -> None:
    if not Path(PROGRAM).exists() and "CI" not in os.environ:
        pytest.skip("the program is not built")
    path = tmp_path / "game.ptn"
    path.write_text('[Size "5"]\n[Komi "2"]\n\n1. a1 e5\n2. c3 c5\n3. d3 b4\n4. b3 a5\n5. e3 e1\n6. a3 R-0\n')
    said = subprocess.run([PROGRAM, "annotate", str(path), "--nodes", "2000"], capture_output=True, text=True, check=True)
    ours = Engine.annotate(Game.from_ptn(path.read_text()), Limit(nodes=2000)).ptn

    def moves(text: str) -> list[str]:
        return [re.sub(r"\d+ms", "", line) for line in text.splitlines() if line and line[0] != "["]

    assert moves(ours) == moves(said.stdout)


def test_explained_evaluation_is_for_the_player_to_move() -> None:
    terms = Engine.explain(Game(5, komi=2))
    assert terms["komi"] < 0 and all(isinstance(value, float) for value in terms.values())


def test_many_games_do_not_depend_on_threads() -> None:
    games = [Game(5), Game(tps=WON), Game(4), Game(tps="x3/x,12S,x/x3 1 5")]
    finished = Game(tps=WON)
    finished.push("c2")
    games.append(finished)
    answers = [analyse_many(games, Limit(nodes=2_000), threads, hash=1) for threads in (1, 3)]
    lines = [[info.get("pv") for info in infos] for infos in answers]
    assert lines[0] == lines[1] and lines[0][1] == [Move("c2")] and answers[0][4] == {}
    assert analyse_many([], Limit(depth=1)) == []


@pytest.mark.parametrize(
    "work",
    [
        lambda: Engine(threads=0),
        lambda: Engine(hash=0),
        lambda: Engine(hash=10**9),
        lambda: Engine(level=31),
        lambda: Engine(level=0),
        lambda: Engine(level=1, elo=1000),
        lambda: Engine(seed=-1),
        lambda: Engine(seed=2**64),
        lambda: Limit(nodes=0),
        lambda: Limit(depth=-1),
        lambda: Limit(time=-0.1),
        lambda: Limit(time=float("nan")),
        lambda: Limit(time=float("inf")),
        lambda: Limit(nodes=2**64),
        lambda: Limit(white_clock=-1),
        lambda: Limit(black_inc=float("nan"), black_clock=1),
        lambda: Limit(white_inc=1),
        lambda: Engine().annotate(Game(), Limit(white_clock=1)),
        lambda: analyse_many([Game()], Limit(white_clock=1, nodes=1)),
        lambda: Limit(depth=2**40),
        lambda: Engine().analyse(Game(), Limit()),
        lambda: Engine().play(Game()),
        lambda: Engine().solve(Game(), Limit(depth=3)),
        lambda: Engine().annotate(Game(), Limit()),
        lambda: Engine().analyse(Game(), Limit(depth=1), multipv=0),
        lambda: Engine().analyse(Game(), Limit(depth=1), multipv=65),
        lambda: analyse_many([Game()], Limit()),
        lambda: analyse_many([Game()], Limit(depth=1), threads=0),
        lambda: Score(),
        lambda: Score(cp=1, win=1),
        lambda: Game(size=10**30),
        lambda: Game(reserves=(10**30, 0)),
        lambda: Game(reserves=(-1, 0)),
        lambda: Game().perft(-1),
        lambda: Game().perft(10**30),
        lambda: Game().svg(width=0),
        lambda: Game().to_ptn({"Result": "won {"}),
        lambda: Batch(-1),
        lambda: Batch(10**30),
        lambda: Batch(1, seed=-1),
        lambda: Move("a1").transformed(10**30, 5),
    ],
)
def test_bad_values_are_value_errors(work: Callable[[], object]) -> None:
    with pytest.raises(ValueError):
        work()


# Values of a type that is hidden from type checkers.
WRONG: dict[object, Any] = {"2": "2", 1.5: 1.5, "x5/x5": "x5/x5", "red": "red", Game: Game(5)}


@pytest.mark.parametrize(
    "work",
    [
        lambda: Engine(threads=WRONG["2"]),
        lambda: Engine(hash=WRONG[1.5]),
        lambda: Limit(nodes=WRONG[1.5]),
        lambda: Engine().analyse(WRONG["2"], Limit(depth=1)),
        lambda: Engine().analyse(Game(), Limit(depth=1), multipv=WRONG[1.5]),
        lambda: analyse_many([WRONG[1.5]], Limit(depth=1)),
        lambda: Engine().analyse(Game(), WRONG["2"]),
        lambda: Engine().solve(Game(), WRONG["2"]),
        lambda: Engine().analysis(Game(), WRONG["2"]),
        lambda: Engine(level=1).play(Game(), WRONG["2"]),
        lambda: Engine().play(Game(), Limit(depth=1), root_moves=WRONG["2"]),
        lambda: Engine(elo=WRONG[1.5]),
        lambda: Limit(black_clock=WRONG["2"]),
        lambda: Game().push(WRONG[1.5]),
    ],
)
def test_bad_types_are_type_errors(work: Callable[[], object]) -> None:
    with pytest.raises(TypeError):
        work()


def test_an_index_of_any_size_is_an_index_error() -> None:
    for work in (lambda: index_move(10**30, 5), lambda: Batch(2)[10**30], lambda: Batch(2)[-(2**63)], lambda: Batch(2)[2]):
        with pytest.raises(IndexError):
            work()


def test_scores_are_ordered_and_negated() -> None:
    worst_first = [
        Score(win=0, lost=True), Score(win=-2), Score(win=-4), Score(cp=-5), Score(cp=0), Score(win=5), Score(win=0)
    ]  # fmt: skip
    assert sorted(reversed(worst_first)) == worst_first
    assert [-(-score) for score in worst_first] == worst_first
    assert sorted(-score for score in worst_first) == [-score for score in reversed(worst_first)]
    assert [score.score(1000) for score in worst_first] == [-1000, -998, -996, -5, 0, 995, 1000]
    assert [score.mate() for score in worst_first] == [0, -1, -2, None, None, 3, 0]
    assert -Wdl(1, 2, 997) == Wdl(997, 2, 1)


def test_closing_ends_searches() -> None:
    for closed in (Engine.close, lambda engine: engine.__exit__()):
        engine = Engine(hash=1)
        with ThreadPoolExecutor(3) as pool:
            endless = [pool.submit(engine.analyse, Game(6), Limit(nodes=10**15)) for _ in range(3)]
            time.sleep(0.3)
            closed(engine)
            assert any(search.result(20) for search in endless)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork")
def test_a_fork_does_not_wait_for_threads_of_its_parent() -> None:
    script = f"""
import os, sys
from tak_engine import Engine, Game, Limit, TeiEngine
idle, busy, many = Engine(hash=1), Engine(hash=1), Engine(2, 1)
analysis, limit = busy.analysis(Game(6)), Limit(depth=2)
calls = [analysis.wait, lambda: busy.analyse(Game(5), limit), lambda: many.analyse(Game(5), limit)]
if os.path.exists({PROGRAM!r}):
    other = TeiEngine.popen({PROGRAM!r})
    reports = other.analysis(Game(6))
    calls += [lambda: other.analyse(Game(5), limit), lambda: next(reports), lambda: other.configure({{}})]
sys.stdout.flush()
if os.fork() == 0:
    for call in calls:
        try:
            call()
        except RuntimeError as error:
            print("fork" in str(error), flush=True)
    print(len(idle.analyse(Game(5), limit)["pv"]) > 0, flush=True)
    if len(calls) > 3:
        other.close()
    os._exit(0)
os.wait()
analysis.stop()
print(len(calls) == 3 or len(other.analyse(Game(5), limit)["pv"]) > 0)
"""
    done = subprocess.run([sys.executable, "-W", "ignore", "-c", script], capture_output=True, text=True, timeout=60)
    assert set(done.stdout.split()) == {"True"} and done.stdout.count("True") in (5, 8), done


def test_wrong_arguments_are_named() -> None:
    any_engine: Any = TeiEngine
    calls: list[tuple[Callable[[], object], type[Exception], str]] = [
        (lambda: analyse_many(WRONG[Game], Limit(depth=1)), TypeError, "games must be a list of games, not Game"),
        (lambda: list(WRONG[Game]), TypeError, "not iterable"),
        (lambda: "a1" in WRONG[Game], TypeError, "not a container"),
        (lambda: Game(WRONG["x5/x5"]), TypeError, "size must be .*Game takes a position as tps="),
        (lambda: Game(5)["i1"], ValueError, '"i1" is no square of a 5x5 board'),
        (lambda: Batch(2).step("abc"), TypeError, "moves must be"),
        (lambda: any_engine.popen("x", stderr="x"), TypeError, "stderr must be"),
        (lambda: any_engine.popen("x", timeout="x"), TypeError, "timeout must be"),
        (lambda: any_engine.popen("x", timeout=float("nan")), ValueError, "timeout nan is out of range"),
        (lambda: any_engine.popen("x", timeout=-1), ValueError, "timeout -1 is out of range"),
        (lambda: any_engine.popen(5), TypeError, "command must be"),
        (lambda: Wdl(1, 2, 3), ValueError, "sum 1000"),
        (lambda: PovScore(Score(cp=1), WRONG["red"]), ValueError, "unknown player 'red'"),
        (lambda: PovScore(Score(cp=1), "white").pov(WRONG["red"]), ValueError, "unknown player 'red'"),
        (lambda: Limit(depth=True), TypeError, "depth must be a whole number"),
        (lambda: Limit(time=True), TypeError, "time must be a number"),
    ]
    for call, kind, reason in calls:
        with pytest.raises(kind, match=reason):
            call()
