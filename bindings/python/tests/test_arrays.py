"""Positions and moves as numbers."""

import copy
import pickle
import random
import subprocess
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tak_engine import Batch, Game, Move, index_move, move_index, plane_names, policy_size


def positions(count: int) -> list[Game]:
    chance = random.Random(7)
    found: list[Game] = []
    while len(found) < count:
        size = chance.randrange(3, 9)
        game = Game(size, komi=chance.choice([0, 0.5, 2]), opening=chance.choice(["swap", "no-swap"]))
        # Few placements, so that stacks grow.
        while game.result is None and len(game.moves) < 120:
            found.append(game.copy())
            spreads = [move for move in game.legal_moves if move.is_spread]
            game.push(chance.choice(spreads if spreads and chance.random() < 0.7 else game.legal_moves))
        found.append(game.copy())
    return found[:count]


def planes_of(game: Game) -> NDArray[np.float32]:
    """The planes as the documentation describes them, made from texts."""
    size, own = game.size, "1" if game.turn == "white" else "2"
    planes = np.zeros((len(plane_names(size)), size, size), np.float32)
    for row in range(size):
        for column in range(size):
            text = game.stack("abcdefgh"[column] + str(row + 1))
            if not text:
                continue
            kind = "SC".find(text[-1]) + 1
            pieces = text.rstrip("SC")[::-1]
            planes[kind + 3 * (pieces[0] != own), row, column] = 1
            for depth, piece in enumerate(pieces[1:], 1):
                if depth <= size:
                    planes[6 + 2 * (depth - 1) + (piece != own), row, column] = 1
                else:
                    planes[6 + 2 * size + (piece != own), row, column] += 1
    rest = planes[8 + 2 * size :]
    is_black = game.turn == "black"
    for place, player in enumerate([is_black, not is_black]):
        rest[2 * place] = game.reserves[player][0] / game.start_reserves[player][0]
        rest[2 * place + 1] = game.reserves[player][1]
    white, black = game.flats
    rest[4] = (white - black - game.komi) * (-1 if is_black else 1) / size**2
    rest[5] = game.ply < 2 and game.opening == "swap"
    rest[6] = not is_black
    return planes


def test_planes_are_as_documented() -> None:
    seen = np.zeros(64, bool)
    for game in positions(3000):
        planes = game.encode()
        assert planes.dtype == np.float32
        np.testing.assert_allclose(planes, planes_of(game), rtol=1e-6)
        seen[: len(planes)] |= planes.any(axis=(1, 2))
    assert seen[: len(plane_names(8))].sum() >= 24


@pytest.mark.parametrize("size", range(3, 9))
def test_indices_are_those_of_all_moves(size: int) -> None:
    count = policy_size(size)
    moves = [index_move(index, size) for index in range(count)]
    assert len(set(moves)) == count
    assert [move_index(move, size) for move in moves] == list(range(count))
    for index in (-1, count, 2**40):
        with pytest.raises(IndexError, match="out of range"):
            index_move(index, size)
    for text, reason in [("8a1+17", "no stack|board"), ("h9", "invalid move")]:
        if size < 8:
            with pytest.raises(ValueError, match=reason):
                move_index(Move(text), size)
    with pytest.raises(ValueError, match="expected 3 to 8"):
        policy_size(size + 6)


def test_masks_are_the_legal_moves() -> None:
    games = positions(2000)
    for game in games:
        mask = game.legal_mask()
        assert mask.dtype == np.bool_ and mask.shape == (policy_size(game.size),)
        assert [index_move(int(index), game.size) for index in np.flatnonzero(mask)] == sorted(
            game.legal_moves, key=lambda move: move_index(move, game.size)
        )
    assert any(game.result is not None for game in games)


def test_batches_are_their_games() -> None:
    games = [game for game in positions(2000) if game.size == 5]
    batch = Batch.of(games)
    assert len(batch) == len(games) > 100 and list(batch) == games
    np.testing.assert_array_equal(batch.encode(), np.stack([game.encode() for game in games]))
    np.testing.assert_array_equal(batch.legal_mask(), np.stack([game.legal_mask() for game in games]))
    moves, starts = batch.legal_indices()
    for number, game in enumerate(games):
        own = moves[starts[number] : starts[number + 1]]
        assert [index_move(int(index), 5) for index in own] == game.legal_moves
    assert batch.results == [game.result for game in games]
    assert batch[-1] == games[-1]
    with pytest.raises(IndexError):
        batch[len(games)]


def test_steps_are_pushes() -> None:
    chance = random.Random(3)
    batch = Batch(40, 4, komi=0)
    games = [Game(4, komi=0) for _ in range(40)]
    restarts = 0
    for _ in range(60):
        moves = [chance.choice(game.legal_moves) if chance.random() < 0.9 else None for game in games]
        for game, move in zip(games, moves):
            if move:
                game.push(move)
        indices = [-1 if move is None else move_index(move, 4) for move in moves]
        done, winner = batch.step(np.array(indices) if chance.random() < 0.5 else indices, restart=True)
        assert done.tolist() == [game.result is not None for game in games]
        points = {"white": 1, "black": -1, None: 0}
        assert winner.tolist() == [points[game.winner] for game in games]
        restarts += int(done.sum())
        games = [game if game.result is None else Game(4, komi=0) for game in games]
        assert list(batch) == games
    assert restarts > 10


def test_a_refused_step_plays_nothing() -> None:
    batch = Batch(2, 5)
    for moves, reason in [
        ([0], "1 moves for 2 games"),
        ([0, 1], "game 1: illegal move Sa1"),
        ([-2, 0], "game 0: there is no such move"),
        ([0, 10**6], "game 1: there is no such move"),
    ]:
        with pytest.raises(ValueError, match=reason):
            batch.step(moves)
    wrong: list[Any] = [["a1", "a2"], 5, None]
    for other in wrong:
        with pytest.raises(TypeError):
            batch.step(other)
    assert list(batch) == [Game(5), Game(5)]


def test_random_play_is_legal_and_repeatable() -> None:
    batch, same, other = (Batch(300, 5, seed=seed) for seed in (1, 1, 2))
    results = batch.play_random()
    assert results == same.play_random() != other.play_random()
    assert {"R-0", "0-R"} < set(results)
    for game, result in zip(batch, results):
        replayed = Game(5)
        for move in game.moves:
            replayed.push(move)
        assert replayed.result == result
    assert len({game.tps for game in batch}) > 290
    batch.restart()
    assert set(batch.results) == {None}
    steps = 0
    while not batch.step_random()[0].all():
        steps += 1
    assert None not in batch.results and steps > 10


def test_wrong_batches_are_refused() -> None:
    wrong: list[Callable[[], Batch]] = [
        lambda: Batch(0),
        lambda: Batch(10**9),
        lambda: Batch.of([]),
        lambda: Batch.of([Game(5), Game(6)]),
    ]
    for make in wrong:
        with pytest.raises(ValueError):
            make()


@pytest.mark.skipif(sys.platform != "linux", reason="no limit of memory")
def test_a_lack_of_memory_is_an_error() -> None:
    script = """
import resource
from tak_engine import Batch
batch, wide = Batch(8_000, size=8), Batch(50_000, size=8)
resource.setrlimit(resource.RLIMIT_AS, (2**30, 2**30))
for work in (lambda: Batch(2**20, size=8), batch.legal_mask, Batch(2**18, size=3).legal_mask, wide.encode):
    try:
        work()
    except MemoryError as error:
        print(error)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True)
    assert done.stdout.count("no memory for") >= 3 and done.returncode == 0, done


def test_a_batch_is_not_copied() -> None:
    for work in (copy.copy, copy.deepcopy, pickle.dumps):
        with pytest.raises(TypeError, match="take list.batch."):
            work(Batch(2))


def test_without_numpy_the_error_says_what_to_install() -> None:
    script = """
import sys
sys.modules["numpy"] = None
from tak_engine import Batch, Engine, Game, Limit
game = Game(5)
assert len(Batch(10, 5).play_random()) == 10 and Engine(hash=1).analyse(game, Limit(nodes=10))["pv"]
for work in (game.encode, game.legal_mask, Batch(2).encode, Batch(2).legal_mask, Batch(2).legal_indices,
             Batch(2).step_random, lambda: Batch(2).step([0, 0])):
    try:
        work()
    except ImportError as error:
        assert "pip install numpy" in str(error), error
    else:
        raise AssertionError(work)
"""
    subprocess.run([sys.executable, "-c", script], check=True)
