#!/usr/bin/env bash
# Games with real clocks on an overloaded machine, see docs/training.md. Takes about half an hour.
# Usage: scripts/clock_run.sh [PROGRAM [FOLDER [BASE]]], with BASE to play only games with this clock.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-$(mktemp -d)}
only=${3:-}

# The loops and two games share two processors, however many there are.
processors=$(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' | awk -F- '{ for (i = $1; i <= ($2 ? $2 : $1); i++) print i }' | head -2 | paste -sd,)
loops=()
trap 'kill "${loops[@]}" 2>/dev/null || true' EXIT

# Moves of a journal that were made with half a second or half the clock left, and the shallow ones among them. Moves that were
# the only legal one, and proven results, do not count.
shallow() {
    awk -v base="$1" -v increment="$2" -F '{"mv":' '
        function value(name) { return match($i, "\"" name "\":[0-9]+") ? substr($i, RSTART + length(name) + 3) + 0 : 0 }
        {
            split(base " " base, left, " ")
            for (i = 2; i <= NF; i++) {
                used = value("us") / 1000000
                if (used == 0) continue
                if (left[i % 2 + 1] >= (base < 1 ? base / 2 : 0.5) && $i !~ /"solved"/ && value("nodes") != 1) {
                    moves++
                    few += value("depth") <= 2
                }
                left[i % 2 + 1] += increment - used
            }
        }
        END { printf "%d %d\n", few, moves }' "$3"
}

failed=0
# Busy loops, clock, games, board, komi, most games lost, most shallow moves in per cent, and options.
while read -r count base increment games size komi may_lose percent options; do
    if [ -n "$only" ] && [ "$only" != "$base" ]; then continue; fi
    loops=()
    for _ in $(seq "$count"); do
        taskset -c "$processors" sh -c 'while :; do :; done' &
        loops+=($!)
    done
    journal="$folder/$count-$base+$increment-$size-${options// /-}.jsonl"
    # shellcheck disable=SC2086
    taskset -c "$processors" "$program" tournament --engine path="$program" name=a --engine path="$program" name=b \
        --all-engines tc="$base+$increment" timemargin=0 $options --openings "openings/${size}s_komi$komi.txt" --size "$size" --komi "$komi" \
        --games "$games" --threads 2 --journal "$journal" >"${journal%.jsonl}.txt" 2>&1
    kill "${loops[@]}" 2>/dev/null || true
    lost=$(grep -c '"time-forfeit"' "$journal" || true)
    read -r few moves <<<"$(shallow "$base" "$increment" "$journal")"
    echo "$base+$increment on ${size}x$size $options, $count loops: $lost of $games games lost on time, $few of $moves moves shallow"
    if ((lost > may_lose || few * 100 > moves * percent)); then failed=1; fi
done <<'GAMES'
0 0.3 0.003 100 5 2 0 3
0 0.3 0.003 100 6 2 0 3
0 0.3 0.003 100 7 0 0 3
4 0.3 0.003 100 5 2 3 3
4 0.3 0.003 100 6 2 3 3
4 0.3 0.003 100 7 0 3 3
6 1 0.01 200 6 2 0 1
6 10 0.1 50 6 2 0 1
6 1 0.01 20 7 0 0 1
6 1 0.01 20 7 0 0 1 option.Hash=256 option.Threads=2
GAMES
exit "$failed"
