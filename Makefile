# The interface for OpenBench: `make EXE=name` puts the program under that name into this folder.
# It is built for the local processor; `cargo build --release` builds one that runs anywhere.

EXE ?= tak-engine
NATIVE = -C target-cpu=native

.PHONY: all
all:
	RUSTFLAGS="$(NATIVE)" cargo build --release --locked --target-dir target
	cp target/release/tak-engine $(EXE)

# Profile-guided: a first build records its bench, and the second is optimised for it. See scripts/release/build.sh.
HOST = $(shell rustc -vV | sed -n 's/^host: //p')
.PHONY: pgo
pgo:
	scripts/release/build.sh $(HOST) native serve $(EXE) pgo

# All tests, those of the page last. Says what it skips and why.
.PHONY: test
test:
	scripts/test.sh

# The npm package in target.
.PHONY: npm
npm:
	scripts/release/npm.sh pack target

# The program as a Debian package in target.
.PHONY: deb
deb:
	cargo build --release --locked --target-dir target
	scripts/release/deb.sh target/release/tak-engine serve target

# The program against earlier versions on every size, in one table; see scripts/sizes.sh.
.PHONY: sizes
sizes:
	cargo build --release --locked --target-dir target
	scripts/sizes.sh target/release/tak-engine

# Every level of strength against the one below and the reference players, and with TILTAK=PATH or TAKTICIAN=PATH against
# those; see scripts/ladder.sh.
.PHONY: ladder
ladder:
	cargo build --release --locked --bin tak-engine --example reference_player --target-dir target
	scripts/ladder.sh target/release/tak-engine

# The board in the browser as a folder of static files, with the engine in them: no server is needed. See docs/web.md.
.PHONY: page
page: web/node_modules/.package-lock.json
	bindings/wasm/build.sh
	node web/build.js target/page

# The tests of the page alone, in Node and in Chromium over both ways to it.
.PHONY: test-page
test-page: page
	cargo build --locked --target-dir target
	npm --prefix web test

web/node_modules/.package-lock.json: web/package-lock.json
	npm ci --prefix web --loglevel=error --no-audit --no-fund
	touch $@
