#!/usr/bin/env bash
# Every level of strength against the one below, and some against the reference players and other programs. All but the
# other programs play by nodes, so other load does not matter. Prints tables of the matches; the Elo is one fit to
# all matches on 5x5 and 6x6, on which the reference player "placer" (examples/reference_player.rs, expected in examples/
# beside the program) is 0, with its error of 95 %.
# Usage: [LEVELS="21 22"] [TILTAK=PATH] [TAKTICIAN=PATH] scripts/ladder.sh [PROGRAM [FOLDER [GAMES]]]
# GAMES (400) are those of a match on 5x5 and 6x6 with komi 2. On other sizes, with komi 0, and against full strength it
# is a quarter of that, against other programs a tenth. With 0 the tables show what has been played. FOLDER keeps the
# games: an interrupted run is resumed, and one with more games continues. LEVELS limits the levels that play.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-target/ladder}
games=${3:-400}
players=$(dirname "$program")/examples/reference_player
top=$(printf 'tei\nquit\n' | "$program" | sed -n 's/^option name Level .* max //p')
mkdir -p "$folder"
# The levels that play other programs.
anchored="10 14 18 22 24 26"

# The nodes of the last level by the size of the board (core/src/engine/level.rs).
declare -A last_nodes=([4]=60000 [5]=50000 [6]=26000 [7]=26000 [8]=26000)

# The words of `tournament --engine` for a player on a size. A level needs no clock; its limit here is far above its own.
words() {
    case $1 in
        placer | road-taker) echo "path=$players name=$1 arg=$1 nodes=1" ;;
        full) echo "path=$program name=$1 nodes=${last_nodes[$2]}" ;;
        tiltak) echo "path=${TILTAK:-} name=$1 tc=1+0.01 timemargin=1000" ;;
        taktician) echo "path=${TAKTICIAN:-} name=$1 st=0.1 timemargin=1000" ;;
        *) echo "path=$program name=$1 nodes=1000000 option.Level=${1#level-}" ;;
    esac
}

# Plays a match unless the limits say otherwise, and prints both players, the size, the points of the first and the games.
match() {
    local first=$1 second=$2 size=$3 count=$4 files=$folder/$3-$1-$2 komi=0 number=${1#level-} one other
    [[ $size != [56] || $second == taktician ]] || komi=2
    if ((count > 0)) && [[ -z ${LEVELS:-} || " $LEVELS " == *" $number "* ]]; then
        read -ra one <<<"$(words "$first" "$size")"
        read -ra other <<<"$(words "$second" "$size")"
        local arguments=(--size "$size" --komi "$komi" --games $(((count + 1) / 2 * 2)) --order random)
        arguments+=(--openings "openings/${size}s_komi$komi.txt" --journal "$files.jsonl" --threads 1)
        [ ! -e "$files.jsonl" ] || arguments+=(--resume)
        "$program" tournament --engine "${one[@]}" --engine "${other[@]}" "${arguments[@]}" \
            >"$files.txt" 2>"$files.err" || { cat "$files.err" >&2; exit 1; }
    fi
    [ ! -e "$files.txt" ] || awk -v name="$first" -v row="$first $second $size" '
        $1 == name && /%/ && /=/ {
            sub(/^[^%]*% */, "", $0)
            won = substr($1, 2); drawn = substr($2, 2); lost = substr($3, 2)
            print row, won + drawn / 2, won + drawn + lost
            exit
        }' "$files.txt"
}

results=$folder/results
: >"$results"
for size in 5 6 4 7 8; do
    count=$games
    [[ $size == [56] ]] || count=$((games / 4))
    match road-taker placer "$size" "$count"
    match level-1 placer "$size" "$count"
    for level in 1 2 3 4; do match "level-$level" road-taker "$size" "$count"; done
    for ((level = 2; level <= top; level++)); do match "level-$level" "level-$((level - 1))" "$size" "$count"; done
    match "level-$top" full "$size" $((games / 4))
    for level in $anchored; do
        [[ -z ${TILTAK:-} || $size != [456] ]] || match "level-$level" tiltak "$size" $((games / 10))
        [ -z "${TAKTICIAN:-}" ] || match "level-$level" taktician "$size" $((games / 10))
    done
done >>"$results"

# Newton's method for the maximum of the likelihood; half a win and half a loss are added to each match.
awk -v top="$top" -v anchored="$anchored" '
    function player(name) {
        if (!(name in place)) { place[name] = name == "placer" ? 0 : ++players; title[place[name]] = name }
        return place[name]
    }
    { first[NR] = $1; second[NR] = $2; size[NR] = $3; points[NR] = $4; games[NR] = $5; cell[$1, $2, $3] = share($4, $5) }
    function share(points, games) { return games ? sprintf("%.1f %% of %d", 100 * points / games, games) : "" }
    # Inverts matrix, n x n, in place.
    function invert(n,   i, j, k, pivot, factor) {
        for (k = 1; k <= n; k++) {
            pivot = matrix[k, k]; matrix[k, k] = 1
            for (j = 1; j <= n; j++) matrix[k, j] /= pivot
            for (i = 1; i <= n; i++) if (i != k) {
                factor = matrix[i, k]; matrix[i, k] = 0
                for (j = 1; j <= n; j++) matrix[i, j] -= factor * matrix[k, j]
            }
        }
    }
    function fit(   round, row, i, j, expected, slope, change, moved, unit) {
        unit = log(10) / 400
        for (row = 1; row <= NR; row++) if (size[row] ~ /[56]/ && second[row] != "taktician") {
            player(first[row]); player(second[row])
        }
        for (round = 0; round < 50; round++) {
            for (i = 1; i <= players; i++) { slope_of[i] = 0; for (j = 1; j <= players; j++) matrix[i, j] = 0 }
            for (row = 1; row <= NR; row++) if (size[row] ~ /[56]/ && second[row] != "taktician") {
                i = player(first[row]); j = player(second[row])
                expected = 1 / (1 + exp(unit * (elo[j] - elo[i])))
                change = unit * (points[row] + 0.5 - (games[row] + 1) * expected)
                slope = unit ^ 2 * (games[row] + 1) * expected * (1 - expected)
                slope_of[i] += change; slope_of[j] -= change
                matrix[i, i] += slope; matrix[j, j] += slope; matrix[i, j] -= slope; matrix[j, i] -= slope
            }
            invert(players)
            moved = 0
            for (i = 1; i <= players; i++) {
                change = 0
                for (j = 1; j <= players; j++) change += matrix[i, j] * slope_of[j]
                if (change > 300) change = 300
                if (change < -300) change = -300
                elo[i] += change; moved += change < 0 ? -change : change
            }
            if (moved < 0.01) break
        }
    }
    function rating(name) {
        return name in place && name != "placer" ? sprintf("%.0f ± %.0f", elo[place[name]], 1.96 * sqrt(matrix[place[name], place[name]])) : ""
    }
    function line(title, elo, one, other, unplayed,   size, text) {
        text = "| " title " | " elo " |"
        for (size = 4; size <= 8; size++) {
            text = text " " ((one, other, size) in cell ? cell[one, other, size] : unplayed) " |"
        }
        gsub(/ +\|/, " |", text)
        print text
    }
    END {
        elo[0] = 0
        fit()
        print "| level | Elo | 4x4 | 5x5 | 6x6 | 7x7 | 8x8 |\n| --- | --- | --- | --- | --- | --- | --- |"
        line(1, rating("level-1"))
        for (level = 2; level <= top; level++) line(level, rating("level-" level), "level-" level, "level-" (level - 1), "")
        print "\n| match | Elo of the second | 4x4 | 5x5 | 6x6 | 7x7 | 8x8 |\n| --- | --- | --- | --- | --- | --- | --- |"
        line("road taker, placer", 0, "road-taker", "placer")
        line("level 1, placer", 0, "level-1", "placer")
        for (level = 1; level <= 4; level++) line("level " level ", road taker", rating("road-taker"), "level-" level, "road-taker")
        line("level " top ", full strength with the same nodes", rating("full"), "level-" top, "full")
        count = split(anchored, levels)
        for (i = 1; i <= count; i++) {
            level = levels[i]
            line("level " level ", Tiltak with 1 s + 0.01 s", rating("tiltak"), "level-" level, "tiltak", "not played")
            line("level " level ", Taktician with 0.1 s a move, komi 0", "", "level-" level, "taktician", "not played")
        }
    }' "$results"
