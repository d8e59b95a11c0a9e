//! A child process with input and output in lines. Every wait has a deadline and its output a limit. Neither it nor its
//! own child processes outlive this program.

use std::fs::OpenOptions;
use std::io::{self, PipeReader, PipeWriter, Read, Write};
use std::os::fd::{AsFd, BorrowedFd};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Mutex;
use std::time::{Duration, Instant};

use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::{OFlags, fcntl_getfl, fcntl_setfl};
use rustix::process::{Pid, Signal, kill_process_group};

/// The longest line that is read, in bytes.
const MAX_LINE_BYTES: usize = 1 << 20;
/// Most output before an answer, in bytes. A verbose engine prints some kilobytes a second.
const MAX_UNANSWERED_BYTES: usize = 16 << 20;
/// Time for a process that closed its output to exit. One that takes longer counts as alive.
const EXIT_TIMEOUT: Duration = Duration::from_millis(200);

/// A program to start, with its arguments and folder.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Program {
    /// The program, looked up in `PATH` when it has no slash.
    pub path: PathBuf,
    pub args: Vec<String>,
    /// Its working directory; this program's own when `None`.
    pub dir: Option<PathBuf>,
    /// Its stderr is appended to this file; `None` discards it.
    pub stderr: Option<PathBuf>,
}

#[derive(Debug, thiserror::Error)]
#[error("{}: {source}", path.display())]
pub struct SpawnError {
    /// The program, or the file that it needs.
    pub path: PathBuf,
    pub source: io::Error,
}

#[derive(Debug, thiserror::Error)]
pub enum EngineIoError {
    /// The process closed its end of a pipe.
    #[error("it closed its {0}")]
    Closed(&'static str),
    #[error("it did not answer in time")]
    Late,
    /// It printed more than any engine needs.
    #[error("it printed more than {} without an answer", limit_text(*.0))]
    Flood(usize),
    /// The run is being stopped; no fault of the process.
    #[error("the run was stopped")]
    Cancelled,
    /// The system refused to read, write or wait; no fault of the process.
    #[error(transparent)]
    Io(#[from] io::Error),
}

fn limit_text(bytes: usize) -> String {
    format!("{} MiB", bytes >> 20)
}

impl From<rustix::io::Errno> for EngineIoError {
    fn from(error: rustix::io::Errno) -> Self {
        Self::Io(error.into())
    }
}

/// Ends every wait of a run at once. Once used it stays used.
#[derive(Debug)]
pub struct Cancel {
    /// Becomes readable, at its end, when the writer is dropped, so that a wait for a process notices it too.
    reader: PipeReader,
    writer: Mutex<Option<PipeWriter>>,
}

impl Cancel {
    pub fn new() -> io::Result<Self> {
        let (reader, writer) = io::pipe()?;
        Ok(Self { reader, writer: Mutex::new(Some(writer)) })
    }

    pub fn cancel(&self) {
        self.lock().take();
    }

    pub fn is_cancelled(&self) -> bool {
        self.lock().is_none()
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Option<PipeWriter>> {
        self.writer.lock().unwrap_or_else(std::sync::PoisonError::into_inner)
    }
}

/// A process group that dies with this program, however this program ends.
///
/// Its leader is a shell that waits for the end of its input, whose other end only this program holds, and then kills
/// the group. An engine joins the group before it runs its first instruction, so it cannot be left behind; processes that it
/// starts join as well.
#[derive(Debug)]
struct Group {
    leader: Child,
}

impl Group {
    const SHELL: &str = "/bin/sh";

    fn new() -> io::Result<Self> {
        let leader = Command::new(Self::SHELL)
            .args(["-c", "read line; kill -KILL 0"])
            .stdin(Stdio::piped())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .process_group(0)
            .spawn()?;
        Ok(Self { leader })
    }

    fn id(&self) -> i32 {
        i32::try_from(self.leader.id()).unwrap_or(i32::MAX)
    }
}

impl Drop for Group {
    fn drop(&mut self) {
        // The leader has not been waited for, so its number cannot belong to anyone else yet. Should the signal fail,
        // the end of its input, which `wait` closes, does the same.
        if let Some(group) = Pid::from_raw(self.id()) {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.leader.wait();
    }
}

/// A running process. Dropping it kills it and everything it started.
#[derive(Debug)]
pub struct Process {
    child: Child,
    /// `None` once it is closed.
    stdin: Option<ChildStdin>,
    stdout: ChildStdout,
    /// Read but not handed out: `buffer[start..end]`.
    buffer: Vec<u8>,
    start: usize,
    end: usize,
    /// Bytes read since the last request.
    unanswered: usize,
    group: Option<Group>,
}

impl Process {
    /// Files that a running process keeps open here: its input, its output, and the input of its group's leader.
    pub const OPEN_FILES: u64 = 3;
    /// Files that are open for a moment while a process is started: the other ends of those, `/dev/null` and so on.
    pub const OPEN_AT_START: u64 = 8;

    /// Starts `program`.
    ///
    /// # Errors
    /// If the system cannot start it or cannot open its `stderr` file. The process has not run then, so it is not its
    /// fault.
    pub fn spawn(program: &Program) -> Result<Self, SpawnError> {
        let of = |path: &Path| {
            let path = path.to_owned();
            move |source| SpawnError { path, source }
        };
        let group = Group::new().map_err(of(Path::new(Group::SHELL)))?;
        let stderr = match &program.stderr {
            Some(path) => OpenOptions::new().append(true).create(true).open(path).map_err(of(path))?.into(),
            None => Stdio::null(),
        };
        Self::spawn_in(group, program, stderr).map_err(of(&program.path))
    }

    fn spawn_in(group: Group, program: &Program, stderr: Stdio) -> io::Result<Self> {
        // A path is relative to our folder, not to the folder that the program runs in; a bare name is looked up.
        let is_name = program.path.components().count() == 1;
        let mut command =
            if is_name { Command::new(&program.path) } else { Command::new(std::path::absolute(&program.path)?) };
        command
            .args(&program.args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(stderr)
            .process_group(group.id());
        if let Some(dir) = &program.dir {
            command.current_dir(dir);
        }
        let mut child = command.spawn()?;
        let (Some(stdin), Some(stdout)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("the process has no pipes"));
        };
        // A process that does not read must not block us.
        fcntl_setfl(&stdin, fcntl_getfl(&stdin)? | OFlags::NONBLOCK)?;
        let stdin = Some(stdin);
        Ok(Self { child, stdin, stdout, buffer: vec![0; 1 << 14], start: 0, end: 0, unanswered: 0, group: Some(group) })
    }

    /// Writes `text`, which usually ends in a line break, and begins to count the output.
    pub fn send(&mut self, text: impl AsRef<[u8]>, deadline: Instant, cancel: &Cancel) -> Result<(), EngineIoError> {
        self.unanswered = 0;
        let mut rest = text.as_ref();
        while !rest.is_empty() {
            let Some(stdin) = &mut self.stdin else { return Err(EngineIoError::Closed("input")) };
            match stdin.write(rest) {
                Ok(written) => rest = &rest[written..],
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock => {
                        wait(stdin.as_fd(), PollFlags::OUT, deadline, cancel)?;
                    }
                    io::ErrorKind::Interrupted => {}
                    io::ErrorKind::BrokenPipe => return Err(EngineIoError::Closed("input")),
                    _ => return Err(error.into()),
                },
            }
        }
        Ok(())
    }

    /// The next line, without its line break; bytes that are not UTF-8 are replaced.
    pub fn line(&mut self, deadline: Instant, cancel: &Cancel) -> Result<String, EngineIoError> {
        let mut searched = self.start;
        loop {
            if let Some(length) = self.buffer[searched..self.end].iter().position(|&byte| byte == b'\n') {
                let line = &self.buffer[self.start..searched + length];
                let text = String::from_utf8_lossy(line).trim_end().to_owned();
                self.start = searched + length + 1;
                return Ok(text);
            }
            let unsearched = self.end - self.start;
            self.read_more(deadline, cancel)?;
            searched = self.start + unsearched;
        }
    }

    /// Discards output that was not requested.
    pub fn discard(&mut self, cancel: &Cancel) -> Result<(), EngineIoError> {
        self.unanswered = 0;
        loop {
            (self.start, self.end) = (0, 0);
            match self.read_more(Instant::now(), cancel) {
                Ok(()) => {}
                Err(EngineIoError::Late) => return Ok(()),
                Err(other) => return Err(other),
            }
        }
    }

    fn read_more(&mut self, deadline: Instant, cancel: &Cancel) -> Result<(), EngineIoError> {
        if self.end - self.start > MAX_LINE_BYTES {
            return Err(EngineIoError::Flood(MAX_LINE_BYTES));
        }
        if self.unanswered > MAX_UNANSWERED_BYTES {
            return Err(EngineIoError::Flood(MAX_UNANSWERED_BYTES));
        }
        self.buffer.copy_within(self.start..self.end, 0);
        self.end -= self.start;
        self.start = 0;
        if self.end == self.buffer.len() {
            self.buffer.resize(2 * self.end, 0);
        }
        loop {
            wait(self.stdout.as_fd(), PollFlags::IN, deadline, cancel)?;
            match self.stdout.read(&mut self.buffer[self.end..]) {
                Ok(0) => return Err(EngineIoError::Closed("output")),
                Ok(count) => {
                    self.end += count;
                    self.unanswered += count;
                    return Ok(());
                }
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    pub fn end_input(&mut self) {
        self.stdin = None;
    }

    /// The exit status of a process that closed a pipe; `None` if it still runs.
    pub fn exit_status(&mut self) -> Option<ExitStatus> {
        self.exit_by(Instant::now() + EXIT_TIMEOUT)
    }

    /// The exit status of a process that is to end; `None` if it still runs at `deadline`.
    pub fn exit_by(&mut self, deadline: Instant) -> Option<ExitStatus> {
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return Some(status),
                Ok(None) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(2));
                }
                _ => return None,
            }
        }
    }

    /// Asks the process to end with `farewell`, gives it until `deadline` to close its output, then kills it.
    pub fn close(mut self, farewell: &str, deadline: Instant, cancel: &Cancel) {
        if self.send(farewell, deadline, cancel).is_ok() {
            while self.discard(cancel).is_ok() && wait(self.stdout.as_fd(), PollFlags::IN, deadline, cancel).is_ok() {}
        }
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The group first: child processes of the process must end as well.
        drop(self.group.take());
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Waits until `fd` is ready or at its end.
fn wait(fd: BorrowedFd<'_>, flags: PollFlags, deadline: Instant, cancel: &Cancel) -> Result<(), EngineIoError> {
    loop {
        let mut fds =
            [PollFd::from_borrowed_fd(fd, flags), PollFd::from_borrowed_fd(cancel.reader.as_fd(), PollFlags::IN)];
        let left = deadline.saturating_duration_since(Instant::now());
        let timeout =
            Timespec { tv_sec: i64::try_from(left.as_secs()).unwrap_or(i64::MAX), tv_nsec: left.subsec_nanos().into() };
        match poll(&mut fds, Some(&timeout)) {
            Ok(0) => return Err(EngineIoError::Late),
            Ok(_) if !fds[1].revents().is_empty() => return Err(EngineIoError::Cancelled),
            Ok(_) => return Ok(()),
            Err(rustix::io::Errno::INTR) => {}
            Err(error) => return Err(error.into()),
        }
    }
}
