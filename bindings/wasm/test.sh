#!/usr/bin/env bash
# Builds the npm package and tests it in Node, and in Chromium, which has to be installed.
set -euo pipefail
cd "$(dirname "$0")"
./build.sh
node --test "$@" test/*.test.js
