"""Writes games of random legal moves as PTN, to measure `tak-engine explore`: python scripts/collection.py COUNT SIZE

Needs the package in bindings/python. Every second game has ratings.
"""

import sys

from tak_engine import Batch

count, size = map(int, sys.argv[1:])
step = 1000
for first in range(0, count, step):
    batch = Batch(min(step, count - first), size=size, seed=first)
    batch.play_random()
    for number, game in enumerate(batch, first):
        ratings = {"Rating1": str(1000 + number % 997), "Rating2": str(1000 + number % 991)}
        print(game.to_ptn(ratings if number % 2 else None))
