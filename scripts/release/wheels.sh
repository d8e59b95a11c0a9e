#!/usr/bin/env bash
# Builds a wheel for this machine and the sdist into a folder, or checks the metadata of those in it:
#     scripts/release/wheels.sh build FOLDER
#     scripts/release/wheels.sh check FOLDER
set -euo pipefail
action=$1
mkdir -p "$2"
folder=$(realpath "$2")
cd "$(dirname "$0")/../.."
tools=$PWD/target/python-tools
[ -x "$tools/bin/twine" ] || {
    python3 -m venv "$tools"
    "$tools/bin/pip" install --quiet --disable-pip-version-check twine 'maturin>=1.15,<2'
}
case $action in
    build)
        [ -e bindings/python/pyproject.toml ] || { echo "there is no bindings/python"; exit 1; }
        "$tools/bin/maturin" build --quiet --release --locked --manifest-path bindings/python/Cargo.toml --out "$folder"
        "$tools/bin/maturin" sdist --manifest-path bindings/python/Cargo.toml --out "$folder"
        ;;
    check) "$tools/bin/twine" check --strict "$folder"/*.whl "$folder"/*.tar.gz ;;
    *)
        echo "neither build nor check: $action"
        exit 2
        ;;
esac
