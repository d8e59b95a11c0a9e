#!/usr/bin/env bash
# Games on short clocks on a machine that is too busy: none may be lost on time. Takes a quarter of an hour; see docs/clock.md.
# Usage: tests/clock_run.sh [PROGRAM [FOLDER [GAMES]]], GAMES being those at 2 s + 0.02 s, half as many at 1 s + 0.01 s.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-$(mktemp -d)}
games=${3:-200}

# Six loops and two games share two processors, however many there are.
processors=$(taskset -cp $$ | sed 's/.*: //' | tr ',' '\n' | awk -F- '{ for (i = $1; i <= ($2 ? $2 : $1); i++) print i }' | head -2 | paste -sd,)
loops=()
trap 'kill "${loops[@]}"' EXIT
for _ in 1 2 3 4 5 6; do
    taskset -c "$processors" sh -c 'while :; do :; done' &
    loops+=($!)
done

forfeits=0
for match in "2+0.02 $games" "1+0.01 $((games / 2))"; do
    read -r clock count <<<"$match"
    taskset -c "$processors" "$program" tournament --engine path="$program" name=a --engine path="$program" name=b \
        --all-engines tc="$clock" timemargin=0 --openings openings/6s_komi2.txt --size 6 --komi 2 \
        --games "$count" --concurrency 2 --journal "$folder/$clock.jsonl"
    lost=$(grep -c '"time-forfeit"' "$folder/$clock.jsonl" || true)
    echo "$clock: $lost of $count games lost on time"
    forfeits=$((forfeits + lost))
done
[ "$forfeits" = 0 ]
