"""Games as values and as text."""

import copy
import io
import pickle
import random
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from tak_engine import Game, Move, Outcome, read_games


def random_game(chance: random.Random, **arguments: Any) -> Game:
    game = Game(**arguments)
    for _ in range(chance.randrange(60)):
        if game.result is not None:
            break
        game.push(chance.choice(game.legal_moves))
    return game


def random_games(count: int) -> list[Game]:
    chance = random.Random(count)
    openings = ["swap", "no-swap", "double-black"]
    return [
        random_game(
            chance,
            size=chance.randrange(3, 9),
            komi=chance.randrange(-20, 21) / 2,
            opening=chance.choice(openings),
            reserves=chance.choice([None, (12, 1), (30, 2)]),
        )
        for _ in range(count)
    ]


def test_copies_are_equal_and_apart() -> None:
    for game in random_games(200):
        tps, moves = game.tps, game.moves
        for other in (
            game.copy(),
            copy.copy(game),
            copy.deepcopy(game),
            pickle.loads(pickle.dumps(game)),
            Game.from_ptn(game.to_ptn()),
        ):
            assert other == game and hash(other) == hash(game)
            assert (other.moves, other.komi, other.opening) == (moves, game.komi, game.opening)
            assert (other.reserves, other.result, other.occurrences) == (game.reserves, game.result, game.occurrences)
            if moves:
                other.pop()
                assert other != game
        assert game.tps == tps
        assert pickle.loads(pickle.dumps(moves)) == moves


def test_pop_undoes_push() -> None:
    for game in random_games(50):
        before = []
        while game.moves:
            before.append((game.tps, game.pop()))
        assert game == game.root()
        for tps, move in reversed(before):
            game.push(move)
            assert game.tps == tps


def test_equality_is_that_of_positions() -> None:
    other = Game(5)
    assert Game(5) != Game(6) and Game(5) == Game(5, komi=0) != Game(5, komi=2)
    assert Game(5, opening="no-swap") != other and Game(5, reserves=(20, 1)) != other
    assert Game(5) != "x5/x5/x5/x5/x5 1 1" and Game(5) is not None
    by_position = {Game(5): 1}
    assert by_position[other] == 1


def test_symmetries() -> None:
    for game in random_games(60):
        images = game.symmetries()
        assert images[0] == game and len(images) == 8
        assert len({image.canonical().tps for image in images}) == 1
        for number, image in enumerate(images):
            assert image.result == game.result
            turned = {move.transformed(number, game.size) for move in game.legal_moves}
            assert turned == set(image.legal_moves)
    with pytest.raises(ValueError, match="from 0 to 7"):
        Move("a1").transformed(8, 5)
    with pytest.raises(ValueError, match="not on a 5x5 board"):
        Move("f1").transformed(0, 5)


def test_tags_are_kept_and_replaced() -> None:
    game = Game.from_ptn('[Size "5"]\n[Player1 "Ann"]\n[Result "0-1"]\n\n1. a1 e5 0-1\n')
    assert game.tags == {"Player1": "Ann", "Result": "0-1"}
    assert Game.from_ptn(game.to_ptn()).tags == game.tags
    assert '[Player1 "B \\"b\\""]' in game.to_ptn({"Player1": 'B "b"'})
    assert "Ann" not in game.to_ptn({"Player1": "Bob"})
    game.push("c3")
    assert "0-1" not in game.to_ptn()
    for name in ("", "Size", "two words", "TPS"):
        with pytest.raises(ValueError, match="no name for a tag"):
            game.to_ptn({name: "5"})


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no game"),
        ("[Size 9]\n1. a1", "line 1: tag Size"),
        ('[Size "5"]\n\n1. a1 e5\n2. Cd7', "line 4: .*d7 is not on a 5x5 board"),
        ('[Size "5"]\n\n1. a1 e5\n2. e5', "line 4: illegal move 2 of White, e5: square e5 is not empty"),
        ('[Size "5"]\n1. a1\n\n[Size "5"]\n1. a2', "line 4: another game begins"),
        ('[Size "3"]\n[TPS "1C,x2/x3/x3 2 5"]\n1. -- a1', "line 1: cannot start"),
    ],
)
def test_faults_of_ptn_have_lines(text: str, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        Game.from_ptn(text)


def test_files_of_games(tmp_path: Path) -> None:
    games = random_games(30)
    path = tmp_path / "games.ptn"
    path.write_text("\n".join(game.to_ptn({"Event": str(number)}) for number, game in enumerate(games)))
    read = list(read_games(path))
    assert read == games and [game.tags["Event"] for game in read] == [str(number) for number in range(30)]
    with pytest.raises(FileNotFoundError):
        read_games(tmp_path / "none.ptn")
    with pytest.raises(ValueError, match="unknown errors"):
        read_games(path, errors="x")  # type: ignore[arg-type]


def test_games_after_a_bad_one_are_read(tmp_path: Path) -> None:
    path = tmp_path / "games.ptn"
    path.write_bytes(b'[Size "5"]\n[Player1 "Andr\xe9"]\n1. a1\n\n[Size "5"]\n1. a1 a1\n\n[Size "6"]\n1. a1\n')
    reader = read_games(path)
    with pytest.warns(UserWarning, match="not standard: text that is not UTF-8"):
        first = next(reader)
    assert first.tags == {"Player1": "André"}
    with pytest.raises(ValueError, match="line 6: illegal move 1 of Black"):
        next(reader)
    assert next(reader).size == 6
    assert next(reader, None) is None
    with pytest.warns(UserWarning):
        assert [game.size for game in read_games(str(path), errors="ignore")] == [5, 6]


@pytest.mark.filterwarnings("ignore:.*UTF-8")
def test_streams_of_games(tmp_path: Path) -> None:
    text = '[Size "5"]\n[Player1 "André"]\n1. a1\n\n[Size "6"]\n1. a1\n'
    path = tmp_path / "games.ptn"
    path.write_text(text, "utf-8")
    with open(path, encoding="utf-8") as file, open(path, "rb") as raw:
        for stream in (io.StringIO(text), io.BytesIO(text.encode()), io.BytesIO(text.encode("latin-1")), file, raw):
            games = list(read_games(stream))
            assert [game.size for game in games] == [5, 6] and games[0].tags == {"Player1": "André"}
    script = "import sys, tak_engine; print([game.size for game in tak_engine.read_games(sys.stdin)])"
    done = subprocess.run([sys.executable, "-c", script], input=text, capture_output=True, encoding="utf-8", check=True)
    assert done.stdout == "[5, 6]\n"


def test_games_come_while_the_stream_is_open() -> None:
    script = "import sys, tak_engine\nfor game in tak_engine.read_games(sys.stdin): print(game.size, flush=True)"
    with subprocess.Popen([sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as done:
        assert done.stdin is not None and done.stdout is not None
        for size in range(3, 9):
            done.stdin.write(f'[Size "{size}"]\n1. a1\n\n')
            done.stdin.flush()
            assert size == 3 or done.stdout.readline() == f"{size - 1}\n"
        done.stdin.close()
        assert done.stdout.read() == "8\n"
    wrong: Any = 5
    with pytest.raises(TypeError, match="source must be a path or a stream, not int"):
        read_games(wrong)


def test_moves_may_be_text() -> None:
    game = Game(5)
    assert [game.is_legal(move) for move in (Move("a1"), "a1", " a1 ", "Ca1", "f1", "x")] == [True] * 3 + [False] * 3
    game.push(" a1\n")
    assert game.moves == [Move("a1")]


def test_diagrams() -> None:
    game = Game(tps="x3/x,12S,x/x3 1 5")
    picture = ElementTree.fromstring(game._repr_svg_())
    pieces = [piece for piece in picture.iter() if "piece" in piece.get("class", "").split()]
    assert len(pieces) == 2 and picture.get("width") == "360"
    assert game.svg(["a1", Move("c3")], theme="print", width=100) != game.svg()
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"theme": "pink"}, "unknown theme"),
        ({"moves": ["b2"]}, "b2 cannot be played here"),
    ]
    for arguments, reason in wrong:
        with pytest.raises(ValueError, match=reason):
            game.svg(**arguments)


def test_the_board_as_text() -> None:
    game = Game(tps="x3/x,12S,x/1,x,2S 1 4")
    assert str(game).splitlines() == ["3  . .   .", "2  . 12S .", "1  1 .   2S", "   a b   c"]
    assert (game["b2"], game["c1"], game["a3"]) == ("12S", "2S", "")
    with pytest.raises(ValueError, match="no square"):
        game["d1"]


@pytest.mark.parametrize("result", ["1-0", "0-1", "R-0", "0-F", "1/2-1/2", "0-0"])
def test_a_stated_result_is_an_outcome_until_the_game_goes_on(result: str) -> None:
    winner = {"1-0": "white", "R-0": "white", "0-1": "black", "0-F": "black"}.get(result)
    for text in (f'[Result "{result}"]\n1. a1 e5', f"1. a1 e5 {result}", f'[Result "?"]\n1. a1 e5 {result}'):
        game = Game.from_ptn(f'[Size "5"]\n{text}')
        outcome = game.outcome()
        assert outcome is not None and (outcome.winner, outcome.reason, outcome.result) == (winner, "other", result)
        assert game.is_game_over() and game.result is None and game.tags == {"Result": result}
        assert Game.from_ptn(game.to_ptn()).outcome() == outcome and game.peek() == Move("e5")
        again = eval(repr(outcome), {"Outcome": Outcome})
        assert again == outcome == copy.copy(outcome) == copy.deepcopy(outcome) == pickle.loads(pickle.dumps(outcome))
        with pytest.raises(ValueError, match="no game ends with winner"):
            Outcome("black" if winner == "white" else "white", "other", outcome.result)
        game.push("c3")
        assert game.outcome() is None and not game.is_game_over() and result not in game.to_ptn()
        game.pop()
        assert game.outcome() is None and result not in game.to_ptn()


def test_a_pickled_game_has_the_tags_of_the_game() -> None:
    for moves, tag, kept in (("3. c2 R-0", "R-0", {}), ("3. c1 1-0", "1-0", {"Result": "1-0"})):
        game = Game.from_ptn(f'[Size "3"]\n[TPS "x3/1,1,x/2,2,x 1 3"]\n[Result "{tag}"]\n\n{moves}')
        assert game.tags == kept and pickle.loads(pickle.dumps(game)).tags == kept
    game = Game(tps="x3/1,1,x/2,2,x 1 3")
    game.push("c2")
    assert pickle.loads(pickle.dumps(game)).tags == game.tags == {}
