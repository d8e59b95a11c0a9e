//! The `tak-lab` program: everything it does is in [`tak_lab::cli`].

use std::process::ExitCode;

fn main() -> ExitCode {
    tak_lab::cli::main()
}
