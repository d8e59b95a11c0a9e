"""Trees of games: comments, marks, variations."""

import copy
import io
import pickle
import random
import re
import warnings
from collections.abc import Callable
from typing import Any

import pytest
from test_games import random_games

from tak_engine import ChildNode, Engine, Game, GameNode, GameTree, Limit, read_game_trees, read_games

TEXT = """[Site "here"]
[Result "1-0"]
[Size "5"]
[Komi "0"]

{hello}
1. a1! {one} {two} e5
2. c3? {good} c4 1-0

{2w_d3}
2. {before} d3 {alt} c3
3. d4 0-1

{2w_d3/2b_c4}
2. -- c4!? {deep}

{2w_d3/mine}
3. e1

{3w_d4}
3. d4'
"""


def written(comments: list[str]) -> list[str]:
    return [comment.replace("\n", " ").replace("}", ")") for comment in comments]


def content(node: GameNode) -> Any:
    """All of a node as it is written: comments before the next move of a line are those after this one."""
    after = node.next()
    comments = node.comments + (after.starting_comments if after is not None else [])
    own: tuple[Any, ...] = ()
    if isinstance(node, ChildNode):
        side = (written(node.starting_comments), node.name) if node.starts_variation() else ()
        own = (node.move, node.marks, side)
    return own, written(comments), node.end_result, [content(child) for child in node.variations]


def all_nodes(node: GameNode) -> list[GameNode]:
    return [node, *(other for child in node.variations for other in all_nodes(child))]


def random_tree(chance: random.Random, game: Game) -> GameTree:
    tree, results = GameTree(game), ["R-0", "1-0", "0-1", "1/2-1/2", "*"]
    words = ["good", "{", "(", "1. a1", '[Size "5"]', "é ", ";", "2b_c3", '"', "R-0", "$1", ""]
    remarks = [" ".join(chance.choices(words, k=chance.randrange(1, 4))) for _ in range(9)]
    for _ in range(chance.randrange(40)):
        node = chance.choice(all_nodes(tree))
        board, moves = node.board(), []
        for _ in range(chance.randrange(1, 6)):
            if board.result is None:
                moves.append(chance.choice(board.legal_moves))
                board.push(moves[-1])
        last = node.add_line(moves, marks="".join(chance.choices("!?'\"", k=chance.randrange(3))))
        if moves and chance.random() < 0.5:
            last.comments = chance.sample(remarks, 2)
        if len(node.variations) > 1:
            which = chance.randrange(len(node.variations))
            node.variations[which].starting_comments = chance.sample(remarks, chance.randrange(2))
            node.variations[which].name = chance.choice(["", "mine", "try 2"])
            chance.choice([node.promote, node.demote, node.promote_to_main, node.remove_variation])(which)
        if last.is_end() and last is not tree.end() and chance.random() < 0.2:
            last.end_result = chance.choice(results)
    if chance.random() < 0.5 and tree.end().board().result is None:
        tree.tags["Result"] = tree.end().end_result = chance.choice(results[:4])
    return tree


def test_random_trees_survive_their_text() -> None:
    chance = random.Random(7)
    lines = 0
    for game in random_games(150):
        tree = random_tree(chance, game)
        text = tree.to_ptn()
        again = GameTree.from_ptn(text)
        assert content(again) == content(tree), text
        assert again.start == tree.start and again.tags.items() >= tree.tags.items()
        # The reader and the writer for one game, without nodes.
        assert Game.from_ptn(text).to_ptn() == text == str(again)
        assert GameTree(tree.to_game()).to_ptn() == text == copy.deepcopy(tree).to_ptn()
        assert pickle.loads(pickle.dumps(tree)).to_ptn() == text
        end = tree.end().board()
        assert end == Game.from_ptn(text) and end.moves == list(tree.mainline_moves())
        for node in all_nodes(tree):
            assert node.root() is tree
            if isinstance(node, ChildNode):
                assert node in node.parent.variations and node.board().peek() == node.move
                assert node.is_main_variation() or not node.is_mainline()
        lines += text.count("\n\n")
    assert lines > 1000


@pytest.mark.filterwarnings("ignore")
def test_damaged_texts_survive_their_text() -> None:
    chance, trees = random.Random(3), 0
    parts = ["", "", "{", "}", "(", ")", "[", '"', "\n", "\n\n", "1-0", "*", "{2w_d3}", "2. ", "--", "Sc3", "/", ";"]
    for _ in range(1000):
        text = TEXT
        for _ in range(chance.randrange(6)):
            place = chance.randrange(len(text))
            text = text[:place] + chance.choice(parts) + text[place + chance.randrange(6) :]
        for tree in read_game_trees(io.StringIO(text), errors="ignore"):
            again = GameTree.from_ptn(tree.to_ptn())
            assert (content(again), str(again)) == (content(tree), str(tree)), text
            trees += 1
    assert trees > 500


def test_a_tree_is_read_and_changed() -> None:
    tree = GameTree.from_ptn(TEXT)
    assert str(tree) == TEXT and tree.tags == {"Site": "here", "Result": "1-0"} and tree.comment == "hello"
    c3, d3 = tree["a1"]["e5"].variations
    assert (c3.marks, c3.comments, d3.starting_comment, d3.comment) == ("?", ["good"], "before", "alt")
    assert d3.variation("c3").variation("e1").name == "mine" and "c4" in d3 and "e4" not in d3
    assert not d3.is_mainline() and d3.starts_variation() and d3.end().end_result == "0-1"
    assert [str(move) for move in d3.mainline_moves()] == ["c3", "d4"]
    assert d3.board().moves == d3.end().board().moves[:3]
    # A resigned game ends although a variation goes on with it.
    end = tree.end()
    assert (end.is_end(), [str(node.move) for node in end.variations]) == (True, ["d4"])
    with pytest.raises(ValueError, match="illegal move a1"):
        end.add_line(["d5", "a1"])
    for missing in (Game(5).parse_move("b2"), 5, "b2"):
        with pytest.raises(KeyError, match="no variation"):
            tree.variation(missing)
    assert str(tree) == TEXT
    end.promote(0)
    assert (repr(tree.end()), tree.tags) == ("<ChildNode d4'>", {"Site": "here"})
    d3.parent.promote_to_main("d3")
    assert [str(move) for move in tree.mainline_moves()] == ["a1", "e5", "d3", "c3", "d4"]
    assert repr(tree.to_game().outcome()) == "Outcome(winner='black', reason='other', result='0-1')"
    d3.parent.remove_variation(d3)
    assert c3.parent.variations == (c3,) and GameTree.from_ptn(str(tree)).end().board() == tree.end().board()


def test_an_open_game_goes_on_and_a_finished_one_does_not() -> None:
    for result, plies in (("*", 3), ("", 3), ("0-1", 2)):
        tree = GameTree.from_ptn(f'[Size "5"] 1. a1 e5 {result}')
        tree.end().add_variation("c3", comment="x")
        assert len(list(tree.mainline())) == plies and GameTree.from_ptn(str(tree)).end().board().ply == plies
    tree = GameTree(Game(5))
    tree.add_main_variation("a1").add_main_variation("e5", marks="!")
    assert str(tree).endswith("1. a1 e5!\n") and repr(tree) == "<GameTree of 2 moves on 5x5>"
    with pytest.raises(TypeError, match="copy root"):
        copy.copy(tree.end())


def test_the_result_of_a_game_is_one_thing() -> None:
    tree = GameTree.from_ptn('[Result "0-1"]\n[Site "here"]\n[Size "5"]\n1. a1 e5 2. c3 0-1')

    def check(result: str | None) -> None:
        outcome, again = tree.to_game().outcome(), GameTree.from_ptn(tree.to_ptn())
        assert (tree.tags.get("Result"), tree.end().end_result) == (result, result) == (
            again.tags.get("Result"), again.end().end_result
        )  # fmt: skip
        assert (outcome and outcome.result) == (None if result == "*" else result)
        assert ("0-1" in str(tree)) == (result == "0-1") and dict(tree.tags) == again.tags

    check("0-1")
    assert list(tree.tags) == ["Result", "Site"]
    for result in ("1-0", None, "*", "1/2-1/2"):
        tree.end().end_result = result
        check(result)
    for result in ("0-1", "*", "1-0"):
        tree.tags["result"] = result
        check(result)
    del tree.tags["Result"]
    check(None)
    # The rules decide.
    over = GameTree(Game(tps="x3/1,1,x/2,2,x 1 3"))
    over.add_main_variation("c2").end_result = "0-1"
    assert str(over).endswith("3. c2 R-0\n") and "0-1" not in str(over)


def test_nodes_stay_where_they_are_and_know_what_fits() -> None:
    tree = GameTree.from_ptn(TEXT)
    node: Any = tree.end()
    for change in (lambda: node.variations.append(tree["a1"]), lambda: setattr(node, "parent", node["d4"])):
        with pytest.raises(AttributeError):
            change()
    names = ["comment", "comments", "marks", "name", "starting_comment", "starting_comments", "end_result"]
    changes: list[tuple[Any, str, object]] = [(node, name, 5) for name in names]
    for target, name, value in [*changes, (node, "marks", "x"), (node, "end_result", "2-0"), (tree, "marks", "!")]:
        with pytest.raises((TypeError, ValueError), match="must be|invalid|no move"):
            setattr(target, name, value)
    with pytest.raises(ValueError, match="invalid result '2-0'"):
        tree.tags["Result"] = "2-0"
    assert str(tree) == TEXT
    assert (tree.parent, tree.move, tree.ply(), node.ply(), node.turn()) == (None, None, 0, 4, "white")
    up: GameNode = node
    while up.parent is not None:
        up = up.parent
    assert up is tree
    with pytest.raises(TypeError, match="game must be a Game, not int"):
        GameTree(node.ply())


@pytest.mark.parametrize("tags", ['[Komi "zz"]', '[Komi "2.3"]', '[Komi "99"]', '[Size "6"]', ""])
def test_what_is_not_standard_is_one_warning_for_the_caller(tags: str) -> None:
    text = f'[Size "5"]\n{tags}\n1. a1 {"e5" if tags else "E5"}'
    calls: list[Callable[[], object]] = [
        lambda: Game.from_ptn(text), lambda: GameTree.from_ptn(text), lambda: list(read_games(io.StringIO(text))),
        lambda: list(read_game_trees(io.StringIO(text)))
    ]  # fmt: skip
    for call in calls:
        with pytest.warns(UserWarning, match="line [23]: .* is not standard") as warned:
            call()
        assert [warning.filename for warning in warned] == [__file__]


def test_games_keep_what_their_text_said() -> None:
    game = Game.from_ptn(TEXT)
    assert game.to_ptn() == TEXT == game.copy().to_ptn() == pickle.loads(pickle.dumps(game)).to_ptn()
    game.pop()
    game.push("c2")
    text = game.to_ptn()
    assert "2. c3? {good} c2\n" in text and "1-0" not in text and "{2w_d3}" in text and "{3w_d4}" not in text
    for _ in range(3):
        game.pop()
    assert game.to_ptn().endswith("{hello}\n1. a1! {one} {two}\n")


def test_illegal_variations_stay_as_comments() -> None:
    text = '[Size "5"]\n1. a1 e5 (1. -- d5 2. a1 {x} c3 (2. -- c4)) 2. c3 (2. d3 z9)'
    with pytest.warns(UserWarning) as warned:
        tree = GameTree.from_ptn(text)
    assert {warning.filename for warning in warned} == {__file__}
    reason = "illegal move a1: square a1 is not empty: the rest of this variation is kept"
    assert any(str(warning.message).startswith(reason) for warning in warned)
    assert tree["a1"]["d5"].comments == ["a1 x c3 c4"] and tree["a1"]["e5"]["d3"].comments == ["z9"]


def test_repeated_tags_stay_as_comments() -> None:
    tree = GameTree.from_ptn('[Site "a"]\n[Site "b"]\n[Size "5"]\n{x}\n1. a1')
    assert (tree.tags, tree.comments) == ({"Site": "b"}, ['[Site "a"]', "x"])
    assert GameTree.from_ptn(str(tree)).comments == tree.comments


def test_streams_of_trees() -> None:
    for stream in (io.StringIO(TEXT + "\n" + TEXT), io.BytesIO((TEXT + TEXT).encode())):
        assert [str(tree) for tree in read_game_trees(stream)] == [TEXT, TEXT]
    trees = read_game_trees(io.StringIO('[Size "5"]\n1. a1 a1\n\n' + TEXT))
    with pytest.raises(ValueError, match="line 2"):
        next(trees)
    assert str(next(trees)) == TEXT


def test_the_smallest_board_is_taken_with_a_warning() -> None:
    for text, size in (("1. a1 c3", 3), ("1. a1 b2 2. Cc3", 5), ("1. h8 a1 {x}", 8)):
        with pytest.warns(UserWarning, match=f"line 1: the game has neither .* read for {size}x{size}, the smallest"):
            assert Game.from_ptn(text).size == size
        with pytest.warns(UserWarning, match="smallest board"):
            assert [tree.start.size for tree in read_game_trees(io.StringIO(text))] == [size]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert Game.from_ptn('[Size "6"] 1. a1 c3').size == 6


def untimed(ptn: str) -> str:
    return re.sub(r"\d+ms", "", ptn)


def test_annotation_keeps_what_is_there() -> None:
    tree = GameTree.from_ptn(TEXT)
    annotated = Engine.annotate(tree, Limit(nodes=50))
    same = Engine.annotate(Game.from_ptn(TEXT), Limit(nodes=50))
    assert annotated.winner == "white" and untimed(annotated.ptn) == untimed(same.ptn)
    found = annotated.tree
    for before, after in zip(all_nodes(tree), all_nodes(found), strict=True):
        assert after.comments[: len(before.comments)] == before.comments
        assert len(after.comments) > len(before.comments) or not before.is_mainline()
    assert (found.tags, found["a1"].marks[0], found["a1"]["e5"]["c3"].marks[0]) == (tree.tags, "!", "?")
    again = Engine.annotate(found, Limit(nodes=50)).tree
    assert [len(node.comments) for node in all_nodes(again)] == [len(node.comments) for node in all_nodes(found)]
