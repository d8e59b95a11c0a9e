#!/usr/bin/env bash
# All tests: those that need no browser, then those of the page. Says what it skips and why. If CI is set, nothing may be
# skipped.
set -euo pipefail
cd "$(dirname "$0")/.."

skipped=()
skip() {
    skipped+=("$1")
    [ -z "${CI:-}" ] || { echo "not tested: $1"; exit 1; }
}
# Many tests wait for clocks, so twice as many as processors run at once.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((2 * $(getconf _NPROCESSORS_ONLN)))}

packages=(--package tak-engine --package tak-engine-core --package tak-lab)
if command -v cc >/dev/null; then
    packages+=(--package tak-playtak)
else
    skip "tak-playtak, since its TLS needs a C compiler (cc)"
fi
cargo test --locked "${packages[@]}" --lib --bins --examples --test all --test fuzz_seeds
cargo test --locked "${packages[@]}" --doc

if command -v node >/dev/null; then
    node --test web/test/*.test.js
else
    skip "the modules of the page, since there is no Node.js (node)"
fi
if command -v chromium-headless-shell >/dev/null || command -v chromium >/dev/null || [ -n "${CHROMIUM:-}" ]; then
    cargo test --locked --test browser
else
    skip "the page in a browser, since there is no Chromium; scripts/browsers.sh installs it"
fi

for name in "${skipped[@]}"; do echo "not tested: $name"; done
