#!/usr/bin/env bash
# Checks the metadata of the wheels and the sdist in a folder: scripts/release/wheels.sh FOLDER
set -euo pipefail
cd "$(dirname "$0")/../.."
files=$(realpath "${1:?a folder}"/*.whl "$1"/*.tar.gz)
tools=target/twine
[ -x "$tools/bin/twine" ] || { python3 -m venv "$tools" && "$tools/bin/pip" install --quiet --disable-pip-version-check twine; }
# One a line, and no blanks in their names.
# shellcheck disable=SC2086
"$tools/bin/twine" check --strict $files
