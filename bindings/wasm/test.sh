#!/usr/bin/env bash
# Builds the npm package and the page without a server, and tests them in Node, in Chromium, which has to be installed, and
# in Firefox if it is.
set -euo pipefail
cd "$(dirname "$0")"
./build.sh
node page/build.js ../../target/page
node --test "$@" test/*.test.js
