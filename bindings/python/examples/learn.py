"""Learns Tak on 4x4 from games against itself, with NumPy alone: `python learn.py [GENERATIONS]`."""

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

from tak_engine import Batch, plane_names, policy_size

Array = NDArray[Any]
SIZE, GAMES, RATE = 4, 500, 0.3
# Random moves: every legal move has the same score.
RANDOM: Array = np.zeros((len(plane_names(SIZE)) * SIZE**2, policy_size(SIZE)), np.float32)
chance = np.random.default_rng(1)


def play(games: int, white: Array, black: Array) -> tuple[Array, list[tuple[Array, Array]]]:
    """Plays games at once by linear policies. Returns the winners, 1 for White and -1 for Black, and for each ply what
    the player saw, and in which direction the scores of the moves make the chosen move likelier."""
    batch, going, winners = Batch(games, SIZE), np.ones(games, bool), np.zeros(games, np.float32)
    plies: list[tuple[Array, Array]] = []
    while going.any():
        seen = batch.encode().reshape(games, -1)
        scores = np.where(batch.legal_mask(), seen @ (black if len(plies) % 2 else white), -1e9)
        chances = np.exp(scores - scores.max(axis=1, keepdims=True))
        sums = chances.cumsum(axis=1)
        moves = (sums > sums[:, -1:] * chance.random((games, 1))).argmax(axis=1)
        done, winner = batch.step(np.where(going, moves, -1))
        likelier = -chances / sums[:, -1:]
        likelier[np.arange(games), moves] += 1
        plies.append((seen, likelier * going[:, None]))
        winners[going & done] = winner[going & done]
        going &= ~done
    return winners, plies


def learn(policy: Array) -> Array:
    """Makes the moves of winners likelier, and those of losers less likely."""
    winners, plies = play(GAMES, policy, policy)
    for ply, (seen, likelier) in enumerate(plies):
        gained = -winners if ply % 2 else winners
        policy = policy + RATE / GAMES * (seen.T @ (likelier * gained[:, None]))
    return policy


def won(policy: Array, games: int = 1000) -> float:
    """How many of 100 games against random moves are won, half of them as White."""
    as_white, as_black = play(games // 2, policy, RANDOM)[0], play(games // 2, RANDOM, policy)[0]
    return 100 * int((as_white == 1).sum() + (as_black == -1).sum()) / games


if __name__ == "__main__":
    policy = RANDOM
    for generation in range(int(sys.argv[1]) if len(sys.argv) > 1 else 10):
        print(f"generation {generation}: {won(policy):.1f} of 100 games won", flush=True)
        policy = learn(policy)
    print(f"at the end: {won(policy):.1f} of 100 games won")
