"""A Discord bot that plays Tak. It needs discord.py: `pip install discord.py`, then
`DISCORD_TOKEN=... python discord_bot.py`. In a channel: !new 5 1200, !move c3, !hint."""

import os

import discord
from discord.ext import commands
from tak_engine import AsyncEngine, Game, Limit

intents = discord.Intents.default()
intents.message_content = True
bot = commands.Bot(command_prefix="!", intents=intents)
tables: dict[int, tuple[Game, AsyncEngine]] = {}


def table(ctx: commands.Context) -> tuple[Game, AsyncEngine]:
    if ctx.channel.id not in tables:
        raise ValueError("there is no game in this channel: !new begins one")
    return tables[ctx.channel.id]


@bot.command()
async def new(ctx: commands.Context, size: int = 5, elo: int = 1000) -> None:
    """Begins a game in this channel. You are White."""
    tables[ctx.channel.id] = game, engine = Game(size, komi=2), AsyncEngine(elo=elo, hash=16)
    await ctx.send(f"Level {engine.level} of 30, komi 2.\n```{game}```")


@bot.command()
@commands.max_concurrency(1, commands.BucketType.channel, wait=True)
async def move(ctx: commands.Context, text: str) -> None:
    """Makes your move and answers it."""
    game, engine = table(ctx)
    game.push(text)
    answer = await engine.play(game)
    if answer.move:
        game.push(answer.move)
    await ctx.send(f"{answer.move or 'Well played!'} {game.result or ''}\n```{game}```")


@bot.command()
async def hint(ctx: commands.Context) -> None:
    """Thinks for three seconds and says which move is best, and why."""
    game, engine = table(ctx)
    async with ctx.typing():
        info = await engine.analyse(game, Limit(time=3))
    why = " ".join(reason["text"] for reason in info.get("reasons", []))
    await ctx.send(f"{info['pv'][0]}: {info['score'].relative}. {why}" if info else "The game is over.")


@bot.event
async def on_command_error(ctx: commands.Context, error: commands.CommandError) -> None:
    await ctx.send(str(getattr(error, "original", error)))


if __name__ == "__main__":
    bot.run(os.environ["DISCORD_TOKEN"])
