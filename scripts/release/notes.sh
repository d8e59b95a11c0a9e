#!/usr/bin/env bash
# Prints the section of the changelog about a version, for the page of its release: scripts/release/notes.sh VERSION
set -euo pipefail
notes=$(awk -v heading="## $1 - " 'index($0, "## ") == 1 { inside = index($0, heading) == 1; next } inside' "$(dirname "$0")/../../CHANGELOG.md")
[ -n "$notes" ] || { echo "CHANGELOG.md has nothing about $1" >&2; exit 1; }
echo "$notes"
