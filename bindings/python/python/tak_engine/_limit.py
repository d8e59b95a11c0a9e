"""Limits of searches, and what searches answer."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TypedDict

from ._native import Game, Move
from ._score import PovScore, PovWdl


MAX_SECONDS = 1e9


@dataclass(frozen=True)
class Limit:
    """Limits of a search; it ends when the first one is reached.

    `time`, the clocks and their increments are in seconds, `nodes` in positions, `depth` in plies. From the clock of the
    player to move the engine allots its time; if that one is missing, the opponent's counts. Raises ValueError for
    values out of range.

    >>> Limit(time=0.5, nodes=1000)
    Limit(time=0.5, nodes=1000)
    >>> Limit(white_clock=60, black_clock=55.5, white_inc=1, black_inc=1)
    Limit(white_clock=60, black_clock=55.5, white_inc=1, black_inc=1)
    >>> Limit(depth=0)
    Traceback (most recent call last):
        ...
    ValueError: depth 0 is out of range, expected 1 or more
    """

    time: float | None = None
    nodes: int | None = None
    depth: int | None = None
    white_clock: float | None = None
    black_clock: float | None = None
    white_inc: float | None = None
    black_inc: float | None = None

    def __post_init__(self) -> None:
        for name, value in self._given().items():
            if name in ("nodes", "depth"):
                whole(name, value, 1, 2**63 if name == "nodes" else 2**31)
            elif isinstance(value, bool) or not isinstance(value, (int, float)):
                raise TypeError(f"{name} must be a number of seconds")
            elif not 0 <= value <= MAX_SECONDS:
                raise ValueError(f"{name} {value} is out of range, expected 0 to 1e9 seconds")
        if not self.has_clock() and (self.white_inc, self.black_inc) != (None, None):
            raise ValueError("an increment needs a clock: give white_clock and black_clock")

    def __repr__(self) -> str:
        return f"Limit({', '.join(f'{name}={value!r}' for name, value in self._given().items())})"

    def has_clock(self) -> bool:
        """Returns whether there is a clock."""
        return self.white_clock is not None or self.black_clock is not None

    def is_empty(self) -> bool:
        """Returns whether there is no limit."""
        return not self._given()

    def _given(self) -> dict[str, float]:
        return {name: value for name, value in vars(self).items() if value is not None}


def whole(name: str, value: float, least: int, most: int) -> int:
    """The value, if it is a whole number in this range."""
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} must be a whole number")
    if not least <= value <= most:
        is_below = value < least and most > 2**30
        raise ValueError(f"{name} {value} is out of range, expected {least} {'or more' if is_below else f'to {most}'}")
    return value


def any_limit(limit: Limit | None) -> Limit:
    """The limit, which may be empty."""
    if not isinstance(limit, (Limit, type(None))):
        raise TypeError(f"the limit must be a Limit, not {type(limit).__name__}")
    return limit or Limit()


def limited(limit: Limit | None) -> Limit:
    """The limit, which must not be empty."""
    limit = any_limit(limit)
    if limit.is_empty():
        raise ValueError("the limit is empty: give a time, nodes, a depth or clocks")
    return limit


def chosen_moves(game: Game, moves: Iterable[Move | str] | None) -> list[Move] | None:
    """The only moves to search. Raises ValueError if there are none, or an illegal one."""
    if moves is None:
        return None
    if isinstance(moves, str):
        raise TypeError("root_moves must be a list of moves")
    chosen = [game.parse_move(str(move)) for move in moves]
    if not chosen:
        raise ValueError("root_moves are empty: give None to search all moves")
    return chosen


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
