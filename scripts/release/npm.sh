#!/usr/bin/env bash
# Builds the npm package into a folder, or publishes it from there:
#     scripts/release/npm.sh pack FOLDER
#     scripts/release/npm.sh publish FOLDER [--dry-run]
set -euo pipefail
action=$1 folder=$2
shift 2
root=$(cd "$(dirname "$0")/../.." && pwd)
case $action in
    pack)
        "$root/bindings/wasm/build.sh"
        mkdir -p "$folder"
        npm pack --silent --pack-destination "$folder" "$root/bindings/wasm/js"
        ;;
    publish) npm publish "$@" --access public "$folder"/tak-engine-*.tgz ;;
    *)
        echo "neither pack nor publish: $action"
        exit 2
        ;;
esac
