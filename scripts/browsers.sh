#!/usr/bin/env bash
# Installs what the tests of the page need, if it is missing and there is apt: Chromium, npm, and the font of the pictures.
# With `firefox` as an argument that browser too.
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
[ -e /usr/share/fonts/truetype/dejavu/DejaVuSans.ttf ] || install fonts-dejavu-core
command -v npm >/dev/null || install npm
make web/node_modules/.package-lock.json
