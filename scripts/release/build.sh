#!/usr/bin/env bash
# Builds the program for one target and processor:
#     scripts/release/build.sh TARGET CPU FEATURES FILE [pgo]
# PACKAGE is another program of the workspace to build, such as tak-playtak. With `pgo` it is built twice: the first build records its `bench`, and the second is optimised for it. This machine must
# run the program then, and needs llvm-profdata of the version of LLVM in Rust: `rustup component add llvm-tools`, or
# Debian's package llvm-NN.
set -euo pipefail
cd "$(dirname "$0")/../.."
target=$1 cpu=$2 features=$3 file=$4 mode=${5-} package=${PACKAGE:-tak-engine}

rustup target list --installed 2>/dev/null | grep -qx "$target" || rustup target add "$target"
# Static, so that it runs on every system of the target. Paths of this machine would be in the texts of panics.
root=$PWD
case $target in
    # Rust does not know the paths of the shell there.
    *-windows-*) ! command -v cygpath >/dev/null || root=$(cygpath -m "$PWD") ;;
esac
flags="-C target-cpu=$cpu -C strip=symbols --remap-path-prefix $root=. --remap-path-prefix ${CARGO_HOME:-$HOME/.cargo}=/cargo"
case $target in
    *-linux-musl | *-windows-msvc) flags+=" -C target-feature=+crt-static" ;;
esac
exe=
case $target in
    *-windows-*) exe=.exe ;;
esac

# Prints the path of the program that it builds: build FOLDER FLAGS
build() {
    RUSTFLAGS="$flags $2" cargo build --release --locked --package "$package" --target "$target" --features "$features" --target-dir "$1" >&2
    echo "$1/$target/release/$package$exe"
}

folder=target/release-build
if [ "$mode" = pgo ]; then
    host=$(rustc -vV | sed -n 's/^host: //p')
    llvm=$(rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
    profdata=$(rustc --print sysroot)/lib/rustlib/$host/bin/llvm-profdata
    [ -e "$profdata" ] || [ -e "$profdata.exe" ] || profdata=$(command -v "llvm-profdata-$llvm") || {
        echo "no llvm-profdata for LLVM $llvm: rustup component add llvm-tools"
        exit 1
    }
    counts=$root/$folder/counts
    rm -rf "$counts"
    counting=$(build "$folder/counting" "-C profile-generate=$counts")
    "$counting" bench --deeper 2
    "$profdata" merge -o "$folder/profile" "$counts"
    built=$(build "$folder" "-C profile-use=$root/$folder/profile")
else
    built=$(build "$folder" "")
fi
mkdir -p "$(dirname "$file")"
cp "$built" "$file"
