#!/usr/bin/env bash
# Writes the SHA-256 sums of all files in a folder into SHA256SUMS there: scripts/release/sums.sh FOLDER
set -euo pipefail
cd "$1"
rm -f SHA256SUMS
sums=$(sha256sum -- *)
echo "$sums" > SHA256SUMS
sha256sum --check --quiet SHA256SUMS
