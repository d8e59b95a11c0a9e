//! The server of the board in the browser and of TEI over WebSockets, through the real binary.

#![cfg(all(feature = "serve", target_os = "linux"))]

mod common;
mod serving;

use std::fs;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use common::{BINARY, GUARD, Tei};
use serde_json::{Value, json};
use serving::{Serving, eventually};
use tak_engine::board::{AnyPosition, Komi, Size};
use tak_engine::notation::parse_games;
use tungstenite::protocol::frame::coding::CloseCode;

/// Nothing is searched in the server.
fn is_idle(serving: &Serving) -> bool {
    !serving
        .threads()
        .iter()
        .any(|name| ["session", "tei-search", "tei-input", "thinker"].contains(&name.as_str()))
}

#[test]
fn files_are_sent_with_a_strict_policy() {
    let serving = Serving::start(&[]);
    let host = serving.host();
    for (path, kind) in [
        ("/", "text/html"),
        ("/?x=1", "text/html"),
        ("/how-to-play", "text/html"),
        ("/style.css", "text/css"),
        ("/main.js", "text/javascript"),
        ("/icon.svg", "image/svg+xml"),
    ] {
        let (status, answer) = serving.get(path, &[("Host", &host)]);
        assert_eq!(status, 200, "{path}");
        let answer = answer.to_ascii_lowercase();
        assert!(
            answer.contains(&format!("content-type: {kind}")),
            "{answer:.600}"
        );
        for header in [
            "default-src 'none'",
            "script-src 'self'",
            "frame-ancestors 'none'",
            "nosniff",
            "no-referrer",
        ] {
            assert!(answer.contains(header), "{path}: {header}");
        }
        assert!(!answer.contains("unsafe"));
    }
    for (path, status) in [
        ("/nothing", 404),
        ("/../Cargo.toml", 404),
        ("/play", 426),
        ("/tei", 426),
    ] {
        assert_eq!(serving.get(path, &[("Host", &host)]).0, status, "{path}");
    }
}

#[test]
fn strangers_are_refused() {
    let serving = Serving::start(&["--allow-origin", "https://tak.example"]);
    let host = serving.host();
    let own = format!("http://{host}");
    for origin in [
        &own,
        "https://ptn.ninja",
        "https://www.ptn.ninja",
        "https://tak.example",
        "http://localhost:8080",
    ] {
        for path in ["/", "/tei", "/play"] {
            assert!(serving.try_socket(path, Some(origin)).is_ok(), "{origin}");
        }
    }
    for origin in [
        "https://evil.example",
        "null",
        "http://ptn.ninja",
        "https://ptn.ninja.evil.example",
    ] {
        for path in ["/", "/tei", "/play"] {
            assert_eq!(
                serving.try_socket(path, Some(origin)).err(),
                Some(403),
                "{origin}"
            );
        }
        assert_eq!(
            serving.get("/", &[("Host", &host), ("Origin", origin)]).0,
            403
        );
    }
    // A name that leads here but is not ours: the page behind it may be anybody's.
    for host in [
        "evil.example",
        &format!("evil.example:{}", serving.port),
        "localhost",
    ] {
        assert_eq!(serving.get("/", &[("Host", host)]).0, 403, "{host}");
    }
    assert_eq!(serving.get("/", &[]).0, 403);
    eventually("the sessions end", || is_idle(&serving));
    let (_, stderr) = serving.end("-TERM");
    // Told once each, however often they come.
    assert_eq!(
        stderr.matches("evil.example\" may not connect").count(),
        2,
        "{stderr}"
    );
}

#[test]
fn a_token_is_needed_where_others_can_connect() {
    let refused = Command::new(BINARY)
        .args(["serve", "--host", "0.0.0.0", "--port", "0"])
        .output()
        .unwrap();
    let stderr = String::from_utf8(refused.stderr).unwrap();
    assert_eq!(
        (refused.status.code(), stderr.lines().count()),
        (Some(1), 1),
        "{stderr}"
    );
    assert!(stderr.contains("a --token is needed"), "{stderr}");

    let serving = Serving::start(&["--host", "0.0.0.0", "--token", "correct-horse"]);
    assert!(
        serving.url.ends_with("/?token=correct-horse"),
        "{}",
        serving.url
    );
    let host = serving.host();
    assert_eq!(serving.get("/", &[("Host", &host)]).0, 403);
    assert_eq!(
        serving.get("/?token=correct-horse", &[("Host", &host)]).0,
        200
    );
    for path in [
        "/",
        "/tei",
        "/play",
        "/play?token=correct-hors",
        "/tei?token=",
    ] {
        assert_eq!(serving.try_socket(path, None).err(), Some(403), "{path}");
    }
    for path in ["/", "/tei", "/play"] {
        assert!(
            serving
                .try_socket(&format!("{path}?token=correct-horse"), None)
                .is_ok()
        );
    }
    let (_, stderr) = serving.end("-INT");
    assert!(
        stderr.contains("can be reached by other computers"),
        "{stderr}"
    );
    assert!(!stderr.contains("correct-horse"), "{stderr}");
}

/// What varies from run to run, left out.
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
fn tei_is_what_it_is_on_stdin() {
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
        socket.send(&if index % 2 == 0 {
            (*line).to_owned()
        } else {
            format!("{line}\n")
        });
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
    // A proof comes together with the line before it, everything else alone.
    for text in &over_socket {
        let lines: Vec<&str> = text.lines().collect();
        assert!(!text.ends_with('\n') && lines.len() <= 2, "{text}");
        if let [first, second] = lines[..] {
            assert!(
                first.contains("score cp 29") && second.contains("score solved win"),
                "{text}"
            );
        }
    }
    assert!(over_socket.iter().any(|text| text.contains('\n')));
    let lines: Vec<String> = over_socket
        .iter()
        .flat_map(|text| text.lines())
        .map(stable)
        .collect();
    let expected: Vec<String> = over_stdin.iter().map(|line| stable(line)).collect();
    let expected: Vec<String> = expected
        .into_iter()
        .filter(|line| !line.contains("WeightsFile"))
        .collect();
    assert_eq!(lines, expected);
}

#[test]
fn a_client_may_not_take_more_than_was_granted() {
    let serving = Serving::start(&[]);
    let mut socket = serving.socket("/");
    socket.send("tei");
    let options = socket.until("teiok").join("\n");
    assert!(
        options.contains("option name Hash type spin default 4 min 1 max 4"),
        "{options}"
    );
    assert!(
        options.contains("option name Threads type spin default 1 min 1 max 1\n"),
        "{options}"
    );
    assert!(!options.contains("WeightsFile"), "{options}");
    for (line, answer) in [
        (
            "setoption name Hash value 5",
            "info error option Hash takes 1 to 4, not 5",
        ),
        (
            "setoption name Threads value 2",
            "info error option Threads takes 1 to 1, not 2",
        ),
        (
            "setoption name WeightsFile value /etc/passwd",
            "info error no option is called \"WeightsFile\"",
        ),
    ] {
        socket.send(line);
        assert_eq!(socket.text(), answer);
    }
    socket.send("quit");
    assert_eq!(
        socket.closed().map(|(code, _)| code),
        Some(CloseCode::Normal)
    );
}

#[test]
fn a_session_too_many_is_told_and_others_go_on() {
    let serving = Serving::start(&["--sessions", "2"]);
    let mut first = serving.socket("/");
    let mut second = serving.socket("/play");
    assert!(second.text().contains("hello"));
    for path in ["/", "/play"] {
        let mut third = serving.socket(path);
        assert_eq!(
            third.text(),
            "info error all 2 sessions are taken; --sessions allows more"
        );
        let (code, reason) = third.closed().unwrap();
        assert_eq!(
            (code, reason.as_str()),
            (CloseCode::Again, "all sessions are taken")
        );
    }
    first.send("isready");
    assert_eq!(first.text(), "readyok");
    drop(second);
    // The place is free as soon as the engine is gone.
    let begun = Instant::now();
    loop {
        let mut next = serving.socket("/");
        next.send("isready");
        if next.text() == "readyok" {
            break;
        }
        assert!(begun.elapsed() < GUARD);
        thread::sleep(Duration::from_millis(10));
    }
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
    ] {
        // Cut off, and closed as it should be.
        for polite in [false, true] {
            let mut socket = serving.socket(path);
            socket.send(begin);
            // It thinks.
            while !socket.text().contains("depth") {}
            if polite {
                socket.socket.close(None).unwrap();
                socket.closed();
            }
            drop(socket);
            let begun = Instant::now();
            eventually("the threads end", || serving.sessions() == 1);
            let slack = Duration::from_secs(5);
            assert!(
                begun.elapsed() < slack,
                "{path}: {:?} on a busy machine",
                begun.elapsed()
            );
        }
    }
    other.send("isready");
    assert_eq!(other.text(), "readyok");
}

#[test]
fn the_end_is_told_to_everybody() {
    for signal in ["-TERM", "-INT"] {
        let serving = Serving::start(&[]);
        let mut idle = serving.socket("/");
        let mut busy = serving.socket("/");
        busy.send("go infinite");
        while !busy.text().contains("depth") {}
        let waits = thread::spawn(move || {
            [idle.closed(), busy.closed()].map(|closed| closed.map(|(code, _)| code))
        });
        let (code, stderr) = serving.end(signal);
        assert_eq!((code, stderr.as_str()), (Some(0), ""));
        assert_eq!(waits.join().unwrap(), [Some(CloseCode::Away); 2]);
    }
}

#[test]
fn what_cannot_be_is_said_in_one_line() {
    let serving = Serving::start(&[]);
    let port = serving.port.to_string();
    for (args, says) in [
        (
            vec!["--port", &port],
            format!("error: port {port} is taken"),
        ),
        (
            vec!["--host", "no such name", "--port", "0"],
            "error: there is no address \"no such name\"".to_owned(),
        ),
        (
            vec!["--host", "192.0.2.1", "--port", "0", "--token", "12345678"],
            "error: cannot listen on 192.0.2.1".to_owned(),
        ),
    ] {
        let output = Command::new(BINARY)
            .arg("serve")
            .args(&args)
            .env("RUST_LOG", "off")
            .stdin(Stdio::null())
            .output()
            .unwrap();
        let stderr = String::from_utf8(output.stderr).unwrap();
        assert_eq!(
            (output.status.code(), stderr.lines().count()),
            (Some(1), 1),
            "{stderr}"
        );
        assert!(stderr.starts_with(&says), "{stderr}");
    }
    // No program that could open anything.
    let output = Command::new(BINARY)
        .args(["serve", "--port", "0", "--open"])
        .env("PATH", "/nonexistent")
        .output()
        .unwrap();
    let stderr = String::from_utf8(output.stderr).unwrap();
    assert_eq!(
        (output.status.code(), stderr.lines().count()),
        (Some(1), 1),
        "{stderr}"
    );
    assert!(
        stderr.starts_with("error: no browser could be started"),
        "{stderr}"
    );
}

fn start(size: usize) -> Value {
    json!({"size": size, "half_komi": 0, "opening": "swap"})
}

/// Games at random by the library; what the page is told of every position is held against it.
#[test]
fn the_page_is_told_what_the_library_says() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    assert!(page.text().contains("hello"));
    let mut seed = 7_u64;
    let mut random = |below: usize| {
        seed = seed
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (seed >> 33) as usize % below
    };
    for size in Size::ALL {
        let mut position = AnyPosition::start(size, Komi::ZERO);
        let mut moves: Vec<String> = Vec::new();
        loop {
            let game = json!({"start": start(size.width()), "moves": moves});
            let view = page.ask(json!({"do": "view", "game": game}))["view"].take();
            assert_eq!(view["tps"], position.to_string());
            let outcome = position.outcome().map(|outcome| outcome.to_string());
            assert_eq!(
                view["outcome"]["result"].as_str().map(str::to_owned),
                outcome
            );
            let legal = position.legal_moves();
            let lifted: usize = view["squares"]
                .as_array()
                .unwrap()
                .iter()
                .filter(|square| !square["lifts"].is_null())
                .count();
            let mut from: Vec<_> = legal
                .iter()
                .filter(|mv| mv.is_spread())
                .map(|mv| mv.square())
                .collect();
            from.sort_unstable();
            from.dedup();
            assert_eq!(lifted, from.len());
            if outcome.is_some() || moves.len() > 60 {
                break;
            }
            let mv = legal[random(legal.len())];
            position.play(mv).unwrap();
            moves.push(mv.to_string());
        }
    }
}

#[test]
fn a_spread_is_made_step_by_step_and_wrong_steps_change_nothing() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    let game = json!({"start": {"size": 5, "half_komi": 0, "opening": "swap", "tps": "x5/x5/x5/1121,x4/x4,2S 1 20"}, "moves": []});
    let mut ask = |question: Value| {
        let mut question = question;
        question["game"] = game.clone();
        page.ask(question)
    };
    let lifted = ask(json!({"do": "lift", "square": "a2", "count": 3}))["draft"].take();
    assert_eq!(
        (&lifted["hand"], &lifted["next"]),
        (&json!("121"), &json!(["a3", "b2", "a1"]))
    );
    let error =
        ask(json!({"do": "drop", "draft": lifted["draft"], "square": "c2"}))["error"].take();
    assert_eq!(error, "a piece has to fall on b2 first");
    let dropped =
        ask(json!({"do": "drop", "draft": lifted["draft"], "square": "b2"}))["draft"].take();
    assert_eq!(
        (&dropped["hand"], &dropped["next"]),
        (&json!("21"), &json!(["b2", "c2"]))
    );
    assert_eq!(
        ask(json!({"do": "reach", "draft": dropped["draft"], "square": "c2"})),
        json!({"reach": true})
    );
    let next =
        ask(json!({"do": "drop", "draft": dropped["draft"], "square": "c2"}))["draft"].take();
    let done = ask(json!({"do": "drop", "draft": next["draft"], "square": "d2"}));
    assert_eq!(done, json!({"move": "3a2>111"}));
    let error = ask(
        json!({"do": "drop", "draft": {"from": "a2", "lifted": 9, "direction": null, "drops": []}, "square": "a3"}),
    );
    assert_eq!(error, json!({"error": "there is no such spread"}));
}

#[test]
fn the_engine_thinks_for_the_page_and_stops_when_told() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    let game = json!({"start": {"size": 3, "half_komi": 0, "opening": "swap", "tps": "x3/1,1,x/2,2,x 2 3"}, "moves": []});
    let think = |game: &Value, seconds: f64| json!({"do": "think", "game": game, "seconds": seconds, "lines": 2});
    let mut answer = page.ask(think(&game, 30.0));
    let mut says = Value::Null;
    while answer["best"].is_null() {
        says = answer["report"]["lines"][0].take();
        answer = page.answer();
    }
    assert_eq!(
        (&answer["best"], &says["proven"]),
        (&json!("c1"), &json!("Black has a road in 1 ply"))
    );
    assert_eq!(says["chances"], json!([0, 0, 1000]));
    // A question after another ends that one, and so does a word.
    let game = json!({"start": start(6), "moves": []});
    page.ask(think(&game, 600.0));
    page.send(r#"{"id":999,"do":"stop"}"#);
    while page.answer()["best"].is_null() {}
    let over = json!({"start": {"size": 3, "half_komi": 0, "opening": "swap", "tps": "x3/1,1,1/2,2,x 2 4"}, "moves": []});
    assert_eq!(
        page.ask(think(&over, 1.0)),
        json!({"error": "there is nothing to think about: the game is over"})
    );
}

#[test]
fn levels_and_clocks_are_played_by() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    let mut best = |question: Value| {
        let mut answer = page.ask(question);
        while answer["best"].is_null() && answer["error"].is_null() {
            answer = page.answer();
        }
        answer
    };
    let game = json!({"start": start(6), "moves": ["a1", "f6"]});
    let think = |level: u8, seed: u64| json!({"do": "think", "game": game, "seconds": 60, "lines": 1, "level": level, "seed": seed});
    // A level does not take the time it is given, and its seed says what it does by chance.
    let begun = Instant::now();
    let moves: Vec<Value> = (0..20).map(|seed| best(think(1, seed))).collect();
    assert_eq!(moves[7], best(think(1, 7)));
    assert!(moves.iter().any(|mv| *mv != moves[0]), "{moves:?}");
    assert!(begun.elapsed() < GUARD);
    assert_eq!(best(think(21, 0)), json!({"error": "there is no level 21"}));
    // With ten seconds on the clock a move takes a part of them.
    let begun = Instant::now();
    let timed = json!({"do": "think", "game": game, "left": 10.0, "increment": 0.0, "lines": 1});
    assert!(best(timed)["best"].is_string());
    assert!(
        begun.elapsed() < Duration::from_secs(9),
        "{:?}",
        begun.elapsed()
    );
    for wrong in [
        json!({"do": "think", "game": game, "lines": 1}),
        json!({"do": "think", "game": game, "left": 10.0, "lines": 1}),
        json!({"do": "think", "game": game, "seconds": 1, "lines": 1, "level": -1}),
    ] {
        assert!(best(wrong)["error"].is_string());
    }
}

/// A game with some mistakes in it.
const GAME: &str = "a1 e5 c3 c5 d3 b4 b3 a5 e3 e1 a3";

/// The page gets what `tak-engine annotate` writes, for the same game and as many nodes.
#[test]
fn a_game_is_annotated_as_in_the_shell() {
    let nodes = 3000;
    let serving = Serving::start(&["--hash", "32"]);
    let mut page = serving.socket("/play");
    let moves: Vec<&str> = GAME.split(' ').collect();
    let game = json!({"start": start(5), "moves": moves});
    let names = json!({"white": "Ada", "black": "Bob"});
    let written = page.ask(json!({"do": "write", "game": game, "names": names}));
    let file = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("annotated-in-the-browser.ptn");
    fs::write(&file, written["text"]["ptn"].as_str().unwrap()).unwrap();
    let output = Command::new(BINARY)
        .args(["annotate", "--nodes", &nodes.to_string()])
        .arg(&file)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let expected = String::from_utf8(output.stdout).unwrap();

    let mut looked = Vec::new();
    let mut answer =
        page.ask(json!({"do": "annotate", "game": game, "names": names, "nodes": nodes}));
    while let Some(count) = answer["looked"].as_u64() {
        looked.push(count);
        answer = page.answer();
    }
    assert_eq!(looked, (1..=moves.len() as u64).collect::<Vec<u64>>());
    let annotation = answer["annotation"].take();
    let timeless = |text: &str| {
        let words = text.split(' ').filter(|word| !word.ends_with("ms"));
        words.collect::<Vec<_>>().join(" ")
    };
    let ptn = annotation["ptn"].as_str().unwrap();
    assert_eq!(timeless(ptn), timeless(&expected));
    // What is shown beside the moves is what stands in the file.
    let game = parse_games(ptn).next().unwrap().unwrap();
    let said = annotation["moves"].as_array().unwrap();
    assert_eq!(said.len(), game.moves.len());
    for (said, written) in said.iter().zip(&game.moves) {
        assert_eq!(said["marks"], written.marks);
        for comment in &written.comments {
            if let Some(note) = comment.strip_prefix("*tak-engine: ") {
                assert!(
                    said["says"].as_array().unwrap().contains(&json!(note)),
                    "{note}"
                );
            }
        }
    }
    assert!(said.iter().any(|said| said["marks"] == "?"), "{said:?}");
    assert!(said.iter().any(|said| {
        said["says"]
            .as_array()
            .unwrap()
            .contains(&json!("White has a road in 1 ply"))
    }));
    assert_eq!(
        annotation["chances"].as_array().unwrap().len(),
        moves.len() + 1
    );
    assert_eq!(annotation["chances"][moves.len()], 100.0);
}

#[test]
fn nonsense_is_answered_with_a_reason() {
    let serving = Serving::start(&[]);
    let mut page = serving.socket("/play");
    for question in [
        json!({"do": "dance"}),
        json!({"do": "view"}),
        json!({"do": "view", "game": 7}),
        json!({"do": "view", "game": {"start": start(9), "moves": []}}),
        json!({"do": "view", "game": {"start": start(5), "moves": ["<script>"]}}),
        json!({"do": "view", "game": {"start": start(5), "moves": [], "at": 1}}),
        json!({"do": "lift", "game": {"start": start(5), "moves": []}, "square": "z9"}),
        json!({"do": "lift", "game": {"start": start(5), "moves": []}, "square": "h8"}),
        json!({"do": "read", "text": "", "like": start(5)}),
        json!({"do": "think", "game": {"start": start(5), "moves": ["a1", "a1"]}, "seconds": 1, "lines": 1}),
    ] {
        let answer = page.ask(question.clone());
        assert!(
            answer["error"]
                .as_str()
                .is_some_and(|error| error.len() > 5),
            "{question}: {answer}"
        );
    }
    // What is no question at all is passed over.
    for text in ["", "[]", "{", "\u{0}", r#"{"do":"view"}"#, r#"{"id":-1}"#] {
        page.send(text);
    }
    let answer = page.ask(json!({"do": "view", "game": {"start": start(5), "moves": []}}));
    assert_eq!(answer["view"]["size"], 5);
}

/// What PTN Ninja sends: connect, options, analysis of a position, interactive analysis with fast steps, another size
/// without a new game, and a second connection.
#[test]
fn ptn_ninja_is_served() {
    let serving = Serving::start(&[]);
    for _ in 0..2 {
        let mut ninja = serving.try_socket("/", Some("https://ptn.ninja")).unwrap();
        ninja.send("tei");
        assert!(
            ninja
                .until("teiok")
                .iter()
                .any(|line| line.starts_with("size 3 4 5 6 7 8 halfkomi"))
        );
        for option in [
            "Threads value 1",
            "Hash value 4",
            "Flats value 0",
            "Caps value -1",
            "MultiPV value 3",
        ] {
            ninja.send(&format!("setoption name {option}"));
        }
        ninja.send("isready");
        assert_eq!(ninja.until("readyok").len(), 1);
        ninja.send("teinewgame size 5 halfkomi 4");
        ninja.send("isready");
        assert_eq!(ninja.until("readyok").len(), 1);
        ninja.send("position startpos moves a1 e5 c3");
        ninja.send("go nodes 2000");
        assert!(
            ninja
                .until("bestmove")
                .iter()
                .any(|text| text.contains("multipv 3"))
        );
        // Interactive, faster than any search.
        for moves in ["a1 e5", "a1 e5 c3", "a1 e5 c3 c4", "a1 e5 c3 c4 d3"] {
            ninja.send(&format!("position startpos moves {moves}"));
            ninja.send("go infinite");
            ninja.send("stop");
        }
        for _ in 0..4 {
            ninja.until("bestmove");
        }
        // Analyze Game: one search after the other from the last position to the first, each when the one before is done.
        // A lone position comes as a TPS, and `moves` only where there are any.
        let moves: Vec<&str> = GAME.split(' ').collect();
        for at in (0..moves.len()).rev() {
            ninja.send(&match at {
                0 => "position startpos".to_owned(),
                _ => format!("position startpos moves {}", moves[..at].join(" ")),
            });
            ninja.send("go movetime 20");
            let answer = ninja.until("bestmove");
            assert!(
                answer.iter().all(|text| !text.contains("error")),
                "{answer:?}"
            );
            // Of a proven result the two lines come as one message, which its timer cannot split.
            let split = |text: &&String| text.contains("score solved") && !text.contains('\n');
            assert_eq!(answer.iter().find(split), None);
        }
        // After a change of size there is no teinewgame. Piece counts of a game before are told anew.
        ninja.send("setoption name Flats value 20");
        ninja.send("isready");
        assert_eq!(ninja.until("readyok").len(), 1);
        // Another board as a TPS.
        ninja.send("position tps x6/x6/x6/x6/x6/2,x4,1 1 2");
        ninja.send("go movetime 50");
        let answer = ninja.until("bestmove");
        assert!(
            answer.iter().all(|text| !text.contains("error")),
            "{answer:?}"
        );
    }
}
