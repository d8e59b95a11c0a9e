//! Stderr, which may be closed or not read: to write there never fails, and the log never holds up the program.

use std::fmt::Display;
use std::io::{self, Write};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use crate::notation::Deviations;

/// Log records that are written in a second. Any others are only counted, so that a flood of bad input fills no disk.
const MOST_A_SECOND: u32 = 100;
/// Log records that may wait to be written.
const WAITING: usize = 256;
/// How long the end of the program waits for the log to be written.
const PATIENCE: Duration = Duration::from_millis(500);

/// Writes a line. If that fails, the program goes on.
pub(super) fn say(line: &dyn Display) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Says on stderr what was accepted of a text although it is not standard, which is a part of what `say` says.
pub(super) fn say_deviations(deviations: &Deviations, say: impl FnOnce(&str)) {
    if !deviations.is_empty() {
        say(&format!("warning: {deviations}"));
    }
}

/// The log of the program, from now to [`Log::end`].
pub(super) struct Log(Queue);

impl Log {
    /// Sends the log to stderr: warnings, or what the environment variable `RUST_LOG` says.
    pub(super) fn start() -> Self {
        let queue = Queue::start(io::stderr());
        let records = Records { queue: queue.clone(), second: Instant::now(), written: 0 };
        env_logger::Builder::from_env(env_logger::Env::default().default_filter_or("warn"))
            // It logs all that is sent, passwords too.
            .filter_module("tungstenite", log::LevelFilter::Off)
            .target(env_logger::Target::Pipe(Box::new(records)))
            .init();
        Self(queue)
    }

    /// Logs a last line, if there is one, and waits until all is written, but no longer than half a second.
    pub(super) fn end(self, last: Option<&dyn Display>) {
        let text = last.map(|line| format!("{line}\n").into_bytes());
        if !self.0.finish(text, PATIENCE)
            && let Some(line) = last
        {
            say(line);
        }
    }
}

enum Message {
    Text(Vec<u8>),
    /// Answered when everything before it has been written.
    Flush(SyncSender<()>),
}

/// The way to the thread that writes. Only that thread has to wait for a reader of stderr.
#[derive(Clone)]
struct Queue {
    messages: SyncSender<Message>,
    left_out: Arc<AtomicU64>,
}

impl Queue {
    fn start(out: impl Write + Send + 'static) -> Self {
        let (messages, received) = sync_channel(WAITING);
        let left_out = Arc::new(AtomicU64::new(0));
        let queue = Self { messages, left_out: Arc::clone(&left_out) };
        // If there is no thread, nothing is logged; that is better than not to run at all.
        let _ = thread::Builder::new().name("log".to_owned()).spawn(move || write_all(&received, &left_out, out));
        queue
    }

    /// Hands over `last` and waits until everything is written, but no longer than `patience`. `false` if there is no
    /// thread that could write it.
    fn finish(&self, last: Option<Vec<u8>>, patience: Duration) -> bool {
        let deadline = Instant::now() + patience;
        let (done, wait) = sync_channel(1);
        for mut message in last.map(Message::Text).into_iter().chain([Message::Flush(done)]) {
            loop {
                match self.messages.try_send(message) {
                    Ok(()) => break,
                    Err(TrySendError::Disconnected(_)) => return false,
                    // Stderr is not read.
                    Err(TrySendError::Full(_)) if Instant::now() > deadline => return true,
                    Err(TrySendError::Full(same)) => message = same,
                }
                thread::sleep(Duration::from_millis(1));
            }
        }
        let _ = wait.recv_timeout(deadline.saturating_duration_since(Instant::now()));
        true
    }
}

/// Writes what comes, and once a second how much was left out.
fn write_all(messages: &Receiver<Message>, left_out: &AtomicU64, mut out: impl Write) {
    loop {
        let message = messages.recv_timeout(Duration::from_secs(1));
        let count = left_out.swap(0, Ordering::Relaxed);
        // If stderr does not work, there is no place to say so.
        if count > 0 {
            let _ = writeln!(out, "left out {count} lines of the log");
        }
        match message {
            Ok(Message::Text(text)) => drop(out.write_all(&text)),
            Ok(Message::Flush(done)) => drop(done.send(())),
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => return,
        }
    }
}

/// Takes the records of the log, each in one write.
struct Records {
    queue: Queue,
    /// When the present second began.
    second: Instant,
    /// Records taken since then.
    written: u32,
}

impl Records {
    fn is_allowed(&mut self) -> bool {
        if self.second.elapsed() >= Duration::from_secs(1) {
            self.second = Instant::now();
            self.written = 0;
        }
        self.written += 1;
        self.written <= MOST_A_SECOND
    }
}

impl Write for Records {
    fn write(&mut self, record: &[u8]) -> io::Result<usize> {
        let text = Message::Text(record.to_vec());
        if !self.is_allowed() || self.queue.messages.try_send(text).is_err() {
            self.queue.left_out.fetch_add(1, Ordering::Relaxed);
        }
        Ok(record.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Mutex;

    /// Writes to a text once it may.
    #[derive(Clone, Default)]
    struct SharedText(Arc<Mutex<Vec<u8>>>);

    impl SharedText {
        fn text(&self) -> String {
            String::from_utf8(self.0.lock().unwrap().clone()).unwrap()
        }
    }

    impl Write for SharedText {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().extend_from_slice(text);
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    fn records(queue: &Queue) -> Records {
        Records { queue: queue.clone(), second: Instant::now(), written: 0 }
    }

    /// Records written and records left out.
    fn count(text: &str) -> (usize, u64) {
        let written = text.lines().filter(|line| *line == "record").count();
        let left_out =
            text.lines().filter_map(|line| line.strip_prefix("left out ")?.split(' ').next()?.parse::<u64>().ok());
        (written, left_out.sum())
    }

    #[test]
    fn a_flood_is_cut_and_counted() {
        let sink = SharedText::default();
        let queue = Queue::start(sink.clone());
        let mut records = records(&queue);
        for _ in 0..10_000 {
            records.write_all(b"record\n").unwrap();
        }
        queue.finish(Some(b"the end\n".to_vec()), Duration::from_secs(60));
        let (written, left_out) = count(&sink.text());
        assert_eq!(written as u64 + left_out, 10_000);
        assert!((1..2_000).contains(&written), "{written}");
        assert!(sink.text().ends_with("the end\n"));
    }

    #[test]
    fn nobody_waits_for_a_reader() {
        let sink = SharedText::default();
        let reader = sink.0.lock().unwrap();
        let queue = Queue::start(sink.clone());
        for _ in 0..1_000 {
            // Each from a second of its own.
            records(&queue).write_all(b"record\n").unwrap();
        }
        queue.finish(Some(b"the end\n".to_vec()), Duration::from_millis(20));
        drop(reader);
        queue.finish(None, Duration::from_secs(60));
        let (written, left_out) = count(&sink.text());
        assert_eq!(written as u64 + left_out, 1_000);
        assert!(written <= WAITING + 1, "{written}");
    }
}
