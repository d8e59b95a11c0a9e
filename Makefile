# What OpenBench asks of an engine: `make EXE=name` leaves the program under that name in this folder.
# It is built for the processor at hand; `cargo build --release` builds one that runs anywhere.

EXE ?= tak-engine

.PHONY: all
all:
	RUSTFLAGS="-C target-cpu=native" cargo build --release --locked --target-dir target
	cp target/release/tak-engine $(EXE)

# The program against earlier versions on every size, in one table; see tests/sizes.sh.
.PHONY: sizes
sizes:
	cargo build --release --locked --target-dir target
	tests/sizes.sh target/release/tak-engine

# Every level of strength against the one below, in one table; see tests/ladder.sh.
.PHONY: ladder
ladder:
	cargo build --release --locked --target-dir target
	tests/ladder.sh target/release/tak-engine
