#!/usr/bin/env bash
# Builds the npm package and tests it in Node, and in Chromium, which has to be installed.
set -euo pipefail
cd "$(dirname "$0")"
./build.sh
# A failed test may leave a worker behind, which would keep its process for ever.
node --test --test-force-exit --test-timeout=600000 "$@" test/*.test.js
