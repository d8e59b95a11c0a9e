#!/usr/bin/env bash
# The program against two earlier versions of itself on every size, so that no change breaks a rarely tested board.
# Prints one table; takes about ten minutes on two processors. An interrupted run is resumed; FOLDER keeps the games.
# Usage: scripts/sizes.sh [PROGRAM [FOLDER [GAMES [REVISION...]]]], GAMES against each version on each size.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-target/sizes}
games=${3:-20}
shift $(($# < 3 ? $# : 3))
revisions=("$@")
[ $# -gt 0 ] || revisions=(5f3284b 93fab61)

# Earlier versions are built once and kept.
mkdir -p "$folder"
folder=$(realpath "$folder")
engines=()
for revision in "${revisions[@]}"; do
    built=$folder/tak-engine-$revision
    if [ ! -x "$built" ]; then
        source=$(mktemp -d)
        git archive "$revision" | tar -x -C "$source"
        cargo build --release --locked --manifest-path "$source/Cargo.toml" --target-dir "$folder/build"
        cp "$folder/build/release/tak-engine" "$built"
        rm -r "$source"
    fi
    engines+=(--engine "path=$built" "name=$revision")
done

printf '%-6s %-10s %7s %18s %8s\n' board against games results score
for board in "3 0" "4 0" "5 0" "6 2" "7 0" "8 0"; do
    read -r size komi <<<"$board"
    journal=$folder/$size.jsonl
    suite=openings/${size}s_komi$komi.txt
    arguments=(--size "$size" --komi "$komi" --games "$games" --format gauntlet --order random --journal "$journal")
    [ ! -e "$suite" ] || arguments+=(--openings "$suite")
    [ ! -e "$journal" ] || arguments+=(--resume)
    "$program" tournament --engine path="$program" name=now "${engines[@]}" --all-engines tc=1+0.01 timemargin=500 \
        "${arguments[@]}" >"$folder/$size.txt" 2>"$folder/$size.err" || { cat "$folder/$size.err" >&2; exit 1; }
    # The standings of the others, seen from this program's side.
    for revision in "${revisions[@]}"; do
        awk -v board="${size}x$size" -v name="$revision" '
            $1 == name && /=/ {
                for (i = 2; i <= NF; i++) if ($i ~ /^\+/) break
                won = substr($i, 2); drawn = substr($(i + 1), 2); lost = substr($(i + 2), 2)
                count = won + drawn + lost
                printf "%-6s %-10s %7d %18s %6.1f %%\n", board, name, count, "+" lost " =" drawn " -" won, 100 * (lost + drawn / 2) / count
                exit
            }' "$folder/$size.txt"
    done
done
