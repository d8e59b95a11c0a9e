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
gzip --best --no-name "$files"/man/*.1
{
    echo "tak-engine is licensed under MIT or Apache 2.0, at your option. The text of Apache 2.0 is in"
    echo "/usr/share/common-licenses/Apache-2.0; that of MIT follows, and then the licences of the crates in the program."
    echo
    cat LICENSE-MIT
    echo
    cat "$files/LICENSES-OF-CRATES"
} > "$files/copyright"
"$tools/bin/cargo-deb" deb --no-build --quiet --maintainer "${MAINTAINER:-The authors of tak-engine <authors@localhost>}" --output "$folder/"
