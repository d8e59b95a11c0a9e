#!/usr/bin/env bash
# Builds a container image with a static program alone, and plays a move in it:
#     scripts/release/container.sh PROGRAM FEATURES
# The image is named tak-engine:VERSION. It takes Docker, Podman or Buildah.
set -euo pipefail
program=$(realpath "$1") features=$2
cd "$(dirname "$0")/../.."
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
context=target/container
rm -rf "$context"
scripts/release/texts.sh "$program" "$features" "$context"
cp "$program" "$context/tak-engine"
image=tak-engine:$version
file=scripts/release/Containerfile
if command -v docker >/dev/null && docker info >/dev/null 2>&1; then
    docker build --quiet --tag "$image" --file "$file" "$context"
    run=(docker run --rm --interactive "$image")
elif command -v podman >/dev/null; then
    podman build --quiet --tag "$image" --file "$file" "$context"
    run=(podman run --rm --interactive "$image")
else
    # Without a namespace of its own, since a machine may not allow one.
    buildah build --isolation chroot --quiet --tag "$image" --file "$file" "$context"
    container=$(buildah from "$image")
    trap 'buildah rm "$container" >/dev/null' EXIT
    run=(buildah run --isolation chroot "$container" /tak-engine tei)
fi
printf 'tei\nteinewgame 5\nposition startpos\ngo depth 1\nisready\nquit\n' | "${run[@]}" | grep -E '^bestmove'
