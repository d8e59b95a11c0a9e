#!/usr/bin/env bash
# Goes through a release without publishing it, with a program that is built already:
#     scripts/release/check.sh PROGRAM FEATURES
# The workflow calls the same scripts on every system; the files of other systems are stand-ins here.
set -euo pipefail
program=$(realpath "$1") features=$2
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
folder=target/release-check
rm -rf "$folder"
mkdir -p "$folder/files"

scripts/release/versions.sh
scripts/release/api.sh
scripts/release/notes.sh "$version" > "$folder/notes.md"
scripts/release/signature.sh "$program"
for name in x86_64-unknown-linux-musl x86_64-pc-windows-msvc; do
    scripts/release/archive.sh "$program" "$features" "tak-engine-$version-$name" "$folder/files"
done
for name in aarch64-unknown-linux-musl aarch64-apple-darwin x86_64-apple-darwin; do
    echo "$name" > "$folder/files/tak-engine-$version-$name.tar.gz"
done
scripts/release/deb.sh "$program" "$features" "$folder/files"
scripts/release/debtest.sh "$folder/files/tak-engine_$version-1_$(dpkg --print-architecture).deb"
scripts/release/bot.sh "$(rustc -vV | sed -n 's/^host: //p')" native "$folder/files"
scripts/release/sums.sh "$folder/files"
scripts/release/templates.sh http://localhost/tak-engine "$version" "$folder/files/SHA256SUMS" "$folder/rendered"
scripts/release/npm.sh pack "$folder/packages"
scripts/release/npm.sh publish "$folder/packages" --dry-run
scripts/release/wheels.sh build "$folder/wheels"
scripts/release/wheels.sh check "$folder/wheels"
