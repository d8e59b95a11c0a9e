//! Drives the real binary over TEI. Every wait has a generous guard, so that a hang is a failure and not a hang.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

/// Far longer than anything here takes, even on a loaded machine.
pub const GUARD: Duration = Duration::from_secs(60);

/// The program under test.
pub const BINARY: &str = env!("CARGO_BIN_EXE_tak-engine");

/// A running engine.
pub struct Tei {
    child: Child,
    stdin: Option<ChildStdin>,
    lines: Receiver<String>,
    stderr: Option<thread::JoinHandle<String>>,
    /// Open and never read.
    unread: Option<ChildStderr>,
}

/// The end of an engine.
pub struct Ended {
    pub status: ExitStatus,
    /// The lines of stdout that were not read before.
    pub rest: Vec<String>,
    pub stderr: String,
}

impl Tei {
    /// Starts the binary without arguments.
    pub fn start() -> Self {
        Self::start_with(&[])
    }

    pub fn start_with(args: &[&str]) -> Self {
        Self::spawn(Command::new(BINARY).args(args))
    }

    /// Starts a command that ends in running the binary.
    pub fn spawn(command: &mut Command) -> Self {
        let mut tei = Self::spawn_unread(command);
        let mut stderr = tei.unread.take().expect("stderr is piped");
        tei.stderr = Some(thread::spawn(move || {
            let mut text = String::new();
            let _ = stderr.read_to_string(&mut text);
            text
        }));
        tei
    }

    /// Starts a command that ends in running the binary, whose stderr nobody will ever read.
    pub fn spawn_unread(command: &mut Command) -> Self {
        let mut child = command
            .env_remove("RUST_LOG")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the binary starts");
        let stdin = child.stdin.take();
        let stdout = child.stdout.take().expect("stdout is piped");
        let unread = child.stderr.take();
        let (sender, lines) = channel();
        thread::spawn(move || {
            for line in BufReader::new(stdout).lines() {
                if sender.send(line.expect("stdout is UTF-8")).is_err() {
                    return;
                }
            }
        });
        Self { child, stdin, lines, stderr: None, unread }
    }

    /// Sends one line.
    pub fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    pub fn send_bytes(&mut self, bytes: &[u8]) {
        let stdin = self.stdin.as_mut().expect("stdin is open");
        stdin.write_all(bytes).expect("the engine reads");
        stdin.flush().expect("the engine reads");
    }

    /// The next line. No engine line is ever blank.
    pub fn line(&self) -> String {
        match self.lines.recv_timeout(GUARD) {
            Ok(line) => {
                assert!(!line.trim().is_empty(), "a blank line on stdout");
                line
            }
            Err(RecvTimeoutError::Timeout) => panic!("no line in {GUARD:?}"),
            Err(RecvTimeoutError::Disconnected) => panic!("the engine has closed its stdout"),
        }
    }

    /// All lines up to and including the first that begins with `start`.
    pub fn until(&self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines[lines.len() - 1].starts_with(start) {
            lines.push(self.line());
        }
        lines
    }

    /// Sends a line and `isready`; what the engine says before `readyok`.
    pub fn ask(&mut self, line: &str) -> Vec<String> {
        self.send(line);
        self.send("isready");
        let mut lines = self.until("readyok");
        lines.pop();
        lines
    }

    /// Sends a `go` line; the lines before `bestmove`, and the move.
    pub fn go(&mut self, line: &str) -> (Vec<String>, String) {
        self.send(line);
        let mut lines = self.until("bestmove ");
        let best = lines.pop().expect("until returns a line");
        let best = best["bestmove ".len()..].to_owned();
        assert!(!best.contains(' '), "more than a move: {best}");
        (lines, best)
    }

    /// The position as `show` tells it.
    pub fn show(&mut self) -> String {
        self.send("show");
        self.line()
    }

    /// Threads that the engine has at present.
    #[cfg(target_os = "linux")]
    pub fn threads(&self) -> usize {
        self.status("Threads:")
    }

    /// The most memory that the engine has had so far, in MiB.
    #[cfg(target_os = "linux")]
    pub fn peak_mib(&self) -> usize {
        self.status("VmHWM:") / 1024
    }

    /// The memory that the engine has now, in MiB.
    #[cfg(target_os = "linux")]
    pub fn resident_mib(&self) -> usize {
        self.status("VmRSS:") / 1024
    }

    /// The processor time that the engine has used so far, in ticks of the system, usually of 10 ms.
    #[cfg(target_os = "linux")]
    pub fn ticks(&self) -> u64 {
        let [user, system] = [11, 12].map(|index| self.statistic(index));
        user + system
    }

    /// The number of memory pages that the engine has been given so far.
    #[cfg(target_os = "linux")]
    pub fn pages(&self) -> u64 {
        self.statistic(7)
    }

    /// A number that the system counts for the engine, by its place after the state of the process.
    #[cfg(target_os = "linux")]
    fn statistic(&self, index: usize) -> u64 {
        let path = format!("/proc/{}/stat", self.child.id());
        let text = std::fs::read_to_string(path).expect("the engine runs");
        // The name of the program, in brackets, may hold anything.
        let (_, rest) = text.rsplit_once(')').expect("a name in brackets");
        let field = rest.split_whitespace().nth(index);
        field.expect("a field").parse::<u64>().expect("a number")
    }

    /// A number that the system tells of the engine.
    #[cfg(target_os = "linux")]
    fn status(&self, key: &str) -> usize {
        let path = format!("/proc/{}/status", self.child.id());
        let text = std::fs::read_to_string(path).expect("the engine runs");
        let line = text.lines().find_map(|line| line.strip_prefix(key));
        let number = line.and_then(|line| line.split_whitespace().next());
        number.and_then(|number| number.parse().ok()).expect(key)
    }

    /// Closes the engine's stdin and waits for its end.
    pub fn close(mut self) -> Ended {
        self.stdin = None;
        self.wait()
    }

    /// Waits for the engine's end.
    pub fn wait(mut self) -> Ended {
        let status = wait_for(&mut self.child);
        let mut rest = Vec::new();
        loop {
            match self.lines.recv_timeout(GUARD) {
                Ok(line) => rest.push(line),
                Err(RecvTimeoutError::Disconnected) => break,
                Err(RecvTimeoutError::Timeout) => panic!("stdout stays open"),
            }
        }
        assert!(rest.iter().all(|line| !line.trim().is_empty()), "a blank line on stdout");
        let stderr = self.stderr.take();
        let stderr = stderr.map(|stderr| stderr.join().expect("stderr can be read"));
        Ended { status, rest, stderr: stderr.unwrap_or_default() }
    }
}

/// Waits for the end of a process.
pub fn wait_for(child: &mut Child) -> ExitStatus {
    let started = Instant::now();
    loop {
        if let Some(status) = child.try_wait().expect("the child can be waited for") {
            return status;
        }
        assert!(started.elapsed() < GUARD, "the engine does not end");
        thread::sleep(Duration::from_millis(2));
    }
}

/// No engine outlives its test.
impl Drop for Tei {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
