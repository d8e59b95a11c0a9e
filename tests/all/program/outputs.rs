//! One rule for files that exist and for files that are missing, in all commands.

use crate::folder::{Folder, fail};

const GAME: &str = "[Size \"3\"]\n\n1. a1 c3\n2. b2 *\n";

/// Commands that write `there`, in a folder with `game.ptn` and `t.jsonl`, a journal.
const WRITERS: [&str; 7] = [
    "annotate game.ptn --nodes 9 --out there.ptn",
    "annotate game.ptn --nodes 9 --out new.ptn --force --report there.html",
    "puzzles game.ptn --nodes 9 --out there.ptn",
    "openings --size 5 --count 1 --depth 3 --max-score 300 --out there.ptn",
    "draw game.ptn --out there.svg",
    "tournament merge t.jsonl --ptn there.ptn --report there.html",
    "man there",
];

#[test]
fn existing_files_are_overwritten_by_force_only() {
    let folder = Folder::new("outputs");
    folder.file("game.ptn", GAME);
    let engine = format!("path={}", env!("CARGO_BIN_EXE_tak-engine"));
    folder.succeed(&format!(
        "tournament --engine {engine} name=a --engine {engine} name=b --all-engines nodes=9 --size 3 --games 2 --journal t.jsonl"
    ));
    std::fs::create_dir(folder.0.join("there")).unwrap();
    let files = ["there.ptn", "there.html", "there.svg", "there/tak-engine.1"];
    for words in WRITERS {
        for name in files {
            folder.file(name, "kept");
        }
        let words = words.replace(" --force", "");
        let _ = std::fs::remove_file(folder.0.join("new.ptn"));
        let stderr_text = folder.fail(&words, 1);
        assert!(stderr_text.starts_with("error: cannot write there"), "{words}: {stderr_text}");
        assert!(stderr_text.ends_with(": it already exists; use --force to overwrite it\n"), "{words}: {stderr_text}");
        assert!(files.iter().all(|name| folder.text(name) == "kept"), "{words}");
        folder.succeed(&format!("{words} --force"));
        assert!(files.iter().any(|name| folder.text(name) != "kept"), "{words}");
    }
}

/// Errors and warnings name files and quote their content.
#[test]
fn errors_show_control_characters_as_escapes() {
    const RED: &str = "\x1b[31mred\x1b]0;title\x07\u{9b}2J";
    let folder = Folder::new("outputs-control");
    folder.file("w", format!("tak-engine {RED} | x\n"));
    folder.file("g.ptn", format!("[Size \"5\"]\n[Komi \"{RED}\"]\n\n1. a1 {RED} c3 2. d5{RED}\n"));
    folder.file("c.toml", format!("{RED} = 1\n"));
    folder.file("j.jsonl", format!("{{\"{RED}\": 1}}\n"));
    for words in [
        "analyse --weights w",
        &format!("analyse {RED}.ptn"),
        &format!("analyse --nodes {RED}"),
        &format!("{RED} --nodes 1"),
        "analyse g.ptn --nodes 9",
        "annotate g.ptn --nodes 9",
        "replay g.ptn",
        "explore g.ptn",
        "puzzles g.ptn --nodes 9",
        "draw g.ptn",
        "tournament --config c.toml",
        "tournament --engine path=a --engine path=a --all-engines nodes=9 --openings g.ptn",
        &format!("tournament --engine path={RED} name=a nodes=9 --engine path={RED} name=b nodes=9 --games 2"),
        "tournament merge j.jsonl",
        "bench --forced w",
    ] {
        let stderr = folder.run(words).stderr;
        let stderr = String::from_utf8(stderr).unwrap();
        assert!(!stderr.contains(|c: char| c.is_control() && c != '\n'), "{words}: {stderr:?}");
        assert!(!stderr.is_empty(), "{words}");
    }
    let error = fail(folder.command("").arg("a\nb"), 2);
    assert!(error.starts_with("error: unknown command a\\nb\n"), "{error}");
}

#[test]
fn empty_files_and_devices_can_be_written() {
    let folder = Folder::new("outputs-empty");
    folder.file("game.ptn", GAME);
    folder.file("empty.svg", "");
    folder.succeed("draw game.ptn --out empty.svg");
    assert!(folder.text("empty.svg").contains("</svg>"));
    for words in [
        "annotate game.ptn --nodes 9 --out",
        "annotate game.ptn --nodes 9 --out - --report",
        "openings --size 5 --count 1 --depth 1 --max-score 300 --out",
    ] {
        folder.succeed(&format!("{words} /dev/null"));
        #[cfg(target_os = "linux")]
        assert!(
            folder.fail(&format!("{words} /dev/full"), 1).starts_with("error: cannot write /dev/full: No space left")
        );
        assert!(folder.fail(&format!("{words} ."), 1).contains("cannot write ."), "{words}");
        assert!(!folder.succeed(&format!("{words} /dev/stdout")).is_empty(), "{words}");
    }
    // A device has no suffix.
    #[cfg(target_os = "linux")]
    assert!(
        folder.fail("draw game.ptn --out /dev/full", 1).starts_with("error: cannot write /dev/full: No space left")
    );
    assert!(folder.succeed("draw game.ptn --out /dev/stdout").contains("</svg>"));
    assert!(folder.succeed("puzzles game.ptn --nodes 9 --out /dev/stdout").contains("skipped: "));
}

#[test]
fn a_dash_as_output_is_stdout() {
    let folder = Folder::new("outputs-dash");
    folder.file("game.ptn", GAME);
    for words in [
        "draw game.ptn",
        "annotate game.ptn --nodes 50 --threads 1",
        "openings --size 3 --plies 1 --count 1 --depth 1 --max-score 29000",
    ] {
        let [named, usual] = ["--out -", ""].map(|out| folder.succeed(&format!("{words} {out}")));
        // The times of an annotation differ.
        assert!(named == usual || words.starts_with("annotate") && named.contains("1. a1 {"), "{words}: {named}");
        assert!(!named.is_empty() && !folder.0.join("-").exists(), "{words}");
    }
    // One output has stdout to itself; what is read again needs a file.
    let engine = format!("--engine path={}", env!("CARGO_BIN_EXE_tak-engine"));
    let tournament =
        format!("tournament {engine} name=a {engine} name=b --size 3 --games 2 --force --all-engines nodes=9");
    for (words, begin, end) in [
        ("annotate game.ptn --nodes 50 --out a.ptn --report -", "<!DOCTYPE html>", "</html>\n"),
        (&format!("{tournament} --report - --journal j.jsonl"), "<!DOCTYPE html>", "</html>\n"),
        (&format!("{tournament} --ptn -"), "[Event ", "R-0\n"),
        ("tournament merge j.jsonl --ptn -", "[Event ", "R-0\n"),
    ] {
        let text = folder.succeed(words);
        assert!(text.starts_with(begin) && text.ends_with(end), "{words}: {text}");
    }
    for words in [
        "annotate game.ptn --report -",
        "annotate game.ptn --journal -",
        "check x --stderr -",
        &format!("{tournament} --ptn - --report -"),
        &format!("{tournament} --journal -"),
        &format!("{tournament} stderr=-"),
    ] {
        assert!(folder.fail(words, 2).contains("stdout"), "{words}");
    }
    assert!(!folder.0.join("-").exists());
}
