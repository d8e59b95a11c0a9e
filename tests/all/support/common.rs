//! Drives the real binary over TEI. Every wait has a generous limit, so that a hang becomes a failure.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, ChildStderr, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

pub use super::BINARY;
use crate::dialogue::Dialogue;

/// Far longer than anything here takes, even on a loaded machine.
pub const GUARD: Duration = Duration::from_secs(60);

/// The program that speaks TEI: the one under test, or another one in its place, such as
/// bindings/wasm/test/tei.js.
pub fn speaker() -> Command {
    Command::new(env::var_os("TEI_PROGRAM").unwrap_or_else(|| BINARY.into()))
}

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
    /// The lines of stdout that were not read.
    pub rest: Vec<String>,
    pub stderr: String,
}

impl Tei {
    /// Starts the program that speaks TEI, without arguments.
    pub fn start() -> Self {
        Self::spawn(&mut speaker())
    }

    /// Starts a command that ends in running the binary.
    pub fn spawn(command: &mut Command) -> Self {
        let mut tei = Self::spawn_unread(command);
        tei.stderr = tei.unread.take().map(read_all);
        tei
    }

    /// Starts a command that ends in running the binary, with a stderr that is never read.
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

    /// Threads that the engine has at present.
    #[cfg(target_os = "linux")]
    pub fn threads(&self) -> usize {
        status(&self.child, "Threads:")
    }

    /// The most memory that the engine has had so far, in MiB.
    #[cfg(target_os = "linux")]
    pub fn peak_mib(&self) -> usize {
        status(&self.child, "VmHWM:") / 1024
    }

    /// The memory that the engine has now, in MiB.
    #[cfg(target_os = "linux")]
    pub fn resident_mib(&self) -> usize {
        status(&self.child, "VmRSS:") / 1024
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

    /// A number that the system counts for the engine, by its index after the process state.
    #[cfg(target_os = "linux")]
    fn statistic(&self, index: usize) -> u64 {
        let path = format!("/proc/{}/stat", self.child.id());
        let text = fs::read_to_string(path).expect("the engine runs");
        // The name of the program, in brackets, may contain anything.
        let (_, rest) = text.rsplit_once(')').expect("a name in brackets");
        let field = rest.split_whitespace().nth(index);
        field.expect("a field").parse::<u64>().expect("a number")
    }

    /// Closes the engine's stdin and waits for its end.
    pub fn close(mut self) -> Ended {
        self.stdin = None;
        self.wait()
    }

    /// Waits until the engine ends by itself.
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

impl Dialogue for Tei {
    fn send(&mut self, line: &str) {
        self.send_bytes(format!("{line}\n").as_bytes());
    }

    fn until(&mut self, start: &str) -> Vec<String> {
        let mut lines = vec![self.line()];
        while !lines[lines.len() - 1].starts_with(start) {
            lines.push(self.line());
        }
        lines
    }
}

/// A number in the system's status of a process; memory is in KiB.
#[cfg(target_os = "linux")]
pub fn status(child: &Child, key: &str) -> usize {
    let text = fs::read_to_string(format!("/proc/{}/status", child.id())).expect("it runs");
    let line = text.lines().find_map(|line| line.strip_prefix(key));
    let number = line.and_then(|line| line.split_whitespace().next());
    number.and_then(|number| number.parse().ok()).expect(key)
}

/// Reads a stream to its end on a thread.
pub fn read_all(mut from: impl Read + Send + 'static) -> thread::JoinHandle<String> {
    thread::spawn(move || {
        let mut bytes = Vec::new();
        let _ = from.read_to_end(&mut bytes);
        String::from_utf8_lossy(&bytes).into_owned()
    })
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

/// Waits until a condition holds.
pub fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < GUARD, "waited in vain for {what}");
        thread::sleep(Duration::from_millis(5));
    }
}

/// Waits for the end of a process that need not be a child. One that waits for its parent to take notice has ended.
#[cfg(unix)]
pub fn wait_for_end(pid: &str) {
    let is_running = || {
        if !Path::new("/proc/self/stat").exists() {
            let status = Command::new("kill").args(["-0", pid]).stderr(Stdio::null()).status();
            return status.unwrap().success();
        }
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit(')').next().unwrap_or_default();
        !matches!(state.trim_start().chars().next(), None | Some('Z' | 'X'))
    };
    wait_until(&format!("process {pid} to end"), || !is_running());
}

/// No engine outlives its test.
impl Drop for Tei {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
