#!/usr/bin/env bash
# Fills in the templates of other package managers and checks their syntax; the arguments are those of render.py:
#     scripts/release/templates.sh ADDRESS VERSION SUMS FOLDER
set -euo pipefail
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
command -v ruby >/dev/null || $as_root apt-get install -y -qq --no-install-recommends ruby
here=$(dirname "$0")
folder=$4
rm -rf "$folder"
python3 "$here/render.py" "$@"
if grep -rn "@[A-Z]" "$folder"; then
    echo "something was not filled in"
    exit 1
fi

# The metadata is appended to the manifest of the crate.
manifest=$(mktemp -d)
trap 'rm -rf "$manifest"' EXIT
cat "$here/../../Cargo.toml" "$folder/binstall.toml" > "$manifest/Cargo.toml"
python3 - "$manifest/Cargo.toml" <<'END'
import sys
import tomllib

with open(sys.argv[1], "rb") as file:
    metadata = tomllib.load(file)["package"]["metadata"]["binstall"]
for table in (metadata, *metadata["overrides"].values()):
    assert table["pkg-url"].endswith({"tgz": ".tar.gz", "zip": ".zip"}[table["pkg-fmt"]]), table
END

# The formula is also run on each system, with a stand-in for Homebrew.
ruby -wc "$folder/tak-engine.rb" >/dev/null
ruby "$here/formula.rb" "$folder/tak-engine.rb" "$2" "$3"

# One scalar a line: a small part of YAML, which Ruby's own library reads.
ruby -ryaml -e '
    manifests = ARGV.map { |path| YAML.safe_load_file(path) }
    manifests.map { |manifest| manifest.fetch("ManifestType") }.sort == %w[defaultLocale installer version] or abort "winget: not the three manifests"
    manifests.map { |manifest| manifest.values_at("PackageIdentifier", "PackageVersion", "ManifestVersion") }.uniq.length == 1 or abort "winget: the manifests differ"
    installer = manifests.find { |manifest| manifest.key?("Installers") }.fetch("Installers").first
    installer.fetch("InstallerSha256").match?(/\A\h{64}\z/) or abort "winget: no sum"
' "$folder"/winget/*.yaml
