"""Searches that run while their reports are read."""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from typing import Any, Protocol

from ._limit import Info


class Reports(Protocol):
    """The reports of a search, each with its lines, best first."""

    def __next__(self) -> list[Info]:
        """Waits for the next report. Raises StopIteration at the end."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ends the search soon."""


class AsyncReports(Protocol):
    """The same for an event loop."""

    async def __anext__(self) -> list[Info]:
        """Waits for the next report. Raises StopAsyncIteration at the end."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ends the search soon."""


class _Lines:
    """The lines that were read."""

    def __init__(self) -> None:
        self._waiting: list[Info] = []
        self.multipv: list[Info] = []
        """The lines of the last report read, best first."""

    @property
    def info(self) -> Info:
        """The best line of the last report read."""
        return self.multipv[0] if self.multipv else Info()

    def stop(self) -> None:
        """Ends the search soon. Its last reports can still be read."""
        raise NotImplementedError

    def __del__(self) -> None:
        # A loop over the reports that was left by `break`, without `with`.
        with contextlib.suppress(Exception):
            self.stop()

    def _take(self, lines: list[Info]) -> None:
        self._waiting = [info for info in lines if not any(info is known for known in self.multipv)]
        self.multipv = lines


class Analysis(_Lines):
    """A search that runs while its reports are read.

    Iterating gives an `Info` for each line that is new in a report; it ends with the search. Leaving a `with` block
    stops the search, and so does forgetting this object.
    """

    def __init__(self, search: Reports) -> None:
        super().__init__()
        self._search = search

    def stop(self) -> None:
        """Ends the search soon. Its last reports can still be read."""
        self._search.stop()

    def wait(self) -> list[Info]:
        """Waits for the end of the search and returns the last lines."""
        for _ in self:
            pass
        return self.multipv

    def __iter__(self) -> Iterator[Info]:
        return self

    def __next__(self) -> Info:
        while not self._waiting:
            self._take(self._search.__next__())
        return self._waiting.pop(0)

    def __enter__(self) -> Analysis:
        return self

    def __exit__(self, *error: Any) -> None:
        self.stop()


class AsyncAnalysis(_Lines):
    """An `Analysis` for `async for` and `async with`, with which the search begins.

    It is stopped by leaving `async with`, and if the task is cancelled that waits for a report.
    """

    def __init__(self, begin: Callable[[], Awaitable[AsyncReports]]) -> None:
        super().__init__()
        self._begin = begin
        self._search: AsyncReports | None = None
        self._stopped = False

    def stop(self) -> None:
        """Ends the search soon. Its last reports can still be read."""
        self._stopped = True
        if self._search is not None:
            self._search.stop()

    async def wait(self) -> list[Info]:
        """Waits for the end of the search and returns the last lines."""
        async for _ in self:
            pass
        return self.multipv

    def __aiter__(self) -> AsyncIterator[Info]:
        return self

    async def __anext__(self) -> Info:
        search = await self._begun()
        while not self._waiting:
            self._take(await search.__anext__())
        return self._waiting.pop(0)

    async def __aenter__(self) -> AsyncAnalysis:
        await self._begun()
        return self

    async def __aexit__(self, *error: Any) -> None:
        self.stop()

    async def _begun(self) -> AsyncReports:
        if self._search is None:
            if self._stopped:
                raise StopAsyncIteration
            self._search = await self._begin()
        return self._search
