#!/usr/bin/env bash
# Candidates for the puzzles of the page, from games between levels 11 to 20 that are two apart: 20 games for each round and
# board, 40 on 7x7. FOLDER keeps what each round found; an interrupted run is resumed. scripts/choose_puzzles.py chooses from them.
# Usage: scripts/more_puzzles.sh [PROGRAM [FOLDER [ROUNDS]]]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-target/puzzles}
rounds=${3:-40}
mkdir -p "$folder"

# Plays a round on a board, and writes the puzzles of its games.
candidates() {
    local size=$1 round=$2 komi=0 games=20 one=$((11 + $2 % 8)) files=$folder/$1-$2
    [ ! -e "$files.jsonl" ] || return 0
    [[ $size != [56] ]] || komi=2
    [[ $size != 7 ]] || games=40
    local arguments=(--size "$size" --komi "$komi" --games "$games" --order random --seed "$round" --threads 1)
    [ ! -e "$files.journal" ] || arguments+=(--resume)
    # A level needs no clock; its limit here is far above its own.
    "$program" tournament --engine "path=$program" "name=level $one" nodes=1000000 "option.Level=$one" \
        --engine "path=$program" "name=level $((one + 2))" nodes=1000000 "option.Level=$((one + 2))" \
        "${arguments[@]}" --openings "openings/${size}s_komi$komi.txt" --journal "$files.journal" >"$files.txt"
    "$program" tournament merge "$files.journal" --ptn "$files.ptn" --force >"$files.txt"
    # Few games have a win on flats, and long searches find the best moves.
    "$program" puzzles "$files.ptn" --threads 1 --nodes 30000 --kind tinue --kind defence --kind flats \
        --out "$files.new.jsonl" --force >"$files.txt"
    mv "$files.new.jsonl" "$files.jsonl"
}

for ((round = 1; round <= rounds; round++)); do
    for size in 7 5 6 4; do
        candidates "$size" "$round"
    done
    wc -l "$folder"/*.jsonl | tail -1
done
