"""The programs in `examples`, as a user would run them."""

import os
import runpy
import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def run(name: str, text: str) -> list[str]:
    """What it prints, with the libraries in `fakes`."""
    environment = {**os.environ, "PYTHONPATH": str(HERE / "fakes"), "DISCORD_TOKEN": "token"}
    path = HERE.parent / "examples" / name
    done = subprocess.run([sys.executable, str(path)], input=text, capture_output=True, text=True, timeout=120, env=environment)
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


def test_the_discord_bot() -> None:
    said = run(
        "discord_bot.py",
        "1 !hint\nwait\n1 !new 5 317\n2 !new 6\nwait\n"
        # Nobody waits for the hint but channel 1.
        "1 !hint\n2 !move a1\n2 !move a9\n2 !move a1\n3 !new 9\nwait\n1 !move a1\n1 !move e5\n",
    )
    assert said[0] == "1 'there is no game in this channel: !new begins one'"
    assert said[1].startswith("1 'Level 1 of 30") and said[2].startswith("2 'Level 8 of 30")
    assert said[3].startswith("2 '") and "illegal" not in said[3]
    assert "invalid move" in said[4] and "square a1 is not empty" in said[5] and "size 9 is out of range" in said[6]
    assert said[7].startswith("1 '") and (": +" in said[7] or ": -" in said[7])
    assert len(said) == 10 and said[9].startswith("1 '")


def test_learning_begins_at_once() -> None:
    example = runpy.run_path(str(HERE.parent / "examples" / "learn.py"))
    policy = example["RANDOM"]
    assert example["won"](policy, 200) < 60
    for _ in range(3):
        policy = example["learn"](policy)
    assert example["won"](policy, 200) >= 80
