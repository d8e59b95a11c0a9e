#!/usr/bin/env bash
# Makes a Debian package of a program that is built already: scripts/release/deb.sh PROGRAM FEATURES FOLDER
# MAINTAINER, a name with an address such as `Name <name@example.org>`, is written into the package.
set -euo pipefail
program=$(realpath "$1") features=$2
mkdir -p "$3"
folder=$(realpath "$3")
cd "$(dirname "$0")/../.."

tools=$PWD/target/tools
if [ ! -x "$tools/bin/cargo-deb" ]; then
    # It runs once, so building it fast matters more than its speed.
    CARGO_PROFILE_RELEASE_OPT_LEVEL=0 CARGO_PROFILE_RELEASE_LTO=off CARGO_PROFILE_RELEASE_CODEGEN_UNITS=16 \
        cargo install --quiet --locked --version 3.8.0 --no-default-features --features gzip \
        --root "$tools" --target-dir target/tools/build cargo-deb
fi

# The folder that [package.metadata.deb] in Cargo.toml takes the files from.
files=target/deb
rm -rf "$files"
scripts/release/texts.sh "$program" "$features" "$files"
cp "$program" "$files/tak-engine"
strip "$files/tak-engine"
cp CHANGELOG.md "$files/changelog"
gzip --best --no-name "$files"/man/*.1 "$files/changelog" "$files/LICENSES-OF-CRATES"
{
    echo "tak-engine is licensed under MIT or Apache 2.0, at your option. The text of Apache 2.0 is in"
    echo "/usr/share/common-licenses/Apache-2.0. The licences of the crates in the program are in LICENSES-OF-CRATES.gz."
    echo
    cat LICENSE-MIT
} > "$files/copyright"
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
maintainer=${MAINTAINER:-The authors of tak-engine <authors@localhost>}
cat > "$files/changelog.Debian" <<END
tak-engine ($version-1) unstable; urgency=medium

  * Version $version; see changelog.gz.

 -- $maintainer  $(date --rfc-email --utc --date "@$(git log -1 --format=%ct)")
END
"$tools/bin/cargo-deb" deb --no-build --quiet --maintainer "$maintainer" --output "$folder/"
