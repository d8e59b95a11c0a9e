"""Rules against takpy, which has another author and shares no code."""

import random
from typing import Any

import pytest
import takpy

from tak_engine import Batch, Game, Move

POSITIONS = 50_000
# takpy calls a game without placements a draw after so many plies, which the rules of Tak do not say.
PLIES_OF_TAKPY = 50
SIZES = range(3, 9)


def result_of(game: Game) -> str:
    if game.result is None:
        return "Ongoing"
    return {"white": "WhiteWin", "black": "BlackWin", None: "Draw"}[game.winner]


@pytest.mark.parametrize("komi", [0, 2])
@pytest.mark.parametrize("size", SIZES)
def test_random_games_as_takpy(size: int, komi: int) -> None:
    chance = random.Random(f"{size} {komi}")
    left = POSITIONS // (2 * len(SIZES)) + 1
    ends = set()
    while left > 0:
        game, other = Game(size, komi), takpy.new_game(size, 2 * komi)
        # Placements end games before stacks grow; without most of them there are other positions.
        spreads = chance.random() < 0.5
        while left > 0:
            left -= 1
            assert game.tps == repr(other)
            if other.reversible_plies >= PLIES_OF_TAKPY:
                break
            assert result_of(game) == str(other.result()).removeprefix("GameResult.")
            ends.add(game.result)
            if game.result is not None:
                assert game.legal_moves == []
                break
            moves = [str(move) for move in game.legal_moves]
            others = [str(move) for move in other.possible_moves()]
            assert len(set(moves)) == len(moves) and set(moves) == set(others)
            wanted = [move for move in moves if any(sign in move for sign in "+-<>")] if spreads else []
            text = chance.choice(wanted if wanted and chance.random() < 0.8 else moves)
            game.push(text)
            # takpy's own stub forgets the class.
            other.play(takpy.Move(text))  # type: ignore[call-arg]
    assert len(ends) > 2


def test_move_sequences_as_takpy() -> None:
    def count(game: "takpy.Game", depth: int) -> int:
        if depth == 0 or game.result() != takpy.GameResult.Ongoing:
            return int(depth == 0)
        moves = game.possible_moves()
        return len(moves) if depth == 1 else sum(count(game.clone_and_play(move), depth - 1) for move in moves)

    for size in SIZES:
        assert Game(size).perft(3) == count(takpy.new_game(size, 4), 3)
    tps = "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9"
    assert Game(tps=tps).perft(2) == count(takpy.game_from_tps(6, tps, 4), 2)


def test_moves_are_values() -> None:
    game = Game(5)
    for text in ("a1", "e5", "c3", "c4", "c3+"):
        game.push(Move(text))
    assert game.moves == [Move("a1"), Move("e5"), Move("c3"), Move("c4"), Move("c3+")]
    assert len({Move("c3+"), *game.moves}) == 5
    assert Move("1c3+1") == Move("c3+") and Move("c3") != Move("c4")
    assert game.legal_moves[0] in Game(tps=game.tps).legal_moves
    assert sorted([Move("b1"), Move("a1")]) == [Move("a1"), Move("b1")]
    assert Move("a1") != "a1"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"size": 2}, "expected 3 to 8"),
        ({"size": -1}, "size -1 is out of range"),
        ({"size": 10**30}, "expected 3 to 8"),
        ({"komi": 2.25}, 'invalid komi "2.25"'),
        ({"komi": float("nan")}, "invalid komi"),
        ({"komi": 11}, "komi of 11 is out of range"),
        ({"opening": "both"}, 'invalid opening "both"'),
        ({"tps": "x3/x3 1 1"}, "the board has 2 rows"),
        ({"tps": "1C,x2/x3/x3 2 5"}, "White has 1 capstones"),
        ({"size": 5, "tps": "x3/x3/x3 1 1"}, "size is 5, but the TPS is 3x3"),
        ({"reserves": (0, 1)}, "starts with 0 stones"),
        ({"reserves": (300, 1)}, "300 is out of range"),
    ],
)
def test_wrong_arguments_are_value_errors(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Game(**arguments)


def test_wrong_types_are_type_errors() -> None:
    wrong: list[dict[str, Any]] = [{"size": "5"}, {"komi": "2"}, {"opening": 1}, {"tps": 5}]
    for arguments in wrong:
        with pytest.raises(TypeError):
            Game(**arguments)
    with pytest.raises(TypeError):
        Game().push(wrong[3]["tps"])


def test_the_end_of_the_game() -> None:
    game = Game(tps="x3/1,1,x/2,2,x 1 3", komi=0)
    game.push("c2")
    assert (game.result, game.winner, sorted(game.road)) == ("R-0", "white", ["a2", "b2", "c2"])
    assert repr(game.outcome()) == "Outcome(winner='white', reason='road', result='R-0')" and game.peek() == Move("c2")
    assert game.legal_moves == []
    with pytest.raises(ValueError, match="the game is over"):
        game.push("a3")
    assert game.pop() == Move("c2")
    assert not game.is_game_over() and game.outcome() is None
    for without in (game.pop, game.peek):
        with pytest.raises(IndexError):
            without()
    full = Game(tps="1,1,2/2,2,1/1,1S,2 1 6", komi=0)
    assert (full.result, full.winner) == ("1/2-1/2", None)
    assert repr(full.outcome()) == "Outcome(winner=None, reason='flats', result='1/2-1/2')"
    assert Game().komi == Batch(1)[0].komi == 0


def test_openings_and_reserves() -> None:
    game = Game(5, opening="double-black")
    game.push("2a1")
    assert (game.stack("a1"), game.opening) == ("22", "double-black")
    game = Game(5, komi=2.5, opening="no-swap", reserves=(10, 0))
    game.push("Sa1")
    assert (game.stack("a1"), game.komi, game.reserves) == ("1S", 2.5, ((9, 0), (10, 0)))
    assert game.start_reserves == ((10, 0), (10, 0)) and game.root() == Game(5, 2.5, "no-swap", reserves=(10, 0))
    for square in ("f1", "a6", "a", "", "ä"):
        with pytest.raises(ValueError, match="no square of a 5x5 board"):
            game.stack(square)
