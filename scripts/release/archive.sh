#!/usr/bin/env bash
# Packs the program, its licences, man pages and completions into FOLDER/NAME.tar.gz, or .zip for Windows:
#     scripts/release/archive.sh PROGRAM FEATURES NAME FOLDER
# and checks the archive: it is unpacked, and the program in it is run.
set -euo pipefail
program=$(realpath "$1") features=$2 name=$3 folder=$4
mkdir -p "$folder"
folder=$(realpath "$folder")
cd "$(dirname "$0")/../.."
python=$(command -v python3 || command -v python)

packed=$(mktemp -d)
trap 'rm -rf "$packed"' EXIT
scripts/release/texts.sh "$program" "$features" "$packed/$name"
cp README.md CHANGELOG.md "$packed/$name"
case $name in
    *windows*) file=tak-engine.exe archive=$folder/$name.zip ;;
    *) file=tak-engine archive=$folder/$name.tar.gz ;;
esac
cp "$program" "$packed/$name/$file"
chmod 755 "$packed/$name/$file"
rm -f "$archive"
case $archive in
    *.zip) (cd "$packed" && "$python" -m zipfile -c "$archive" "$name") ;;
    *) tar -C "$packed" -czf "$archive" "$name" ;;
esac

mkdir "$packed/unpacked"
case $archive in
    *.zip) "$python" -m zipfile -e "$archive" "$packed/unpacked" && chmod 755 "$packed/unpacked/$name/$file" ;;
    *) tar -C "$packed/unpacked" -xzf "$archive" ;;
esac
for entry in README.md CHANGELOG.md LICENSE-APACHE LICENSE-MIT LICENSES-OF-CRATES man/tak-engine.1 \
    man/tak-engine-analyse.1 complete/tak-engine.bash complete/tak-engine.fish complete/_tak-engine complete/_tak-engine.ps1; do
    [ -s "$packed/unpacked/$name/$entry" ] || { echo "$archive lacks $entry"; exit 1; }
done
version=$(sed -n 's/^version = "\(.*\)"$/\1/p' Cargo.toml | head -n 1)
"$packed/unpacked/$name/$file" --version | grep -qx "tak-engine $version" || { echo "$archive: not version $version"; exit 1; }
echo "$archive"
