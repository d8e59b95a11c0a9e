#!/usr/bin/env bash
# Publishes the three crates, with metadata for `cargo binstall`, or tries everything but the upload:
#     scripts/release/crate.sh BINSTALL
#     scripts/release/crate.sh --dry-run
set -euo pipefail
cd "$(dirname "$0")/../.."
if [ "$1" != --dry-run ]; then
    cat "$1" >> Cargo.toml
    cargo publish --workspace --locked --allow-dirty
    exit
fi
# Warnings are about the manifests; three tests are excluded on purpose: fuzz/ is a separate package and cannot be uploaded
# with this one, and the tests of the core and of the bot read files outside their folders. The project has no home page; once it is released, crates.io links to docs.rs by itself.
cargo publish --workspace --dry-run --no-verify --locked 2>&1 | tee target/package.log
expected="ignoring test .(all|fuzz_seeds|games).|manifest has no documentation, homepage|aborting upload due to dry run"
if grep "^warning" target/package.log | grep -vE "$expected"; then exit 1; fi

rust=$(sed -n 's/^rust-version = "\(.*\)"$/\1/p' Cargo.toml)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
echo "the upload is checked with Rust $rust, the oldest supported"
cargo "+$rust" --version >/dev/null 2>&1 || rustup toolchain install "$rust" --profile minimal
# The upload itself, so that no required file is missing. Crates that are not published yet are used by their paths.
upload=target/package/upload
rm -rf "$upload"
mkdir -p "$upload"
for crate in tak-engine tak-engine-core tak-playtak; do
    tar -C "$upload" -xzf "target/package/tmp-crate/$crate-$version.crate"
done
for crate in tak-engine tak-playtak; do
    cargo "+$rust" check --manifest-path "$upload/$crate-$version/Cargo.toml" --target-dir target/package/checked \
        --config "patch.crates-io.tak-engine.path = '$upload/tak-engine-$version'" \
        --config "patch.crates-io.tak-engine-core.path = '$upload/tak-engine-core-$version'"
done
