//! Ctrl-C keeps the results so far, and progress is shown on a terminal.

use std::io::Read;
use std::process::{Command, Output};

use regex::Regex;

use super::annotate::random_games;
use crate::folder::Folder;
use crate::terminal::Terminal;

/// The number before `unit` that was shown last, as in `12/64 positions` or `12 lines`.
fn count(shown: &str, unit: &str) -> u64 {
    let form = Regex::new(&format!(r"([0-9]+)(/[0-9]+)? {unit}")).unwrap();
    form.captures_iter(shown).last().map_or(0, |found| found[1].parse().unwrap())
}

fn stderr_of(output: &Output) -> String {
    String::from_utf8_lossy(&output.stderr).into_owned()
}

/// The end of a command that is interrupted once it has shown more than `most` of this unit.
fn interrupted(command: &mut Command, unit: &str, most: u64) -> Output {
    let run = Terminal::start(command);
    run.wait_until(|shown| count(shown, unit) > most);
    run.interrupt();
    run.end()
}

fn assert_interrupted(output: &Output, how_far: &str) {
    assert_eq!(output.status.code(), Some(130), "{}", stderr_of(output));
    assert!(stderr_of(output).contains(&format!("interrupted: {how_far}")), "{}", stderr_of(output));
}

#[test]
fn games_done_before_ctrl_c_are_written() {
    let folder = Folder::new("stop-annotate-games");
    folder.file("games.ptn", random_games(1, 2) + "\n" + &random_games(1, 30));
    let words = "annotate games.ptn --nodes 100000 --threads 1 --out a.ptn --report a.html --journal j.jsonl";
    let output = interrupted(&mut folder.command(words), "positions", 3);
    assert_interrupted(&output, "1 of 2 games are annotated; the same command with --resume continues with j.jsonl");
    assert_eq!(folder.text("j.jsonl").lines().count(), 2);
    assert!(String::from_utf8_lossy(&output.stdout).starts_with("1 game, 2 plies"));
    assert!(folder.text("a.ptn").contains("loss:") && folder.text("a.html").contains("</html>"));
}

#[test]
fn ctrl_c_in_analyse_prints_the_answer_so_far() {
    let folder = Folder::new("stop-analyse");
    let run = Terminal::start(&mut folder.command("analyse --size 6 --depth 100"));
    run.wait_until(|shown| shown.contains("depth  2"));
    run.interrupt();
    let output = run.end();
    assert_interrupted(&output, "the answer so far");
    assert!(String::from_utf8_lossy(&output.stdout).contains("\nbest move  "), "{output:?}");
}

#[test]
fn ctrl_c_ends_a_batch_that_waits_for_input() {
    let folder = Folder::new("stop-batch");
    let mut command = folder.command("analyse - --nodes 100");
    let (reader, mut writer) = std::io::pipe().unwrap();
    let run = Terminal::start(command.stdin(reader));
    std::io::Write::write_all(&mut writer, b"x3/x3/x3 1 1\n").unwrap();
    run.wait_until(|shown| count(shown, "lines") == 1);
    run.interrupt();
    let output = run.end();
    assert_interrupted(&output, "1 line answered");
    assert_eq!(String::from_utf8_lossy(&output.stdout).lines().count(), 1);
}

/// What is written once Ctrl-C is known comes before the word about it, and after a line without `^C`.
#[test]
fn ctrl_c_ends_with_a_clean_line_and_a_word() {
    let folder = Folder::new("stop-order");
    folder.file("games.ptn", "[Size \"5\"]\n\n1. a1 e5 *\n\n".repeat(1_000_000));
    for (words, shown) in [
        ("analyse x6/x6/x6/x6/x6/x6 1 1 --depth 100", "depth  2"),
        ("analyse games.ptn --depth 100", "depth  2"),
        ("analyse - --depth 100", ""),
        ("explore games.ptn --threads 1", "games"),
    ] {
        let mut command = folder.command(words);
        let (input, _writer) = std::io::pipe().unwrap();
        let run = Terminal::start_whole(command.stdin(input));
        // A search has begun, or games are counted, once it listens.
        run.wait_until(|text| text.contains(shown) && (shown != "games" || count(text, shown) > 0));
        if shown.is_empty() {
            // It has to listen first.
            std::thread::sleep(std::time::Duration::from_millis(500));
        }
        run.interrupt();
        let text = stderr_of(&run.end());
        let (_, end) = text.split_at(text.rfind("\r\u{1b}[K").unwrap_or_else(|| panic!("{words}: {text:?}")));
        let last = end.trim_end().lines().last().unwrap();
        assert!(last.contains("interrupted"), "{words}: {end:?}");
    }
}

#[test]
fn openings_found_before_ctrl_c_are_kept() {
    let folder = Folder::new("stop-openings");
    let output =
        interrupted(&mut folder.command("openings --size 6 --count 1000000 --depth 1 --out suite.txt"), "openings", 0);
    let lines = folder.text("suite.txt").lines().count();
    assert!(lines > 0);
    assert_interrupted(&output, &format!("{lines} of 1000000 openings found"));
}

#[test]
fn puzzles_found_before_ctrl_c_are_kept() {
    let folder = Folder::new("stop-puzzles");
    let found = include_str!("../../../web/puzzles/5x5.jsonl").lines().take(40);
    let games = found.map(|line| {
        let puzzle: serde_json::Value = serde_json::from_str(line).unwrap();
        format!("[TPS \"{}\"]\n[Size \"5\"]\n[Komi \"0\"]\n\n*\n\n", puzzle["tps"].as_str().unwrap())
    });
    folder.file("games.ptn", games.collect::<String>().repeat(500));
    let mut command = folder.command("puzzles games.ptn --nodes 20000 --threads 1 --out found.jsonl");
    let output = interrupted(&mut command, "puzzles?", 0);
    assert_interrupted(&output, "searched ");
    assert!(folder.text("found.jsonl").lines().count() > 0);
}

#[test]
fn a_suite_stopped_by_ctrl_c_has_its_table() {
    let folder = Folder::new("stop-forced");
    // No win at all, so that the solver never ends.
    folder.file("suite.txt", "x6/x6/x6/x6/x6/x6 1 1 0 3\n".repeat(2));
    let run = Terminal::start(&mut folder.command("bench --forced suite.txt --time 3600s --hash 1"));
    run.wait_until(|shown| shown.contains("0/2 positions"));
    run.interrupt();
    let output = run.end();
    assert_interrupted(&output, "0 of 2 positions checked");
    assert!(String::from_utf8_lossy(&output.stdout).contains("all "), "{output:?}");
}

#[test]
fn ctrl_c_ends_fixed_work_with_a_word() {
    let folder = Folder::new("stop-fixed");
    let engine = format!("check {}", crate::support::BINARY);
    assert_interrupted(&interrupted(&mut folder.command(&engine), "cases", 0), "");
    for words in ["bench --deeper 20", "perft 7 --size 5"] {
        let run = Terminal::start(&mut folder.command(words));
        // Parts are small, so that there is something to see.
        run.wait_until(|shown| shown.contains(" 1s") && (words.starts_with("bench") || count(shown, "parts") > 0));
        run.interrupt();
        let output = run.end();
        assert_eq!(output.status.code(), Some(130), "{output:?}");
        assert!(stderr_of(&output).trim_end().ends_with("interrupted"), "{output:?}");
    }
}

#[test]
fn progress_is_shown_on_a_terminal_only() {
    let folder = Folder::new("progress");
    folder.file("game.ptn", random_games(1, 8));
    folder.file("suite.txt", "x3/1,1,x/2,2,x 1 3 0 1\n");
    for (words, unit) in [
        ("perft 4 --size 4", "parts"),
        ("bench --forced suite.txt --nodes 1000 --hash 1", "positions"),
        ("annotate game.ptn --nodes 500", "positions"),
        ("puzzles game.ptn --nodes 100", "games"),
        ("bench", "positions"),
        ("openings --size 5 --count 3 --depth 1", "openings"),
    ] {
        let shown = stderr_of(&Terminal::start(&mut folder.command(words)).end());
        assert!(shown.contains(unit), "{words}: {shown:?}");
        // A slow machine may take long enough for plain lines.
        let output = folder.command(words).output().unwrap();
        assert!(!stderr_of(&output).contains(['\r', '\u{1b}']), "{words}: {output:?}");
    }
}

#[test]
fn a_second_ctrl_c_ends_the_program() {
    let folder = Folder::new("stop-twice");
    let mut command = folder.command("annotate - --nodes 100");
    let (reader, _writer) = std::io::pipe().unwrap();
    let mut child = command.stdin(reader).stdout(std::process::Stdio::piped()).spawn().unwrap();
    let pid = child.id().to_string();
    let status = loop {
        // The first may come before the program listens, and then ends it.
        let _ = Command::new("kill").args(["-INT", &pid]).status().unwrap();
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
    };
    assert!(!status.success());
    let mut stdout = String::new();
    child.stdout.take().unwrap().read_to_string(&mut stdout).unwrap();
    assert_eq!(stdout, "");
}
