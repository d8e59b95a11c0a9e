#!/usr/bin/env bash
# Games with real clocks on an overloaded machine. None may be lost on time, and of the moves made with half a second left
# and without a proven result at most 1 % may be made at depth 2 or less. Takes about half an hour; see docs/clock.md.
# Usage: scripts/clock_run.sh [PROGRAM [FOLDER [LOOPS]]], LOOPS being the busy loops beside the games.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-$(mktemp -d)}
count=${3:-6}

# The loops and two games share two processors, however many there are.
processors=$(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' | awk -F- '{ for (i = $1; i <= ($2 ? $2 : $1); i++) print i }' | head -2 | paste -sd,)
loops=()
trap 'kill "${loops[@]}" 2>/dev/null || true' EXIT
for _ in $(seq "$count"); do
    taskset -c "$processors" sh -c 'while :; do :; done' &
    loops+=($!)
done

# Moves of a journal that were made with half a second left, and the shallow ones among them. Moves that were the only legal
# one, and proven results, do not count.
shallow() {
    awk -v base="$1" -v increment="$2" -F '{"mv":' '
        function value(name) { return match($i, "\"" name "\":[0-9]+") ? substr($i, RSTART + length(name) + 3) + 0 : 0 }
        {
            split(base " " base, left, " ")
            for (i = 2; i <= NF; i++) {
                used = value("us") / 1000000
                if (used == 0) continue
                if (left[i % 2 + 1] >= 0.5 && $i !~ /"solved"/ && value("nodes") != 1) {
                    moves++
                    few += value("depth") <= 2
                }
                left[i % 2 + 1] += increment - used
            }
        }
        END { printf "%d %d\n", few, moves }' "$3"
}

failed=0
# Clock, games, board, komi and options.
while read -r base increment games size komi options; do
    journal="$folder/$base+$increment-$size-${options// /-}.jsonl"
    # shellcheck disable=SC2086
    taskset -c "$processors" "$program" tournament --engine path="$program" name=a --engine path="$program" name=b \
        --all-engines tc="$base+$increment" timemargin=0 $options --openings "openings/${size}s_komi$komi.txt" --size "$size" --komi "$komi" \
        --games "$games" --concurrency 2 --journal "$journal" >"${journal%.jsonl}.txt" 2>&1
    lost=$(grep -c '"time-forfeit"' "$journal" || true)
    read -r few moves <<<"$(shallow "$base" "$increment" "$journal")"
    echo "$base+$increment on ${size}x$size $options: $lost of $games games lost on time, $few of $moves moves shallow with half a second left"
    if ((lost > 0 || few * 100 > moves)); then failed=1; fi
done <<'GAMES'
1 0.01 200 6 2
10 0.1 50 6 2
1 0.01 20 7 0
1 0.01 20 7 0 option.Hash=256 option.Threads=2
GAMES
exit "$failed"
