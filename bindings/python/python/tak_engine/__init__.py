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

import os
from collections.abc import Iterator
from typing import Literal

from ._analysis import Analysis, AsyncAnalysis
from ._annotation import AnnotatedGame, AnnotatedMove, ForcedWin
from ._engine import AsyncEngine, Engine, analyse_many
from ._errors import EngineError, EngineTerminatedError
from ._limit import Info, Limit, PlayResult, Reason
from ._native import Batch, Game, GameReader, Move, index_move, move_index, plane_names, policy_size
from ._score import BLACK, WHITE, Color, PovScore, PovWdl, Score, Wdl
from ._tei import AsyncTeiEngine, TeiEngine
from ._tei_protocol import Option

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
    "Color",
    "Engine",
    "EngineError",
    "EngineTerminatedError",
    "ForcedWin",
    "Game",
    "Info",
    "Limit",
    "Move",
    "Option",
    "PlayResult",
    "PovScore",
    "PovWdl",
    "Reason",
    "Score",
    "TeiEngine",
    "Wdl",
    "analyse_many",
    "explain",
    "index_move",
    "move_index",
    "plane_names",
    "policy_size",
    "read_games",
]

explain = Engine.explain


def read_games(path: str | os.PathLike[str], errors: Literal["strict", "ignore"] = "strict") -> Iterator[Game]:
    """Reads the games of a PTN file one after the other.

    A game that cannot be read or played raises ValueError with its line; the games after it can still be read, by
    calling `next` again. With `errors="ignore"` such games are skipped. Raises OSError if there is no such file.
    """
    if errors not in ("strict", "ignore"):
        raise ValueError(f"unknown errors {errors!r}, expected strict or ignore")
    with open(path, "rb") as file:
        return GameReader(file.read(), errors == "ignore")
