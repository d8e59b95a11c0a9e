#!/usr/bin/env bash
# Checks that all packages have one version, and that the changelog has a section for it:
#     scripts/release/versions.sh [TAG]
# With the tag of a release, such as v0.3.0, it must be that version, and the section must have a date.
set -euo pipefail
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
wrong=0
complain() {
    echo "$1"
    wrong=1
}
for file in core/Cargo.toml playtak/Cargo.toml bindings/*/Cargo.toml bindings/wasm/{explorer,rules}/Cargo.toml; do
    grep -qx "version = \"$version\"" "$file" || complain "$file: not version $version, as Cargo.toml has"
done
grep -q "^tak-core = .*, version = \"=$version\" }$" Cargo.toml || complain "Cargo.toml: tak-core has another version"
grep -q "^tak-engine = .*, version = \"=$version\", " playtak/Cargo.toml || complain "playtak/Cargo.toml: tak-engine has another version"
for file in Cargo.lock */Cargo.lock bindings/*/*/Cargo.lock; do
    [ -e "$file" ] || continue
    for name in tak-engine tak-engine-core; do
        grep -A 1 "^name = \"$name\"\$" "$file" | grep -qx "version = \"$version\"" || complain "$file: $name has another version"
    done
done
grep -q "\"version\": \"$version\"" bindings/wasm/js/package.json || complain "bindings/wasm/js/package.json: not version $version"
grep -qE "^## $version - (unreleased|[0-9]{4}-[0-9]{2}-[0-9]{2})$" CHANGELOG.md || complain "CHANGELOG.md has no section for $version"
if [ $# -gt 0 ]; then
    [ "$1" = "v$version" ] || complain "the tag is $1, Cargo.toml has version $version"
    grep -qE "^## $version - [0-9]{4}-[0-9]{2}-[0-9]{2}$" CHANGELOG.md || complain "CHANGELOG.md has no date for $version"
fi
exit $wrong
