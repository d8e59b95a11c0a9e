#!/usr/bin/env bash
# Checks the number of crates that a build compiles, and that the default one needs no C compiler.
set -euo pipefail
cd "$(dirname "$0")/.."
check() {
    local name=$1 most=$2 count
    shift 2
    count=$(cargo tree --package tak-engine --locked --edges normal --prefix none "$@" | sed 's/ (\*)$//' | sort -u | wc -l)
    echo "$name: $count crates, at most $most"
    [ "$count" -le "$most" ]
}
check "the default program" 105
check "the library" 18 --no-default-features
if cargo tree --locked --features full --edges normal,build,dev --prefix none | grep "^cc v"; then
    echo "the program needs a C compiler"
    exit 1
fi
