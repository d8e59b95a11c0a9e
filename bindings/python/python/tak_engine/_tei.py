"""Other engines, which speak TEI."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import threading
import time
from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import IO, overload

from ._analysis import Analysis
from ._engine import MAX_MULTIPV, _first, _limited, _whole
from ._limit import Info, Limit, PlayResult
from ._native import Game, Move
from ._score import PovScore, PovWdl, Score, Wdl


MAX_WAITING = 100_000
"""Lines of an engine that nobody has read."""
MAX_LINE = 1 << 20
"""Characters; a longer line is read in parts."""
MAX_NUMBER = 2**53
"""Greater numbers are read as this."""


class EngineError(RuntimeError):
    """A TEI engine did not do what it should."""


class EngineTerminatedError(EngineError):
    """A TEI engine has ended unexpectedly."""


class TeiEngine:
    """An engine in a process of its own that speaks TEI, with the methods `analyse`, `analysis` and `play` of `Engine`.

    `popen` starts it. A `with` block ends it.
    """

    def __init__(self, process: subprocess.Popen[str], timeout: float = 10.0) -> None:
        self._process = process
        self._timeout = timeout
        # Each with the time when it came; None at the end. An engine that says more is not read on.
        self._lines: queue.Queue[tuple[float, str | None]] = queue.Queue(MAX_WAITING)
        self._killed = False
        self._search: _TeiSearch | None = None
        self._announces_size = False
        self._set: dict[str, str] = {}
        self.id: dict[str, str] = {}
        """What the engine says of itself: "name", "author" and others."""
        self.options: dict[str, str] = {}
        """Its options by name, each with the rest of its line: "type spin default 1 min 1 max 64"."""
        threading.Thread(target=self._read, daemon=True).start()

    @classmethod
    def popen(cls, command: str | os.PathLike[str] | Sequence[str], *, timeout: float = 10.0) -> TeiEngine:
        """Starts an engine: a program, or a list of a program and its arguments.

        `timeout` are the seconds within which it must answer, beyond the time of a search. Raises OSError if there is
        no such program, EngineError if it does not speak TEI.
        """
        words = [os.fspath(command)] if isinstance(command, (str, os.PathLike)) else list(command)
        if not words:
            raise ValueError("the command is empty")
        process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
            # Ctrl-C is for this program, which then stops the search.
            start_new_session=True,
        )
        engine = cls(process, timeout)
        try:
            engine._greet()
        except BaseException:
            engine._kill()
            raise
        return engine

    def configure(self, options: Mapping[str, str | int | bool]) -> None:
        """Sets options of the engine. Raises ValueError for one that it has not."""
        for name, value in options.items():
            if name not in self.options:
                raise ValueError(f"the engine has no option {name!r}, only {', '.join(self.options) or 'none'}")
            text = str(value).lower() if isinstance(value, bool) else str(value)
            if "\n" in text or "\r" in text:
                raise ValueError(f"the value of {name} has more than one line")
            self._end_search()
            self._option(name, text)
        self._ready()

    @overload
    def analyse(self, game: Game, limit: Limit, multipv: None = None) -> Info: ...

    @overload
    def analyse(self, game: Game, limit: Limit, multipv: int) -> list[Info]: ...

    def analyse(self, game: Game, limit: Limit, multipv: int | None = None) -> Info | list[Info]:
        """Searches the position, see `Engine.analyse`."""
        lines = self._start(game, _limited(limit), multipv).result()
        return lines if multipv is not None else _first(lines)

    def analysis(self, game: Game, limit: Limit | None = None, multipv: int | None = None) -> Analysis:
        """Begins a search and returns at once, see `Engine.analysis`."""
        return Analysis(self._start(game, limit or Limit(), multipv))

    def play(self, game: Game, limit: Limit) -> PlayResult:
        """The move that the engine plays. Raises EngineError if it is not a legal one."""
        search = self._start(game, _limited(limit), None)
        info = _first(search.result())
        return PlayResult(search.best, info)

    def quit(self) -> None:
        """Ends the engine; it is killed if it does not obey."""
        if self._process.poll() is None:
            with contextlib.suppress(EngineError):
                self._send("quit")
            with contextlib.suppress(subprocess.TimeoutExpired):
                self._close()
                self._process.wait(self._timeout)
        self._kill()

    def __enter__(self) -> TeiEngine:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.quit()

    def __repr__(self) -> str:
        return f"<TeiEngine {self.id.get('name', 'without a name')!r}>"

    def _greet(self) -> None:
        self._send("tei")
        deadline = time.monotonic() + self._timeout
        while (line := self._line(deadline, "tei")).strip() != "teiok":
            word, _, rest = line.strip().partition(" ")
            if word == "id":
                name, _, value = rest.partition(" ")
                self.id[name] = value
            elif word == "option" and rest.startswith("name "):
                name, _, value = rest[len("name ") :].partition(" type ")
                self.options[name.strip()] = f"type {value}"
            elif word == "size":
                self._announces_size = "halfkomi" in rest
        self._ready()

    def _ready(self) -> None:
        self._send("isready")
        deadline = time.monotonic() + self._timeout
        while self._line(deadline, "isready").strip() != "readyok":
            pass

    def _start(self, game: Game, limit: Limit, multipv: int | None) -> _TeiSearch:
        self._end_search()
        lines = 1 if multipv is None else _whole("multipv", multipv, 1, MAX_MULTIPV)
        self._choose("MultiPV", str(lines), "1")
        self._announce(game)
        root = game.root()
        is_start = root.ply == 0 and set(root.tps.split()[0]) <= set("x12345678/")
        start = "startpos" if is_start else f"tps {root.tps}"
        moves = game.moves
        played = " ".join(["", "moves", *map(str, moves)]) if moves else ""
        self._send(f"position {start}{played}")
        words = ["go"]
        if limit.time is not None:
            words += ["movetime", str(round(limit.time * 1000))]
        if limit.nodes is not None:
            words += ["nodes", str(limit.nodes)]
        if limit.depth is not None:
            words += ["depth", str(limit.depth)]
        if limit.is_empty():
            words.append("infinite")
        self._search = _TeiSearch(self, game, limit)
        self._send(" ".join(words))
        return self._search

    def _announce(self, game: Game) -> None:
        """Announces the board and its rules."""
        self._choose("Opening", game.opening, "swap")
        half = round(2 * game.komi)
        own, other = game.start_reserves
        usual = Game(size=game.size).start_reserves
        if own != other:
            raise ValueError("TEI has no words for players with different reserves")
        self._choose("Flats", str(own[0]) if (own, other) != usual else "0", "0")
        self._choose("Caps", str(own[1]) if (own, other) != usual else "-1", "-1")
        if self._announces_size:
            self._send(f"teinewgame size {game.size} halfkomi {half}")
        else:
            self._choose("HalfKomi", str(half), "0")
            self._send(f"teinewgame {game.size}")

    def _choose(self, name: str, value: str, default: str) -> None:
        """Sets an option if it is not set so. An engine without it can do only what is usual."""
        if self._set.get(name, default) == value:
            return
        if name not in self.options:
            raise ValueError(f"the engine has no option {name!r}, so that it cannot be {value}")
        self._option(name, value)

    def _option(self, name: str, value: str) -> None:
        self._send(f"setoption name {name} value {value}")
        self._set[name] = value

    def _end_search(self) -> None:
        """Ends the search that runs, if any."""
        if self._search is not None:
            self._search.stop()
            self._search.result(time.monotonic() + self._timeout)

    def _send(self, line: str) -> None:
        try:
            self._stdin().write(line + "\n")
        except (OSError, ValueError) as error:
            raise EngineTerminatedError(f"the engine has ended before {line.split()[0]!r}") from error

    def _stdin(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _line(self, deadline: float | None, asked: str) -> str:
        """The next line. Short waits, since Ctrl-C does not end a long one on every system."""
        while True:
            try:
                came, line = self._lines.get(timeout=0.05)
            except queue.Empty:
                came, line = time.monotonic(), ""
            if line is None:
                # For whoever asks again.
                self._lines.put((came, None))
                raise EngineTerminatedError(f"the engine has {self._end()} instead of answering {asked!r}")
            if deadline is not None and came > deadline:
                raise EngineError(f"the engine does not answer {asked!r}")
            if line:
                return line

    def _end(self) -> str:
        """How an engine that says nothing more has ended."""
        try:
            return f"ended with code {self._process.wait(1)}"
        except subprocess.TimeoutExpired:
            return "closed its output"

    def _read(self) -> None:
        assert self._process.stdout is not None
        with contextlib.suppress(OSError, ValueError):
            while line := self._process.stdout.readline(MAX_LINE):
                self._put(line)
        self._put(None)

    def _put(self, line: str | None) -> None:
        came = time.monotonic()
        while not self._killed:
            with contextlib.suppress(queue.Full):
                self._lines.put((came, line), timeout=0.5)
                return

    def _close(self) -> None:
        # What was not yet written to an engine that has ended is lost.
        with contextlib.suppress(OSError):
            self._stdin().close()

    def _kill(self) -> None:
        self._killed = True
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()
        self._close()


class _TeiSearch:
    """A search of a TEI engine."""

    def __init__(self, engine: TeiEngine, game: Game, limit: Limit) -> None:
        self.best: Move | None = None
        self._engine = engine
        self._game = game.copy()
        self._limit = limit
        self._begun = time.monotonic()
        self._stopped: float | None = None
        self._lines: list[Info] = []
        self._runs = True

    def __next__(self) -> list[Info]:
        if not self._report(None):
            raise StopIteration
        return self._lines.copy()

    def result(self, deadline: float | None = None) -> list[Info]:
        try:
            while self._report(deadline):
                pass
        except KeyboardInterrupt:
            self.stop()
            raise
        return self._lines.copy()

    def stop(self) -> None:
        if self._runs and self._stopped is None:
            self._stopped = time.monotonic()
            self._engine._send("stop")

    def _deadline(self) -> float | None:
        if self._stopped is not None:
            return self._stopped + self._engine._timeout
        return None if self._limit.time is None else self._begun + self._limit.time + self._engine._timeout

    def _report(self, deadline: float | None) -> bool:
        """Reads up to the next report; false at the end of the search."""
        while self._runs:
            try:
                line = self._engine._line(deadline or self._deadline(), "go")
            except EngineError:
                self._end()
                raise
            words = line.split()
            if words[:1] == ["bestmove"]:
                self._end()
                self.best = self._move(words[1:])
            elif words[:1] == ["info"] and self._take(words[1:]):
                return True
        return False

    def _end(self) -> None:
        self._runs = False
        if self._engine._search is self:
            self._engine._search = None

    def _move(self, words: list[str]) -> Move | None:
        if self._game.result is not None:
            return None
        text = words[0] if words else ""
        try:
            return self._game.parse_move(text)
        except ValueError as error:
            raise EngineError(f"the engine's best move is {text!r}: {error}") from error

    def _take(self, words: list[str]) -> bool:
        """Takes an `info` line; false if it has no line of play."""
        info = parse_info(words, self._game)
        if not info.get("pv"):
            return False
        place = info.setdefault("multipv", 1) - 1
        if not 0 <= place <= len(self._lines):
            return False
        self._lines[place : place + 1] = [info]
        return True


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
        if word in COUNTS and (number := _number(rest)) is not None and number >= 0:
            # The keys are those of the words.
            info[word] = number  # type: ignore[literal-required]
        elif word == "time" and (number := _number(rest)) is not None:
            info["time"] = number / 1000
        elif word == "wdl":
            numbers = [_number(rest) for _ in range(3)]
            known = [number for number in numbers if number is not None]
            if len(known) == len(numbers):
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
    number = _number(rest)
    if number is None or kind not in ("cp", "solved", "mate", "win"):
        return
    is_solved = kind != "cp"
    info["solved"] = is_solved
    number = -number if is_loss else number
    score = Score(win=number, lost=is_loss and number == 0) if is_solved else Score(cp=number)
    info["score"] = PovScore(score, game.turn)


def _number(rest: list[str]) -> int | None:
    """The next word, if it is a number."""
    try:
        number = int(rest[0])
    except (IndexError, ValueError):
        return None
    rest.pop(0)
    return max(-MAX_NUMBER, min(number, MAX_NUMBER))


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
