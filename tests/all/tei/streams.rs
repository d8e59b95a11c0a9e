//! Streams that nobody reads, that were closed, that fail or that hold more than there is room for.

use std::fs::File;
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use crate::cases::cases;
use crate::common::{BINARY, GUARD, Tei, speaker, status, wait_for};
use crate::dialogue::Dialogue;

#[test]
fn bad_lines_are_answered_with_an_unread_stderr() {
    let mut tei = Tei::spawn_unread(&mut speaker());
    // A thousand lines each time, about as many warnings as a pipe holds.
    for _ in 0..cases(25) {
        tei.send_bytes("no such command\n".repeat(1000).as_bytes());
        for _ in 0..1000 {
            assert!(tei.line().starts_with("info error unknown command "));
        }
    }
    let (_, best) = tei.go("go nodes 100");
    assert_ne!(best, "--");
    tei.send("quit");
    assert!(tei.wait().status.success());
}

#[test]
fn the_log_announces_its_end() {
    let mut tei = Tei::start();
    for _ in 0..500 {
        tei.send("bad");
        tei.line();
    }
    let stderr = tei.close().stderr;
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!(lines.len(), 201, "{stderr}");
    assert!(lines[..200].iter().all(|line| line.contains("unknown command")), "{stderr}");
    assert!(lines[200].starts_with("further lines of the log are not written"), "{stderr}");
}

/// Runs the program with this stderr.
fn code(args: &[&str], input: &str, stderr: Stdio) -> Option<i32> {
    let mut child =
        Command::new(BINARY).args(args).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(stderr).spawn().unwrap();
    // A program that refuses its arguments may be gone before it reads anything.
    let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
    wait_for(&mut child).code()
}

#[cfg(target_os = "linux")]
#[test]
fn a_failing_stderr_changes_no_exit_code() {
    let game = "[Size \"5\"]\n1. a1 a1\n";
    let cases: [(&[&str], &str, i32); 8] = [
        (&[], "bad\nquit\n", 0),
        (&["tei"], "bad\nposition startpos moves a1 a1\n", 0),
        (&["analyse", "x9 1 1"], "", 2),
        (&["analyse", "-"], "x9 1 1\n", 1),
        (&["analyse", "--no-such-flag"], "", 2),
        (&["replay", "-"], game, 1),
        (&["tournament", "--games", "2"], "", 2),
        (&["openings", "--size", "3", "--plies", "1", "--count", "100", "--depth", "1"], "", 1),
    ];
    for (args, input, expected) in cases {
        let full = || Stdio::from(File::options().write(true).open("/dev/full").unwrap());
        let unread = || {
            let (reader, writer) = std::io::pipe().unwrap();
            drop(reader);
            Stdio::from(writer)
        };
        for (name, stderr) in [("null", Stdio::null()), ("full", full()), ("closed", unread())] {
            assert_eq!(code(args, input, stderr), Some(expected), "{name}: {args:?}");
        }
        // No stderr at all.
        let mut shell = Command::new("sh");
        shell.args(["-c", r#"exec "$0" "$@" 2>&-"#, BINARY]).args(args);
        let mut child = shell.stdin(Stdio::piped()).stdout(Stdio::null()).spawn().unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        assert_eq!(wait_for(&mut child).code(), Some(expected), "{args:?}");
    }
}

/// Output that cannot be written is an error, with every command.
#[cfg(target_os = "linux")]
#[test]
fn a_full_stdout_is_a_failure() {
    let game = "[Size \"5\"]\n1. a1 e5\n";
    let tinue = "[TPS \"2,1,2,x2/1,1,1,x2/2,1,1,12C,1/12,1,1C,12S,1/2,12,2,x2 1 15\"]\n";
    let cases: [(&str, &str); 17] = [
        ("--help", ""),
        ("-h", ""),
        ("--version", ""),
        ("help perft", ""),
        ("perft --help", ""),
        ("perft 2", ""),
        ("perft 2 --divide", ""),
        ("completions bash", ""),
        ("replay -", game),
        ("annotate - --nodes 9", game),
        ("puzzles - --nodes 5000", tinue),
        ("analyse --size 3 --depth 1", ""),
        ("analyse - --depth 1", "x3/x3/x3 1 1\n"),
        ("bench", ""),
        ("openings --size 4 --plies 2 --count 1 --depth 1 --max-score 29000", ""),
        ("", "tei\n"),
        ("tei", "tei\n"),
    ];
    for (args, input) in cases {
        let mut child = Command::new(BINARY)
            .args(args.split_whitespace())
            .stdin(Stdio::piped())
            .stdout(File::options().write(true).open("/dev/full").unwrap())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let _ = child.stdin.take().unwrap().write_all(input.as_bytes());
        let output = child.wait_with_output().unwrap();
        let stderr_text = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{args}: {stderr_text}");
        let expected = "error: cannot write stdout: No space left on device (os error 28)\n";
        assert!(stderr_text.ends_with(expected), "{args}: {stderr_text}");
    }
}

fn batch(args: &[&str]) -> Command {
    let mut command = Command::new(BINARY);
    command
        .args(["analyse", "-", "--threads", "2", "--hash", "1"])
        .args(args)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped());
    command
}

#[cfg(unix)]
#[test]
fn a_batch_ends_with_its_reader() {
    let tps = "x6/x6/x6/x6/x6/x6 1 1\n";
    // At rest, in a long search, and with more to do.
    for input in [String::new(), tps.to_owned(), tps.repeat(1000)] {
        let mut child = batch(&["--time", "7200s"]).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        stdin.write_all(input.as_bytes()).unwrap();
        thread::sleep(Duration::from_millis(100));
        drop(child.stdout.take());
        let status = wait_for(&mut child);
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(status.success() && stderr.is_empty(), "{status} {stderr}");
        drop(stdin);
    }
}

#[test]
fn a_batch_with_an_unread_stdout_stops_reading() {
    let lines = cases(5_000);
    let mut child = batch(&[]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let taken = Arc::new(AtomicUsize::new(0));
    let counter = Arc::clone(&taken);
    let writer = thread::spawn(move || {
        let line = format!("{}\n", "x".repeat(999));
        for _ in 0..lines {
            stdin.write_all(line.as_bytes()).unwrap();
            counter.fetch_add(1, Ordering::Relaxed);
        }
    });
    // Until it takes no more.
    let started = Instant::now();
    let mut last = (0, started);
    while last.1.elapsed() < Duration::from_secs(1) {
        let now = taken.load(Ordering::Relaxed);
        if now != last.0 {
            last = (now, Instant::now());
        }
        assert!(started.elapsed() < GUARD);
        thread::sleep(Duration::from_millis(10));
    }
    assert!(last.0 < 2000, "{} lines were read", last.0);
    // And then all are answered.
    let answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut count = 0;
    for (index, answer) in answers.enumerate() {
        let start = format!("line {}: error: ", index + 1);
        assert!(answer.unwrap().starts_with(&start));
        count += 1;
    }
    assert_eq!(count, lines);
    writer.join().unwrap();
    assert_eq!(wait_for(&mut child).code(), Some(1));
}

#[cfg(target_os = "linux")]
#[test]
fn a_long_batch_line_is_refused_without_being_stored() {
    const MEBIBYTES: usize = 256;
    let mut child = batch(&["--nodes", "50"]).spawn().unwrap();
    let mut stdin = child.stdin.take().unwrap();
    let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut next = || answers.next().unwrap().unwrap();
    let chunk = vec![b'1'; 1 << 20];
    for _ in 0..MEBIBYTES {
        stdin.write_all(&chunk).unwrap();
    }
    stdin.write_all(b"\nx3/x3/x3 1 1\n\xff\n").unwrap();
    assert_eq!(next(), "line 1: error: the line is longer than 16384 bytes");
    assert!(next().starts_with("x3/x3/x3 1 1: "));
    assert_eq!(next(), "line 3: error: the line is not UTF-8 text");
    let peak = status(&child, "VmHWM:");
    assert!(peak < MEBIBYTES * 1024 / 2, "{peak} KiB");
    drop(stdin);
    assert_eq!(wait_for(&mut child).code(), Some(1));
}

/// Processor time shows that it ponders.
#[cfg(target_os = "linux")]
#[test]
fn the_end_of_the_session_ends_pondering_silently() {
    /// Ticks of processor time that only a search takes.
    const BUSY: u64 = 5;

    for line in [Some("quit"), None] {
        let mut tei = Tei::start();
        tei.ask("setoption name Ponder value true");
        tei.send("position startpos moves a1 f6");
        tei.go("go wtime 1000 btime 1000");
        let (before, begun) = (tei.ticks(), Instant::now());
        while tei.ticks() < before + BUSY {
            assert!(begun.elapsed() < GUARD, "it does not ponder");
            thread::sleep(Duration::from_millis(5));
        }
        let ended = match line {
            Some(line) => {
                tei.send(line);
                tei.wait()
            }
            None => tei.close(),
        };
        assert!(ended.status.success());
        assert_eq!(ended.rest, [""; 0]);
        assert_eq!(ended.stderr, "");
    }
}

/// A terminal that `script` of util-linux makes, which shows stdout and stderr alike.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_gets_a_greeting_that_mentions_help() {
    let mut tei = Tei::spawn(Command::new("script").args(["-qec", BINARY, "/dev/null"]));
    let greeting = tei.line();
    assert!(
        greeting.starts_with("tak-engine ") && greeting.contains("help") && greeting.contains("--help"),
        "{greeting}"
    );
    for (typed, last) in [
        ("help", "info string quit "),
        ("d", "info string tps x6/x6/x6/x6/x6/x6 1 1 halfkomi 0 reserves 30/1 30/1"),
        ("isready", "readyok"),
    ] {
        tei.send(typed);
        let shown = tei.until(last);
        let is_answer = |line: &String| line.starts_with("info string ") || line.starts_with("readyok");
        // The terminal shows the typed text, too.
        assert!(shown.iter().all(|line| is_answer(line) || line.trim() == typed), "{shown:?}");
    }
    tei.send("quit");
    assert!(tei.wait().status.success());
}
