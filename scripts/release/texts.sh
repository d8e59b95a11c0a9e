#!/usr/bin/env bash
# Writes what accompanies the program into a folder: man pages in `man`, completions in `complete`, and the licences of
# the program and of all crates in it.
#     scripts/release/texts.sh PROGRAM FEATURES FOLDER
set -euo pipefail
program=$(realpath "$1") features=$2 folder=$3
mkdir -p "$folder/complete"
folder=$(realpath "$folder")
cd "$(dirname "$0")/../.."
"$program" man --force "$folder/man"
"$program" completions bash > "$folder/complete/tak-engine.bash"
"$program" completions fish > "$folder/complete/tak-engine.fish"
"$program" completions zsh > "$folder/complete/_tak-engine"
"$program" completions powershell > "$folder/complete/_tak-engine.ps1"
cp LICENSE-APACHE LICENSE-MIT "$folder"
python=$(command -v python3 || command -v python)
"$python" scripts/release/licences.py "$features" > "$folder/LICENSES-OF-CRATES"
