#!/usr/bin/env bash
# Builds the Python package and tests it, with the oldest and the newest Python here. Types and the notebook are checked
# with the newest. The library has the features of the program, as the tests of Rust compile it: so it is not compiled
# again.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
work=$root/target/python
mkdir -p "$work"

# Every Python from 3.10 on, oldest first. pyenv keeps its own where PATH does not show them.
pythons() {
    for python in python3 "${PYENV_ROOT:-$HOME/.pyenv}"/versions/*/bin/python3 /usr/bin/python3.1[0-9]; do
        command -v "$python" >/dev/null || continue
        "$python" -c 'import sys, venv, ensurepip; sys.version_info >= (3, 10) or sys.exit(1)
print("%d.%02d" % sys.version_info[:2], sys.executable)' 2>/dev/null || true
    done | sort -u -k 1,1
}
oldest=$(pythons | head -n 1 | cut -d ' ' -f 2)
newest=$(pythons | tail -n 1 | cut -d ' ' -f 2)
[ -n "$oldest" ] || { echo "no Python from 3.10 on with venv"; exit 1; }

echo "== Python package: build"
[ -x "$work/newest/bin/python" ] || "$newest" -m venv "$work/newest"
"$work/newest/bin/python" -m pip install --quiet --disable-pip-version-check --requirement requirements.txt
"$work/newest/bin/maturin" build --quiet --locked --profile dev --features tak-engine/default --out "$work/wheels" --interpreter "$newest"
wheel=$(ls -t "$work"/wheels/*.whl | head -n 1)

[ -e "$root/target/debug/tak-engine" ] || cargo build --locked --manifest-path "$root/Cargo.toml"
export TAK_ENGINE=${TAK_ENGINE:-$root/target/debug/tak-engine}

# The tests are run beside no source, so that they see the package as it is installed.
cp -r tests examples README.md "$work/"
test_with() {
    "$1" -m pip install --quiet --disable-pip-version-check --force-reinstall --no-deps "$wheel"
    (cd "$work" && "$1" -m pytest --quiet -p no:cacheprovider tests)
}
echo "== Python package: tests with $("$newest" --version)"
test_with "$work/newest/bin/python"
if [ "$oldest" != "$newest" ]; then
    echo "== Python package: tests with $("$oldest" --version)"
    [ -x "$work/oldest/bin/python" ] || "$oldest" -m venv "$work/oldest"
    "$work/oldest/bin/python" -m pip install --quiet --disable-pip-version-check numpy pytest takpy
    test_with "$work/oldest/bin/python"
fi

echo "== Python package: types"
(cd "$work" && newest/bin/python -m mypy.stubtest tak_engine._native --allowlist tests/stubtest.txt)
"$work/newest/bin/python" -m mypy --python-executable "$work/newest/bin/python" python tests examples
"$work/newest/bin/python" -m pyright --pythonpath "$work/newest/bin/python" python tests examples

echo "== Python package: notebook"
(cd "$work" && newest/bin/python -m jupyter nbconvert --to notebook --execute --output-dir "$work" "$root/bindings/python/example.ipynb")
