//! Hostile or broken clients, and their effects on the server and on others. HOSTILE=full has 10 to 60 times as many of
//! them, and the others have to be answered as fast.

use std::env;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::thread;
use std::time::{Duration, Instant};

use tungstenite::protocol::frame::coding::CloseCode;

use super::serving::{Serving, Socket};
use crate::common::{GUARD, wait_until};

fn is_full() -> bool {
    env::var("HOSTILE").is_ok_and(|size| size == "full")
}

/// A session that asks all the time whether it is served.
struct Watch {
    stop: Arc<AtomicBool>,
    thread: thread::JoinHandle<Vec<Duration>>,
}

impl Watch {
    fn over(serving: &Serving) -> Self {
        let mut socket = serving.socket("/");
        let stop: Arc<AtomicBool> = Arc::default();
        let stopped = Arc::clone(&stop);
        let thread = thread::spawn(move || {
            let mut waits = Vec::new();
            while !stopped.load(Relaxed) {
                let asked = Instant::now();
                socket.send("isready");
                assert_eq!(socket.text(), "readyok");
                waits.push(asked.elapsed());
                thread::sleep(Duration::from_millis(10));
            }
            waits
        });
        Self { stop, thread }
    }

    /// Reports lasting effects, and the waiting time of others.
    fn end(self, what: &str, serving: &Serving, before: &(usize, Vec<String>)) {
        self.stop.store(true, Relaxed);
        let mut waits = self.thread.join().unwrap();
        waits.sort();
        let longest = waits[waits.len() - 1];
        wait_until("the sessions end", || serving.sessions() == 0);
        wait_until("all threads are gone", || serving.threads().len() <= before.1.len());
        let (memory, threads) = (serving.resident_mib(), serving.threads().len());
        eprintln!(
            "{what}: {} to {memory} MiB, {} to {threads} threads, isready after {:.1} ms at most, half of {} within {:.2} ms",
            before.0,
            before.1.len(),
            1000.0 * longest.as_secs_f64(),
            waits.len(),
            1000.0 * waits[waits.len() / 2].as_secs_f64()
        );
        assert!(memory <= before.0 + 60, "{memory} MiB are left");
        // Where other programs run as well, nobody answers in time.
        let patience = if is_full() { Duration::from_millis(100) } else { GUARD };
        assert!(longest <= patience, "{longest:?}");
    }
}

fn state(serving: &Serving) -> (usize, Vec<String>) {
    // As it is after a first session.
    let mut first = serving.socket("/");
    first.send("isready");
    first.text();
    drop(first);
    wait_until("the session ends", || serving.sessions() == 0);
    (serving.resident_mib(), serving.threads())
}

#[test]
fn invalid_messages_end_only_their_own_session() {
    let serving = Serving::start(&[]);
    let before = state(&serving);
    let watch = Watch::over(&serving);
    let mut other = serving.socket("/");
    // As long as it may be, then longer.
    let mut long = serving.socket("/");
    long.send(&format!("position startpos moves {}", "a1 ".repeat(170_000)));
    assert!(long.text().starts_with("info error move 2"));
    drop(long);
    for _ in 0..if is_full() { 100 } else { 5 } {
        let mut large = serving.socket_when_free("/");
        // The server may have hung up before all is sent.
        let _ = large.socket.send(tungstenite::Message::text("x".repeat(1 << 20)));
        let closed = large.closed();
        assert!(closed.is_none_or(|(code, _)| code == CloseCode::Size));
    }
    let mut binary = serving.socket_when_free("/");
    binary.socket.send(tungstenite::Message::binary(vec![1, 2, 3])).unwrap();
    assert_eq!(binary.closed().map(|(code, _)| code), Some(CloseCode::Unsupported));
    // No WebSocket at all after the handshake.
    let mut raw = serving.socket_when_free("/");
    raw.socket.get_mut().write_all(b"GET / HTTP/1.1\r\n\r\n").unwrap();
    raw.closed();
    other.send("isready");
    assert_eq!(other.text(), "readyok");
    drop((other, binary, raw));
    watch.end("1 MB frames", &serving, &before);
}

#[test]
fn hundreds_at_once_do_no_harm() {
    let serving = Serving::start(&["--sessions", "2"]);
    let before = state(&serving);
    let watch = Watch::over(&serving);
    // Requests that are never finished; of most the connection is closed at once.
    let mut streams: Vec<TcpStream> = (0..500).filter_map(|_| TcpStream::connect(serving.address()).ok()).collect();
    for stream in &mut streams {
        let _ = stream.write_all(b"GET / HTTP/1.1\r\nHost: loc");
    }
    // Unfinished requests are cut off.
    for stream in &mut streams {
        stream.set_read_timeout(Some(GUARD)).unwrap();
        let mut rest = Vec::new();
        let _ = stream.read_to_end(&mut rest);
    }
    drop(streams);
    // WebSockets, as fast as they can be made: all except the first are refused.
    let count = if is_full() { 500 } else { 50 };
    let mut kept: Vec<Socket> = Vec::new();
    while kept.len() < count {
        kept.extend(serving.try_connect("/"));
    }
    for socket in &mut kept[1..] {
        assert!(socket.text().starts_with("info error all 2 sessions are taken"));
    }
    assert_eq!(serving.get("/", &[("Host", &serving.host())]).0, 200);
    drop(kept);
    watch.end("500 connections", &serving, &before);
}

#[test]
fn connections_that_wait_do_not_shut_the_page_out() {
    let serving = Serving::start(&[]);
    // Requests without an end, and connections that are kept open after one.
    for request in ["GET / HTTP/1.1\r\nHost: loc", "GET /icon.svg HTTP/1.1\r\nHost: localhost\r\n\r\n"] {
        let mut waiting: Vec<TcpStream> = (0..300).map(|_| serving.tcp()).collect();
        for stream in &mut waiting {
            // The oldest are closed already.
            let _ = stream.write_all(request.as_bytes());
        }
        assert_eq!(serving.get("/", &[("Host", &serving.host())]).0, 200, "{request}");
        assert!(serving.socket_when_free("/tei").socket.close(None).is_ok(), "{request}");
    }
}

#[test]
fn malformed_messages_do_not_fill_the_log() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    page.text();
    let mut client = serving.socket("/tei");
    for _ in 0..110 {
        page.send("\u{1b}[2J");
        client.send("nonsense");
        assert!(client.text().starts_with("info error"));
    }
    // Everything before it has been read.
    assert!(page.ask(serde_json::json!({"do": "nothing"}))["error"].is_string());
    let (code, stderr) = serving.end("-INT");
    let lines: Vec<&str> = stderr.lines().collect();
    assert_eq!((code, lines.len()), (Some(0), 202), "{stderr}");
    assert!(lines[200].ends_with("RUST_LOG=warn writes all") && lines[201] == "stopped", "{stderr}");
    assert!(!stderr.contains('\u{1b}'), "{stderr:?}");
}

#[test]
fn a_client_that_stops_reading_is_disconnected() {
    let serving = Serving::start(&[]);
    let before = state(&serving);
    let watch = Watch::over(&serving);
    let mut lazy = serving.socket("/");
    let begun = Instant::now();
    let span = Duration::from_secs(if is_full() { 60 } else { 1 });
    // It is answered with some 20 MB, more than the system keeps on the way.
    let talk = format!("go depth 2\n{}", "tei\n".repeat(1000)).repeat(12);
    let stream = lazy.socket.get_mut();
    stream.set_write_timeout(Some(Duration::from_secs(1))).unwrap();
    let mut most = 0;
    while begun.elapsed() < span {
        let _ = lazy.socket.send(tungstenite::Message::text(&talk));
        most = most.max(serving.resident_mib());
        thread::sleep(Duration::from_millis(50));
    }
    eprintln!("while nobody reads: {most} MiB at most");
    assert!(most < before.0 + 100, "{} to {most} MiB", before.0);
    // Ten seconds after the last text that was taken the session ends, whether anybody looks or not: much sooner than one
    // whose client is merely silent.
    wait_until("only the watch is left", || serving.sessions() == 1);
    let took = begun.elapsed();
    assert!(took < span + Duration::from_secs(40), "{took:?}");
    drop(lazy);
    watch.end("a reader that stops", &serving, &before);
}

#[test]
fn floods_of_searches_leave_nothing_behind() {
    let count = if is_full() { 10_000 } else { 500 };
    let serving = Serving::start(&[]);
    let start = state(&serving);
    let watch = Watch::over(&serving);
    let mut socket = serving.socket("/");
    socket.send("teinewgame 5");
    socket.send("isready");
    assert_eq!(socket.text(), "readyok");
    let before = serving.threads();
    let mut reader = Socket::clone_of(&socket);
    let answers = thread::spawn(move || {
        let mut moves = 0;
        while moves < count {
            moves += usize::from(reader.text().starts_with("bestmove"));
        }
    });
    for _ in 0..count {
        socket.send("go");
        socket.send("stop");
    }
    answers.join().unwrap();
    assert_eq!(serving.threads(), before);
    socket.send("isready");
    assert_eq!(socket.until("readyok").last().unwrap(), "readyok");
    drop(socket);
    watch.end(&format!("{count} go and stop"), &serving, &start);
}
