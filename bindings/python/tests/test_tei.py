"""TEI engines: our own program, and scripts that are wrong in one way."""

import gc
import os
import re
import sys
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from tak_engine import Engine, EngineError, EngineTerminatedError, Game, Limit, Move, Option, PovScore, Score, TeiEngine
from tak_engine._tei_protocol import Conversation, TeiSearch

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

    def start(
        on_go: str, greeting: str = "print('teiok')", timeout: float = 20, on_quit: str = "break", stderr: Any = None
    ) -> TeiEngine:
        path = tmp_path / f"engine{len(engines)}.py"
        path.write_text(
            "import sys, time\n"
            "for line in iter(sys.stdin.readline, ''):\n"
            "    words = line.split()\n"
            f"    if words[0] == 'tei': {greeting}\n"
            "    if words[0] == 'isready': print('readyok')\n"
            f"    if words[0] == 'quit': {on_quit}\n"
            f"    if words[0] == 'go': {on_go}\n"
            "    sys.stdout.flush()\n"
        )
        engine = TeiEngine.popen([sys.executable, str(path)], timeout=timeout, stderr=stderr)
        engines.append(engine)
        return engine

    yield start
    for engine in engines:
        engine.quit()


def test_our_program(engine: TeiEngine) -> None:
    assert engine.id["name"] == "tak-engine" and engine.sizes == [3, 4, 5, 6, 7, 8]
    assert engine.options["Threads"] == Option("Threads", "spin", "1", 1, 256)
    assert engine.options["Opening"].var == ["swap", "no-swap", "double-black"]
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
    for game in (Game(6, komi=10.0), Game(6, reserves=(20, 3))):
        assert engine.play(game, Limit(depth=1)).move is not None


def test_options_are_checked_before_any_is_set(engine: TeiEngine) -> None:
    for name, value, reason in [
        ("X", 1, "has no option 'X', only HalfKomi"),
        ("Threads", 1000, "Threads cannot be 1000, only a whole number from 1 to 256"),
        ("Threads", 1.5, "cannot be 1.5"),
        ("Threads", True, "cannot be True"),
        ("Ponder", "yes", "only True or False"),
        ("Clear Hash", 1, "since it is a button"),
        ("WeightsFile", "a\nquit", "only a text of one line"),
        ("MultiPV", 2, "set by the game and the arguments"),
    ]:
        options: Any = {"Level": 1, name: value}
        with pytest.raises(ValueError, match=re.escape(reason)):
            engine.configure(options)
        with pytest.raises(ValueError, match=re.escape(reason)):
            engine.play(Game(5), Limit(depth=1), options=options)
    for wrong in (5, {5: 5}, [1]):
        with pytest.raises(TypeError, match="options must be a dictionary|name of an option must be a text"):
            engine.configure(wrong)  # type: ignore[arg-type]
        with pytest.raises(TypeError, match="options must be a dictionary|name of an option must be a text"):
            engine.play(Game(5), Limit(depth=1), options=wrong)  # type: ignore[arg-type]
    with pytest.raises(TypeError, match="must be a Game, not NoneType"):
        engine.play(None, Limit(depth=1))  # type: ignore[arg-type]
    # The level was never set: at a level there is one report, and no depth of 4.
    assert engine.analyse(Game(5), Limit(depth=4))["depth"] == 4
    engine.configure({"threads": "2", "Ponder": False, "Clear Hash": None})
    # One of a single call.
    moves = {engine.play(Game(6), Limit(time=9), options={"Level": 1, "Seed": seed}).move for seed in range(8)}
    assert len(moves) > 2 and engine.analyse(Game(5), Limit(depth=4))["depth"] == 4


def test_only_some_moves_are_searched(engine: TeiEngine, script: Any) -> None:
    infos = engine.analyse(Game(5), Limit(depth=3), multipv=5, root_moves=["c3", Move("a1")])
    assert {info["pv"][0] for info in infos} == {Move("a1"), Move("c3")}
    with pytest.raises(ValueError, match="only tak-engine is known"):
        script("pass").play(Game(5), Limit(depth=1), root_moves=["c3"])


def test_a_clock_limits_a_search(engine: TeiEngine) -> None:
    begun = time.monotonic()
    game = Game(5)
    game.push("a1")
    assert engine.play(game, Limit(white_clock=10**6, black_clock=0.2, black_inc=0.01)).move is not None
    assert time.monotonic() - begun < 10


def test_an_analysis_is_stopped(engine: TeiEngine) -> None:
    with engine.analysis(Game(6)) as analysis:
        for info in analysis:
            if info["depth"] >= 4:
                break
    assert analysis.wait()[0]["depth"] >= 4
    running = engine.analysis(Game(6))
    assert engine.analyse(Game(tps=WON), Limit(depth=2))["pv"] == [Move("c2")]
    # What came before it was stopped can still be read.
    assert all(info["pv"] for info in running) and next(running, None) is None


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
        with pytest.raises(ValueError, match="the engine has no (option|komi 2, only 0)"):
            engine.play(game, Limit(depth=1))


def told(lines: str = "") -> tuple[Conversation, list[str]]:
    """What is known and sent after an engine has said these lines, without any engine."""
    sent: list[str] = []
    talk = Conversation(sent.append, 1)
    for line in [*lines.splitlines(), "teiok", "option name Late type check default false"]:
        talk.receive(line)
    return talk, sent


def begin(talk: Conversation, game: Game, limit: Limit, **more: Any) -> TeiSearch:
    with pytest.raises(StopIteration) as end:
        next(talk.search(game, limit, **more))
    search = end.value.value
    assert isinstance(search, TeiSearch)
    return search


@pytest.mark.parametrize(
    ("lines", "game", "reason"),
    [
        ("option name HalfKomi type combo default 0 var 0 var 4", Game(6, komi=1), "no komi 1, only 0, 2"),
        ("option name HalfKomi type spin default 0 min -4 max 4", Game(6, komi=2.5), "no komi 2.5, only -2 to 2"),
        ("size 5 6 halfkomi 0 4", Game(6, komi=-1), "no komi -1, only 0, 2"),
        ("size 5 6 halfkomi 0 4", Game(4), "no board of size 4, only 5, 6"),
        ("", Game(5, komi=0.5), "no komi 0.5, only 0"),
        ("option name Flats type spin default 0 min 0 max 30", Game(5, reserves=(31, 1)), "Flats cannot be '31'"),
        ("option name MultiPV type spin default 1 min 1 max 2", Game(5), "MultiPV cannot be '3'"),
    ],
)
def test_nothing_is_sent_that_the_engine_has_not(lines: str, game: Game, reason: str) -> None:
    talk, sent = told(lines)
    running = begin(talk, Game(6), Limit())
    sent.clear()
    with pytest.raises(ValueError, match=reason):
        next(talk.search(game, Limit(depth=1), 3 if "MultiPV" in lines else None))
    assert sent == [] and running.stopped is None


def test_the_words_that_are_sent() -> None:
    with pytest.raises(ValueError, match="no komi 0, only none"):
        next(told("size 5 6 halfkomi")[0].search(Game(5), Limit(depth=1)))
    talk, sent = told(
        "size 5 6\noption name halfkomi type combo default 0 var 0 var 4\noption name Style type combo var a var b\n"
        "option name Skill Level type spin default 9 min 0 max 9\noption name Reset now type button"
    )
    assert "Late" not in talk.options
    game = Game(6, komi=2)
    game.push("a1")
    clocks = Limit(white_clock=60, black_clock=5.5, white_inc=1, black_inc=0.25, time=2, nodes=9, depth=3)
    search = begin(talk, game, clocks, options={"Skill Level": 3, "reset now": None})
    go = "go wtime 60000 btime 5500 winc 1000 binc 250 movetime 2000 nodes 9 depth 3"
    assert sent == ["setoption name Skill Level value 3", "setoption name halfkomi value 4", "setoption name Reset now",
                    "teinewgame 6", "position startpos moves a1", go]  # fmt: skip
    assert (search.deadline() or 0) - time.monotonic() < 3
    with pytest.raises(ValueError, match="Style has no default to go back to"):
        next(talk.search(game, clocks, options={"Style": "a"}))
    for line in ("info depth 1 pv b2", "info multipv 3 pv b2", "bestmove b2", "bestmove c3", "info depth 2 pv b2"):
        talk.receive(line)
    assert search.best == Move("b2") and len(search.reports) == 1
    sent.clear()
    begin(talk, Game(5), Limit())
    assert sent == ["setoption name halfkomi value 0", "setoption name Skill Level value 9", "teinewgame 5",
                    "position startpos", "go infinite"]  # fmt: skip


def test_what_an_engine_says_on_stderr(script: Any, capfd: Any, tmp_path: Path) -> None:
    on_go = "print('first', file=sys.stderr), print('a panic in line 7', file=sys.stderr), sys.exit(101)"
    engine = script(on_go)
    with pytest.raises(EngineTerminatedError, match="ended with code 101: first; a panic in line 7, instead of answering"):
        engine.play(Game(5), Limit(depth=1))
    with pytest.raises(EngineTerminatedError, match="a panic in line 7"):
        engine.play(Game(5), Limit(depth=1))
    assert capfd.readouterr() == ("", "")
    with (tmp_path / "log").open("w") as log:
        with pytest.raises(EngineTerminatedError, match="ended with code 101, instead"):
            script(on_go, stderr=log).play(Game(5), Limit(depth=1))
    assert (tmp_path / "log").read_text().split("\n")[0] == "first"
    many = script("[print(f'line {n}\\x1b[0m', file=sys.stderr) for n in range(99)], sys.exit(101)")
    lines = [f"line {number}\\x1b[0m" for number in (0, 1, 2, 96, 97, 98)]
    with pytest.raises(EngineTerminatedError, match=re.escape("; ".join([*lines[:3], "...", *lines[3:]]))):
        many.play(Game(5), Limit(depth=1))


@pytest.mark.parametrize(
    "noise",
    [
        "b'\\xff\\xfe\\x00 bestmove \\n'",
        "b'info depth 1 pv ' + b'a1 ' * 400_000 + b'\\n'",
        "b'info string ' + b'x' * 3_000_000 + b'\\n'",
        "b'size\\noption\\noption name\\ninfo multipv\\ninfo score\\nid\\n\\n'",
    ],
)
def test_noise_is_skipped(script: Any, noise: str) -> None:
    engine = script(f"sys.stdout.buffer.write({noise}), print('info depth 2 pv b2'), print('bestmove b2')")
    result = engine.play(Game(5), Limit(depth=1))
    assert result.move == Move("b2") and result.info["depth"] == 2


def test_an_engine_that_does_not_quit_is_killed(script: Any) -> None:
    engine = script("print('bestmove a1')", on_quit="time.sleep(600)", timeout=0.5)
    engine.close()
    engine.close()
    calls: list[Callable[[], object]] = [
        lambda: engine.play(Game(5), Limit(depth=1)), lambda: engine.configure({}), lambda: engine.analysis(Game(5))
    ]  # fmt: skip
    for call in calls:
        with pytest.raises(EngineTerminatedError, match="the engine is closed"):
            call()


def test_searches_of_threads_wait_for_each_other(engine: TeiEngine) -> None:
    with ThreadPoolExecutor(4) as pool:
        infos = pool.map(lambda _: engine.analyse(Game(5), Limit(nodes=3_000)), range(8))
        assert all(info["nodes"] > 2_000 for info in infos)


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


def test_a_forgotten_engine_ends() -> None:
    threads = threading.active_count()
    greets = "[(input(), print(answer, flush=True)) for answer in ('teiok', 'readyok')]"
    made = TeiEngine.popen([sys.executable, "-c", f"import time; {greets}; time.sleep(600)"])
    process = made._process._process
    del made
    gc.collect()
    assert process.wait(20) is not None
    while threading.active_count() > threads:
        time.sleep(0.01)
