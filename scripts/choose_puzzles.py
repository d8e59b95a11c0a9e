#!/usr/bin/env python3
"""Adds puzzles to web/puzzles: python3 scripts/choose_puzzles.py CANDIDATES.jsonl...

Those that are there stay. For each board the rest comes from the candidates, in turn from the rarest kind and, within it,
the rarest grade. No position comes twice, not even rotated, mirrored, with colours swapped, at another move number, with
another komi or as another kind. Prints a table of their kinds and the size of the files.
"""

import collections
import gzip
import json
import pathlib
import sys

# Puzzles wanted by the width of the board, 3,000 in all.
WANTED = {4: 640, 5: 860, 6: 740, 7: 760}
MOST_BYTES = 220_000
FOLDER = pathlib.Path(__file__).parent.parent / "web" / "puzzles"
TAGS = ["Komi", "Player1", "Player2", "Size"]


def squares(board):
    """The stacks of a TPS, by row and column."""
    rows = []
    for line in board.split("/"):
        row = []
        for cell in line.split(","):
            row += [""] * int(cell[1:] or 1) if cell[0] == "x" else [cell]
        rows.append(row)
    return rows


def key(puzzle):
    """The same for positions that are the same puzzle."""
    board, turn, _ = puzzle["tps"].split()
    rows = squares(board)
    if turn == "2":
        swap = str.maketrans("12", "21")
        rows = [[cell.translate(swap) for cell in row] for row in rows]
    images = []
    for _ in range(4):
        rows = [list(row) for row in zip(*rows[::-1])]
        images += [rows, [row[::-1] for row in rows]]
    return min("/".join(",".join(row) for row in image) for image in images)


def group(puzzle):
    kind, plies = puzzle["kind"], puzzle["plies"]
    return f"tinue {plies}" if kind == "tinue" else kind


def grade(puzzle):
    """As in web/src/model/puzzle-list.js."""
    return 0 if puzzle["difficulty"] <= 10 else 1 if puzzle["difficulty"] < 15 else 2


def read(path):
    return [json.loads(line) for line in path.read_text().splitlines()]


def choose(shipped, candidates, wanted):
    chosen = list(shipped)
    seen = {key(puzzle) for puzzle in chosen}
    groups = collections.Counter(map(group, chosen))
    grades = collections.Counter((group(puzzle), grade(puzzle)) for puzzle in chosen)
    left = collections.defaultdict(list)
    for puzzle in candidates:
        if key(puzzle) not in seen:
            seen.add(key(puzzle))
            left[group(puzzle), grade(puzzle)].append(puzzle)
    while len(chosen) < wanted and left:
        place = min(left, key=lambda place: (groups[place[0]], grades[place], place))
        puzzle = left[place].pop(0)
        if not left[place]:
            del left[place]
        groups[place[0]] += 1
        grades[place] += 1
        puzzle["tags"] = {name: puzzle["tags"][name] for name in TAGS}
        chosen.append(puzzle)
    return chosen


def main():
    candidates = collections.defaultdict(list)
    for name in sys.argv[1:]:
        for puzzle in read(pathlib.Path(name)):
            candidates[puzzle["size"]].append(puzzle)
    columns = ["tinue 1", "tinue 3", "tinue 5", "tinue 7", "defence", "flats", "best"]
    total, sums, size = 0, collections.Counter(), 0
    for width, wanted in WANTED.items():
        path = FOLDER / f"{width}x{width}.jsonl"
        chosen = choose(read(path), candidates[width], wanted)
        text = "".join(json.dumps(puzzle, separators=(",", ":")) + "\n" for puzzle in chosen)
        path.write_text(text)
        counts = collections.Counter(map(group, chosen))
        print(f"| {width}x{width} | {len(chosen)} |", " | ".join(str(counts[name]) for name in columns), "|")
        total, sums, size = total + len(chosen), sums + counts, size + len(gzip.compress(text.encode(), 9))
    print(f"| all | {total:,} |", " | ".join(str(sums[name]) for name in columns), "|")
    print(f"{size} bytes gzipped")
    if size > MOST_BYTES:
        sys.exit(f"error: more than {MOST_BYTES} bytes")


if __name__ == "__main__":
    main()
