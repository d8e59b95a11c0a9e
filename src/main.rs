//! The `tak-engine` program: everything it does is in [`tak_engine::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    tak_engine::cli::main()
}
