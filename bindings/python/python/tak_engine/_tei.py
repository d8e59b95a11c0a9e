"""Other engines, which speak TEI, each in a process of its own."""

from __future__ import annotations

import asyncio
import contextlib
import os
import subprocess
import threading
import time
from collections import deque
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import IO, Any, TypeVar, overload

from ._analysis import Analysis, AsyncAnalysis, AsyncReports
from ._engine import Moves, first
from ._errors import EngineError, EngineTerminatedError
from ._limit import Info, Limit, PlayResult, any_limit, limited
from ._native import Game
from ._tei_protocol import Conversation, Option, Steps, TeiSearch, Value, Wait

MAX_LINE = 1 << 20
"""Characters; a longer line is read in parts."""
MAX_LAST_WORDS = 5
"""Lines on stderr that are part of the error if an engine ends."""
MAX_WORDS = 200
"""Characters of each."""

Command = str | os.PathLike[str] | Sequence[str]
Stderr = int | IO[Any] | None
T = TypeVar("T")


class _Process:
    """The process of an engine, read by threads. `notify` is called after each of its lines."""

    def __init__(self, command: Command, timeout: float, stderr: Stderr, notify: Callable[[], object]) -> None:
        words = [os.fspath(command)] if isinstance(command, (str, os.PathLike)) else list(command)
        if not words:
            raise ValueError("the command is empty")
        self.conversation = Conversation(self._send, timeout)
        self.is_closed = False
        self._notify = notify
        self._last_words: deque[str] = deque(maxlen=MAX_LAST_WORDS)
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

    def check_open(self) -> None:
        if self.is_closed:
            raise EngineTerminatedError("the engine is closed")

    def kill(self) -> None:
        self.is_closed = True
        # What was not yet written to an engine that has ended is lost.
        with contextlib.suppress(OSError):
            _pipe(self._process.stdin).close()
        if self._process.poll() is None:
            self._process.kill()
        self._process.wait()

    def _send(self, line: str) -> None:
        try:
            _pipe(self._process.stdin).write(line + "\n")
        except (OSError, ValueError) as error:
            end = self.conversation.end or self._end()
            raise EngineTerminatedError(f"the engine has {end}, before {line.split()[0]!r}") from error

    def _read(self) -> None:
        end = "closed its output"
        try:
            with _pipe(self._process.stdout) as output, contextlib.suppress(OSError, ValueError):
                while line := output.readline(MAX_LINE):
                    self.conversation.receive(line)
                    self._notify()
            end = self._end()
        finally:
            self.conversation.ended(end)
            self._notify()

    def _listen(self) -> None:
        """Reads stderr, which would else stop the engine when it is full."""
        if self._process.stderr is not None:
            with self._process.stderr as stderr, contextlib.suppress(OSError, ValueError):
                while line := stderr.readline(MAX_LINE):
                    if line.strip():
                        self._last_words.append(line.strip()[:MAX_WORDS])

    def _end(self) -> str:
        """How an engine that says nothing more has ended."""
        try:
            end = f"ended with code {self._process.wait(1)}"
        except subprocess.TimeoutExpired:
            end = "closed its output"
        self._listener.join(1)
        return ": ".join([end, "; ".join(self._last_words)] if self._last_words else [end])


def _pipe(pipe: IO[str] | None) -> IO[str]:
    assert pipe is not None
    return pipe


class _TeiEngine:
    """What `TeiEngine` and `AsyncTeiEngine` share."""

    def __init__(self, command: Command, timeout: float, stderr: Stderr) -> None:
        self._process = _Process(command, timeout, stderr, self._notify)
        self._talk = self._process.conversation

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

    def _notify(self) -> None:
        raise NotImplementedError


class TeiEngine(_TeiEngine):
    """An engine in a process of its own that speaks TEI, with the methods `analyse`, `analysis` and `play` of `Engine`.

    `popen` starts it. A `with` block ends it. One engine runs one search at a time: further ones wait, but an
    `analysis` is stopped.

    Nothing is sent to it that it has not announced: a size, a komi or an option that it does not have is a ValueError,
    which names what it has. `options` of a search count for that search only.
    """

    def __init__(self, command: Command, timeout: float, stderr: Stderr) -> None:
        self._changed = threading.Condition()
        self._lock = threading.Lock()
        super().__init__(command, timeout, stderr)

    @classmethod
    def popen(cls, command: Command, *, timeout: float = 10.0, stderr: Stderr = None) -> TeiEngine:
        """Starts an engine: a program, or a list of a program and its arguments.

        `timeout` are the seconds within which it must answer, beyond the time of a search. `stderr` is where its log
        goes, as for `subprocess.Popen`; by default only the last lines are kept, for the text of an
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
        """Ends the engine; it is killed if it does not obey. Later calls raise EngineTerminatedError."""
        if not self._process.is_closed:
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

    def _notify(self) -> None:
        with self._changed:
            self._changed.notify_all()


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
        self._loop = asyncio.get_running_loop()
        self._changed = asyncio.Event()
        self._lock = asyncio.Lock()
        super().__init__(command, timeout, stderr)

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
        """Ends the engine, see `TeiEngine.close`."""
        if not self._process.is_closed:
            try:
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
        async with self._lock:
            return await self._drive(steps)

    async def _drive(self, steps: Steps[T]) -> T:
        with contextlib.closing(steps):
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

    def _notify(self) -> None:
        # A loop that is closed has nobody who waits.
        if not self._changed.is_set():
            with contextlib.suppress(RuntimeError):
                self._loop.call_soon_threadsafe(self._changed.set)


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
