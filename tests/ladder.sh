#!/usr/bin/env bash
# Every level of strength against the one below on 5x5 and 6x6 with komi 2, and their Elo on one scale, on which the
# reference player "placer" (examples/reference_player.rs) is 0. It is expected beside the program, in examples/.
# Above the last level the scale continues with full strength and few nodes a move, since other engines are stronger.
# Prints one table. All play by nodes, so other load does not matter; 400 games a pair take hours.
# An interrupted run is resumed; FOLDER keeps the games.
# Usage: tests/ladder.sh [PROGRAM [FOLDER [GAMES [ENGINE...]]]], GAMES being those of two rungs on each size. An ENGINE is
# another engine in the words of `tournament --engine`, such as "path=/opt/tiltak name=Tiltak". It has a second a move, and
# plays the RUNGS ("20 n1000 n10000", or what that variable says) GUEST_GAMES times (20) each on each size: a rung is a
# level, or n and the nodes a move of full strength.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-target/ladder}
games=${3:-400}
shift $(($# < 3 ? $# : 3))
read -ra guest_rungs <<<"${RUNGS:-20 n1000 n10000}"
rungs=(placer $(seq 1 20) n1000 n3000 n10000 n30000)
players=$(dirname "$program")/examples/reference_player
mkdir -p "$folder"

# One match; the words of the first engine, those of the second, the size, the games and the name of the match's files.
# Prints the score of the first engine, its Elo and the error of that.
match() {
    local first=$1 second=$2 size=$3 games=$4 files=$folder/$5 arguments
    arguments=(--size "$size" --komi 2 --games "$games" --openings "openings/${size}s_komi2.txt" --order random)
    arguments+=(--journal "$files.jsonl")
    [ ! -e "$files.jsonl" ] || arguments+=(--resume)
    read -ra first <<<"$first"
    read -ra second <<<"$second"
    "$program" tournament --engine "${first[@]}" --engine "${second[@]}" "${arguments[@]}" \
        >"$files.txt" 2>"$files.err" || { cat "$files.err" >&2; exit 1; }
    awk -v name="${first[1]#name=}" '
        $1 == name && /%/ && /=/ {
            sub(/^[^%]*% */, "", $0)
            for (i = 1; i <= NF; i++) if ($i == "±") { elo = $(i - 1); error = $(i + 1); break }
            won = substr($1, 2); drawn = substr($2, 2); lost = substr($3, 2)
            print (won + drawn / 2) / (won + drawn + lost), elo, error
            exit
        }' "$files.txt"
}

# A level needs no clock; this limit is far above its own.
rung() {
    case $1 in
        placer) echo "path=$players name=placer arg=placer nodes=1" ;;
        n*) echo "path=$program name=$1 nodes=${1#n}" ;;
        *) echo "path=$program name=level-$1 nodes=1000000 option.Level=$1" ;;
    esac
}

scores=$folder/scores
: >"$scores"
for ((place = 1; place < ${#rungs[@]}; place++)); do
    for size in 5 6; do
        read -r score elo error < <(match "$(rung "${rungs[place]}")" "$(rung "${rungs[place - 1]}")" "$size" "$games" \
            "$size-${rungs[place]}")
        echo "${rungs[place]} $size $score $elo $error" >>"$scores"
    done
done

# A step is the mean of both sizes, and the Elo of a rung is the sum of the steps up to it.
ratings=$folder/ratings
awk -v rungs="${rungs[*]}" '
    { step[$1] += $4 / 2; variance[$1] += ($5 / 2) ^ 2; score[$1, $2] = $3 }
    END {
        count = split(rungs, name, " ")
        for (place = 1; place <= count; place++) {
            rung = name[place]
            elo += step[rung]; total += variance[rung]
            printf "%s %.0f %.0f %.3f %.3f\n", rung, elo, sqrt(total), score[rung, 5], score[rung, 6]
        }
    }' "$scores" >"$ratings"

printf '%-7s %6s %7s %22s %22s\n' rung Elo error "below, 5x5" "below, 6x6"
awk '{
    five = six = "-"
    if (NR > 1) { five = sprintf("%.1f %%", 100 * $4); six = sprintf("%.1f %%", 100 * $5) }
    printf "%-7s %6d %7s %22s %22s\n", $1, $2, "± " $3, five, six
}' "$ratings"

# The Elo of a guest is the one with the same expected score as its result.
for guest in "$@"; do
    read -ra words <<<"$guest"
    name=$(printf '%s\n' "${words[@]}" | sed -n 's/^name=//p')
    read -ra ordered <<<"${words[0]} name=$name $(printf '%s\n' "${words[@]:1}" | grep -v '^name=' | paste -sd' ')"
    results=()
    for rung in "${guest_rungs[@]}"; do
        for size in 5 6; do
            read -r score _ < <(match "${ordered[*]} st=1 timemargin=1000" "$(rung "$rung")" "$size" "${GUEST_GAMES:-20}" \
                "$size-$name-$rung")
            results+=("$rung:$score")
        done
    done
    printf '%s\n' "${results[@]}" | awk -F: -v games="${GUEST_GAMES:-20}" -v name="$name" '
        NR == FNR { split($0, row, " "); rating[row[1]] = row[2]; next }
        { rung[++count] = $1; points += $2; list = list sprintf(" %s:%.0f%%", $1, 100 * $2) }
        END {
            low = -2000; high = 8000
            for (step = 0; step < 40; step++) {
                middle = (low + high) / 2; expected = slope = 0
                for (i = 1; i <= count; i++) {
                    share = 1 / (1 + 10 ^ ((rating[rung[i]] - middle) / 400))
                    expected += share; slope += share * (1 - share)
                }
                if (expected < points) low = middle; else high = middle
            }
            if (points == 0 || points == count) printf "%-7s %s", name, (points ? "above" : "below")
            else printf "%-7s %6.0f %7s", name, middle, sprintf("± %.0f", 1.96 * 400 / log(10) / sqrt(games * slope))
            print "  score against" list
        }' "$ratings" -
done
