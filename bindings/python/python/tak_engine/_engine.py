"""The engine of this package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeVar, overload

from . import _native
from ._analysis import Analysis, AsyncAnalysis, AsyncReports
from ._annotation import AnnotatedGame, annotated_game
from ._errors import EngineTerminatedError
from ._job import AsyncSearch, Job, Notify
from ._limit import Info, Limit, PlayResult, any_limit, chosen_moves, limited, whole
from ._native import Game, Move
from ._tree import GameTree

MAX_MULTIPV = 64
Moves = Iterable[Move | str]
Result = TypeVar("Result")


class _Engine:
    """What `Engine` and `AsyncEngine` share: arguments, and what becomes of answers."""

    def __init__(
        self,
        threads: int = 1,
        hash: int = 64,
        level: int | None = None,
        seed: int = 0,
        *,
        elo: int | None = None,
    ) -> None:
        if elo is not None:
            if level is not None:
                raise ValueError("level and elo cannot be combined")
            level = _native.level_of_elo(whole("elo", elo, 0, _native.MAX_ELO))
        self.threads = whole("threads", threads, 1, 256)
        self.hash = whole("hash", hash, 1, 65_536)
        self.level = None if level is None else whole("level", level, 1, _native.MAX_LEVEL)
        self._engine: _native.Engine | None = _native.Engine(
            self.threads, self.hash, self.level, whole("seed", seed, 0, 2**64 - 1)
        )

    def __repr__(self) -> str:
        return f"{type(self).__name__}(threads={self.threads}, hash={self.hash}, level={self.level})"

    @staticmethod
    def explain(game: Game) -> dict[str, float]:
        """The static evaluation of the position term by term, in centiflats for the player to move.

        >>> terms = Engine.explain(Game(tps="x5/x5/x2,1,x2/x5/2,x4 1 2"))
        >>> "groups" in terms
        True
        """
        return _native.explain(game)

    def clear(self) -> None:
        """Forgets what was learned from earlier searches, and stops an analysis."""
        self._open().clear()

    def _open(self) -> _native.Engine:
        if self._engine is None:
            raise EngineTerminatedError("the engine is closed")
        return self._engine

    def _close(self) -> None:
        if self._engine is not None:
            self._engine.stop()
        self._engine = None

    def _search(
        self,
        game: Game,
        limit: Limit,
        task: Literal["analyse", "analysis", "play", "solve", "shortest"],
        finish: Callable[[list[Info]], Result],
        multipv: int | None = None,
        root_moves: Moves | None = None,
    ) -> Job[list[Info], Result]:
        lines = 1 if multipv is None else whole("multipv", multipv, 1, MAX_MULTIPV)
        moves = chosen_moves(game, root_moves)
        return Job(partial(self._open().start, game, limit, task, lines, moves), finish)

    def _analyse(
        self, game: Game, limit: Limit, multipv: int | None, root_moves: Moves | None
    ) -> Job[list[Info], Info | list[Info]]:
        finish: Callable[[list[Info]], Info | list[Info]] = first if multipv is None else list
        return self._search(game, limited(limit), "analyse", finish, multipv, root_moves)

    def _analysis(
        self, game: Game, limit: Limit | None, multipv: int | None, root_moves: Moves | None
    ) -> Job[list[Info], list[Info]]:
        return self._search(game, any_limit(limit), "analysis", list, multipv, root_moves)

    def _play(self, game: Game, limit: Limit | None, root_moves: Moves | None) -> Job[list[Info], PlayResult]:
        limit = limited(limit) if self.level is None else any_limit(limit)
        return self._search(game, limit, "play", played, root_moves=root_moves)

    def _solve(self, game: Game, limit: Limit, shortest: bool) -> Job[list[Info], Info]:
        if limited(limit).time is None and limit.nodes is None and not limit.has_clock():
            raise ValueError("the limit has neither time nor nodes")
        return self._search(game, limit, "shortest" if shortest else "solve", first)

    @staticmethod
    def _annotate(game: Game | GameTree, limit: Limit) -> Job[dict[str, Any], AnnotatedGame]:
        game = game.to_game() if isinstance(game, GameTree) else game
        return Job(partial(_native.annotate_game, game, of_a_position(limit)), annotated_game)


class Engine(_Engine):
    """The engine.

    `threads` are search threads; with one of them, and limits other than time, searches are repeatable. `hash` is the
    size of its table in MiB. `level` is the strength of `play`: 1, that of a first game, to 30; None is full strength.
    `elo` chooses the level of the nearest Elo, 0 to 3334, on the scale of docs/strength.md, on which 0 is a player who
    places flats at random; levels begin at 317. `seed` determines the random choices of a level.

    Searches release Python's lock, and Ctrl-C stops them. One engine runs one search at a time: further ones wait,
    but an `analysis` is stopped. Use one engine a thread to search at once. A `with` block closes the engine.

    >>> engine = Engine(hash=1)
    >>> game = Game(tps="x3/1,1,x/2,2,x 1 3")
    >>> info = engine.analyse(game, Limit(depth=3))
    >>> info["pv"], info["score"].white(), info["score"].wdl().white()
    ([Move("c2")], Score(win=1), Wdl(wins=1000, draws=0, losses=0))
    >>> engine.play(game, Limit(nodes=100)).move
    Move("c2")
    >>> Engine(elo=1500)
    Engine(threads=1, hash=64, level=12)
    """

    @overload
    def analyse(
        self, game: Game, limit: Limit, multipv: None = None, *, root_moves: Moves | None = None
    ) -> Info: ...

    @overload
    def analyse(self, game: Game, limit: Limit, multipv: int, *, root_moves: Moves | None = None) -> list[Info]: ...

    def analyse(
        self, game: Game, limit: Limit, multipv: int | None = None, *, root_moves: Moves | None = None
    ) -> Info | list[Info]:
        """Searches the position at full strength.

        Returns the `Info` of the best line, or a list of the `multipv` best lines. It is empty if the game is over.
        `root_moves` are the only moves to search. Raises ValueError for a limit without any value.

        >>> game = Game(tps="x3/1,1,x/2,2,x 1 3")
        >>> [str(info["pv"][0]) for info in Engine(hash=1).analyse(game, Limit(depth=2), multipv=2)]
        ['c2', 'c1']
        >>> Engine(hash=1).analyse(game, Limit(depth=2), root_moves=["a3", "c1"])["pv"][0]
        Move("c1")
        """
        return self._analyse(game, limit, multipv, root_moves).wait()

    def analysis(
        self,
        game: Game,
        limit: Limit | None = None,
        multipv: int | None = None,
        *,
        root_moves: Moves | None = None,
    ) -> Analysis:
        """Begins a search at full strength and returns at once. Without a limit it runs until it is stopped, or until
        the result is known.

        >>> with Engine(hash=1).analysis(Game(size=5)) as analysis:
        ...     for info in analysis:
        ...         if info["depth"] >= 3:
        ...             break
        >>> analysis.info["depth"]
        3
        """
        return Analysis(self._analysis(game, limit, multipv, root_moves).start(None))

    def play(self, game: Game, limit: Limit | None = None, *, root_moves: Moves | None = None) -> PlayResult:
        """The move to play at the level of this engine. A level needs no limit.

        >>> Engine(level=3, seed=7).play(Game(size=5)).move is not None
        True
        """
        return self._play(game, limit, root_moves).wait()

    def solve(self, game: Game, limit: Limit, shortest: bool = False) -> Info:
        """Proves who wins, if that takes no more than the limit; `solved` then is true in the answer. If `shortest` is
        true, the result is proven in the fewest plies, which takes far longer. A limit of depth is ignored.

        >>> info = Engine(hash=1).solve(Game(tps="x3/1,1,x/2,2,x 1 3"), Limit(nodes=10_000))
        >>> info["solved"], info["score"].relative
        (True, Score(win=1))
        """
        return self._solve(game, limit, shortest).wait()

    @staticmethod
    def annotate(game: Game | GameTree, limit: Limit) -> AnnotatedGame:
        """Looks at every position of the game within `limit` each, and judges every move, as the command `tak-engine
        annotate` does: with a table that depends on the limit only. Comments, marks and variations stay.

        >>> game = Game.from_ptn('[Size "5"] 1. c3 e1 2. d2 d3 3. c2 Cb3 4. b2 e3 5. e2 a3')
        >>> annotated = Engine.annotate(game, Limit(nodes=2_000))
        >>> annotated.winner, annotated.moves[8].move, annotated.moves[8].allowed
        ('black', Move("e2"), ForcedWin(plies=1, line=[Move("a3")]))
        """
        return Engine._annotate(game, limit).wait()

    def close(self) -> None:
        """Stops searches, which answer with what they have found, and frees the memory. Later calls raise
        EngineTerminatedError."""
        self._close()

    def __enter__(self) -> Engine:
        return self

    def __exit__(self, *error: Any) -> None:
        self._close()


class AsyncEngine(_Engine):
    """The engine for asyncio: an `Engine` whose searches are awaited. The event loop keeps running. A search ends
    within milliseconds if its task is cancelled. `async with` closes the engine.

    >>> async def main():
    ...     async with AsyncEngine(hash=1) as engine:
    ...         info = await engine.analyse(Game(tps="x3/1,1,x/2,2,x 1 3"), Limit(depth=3))
    ...         try:
    ...             await asyncio.wait_for(engine.analyse(Game(6), Limit(time=3600)), timeout=0.1)
    ...         except asyncio.TimeoutError:
    ...             return info["pv"]
    >>> import asyncio
    >>> asyncio.run(main())
    [Move("c2")]
    """

    @overload
    async def analyse(
        self, game: Game, limit: Limit, multipv: None = None, *, root_moves: Moves | None = None
    ) -> Info: ...

    @overload
    async def analyse(
        self, game: Game, limit: Limit, multipv: int, *, root_moves: Moves | None = None
    ) -> list[Info]: ...

    async def analyse(
        self, game: Game, limit: Limit, multipv: int | None = None, *, root_moves: Moves | None = None
    ) -> Info | list[Info]:
        """Searches the position, see `Engine.analyse`."""
        return await self._analyse(game, limit, multipv, root_moves).awaited()

    def analysis(
        self,
        game: Game,
        limit: Limit | None = None,
        multipv: int | None = None,
        *,
        root_moves: Moves | None = None,
    ) -> AsyncAnalysis:
        """A search for `async for` or `async with`, see `Engine.analysis`."""
        job = self._analysis(game, limit, multipv, root_moves)

        async def begin() -> AsyncReports:
            return AsyncSearch(job.start)

        return AsyncAnalysis(begin)

    async def play(self, game: Game, limit: Limit | None = None, *, root_moves: Moves | None = None) -> PlayResult:
        """The move to play at the level of this engine, see `Engine.play`."""
        return await self._play(game, limit, root_moves).awaited()

    async def solve(self, game: Game, limit: Limit, shortest: bool = False) -> Info:
        """Proves who wins, see `Engine.solve`."""
        return await self._solve(game, limit, shortest).awaited()

    @staticmethod
    async def annotate(game: Game | GameTree, limit: Limit) -> AnnotatedGame:
        """Judges every move of the game, see `Engine.annotate`."""
        return await AsyncEngine._annotate(game, limit).awaited()

    async def close(self) -> None:
        """Stops searches and frees the memory, see `Engine.close`."""
        self._close()

    async def __aenter__(self) -> AsyncEngine:
        return self

    async def __aexit__(self, *error: Any) -> None:
        self._close()


def first(lines: list[Info]) -> Info:
    """The best line, if there is any."""
    return lines[0] if lines else Info()


def played(lines: list[Info]) -> PlayResult:
    """The move of the best line."""
    info = first(lines)
    return PlayResult(info["pv"][0] if info.get("pv") else None, info)


def of_a_position(limit: Limit) -> Limit:
    """A limit for each of many positions, which have no clock."""
    if limited(limit).has_clock():
        raise ValueError("a clock is for one move of a game: give a time, nodes or a depth")
    return limit


def analyse_many(games: Iterable[Game], limit: Limit, threads: int | None = None, hash: int = 16) -> list[Info]:
    """Searches the position of every game, one on each of `threads` threads (all processors by default), each with a
    table of `hash` MiB. The answers are in the order of the games; that of a game that is over is empty. With a limit
    of nodes or depth they do not depend on the number of threads.

    >>> infos = analyse_many([Game(size=4), Game(tps="x3/1,1,x/2,2,x 1 3")], Limit(nodes=500), hash=1)
    >>> infos[1]["pv"]
    [Move("c2")]
    """
    if isinstance(games, Game) or not isinstance(games, Iterable):
        raise TypeError(f"games must be a list of games, not {type(games).__name__}")
    threads = whole("threads", (os.cpu_count() or 1) if threads is None else threads, 1, 1024)
    search = _native.analyse_many(list(games), of_a_position(limit), threads, whole("hash", hash, 1, 65_536))
    return [first(lines) for lines in search.result()]
