//! Files of a test, and the program run among them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};

use regex::bytes::Regex;

/// A folder for the files of one test.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn file(&self, name: &str, content: impl AsRef<[u8]>) {
        fs::write(self.0.join(name), content).unwrap();
    }

    pub fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap()
    }

    /// The program with these words as arguments.
    pub fn command(&self, words: &str) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tak-engine"));
        command.args(words.split_whitespace()).current_dir(&self.0).env_remove("RUST_LOG").stdin(Stdio::null());
        command
    }

    /// Its output with these words as arguments, without lines of progress.
    pub fn run(&self, words: &str) -> Output {
        without_progress(self.command(words).output().unwrap())
    }
}

/// The output of a command that is given this input, without lines of progress.
pub fn output_for(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    // A program that refuses its arguments may be gone before it reads anything.
    let _ = child.stdin.take().unwrap().write_all(input.as_ref());
    without_progress(child.wait_with_output().unwrap())
}

/// Removes lines of progress from stderr, such as `12/64 plies, 20 s, 87 s left`: they appear on slow machines only.
pub fn without_progress(output: Output) -> Output {
    let line = r"(?m)^[0-9]+(/[0-9]+)? [a-z ]+(, [^\r\n\x1b]+)?, [0-9]+ s(, [0-9]+ s left)?\n";
    let stderr = Regex::new(line).unwrap().replace_all(&output.stderr, &b""[..]).into_owned();
    Output { stderr, ..output }
}
