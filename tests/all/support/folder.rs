//! Files of a test, and the program run among them.

use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::sync::LazyLock;
use std::thread;

use regex::bytes::Regex;

use super::BINARY;

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
        let mut command = Command::new(BINARY);
        command.args(words.split_whitespace()).current_dir(&self.0).env_remove("RUST_LOG").stdin(Stdio::null());
        command
    }

    /// Its output with these words as arguments, without lines of progress.
    pub fn run(&self, words: &str) -> Output {
        without_progress(self.command(words).output().unwrap())
    }

    pub fn succeed(&self, words: &str) -> String {
        succeed(&mut self.command(words))
    }

    /// Stdout of a run that succeeds and writes nothing to stderr.
    pub fn succeed_quietly(&self, words: &str) -> String {
        let (out, err) = ended(&mut self.command(words), 0);
        assert_eq!(err, "", "{words}");
        out
    }

    pub fn fail(&self, words: &str, code: i32) -> String {
        fail(&mut self.command(words), code)
    }
}

/// Stdout of a command that succeeds.
pub fn succeed(command: &mut Command) -> String {
    ended(command, 0).0
}

/// Stderr of a command that fails with this code.
pub fn fail(command: &mut Command, code: i32) -> String {
    ended(command, code).1
}

/// Stdout, and stderr without lines of progress, of a command that ends with this code.
pub fn ended(command: &mut Command, code: i32) -> (String, String) {
    let output = without_progress(command.output().unwrap());
    let [out, err] = [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap());
    assert_eq!(output.status.code(), Some(code), "{command:?}: {out}{err}");
    (out, err)
}

/// The output of a command that is given this input, without lines of progress.
pub fn output_for(command: &mut Command, input: impl AsRef<[u8]>) -> Output {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let (mut stdin, input) = (child.stdin.take().unwrap(), input.as_ref().to_vec());
    // Beside the program, whose output may fill its pipe before it has read everything. One that refuses its arguments
    // may be gone before it reads anything.
    let writer = thread::spawn(move || stdin.write_all(&input));
    let output = without_progress(child.wait_with_output().unwrap());
    let _ = writer.join().unwrap();
    output
}

/// The end of a command with all its output.
pub fn described(output: &Output) -> String {
    let [out, err] = [&output.stdout, &output.stderr].map(|bytes| String::from_utf8_lossy(bytes));
    format!("{}\n{out}\n{err}", output.status)
}

/// Removes lines of progress from stderr, such as `12/64 plies, 20 s, 87 s left`: they appear on slow machines only.
fn without_progress(output: Output) -> Output {
    static LINE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?m)^[0-9]+(/[0-9]+)? [a-z ]+(, [^\r\n\x1b]+)?, [0-9]+ s(, [0-9]+ s left)?\n").unwrap()
    });
    let stderr = LINE.replace_all(&output.stderr, &b""[..]).into_owned();
    Output { stderr, ..output }
}
