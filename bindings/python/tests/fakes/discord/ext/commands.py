"""A bot that gets its messages from stdin, each with the number of its channel before it, and answers on stdout. Messages
are handled at once, as those of Discord; `wait` waits for all before it."""

import asyncio
import inspect
import sys
from collections import defaultdict
from collections.abc import Awaitable, Callable
from contextlib import nullcontext
from dataclasses import dataclass
from enum import Enum
from typing import Any

from discord import Intents

Handler = Callable[..., Awaitable[None]]


class CommandError(Exception):
    pass


class CommandInvokeError(CommandError):
    def __init__(self, original: Exception) -> None:
        super().__init__(f"Command raised an exception: {original}")
        self.original = original


class BucketType(Enum):
    channel = 3


@dataclass
class Channel:
    id: int


@dataclass
class Context:
    channel: Channel

    async def send(self, content: str) -> None:
        print(f"{self.channel.id} {content!r}", flush=True)

    def typing(self) -> "nullcontext[None]":
        return nullcontext()


def max_concurrency(number: int, per: BucketType, *, wait: bool) -> Callable[[Handler], Handler]:
    assert (number, per, wait) == (1, BucketType.channel, True)
    locks: defaultdict[int, asyncio.Lock] = defaultdict(asyncio.Lock)

    def decorator(handler: Handler) -> Handler:
        async def one_at_a_time(ctx: Context, *words: Any) -> None:
            async with locks[ctx.channel.id]:
                await handler(ctx, *words)

        one_at_a_time.__name__, one_at_a_time.__signature__ = handler.__name__, inspect.signature(handler)  # type: ignore
        return one_at_a_time

    return decorator


class Bot:
    def __init__(self, command_prefix: str, intents: Intents) -> None:
        # Without this intent a bot sees no text.
        assert intents.message_content
        self.prefix = command_prefix
        self.commands: dict[str, Handler] = {}
        self.events: dict[str, Handler] = {}

    def command(self) -> Callable[[Handler], Handler]:
        return lambda handler: self.commands.setdefault(handler.__name__, handler)

    def event(self, handler: Handler) -> Handler:
        return self.events.setdefault(handler.__name__, handler)

    def run(self, token: str) -> None:
        assert token
        asyncio.run(self._run())

    async def _run(self) -> None:
        tasks: list[asyncio.Task[None]] = []
        for line in sys.stdin:
            if line.strip() == "wait":
                await asyncio.gather(*tasks)
            else:
                channel, _, text = line.strip().partition(" ")
                tasks.append(asyncio.create_task(self._invoke(Context(Channel(int(channel))), text)))
                await asyncio.sleep(0.05)
        await asyncio.gather(*tasks)

    async def _invoke(self, ctx: Context, text: str) -> None:
        name, *words = text.removeprefix(self.prefix).split()
        handler = self.commands[name]
        kinds = [parameter.annotation for parameter in inspect.signature(handler).parameters.values()][1:]
        try:
            await handler(ctx, *(kind(word) for kind, word in zip(kinds, words)))
        except Exception as error:
            await self.events["on_command_error"](ctx, CommandInvokeError(error))
