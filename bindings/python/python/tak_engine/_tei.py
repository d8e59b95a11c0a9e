"""Other engines, which speak TEI, each in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import threading
import time
import weakref
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import IO, Any, TypeVar, overload

from ._analysis import Analysis, AsyncAnalysis, AsyncReports
from ._engine import Moves, first
from ._errors import EngineError, EngineTerminatedError
from ._limit import MAX_SECONDS, Info, Limit, PlayResult, any_limit, limited
from ._native import Game
from ._tei_protocol import Conversation, Option, Steps, TeiSearch, Value, Wait

MAX_LINE = 1 << 20
"""Characters; a longer line is read in parts."""
MAX_LAST_WORDS = 3
"""As many first and last lines on stderr are part of the error if an engine ends."""
MAX_WORDS = 200
"""Characters of each."""

Command = str | os.PathLike[str] | Sequence[str]
Stderr = int | IO[Any] | None
T = TypeVar("T")


class _Process:
    """The process of an engine, read by threads. `notify` is called after each of its lines.

    Its threads must not know the engine that it is for: forgetting that one ends the process.
    """

    def __init__(self, command: Command, timeout: float, stderr: Stderr, notify: Callable[[], object]) -> None:
        if not isinstance(command, (str, os.PathLike, Sequence)):
            raise TypeError(f"command must be a program, or a list of it and its arguments, not {type(command).__name__}")
        words = [os.fspath(command)] if isinstance(command, (str, os.PathLike)) else list(command)
        if not words:
            raise ValueError("the command is empty")
        if isinstance(timeout, bool) or not isinstance(timeout, (int, float)):
            raise TypeError(f"timeout must be a number of seconds, not {type(timeout).__name__}")
        if not 0 < timeout <= MAX_SECONDS:
            raise ValueError(f"timeout {timeout} is out of range, expected more than 0 and up to 1e9 seconds")
        if not (stderr is None or isinstance(stderr, int) or hasattr(stderr, "fileno")):
            raise TypeError(f"stderr must be a file or a constant of subprocess, not {type(stderr).__name__}")
        self._owner = os.getpid()
        self.conversation = Conversation(self._send, timeout)
        self.is_closed = False
        self._notify = notify
        self._first_words: list[str] = []
        self._left_out: list[str] = []
        self._last_words: deque[str] = deque()
        self._process = subprocess.Popen(
            words,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE if stderr is None else stderr,
            text=True,
            encoding="utf-8",
            errors="replace",
            bufsize=1,
            # Ctrl-C is for this program, which then stops the search.
            start_new_session=True,
        )
        self._listener = threading.Thread(target=self._listen, daemon=True)
        self._listener.start()
        threading.Thread(target=self._read, daemon=True).start()

    def is_own(self) -> bool:
        """Returns whether this process has started it. A fork of this process has no threads to read it."""
        return os.getpid() == self._owner

    def check_open(self) -> None:
        if not self.is_own():
            raise RuntimeError("the engine belongs to the process that started it: start one after the fork")
        if self.is_closed:
            raise EngineTerminatedError("the engine is closed")

    def kill(self) -> None:
        if not self.is_own():
            return
        self.is_closed = True
        if self._process.poll() is None:
            self._process.kill()
        # What was not yet written is lost.
        with contextlib.suppress(OSError):
            _pipe(self._process.stdin).close()
        self._process.wait()

    def _send(self, line: str) -> None:
        if not self.is_own():
            return
        if self.conversation.end is not None:
            raise EngineTerminatedError(f"the engine has {self.conversation.end}, before {line.split()[0]!r}")
        try:
            _pipe(self._process.stdin).write(line + "\n")
        except (OSError, ValueError):
            # How it has ended is soon known, but an event loop must not wait for that.
            threading.Thread(target=self._finish, args=("closed its input",), daemon=True).start()

    def _read(self) -> None:
        try:
            with _pipe(self._process.stdout) as output, contextlib.suppress(OSError, ValueError):
                while line := output.readline(MAX_LINE):
                    self.conversation.receive(line)
                    self._notify()
        finally:
            self._finish("closed its output")

    def _listen(self) -> None:
        """Reads stderr, which would else stop the engine when it is full."""
        if self._process.stderr is not None:
            with self._process.stderr as stderr, contextlib.suppress(OSError, ValueError):
                while line := stderr.readline(MAX_LINE):
                    if line.strip():
                        self._take_words(line.strip()[:MAX_WORDS])

    def _take_words(self, line: str) -> None:
        words = "".join(char if char.isprintable() else char.encode("unicode_escape").decode() for char in line)
        if len(self._first_words) < MAX_LAST_WORDS:
            self._first_words.append(words)
            return
        self._last_words.append(words)
        if len(self._last_words) > MAX_LAST_WORDS:
            self._last_words.popleft()
            self._left_out = ["..."]

    def _finish(self, end: str) -> None:
        """Tells how the engine has ended, or else that it goes on without a pipe."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            end = f"ended with code {self._process.wait(1)}"
        self._listener.join(1)
        words = [*self._first_words, *self._left_out, *self._last_words]
        self.conversation.ended(": ".join([end, "; ".join(words)] if words else [end]))
        self._notify()


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


class _TeiEngine:
    """What `TeiEngine` and `AsyncTeiEngine` share."""

    def __init__(self, command: Command, timeout: float, stderr: Stderr, notify: Callable[[], object]) -> None:
        self._process = _Process(command, timeout, stderr, notify)
        self._talk = self._process.conversation
        # An engine that was forgotten.
        weakref.finalize(self, self._process.kill)

    @property
    def id(self) -> dict[str, str]:
        """What the engine says of itself: "name", "author" and others."""
        return self._talk.id

    @property
    def options(self) -> dict[str, Option]:
        """The options that the engine announces, by name."""
        return self._talk.options

    @property
    def sizes(self) -> list[int] | None:
        """The sizes of boards that the engine announces, None if it does not."""
        return self._talk.sizes

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self.id.get('name', 'without a name')!r}>"


class TeiEngine(_TeiEngine):
    """An engine in a process of its own that speaks TEI, with the methods `analyse`, `analysis` and `play` of `Engine`.

    `popen` starts it. A `with` block ends it. One engine runs one search at a time: further ones wait, but an
    `analysis` is stopped.

    Nothing is sent to it that it has not announced: a size, a komi or an option that it does not have is a ValueError,
    which names what it has. `options` of a search count for that search only.
    """

    def __init__(self, command: Command, timeout: float, stderr: Stderr) -> None:
        self._changed = changed = threading.Condition()
        self._lock = threading.Lock()

        def notify() -> None:
            with changed:
                changed.notify_all()

        super().__init__(command, timeout, stderr, notify)

    @classmethod
    def popen(cls, command: Command, *, timeout: float = 10.0, stderr: Stderr = None) -> TeiEngine:
        """Starts an engine: a program, or a list of a program and its arguments.

        `timeout` are the seconds within which it must answer, beyond the time of a search. `stderr` is where its log
        goes, as for `subprocess.Popen`; by default only the first and last lines are kept, for the text of an
        EngineTerminatedError. Raises OSError if there is no such program, EngineError if it does not speak TEI.
        """
        engine = cls(command, timeout, stderr)
        try:
            engine._run(engine._talk.greet())
        except BaseException:
            engine._process.kill()
            raise
        return engine

    def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options of the engine, all or none. None is the value of a button. Raises ValueError for an option or a
        value that it does not have."""
        self._run(self._talk.configure(options))

    @overload
    def analyse(
        self,
        game: Game,
        limit: Limit,
        multipv: None = None,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> Info: ...

    @overload
    def analyse(
        self,
        game: Game,
        limit: Limit,
        multipv: int,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> list[Info]: ...

    def analyse(
        self,
        game: Game,
        limit: Limit,
        multipv: int | None = None,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> Info | list[Info]:
        """Searches the position, see `Engine.analyse`."""
        lines = self._run(self._talk.result(game, limited(limit), multipv, root_moves, options)).lines
        return lines if multipv is not None else first(lines)

    def analysis(
        self,
        game: Game,
        limit: Limit | None = None,
        multipv: int | None = None,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> Analysis:
        """Begins a search and returns at once, see `Engine.analysis`."""
        search = self._run(self._talk.search(game, any_limit(limit), multipv, root_moves, options))
        return Analysis(_Reports(self, search))

    def play(
        self,
        game: Game,
        limit: Limit,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> PlayResult:
        """The move that the engine plays. Raises EngineError if it is not a legal one."""
        search = self._run(self._talk.result(game, limited(limit), None, root_moves, options))
        return PlayResult(search.best, first(search.lines))

    def close(self) -> None:
        """Ends the engine and its searches; it is killed if it does not obey. Later calls raise EngineTerminatedError.
        After a fork it does nothing in the child, whose engine it is not."""
        if self._process.is_own() and not self._process.is_closed:
            try:
                with contextlib.suppress(EngineError):
                    self._drive(self._talk.quit())
            finally:
                self._process.kill()

    def quit(self) -> None:
        """The same as `close`."""
        self.close()

    def __enter__(self) -> TeiEngine:
        return self

    def __exit__(self, *error: Any) -> None:
        self.close()

    def _run(self, steps: Steps[T]) -> T:
        """Goes through steps that no others may interrupt."""
        self._process.check_open()
        with self._lock:
            return self._drive(steps)

    def _drive(self, steps: Steps[T]) -> T:
        with contextlib.closing(steps):
            self._process.check_open()
            while True:
                try:
                    wait = next(steps)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                self._wait(wait)

    def _wait(self, wait: Wait) -> None:
        with self._changed:
            while not self._talk.is_over(wait):
                # Short, since Ctrl-C does not end a long wait on every system.
                self._changed.wait(0.05)


class _Reports:
    """The reports of a search."""

    def __init__(self, engine: TeiEngine, search: TeiSearch) -> None:
        self._engine, self._search = engine, search

    def __next__(self) -> list[Info]:
        lines = self._engine._drive(self._engine._talk.report(self._search))
        if lines is None:
            raise StopIteration
        return lines

    def stop(self) -> None:
        self._engine._talk.stop(self._search)


class AsyncTeiEngine(_TeiEngine):
    """A `TeiEngine` for asyncio, whose methods are awaited. A search is stopped if its task is cancelled. `async with`
    ends the engine:

    `async with await AsyncTeiEngine.popen("tak-engine") as engine: ...`
    """

    def __init__(self, command: Command, timeout: float, stderr: Stderr) -> None:
        self._loop = loop = asyncio.get_running_loop()
        self._changed = changed = asyncio.Event()
        self._lock = asyncio.Lock()

        def notify() -> None:
            # A loop that is closed has nobody who waits.
            if not changed.is_set():
                with contextlib.suppress(RuntimeError):
                    loop.call_soon_threadsafe(changed.set)

        super().__init__(command, timeout, stderr, notify)

    @classmethod
    async def popen(cls, command: Command, *, timeout: float = 10.0, stderr: Stderr = None) -> AsyncTeiEngine:
        """Starts an engine, see `TeiEngine.popen`."""
        engine = cls(command, timeout, stderr)
        try:
            await engine._run(engine._talk.greet())
        except BaseException:
            engine._process.kill()
            raise
        return engine

    async def configure(self, options: Mapping[str, Value]) -> None:
        """Sets options of the engine, see `TeiEngine.configure`."""
        await self._run(self._talk.configure(options))

    @overload
    async def analyse(
        self,
        game: Game,
        limit: Limit,
        multipv: None = None,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> Info: ...

    @overload
    async def analyse(
        self,
        game: Game,
        limit: Limit,
        multipv: int,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> list[Info]: ...

    async def analyse(
        self,
        game: Game,
        limit: Limit,
        multipv: int | None = None,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> Info | list[Info]:
        """Searches the position, see `Engine.analyse`."""
        search = await self._run(self._talk.result(game, limited(limit), multipv, root_moves, options))
        return search.lines if multipv is not None else first(search.lines)

    def analysis(
        self,
        game: Game,
        limit: Limit | None = None,
        multipv: int | None = None,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> AsyncAnalysis:
        """A search for `async for` or `async with`, see `Engine.analysis`."""

        async def begin() -> AsyncReports:
            steps = self._talk.search(game, any_limit(limit), multipv, root_moves, options)
            return _AsyncReports(self, await self._run(steps))

        return AsyncAnalysis(begin)

    async def play(
        self,
        game: Game,
        limit: Limit,
        *,
        root_moves: Moves | None = None,
        options: Mapping[str, Value] | None = None,
    ) -> PlayResult:
        """The move that the engine plays. Raises EngineError if it is not a legal one."""
        search = await self._run(self._talk.result(game, limited(limit), None, root_moves, options))
        return PlayResult(search.best, first(search.lines))

    async def close(self) -> None:
        """Ends the engine, see `TeiEngine.close`. In another event loop than its own it is killed at once."""
        if self._process.is_own() and not self._process.is_closed:
            try:
                if asyncio.get_running_loop() is self._loop:
                    with contextlib.suppress(EngineError):
                        await self._drive(self._talk.quit())
            finally:
                self._process.kill()

    async def quit(self) -> None:
        """The same as `close`."""
        await self.close()

    async def __aenter__(self) -> AsyncTeiEngine:
        return self

    async def __aexit__(self, *error: Any) -> None:
        await self.close()

    async def _run(self, steps: Steps[T]) -> T:
        """Goes through steps that no others may interrupt."""
        self._check_loop()
        async with self._lock:
            return await self._drive(steps)

    def _check_loop(self) -> None:
        if asyncio.get_running_loop() is not self._loop:
            raise RuntimeError("the engine belongs to another event loop: start one in each")

    async def _drive(self, steps: Steps[T]) -> T:
        with contextlib.closing(steps):
            self._check_loop()
            self._process.check_open()
            while True:
                try:
                    wait = next(steps)
                except StopIteration as end:
                    return end.value  # type: ignore[no-any-return]
                await self._wait(wait)

    async def _wait(self, wait: Wait) -> None:
        while not self._talk.is_over(wait):
            deadline = wait.deadline()
            # Not `wait_for`, which can lose a cancellation before Python 3.12.
            left = None if deadline is None else deadline - time.monotonic() + 0.001
            timer = None if left is None else self._loop.call_later(left, self._changed.set)
            try:
                await self._changed.wait()
            finally:
                if timer is not None:
                    timer.cancel()
            self._changed.clear()


class _AsyncReports:
    """The reports of a search, for an event loop."""

    def __init__(self, engine: AsyncTeiEngine, search: TeiSearch) -> None:
        self._engine, self._search = engine, search

    async def __anext__(self) -> list[Info]:
        lines = await self._engine._drive(self._engine._talk.report(self._search))
        if lines is None:
            raise StopAsyncIteration
        return lines

    def stop(self) -> None:
        self._engine._talk.stop(self._search)
