"""TEI without processes: what is sent to an engine, and what its lines mean."""

from __future__ import annotations

import contextlib
import time
from collections import deque
from collections.abc import Callable, Generator, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from ._engine import MAX_MULTIPV, Moves
from ._errors import EngineError, EngineTerminatedError
from ._limit import Info, Limit, chosen_moves, whole
from ._native import Game, Move
from ._score import PovScore, PovWdl, Score, Wdl

MAX_NUMBER = 2**53
"""Greater numbers are read as this."""
MAX_REPORTS = 10_000
"""Reports of a search that nobody has read; older ones are dropped."""
MANAGED = {"halfkomi", "opening", "flats", "caps", "multipv"}
"""Options that each search sets by its game and its `multipv`."""

Value = str | int | bool | None
"""The value of an option; None presses a button."""
T = TypeVar("T")


@dataclass(frozen=True)
class Option:
    """An option of a TEI engine, as the engine announces it.

    >>> Option.read("HalfKomi type combo default 0 var 0 var 4".split())
    Option(name='HalfKomi', type='combo', default='0', min=None, max=None, var=['0', '4'])
    """

    name: str
    type: str
    """"check", "spin", "combo", "button", "string", or a word that only the engine knows."""
    default: str | None = None
    min: int | None = None
    """The least value of a spin."""
    max: int | None = None
    """The greatest value of a spin."""
    var: list[str] = field(default_factory=list)
    """The values of a combo."""

    @classmethod
    def read(cls, words: Sequence[str]) -> Option:
        """Reads the words after `option name`. What cannot be read is left out."""
        texts: list[tuple[str, list[str]]] = [("name", [])]
        for word in words:
            if word in ("type", "default", "min", "max", "var"):
                texts.append((word, []))
            else:
                texts[-1][1].append(word)
        found = {key: " ".join(text) for key, text in texts}
        default = found.get("default")
        return cls(
            found["name"],
            found.get("type", "string"),
            "" if default == "<empty>" else default,
            number(found.get("min")),
            number(found.get("max")),
            [" ".join(text) for key, text in texts if key == "var"],
        )

    def allowed(self) -> str:
        """The values in words.

        >>> Option("Threads", "spin", min=1, max=8).allowed()
        'a whole number from 1 to 8'
        """
        if self.type == "spin":
            bounds = [f" {word} {bound}" for word, bound in (("from", self.min), ("to", self.max)) if bound is not None]
            return "a whole number" + "".join(bounds)
        known = {"check": "True or False", "combo": ", ".join(self.var), "button": "None, since it is a button"}
        return known.get(self.type, "a text of one line")

    def text(self, value: Value) -> str:
        """The value as it is sent. Raises ValueError, naming the allowed values, for any other.

        >>> Option("HalfKomi", "combo", "0", var=["0", "4"]).text(2)
        Traceback (most recent call last):
            ...
        ValueError: option HalfKomi cannot be 2, only 0, 4
        """
        text = "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
        if self.type == "spin":
            count = number(text)
            least, most = (count if bound is None else bound for bound in (self.min, self.max))
            is_allowed = count is not None and least is not None and most is not None and least <= count <= most
            text = str(count)
        elif self.type == "button":
            is_allowed = value is None
        elif self.type == "check":
            is_allowed = text in ("true", "false")
        elif self.type == "combo":
            is_allowed = value is not None and text in self.var
        else:
            is_allowed = value is not None and text.isprintable()
        if not is_allowed:
            raise ValueError(f"option {self.name} cannot be {value!r}, only {self.allowed()}")
        return text


@dataclass(frozen=True)
class Wait:
    """Something that an engine must do before the conversation goes on."""

    done: Callable[[], bool]
    deadline: Callable[[], float | None]
    """By the clock `time.monotonic`; None to wait for ever."""
    asked: str
    """The word that it must answer."""


Steps = Generator[Wait, None, T]
"""A part of a conversation, which waits for the engine at each `yield`. Whoever gives up closes it."""


class TeiSearch:
    """A search of a TEI engine."""

    def __init__(self, game: Game, limit: Limit, timeout: float) -> None:
        self.best: Move | None = None
        self.error: EngineError | None = None
        """What is wrong with the best move."""
        self.is_done = False
        self.lines: list[Info] = []
        """The lines of the last report, best first."""
        self.reports: deque[list[Info]] = deque(maxlen=MAX_REPORTS)
        """Those that were not yet read."""
        self.stopped: float | None = None
        """When it was stopped."""
        self._game = game.copy()
        self._timeout = timeout
        clocks = (limit.white_clock, limit.black_clock)
        own, other = clocks if game.turn == "white" else reversed(clocks)
        times = [seconds for seconds in (limit.time, other if own is None else own) if seconds is not None]
        self._end = time.monotonic() + min(times) if times else None

    def deadline(self) -> float | None:
        """When the best move must have come."""
        end = self._end if self.stopped is None else self.stopped
        return None if end is None else end + self._timeout

    def receive(self, words: list[str]) -> None:
        """Takes a line of the engine."""
        if words[:1] == ["bestmove"]:
            self._finish(words[1] if len(words) > 1 else "")
        elif words[:1] == ["info"]:
            info = parse_info(words[1:], self._game)
            place = info.setdefault("multipv", 1) - 1
            if info.get("pv") and 0 <= place <= len(self.lines):
                self.lines = [*self.lines[:place], info, *self.lines[place + 1 :]]
                self.reports.append(self.lines)

    def _finish(self, text: str) -> None:
        if self._game.result is None:
            try:
                self.best = self._game.parse_move(text)
            except ValueError as error:
                self.error = EngineError(f"the engine's best move is {text!r}: {error}")
        self.is_done = True


class Conversation:
    """What is said with a TEI engine.

    `send` sends a line. The lines of the engine go to `receive`, and its end to `ended`, in any one thread.
    """

    def __init__(self, send: Callable[[str], None], timeout: float) -> None:
        self.id: dict[str, str] = {}
        self.options: dict[str, Option] = {}
        self.sizes: list[int] | None = None
        self.half_komis: list[int] | None = None
        self.end: str | None = None
        """How the engine has ended: "ended with code 1"."""
        self._send = send
        self._timeout = timeout
        self._said: set[str] = set()
        self._search: TeiSearch | None = None
        self._configured: dict[str, str] = {}
        self._set: dict[str, str] = {}
        """The options that were sent, which those of one call may differ from."""

    def receive(self, line: str) -> None:
        """Takes a line of the engine."""
        words = line.split()
        word = words[0] if words else ""
        if word in ("teiok", "readyok"):
            self._said.add(word)
        elif word in ("info", "bestmove"):
            if self._search is not None and not self._search.is_done:
                self._search.receive(words)
        elif "teiok" in self._said:
            pass
        elif word == "id" and len(words) > 1:
            self.id[words[1]] = " ".join(words[2:])
        elif word == "option" and words[1:2] == ["name"]:
            option = Option.read(words[2:])
            self.options[option.name] = option
        elif word == "size":
            sizes, _, komis = line.strip().partition("halfkomi")
            self.sizes = numbers(sizes.split()[1:])
            self.half_komis = numbers(komis.split()) if "halfkomi" in words else None

    def ended(self, end: str) -> None:
        """Takes the end of the engine. Only the first one counts."""
        self.end = self.end or end

    def is_over(self, wait: Wait) -> bool:
        """Returns whether a wait is over. Raises EngineError if it is in vain."""
        if wait.done():
            return True
        if self.end is not None:
            raise EngineTerminatedError(f"the engine has {self.end}, instead of answering {wait.asked!r}")
        deadline = wait.deadline()
        if deadline is not None and time.monotonic() > deadline:
            raise EngineError(f"the engine does not answer {wait.asked!r}")
        return False

    def greet(self) -> Steps[None]:
        """Introduces both sides."""
        yield from self._ask("tei", "teiok")
        yield from self._ask("isready", "readyok")

    def configure(self, options: Mapping[str, Value]) -> Steps[None]:
        """Sets options, all or, if one is refused, none."""
        chosen = self._checked(options)
        yield from self._idle()
        for option, text in chosen:
            self._set_option(option.name, text)
            if option.type != "button":
                self._configured[option.name] = text
        yield from self._ask("isready", "readyok")

    def search(
        self,
        game: Game,
        limit: Limit,
        multipv: int | None = None,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> Steps[TeiSearch]:
        """Begins a search, after all arguments were checked. A search that runs is stopped."""
        if not isinstance(game, Game):
            raise TypeError(f"the game must be a Game, not {type(game).__name__}")
        go = self._go(game, limit, root_moves)
        chosen = self._options_of(game, 1 if multipv is None else whole("multipv", multipv, 1, MAX_MULTIPV), options)
        yield from self._idle()
        for name, text in chosen:
            self._set_option(name, text)
        announced = f"size {game.size} halfkomi {round(2 * game.komi)}" if self.half_komis is not None else game.size
        self._send(f"teinewgame {announced}")
        root = game.root()
        is_start = root.ply == 0 and set(root.tps.split()[0]) <= set("x12345678/")
        played = " ".join(["", "moves", *map(str, game.moves)]) if game.moves else ""
        self._send(f"position {'startpos' if is_start else f'tps {root.tps}'}{played}")
        self._search = TeiSearch(game, limit, self._timeout)
        self._send(go)
        return self._search

    def result(
        self,
        game: Game,
        limit: Limit,
        multipv: int | None = None,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> Steps[TeiSearch]:
        """Searches to the end."""
        search = yield from self.search(game, limit, multipv, root_moves, options)
        yield from self._until(search, lambda: search.is_done)
        if search.error is not None:
            raise search.error
        return search

    def report(self, search: TeiSearch) -> Steps[list[Info] | None]:
        """The next report, None at the end."""
        yield from self._until(search, lambda: bool(search.reports) or search.is_done)
        if search.reports:
            return search.reports.popleft()
        if search.error is not None:
            raise search.error
        return None

    def stop(self, search: TeiSearch) -> None:
        """Ends a search soon."""
        if not search.is_done and search.stopped is None:
            search.stopped = time.monotonic()
            # One that has ended needs no stop.
            with contextlib.suppress(EngineTerminatedError):
                self._send("stop")

    def quit(self) -> Steps[None]:
        """Asks the engine to end. Raises EngineError if it does not."""
        self._send("quit")
        deadline = time.monotonic() + self._timeout
        yield Wait(lambda: self.end is not None, lambda: deadline, "quit")

    def _until(self, search: TeiSearch, done: Callable[[], bool]) -> Steps[None]:
        """Waits for a search, and stops it if nobody waits any more."""
        try:
            yield Wait(done, search.deadline, "go")
        except GeneratorExit:
            self.stop(search)
            raise

    def _idle(self) -> Steps[None]:
        """Ends the search that runs, if any."""
        if (search := self._search) is not None and not search.is_done:
            self.stop(search)
            deadline = time.monotonic() + self._timeout
            yield Wait(lambda: search.is_done, lambda: deadline, "go")

    def _ask(self, word: str, answer: str) -> Steps[None]:
        self._said.discard(answer)
        self._send(word)
        deadline = time.monotonic() + self._timeout
        yield Wait(lambda: answer in self._said, lambda: deadline, word)

    def _set_option(self, name: str, text: str) -> None:
        is_button = self.options[name].type == "button"
        self._send(f"setoption name {name}" if is_button else f"setoption name {name} value {text or '<empty>'}")
        if not is_button:
            self._set[name] = text

    def _option(self, name: str) -> Option | None:
        """The option of this name, in which case does not matter."""
        same = (option for known, option in self.options.items() if known.lower() == name.lower())
        return self.options.get(name) or next(same, None)

    def _checked(self, options: Mapping[str, Value]) -> list[tuple[Option, str]]:
        if not isinstance(options, Mapping):
            raise TypeError(f"options must be a dictionary of names and values, not {type(options).__name__}")
        chosen = []
        for name, value in options.items():
            if not isinstance(name, str):
                raise TypeError(f"the name of an option must be a text, not {type(name).__name__}")
            option = self._option(name)
            if option is None:
                raise ValueError(f"the engine has no option {name!r}, only {', '.join(self.options) or 'none'}")
            if option.name.lower() in MANAGED:
                raise ValueError(f"option {option.name} is set by the game and the arguments of each search")
            chosen.append((option, option.text(value)))
        return chosen

    def _options_of(
        self, game: Game, multipv: int, options: Mapping[str, Value] | None
    ) -> list[tuple[str, str]]:
        """The options to be sent for a search."""
        own = self._checked({} if options is None else options)
        buttons = [(option.name, text) for option, text in own if option.type == "button"]
        wanted = dict(self._configured)
        for option, text in own:
            if option.type != "button":
                if option.default is None and option.name not in wanted:
                    raise ValueError(f"option {option.name} has no default to go back to: use configure")
                wanted[option.name] = text
        self._check_board(game)
        (flats, caps), other = game.start_reserves
        if (flats, caps) != other:
            raise ValueError("TEI has no words for players with different reserves")
        is_usual = game.start_reserves == Game(size=game.size).start_reserves
        managed = [
            ("MultiPV", str(multipv), "1"),
            ("Opening", game.opening, "swap"),
            ("Flats", "0" if is_usual else str(flats), "0"),
            ("Caps", "-1" if is_usual else str(caps), "-1"),
        ]
        if self.half_komis is None:
            managed.append(("HalfKomi", str(round(2 * game.komi)), "0"))
        for name, value, usual in managed:
            known = self._option(name)
            if known is not None:
                wanted[known.name] = known.text(value)
            elif value != usual:
                raise ValueError(f"the engine has no option {name!r}, so that it cannot be {value}")
        for name in self._set.keys() - wanted.keys():
            wanted[name] = self.options[name].default or ""
        now = {name: option.default for name, option in self.options.items()} | self._set
        return [(name, text) for name, text in wanted.items() if now[name] != text] + buttons

    def _check_board(self, game: Game) -> None:
        """Checks the size and the komi by what the engine announces."""
        if self.sizes is not None and game.size not in self.sizes:
            raise ValueError(f"the engine has no board of size {game.size}, only {', '.join(map(str, self.sizes)) or 'none'}")
        half = round(2 * game.komi)
        option = self._option("HalfKomi") or Option("HalfKomi", "combo", var=["0"])
        if self.half_komis is not None:
            has, is_known = points(self.half_komis), half in self.half_komis
        elif option.type == "spin" and option.min is not None and option.max is not None:
            has, is_known = f"{option.min / 2:g} to {option.max / 2:g}", option.min <= half <= option.max
        else:
            has, is_known = points(numbers(option.var)), str(half) in option.var
        if not is_known:
            raise ValueError(f"the engine has no komi {game.komi:g}, only {has}")

    def _go(self, game: Game, limit: Limit, root_moves: Moves | None) -> str:
        words = ["go"]
        for word, seconds in (
            ("wtime", limit.white_clock),
            ("btime", limit.black_clock),
            ("winc", limit.white_inc),
            ("binc", limit.black_inc),
            ("movetime", limit.time),
        ):
            if seconds is not None:
                words += [word, str(round(seconds * 1000))]
        if limit.nodes is not None:
            words += ["nodes", str(limit.nodes)]
        if limit.depth is not None:
            words += ["depth", str(limit.depth)]
        if limit.is_empty():
            words.append("infinite")
        moves = chosen_moves(game, root_moves)
        if moves is not None:
            if self.id.get("name") != "tak-engine":
                raise ValueError("root_moves need the word searchmoves, which only tak-engine is known to have")
            words += ["searchmoves", *map(str, moves)]
        return " ".join(words)


def points(half_komis: Iterable[int]) -> str:
    """Komi in points.

    >>> points([-1, 0, 4]), points([])
    ('-0.5, 0, 2', 'none')
    """
    return ", ".join(f"{half / 2:g}" for half in half_komis) or "none"


def number(text: str | None) -> int | None:
    """The whole number that a text is."""
    try:
        return None if text is None else int(text)
    except ValueError:
        return None


def numbers(words: Iterable[str]) -> list[int]:
    """The whole numbers among these words."""
    return [found for word in words if (found := number(word)) is not None]


COUNTS = {"depth", "seldepth", "nodes", "nps", "hashfull", "multipv"}


def parse_info(words: Sequence[str], game: Game) -> Info:
    """Reads the words of an `info` line. What cannot be read is left out."""
    info = Info()
    rest = list(words)
    while rest:
        word = rest.pop(0)
        if word == "string":
            info["string"] = " ".join(rest)
            break
        if word == "pv":
            info["pv"] = legal_line(rest, game)
            break
        if word in COUNTS and (count := _number(rest)) is not None and count >= 0:
            # The keys are those of the words.
            info[word] = count  # type: ignore[literal-required]
        elif word == "time" and (millis := _number(rest)) is not None:
            info["time"] = millis / 1000
        elif word == "wdl":
            chances = [_number(rest) for _ in range(3)]
            known = [chance for chance in chances if chance is not None]
            if len(known) == len(chances) and min(known) >= 0 and sum(known) == 1000:
                info["wdl"] = PovWdl(Wdl(*known), game.turn)
        elif word == "score":
            _take_score(rest, info, game)
        elif word == "lowerbound":
            info["lowerbound"] = True
        elif word == "upperbound":
            info["upperbound"] = True
    return info


def _take_score(rest: list[str], info: Info, game: Game) -> None:
    """Reads `cp N`, `solved win|loss N`, `mate N` or `win N`."""
    kind = rest.pop(0) if rest else ""
    is_loss = False
    if kind == "solved":
        is_loss = bool(rest) and rest.pop(0) == "loss"
    value = _number(rest)
    if value is None or kind not in ("cp", "solved", "mate", "win"):
        return
    is_solved = kind != "cp"
    info["solved"] = is_solved
    value = -value if is_loss else value
    score = Score(win=value, lost=is_loss and value == 0) if is_solved else Score(cp=value)
    info["score"] = PovScore(score, game.turn)


def _number(rest: list[str]) -> int | None:
    """The next word, if it is a number."""
    value = number(rest[0] if rest else None)
    if value is None:
        return None
    rest.pop(0)
    return max(-MAX_NUMBER, min(value, MAX_NUMBER))


def legal_line(words: Sequence[str], game: Game) -> list[Move]:
    """The moves up to the first that cannot be played."""
    game = game.copy()
    line: list[Move] = []
    for word in words:
        try:
            move = game.parse_move(word)
        except ValueError:
            break
        game.push(move)
        line.append(move)
    return line
