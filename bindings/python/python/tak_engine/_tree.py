"""Games with comments, marks and variations, in the manner of chess.pgn."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, MutableMapping, Sequence
from typing import Any

from . import _native
from ._errors import warn
from ._native import Game, Move
from ._score import Color


MARKS = "!?'\"*"
RESULTS = ("R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0", "*")


class GameNode:
    """A position of a `GameTree`: its start or, as a `ChildNode`, what follows from a move."""

    def __init__(self) -> None:
        self._variations: tuple[ChildNode, ...] = ()
        self._comments: list[str] = []
        self._end_result: str | None = None

    @property
    def parent(self) -> GameNode | None:
        """The node before the move; None at the start of the game."""
        return None

    @property
    def move(self) -> Move | None:
        """The move that leads here; None at the start of the game."""
        return None

    @property
    def marks(self) -> str:
        """The marks of the move: any of !, ?, ', " and *. They can be set."""
        return ""

    @marks.setter
    def marks(self, marks: str) -> None:
        raise ValueError("the start of a game has no move to mark")

    @property
    def variations(self) -> tuple[ChildNode, ...]:
        """What is played here. The first one goes on with the line, unless `end_result` ends it. `add_variation`,
        `remove_variation`, `promote` and others change them."""
        return self._variations

    @property
    def comments(self) -> list[str]:
        """The comments after the move, or those before the first move of the game. PTN has neither line breaks nor }
        in a comment that is written: they become blanks and ). They can be set."""
        return self._comments

    @comments.setter
    def comments(self, comments: list[str]) -> None:
        self._comments = _texts("comments", comments)

    @property
    def comment(self) -> str:
        """All `comments` in one text. It can be set."""
        return " ".join(self.comments)

    @comment.setter
    def comment(self, comment: str) -> None:
        self._comments = [_text("comment", comment)] if comment != "" else []

    @property
    def end_result(self) -> str | None:
        """The result with which the line ends here, such as "1-0", or "*" for an open end. Variations after it are no
        part of the line. It can be set. At the end of the main line it is the tag `Result` of the tree. A game that is
        over by the rules has their result, whatever is said here."""
        return self._end_result

    @end_result.setter
    def end_result(self, result: str | None) -> None:
        if result is not None and result not in RESULTS:
            raise ValueError(f"invalid result {result!r}, expected one of {', '.join(RESULTS)}")
        self._end_result = result

    def ply(self) -> int:
        """The single moves since move 1 of White."""
        return self.board().ply

    def turn(self) -> Color:
        """The player to move."""
        return self.board().turn

    def root(self) -> GameTree:
        """The tree of this node."""
        node: GameNode = self
        while isinstance(node, ChildNode):
            node = node.parent
        assert isinstance(node, GameTree)
        return node

    def board(self) -> Game:
        """The game up to here, without comments, marks and variations. It can be changed without changing the tree."""
        moves, node = [], self
        while isinstance(node, ChildNode):
            moves.append(node.move)
            node = node.parent
        game = self.root().start.copy()
        for move in reversed(moves):
            game.push(move)
        return game

    def next(self) -> ChildNode | None:
        """The node after the next move of the line; None at its end."""
        return self.variations[0] if self.variations and self.end_result is None else None

    def end(self) -> GameNode:
        """The last node of the line."""
        node = self
        while (after := node.next()) is not None:
            node = after
        return node

    def is_end(self) -> bool:
        """Returns whether the line ends here."""
        return self.next() is None

    def is_mainline(self) -> bool:
        """Returns whether the node belongs to the main line of the game."""
        node: GameNode = self
        while isinstance(node, ChildNode):
            if node.starts_variation():
                return False
            node = node.parent
        return True

    def mainline(self) -> Iterator[ChildNode]:
        """The nodes after this one to the end of the line."""
        node = self.next()
        while node is not None:
            yield node
            node = node.next()

    def mainline_moves(self) -> Iterator[Move]:
        """The moves after this node to the end of the line."""
        return (node.move for node in self.mainline())

    def variation(self, move: _Which) -> ChildNode:
        """The node after a move, or with this index in `variations`. Raises KeyError if there is none."""
        if isinstance(move, int) and -len(self.variations) <= move < len(self.variations):
            return self.variations[move]
        wanted = Move(move) if isinstance(move, str) else move
        for node in self.variations:
            if wanted is node or wanted == node.move:
                return node
        raise KeyError(f"there is no variation {move}")

    def has_variation(self, move: _Which) -> bool:
        """Returns whether `variation` finds a node."""
        try:
            return self.variation(move) is not None
        except KeyError:
            return False

    __getitem__ = variation
    __contains__ = has_variation

    def add_variation(
        self, move: Move | str, *, comment: str = "", starting_comment: str = "", marks: str = ""
    ) -> ChildNode:
        """Adds a move behind the others and returns its node. Raises ValueError if it is illegal."""
        node = self.add_line([move], comment=comment, starting_comment=starting_comment, marks=marks)
        assert isinstance(node, ChildNode)
        return node

    def add_main_variation(self, move: Move | str, *, comment: str = "", marks: str = "") -> ChildNode:
        """Adds a move with which the line goes on and returns its node. The others become variations."""
        node = self.add_variation(move, comment=comment, marks=marks)
        self.promote_to_main(node)
        return node

    def add_line(
        self, moves: Iterable[Move | str], *, comment: str = "", starting_comment: str = "", marks: str = ""
    ) -> GameNode:
        """Adds moves one after the other, behind the others, and returns the last node, which gets `comment` and
        `marks`. Raises ValueError if a move is illegal; then nothing is added."""
        game, played = self.board(), []
        for move in moves:
            game.push(move)
            played.append(game.peek())
        if not played:
            return self
        line = _line(self, ((move, "", []) for move in played))
        line[0].starting_comment = starting_comment
        line[-1].comment, line[-1].marks = comment, marks
        goes_on = self.end_result == "*" and not self.variations
        self._arrange([*self.variations, line[0]], None if goes_on else self.end_result)
        return line[-1]

    def remove_variation(self, move: _Which) -> None:
        """Removes a move with everything after it."""
        node = self.variation(move)
        self._arrange([other for other in self.variations if other is not node], self.end_result)

    def promote(self, move: _Which) -> None:
        """Moves a variation up by one place."""
        place = self.variations.index(self.variation(move))
        self._shift(place, place - 1) if place else self.promote_to_main(move)

    def demote(self, move: _Which) -> None:
        """Moves a variation down by one place."""
        place = self.variations.index(self.variation(move))
        self._shift(place, place + 1)

    def promote_to_main(self, move: _Which) -> None:
        """Makes a variation the one with which the line goes on."""
        self._shift(self.variations.index(self.variation(move)), 0, goes_on=True)

    def _shift(self, place: int, to: int, goes_on: bool = False) -> None:
        nodes = list(self.variations)
        nodes.insert(to, nodes.pop(place))
        self._arrange(nodes, None if goes_on else self.end_result)

    def _arrange(self, variations: list[ChildNode], end_result: str | None) -> None:
        self._variations, self._end_result = tuple(variations), end_result

    def __reduce__(self) -> Any:
        raise TypeError("a node cannot be copied without its tree: copy root()")


class ChildNode(GameNode):
    """The position after a move of a `GameTree`. The methods that add variations make such nodes."""

    def __init__(self, parent: GameNode, move: Move) -> None:
        super().__init__()
        self._parent = parent
        self._move = move
        self._marks = ""
        self._starting_comments: list[str] = []
        self._name = ""

    @property
    def parent(self) -> GameNode:
        """The node before the move."""
        return self._parent

    @property
    def move(self) -> Move:
        """The move that leads here."""
        return self._move

    @property
    def marks(self) -> str:
        """The marks of the move: any of !, ?, ', " and *. They can be set."""
        return self._marks

    @marks.setter
    def marks(self, marks: str) -> None:
        if not set(_text("marks", marks)) <= set(MARKS):
            raise ValueError(f"invalid marks {marks!r}, expected some of !, ?, ', \" and *")
        self._marks = marks

    @property
    def starting_comments(self) -> list[str]:
        """The comments before the move, if it starts a variation. They can be set."""
        return self._starting_comments

    @starting_comments.setter
    def starting_comments(self, comments: list[str]) -> None:
        self._starting_comments = _texts("starting_comments", comments)

    @property
    def name(self) -> str:
        """The name of the variation that it starts, if it is not the usual one, such as 2b_d4. It can be set."""
        return self._name

    @name.setter
    def name(self, name: str) -> None:
        self._name = _text("name", name)

    def __repr__(self) -> str:
        return f"<ChildNode {self.move}{self.marks}>"

    @property
    def starting_comment(self) -> str:
        """All `starting_comments` in one text. It can be set."""
        return " ".join(self.starting_comments)

    @starting_comment.setter
    def starting_comment(self, comment: str) -> None:
        self._starting_comments = [_text("starting_comment", comment)] if comment != "" else []

    def is_main_variation(self) -> bool:
        """Returns whether the line of the parent goes on with this move."""
        return self.parent.next() is self

    def starts_variation(self) -> bool:
        """Returns whether a variation starts with this move."""
        return not self.is_main_variation()


class _Tags(MutableMapping[str, str]):
    """The tags of a tree. `Result` is the `end_result` of its main line."""

    def __init__(self, tree: GameTree, tags: dict[str, str]) -> None:
        self._tree = tree
        # The place of the result among them.
        self._values = tags

    def __getitem__(self, name: str) -> str:
        value = self._tree.end().end_result if _is_result(name) else self._values[name]
        if value is None:
            raise KeyError(name)
        return value

    def __setitem__(self, name: str, value: str) -> None:
        if not _is_result(name):
            self._values[_text("the name of a tag", name)] = _text(f"the tag {name}", value)
            return
        self._tree.end().end_result = None if value in ("", "?") else value

    def __delitem__(self, name: str) -> None:
        if _is_result(name):
            self[name]
            self._tree.end().end_result = None
        else:
            del self._values[name]

    def __iter__(self) -> Iterator[str]:
        names = list(self._values)
        if not any(map(_is_result, names)):
            names.append("Result")
        return (name for name in names if name in self)

    def __len__(self) -> int:
        return sum(1 for _ in self)

    def __repr__(self) -> str:
        return repr(dict(self))


class GameTree(GameNode):
    """A game with comments, marks and variations. The moves of `game` are its main line, with all that the text said
    from which it was read.

    >>> tree = GameTree.from_ptn('[Size "5"]\\n1. a1 e5 2. c3! {the centre}\\n\\n{2w_d3}\\n2. d3 {too far}')
    >>> node = tree["a1"]["e5"]["c3"]
    >>> node.marks, node.comment, node.parent["d3"].comment
    ('!', 'the centre', 'too far')
    >>> node.add_main_variation("c4").add_main_variation("d4", marks="?").add_line(["d5", "b2"], comment="better")
    <ChildNode b2>
    >>> tree.tags["Result"] = "1-0"
    >>> tree.end().move, tree.end().end_result
    (Move("b2"), '1-0')
    >>> tree.end().end_result = None
    >>> print(tree)
    [Size "5"]
    [Komi "0"]
    <BLANKLINE>
    1. a1 e5
    2. c3! {the centre} c4
    3. d4? d5
    4. b2 {better}
    <BLANKLINE>
    {2w_d3}
    2. d3 {too far}
    <BLANKLINE>
    """

    def __init__(self, game: Game | None = None) -> None:
        super().__init__()
        game = Game() if game is None else game
        if not isinstance(game, Game):
            raise TypeError(f"game must be a Game, not {type(game).__name__}")
        self._start = game.root()
        self._tags = _Tags(self, game.tags)
        self._comments, moves, result, variations = _native.lines_of(game)
        main = _line(self, moves)
        self._variations = tuple(main[:1])
        line: list[GameNode] = [self, *main]
        outcome = game.outcome()
        if outcome is None or outcome.reason == "other":
            open_end = "*" if game.tags.get("Result") == "*" else None
            line[-1].end_result = (result or open_end) if outcome is None else outcome.result
        # The nodes of each line, from the one that it leaves, and the plies before that one.
        lines = [(0, line)]
        for name, parent, ply, comments, moves, result in variations:
            before, line = lines[0 if parent is None else parent + 1]
            left = line[ply - before]
            if left is lines[0][1][-1]:
                left.end_result = left.end_result or "*"
            nodes = _line(left, moves)
            left._variations += (nodes[0],)
            nodes[0].name, nodes[0].starting_comments, nodes[-1].end_result = name or "", comments, result
            lines.append((ply, [left, *nodes]))
        if variations:
            self._cut_illegal_variations()

    @property
    def start(self) -> Game:
        """The game before its first move."""
        return self._start

    @property
    def tags(self) -> MutableMapping[str, str]:
        """The tags apart from those of the board. Their `Result` is the `end_result` of the main line: either can be
        set."""
        return self._tags

    @staticmethod
    def from_ptn(text: str) -> GameTree:
        """Reads a game from PTN, as `Game.from_ptn` does. In a variation an illegal move and what comes after it become
        a comment, which a UserWarning says."""
        return GameTree(Game.from_ptn(text))

    def to_ptn(self) -> str:
        """The game as PTN. Raises ValueError for marks, results and names of tags that PTN does not have."""
        return self.to_game().to_ptn()

    def to_game(self) -> Game:
        """The game at the end of its main line. It keeps tags, comments, marks and variations for its `to_ptn`."""
        main = [self, *self.mainline()]
        variations: list[_native._Variation] = []
        todo = _left(main, None, 0)
        while todo:
            first, parent, ply = todo.pop()
            line = [first, *first.mainline()]
            moves = [(node.move, node.marks, _comments(node)) for node in line]
            todo += _left(line, len(variations), ply + 1)
            variations.append((first.name or None, parent, ply, first.starting_comments, moves, line[-1].end_result))
        moves = [(node.move, node.marks, _comments(node)) for node in main if isinstance(node, ChildNode)]
        lines = (_comments(self), moves, main[-1].end_result, variations)
        # A star is said after the moves alone.
        tags = {name: value for name, value in self.tags.items() if not (_is_result(name) and value == "*")}
        return _native.game_of_lines(self.start, tags, lines)

    def _cut_illegal_variations(self) -> None:
        game = self.start.copy()
        todo: list[ChildNode | None] = list(reversed(self.variations))
        while todo:
            node = todo.pop()
            if node is None:
                game.pop()
                continue
            try:
                game.push(node.move)
            except ValueError as error:
                warn(f"{error}: the rest of this variation is kept as a comment")
                node.parent.remove_variation(node)
                node.parent.comments.append(_words(node))
            else:
                todo += [None, *reversed(node.variations)]

    def __str__(self) -> str:
        return self.to_ptn()

    def __repr__(self) -> str:
        size = self.start.size
        return f"<GameTree of {sum(1 for _ in self.mainline())} moves on {size}x{size}>"

    def __reduce__(self) -> Any:
        return GameTree.from_ptn, (self.to_ptn(),)


_Which = Move | str | int | ChildNode


def _text(name: str, text: str) -> str:
    if not isinstance(text, str):
        raise TypeError(f"{name} must be a text, not {type(text).__name__}")
    return text


def _texts(name: str, texts: list[str]) -> list[str]:
    if not isinstance(texts, list):
        raise TypeError(f"{name} must be a list of texts, not {type(texts).__name__}")
    return [_text(name, text) for text in texts]


def _is_result(name: object) -> bool:
    return isinstance(name, str) and name.lower() == "result"


def _line(parent: GameNode, moves: Iterable[_native._Noted]) -> list[ChildNode]:
    """The nodes of a line that leaves a node, which does not have it yet."""
    line: list[ChildNode] = []
    for move, marks, comments in moves:
        node = ChildNode(parent, move)
        node.marks, node.comments = marks, comments
        parent._variations += (node,) if line else ()
        line.append(node)
        parent = node
    return line


def _left(line: Sequence[GameNode], number: int | None, ply: int) -> list[tuple[ChildNode, int | None, int]]:
    """The variations that leave a line of this number, the last one first, each with the plies before it. The first
    node comes after `ply` plies."""
    left = []
    for plies, node in enumerate(line, ply):
        left += [(child, number, plies) for child in node.variations if child is not node.next()]
    return left[::-1]


def _comments(node: GameNode) -> list[str]:
    """The comments after a node, with those before the next move of its line."""
    after = node.next()
    return node.comments + (after.starting_comments if after is not None else [])


def _words(node: ChildNode) -> str:
    """A move and what comes after it, for a comment."""
    words, todo = [], [node]
    while todo:
        node = todo.pop()
        words += [*node.starting_comments, f"{node.move}{node.marks}", *node.comments]
        todo += reversed(node.variations)
    return " ".join(words).replace("{", "(").replace("}", ")")
