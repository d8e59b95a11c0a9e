#!/usr/bin/env bash
# Compares the public interface of the library with that of the last release, and fails if it breaks programs without a
# new minor version (before 1.0; a major one later):
#     scripts/release/api.sh [REVISION]
# REVISION is the last tag before this commit if it is not given.
set -euo pipefail
cd "$(dirname "$0")/../.."
base=${1:-$(git describe --tags --abbrev=0 --match 'v*' HEAD^ 2>/dev/null || true)}
if [ -z "$base" ]; then
    echo "no release to compare with"
    exit
fi
cargo semver-checks --version >/dev/null 2>&1 || cargo install --locked cargo-semver-checks
folder=$PWD/target/api
git worktree remove --force "$folder/base" 2>/dev/null || rm -rf "$folder/base"
git worktree add --detach "$folder/base" "$base"
trap 'git worktree remove --force "$folder/base"' EXIT

# The items are in tak-engine-core, whose documentation is built for this only: `cargo doc` has that of tak-engine.
describe() {
    local crate=$1 features=$2
    # The description is a feature of nightly compilers.
    RUSTC_BOOTSTRAP=1 cargo rustdoc --quiet --locked --package "$crate" --lib --no-default-features --features "$features" \
        --target-dir "$folder/build" -- -Z unstable-options --output-format json --cap-lints allow
    cp "$folder/build/doc/${3}.json" "$folder/$4-$3.json"
}
for crate in "tak-engine-core serde tak_engine_core" "tak-engine page,draw tak_engine"; do
    read -r package features name <<< "$crate"
    (cd "$folder/base" && describe "$package" "$features" "$name" base)
    describe "$package" "$features" "$name" now
    cargo semver-checks --baseline-rustdoc "$folder/base-$name.json" --current-rustdoc "$folder/now-$name.json"
done
