#!/usr/bin/env bash
# Installs a Debian package, uses the program, its man page and its completions, and removes the package again:
#     scripts/release/debtest.sh PACKAGE
set -euo pipefail
package=$(realpath "$1")
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
fail() {
    echo "$package: $1"
    exit 1
}
if dpkg --status tak-engine >/dev/null 2>&1; then fail "a package of that name is installed already"; fi
trap '$as_root dpkg --purge tak-engine' EXIT
$as_root dpkg --install "$package"

version=$(dpkg-query --showformat='${Version}' --show tak-engine)
/usr/bin/tak-engine --version | grep -qx "tak-engine ${version%-*}" || fail "the program is not version $version"
/usr/bin/tak-engine perft 1 --size 3 >/dev/null || fail "the program does not count moves"
for file in man/man1/tak-engine.1.gz man/man1/tak-engine-analyse.1.gz doc/tak-engine/copyright doc/tak-engine/changelog.gz \
    doc/tak-engine/changelog.Debian.gz doc/tak-engine/LICENSES-OF-CRATES.gz bash-completion/completions/tak-engine \
    zsh/vendor-completions/_tak-engine fish/vendor_completions.d/tak-engine.fish; do
    [ -s "/usr/share/$file" ] || fail "no /usr/share/$file"
done
gzip -dc /usr/share/man/man1/tak-engine.1.gz | grep -q '^\.TH tak-engine 1' || fail "the man page has no title"
# As bash-completion would load it.
bash -c 'source /usr/share/bash-completion/completions/tak-engine && complete -p tak-engine' >/dev/null || fail "bash completes nothing"

mapfile -t files < <(dpkg --listfiles tak-engine)
$as_root dpkg --purge tak-engine
trap - EXIT
for file in "${files[@]}"; do
    [ ! -f "$file" ] || fail "$file is still there"
done
echo "$package: installed, used and removed"
