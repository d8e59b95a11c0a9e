//! The handshake, and options about files and memory.

use std::collections::HashSet;
use std::process::Command;

use super::{check_search, parse_info};
use crate::common::{BINARY, Tei};
use crate::dialogue::Dialogue;
use crate::local::Local;
use crate::tempo::{QUIET, only_tempo};
use tak_engine::tei::options::OPTIONS;

#[test]
fn handshake_names_sizes_komi_and_options() {
    let mut tei = Local::start();
    tei.send("tei");
    let lines = tei.until("teiok");
    for key in ["id name ", "id author ", "id version "] {
        assert!(lines.iter().any(|line| line.starts_with(key)), "{key}");
    }
    let komi: Vec<String> = (-20..=20).map(|half| half.to_string()).collect();
    assert!(lines.contains(&format!("size 3 4 5 6 7 8 halfkomi {}", komi.join(" "))));
    for line in [
        "option name Opening type combo default swap var swap var no-swap var double-black",
        "option name Ponder type check default false",
        "option name Hash type spin default 64 min 1 max 65536",
        "option name WeightsFile type string default <empty>",
        "option name Clear Hash type button",
    ] {
        assert!(lines.iter().any(|printed| printed == line), "{line}");
    }
    // GUIs send every option back, defaults included.
    let names: HashSet<&str> = OPTIONS.iter().map(|option| option.name).collect();
    assert_eq!(names.len(), OPTIONS.len());
    for option in OPTIONS {
        assert!(lines.contains(&option.line().to_string()), "{option:?}");
        let set = format!("setoption name {} value {}", option.name, option.text(option.default));
        assert_eq!(tei.ask(&set), [""; 0]);
    }
    assert_eq!(tei.ask("setoption name WeightsFile value "), [""; 0]);
    assert!(tei.show().ends_with("halfkomi 0 reserves 30/1 30/1"));
}

#[test]
fn the_page_on_tei_lists_every_option() {
    let page = include_str!("../../../../docs/tei.md");
    assert!(page.contains("| `Clear Hash` | |  | "), "docs/tei.md lacks the button");
    for option in OPTIONS {
        let range = match option.words {
            [] => format!("{} | {} to {}", option.default, option.min, option.max),
            ["<empty>"] => "`<empty>` | a path".to_owned(),
            words => format!("{} | {}", words[0], words.join(", ")),
        };
        let row = format!("| `{}` | {range} |", option.name);
        assert!(page.contains(&row), "docs/tei.md lacks {row}");
    }
}

/// With one thread the same position takes the same nodes only if nothing is known of it.
#[test]
fn clear_hash_forgets_earlier_searches() {
    let nodes = |tei: &mut Local| {
        let (lines, _) = tei.go("go depth 5");
        parse_info(lines.last().unwrap()).nodes
    };
    for line in
        ["setoption name Clear Hash", "setoption name clear hash value", "setoption name CLEAR  HASH value true"]
    {
        let mut tei = Local::start();
        tei.send("position startpos moves a1 f6 c3 d4");
        let first = nodes(&mut tei);
        assert_ne!(nodes(&mut tei), first, "the table helps");
        let before = tei.show();
        assert_eq!(tei.ask(line), [""; 0]);
        assert_eq!(nodes(&mut tei), first, "{line}");
        assert_eq!(tei.show(), before, "{line}");
        // It ends a search as other options do.
        tei.send("go infinite");
        assert!(tei.ask(line).last().unwrap().starts_with("bestmove "), "{line}");
    }
    assert_eq!(Local::start().ask("setoption name Clear"), ["info error the option's value is missing"]);
}

#[test]
fn weights_file_is_played_with_until_it_is_empty() {
    let folder = std::path::Path::new(env!("CARGO_TARGET_TMPDIR")).join("tei weights");
    std::fs::create_dir_all(&folder).unwrap();
    let path = |name: &str, text: &str| {
        std::fs::write(folder.join(name), text).unwrap();
        folder.join(name).display().to_string()
    };
    let good = path("good.txt", &only_tempo(77));
    let bad = path("bad.txt", &only_tempo(7).replace("tempo", "tempi"));

    let mut tei = Local::start();
    tei.send("teinewgame 5");
    tei.send(&format!("position tps {QUIET}"));
    // With these weights a position is worth 77 to the player to move and nothing else counts.
    let mut score = |set: Option<&str>| {
        if let Some(path) = set {
            let answer = tei.ask(&format!("setoption name WeightsFile value {path}"));
            if !answer.is_empty() {
                return answer.join(" ");
            }
        }
        tei.send("go depth 1");
        let lines = tei.until("bestmove");
        let info = lines.iter().find(|line| line.contains(" score cp ")).unwrap();
        let (_, rest) = info.split_once(" score cp ").unwrap();
        rest.split(' ').next().unwrap().to_owned()
    };
    let usual = score(None);
    assert_ne!(usual, "-77");
    assert_eq!(score(Some(&good)), "-77");
    let refusal = score(Some(&bad));
    assert!(refusal.starts_with("info error option WeightsFile: "), "{refusal}");
    assert!(refusal.ends_with("bad.txt: line 3: unknown term \"tempi\""), "{refusal}");
    assert_eq!(score(None), "-77", "a refused file changes nothing");
    assert!(score(Some("/nowhere/none.txt")).starts_with("info error option WeightsFile: /nowhere"));
    assert_eq!(score(Some("<empty>")), usual);
}

#[cfg(target_os = "linux")]
#[test]
fn a_table_that_cannot_be_had_is_refused() {
    let mut shell = Command::new("sh");
    shell.args(["-c", "ulimit -v 4000000 && exec \"$0\"", BINARY]);
    let mut tei = Tei::spawn(&mut shell);
    for searching in [false, true] {
        if searching {
            tei.send("position startpos moves a1 f6");
            tei.send("go infinite");
        }
        let answer = tei.ask("setoption name Hash value 65536");
        let errors: Vec<&String> = answer.iter().filter(|line| line.starts_with("info error ")).collect();
        assert_eq!(errors.len(), 1, "{answer:#?}");
        assert!(errors[0].contains("65536"), "{answer:#?}");
        if searching {
            // The search continues.
            assert!(!answer.iter().any(|line| line.starts_with("bestmove ")));
            tei.until("info depth ");
            let (lines, best) = tei.go("stop");
            assert!(lines.iter().all(|line| line.starts_with("info depth ")));
            assert_ne!(best, "--");
        }
    }
    assert_eq!(tei.ask("setoption name Hash value 16"), [""; 0]);
    let (lines, best) = tei.go("go nodes 100");
    check_search(&lines, &best);
    assert!(tei.close().status.success());
}
