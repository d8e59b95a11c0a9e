//! Who may see the page of a tournament, and what it has; the page itself is tested in a browser.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use super::{good, new_folder};
use crate::common::wait_until;
use crate::folder::Folder;

/// A tournament that is watched at this port. It is killed when this value is dropped.
struct Watched {
    child: Child,
    port: u16,
}

impl Drop for Watched {
    fn drop(&mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }
}

impl Watched {
    fn start(folder: &Folder, words: &str) -> Self {
        let mut child = folder.command(words).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let is_merge = words.contains("merge");
        let output: Box<dyn Read + Send> =
            if is_merge { Box::new(child.stdout.take().unwrap()) } else { Box::new(child.stderr.take().unwrap()) };
        let mut lines = BufReader::new(output).lines().map(Result::unwrap);
        let line = lines.find(|line| line.starts_with("The tournament is at ")).unwrap();
        // Nothing must stop for want of a reader.
        std::thread::spawn(move || lines.for_each(drop));
        let port = line.split([':', '/']).find_map(|part| part.parse().ok()).unwrap();
        Self { child, port }
    }

    /// Status and text of an answer.
    fn get(&self, path: &str, headers: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        write!(stream, "GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n").unwrap();
        let mut text = String::new();
        stream.read_to_string(&mut text).unwrap();
        (text[9..12].parse().unwrap(), text)
    }
}

#[test]
fn only_those_who_may_see_a_tournament_do() {
    let folder = new_folder("watch");
    let words = format!("tournament {} {} --size 4 --games 4000 --threads 1", good("<b>"), good("two"));
    let open = Watched::start(&folder, &format!("{words} --watch 0"));
    let host = "Host: localhost\r\n";
    wait_until("a game is over", || open.get("/", host).1.contains("game/1\""));
    let (status, page) = open.get("/game/1", host);
    assert!(status == 200 && page.contains("&lt;b&gt;") && !page.contains("<b><"), "{page}");
    for (path, headers, expected) in [
        ("/game/1/0", host, 200),
        ("/game/1/999", host, 200),
        ("/watch.js", host, 200),
        ("/game/0", host, 404),
        ("/game/4001", host, 404),
        ("/game/1/x", host, 404),
        ("/game/99999999999999999999", host, 404),
        ("/../journal.jsonl", host, 404),
        ("/tei", host, 404),
        ("/", "Host: evil.example\r\n", 403),
        ("/", "Host: localhost\r\nOrigin: http://evil.example\r\n", 403),
    ] {
        assert_eq!(open.get(path, headers).0, expected, "{path} {headers}");
    }
    let secret = Watched::start(&folder, &format!("{words} --watch 127.0.0.1:0 --token 12345678"));
    for path in ["/", "/watch.js", "/game/1", "/?token=12345679"] {
        assert_eq!(secret.get(path, host).0, 403, "{path}");
    }
    let (status, page) = secret.get("/?token=12345678", host);
    assert!(status == 200 && page.contains("watch.js?token=12345678"), "{page}");

    for (flags, reason) in [
        ("--watch 0.0.0.0:0", "a --token is needed"),
        ("--watch x", "expected a port from 0 to 65535"),
        ("--watch 70000", "expected a port"),
        ("--watch 0 --token short", "expected 8 to 100 letters"),
    ] {
        let error = folder.fail(&format!("{words} {flags}"), 2);
        assert!(error.contains(reason), "{flags}: {error}");
    }
}

#[test]
fn a_folder_is_followed_while_others_write() {
    let folder = new_folder("follow");
    let words = |share: u32| {
        let engines = format!("{} {}", good("a"), good("b"));
        format!("tournament {engines} --size 4 --games 8 --shard {share}/2 --journal share{share}.jsonl")
    };
    let following = Watched::start(&folder, {
        folder.succeed(&words(1));
        "tournament merge --follow . --watch 0"
    });
    let has = |text: &str| following.get("/", "Host: localhost\r\n").1.contains(text);
    wait_until("the first share is shown", || has("4 of 8 games"));
    folder.succeed(&words(2));
    wait_until("the second share is shown", || has("8 of 8 games"));
}
