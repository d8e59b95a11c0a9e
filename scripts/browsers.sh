#!/usr/bin/env bash
# Installs what the tests of the page need, if it is missing and there is apt: Chromium, npm and axe-core, which checks
# accessibility. With `firefox` as an argument that browser too.
set -euo pipefail
cd "$(dirname "$0")/.."
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
install() {
    $as_root apt-get update -qq
    $as_root apt-get install -y -qq --no-install-recommends "$@"
}
if ! command -v chromium-headless-shell >/dev/null && ! command -v chromium >/dev/null; then
    # The headless build takes half the time, but not every system has it.
    install chromium-headless-shell || install chromium
fi
if [ "${1:-}" = firefox ] && [ -z "${FIREFOX:-}" ] && ! command -v firefox >/dev/null && ! command -v firefox-esr >/dev/null; then
    install firefox-esr
fi
command -v npm >/dev/null || install npm
# Not in the repository: it is larger than all pages and only their tests need it. Its licence is MPL 2.0.
axe=4.14.1
if [ ! -e target/axe/package/axe.min.js ]; then
    mkdir -p target/axe
    npm pack "axe-core@$axe" --silent --pack-destination target/axe
    tar -xzf "target/axe/axe-core-$axe.tgz" -C target/axe
fi
echo "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c  target/axe/package/axe.min.js" | sha256sum --check --quiet
