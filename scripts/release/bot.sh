#!/usr/bin/env bash
# Builds the bot on playtak.com for one target and processor, and packs it with its manual and all licences into
# FOLDER/tak-playtak-VERSION-TARGET.tar.gz, or .zip for Windows:
#     scripts/release/bot.sh TARGET CPU FOLDER
set -euo pipefail
target=$1 cpu=$2
mkdir -p "$3"
folder=$(realpath "$3")
cd "$(dirname "$0")/../.."
python=$(command -v python3 || command -v python)
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' playtak/Cargo.toml | head -n 1)
name=tak-playtak-$version-$target
case $target in
    *-windows-*) file=tak-playtak.exe ;;
    *) file=tak-playtak ;;
esac

packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
mkdir "$packed/$name"
PACKAGE=tak-playtak scripts/release/build.sh "$target" "$cpu" "" "$packed/$name/$file"
cp playtak/README.md docs/clients.md "$packed/$name"
cp LICENSE-APACHE LICENSE-MIT "$packed/$name"
"$python" scripts/release/licences.py "" playtak > "$packed/$name/LICENSES-OF-CRATES"
"$packed/$name/$file" --version | grep -qx "tak-playtak $version" || { echo "$name: not version $version"; exit 1; }
case $target in
    *-windows-*) (cd "$packed" && "$python" -m zipfile -c "$folder/$name.zip" "$name") ;;
    *) tar -C "$packed" -czf "$folder/$name.tar.gz" "$name" ;;
esac
echo "$folder/$name"
