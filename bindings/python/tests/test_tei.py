"""TEI engines: our own program, and scripts that are wrong in one way."""

import os
import sys
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tak_engine import Engine, EngineError, EngineTerminatedError, Game, Limit, Move, PovScore, Score, TeiEngine

WON = "x3/1,1,x/2,2,x 1 3"
PROGRAM = os.environ.get("TAK_ENGINE", str(Path(__file__).parents[3] / "target/debug/tak-engine"))


@pytest.fixture
def engine() -> Iterator[TeiEngine]:
    if not Path(PROGRAM).exists() and "CI" not in os.environ:
        pytest.skip("the program is not built")
    with TeiEngine.popen(PROGRAM) as engine:
        yield engine


@pytest.fixture
def script(tmp_path: Path) -> Iterator[Callable[..., TeiEngine]]:
    """Starts an engine that answers each `go` with these lines, as Python source that may use the words."""
    engines: list[TeiEngine] = []

    def start(on_go: str, greeting: str = "print('teiok')", timeout: float = 20) -> TeiEngine:
        path = tmp_path / f"engine{len(engines)}.py"
        path.write_text(
            "import sys, time\n"
            "for line in iter(sys.stdin.readline, ''):\n"
            "    words = line.split()\n"
            f"    if words[0] == 'tei': {greeting}\n"
            "    if words[0] == 'isready': print('readyok')\n"
            "    if words[0] == 'quit': break\n"
            f"    if words[0] == 'go': {on_go}\n"
            "    sys.stdout.flush()\n"
        )
        engine = TeiEngine.popen([sys.executable, str(path)], timeout=timeout)
        engines.append(engine)
        return engine

    yield start
    for engine in engines:
        engine.quit()


def test_our_program(engine: TeiEngine) -> None:
    assert engine.id["name"] == "tak-engine" and "Threads" in engine.options
    game = Game(tps=WON)
    info = engine.analyse(game, Limit(depth=3))
    assert info["pv"] == [Move("c2")] and info["wdl"].white().wins == 1000
    assert engine.play(game, Limit(time=0.05)).move == Move("c2")
    game.push("c1")
    infos = [player.analyse(game, Limit(depth=4)) for player in (engine, Engine())]
    assert infos[0]["score"] == infos[1]["score"] and infos[0]["pv"] == infos[1]["pv"]
    assert infos[0]["score"].turn == "black" and infos[0]["wdl"] == infos[1]["score"].wdl()


def test_lines_are_ranked(engine: TeiEngine) -> None:
    infos = engine.analyse(Game(5, komi=0.5), Limit(depth=3), multipv=3)
    assert [info["multipv"] for info in infos] == [1, 2, 3]
    assert all(info["depth"] == 3 for info in infos) and len({info["pv"][0] for info in infos}) == 3
    assert engine.analyse(Game(5), Limit(nodes=500))["nodes"] <= 500


def test_the_rules_are_told(engine: TeiEngine) -> None:
    for game in [
        Game(4, komi=2.5, opening="double-black"),
        Game(5, opening="no-swap", reserves=(10, 2)),
        Game(6, komi=-3),
        Game(tps="x3/x,12S,x/x3 2 5"),
    ]:
        for _ in range(3):
            move = engine.play(game, Limit(depth=2)).move
            assert move is not None
            game.push(move)
    with pytest.raises(ValueError, match="no option 'X'"):
        engine.configure({"X": 1})
    engine.configure({"Threads": 2, "Ponder": False})


def test_an_analysis_is_stopped(engine: TeiEngine) -> None:
    with engine.analysis(Game(6)) as analysis:
        for info in analysis:
            if info["depth"] >= 4:
                break
    assert analysis.wait()[0]["depth"] >= 4
    running = engine.analysis(Game(6))
    assert engine.analyse(Game(tps=WON), Limit(depth=2))["pv"] == [Move("c2")]
    assert list(running) == []


def test_a_finished_game_has_no_move(engine: TeiEngine) -> None:
    game = Game(tps=WON)
    game.push("c2")
    assert engine.play(game, Limit(depth=2)).move is None


def test_ctrl_c_stops_a_search(engine: TeiEngine) -> None:
    def interrupt() -> None:
        import signal

        os.kill(os.getpid(), signal.SIGINT)

    threading.Timer(0.3, interrupt).start()
    with pytest.raises(KeyboardInterrupt):
        engine.analyse(Game(6), Limit(nodes=10**15))
    assert engine.analyse(Game(tps=WON), Limit(depth=2))["pv"] == [Move("c2")]


INFO = "info depth 3 nodes x score cp 12 lowerbound foo wdl 1 2 time 5 pv a1 e5 z9 c3"


def test_what_cannot_be_read_is_left_out(script: Any) -> None:
    engine = script(f"print({INFO!r}), print('info string hello'), print('info depth 4 pv zz'), print('bestmove a1')")
    info = engine.analyse(Game(5, komi=0), Limit(depth=1))
    score = PovScore(Score(cp=12), "white")
    expected = {"depth": 3, "score": score, "solved": False, "lowerbound": True, "time": 0.005, "multipv": 1}
    assert info == expected | {"pv": [Move("a1"), Move("e5")]}


@pytest.mark.parametrize(
    ("words", "score"),
    [("solved loss 4", Score(win=-4)), ("win 3", Score(win=3)), ("mate -2", Score(win=-2)), ("cp -7", Score(cp=-7))],
)
def test_scores_of_all_dialects(script: Any, words: str, score: Score) -> None:
    engine = script(f"print('info score {words} pv a1'), print('bestmove a1')")
    assert engine.play(Game(5, komi=0), Limit(depth=1)).info["score"].relative == score


@pytest.mark.parametrize("answer", ["a9", "Ca1", "", "--"])
def test_a_move_that_is_none_is_an_error(script: Any, answer: str) -> None:
    engine = script(f"print('bestmove {answer}')")
    with pytest.raises(EngineError, match="best move is"):
        engine.play(Game(5, komi=0), Limit(depth=1))
    with pytest.raises(EngineError):
        engine.play(Game(5, komi=0), Limit(depth=1))


def test_an_engine_that_ends_is_an_error(script: Any) -> None:
    engine = script("sys.exit(3)")
    with pytest.raises(EngineTerminatedError, match="ended with code 3"):
        engine.play(Game(5, komi=0), Limit(depth=1))
    with pytest.raises(EngineTerminatedError):
        engine.play(Game(5, komi=0), Limit(depth=1))


def test_an_engine_that_is_silent_is_an_error(script: Any) -> None:
    engine = script("time.sleep(60)", timeout=1)
    with pytest.raises(EngineError, match="does not answer 'go'"):
        engine.play(Game(5, komi=0), Limit(time=0.01))
    with pytest.raises(EngineError, match="does not answer 'tei'"):
        script("pass", greeting="time.sleep(60)", timeout=1)


def test_programs_that_are_no_engines() -> None:
    with pytest.raises(OSError):
        TeiEngine.popen("/no/such/program")
    with pytest.raises(EngineTerminatedError):
        TeiEngine.popen([sys.executable, "-c", "print('hello')"])


def test_engines_without_options_do_only_what_is_usual(script: Any) -> None:
    engine = script("print('bestmove a1')")
    assert engine.play(Game(5, komi=0), Limit(depth=1)).move == Move("a1")
    for game in [Game(5, komi=2), Game(5, komi=0, opening="no-swap"), Game(5, komi=0, reserves=(9, 1))]:
        with pytest.raises(ValueError, match="the engine has no option"):
            engine.play(game, Limit(depth=1))


@pytest.mark.parametrize(
    "program", ["import time; time.sleep(60)", "while True: print('x', flush=True)", "while True: print('x' * 10**6, end='')"]
)
def test_programs_that_never_greet_are_given_up(program: str) -> None:
    with pytest.raises(EngineError, match="does not answer 'tei'"):
        TeiEngine.popen([sys.executable, "-c", program], timeout=0.5)


def test_an_engine_that_closes_its_output_has_ended() -> None:
    with pytest.raises(EngineTerminatedError, match="closed its output"):
        TeiEngine.popen([sys.executable, "-c", "import os, time; os.close(1); time.sleep(60)"], timeout=5)
    with pytest.raises(ValueError, match="empty"):
        TeiEngine.popen([])


def test_numbers_out_of_range_are_harmless(script: Callable[..., TeiEngine]) -> None:
    with script(f"print('info multipv 0 pv a1\\ninfo score cp -{'9' * 1000} pv a1\\nbestmove a1')") as engine:
        infos = engine.analyse(Game(5, komi=0), Limit(depth=1), multipv=1)
    assert len(infos) == 1 and infos[0]["score"].wdl().white().losses > 990
    assert str(infos[0]["score"].relative)[0] == "-"
