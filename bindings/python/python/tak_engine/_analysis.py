"""A search that runs while its reports are read."""

from __future__ import annotations

from collections.abc import Iterator
from types import TracebackType
from typing import Protocol

from ._limit import Info


class Search(Protocol):
    """A search of some engine."""

    def __next__(self) -> list[Info]:
        """The lines of the next report, best first. Raises StopIteration at the end."""
        raise NotImplementedError

    def stop(self) -> None:
        """Ends the search soon."""


class Analysis:
    """A search that runs while its reports are read.

    Iterating gives an `Info` for each line that is new in a report; it ends with the search. Leaving a `with` block
    stops the search.
    """

    def __init__(self, search: Search) -> None:
        self._search = search
        self._waiting: list[Info] = []
        self.multipv: list[Info] = []
        """The lines of the last report read, best first."""

    @property
    def info(self) -> Info:
        """The best line of the last report read."""
        return self.multipv[0] if self.multipv else Info()

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
            lines = self._search.__next__()
            self._waiting = [info for info in lines if not any(info is known for known in self.multipv)]
            self.multipv = lines
        return self._waiting.pop(0)

    def __enter__(self) -> Analysis:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()
