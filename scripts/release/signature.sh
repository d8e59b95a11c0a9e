#!/usr/bin/env bash
# Compares the number of nodes in the program's bench with the one that benches/signature records:
#     scripts/release/signature.sh PROGRAM
set -euo pipefail
recorded=$(cat "$(dirname "$0")/../../benches/signature")
nodes=$("$1" bench | sed -n 's/^\([0-9]*\) nodes.*$/\1/p')
if [ "$nodes" != "$recorded" ]; then
    echo "bench visits $nodes nodes, benches/signature says $recorded"
    echo "if search or evaluation were meant to change: play a match, then write $nodes into benches/signature"
    exit 1
fi
echo "$nodes nodes, as recorded"
