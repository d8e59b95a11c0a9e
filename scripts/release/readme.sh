#!/usr/bin/env bash
# Runs each line of the shell examples in README.md and docs/install.md once, as a new user would, with an empty home, and
# says how long it took:
#     scripts/release/readme.sh
# A line that fails ends it. What was installed is used in the end; the Debian package is removed again.
set -euo pipefail
cd "$(dirname "$0")/../.."
repository=$PWD
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
home=$(mktemp -d)
clean_up() {
    rm -rf "$home"
    if dpkg --status tak-engine >/dev/null 2>&1; then $as_root dpkg --purge tak-engine; fi
}
trap clean_up EXIT
mkdir -p "$home/bin"
# Rust is installed already, and so are its crates.
rust=$(dirname "$(command -v cargo)")
rustup=${RUSTUP_HOME:-$HOME/.rustup} crates=${CARGO_HOME:-$HOME/.cargo}
# In a container there may be root alone, and no sudo.
if [ "$(id -u)" = 0 ] && ! command -v sudo >/dev/null; then
    printf '#!/bin/sh\nexec "$@"\n' > "$home/bin/sudo"
    chmod +x "$home/bin/sudo"
fi
in_clean_home() {
    env -i HOME="$home" PATH="$home/.local/bin:$home/bin:$rust:/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin" \
        LANG=C.UTF-8 RUSTUP_HOME="$rustup" CARGO_HOME="$crates" CARGO_INSTALL_ROOT="$home/.local" bash -euo pipefail -c "$1"
}

# Lines of the blocks in `sh`; one that ends with a backslash continues. A line that both pages have is run once.
# shellcheck disable=SC2016
lines=$(sed -n '/^```sh$/,/^```$/{/^```/d;p}' README.md docs/install.md | sed -e ':join' -e '/\\$/{N;s/\\\n//;b join' -e '}' |
    grep -vE '^(#|$)' | awk '!seen[$0]++')
TIMEFORMAT='took %R s, %U s of them computing'
while IFS= read -r line <&3; do
    echo "$ $line"
    case $line in
        # Without an end of its own.
        *"serve --open") in_clean_home "timeout --signal=INT 20 $line || [ \$? = 124 ]" ;;
        *) time in_clean_home "$line" ;;
    esac
done 3<<< "$lines"

echo "== what was installed"
in_clean_home "tak-engine --version"
scripts/release/signature.sh "$home/.local/bin/tak-engine"
in_clean_home "cd && tak/bin/python -c 'import tak_engine; print(len(tak_engine.Game(size=5).legal_moves), \"moves\")'"
in_clean_home "cd ~/my-page && node --input-type=module -e 'import(\"tak-engine\").then(() => process.exit())'"
[ -s target/page/index.html ] || { echo "make page wrote no page"; exit 1; }
in_clean_home "/usr/bin/tak-engine perft 1 --size 3 >/dev/null"
[ -z "$(git -C "$repository" status --porcelain)" ] || { echo "the lines changed the checkout"; exit 1; }
