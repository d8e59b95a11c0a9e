"""Searches of the engine of this package, for which a thread or an event loop waits."""

from __future__ import annotations

import asyncio
import atexit
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass
from functools import partial
from typing import Generic, TypeVar

from . import _native

Found = TypeVar("Found")
Result = TypeVar("Result")

Notify = Callable[[], object]
"""Is called in any thread when there is an answer."""

# A search that still runs when the program ends.
atexit.register(_native.end_notifications)


class AsyncSearch(Generic[Found]):
    """A search whose answers wake the event loop. It is stopped if the task is cancelled that waits for it."""

    def __init__(self, start: Callable[[Notify], _native.Search[Found]]) -> None:
        self._woken = asyncio.Event()
        loop = asyncio.get_running_loop()
        self._search = start(partial(loop.call_soon_threadsafe, self._woken.set))

    def __aiter__(self) -> AsyncIterator[Found]:
        return self

    async def __anext__(self) -> Found:
        try:
            while (answer := self._search.poll()) is None:
                self._woken.clear()
                await self._woken.wait()
        except StopIteration:
            raise StopAsyncIteration from None
        except asyncio.CancelledError:
            self.stop()
            raise
        return answer

    async def result(self) -> Found:
        """Waits for the end and returns the last answer."""
        answers: list[Found] = []
        async for answer in self:
            answers = [answer]
        if not answers:
            raise RuntimeError("the search ended without an answer")
        return answers[0]

    def stop(self) -> None:
        """Ends the search soon."""
        self._search.stop()


@dataclass(frozen=True)
class Job(Generic[Found, Result]):
    """A search that can be started, and what is made of its last answer."""

    start: Callable[[Notify | None], _native.Search[Found]]
    finish: Callable[[Found], Result]

    def wait(self) -> Result:
        """Searches, with this thread."""
        return self.finish(self.start(None).result())

    async def awaited(self) -> Result:
        """Searches, while the event loop does other work."""
        return self.finish(await AsyncSearch(self.start).result())
