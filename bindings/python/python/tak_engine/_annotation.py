"""Games with the engine's judgement of each move."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from ._native import Move
from ._score import Color, PovScore
from ._tree import GameTree


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
    """The game as PTN with marks and comments, as the command `tak-engine annotate` writes it. Comments, marks and
    variations that it had stay."""

    @property
    def tree(self) -> GameTree:
        """The same as a tree."""
        return GameTree.from_ptn(self.ptn)


def _forced(found: tuple[int, list[Move]] | None) -> ForcedWin | None:
    return None if found is None else ForcedWin(*found)


def annotated_game(found: dict[str, Any]) -> AnnotatedGame:
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
