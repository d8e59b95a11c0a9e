#!/usr/bin/env bash
# Builds the npm package in the folder js: the three modules, their glue, the weights and the classic worker; and copies
# the second module, the explorer with the reasons, to web/serverless. Installs what it needs: Rust's target, and npm
# packages into this folder. Everything else goes into target/.
set -euo pipefail
cd "$(dirname "$0")"
root=$(cd ../.. && pwd)
target=${CARGO_TARGET_DIR:-$root/target}
tool=$target/glue/debug/tak-engine-glue

rustup target list --installed | grep -q '^wasm32-unknown-unknown$' || rustup target add wasm32-unknown-unknown
cargo build --locked --quiet --manifest-path tool/Cargo.toml --target-dir "$target/glue"
[ -e node_modules/.package-lock.json ] && [ node_modules/.package-lock.json -nt package.json ] ||
    npm ci --loglevel=error --no-audit --no-fund

# As in .cargo/config.toml; paths of this machine would be in the texts of panics. The thresholds for inlining, where it
# is asked for, and for unrolling are usually 225, 325 and 150. These make the module smaller and the search no slower;
# still smaller ones make it much slower (lab/README.md).
flags="-C target-feature=+simd128 -C link-arg=-zstack-size=4194304 -C llvm-args=-inline-threshold=10
    -C llvm-args=-inlinehint-threshold=250 -C llvm-args=-unroll-threshold=110
    --remap-path-prefix $root=. --remap-path-prefix ${CARGO_HOME:-$HOME/.cargo}=/cargo"
export CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_RUSTFLAGS=$flags
out=$target/wasm-package
rm -rf "$out"
# PACKAGE LEVEL NAME [deflate]: the level of optimisation of `core`.
module() {
    cargo build --locked --manifest-path "$root/Cargo.toml" --target-dir "$target" --package "$1" \
        --target wasm32-unknown-unknown --profile wasm --config "profile.wasm.package.tak-engine-core.opt-level=$2"
    "$tool" "$target/wasm32-unknown-unknown/wasm/${1//-/_}.wasm" "$out" "${@:3}"
}
module tak-engine-wasm 2 tak_engine
# It reads games with `core`, at half the speed with level "z".
module tak-engine-explorer '"s"' tak_engine_explorer
# Here `core` is not hot.
module tak-engine-rules '"z"' tak_engine_rules deflate
cp "$out/tak_engine_rules.js" rules/
cp "$out/tak_engine_rules_bg.wasm.deflate" rules/tak_engine_rules.deflate
cp "$out/tak_engine_explorer_bg.wasm" "$root/web/serverless/tak-engine-explorer.wasm"
cp "$out/tak_engine_explorer.js" "$root/web/serverless/"
cp "$out/tak_engine_bg.wasm" js/tak-engine.wasm
cp "$out/tak_engine.js" "$out"/weights-*.bin js/
cp "$out/tak_engine_explorer_bg.wasm" js/tak-engine-explorer.wasm
cp "$out/tak_engine_explorer.js" js/
cp "$root/LICENSE-APACHE" "$root/LICENSE-MIT" js/
mkdir -p js/classic
node_modules/.bin/esbuild js/classic-worker.js --bundle --format=iife --minify --charset=utf8 \
    --define:import.meta.url=self.location.href --outfile=js/classic/tak-engine.worker.js --log-level=warning
# One file with the module in it, so that there is nothing that a bundler would have to find. Node shows the line of an
# error, so the script keeps its lines.
node_modules/.bin/esbuild rules/index.js --bundle --format=esm --platform=neutral --target=es2022 --minify-syntax \
    --charset=utf8 --loader:.deflate=binary --outfile=js/rules.js --log-level=warning
node size.js --check
