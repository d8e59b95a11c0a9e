#!/usr/bin/env bash
# Every level of strength against the one below on 5x5 and 6x6, and where they are then on one scale, level 1 being 0.
# Prints one table. Levels play by nodes, so it does not matter what else the machine does; 400 games a pair take hours.
# Interrupted, it goes on where it was; FOLDER keeps the games.
# Usage: tests/ladder.sh [PROGRAM [FOLDER [GAMES [ENGINE...]]]], GAMES being those of two levels on each size. An ENGINE is
# another engine in the words of `tournament --engine`, such as "path=/opt/tiltak name=Tiltak". It has a second a move, and
# plays each of the LEVELS 12, 16 and 20 (or what that variable says) GUEST_GAMES times (20) on each size.
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}
folder=${2:-target/ladder}
games=${3:-400}
shift $(($# < 3 ? $# : 3))
read -ra levels <<<"${LEVELS:-12 16 20}"
mkdir -p "$folder"

# One match; the words of the first engine, those of the second, the size, the games and the name of the match's files.
# Prints the score of the first engine, its Elo and the error of that.
match() {
    local first=$1 second=$2 size=$3 games=$4 files=$folder/$5 arguments
    arguments=(--size "$size" --games "$games" --openings "openings/${size}s_komi0.txt" --order random)
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

# A level has no need of a clock; a limit far above its own stands for one.
level() { echo "path=$program name=level-$1 nodes=1000000 option.Level=$1"; }

scores=$folder/scores
: >"$scores"
for number in $(seq 2 20); do
    for size in 5 6; do
        read -r score elo error < <(match "$(level "$number")" "$(level $((number - 1)))" "$size" "$games" "$size-$number")
        echo "$number $size $score $elo $error" >>"$scores"
    done
done

# A step is the mean of both sizes, and a level's Elo is the sum of the steps up to it.
ratings=$folder/ratings
awk '
    { step[$1] += $4 / 2; variance[$1] += ($5 / 2) ^ 2; score[$1, $2] = $3 }
    END {
        for (number = 1; number <= 20; number++) {
            elo += step[number]; total += variance[number]
            printf "%d %.0f %.0f %.3f %.3f\n", number, elo, sqrt(total), score[number, 5], score[number, 6]
        }
    }' "$scores" >"$ratings"

printf '%-7s %6s %7s %22s %22s\n' level Elo error "below, 5x5" "below, 6x6"
awk '{
    five = six = "-"
    if (NR > 1) { five = sprintf("%.1f %%", 100 * $4); six = sprintf("%.1f %%", 100 * $5) }
    printf "%-7s %6d %7s %22s %22s\n", $1, $2, "± " $3, five, six
}' "$ratings"

# The Elo of a guest is the one at which it would be expected to score as it did.
for guest in "$@"; do
    read -ra words <<<"$guest"
    name=$(printf '%s\n' "${words[@]}" | sed -n 's/^name=//p')
    read -ra ordered <<<"${words[0]} name=$name $(printf '%s\n' "${words[@]:1}" | grep -v '^name=' | paste -sd' ')"
    results=()
    for number in "${levels[@]}"; do
        for size in 5 6; do
            read -r score _ < <(match "${ordered[*]} st=1 timemargin=1000" "$(level "$number")" "$size" "${GUEST_GAMES:-20}" \
                "$size-$name-$number")
            results+=("$number:$score")
        done
    done
    printf '%s\n' "${results[@]}" | awk -F: -v games="${GUEST_GAMES:-20}" -v name="$name" '
        NR == FNR { split($0, row, " "); rating[row[1]] = row[2]; next }
        { level[++count] = $1; points += $2; list = list sprintf(" %d:%.0f%%", $1, 100 * $2) }
        END {
            low = -2000; high = 6000
            for (step = 0; step < 40; step++) {
                middle = (low + high) / 2; expected = slope = 0
                for (i = 1; i <= count; i++) {
                    share = 1 / (1 + 10 ^ ((rating[level[i]] - middle) / 400))
                    expected += share; slope += share * (1 - share)
                }
                if (expected < points) low = middle; else high = middle
            }
            if (points == 0 || points == count) printf "%-7s %s", name, (points ? "above" : "below")
            else printf "%-7s %6.0f %7s", name, middle, sprintf("± %.0f", 1.96 * 400 / log(10) / sqrt(games * slope))
            print "  score against level:" list
        }' "$ratings" -
done
