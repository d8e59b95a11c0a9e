//! Runs of `tak-engine annotate`: files, journals, shares, threads.

use std::fs;
use std::process::Stdio;
use std::time::{Duration, Instant};

use super::annotate::{notes, one, random_games, read, timeless};
use crate::cases::cases;
use crate::folder::{Folder, ended, output_for};
use tak_engine::notation::parse_games;

#[test]
fn a_bad_game_costs_only_itself() {
    let folder = Folder::new("annotate-bad");
    let games = "[Size \"3\"]\n1. a1 a2\n\n\
        [Size \"3\"]\n[Event \"illegal\"]\n1. a1 a2\n2. b1 b1\n3. c3 R-0\n\n\
        [Event \"no size\"]\n1. a1 a2\n\n\
        [Size \"4\"]\n1. a1 a2\n2. b1 zz {x}\n\n\
        [Size \"5\"]\n1. a1 {open\n2. a2\n\n\
        [TPS \"x3/1C,x2/x3 1 5\"]\n1. a2\n\n\
        [Size \"nine\"]\n[Komi \"2\"]\n1. a1 a2\n\n\
        [Size \"6\"]\n[Event \"last\"]\n1. a1 a2 0-0\n";
    folder.file("games.ptn", games);
    let (totals, stderr_text) = ended(&mut folder.command("annotate games.ptn --nodes 50 --out out.ptn"), 1);
    let stderr_text: Vec<&str> = stderr_text.lines().collect();
    let begins = [
        "game 2: line 7: illegal move 2 of Black, b1: ",
        "game 3: line 10: the game has neither a Size nor a TPS tag",
        "game 4: line 15: invalid move \"zz\"",
        "game 5: line 18: unterminated comment",
        "game 6: line 21: cannot start: ",
        "game 7: line 24: invalid tag Size",
        "error: 6 of 8 games are annotated in part only",
    ];
    assert_eq!(stderr_text.len(), begins.len(), "{stderr_text:?}");
    for (stderr_text, begins) in stderr_text.iter().zip(begins) {
        assert!(stderr_text.starts_with(begins), "{stderr_text}");
    }
    assert!(totals.starts_with("8 games, "), "{totals}");
    // The game without a board and the one with the unreadable size stay as they are.
    let text = folder.text("out.ptn");
    let read: Vec<_> = parse_games(&text).collect();
    let plies: Vec<Option<usize>> = read.iter().map(|game| game.as_ref().ok().map(|game| game.moves.len())).collect();
    let expected = [Some(2), Some(3), None, Some(3), Some(1), Some(1), None, Some(2)];
    assert_eq!(plies, expected, "{text}");
    let illegal = read[1].as_ref().unwrap();
    let note = notes(&illegal.moves[2].comments);
    assert!(note[0].starts_with("line 7: illegal move 2 of Black"), "{note:?}");
    assert_eq!(illegal.result.as_deref(), Some("R-0"));
    assert!(text.contains("{*tak-engine: line 10: the game has neither"), "{text}");
}

#[test]
fn the_text_of_a_game_that_cannot_begin_stays() {
    let folder = Folder::new("annotate-original");
    for tag in ["[Size \"five\"]", "[TPS \"x5/x5 1\"]", "[TPS \"x3/W,x2/x3 1 2\"]"] {
        let game = format!("{tag}\n[Player1 \"A\"]\n\n1. a1 e5 {{good}}\n2. c3 R-0\n");
        folder.file("game.ptn", format!("{game}\n[Size \"3\"]\n\n1. a1 c3\n"));
        let [first, again] = [1, 2].map(|_| {
            let text = String::from_utf8(folder.run("annotate game.ptn --nodes 50").stdout).unwrap();
            folder.file("game.ptn", &text);
            text.split_once("\n\n[Size \"3\"]").unwrap_or_else(|| panic!("{text}")).0.to_owned()
        });
        assert!(first.starts_with(&format!("{game}{{*tak-engine: line 1: ")), "{first}");
        assert_eq!(again, first);
    }
    folder.file("game.ptn", "[Size \"5\"] [Komi \"2\"] [Player1 \"A\"] [Size \"6\"]\n1. a1 e5");
    let game = one(&folder.succeed("annotate game.ptn --nodes 50"));
    assert_eq!((game.tag("Player1"), game.moves.len()), (Some("A"), 2));
}

#[test]
fn line_ends_encodings_and_stdin_make_no_difference() {
    let folder = Folder::new("annotate-encodings");
    let game = |name: &[u8]| {
        let before = b"[Player1 \"Jos".to_vec();
        let after = b"\"]\n[Size\"4\"]\n\n1. a1 {un\nd} d4 $2 ; why\n% me\n2. b2 (2. b1 {no} a2) c3 !\n";
        [before, name.to_vec(), after.to_vec()].concat()
    };
    let with_ends = |text: &[u8], end: &[u8]| {
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        lines.join(end)
    };
    let windows = |text: &[u8]| with_ends(text, b"\r\n");
    let plain = game("é".as_bytes());
    let files = [
        plain.clone(),
        game(b"\xe9"),
        windows(&plain),
        with_ends(&plain, b"\r"),
        [b"\xef\xbb\xbf".to_vec(), windows(&plain)].concat(),
    ];
    let mut texts = Vec::new();
    for file in &files {
        folder.file("game.ptn", file);
        let (text, warning) = ended(&mut folder.command("annotate game.ptn --nodes 100"), 0);
        assert!(warning.starts_with("game 1: warning: ") && warning.lines().count() == 1, "{warning}");
        texts.push(timeless(&text));
    }
    let kept = one(&texts[0]);
    let marks: Vec<_> = kept.moves.iter().map(|mv| mv.marks.as_str()).collect();
    assert_eq!(marks, ["", "?", "", "!"]);
    assert_eq!(kept.moves[0].comments[0], "un d");
    assert_eq!(kept.moves[1].comments[0], "why");
    assert_eq!(kept.moves[2].comments.len(), 1, "{kept}");
    assert!(texts[0].contains("[Player1 \"José\"]"), "{}", texts[0]);
    for text in &texts[1..] {
        assert_eq!(text, &texts[0]);
    }
    let output = output_for(&mut folder.command("annotate - --nodes 100"), &plain);
    assert!(output.status.success());
    assert_eq!(timeless(&String::from_utf8(output.stdout).unwrap()), texts[0]);
}

#[test]
fn the_number_of_threads_changes_nothing() {
    let folder = Folder::new("annotate-order");
    // The threads share one game too.
    for (count, nodes) in [(cases(8) as u64, 60), (1, 400)] {
        folder.file("games.ptn", random_games(count, 30));
        let [alone, together] = ["1", "4"].map(|threads| {
            let words = format!("games.ptn --nodes {nodes} --threads {threads}");
            timeless(&folder.annotate(&words))
        });
        assert_eq!(together, alone);
        let mut piped = folder.command(&format!("annotate - --nodes {nodes} --threads 2"));
        let piped = output_for(&mut piped, folder.text("games.ptn"));
        assert_eq!(timeless(&String::from_utf8(piped.stdout).unwrap()), alone);
        let rounds: Vec<String> = read(&together).iter().map(|game| game.tag("Round").unwrap().to_owned()).collect();
        assert_eq!(rounds, (0..count).map(|round| round.to_string()).collect::<Vec<_>>());
    }
}

#[test]
fn a_killed_annotation_resumes_without_loss_or_repetition() {
    let folder = Folder::new("annotate-resume");
    let count = cases(5);
    folder.file("games.ptn", random_games(count as u64, 30));
    let words = "games.ptn --nodes 300 --threads 1 --journal games.jsonl --resume --out out.ptn";
    let whole = folder.annotate("games.ptn --nodes 300");
    let mut child = folder.command(&format!("annotate {words}")).stdout(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    let lines = || fs::read_to_string(folder.0.join("games.jsonl")).map_or(0, |text| text.matches('\n').count());
    while lines() < 4 && child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(100));
        std::thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    let held = folder.text("games.jsonl");
    let complete: Vec<&str> = held.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
    assert!(complete.len() >= 4);
    // An incomplete line costs nothing but itself.
    folder.file("games.jsonl", complete.concat() + "{\"settings\":\"12");
    let (_, stderr_text) = ended(&mut folder.command(&format!("annotate {words}")), 0);
    assert!(stderr_text.contains("dropped an incomplete last line of 15 bytes"), "{stderr_text}");
    assert_eq!(timeless(&folder.text("out.ptn")), timeless(&whole));
    let after = folder.text("games.jsonl");
    assert!(after.starts_with(&complete.concat()), "what was held is still there");
    assert_eq!(after.lines().count(), 1 + count);
    // When all is done, the file can be written again, times and all.
    let first = folder.text("out.ptn");
    folder.annotate(words);
    assert_eq!(folder.text("out.ptn"), first);
    assert_eq!(folder.text("games.jsonl"), after);
    // With other settings or another file it is refused.
    folder.file("other.ptn", random_games(count as u64, 29));
    for (words, reason) in [
        ("games.ptn --nodes 301 --resume", "an annotation with different settings: time, nodes or depth"),
        ("other.ptn --nodes 300 --resume", "different settings: file of games"),
        ("games.ptn --nodes 300", "already exists; continue it with --resume"),
    ] {
        let stderr_text = folder.fail(&format!("annotate --journal games.jsonl {words}"), 1);
        assert!(stderr_text.contains(reason), "{words}: {stderr_text}");
    }
    assert_eq!(folder.text("games.jsonl"), after);
}

#[test]
fn cat_joins_the_outputs_of_shares() {
    let folder = Folder::new("annotate-shares");
    folder.file("games.ptn", random_games(10, 20) + "\n[Size \"3\"]\n1. a1 zz\n");
    let (whole, _) = ended(&mut folder.command("annotate games.ptn --nodes 60"), 1);
    let shares = (1..=4).map(|index| {
        let words = format!("annotate games.ptn --nodes 60 --shard {index}/4 --journal share{index}.jsonl");
        // The fault is in the last game.
        let (share, _) = ended(&mut folder.command(&words), i32::from(index == 4));
        assert!((2..=3).contains(&parse_games(&share).count()));
        share
    });
    assert_eq!(timeless(&shares.collect::<String>()), timeless(&whole));
}

#[cfg(target_os = "linux")]
#[test]
fn a_refused_run_leaves_nothing_behind() {
    let folder = Folder::new("annotate-usage");
    folder.file("game.ptn", "[Size \"3\"]\n1. a1 a2\n");
    folder.file("there.ptn", "kept");
    // The remains of a refused run do not block the next one.
    let journal = "game.ptn --nodes 9 --journal left.jsonl --out";
    for (out, code) in [("there.ptn", 1), ("new.ptn", 0)] {
        ended(&mut folder.command(&format!("annotate {journal} {out}")), code);
    }
    for (input, code) in [("-", 1), ("game.ptn", 0)] {
        ended(&mut folder.command(&format!("annotate {input} --nodes 9 --out again.ptn")), code);
    }
    // A link to a device and not the device itself, so that nothing is lost should this fail.
    std::os::unix::fs::symlink("/dev/full", folder.0.join("full")).unwrap();
    folder.fail("annotate game.ptn --nodes 9 --report full", 1);
    assert!(!fs::metadata(folder.0.join("full")).unwrap().is_file());
}

/// The most memory that the program had while it annotated so many games with long comments, in MiB.
#[cfg(target_os = "linux")]
fn peak_mib(folder: &Folder, games: usize) -> usize {
    let comment = "word ".repeat(2_000);
    let game = format!("[Size \"3\"]\n\n1. a1 {{{comment}}} c3\n\n");
    folder.file("games.ptn", game.repeat(games));
    let mut child = folder
        .command("annotate games.ptn --nodes 1 --threads 2 --out out.ptn --journal games.jsonl")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(300));
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        let line = status.unwrap_or_default();
        let line = line.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
        peak = peak.max(kib.unwrap_or(0) / 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    let out = folder.text("out.ptn");
    assert_eq!(out.matches("[Size").count(), games);
    for name in ["games.ptn", "games.jsonl", "out.ptn"] {
        fs::remove_file(folder.0.join(name)).unwrap();
    }
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_does_not_grow_with_the_games() {
    let folder = Folder::new("annotate-memory");
    let few = peak_mib(&folder, 60);
    // 6 MB of text.
    let many = peak_mib(&folder, 600);
    assert!(many <= few + 4, "{few} MiB for few games, {many} MiB for many");
}
