"""Prints the licences of all crates in a program with these features: scripts/release/licences.py FEATURES"""

import json
import subprocess
import sys
from pathlib import Path

NAMES = ("licen", "copying", "notice", "copyright", "unlicense")


def reached(metadata):
    """The packages of others that are linked into the program, and not only used to build or test it."""
    nodes = {node["id"]: node for node in metadata["resolve"]["nodes"]}
    found, waiting = set(), [metadata["resolve"]["root"]]
    while waiting:
        package = waiting.pop()
        if package not in found:
            found.add(package)
            for dep in nodes[package]["deps"]:
                if any(kind["kind"] is None for kind in dep["dep_kinds"]):
                    waiting.append(dep["pkg"])
    return found - set(metadata["workspace_members"])


def texts(package):
    folder = Path(package["manifest_path"]).parent
    files = sorted(path for path in folder.iterdir() if path.name.lower().startswith(NAMES) and path.is_file())
    return [path.read_text(encoding="utf-8", errors="replace").strip() for path in files]


def main():
    command = ["cargo", "metadata", "--locked", "--format-version=1", "--no-default-features", "--features", sys.argv[1]]
    metadata = json.loads(subprocess.run(command, check=True, stdout=subprocess.PIPE).stdout)
    linked = reached(metadata)
    packages = sorted((package for package in metadata["packages"] if package["id"] in linked), key=lambda p: p["name"])
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
