"""Games with comments, marks and variations, in the manner of chess.pgn."""

from __future__ import annotations

import warnings
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from . import _native
from ._native import Game, Move


class GameNode:
    """A position of a `GameTree`: its start or, as a `ChildNode`, what follows from a move."""

    def __init__(self) -> None:
        self.variations: list[ChildNode] = []
        """What is played here. The first one goes on with the line, unless `end_result` ends it."""
        self.comments: list[str] = []
        """The comments after the move, or those before the first move of the game."""
        self.end_result: str | None = None
        """The result with which the line ends here, such as "1-0", or "*" for an open end. Variations after it are no
        part of the line."""

    @property
    def comment(self) -> str:
        """All `comments` in one text. It can be set."""
        return " ".join(self.comments)

    @comment.setter
    def comment(self, text: str) -> None:
        self.comments = [text] if text else []

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
        line[0].starting_comments = [starting_comment] if starting_comment else []
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
        self._move(place, place - 1) if place else self.promote_to_main(move)

    def demote(self, move: _Which) -> None:
        """Moves a variation down by one place."""
        place = self.variations.index(self.variation(move))
        self._move(place, place + 1)

    def promote_to_main(self, move: _Which) -> None:
        """Makes a variation the one with which the line goes on."""
        self._move(self.variations.index(self.variation(move)), 0, goes_on=True)

    def _move(self, place: int, to: int, goes_on: bool = False) -> None:
        nodes = list(self.variations)
        nodes.insert(to, nodes.pop(place))
        self._arrange(nodes, None if goes_on else self.end_result)

    def _arrange(self, variations: list[ChildNode], end_result: str | None) -> None:
        """Changes what follows. The result of the game is that of the old main line."""
        before = self.next()
        self.variations[:], self.end_result = variations, end_result
        if self.next() is not before and self.is_mainline():
            self.root().tags.pop("Result", None)

    def __reduce__(self) -> Any:
        raise TypeError("a node cannot be copied without its tree: copy root()")


class ChildNode(GameNode):
    """The position after a move of a `GameTree`. The methods that add variations make such nodes."""

    def __init__(self, parent: GameNode, move: Move) -> None:
        super().__init__()
        self.parent = parent
        self.move = move
        self.marks = ""
        """The marks of the move: any of !, ?, ', " and *."""
        self.starting_comments: list[str] = []
        """The comments before the move, if it starts a variation."""
        self.name = ""
        """The name of the variation that it starts, if it is not the usual one, such as 2b_d4."""

    def __repr__(self) -> str:
        return f"<ChildNode {self.move}{self.marks}>"

    @property
    def starting_comment(self) -> str:
        """All `starting_comments` in one text. It can be set."""
        return " ".join(self.starting_comments)

    @starting_comment.setter
    def starting_comment(self, text: str) -> None:
        self.starting_comments = [text] if text else []

    def is_main_variation(self) -> bool:
        """Returns whether the line of the parent goes on with this move."""
        return self.parent.next() is self

    def starts_variation(self) -> bool:
        """Returns whether a variation starts with this move."""
        return not self.is_main_variation()


class GameTree(GameNode):
    """A game with comments, marks and variations. The moves of `game` are its main line, with all that the text said
    from which it was read.

    >>> tree = GameTree.from_ptn('[Size "5"] 1. a1 e5 2. c3! {the centre} (2. d3 {too far}) c4')
    >>> node = tree.end()
    >>> node.move, node.parent.marks, node.parent.comment, node.parent.parent[1].comment
    (Move("c4"), '!', 'the centre', 'too far')
    >>> node.add_main_variation("d4", marks="?").add_line(["d5", "b2"], comment="better")
    <ChildNode b2>
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
        self.start = game.root()
        """The game before its first move."""
        self.tags = game.tags
        """The tags apart from those of the board. Their `Result` is that of the game, such as "1-0"."""
        self.comments, moves, result, variations = _native.lines_of(game)
        main = _line(self, moves)
        self.variations += main[:1]
        line: list[GameNode] = [self, *main]
        outcome = game.outcome()
        if outcome is None or outcome.reason == "other":
            line[-1].end_result = result if outcome is None else outcome.result
        # The nodes of each line, from the one that it leaves, and the plies before that one.
        lines = [(0, line)]
        for name, parent, ply, comments, moves, result in variations:
            before, line = lines[0 if parent is None else parent + 1]
            left = line[ply - before]
            if left is lines[0][1][-1]:
                left.end_result = left.end_result or "*"
            nodes = _line(left, moves)
            left.variations.append(nodes[0])
            nodes[0].name, nodes[0].starting_comments, nodes[-1].end_result = name or "", comments, result
            lines.append((ply, [left, *nodes]))
        if variations:
            self._cut_illegal_variations()

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
        stated = self.tags.get("Result", "").strip()
        result = main[-1].end_result if stated in ("", "?", "*") else stated
        lines = (_comments(self), moves, result, variations)
        return _native.game_of_lines(self.start, self.tags, lines)

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
                warnings.warn(f"{error}: the rest of this variation is kept as a comment", stacklevel=3)
                node.parent.variations.remove(node)
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


def _line(parent: GameNode, moves: Iterable[_native._Noted]) -> list[ChildNode]:
    """The nodes of a line that leaves a node, which does not have it yet."""
    line: list[ChildNode] = []
    for move, marks, comments in moves:
        node = ChildNode(parent, move)
        node.marks, node.comments = marks, comments
        parent.variations += [node] if line else []
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
