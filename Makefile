# The interface for OpenBench: `make EXE=name` puts the program under that name into this folder.
# It is built for the local processor; `cargo build --release` builds one that runs anywhere.

EXE ?= tak-engine
NATIVE = -C target-cpu=native

.PHONY: all
all:
	RUSTFLAGS="$(NATIVE)" cargo build --release --locked --target-dir target
	cp target/release/tak-engine $(EXE)

# Profile-guided: a first build records its bench, and the second is optimised for it. It needs llvm-profdata of the
# version of LLVM in Rust: `rustup component add llvm-tools`, or Debian's package llvm-NN.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
LLVM = $(shell rustc -vV | sed -n 's/^LLVM version: \([0-9]*\).*/\1/p')
PROFDATA = $(firstword $(wildcard $(shell rustc --print sysroot)/lib/rustlib/$(HOST)/bin/llvm-profdata) \
	$(shell command -v llvm-profdata-$(LLVM)) llvm-profdata)
PGO = target/pgo
.PHONY: pgo
pgo:
	@$(PROFDATA) --version >/dev/null || { echo "no llvm-profdata for LLVM $(LLVM): rustup component add llvm-tools"; exit 1; }
	rm -rf $(PGO)/counts
	RUSTFLAGS="$(NATIVE) -C profile-generate=$(CURDIR)/$(PGO)/counts" \
		cargo build --release --locked --target $(HOST) --target-dir $(PGO)/counting
	$(PGO)/counting/$(HOST)/release/tak-engine bench --deeper 2
	$(PROFDATA) merge -o $(PGO)/profile $(PGO)/counts
	RUSTFLAGS="$(NATIVE) -C profile-use=$(CURDIR)/$(PGO)/profile" \
		cargo build --release --locked --target $(HOST) --target-dir $(PGO)
	cp $(PGO)/$(HOST)/release/tak-engine $(EXE)

# The program against earlier versions on every size, in one table; see tests/sizes.sh.
.PHONY: sizes
sizes:
	cargo build --release --locked --target-dir target
	tests/sizes.sh target/release/tak-engine

# Every level of strength against the one below and the reference players, and with TILTAK=PATH or TAKTICIAN=PATH against
# those; see tests/ladder.sh.
.PHONY: ladder
ladder:
	cargo build --release --locked --bin tak-engine --example reference_player --target-dir target
	tests/ladder.sh target/release/tak-engine

# The board in the browser as a folder of static files, with the engine in them: no server is needed. See docs/web.md.
.PHONY: page
page:
	bindings/wasm/build.sh
	node bindings/wasm/page/build.js target/page
