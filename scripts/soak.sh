#!/usr/bin/env bash
# Plays the engine against itself on all sizes with several komis, 10 ms a move, and counts the faults. With many games
# it also checks what it says over TEI.
# Started again with the same arguments it continues. Exits with 1 if there was a fault.
#
#   cargo build
#   scripts/soak.sh target/debug/tak-engine FOLDER [GAMES]
set -euo pipefail

if [ $# -lt 2 ]; then
    echo "usage: scripts/soak.sh PROGRAM FOLDER [GAMES]" >&2
    exit 2
fi
program=$1
folder=$2
komis=(0 2 -1.5)
sizes=(3 4 5 6 7 8)
legs=$((${#komis[@]} * ${#sizes[@]}))
# An even number for each leg: every opening is played with both colours.
# Rounded up to whole rounds.
# shellcheck disable=SC2017
games=$(((${3:-10000} + 2 * legs - 1) / (2 * legs) * 2))
mkdir -p "$folder"

for size in "${sizes[@]}"; do
    for komi in "${komis[@]}"; do
        leg=$folder/$size-komi$komi
        # Faults of the engine are looked for here, not how well it keeps time beside other programs.
        if ! "$program" tournament --size "$size" --komi "$komi" --games "$games" --threads "${CONCURRENCY:-2}" \
            --engine path="$program" name=one \
            --engine path="$program" name=two option.Threads=2 option.Hash=1 option.MultiPV=3 \
            --all-engines st=0.01 timemargin=1000 option.MoveOverhead=0 option.Hash=16 stderr="$leg.stderr" \
            --journal "$leg.jsonl" --resume > "$leg.txt" 2> "$leg.log"; then
            cat "$leg.log" >&2
            exit 1
        fi
    done
done

# The whole check, where there is time for all its games.
if [ "$games" -ge 40 ]; then
    "$program" check "$program" > "$folder/check.txt" || { cat "$folder/check.txt" >&2; exit 1; }
fi

# The last column of the tables with the number of moves of each engine.
faults=$(awk 'FNR == 1 { inside = 0 } / faults$/ { inside = 1; next } NF == 0 { inside = 0 } inside { sum += $NF } END { print sum + 0 }' "$folder"/*.txt)
panics=$(cat "$folder"/*.stderr | grep -c panicked || true)
echo "$((games * legs)) games, $faults faults, $panics panics"
[ "$faults" = 0 ] && [ "$panics" = 0 ]
