"""Compares this package with takpy at the same work, in turns, and prints the ratios.

    python benchmark.py [SECONDS]

Each side works for SECONDS (1 by default) in each of five turns; the best turn counts, since other programs only slow it
down. Needs takpy and NumPy, and a release build: `pip install ./bindings/python`.
"""

from __future__ import annotations

import platform
import random
import sys
import time
from collections.abc import Callable

import takpy

from tak_engine import Batch, Game

TURNS = 5
SIZE, KOMI = 6, 2
GAMES = 2_000


def ours_alone() -> int:
    game = Game(SIZE, KOMI)
    while game.result is None:
        game.push(random.choice(game.legal_moves))
    return 1


def takpy_alone() -> int:
    game = takpy.new_game(SIZE, 2 * KOMI)
    while game.result() == takpy.GameResult.Ongoing:
        game.play(random.choice(game.possible_moves()))
    return 1


def ours_at_once() -> int:
    ours_at_once.seed += 1
    Batch(GAMES, SIZE, KOMI, seed=ours_at_once.seed).play_random()
    return GAMES


ours_at_once.seed = 0


def positions() -> tuple[list[Game], list[takpy.Game], Batch]:
    """Positions of random games, with stacks."""
    chance = random.Random(1)
    games, others = [], []
    while len(games) < GAMES:
        game, other = Game(SIZE, KOMI), takpy.new_game(SIZE, 2 * KOMI)
        while game.result is None and len(games) < GAMES:
            games.append(game.copy())
            others.append(other.clone())
            text = str(chance.choice(game.legal_moves))
            game.push(text)
            other.play(takpy.Move(text))
    return games, others, Batch.of(games)


def best_rates(*works: Callable[[], int]) -> list[float]:
    """Units a second of each kind of work."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 1.0
    rates = [0.0] * len(works)
    for _ in range(TURNS):
        for place, work in enumerate(works):
            done, begun = 0, time.perf_counter()
            while (spent := time.perf_counter() - begun) < seconds:
                done += work()
            rates[place] = max(rates[place], done / spent)
    return rates


def report(what: str, rates: list[float]) -> None:
    theirs, alone, at_once = rates
    print(f"{what:24} {theirs:12,.0f} {alone:12,.0f} {at_once:12,.0f} {alone / theirs:8.2f} {at_once / theirs:8.1f}")


def main() -> None:
    games, others, batch = positions()
    print(f"Python {platform.python_version()}, {SIZE}x{SIZE}, komi {KOMI}, best of {TURNS}, a second")
    print(f"{'':24} {'takpy':>12} {'Game':>12} {'Batch':>12} {'Game/t.':>8} {'Batch/t.':>8}")
    report("random games", best_rates(takpy_alone, ours_alone, ours_at_once))
    report(
        "legal moves",
        best_rates(
            lambda: sum(len(game.possible_moves()) for game in others),
            lambda: sum(len(game.legal_moves) for game in games),
            lambda: len(batch.legal_indices()[0]),
        ),
    )
    report(
        "moves as PTN",
        best_rates(
            lambda: sum(len([repr(move) for move in game.possible_moves()]) for game in others[:100]),
            lambda: sum(len([str(move) for move in game.legal_moves]) for game in games[:100]),
            lambda: 0,
        ),
    )


if __name__ == "__main__":
    main()
