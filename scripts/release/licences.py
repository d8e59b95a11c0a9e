"""Prints the licences of all crates in a program with these features:

    scripts/release/licences.py FEATURES [FOLDER]

FOLDER is that of a program other than tak-engine.
"""

import json
import subprocess
import sys
from pathlib import Path

NAMES = ("licen", "copying", "notice", "copyright", "unlicense")


def linked(features, folder):
    """The names and versions of the packages in the program, and not only used to build or test it."""
    command = ["cargo", "tree", "--locked", f"--manifest-path={folder}/Cargo.toml", "--target=all", "--edges=normal"]
    command += ["--prefix=none", "--no-default-features", f"--features={features}"]
    lines = subprocess.run(command, check=True, stdout=subprocess.PIPE, encoding="utf-8").stdout.splitlines()
    return {tuple(line.split()[:2]) for line in lines if line}


def texts(package):
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.name.lower().startswith(NAMES) and path.is_file())
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def main():
    features, folder = (*sys.argv[1:], ".")[:2]
    wanted = linked(features, folder)
    metadata = ["cargo", "metadata", "--locked", "--format-version=1", "--all-features"]
    packages = json.loads(subprocess.run(metadata, check=True, stdout=subprocess.PIPE).stdout)["packages"]
    # Those of the workspace have no source.
    packages = [p for p in packages if p["source"] and (p["name"], f"v{p['version']}") in wanted]
    packages.sort(key=lambda package: package["name"])
    owners = {}
    print("The program contains these crates, each under one of the licences behind its name:\n")
    for package in packages:
        name = f"{package['name']} {package['version']}"
        if not package["license"] and not package["license_file"]:
            sys.exit(f"{name} names no licence")
        print(f"{name}: {package['license'] or package['license_file']}")
        for text in texts(package):
            owners.setdefault(text, []).append(package["name"])
    for text, names in owners.items():
        print(f"\n{'-' * 80}\n{', '.join(dict.fromkeys(names))}:\n\n{text}")


sys.stdout.reconfigure(encoding="utf-8", newline="\n")
main()
