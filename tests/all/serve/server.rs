//! The server and its sessions, and TEI over WebSockets.

use std::process::{Command, Stdio};
use std::thread;

use tungstenite::protocol::frame::coding::CloseCode;

use super::serving::Serving;
use crate::common::{BINARY, Tei, wait_until};
use crate::dialogue::Dialogue;
use crate::folder::fail;

/// Nothing is searched in the server.
fn is_idle(serving: &Serving) -> bool {
    !serving.threads().iter().any(|name| ["session", "tei-search", "tei-input", "engine"].contains(&name.as_str()))
}

#[test]
fn files_are_sent_with_a_strict_policy() {
    let serving = Serving::start(&[]);
    let host = serving.host();
    for (path, kind) in [
        ("/", "text/html"),
        ("/?x=1", "text/html"),
        ("/how-to-play.html", "text/html"),
        ("/styles/style.css", "text/css"),
        ("/styles/themes.css", "text/css"),
        ("/src/main.js", "text/javascript"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let (status, answer) = serving.get(path, &[("Host", &host)]);
        assert_eq!(status, 200, "{path}");
        let answer = answer.to_ascii_lowercase();
        assert!(answer.contains(&format!("content-type: {kind}")), "{answer:.600}");
        for header in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'", "nosniff", "no-referrer"] {
            assert!(answer.contains(header), "{path}: {header}");
        }
        assert!(!answer.contains("unsafe"));
    }
    for (path, status) in [("/nothing", 404), ("/../Cargo.toml", 404), ("/play", 426), ("/tei", 426)] {
        assert_eq!(serving.get(path, &[("Host", &host)]).0, status, "{path}");
    }
}

#[test]
fn strangers_are_refused() {
    let serving = Serving::start(&["--allow-origin", "https://tak.example"]);
    let host = serving.host();
    let own = format!("http://{host}");
    for origin in [&own, "https://ptn.ninja", "https://www.ptn.ninja", "https://tak.example", "http://localhost:8080"] {
        for path in ["/", "/tei", "/play"] {
            assert!(serving.try_socket(path, Some(origin)).is_ok(), "{origin}");
        }
    }
    for origin in ["https://evil.example", "null", "http://ptn.ninja", "https://ptn.ninja.evil.example"] {
        for path in ["/", "/tei", "/play"] {
            assert_eq!(serving.try_socket(path, Some(origin)).err(), Some(403), "{origin}");
        }
        assert_eq!(serving.get("/", &[("Host", &host), ("Origin", origin)]).0, 403);
    }
    // A name that leads here but is not ours: the page behind it may be anybody's.
    for host in ["evil.example", &format!("evil.example:{}", serving.port), "localhost.evil.example:80"] {
        assert_eq!(serving.get("/", &[("Host", host)]).0, 403, "{host}");
    }
    assert_eq!(serving.get("/", &[]).0, 403);
    wait_until("the sessions end", || is_idle(&serving));
    let (_, stderr) = serving.end("-TERM");
    // Told once each, although they come several times in a row.
    assert_eq!(stderr.matches("evil.example\" may not connect").count(), 2, "{stderr}");
}

#[test]
fn a_token_is_needed_on_public_addresses() {
    let serving = Serving::start(&["--host", "0.0.0.0", "--token", "correct-horse"]);
    assert!(serving.url.ends_with("/?token=correct-horse"), "{}", serving.url);
    let host = serving.host();
    assert_eq!(serving.get("/", &[("Host", &host)]).0, 403);
    assert_eq!(serving.get("/?token=correct-horse", &[("Host", &host)]).0, 200);
    for path in ["/", "/tei", "/play", "/play?token=correct-hors", "/tei?token="] {
        assert_eq!(serving.try_socket(path, None).err(), Some(403), "{path}");
    }
    for path in ["/", "/tei", "/play"] {
        assert!(serving.try_socket(&format!("{path}?token=correct-horse"), None).is_ok());
    }
    let (_, stderr) = serving.end("-INT");
    assert!(stderr.contains("can be reached by other computers"), "{stderr}");
    assert!(!stderr.contains("correct-horse"), "{stderr}");
}

/// The text without numbers that vary from run to run.
fn stable(text: &str) -> String {
    let mut words = Vec::new();
    let mut skip = false;
    for word in text.split(' ') {
        if !skip {
            words.push(word);
        }
        skip = ["time", "nps", "hashfull"].contains(&word);
    }
    words.join(" ")
}

#[test]
fn tei_over_a_socket_equals_stdin() {
    let script = [
        "tei",
        "isready",
        "setoption name MultiPV value 2",
        "teinewgame size 5 halfkomi 0",
        "position startpos moves a1 e5 c3",
        "go depth 4",
        "position startpos moves a1 a1",
        "go nodes 100",
        "position tps x5/x5/x,1,1,1,1/x5/2,2,2,x,x 1 9",
        "go depth 3",
        "show",
        "isready",
    ];
    let serving = Serving::start(&["--hash", "65536", "--threads", "256"]);
    let mut socket = serving.socket("/tei");
    let mut tei = Tei::start();
    let last = "readyok";
    let mut over_socket = Vec::new();
    let mut over_stdin = Vec::new();
    for (index, line) in script.iter().enumerate() {
        tei.send(line);
        // With a line feed, or two lines at once, it is the same.
        socket.send(&if index % 2 == 0 { (*line).to_owned() } else { format!("{line}\n") });
        let end = match *line {
            "tei" => "teiok",
            "isready" => last,
            "show" => "info string",
            line if line.starts_with("go") => "bestmove",
            "position startpos moves a1 a1" => "info error",
            _ => continue,
        };
        over_stdin.extend(tei.until(end));
        over_socket.extend(socket.until(end));
    }
    // All that is said at a time comes as one message: two moves, each with a proof where there is one.
    let counts: Vec<usize> =
        over_socket.iter().filter(|text| text.starts_with("info depth")).map(|text| text.lines().count()).collect();
    assert!(counts.contains(&2) && counts.iter().any(|count| *count > 2));
    assert!(counts.iter().all(|count| (2..=4).contains(count)), "{counts:?}");
    assert!(over_socket.iter().all(|text| !text.ends_with('\n')));
    let lines: Vec<String> = over_socket.iter().flat_map(|text| text.lines()).map(stable).collect();
    let expected: Vec<String> = over_stdin.iter().map(|line| stable(line)).collect();
    let expected: Vec<String> = expected.into_iter().filter(|line| !line.contains("WeightsFile")).collect();
    assert_eq!(lines, expected);
}

#[test]
fn a_client_may_not_take_more_than_was_granted() {
    let serving = Serving::start(&[]);
    let mut socket = serving.socket("/");
    socket.send("tei");
    let options = socket.until("teiok").join("\n");
    assert!(options.contains("option name Hash type spin default 4 min 1 max 4"), "{options}");
    assert!(options.contains("option name Threads type spin default 1 min 1 max 1\n"), "{options}");
    assert!(!options.contains("WeightsFile"), "{options}");
    for (line, answer) in [
        ("setoption name Hash value 5", "info error option Hash takes 1 to 4, not 5"),
        ("setoption name Threads value 2", "info error option Threads takes 1 to 1, not 2"),
        ("setoption name WeightsFile value /etc/passwd", "info error unknown option \"WeightsFile\""),
    ] {
        socket.send(line);
        assert_eq!(socket.text(), answer);
    }
    socket.send("quit");
    assert_eq!(socket.closed().map(|(code, _)| code), Some(CloseCode::Normal));
}

#[test]
fn a_session_too_many_is_refused_with_a_reason() {
    let serving = Serving::start(&["--sessions", "2"]);
    let mut first = serving.socket("/");
    let mut second = serving.socket("/play");
    assert!(second.text().contains("hello"));
    for path in ["/", "/play"] {
        let mut third = serving.socket(path);
        assert_eq!(third.text(), "info error all 2 sessions are taken; --sessions allows more");
        let (code, reason) = third.closed().unwrap();
        assert_eq!((code, reason.as_str()), (CloseCode::Again, "all 2 sessions are taken; --sessions allows more"));
    }
    first.send("isready");
    assert_eq!(first.text(), "readyok");
    drop(second);
    // The place is free as soon as the engine is gone.
    serving.socket_when_free("/");
}

#[test]
fn an_engine_ends_with_its_socket() {
    let serving = Serving::start(&[]);
    let mut other = serving.socket("/");
    for (path, begin) in [
        ("/", "go infinite"),
        (
            "/play",
            r#"{"id":1,"do":"think","game":{"start":{"size":6,"half_komi":0,"opening":"swap"},"moves":[]},"seconds":600,"lines":1}"#,
        ),
        (
            "/play",
            r#"{"id":1,"do":"annotate","game":{"start":{"size":6,"half_komi":0,"opening":"swap"},"moves":["a1","f6","c3","d4","c4","d3"]},"nodes":300000}"#,
        ),
    ] {
        // Cut off, and closed as it should be.
        for polite in [false, true] {
            let mut socket = serving.socket(path);
            socket.send(begin);
            // It thinks, or has looked at one position of several.
            let is_at_work = |text: String| text.contains("depth") || text.contains("looked");
            while !is_at_work(socket.text()) {}
            if polite {
                socket.socket.close(None).unwrap();
                socket.closed();
            }
            drop(socket);
            wait_until("the threads end", || serving.sessions() == 1);
        }
    }
    other.send("isready");
    assert_eq!(other.text(), "readyok");
}

#[test]
fn the_end_closes_every_session() {
    for signal in ["-TERM", "-INT"] {
        let serving = Serving::start(&[]);
        let mut idle = serving.socket("/");
        let mut busy = serving.socket("/");
        busy.send("go infinite");
        while !busy.text().contains("depth") {}
        let waits = thread::spawn(move || [idle.closed(), busy.closed()].map(|closed| closed.map(|(code, _)| code)));
        let (code, stderr) = serving.end(signal);
        assert_eq!((code, stderr.as_str()), (Some(0), "stopped\n"));
        assert_eq!(waits.join().unwrap(), [Some(CloseCode::Away); 2]);
    }
}

#[test]
fn startup_errors_are_one_line() {
    let serving = Serving::start(&[]);
    let port = serving.port.to_string();
    for (args, says) in [
        (vec!["--port", &port], format!("error: port {port} is in use")),
        (
            vec!["--host", "no such name", "--port", "0"],
            "error: cannot find an address for \"no such name\"".to_owned(),
        ),
        (
            vec!["--host", "192.0.2.1", "--port", "0", "--token", "12345678"],
            "error: cannot listen on 192.0.2.1".to_owned(),
        ),
    ] {
        let mut serve = Command::new(BINARY);
        let stderr = fail(serve.arg("serve").args(&args).env("RUST_LOG", "off").stdin(Stdio::null()), 1);
        assert!(stderr.lines().count() == 1 && stderr.starts_with(&says), "{stderr}");
    }
}

#[test]
fn the_page_is_served_without_a_browser() {
    let serving = Serving::start_with(&["--open"], |command| command.env("PATH", "/nonexistent"));
    assert_eq!(serving.get("/", &[("Host", &serving.host())]).0, 200);
    let (code, stderr) = serving.end("-INT");
    assert_eq!(code, Some(0), "{stderr}");
    assert_eq!(stderr, "warning: cannot start a browser; open the address above in one\nstopped\n");
}
