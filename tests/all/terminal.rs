//! A program whose stderr is a terminal.

use std::fs::File;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::{Child, Command, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};

/// Far longer than anything here takes, even on a loaded machine.
const GUARD: Duration = Duration::from_secs(300);

pub struct Terminal {
    child: Child,
    shown: Arc<Mutex<String>>,
    reader: JoinHandle<()>,
}

impl Terminal {
    /// Starts the program. Its stdout is piped.
    pub fn start(command: &mut Command) -> Self {
        Self::start_with(command, |_| Stdio::piped())
    }

    /// Starts the program with its stdout on the terminal too.
    pub fn start_whole(command: &mut Command) -> Self {
        Self::start_with(command, |terminal| terminal.try_clone().unwrap().into())
    }

    fn start_with(command: &mut Command, stdout: impl FnOnce(&File) -> Stdio) -> Self {
        let controller = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&controller).unwrap();
        unlockpt(&controller).unwrap();
        let name = ptsname(&controller, Vec::new()).unwrap();
        let terminal =
            File::options().write(true).open(Path::new(std::ffi::OsStr::from_bytes(name.as_bytes()))).unwrap();
        // As in any terminal, wherever the tests run.
        command.env("TERM", "xterm");
        let child = command.stdout(stdout(&terminal)).stderr(Stdio::from(terminal)).spawn().unwrap();
        // The terminal is also open in the command, and would never end.
        command.stdout(Stdio::null()).stderr(Stdio::null());
        let shown = Arc::new(Mutex::new(String::new()));
        let all = Arc::clone(&shown);
        let reader = thread::spawn(move || {
            let mut controller = File::from(controller);
            let mut bytes = [0; 4096];
            // Ends with an error on Linux once no process has the terminal open.
            while let Ok(count @ 1..) = controller.read(&mut bytes) {
                all.lock().unwrap().push_str(&String::from_utf8_lossy(&bytes[..count]));
            }
        });
        Self { child, shown, reader }
    }

    /// Waits until the text shown so far satisfies a condition.
    pub fn wait_until(&self, is_wanted: impl Fn(&str) -> bool) {
        let started = Instant::now();
        while !is_wanted(&self.shown.lock().unwrap()) {
            assert!(started.elapsed() < GUARD, "{}", self.shown.lock().unwrap());
            thread::sleep(Duration::from_millis(2));
        }
    }

    /// Sends Ctrl-C.
    pub fn interrupt(&self) {
        let pid = self.child.id().to_string();
        assert!(Command::new("kill").args(["-INT", &pid]).status().unwrap().success());
    }

    /// Waits for the end. The text shown replaces stderr.
    pub fn end(self) -> Output {
        let output = self.child.wait_with_output().unwrap();
        self.reader.join().unwrap();
        let stderr = self.shown.lock().unwrap().clone().into_bytes();
        Output { stderr, ..output }
    }
}
