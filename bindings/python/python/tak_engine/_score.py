"""Scores and chances, from the point of view of a player."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import total_ordering
from typing import Literal

from . import _native

Color = Literal["white", "black"]
"""A player: "white", who moves first, or "black"."""

WHITE: Color = "white"
BLACK: Color = "black"


def _check(color: Color) -> None:
    if color not in (WHITE, BLACK):
        raise ValueError(f"unknown player {color!r}, expected white or black")


@dataclass(frozen=True)
class Wdl:
    """Chances to win, to draw and to lose, in thousandths with the sum 1000.

    >>> Wdl(600, 100, 300).expectation()
    0.65
    """

    wins: int
    draws: int
    losses: int

    def __post_init__(self) -> None:
        chances = (self.wins, self.draws, self.losses)
        if min(chances) < 0 or sum(chances) != 1000:
            raise ValueError(f"chances of {self.wins}, {self.draws} and {self.losses} do not have the sum 1000")

    def expectation(self) -> float:
        """Expected points, from 0 to 1; a draw counts half."""
        return (self.wins + self.draws / 2) / 1000

    def __neg__(self) -> Wdl:
        return Wdl(self.losses, self.draws, self.wins)


@total_ordering
@dataclass(frozen=True)
class Score:
    """A score for one player: centiflats, or a proven result with the plies until the end of the game.

    >>> Score(cp=120), Score(win=3), Score(win=-2)
    (Score(cp=120), Score(win=3), Score(win=-2))
    >>> Score(win=5) < Score(win=3) and Score(cp=10_000) < Score(win=5) and Score(win=-2) < Score(cp=-10_000)
    True
    >>> -Score(win=3)
    Score(win=-3)
    """

    cp: int | None = None
    """Hundredths of the score; None for a proven result."""
    win: int | None = None
    """Plies until this player wins, negative until the other one does; None if nothing is proven."""
    lost: bool = False
    """Distinguishes a lost game that is over from a won one: both have 0 plies."""
    draws: int = field(default=0, compare=False, repr=False)
    """The chance of a draw if the score were 0, in thousandths."""

    def __post_init__(self) -> None:
        if (self.cp is None) == (self.win is None):
            raise ValueError("a score has either centiflats or a proven result")

    def score(self, win_score: int | None = None) -> int | None:
        """Centiflats. A proven result is None, or `win_score` minus its plies.

        >>> Score(cp=-30).score(), Score(win=-2).score(), Score(win=-2).score(win_score=30_000)
        (-30, None, -29998)
        """
        if self.win is None or win_score is None:
            return self.cp
        return abs(self.win) - win_score if self._is_lost() else win_score - self.win

    def mate(self) -> int | None:
        """The moves of this player until the proven end, negative if the opponent wins; None if nothing is proven.
        `win` counts the plies of both players.

        >>> Score(win=3).mate(), Score(win=-4).mate(), Score(cp=50).mate()
        (2, -2, None)
        """
        if self.win is None:
            return None
        moves = (abs(self.win) + 1) // 2
        return -moves if self._is_lost() else moves

    def is_solved(self) -> bool:
        """Returns whether the result is proven."""
        return self.win is not None

    def wdl(self) -> Wdl:
        """The chances between engines of equal strength.

        >>> Score(cp=100).wdl()
        Wdl(wins=690, draws=0, losses=310)
        """
        if self.cp is None:
            return Wdl(0, 0, 1000) if self._is_lost() else Wdl(1000, 0, 0)
        return Wdl(*_native.chances(max(-(2**31), min(self.cp, 2**31 - 1)), self.draws))

    def _is_lost(self) -> bool:
        return self.lost or (self.win or 0) < 0

    def _key(self) -> tuple[int, int]:
        if self.win is None:
            return 0, self.cp or 0
        return (-1, abs(self.win)) if self._is_lost() else (1, -self.win)

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Score):
            return NotImplemented
        return self._key() < other._key()

    def __neg__(self) -> Score:
        if self.win is None:
            return Score(cp=-(self.cp or 0), draws=self.draws)
        return Score(win=-self.win, lost=self.win == 0 and not self.lost, draws=self.draws)

    def __repr__(self) -> str:
        return f"Score(cp={self.cp})" if self.win is None else f"Score(win={self.win})"

    def __str__(self) -> str:
        """The score with a sign, or the proven result.

        >>> print(Score(cp=120), Score(win=3), Score(win=-2), sep=", ")
        +1.20, win in 3, loss in 2
        """
        if self.win is None:
            return f"{(self.cp or 0) / 100:+.2f}"
        return f"{'loss' if self._is_lost() else 'win'} in {abs(self.win)}"


@dataclass(frozen=True)
class PovWdl:
    """Chances, for the player `turn`."""

    relative: Wdl
    turn: Color

    def __post_init__(self) -> None:
        _check(self.turn)

    def white(self) -> Wdl:
        """White's chances."""
        return self.pov(WHITE)

    def black(self) -> Wdl:
        """Black's chances."""
        return self.pov(BLACK)

    def pov(self, color: Color) -> Wdl:
        """The chances of a player."""
        _check(color)
        return self.relative if color == self.turn else -self.relative


@dataclass(frozen=True)
class PovScore:
    """A score, for the player `turn`.

    >>> score = PovScore(Score(cp=120), BLACK)
    >>> score.relative, score.white(), score.black()
    (Score(cp=120), Score(cp=-120), Score(cp=120))
    >>> score.wdl().white()
    Wdl(wins=277, draws=0, losses=723)
    """

    relative: Score
    turn: Color

    def __post_init__(self) -> None:
        _check(self.turn)

    def white(self) -> Score:
        """White's score."""
        return self.pov(WHITE)

    def black(self) -> Score:
        """Black's score."""
        return self.pov(BLACK)

    def pov(self, color: Color) -> Score:
        """The score of a player."""
        _check(color)
        return self.relative if color == self.turn else -self.relative

    def is_solved(self) -> bool:
        """Returns whether the result is proven."""
        return self.relative.is_solved()

    def wdl(self) -> PovWdl:
        """The chances between engines of equal strength."""
        return PovWdl(self.relative.wdl(), self.turn)
