"""The engine of this package."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal, overload

from . import _native
from ._analysis import Analysis
from ._limit import Info, Limit, PlayResult
from ._native import Game, Move
from ._score import Color, PovScore


@dataclass(frozen=True)
class ForcedWin:
    """A win that can be forced."""

    plies: int
    """Plies until the end of the game."""
    line: list[Move]
    """The moves that lead to it."""


@dataclass(frozen=True)
class AnnotatedMove:
    """A move of a game and what it did."""

    move: Move
    turn: Color
    """The player who made it."""
    number: int
    """Its number in the game, as PTN counts."""
    phase: str
    """"opening", "middle" or "end"."""
    marks: str
    """The marks that it deserves: ' or '' for a threatened or a forced road, then ??, ?, ! or !!."""
    loss: float
    """The chances that it lost, in points from 0 to 100."""
    score_before: PovScore
    """The score before it with best play, from White's view."""
    score: PovScore
    """The score after it, from White's view."""
    chance: float
    """White's chances after it in percent, between people."""
    best: list[Move]
    """The best line from the position before it."""
    pv: list[Move]
    """The best line from the position after it."""
    missed: ForcedWin | None
    """The player had this forced win and let it go."""
    allowed: ForcedWin | None
    """The player ran into this forced win of the opponent."""
    avoided: ForcedWin | None
    """The player avoided this forced win of the opponent, which every other move would have allowed."""


@dataclass(frozen=True)
class AnnotatedGame:
    """A game with the engine's judgement of each move."""

    moves: list[AnnotatedMove]
    chances: list[float]
    """White's chances in percent, between people: at the start, and after each move."""
    accuracy: dict[Color, float | None]
    """From 0 to 100 for each player; None without a move."""
    decisive: int | None
    """The index of the move that decided the game."""
    winner: Color | None
    ptn: str
    """The game as PTN with marks and comments, as the command `tak-engine annotate` writes it."""


def _forced(found: tuple[int, list[Move]] | None) -> ForcedWin | None:
    return None if found is None else ForcedWin(*found)


def _annotated(found: dict[str, Any]) -> AnnotatedGame:
    moves = []
    for ply in found["plies"]:
        (score, chance), pv = ply["after"]
        moves.append(
            AnnotatedMove(
                **{name: ply[name] for name in ("move", "turn", "number", "phase", "marks", "loss", "best")},
                score_before=ply["before"][0],
                score=score,
                chance=chance,
                pv=pv,
                missed=_forced(ply["missed"]),
                allowed=_forced(ply["allowed"]),
                avoided=_forced(ply["avoided"]),
            )
        )
    (_, first), _ = found["start"]
    white, black = found["accuracy"]
    return AnnotatedGame(
        moves=moves,
        chances=[first, *(move.chance for move in moves)],
        accuracy={"white": white, "black": black},
        decisive=found["decisive"],
        winner=found["winner"],
        ptn=found["ptn"],
    )


def _whole(name: str, value: int, least: int, most: int) -> int:
    if not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number")
    if not least <= value <= most:
        raise ValueError(f"{name} {value} is out of range, expected {least} to {most}")
    return value


MAX_MULTIPV = 64


class Engine:
    """The engine.

    `threads` are search threads; with one of them, and limits other than time, searches are repeatable. `hash` is the
    size of its table in MiB. `level` is the strength of `play`: 1, that of a first game, to 30; None is full strength.
    `seed` determines the random choices of a level.

    Searches release Python's lock, and Ctrl-C stops them. One engine runs one search at a time: further ones wait,
    but an `analysis` is stopped. Use one engine a thread to search at once.

    >>> engine = Engine(hash=1)
    >>> game = Game(tps="x3/1,1,x/2,2,x 1 3")
    >>> info = engine.analyse(game, Limit(depth=3))
    >>> info["pv"], info["score"].white(), info["score"].wdl().white()
    ([Move("c2")], Score(win=1), Wdl(wins=1000, draws=0, losses=0))
    >>> engine.play(game, Limit(nodes=100)).move
    Move("c2")
    """

    def __init__(self, threads: int = 1, hash: int = 64, level: int | None = None, seed: int = 0) -> None:
        _whole("threads", threads, 1, 256)
        _whole("hash", hash, 1, 65_536)
        if level is not None:
            _whole("level", level, 1, _native.MAX_LEVEL)
        _whole("seed", seed, 0, 2**64 - 1)
        self.threads = threads
        self.hash = hash
        self.level = level
        self._engine = _native.Engine(threads, hash, level, seed)

    def __repr__(self) -> str:
        return f"Engine(threads={self.threads}, hash={self.hash}, level={self.level})"

    @overload
    def analyse(self, game: Game, limit: Limit, multipv: None = None) -> Info: ...

    @overload
    def analyse(self, game: Game, limit: Limit, multipv: int) -> list[Info]: ...

    def analyse(self, game: Game, limit: Limit, multipv: int | None = None) -> Info | list[Info]:
        """Searches the position at full strength.

        Returns the `Info` of the best line, or a list of the `multipv` best lines. It is empty if the game is over.
        Raises ValueError for a limit without any value.

        >>> game = Game(tps="x3/1,1,x/2,2,x 1 3")
        >>> [str(info["pv"][0]) for info in Engine(hash=1).analyse(game, Limit(depth=2), multipv=2)]
        ['c2', 'c1']
        """
        lines = self._start(game, _limited(limit), "analyse", multipv).result()
        return lines if multipv is not None else _first(lines)

    def analysis(self, game: Game, limit: Limit | None = None, multipv: int | None = None) -> Analysis:
        """Begins a search at full strength and returns at once. Without a limit it runs until it is stopped, or until
        the result is known.

        >>> with Engine(hash=1).analysis(Game(size=5)) as analysis:
        ...     for info in analysis:
        ...         if info["depth"] >= 3:
        ...             break
        >>> analysis.info["depth"]
        3
        """
        return Analysis(self._start(game, limit or Limit(), "analysis", multipv))

    def play(self, game: Game, limit: Limit | None = None) -> PlayResult:
        """The move to play at the level of this engine. A level needs no limit.

        >>> Engine(level=3, seed=7).play(Game(size=5)).move is not None
        True
        """
        limit = (limit or Limit()) if self.level is not None else _limited(limit or Limit())
        info = _first(self._start(game, limit, "play", None).result())
        return PlayResult(info["pv"][0] if info.get("pv") else None, info)

    def solve(self, game: Game, limit: Limit, shortest: bool = False) -> Info:
        """Proves who wins, if that takes no more than the limit; `solved` then is true in the answer. If `shortest` is
        true, the result is proven in the fewest plies, which takes far longer. A limit of depth is ignored.

        >>> info = Engine(hash=1).solve(Game(tps="x3/1,1,x/2,2,x 1 3"), Limit(nodes=10_000))
        >>> info["solved"], info["score"].relative
        (True, Score(win=1))
        """
        if _limited(limit).time is None and limit.nodes is None:
            raise ValueError("the limit has neither time nor nodes")
        return _first(self._start(game, limit, "shortest" if shortest else "solve", None).result())

    @staticmethod
    def annotate(game: Game, limit: Limit) -> AnnotatedGame:
        """Looks at every position of the game within `limit` each, and judges every move, as the command `tak-engine
        annotate` does: with a table that depends on the limit only.

        >>> game = Game.from_ptn('[Size "5"] 1. c3 e1 2. d2 d3 3. c2 Cb3 4. b2 e3 5. e2 a3')
        >>> annotated = Engine.annotate(game, Limit(nodes=2_000))
        >>> annotated.winner, annotated.moves[8].move, annotated.moves[8].allowed
        ('black', Move("e2"), ForcedWin(plies=1, line=[Move("a3")]))
        """
        return _annotated(_native.annotate_game(game, _limited(limit)))

    @staticmethod
    def explain(game: Game) -> dict[str, float]:
        """The static evaluation of the position term by term, in centiflats for the player to move.

        >>> terms = Engine.explain(Game(tps="x5/x5/x2,1,x2/x5/2,x4 1 2"))
        >>> "groups" in terms
        True
        """
        return _native.explain(game)

    def clear(self) -> None:
        """Forgets what was learned from earlier searches."""
        self._engine.clear()

    def _start(
        self,
        game: Game,
        limit: Limit,
        task: Literal["analyse", "analysis", "play", "solve", "shortest"],
        multipv: int | None,
    ) -> _native.Search:
        lines = 1 if multipv is None else _whole("multipv", multipv, 1, MAX_MULTIPV)
        return self._engine.start(game, limit, task, lines)


def _limited(limit: Limit) -> Limit:
    if not isinstance(limit, Limit):
        raise TypeError(f"the limit must be a Limit, not {type(limit).__name__}")
    if limit.is_empty():
        raise ValueError("the limit is empty: give a time, nodes or a depth")
    return limit


def _first(lines: list[Info]) -> Info:
    return lines[0] if lines else Info()


def analyse_many(games: Iterable[Game], limit: Limit, threads: int | None = None, hash: int = 16) -> list[Info]:
    """Searches the position of every game, one on each of `threads` threads (all processors by default), each with a
    table of `hash` MiB. The answers are in the order of the games; that of a game that is over is empty. With a limit
    of nodes or depth they do not depend on the number of threads.

    >>> infos = analyse_many([Game(size=4), Game(tps="x3/1,1,x/2,2,x 1 3")], Limit(nodes=500), hash=1)
    >>> infos[1]["pv"]
    [Move("c2")]
    """
    threads = (os.cpu_count() or 1) if threads is None else threads
    _whole("threads", threads, 1, 1024)
    _whole("hash", hash, 1, 65_536)
    found = _native.analyse_many(list(games), _limited(limit), threads, hash)
    return [_first(lines) for lines in found]
