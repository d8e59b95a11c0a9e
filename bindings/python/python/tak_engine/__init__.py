"""Rules, search and analysis for the board game Tak, on boards from 3x3 to 8x8.

>>> game = Game(size=6)
>>> game.push("a1")
>>> engine = Engine()
>>> info = engine.analyse(game, Limit(depth=4))
>>> game.push(info["pv"][0])
>>> game.ply
2

Whoever knows python-chess knows most of it: a `Game` is its board, and an `Engine` answers with the same keys.
"""

from __future__ import annotations

import io
import os
from collections.abc import Iterator
from typing import IO, Any, Literal

from ._analysis import Analysis, AsyncAnalysis
from ._annotation import AnnotatedGame, AnnotatedMove, ForcedWin
from ._engine import AsyncEngine, Engine, analyse_many
from ._errors import EngineError, EngineTerminatedError
from ._limit import Info, Limit, PlayResult, Reason
from ._native import VERSION as __version__
from ._native import Batch, Game, GameReader, Move, Outcome, index_move, move_index, plane_names, policy_size
from ._score import BLACK, WHITE, Color, PovScore, PovWdl, Score, Wdl
from ._tei import AsyncTeiEngine, TeiEngine
from ._tei_protocol import Option
from ._tree import ChildNode, GameNode, GameTree

__all__ = [
    "BLACK",
    "WHITE",
    "AnnotatedGame",
    "AnnotatedMove",
    "Analysis",
    "AsyncAnalysis",
    "AsyncEngine",
    "AsyncTeiEngine",
    "Batch",
    "ChildNode",
    "Color",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "ForcedWin",
    "Game",
    "GameNode",
    "GameTree",
    "Info",
    "Limit",
    "Move",
    "Option",
    "Outcome",
    "PlayResult",
    "PovScore",
    "PovWdl",
    "Reason",
    "Score",
    "TeiEngine",
    "Wdl",
    "__version__",
    "analyse_many",
    "explain",
    "index_move",
    "move_index",
    "plane_names",
    "policy_size",
    "read_game_trees",
    "read_games",
]

explain = Engine.explain


def read_games(
    source: str | os.PathLike[str] | IO[Any], errors: Literal["strict", "ignore"] = "strict"
) -> Iterator[Game]:
    """Reads the games of PTN one after the other. `source` is the path of a file, or a stream of text or bytes, such as
    an open file, `io.StringIO` or `sys.stdin`. A stream is read line by line: a game comes when the next one begins, or
    at the end. Text that is not standard is read too, which one UserWarning a game says.

    A game that cannot be read or played raises ValueError with its line; the games after it can still be read, by
    calling `next` again. With `errors="ignore"` such games are skipped. Raises OSError if there is no such file.

    >>> import io
    >>> [game.result for game in read_games(io.StringIO('[Size "3"] 1. a1 c3 2. c1 a2 3. c2 R-0'))]
    ['R-0']
    """
    if errors not in ("strict", "ignore"):
        raise ValueError(f"unknown errors {errors!r}, expected strict or ignore")
    if isinstance(source, (str, os.PathLike)):
        with open(source, "rb") as file:
            source = io.BytesIO(file.read())
    if not hasattr(source, "readline"):
        raise TypeError(f"source must be a path or a stream, not {type(source).__name__}")
    return GameReader(source, errors == "ignore")


def read_game_trees(
    source: str | os.PathLike[str] | IO[Any], errors: Literal["strict", "ignore"] = "strict"
) -> Iterator[GameTree]:
    """Reads games as `read_games` does, with comments, marks and variations."""
    # A generator would end at a game that cannot be read.
    return map(GameTree, read_games(source, errors))
