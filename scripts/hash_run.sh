#!/usr/bin/env bash
# Nodes of the first search of 200 ms after `isready`, by the size of the table. None may be below 0.9 of those with 16 MiB:
# memory is written to before a clock runs. Each figure is the median of nine programs, in turn; see docs/training.md.
# Usage: scripts/hash_run.sh [PROGRAM]
set -euo pipefail
cd "$(dirname "$0")/.."
program=${1:-target/release/tak-engine}

# Nodes of the first search with a table of $1 MiB.
first_search() {
    coproc engine { "$program" 2>/dev/null; }
    printf 'tei\nsetoption name Hash value %d\nteinewgame size 6\nisready\n' "$1" >&"${engine[1]}"
    while read -r line <&"${engine[0]}" && [ "$line" != readyok ]; do :; done
    printf 'position startpos moves a1 f6\ngo movetime 200\n' >&"${engine[1]}"
    while read -r line <&"${engine[0]}" && [[ $line != bestmove* ]]; do
        if [[ $line =~ \ nodes\ ([0-9]+) ]]; then nodes=${BASH_REMATCH[1]}; fi
    done
    echo quit >&"${engine[1]}"
    # coproc sets it.
    # shellcheck disable=SC2154
    wait "$engine_PID" || true
    echo "$nodes"
}

# In turn, since the speed of a machine changes.
results=$(for _ in $(seq 9); do for mib in 16 64 256 1024 2048; do echo "$mib $(first_search "$mib")"; done; done)
failed=0
least=0
for mib in 16 64 256 1024 2048; do
    nodes=$(sed -n "s/^$mib //p" <<<"$results" | sort -n | sed -n 5p)
    if ((least == 0)); then least=$((nodes * 9 / 10)); fi
    echo "Hash $mib: $nodes nodes"
    if ((nodes < least)); then failed=1; fi
done
exit "$failed"
