//! The program of the bot, and a reader of its output.

use std::io::{self, BufRead, BufReader, PipeReader, PipeWriter, pipe};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::server::{PASSWORD, Server};
use super::{GUARD, SEEK, wait_for};

/// A running bot.
pub struct Bot {
    child: Child,
    said: Arc<Mutex<Vec<String>>>,
    reader: Option<thread::JoinHandle<()>>,
    stderr: Option<thread::JoinHandle<String>>,
}

impl Bot {
    pub fn start(url: &str, args: &[&str]) -> Self {
        Self::start_with(url, args, |command| command)
    }

    /// A guest who offers a game.
    pub fn guest(server: &Server, args: &[&str]) -> Self {
        Self::start(&server.url(), &[&["--guest"], args, &SEEK].concat())
    }

    pub fn start_with(url: &str, args: &[&str], change: impl FnOnce(&mut Command) -> &mut Command) -> Self {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tak-playtak"));
        command
            .args(["--threads", "1", "--hash", "1", "--url", url])
            .args(args)
            .env_remove("RUST_LOG")
            .env("TAK_PASSWORD", PASSWORD)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let mut child = change(&mut command).spawn().unwrap();
        let pipe = child.stderr.take().unwrap();
        let stderr = thread::spawn(move || io::read_to_string(pipe).unwrap());
        // There is none to read where `change` has put another in its place.
        let lines = child.stdout.take().into_iter().flat_map(|out| BufReader::new(out).lines());
        let said = Arc::<Mutex<Vec<String>>>::default();
        let all_said = Arc::clone(&said);
        let say = move |line| all_said.lock().unwrap().push(line);
        let reader = thread::spawn(move || lines.map_while(Result::ok).for_each(say));
        Self { child, said, reader: Some(reader), stderr: Some(stderr) }
    }

    /// With a file for its games, and its stdout on a pipe to a listener.
    pub fn start_piped(server: &Server, games: &Path) -> (Self, Listener) {
        let (reader, writer) = pipe().unwrap();
        let listener = Listener { reader, writer: writer.try_clone().unwrap() };
        let args = [&["--guest", "--ptn", games.to_str().unwrap()], &SEEK[..]].concat();
        let bot = Self::start_with(&server.url(), &args, |command| command.stdout(writer));
        (bot, listener)
    }

    /// Sends Ctrl-C.
    pub fn interrupt(&self) {
        let pid = self.child.id().to_string();
        let status = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        assert!(status.success());
    }

    pub fn has_said(&self, text: &str) -> bool {
        self.said.lock().unwrap().iter().any(|line| line.contains(text))
    }

    pub fn wait_until_said(&self, text: &str) {
        for _ in 0..GUARD.as_millis() / 5 {
            if self.has_said(text) {
                return;
            }
            thread::sleep(Duration::from_millis(5));
        }
        panic!("never said {text:?}: {:#?}", self.said.lock().unwrap());
    }

    /// Output lines and stderr of a bot that ends without an error.
    pub fn end_well(self) -> (Vec<String>, String) {
        let (code, said, stderr) = self.end();
        assert_eq!(code, Some(0), "{said:#?}\n{stderr}");
        (said, stderr)
    }

    /// Exit code, stdout and stderr.
    pub fn end(mut self) -> (Option<i32>, Vec<String>, String) {
        let status = wait_for("the end of the bot", || self.child.try_wait().unwrap());
        self.reader.take().unwrap().join().unwrap();
        let said = self.said.lock().unwrap().clone();
        (status.code(), said, self.stderr.take().unwrap().join().unwrap())
    }
}

impl Drop for Bot {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A reader of the bot's output that reads nothing.
pub struct Listener {
    reader: PipeReader,
    /// A copy of the end that the bot has.
    writer: PipeWriter,
}

impl Listener {
    /// Closes the reader, and returns when no copy of it is left. A program that another test is starting has a copy of
    /// the reader until it runs.
    pub fn leave(self) {
        drop(self.reader);
        let gone = PollFlags::ERR | PollFlags::HUP;
        wait_for("the last reader to be gone", || {
            let mut ends = [PollFd::new(&self.writer, PollFlags::empty())];
            poll(&mut ends, Some(&Timespec::default())).unwrap();
            ends[0].revents().intersects(gone).then_some(())
        });
    }
}
