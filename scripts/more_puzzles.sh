#!/usr/bin/env bash
# Candidates for the puzzles of the page, from games between levels 13 to 21 that are two apart. All games come first: they
# take little time, but engines that get none stall. Then each file of games is searched for puzzles, from the eleventh one
# of 5x5 on only for wins on flats. FOLDER keeps the results; an interrupted run is resumed. scripts/choose_puzzles.py
# chooses from FOLDER/*.jsonl. Usage: scripts/more_puzzles.sh [PROGRAM [FOLDER]]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-target/puzzles}
mkdir -p "$folder/partial"

# Calls a function with size, round and games of all rounds.
rounds() {
    for ((round = 1; round <= 40; round++)); do
        ((round > 30)) || "$1" 7 "$round" 40
        "$1" 5 "$round" 100
        ((round > 15)) || "$1" 6 "$round" 40
        ((round > 5)) || "$1" 4 "$round" 40
    done
}

play() {
    local size=$1 round=$2 games=$3 komi=0 one=$((13 + $2 % 7)) files=$folder/$1-$2
    [ ! -e "$files.ptn" ] || return 0
    [[ $size != [56] ]] || komi=2
    # A level needs no clock; its limit here is far above its own.
    "$program" tournament --engine "path=$program" "name=level $one" nodes=1000000 "option.Level=$one" \
        --engine "path=$program" "name=level $((one + 2))" nodes=1000000 "option.Level=$((one + 2))" \
        --size "$size" --komi "$komi" --games "$games" --order random --seed "$round" --threads 1 \
        --openings "openings/${size}s_komi$komi.txt" --ptn "$folder/partial/$1-$2.ptn" --force >"$files.txt"
    mv "$folder/partial/$1-$2.ptn" "$files.ptn"
}

search() {
    local size=$1 round=$2 files=$folder/$1-$2 kinds=(--kind flats)
    [ ! -e "$files.jsonl" ] || return 0
    ((size == 5 && round > 10)) || kinds+=(--kind tinue --kind defence)
    "$program" puzzles "$files.ptn" --threads 1 --nodes 30000 "${kinds[@]}" \
        --out "$folder/partial/$1-$2.jsonl" --force >"$files.txt"
    mv "$folder/partial/$1-$2.jsonl" "$files.jsonl"
}

rounds play
rounds search
