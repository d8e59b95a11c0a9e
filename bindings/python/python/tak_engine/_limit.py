"""Limits of searches, and what searches answer."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TypedDict

from ._native import Move
from ._score import PovScore, PovWdl


@dataclass(frozen=True)
class Limit:
    """Limits of a search; it ends when the first one is reached.

    `time` is in seconds, `nodes` in positions, `depth` in plies. Raises ValueError for values out of range.

    >>> Limit(time=0.5, nodes=1000)
    Limit(time=0.5, nodes=1000, depth=None)
    >>> Limit(depth=0)
    Traceback (most recent call last):
        ...
    ValueError: depth 0 is out of range, expected 1 or more
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None

    def __post_init__(self) -> None:
        if self.time is not None and not (0 <= self.time <= 1e9 and math.isfinite(self.time)):
            raise ValueError(f"time {self.time} is out of range, expected 0 to 1e9 seconds")
        for name, value, most in (("nodes", self.nodes, 2**63), ("depth", self.depth, 2**31)):
            if value is None:
                continue
            if not isinstance(value, int):
                raise TypeError(f"{name} must be a whole number")
            if value < 1:
                raise ValueError(f"{name} {value} is out of range, expected 1 or more")
            if value > most:
                raise ValueError(f"{name} {value} is out of range, expected {most} or less")

    def is_empty(self) -> bool:
        """Returns whether there is no limit."""
        return self.time is None and self.nodes is None and self.depth is None


class Reason(TypedDict):
    """A sentence about a move."""

    text: str
    """One sentence of at most 90 characters."""
    kind: str
    """What it is about: a word that stays the same, such as `stops-road`."""
    squares: list[str]
    """The squares that it is about."""
    basis: str
    """How it is known: `rules`, `proof` or `search`."""


class Info(TypedDict, total=False):
    """What a search knows about a line of play, with the keys of python-chess."""

    multipv: int
    """The number of the line, 1 for the best."""
    depth: int
    """Plies of the last complete iteration."""
    seldepth: int
    """The deepest ply reached."""
    nodes: int
    """Positions visited."""
    nps: int
    """Positions a second."""
    time: float
    """Seconds since the search began."""
    hashfull: int
    """The part of the table in use, in thousandths."""
    score: PovScore
    """The score, for the player to move."""
    wdl: PovWdl
    """The chances, if the engine told them itself; only from `TeiEngine`. `score.wdl()` always has some."""
    lowerbound: bool
    """The score is this or more."""
    upperbound: bool
    """The score is this or less."""
    solved: bool
    """The result is proven."""
    shortest: bool
    """It is proven in the fewest plies."""
    pv: list[Move]
    """The line; its first move is the one to play."""
    reasons: list[Reason]
    """Why its first move is good, in up to three sentences; only at the end of a search, not from `TeiEngine`."""
    string: str
    """Anything else that a TEI engine has said."""


@dataclass(frozen=True)
class PlayResult:
    """The move that an engine plays, None if the game is over, and what it knows about it."""

    move: Move | None
    info: Info
