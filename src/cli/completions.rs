//! `tak-engine completions`: subcommands and options for a shell to complete.

use std::io::Write;
use std::process::ExitCode;

use clap::Command;
use clap_complete::Shell;

/// Prints a script by which a shell completes subcommands and options.
#[derive(Debug, clap::Args)]
#[command(
    after_help = "Example:\n  mkdir -p ~/.local/share/bash-completion/completions\n  tak-engine completions bash > ~/.local/share/bash-completion/completions/tak-engine"
)]
pub struct Args {
    /// The shell.
    shell: Shell,
}

pub fn run(args: &Args, mut command: Command, out: &mut dyn Write) -> anyhow::Result<ExitCode> {
    // The generator panics when it cannot write, so the script is kept until it is whole.
    let mut script = Vec::new();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    let script = String::from_utf8(script)?;
    // The generator for bash writes a name with a hyphen in two ways (github.com/clap-rs/clap/issues/6421).
    out.write_all(script.replace("tak__subcmd__engine", "tak__engine").as_bytes())?;
    Ok(ExitCode::SUCCESS)
}
