"""asyncio: both engines, cancellation, and an event loop that goes on."""

import asyncio
import os
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any, TypeVar

import pytest

from tak_engine import AsyncEngine, AsyncTeiEngine, Engine, EngineError, EngineTerminatedError, Game, Limit, Move

WON = "x3/1,1,x/2,2,x 1 3"
PROGRAM = os.environ.get("TAK_ENGINE", str(Path(__file__).parents[3] / "target/debug/tak-engine"))
FOREVER = Limit(nodes=10**15)
GREETS = "[(input(), print(answer, flush=True)) for answer in ('teiok', 'readyok')]"
T = TypeVar("T")


def run(main: Coroutine[Any, Any, T]) -> T:
    """Runs it with a limit of time, since what fails here may never end."""
    return asyncio.run(asyncio.wait_for(main, 120))


@asynccontextmanager
async def native() -> AsyncIterator[Any]:
    async with AsyncEngine(hash=4) as engine:
        yield engine


@asynccontextmanager
async def tei() -> AsyncIterator[Any]:
    if not Path(PROGRAM).exists() and "CI" not in os.environ:
        pytest.skip("the program is not built")
    async with await AsyncTeiEngine.popen(PROGRAM) as engine:
        yield engine


both = pytest.mark.parametrize("opened", [native, tei])


def busy(engine: Any) -> float:
    """The processor time so far of the process that searches."""
    if isinstance(engine, AsyncEngine):
        return time.process_time()
    fields = Path(f"/proc/{engine._process._process.pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def is_idle(engine: Any) -> bool:
    """Whether the engine comes to rest: half a second with hardly any work. A search would take all of it."""
    for _ in range(20):
        before = busy(engine)
        await asyncio.sleep(0.5)
        if busy(engine) - before < 0.1:
            return True
    return False


@both
def test_answers_are_those_of_the_other_engine(opened: Any) -> None:
    async def main() -> None:
        async with opened() as engine:
            game = Game(5)
            info = await engine.analyse(game, Limit(depth=3))
            assert info["pv"] == Engine(hash=4).analyse(game, Limit(depth=3))["pv"]
            infos = await engine.analyse(game, Limit(depth=2), multipv=3, root_moves=["a1", "c3"])
            assert {str(info["pv"][0]) for info in infos} == {"a1", "c3"}
            assert (await engine.play(Game(tps=WON), Limit(white_clock=5))).move == Move("c2")
            read = [info["depth"] async for info in engine.analysis(game, Limit(depth=3))]
            assert sorted(set(read)) == [1, 2, 3]
            with pytest.raises(ValueError, match="the limit is empty"):
                await engine.analyse(game, Limit())
        with pytest.raises(EngineTerminatedError, match="the engine is closed"):
            await engine.play(game, Limit(depth=1))
        with pytest.raises(EngineTerminatedError, match="the engine is closed"):
            await engine.analysis(game).wait()

    run(main())


def test_proofs_and_annotated_games() -> None:
    game = Game.from_ptn('[Size "5"] 1. c3 e1 2. d2 d3 3. c2 Cb3 4. b2 e3 5. e2 a3')

    async def main() -> None:
        annotated = await AsyncEngine.annotate(game, Limit(nodes=500))
        assert annotated.moves == Engine.annotate(game, Limit(nodes=500)).moves and "3. c2" in annotated.ptn
        engine = AsyncEngine(hash=1)
        assert (await engine.solve(Game(tps=WON), Limit(nodes=1000)))["solved"]
        engine.clear()

    run(main())


CALLS: dict[str, Callable[[Any], Awaitable[Any]]] = {
    "analyse": lambda engine: engine.analyse(Game(6), FOREVER),
    "play": lambda engine: engine.play(Game(6), Limit(time=10**6)),
    "analysis": lambda engine: engine.analysis(Game(6)).wait(),
    "solve": lambda engine: engine.solve(Game(6), FOREVER),
    "annotate": lambda engine: engine.annotate(Game.from_ptn('[Size "6"] 1. a1 f6'), FOREVER),
}


@both
@pytest.mark.parametrize("call", CALLS)
@pytest.mark.skipif(not Path("/proc").exists(), reason="no /proc to look at")
def test_a_cancelled_search_ends(opened: Any, call: str) -> None:
    async def main() -> None:
        async with opened() as engine:
            if not hasattr(engine, call):
                return
            with pytest.raises(asyncio.TimeoutError):
                await asyncio.wait_for(CALLS[call](engine), 0.2)
            task = asyncio.ensure_future(CALLS[call](engine))
            await asyncio.sleep(0.2)
            task.cancel()
            with pytest.raises(asyncio.CancelledError):
                await task
            assert await is_idle(engine)
            assert (await engine.analyse(Game(tps=WON), Limit(depth=2)))["pv"] == [Move("c2")]

    run(main())


@both
def test_the_loop_goes_on_while_engines_search(opened: Any) -> None:
    async def main() -> None:
        async with opened() as engine:
            search = asyncio.ensure_future(engine.analyse(Game(6), Limit(time=1)))
            ticks = 0
            while not search.done():
                await asyncio.sleep(0.01)
                ticks += 1
            assert ticks > 10 and search.result()["pv"]

    run(main())


@both
def test_many_searches_at_once(opened: Any) -> None:
    async def search() -> list[Move]:
        async with opened() as engine:
            # Those of one engine wait for each other.
            infos = await asyncio.gather(*(engine.analyse(Game(5), Limit(nodes=2_000)) for _ in range(5)))
            assert all(1_000 < info["nodes"] <= 2_000 for info in infos)
            cancelled = [asyncio.ensure_future(engine.analyse(Game(5), FOREVER)) for _ in range(3)]
            await asyncio.sleep(0.1)
            for task in cancelled:
                task.cancel()
            await asyncio.wait(cancelled)
            assert all(task.cancelled() for task in cancelled)
            line: list[Move] = (await engine.analyse(Game(5), Limit(nodes=2_000)))["pv"]
            return line

    async def main() -> None:
        assert all(await asyncio.gather(*(search() for _ in range(6))))

    run(main())


@both
def test_an_analysis_is_stopped(opened: Any) -> None:
    async def main() -> None:
        async with opened() as engine:
            async with engine.analysis(Game(6), multipv=2) as analysis:
                async for info in analysis:
                    if info["depth"] == 3:
                        break
            assert (await analysis.wait())[0]["depth"] >= 3 and len(analysis.multipv) == 2
            async for _ in engine.analysis(Game(6)):
                break
            assert await is_idle(engine)
            # Another search ends it, and whoever reads it goes on.
            reader = asyncio.ensure_future(engine.analysis(Game(6)).wait())
            await asyncio.sleep(0.1)
            assert (await engine.play(Game(tps=WON), Limit(depth=2))).move == Move("c2")
            assert (await reader)[0]["pv"]
            unread = engine.analysis(Game(6))
            unread.stop()
            assert await unread.wait() == []

    run(main())


def test_a_loop_ends_at_once_although_an_engine_searches() -> None:
    async def main() -> None:
        searches = [asyncio.ensure_future(AsyncEngine(hash=1).analyse(Game(6), FOREVER)) for _ in range(2)]
        analysis = AsyncEngine(hash=1).analysis(Game(6))
        await analysis.__anext__()
        assert not any(search.done() for search in searches)

    run(main())


def test_a_program_ends_although_an_engine_searches() -> None:
    script = """
import asyncio
from tak_engine import AsyncEngine, Game
async def main():
    global engine, analysis
    engine = AsyncEngine(hash=1)
    analysis = engine.analysis(Game(4))
    await analysis.__anext__()
asyncio.run(main())
"""
    for _ in range(15):
        done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, timeout=60)
        assert (done.returncode, done.stderr) == (0, "")


SCRIPT = """
import sys, time
for line in iter(sys.stdin.readline, ""):
    word = line.split()[0]
    if word == "tei": print("teiok", flush=True)
    if word == "isready": print("readyok", flush=True)
    if word == "go": GO
    if word == "quit": time.sleep(600)
"""


@pytest.mark.parametrize(
    ("go", "reason"),
    [
        ("print('so sad', file=sys.stderr), sys.exit(7)", "ended with code 7: so sad, instead of answering 'go'"),
        ("pass", "does not answer 'go'"),
        ("print('bestmove z9', flush=True)", "the engine's best move is 'z9'"),
        ("print('x' * 3_000_000, flush=True)", "does not answer 'go'"),
    ],
)
def test_engines_that_fail(go: str, reason: str, tmp_path: Path) -> None:
    path = tmp_path / "engine.py"
    path.write_text(SCRIPT.replace("GO", go))

    async def main() -> None:
        # It does not quit, and is killed.
        async with await AsyncTeiEngine.popen([sys.executable, str(path)], timeout=1) as engine:
            with pytest.raises(EngineError, match=reason):
                await engine.play(Game(5), Limit(time=0.01))
        with pytest.raises(EngineError, match="ended with code 0"):
            await AsyncTeiEngine.popen([sys.executable, "-c", "pass"])
        with pytest.raises(OSError):
            await AsyncTeiEngine.popen("/no/such/program")

    run(main())


@both
def test_closing_ends_searches(opened: Any) -> None:
    async def main() -> None:
        async with opened() as engine:
            search = asyncio.ensure_future(engine.analyse(Game(6), FOREVER))
            await asyncio.sleep(0.3)
        await asyncio.wait([search], timeout=20)
        assert search.done() and (search.exception() or search.result()["pv"])

    run(main())


def test_an_engine_belongs_to_its_event_loop() -> None:
    program = f"{GREETS}; input(); input()"
    engine = run(AsyncTeiEngine.popen([sys.executable, "-c", program]))
    for call in (engine.play(Game(5), Limit(depth=1)), engine.configure({}), engine.analysis(Game(5)).wait()):
        with pytest.raises(RuntimeError, match="belongs to another event loop"):
            run(call)
    run(engine.close())
    assert engine._process._process.returncode is not None


def test_the_loop_goes_on_when_an_engine_closes_its_input() -> None:
    program = f"import os, time; {GREETS}; os.close(0); time.sleep(600)"

    async def main() -> None:
        engine = await AsyncTeiEngine.popen([sys.executable, "-c", program])
        await asyncio.sleep(0.5)
        play = asyncio.ensure_future(engine.play(Game(5), Limit(time=60)))
        longest, last = 0.0, time.monotonic()
        while not play.done():
            await asyncio.sleep(0.01)
            longest, last = max(longest, time.monotonic() - last), time.monotonic()
        assert longest < 0.9 and "closed its input" in str(play.exception())
        await engine.close()

    run(main())
