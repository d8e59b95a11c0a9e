#!/usr/bin/env bash
# All tests: of the engine, the program, the laboratory and the bot, then of the page. Says what it skips and why. If CI is
# set, nothing may be skipped. With `--no-run` it only builds the tests that are in Rust. `LEAVE` names packages to leave
# out, as in .ci/run where nothing that they depend on has changed.
set -euo pipefail
cd "$(dirname "$0")/.."

skipped=()
skip() {
    skipped+=("$1")
    [ -z "${CI:-}" ] || { echo "not tested: $1"; exit 1; }
}
# Many tests wait for clocks, so twice as many as processors run at once.
export RUST_TEST_THREADS=${RUST_TEST_THREADS:-$((2 * $(getconf _NPROCESSORS_ONLN)))}

# In one build, so that each feature set is built once.
packages=()
for package in tak-engine tak-engine-core tak-lab tak-playtak; do
    if [[ " ${LEAVE:-} " == *" $package "* ]]; then
        echo "left out: $package"
    elif [ "$package" = tak-playtak ] && ! command -v cc >/dev/null; then
        skip "tak-playtak, since its TLS needs a C compiler (cc)"
    else
        packages+=(--package "$package")
    fi
done
cargo test --locked "${packages[@]}" "$@"
[ "${1:-}" != --no-run ] || exit 0
if ! command -v npm >/dev/null || ! node -e 'process.exit(parseInt(process.versions.node) < 20 ? 1 : 0)'; then
    skip "the page, since there is no Node.js 20 or later with npm"
else
    page_tests=(web/test/*.test.js)
    if [ ! -f bindings/wasm/js/tak-engine.wasm ]; then
        skip "pieces in hand on the page, since the engine for web pages is not built; make page builds it"
        mapfile -t page_tests < <(grep -L index-node.js "${page_tests[@]}")
    fi
    node --test "${page_tests[@]}"
    if ! command -v chromium-headless-shell >/dev/null && ! command -v chromium >/dev/null && [ -z "${CHROMIUM:-}" ]; then
        skip "the page in a browser, since there is no Chromium; scripts/browsers.sh installs it"
    else
        [ -d target/page ] || skip "the page without a server, since there is no target/page; make page writes it"
        [ -d /usr/share/fonts/truetype/dejavu ] || skip "the look of the page, since there is no font DejaVu"
        make web/node_modules/.package-lock.json
        # With the program that `cargo test` has built.
        (cd web && npx playwright test) || {
            # What the page showed when a test failed.
            tail -n 80 target/browser/*/error-context.md
            exit 1
        }
    fi
fi

for name in "${skipped[@]}"; do echo "not tested: $name"; done
