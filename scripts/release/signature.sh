#!/usr/bin/env bash
# Compares the number of nodes in the program's bench with the one that .ci/bench records:
#     scripts/release/signature.sh PROGRAM
set -euo pipefail
recorded=$(cat "$(dirname "$0")/../../.ci/bench")
nodes=$("$1" bench | sed -n 's/^\([0-9]*\) nodes.*$/\1/p')
if [ "$nodes" != "$recorded" ]; then
    echo "bench visits $nodes nodes, .ci/bench says $recorded"
    echo "if search or evaluation were meant to change: play a match, then write $nodes into .ci/bench"
    exit 1
fi
echo "$nodes nodes, as recorded"
