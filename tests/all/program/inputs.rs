//! What `analyse` can be given, and how it answers for several sources.

use std::ffi::OsStr;
use std::io::{BufRead, BufReader, Write};
use std::process::Stdio;

use serde_json::Value;

use crate::folder::{Folder, ended, fail, output_for, succeed};

const GAME: &str = "[Size \"5\"]\n\n1. a1 e5\n2. c3 *\n";
/// As in suites of positions of other programs.
const LIST: &str = "# two positions\n\nx3/x3/x3 1 1 ; the start\n  \nx4/x4/x4/x4 1 1\n; the end\n";

fn folder(name: &str) -> Folder {
    let folder = Folder::new(name);
    folder.file("game.ptn", GAME);
    folder.file("three.ptn", format!("{GAME}\n{GAME}\n[Size \"4\"]\n\n1. a1 d4\n"));
    folder.file("list.tps", LIST);
    folder
}

/// Stdout and stderr for this input.
fn answer(folder: &Folder, words: &str, input: impl AsRef<[u8]>, code: i32) -> [String; 2] {
    let output = output_for(&mut folder.command(words), input);
    assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
    [output.stdout, output.stderr].map(|bytes| String::from_utf8(bytes).unwrap())
}

#[test]
fn a_piped_stdin_is_read_without_being_named() {
    let folder = folder("inputs-stdin");
    for words in ["analyse --nodes 50", "analyse - --nodes 50", "analyze --nodes 50", "analyse --nodes 50 --input ptn"]
    {
        let [text, error] = answer(&folder, words, GAME, 0);
        assert!(text.contains("5x5, komi 0, move 2, Black to play") && error.is_empty(), "{words}: {text}{error}");
    }
    // A file is a stdin too.
    let file = std::fs::File::open(folder.0.join("game.ptn")).unwrap();
    assert!(succeed(folder.command("analyse --nodes 50").stdin(file)).contains("5x5"));
    // Nothing there is not a game, but no reason to fail without being asked for.
    let [text, error] = answer(&folder, "analyse --nodes 50 --size 4", "", 0);
    assert!(text.contains("4x4") && error.contains("nothing comes on stdin"), "{text}{error}");
    let [text, error] = answer(&folder, "analyse -", "\n \n", 1);
    assert_eq!((text, error.as_str()), (String::new(), "error: cannot read stdin: it holds no game and no position\n"));
    // Without a command it speaks TEI.
    assert_eq!(folder.succeed_quietly(""), "");
}

#[test]
fn lists_of_positions_may_have_comments_and_blank_lines() {
    let folder = folder("inputs-list");
    let from_file = folder.succeed_quietly("analyse list.tps --nodes 50 --threads 1");
    let lines: Vec<&str> = from_file.lines().collect();
    assert!(lines[0].starts_with("x3/x3/x3 1 1: ") && lines[1].starts_with("x4/x4/x4/x4 1 1: "), "{from_file}");
    assert!(lines.len() == 2 && lines[0].contains(" is better, ") && lines[0].contains(" % (+"), "{from_file}");
    for words in ["analyse --nodes 50", "analyse - --nodes 50 --input tps"] {
        assert_eq!(answer(&folder, words, LIST, 0)[0], from_file, "{words}");
    }
    // The position of a game may be its first tag.
    let [text, error] = answer(&folder, "analyse --nodes 50", "[TPS \"x3/x3/x3 1 1\"]\n[Komi \"2\"]\n\n1. a1 c3\n", 0);
    assert!(text.contains("3x3, komi 2, move 2") && error.is_empty(), "{text}{error}");
    let tags = "[TPS \"x3/x3/x3 1 1\"]\n".repeat(2);
    assert_eq!(answer(&folder, "analyse --nodes 50", &tags, 0)[0].matches("x3/x3/x3 1 1: ").count(), 2);
    folder.file("tags.ptn", tags + "\n1. a1 c3\n");
    assert!(folder.succeed("analyse tags.ptn --nodes 50").contains("3x3, komi 0, move 2"));
    // In any encoding, and with the ends of lines of any system.
    let utf16 = |to_bytes: fn(u16) -> [u8; 2]| format!("\u{feff}{LIST}").encode_utf16().flat_map(to_bytes).collect();
    let lists: [Vec<u8>; 4] = [
        utf16(u16::to_le_bytes),
        utf16(u16::to_be_bytes),
        LIST.replace('\n', "\r").into_bytes(),
        format!("\u{feff}{}", LIST.replace('\n', "\r\n")).into_bytes(),
    ];
    for (index, list) in lists.into_iter().enumerate() {
        let [text, error] = answer(&folder, "analyse --nodes 50 --threads 1", list, 0);
        assert!(text == from_file && !error.contains("error"), "{text}{error}");
        assert_eq!(error.matches("text that is not UTF-8").count(), usize::from(index < 2), "warned of once: {error}");
    }
    // A long beginning without a position takes no longer than its length.
    let [_, error] = answer(&folder, "analyse -", "#\n".repeat(1 << 20), 1);
    assert_eq!(error, "error: cannot read stdin: it holds no game and no position\n");
    // Faults keep the numbers of their lines.
    let [text, _] = answer(&folder, "analyse --nodes 50", "# one\n\nx3/x3/x4 1 1\n", 1);
    assert!(text.starts_with("line 3: error: "), "{text}");
}

#[test]
fn several_sources_are_answered_in_turn() {
    let folder = folder("inputs-several");
    let words = "analyse game.ptn x3/x3/x3 1 1 three.ptn list.tps --nodes 50 --threads 1";
    let text = folder.succeed_quietly(words);
    let places: Vec<usize> = ["game.ptn, game 1\n5", "3x3, komi 0", "three.ptn, game 3\n4", "x4/x4/x4/x4 1 1: "]
        .map(|part| text.find(part).unwrap_or_else(|| panic!("{part:?} in {text}")))
        .to_vec();
    assert!(places.is_sorted(), "{text}");
    // One that is missing costs only itself.
    folder.file("bad.tps", "x3/x3/x3 1 1\nx9 1 1\n");
    let output = folder.run("analyse none.ptn game.ptn bad.tps --nodes 50 --json");
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stderr).unwrap().matches("cannot read none.ptn: No such file").count(), 1);
    let answers = String::from_utf8(output.stdout).unwrap();
    let answers: Vec<Value> = answers.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((answers.len(), &answers[0]["size"]), (3, &5.into()));
    assert_eq!((&answers[2]["file"], &answers[2]["line"]), (&"bad.tps".into(), &2.into()));
}

/// All readers of games take files, several files, stdin and pipes in any encoding, and refuse the same.
#[cfg(unix)]
#[test]
fn readers_of_games_take_the_same_input() {
    let folder = folder("inputs-readers");
    folder.file("binary.ptn", b"\x7fELF\x02\x01\0".repeat(99));
    folder.file("faults.ptn", "[Size \"5\"]\n1. zz\n\n[Size \"5\"]\n1. yy\n");
    folder.file("bare.ptn", "1. a1 e5\n2. c3 d3\n");
    folder.file("empty.ptn", "\n");
    let three = folder.text("three.ptn");
    let utf16: Vec<u8> = format!("\u{feff}{three}").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let inputs = [three.as_bytes().to_vec(), three.replace('\n', "\r\n").into_bytes(), utf16];
    let clock = regex::Regex::new("[0-9]+ms").unwrap();
    for (reader, about_four) in [
        ("annotate --nodes 50 --threads 1", "[Size \"4\"]"),
        ("replay", "three.ptn, game 3: 2 plies"),
        ("explore", "left out of 4 games: 1 on 4x4"),
        ("puzzles --nodes 50 --threads 1", ""),
    ] {
        let of = |words: &str, input: &[u8], code| {
            let [text, error] = answer(&folder, &format!("{reader} {words}"), input, code);
            (clock.replace_all(&text, "").into_owned(), error)
        };
        let (usual, _) = of("three.ptn", b"", 0);
        for words in ["", "-", "/dev/stdin"] {
            for input in &inputs {
                assert_eq!(of(words, input, 0).0, usual, "{reader} {words}");
            }
        }
        let (text, error) = of("game.ptn empty.ptn three.ptn", b"", 0);
        assert!(
            text.contains(about_four) && error.contains("warning: no game in empty.ptn"),
            "{reader}: {text}{error}"
        );
        assert!(of("three.ptn game.ptn --game 1", b"", 0).0.matches("4x4").count() == 0, "{reader}");
        of("bare.ptn --size 5", b"", 0);
        for (words, code, reason) in [
            ("game.ptn none.ptn", 1, "cannot read none.ptn: No such file or directory (os error 2)"),
            ("binary.ptn", 1, "cannot read binary.ptn: it is not text"),
            ("faults.ptn", 1, "faults.ptn: none of 2 games can be read; game 1: line 2: invalid move \"zz\""),
            ("bare.ptn", 1, "bare.ptn: line 1: the game has neither a Size nor a TPS tag; --size N gives one"),
            ("list.tps", 1, "cannot read list.tps: it holds positions, and no PTN games"),
            ("empty.ptn empty.ptn", 1, "no game in empty.ptn, empty.ptn"),
            ("three.ptn --game 4", 1, "three.ptn has 3 games, there is no game 4"),
            ("x3/x3/x3 1 1", 2, "\"x3/x3/x3 1 1\" is not a file: expected PTN files, or - for stdin"),
            ("- -", 2, "- is given twice, and stdin can be read only once"),
        ] {
            let (text, error) = of(words, b"", code);
            assert!(error.starts_with(&format!("error: {reason}")) && error.lines().count() == 1, "{reader}: {error}");
            assert_eq!(text, "", "{reader} {words}");
        }
        // Without games it has its table of openings.
        ended(&mut folder.command(reader), if reader == "explore" { 0 } else { 2 });
    }
    assert!(folder.run("puzzles three.ptn --size 5 --nodes 50").stderr.ends_with(b"left out of 3 games: 1 on 4x4\n"));
}

/// Options in the place of tags count for the result, and are in the annotated game.
#[test]
fn size_and_komi_of_games_can_be_given() {
    let folder = folder("inputs-terms");
    let bare = "1. a1 e5\n2. c3 d3\n";
    let [text, _] = answer(&folder, "annotate --nodes 50 --size 5 --komi 2", bare, 0);
    assert!(text.starts_with("[Size \"5\"]\n[Komi \"2\"]\n"), "{text}");
    let flats = "[TPS \"1,2,1/2,1,2/2,1,x 1 5\"]\n[Komi \"0\"]\n\n5. c1\n";
    for (komi, result) in [("", "F-0"), ("--komi 2", "0-F"), ("--komi 1", "1/2-1/2")] {
        let [text, _] = answer(&folder, &format!("replay {komi}"), flats, 0);
        assert!(text.contains(&format!("result {result}")), "{text}");
    }
    assert!(answer(&folder, "draw --size 5", bare, 0)[0].contains("</svg>"));
    // A list with one position can be drawn, and its options are those of a position.
    assert_eq!(answer(&folder, "draw", "# one\nx3/x3/x3 1 1 ; here\n", 0)[0], folder.succeed("draw x3/x3/x3 1 1"));
}

/// Answers come before the input ends, and stop with their reader.
#[test]
fn games_are_answered_as_they_come() {
    let folder = folder("inputs-stream");
    // The next game ends this one.
    let game = format!("{GAME}\n{GAME}\n[Size \"5\"]\n");
    for (words, input) in [
        ("analyse - --nodes 50 --json", &*game),
        ("analyse - --nodes 50 --threads 2", "x3/x3/x3 1 1\n"),
        ("replay -", &game),
        ("annotate - --nodes 50 --threads 1", &game),
    ] {
        let mut command = folder.command(words);
        let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut answers = BufReader::new(child.stdout.take().unwrap()).lines();
        for _ in 0..2 {
            stdin.write_all(input.as_bytes()).unwrap();
            answers.next().unwrap().unwrap();
        }
        drop(answers);
        // The games that it still answers fill no pipe. Stdin stays open, or is closed for a command that ends at its
        // next answer.
        let input = input.to_owned();
        let games = std::thread::spawn(move || while stdin.write_all(input.as_bytes()).is_ok() {});
        let output = child.wait_with_output().unwrap();
        games.join().unwrap();
        let errors = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success() && !errors.contains("error"), "{words}: {errors}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn names_may_be_any_bytes() {
    use std::os::unix::ffi::OsStrExt;

    let folder = folder("inputs-names");
    for name in [&b"\xff game.ptn"[..], b"a\n game.ptn"] {
        let name = OsStr::from_bytes(name);
        std::fs::copy(folder.0.join("game.ptn"), folder.0.join(name)).unwrap();
        for reader in ["analyse --nodes 50", "annotate --nodes 50", "replay", "explore", "puzzles --nodes 50", "draw"] {
            succeed(folder.command(reader).arg(name));
            // One line each, with the name in it.
            let error =
                fail(folder.command(reader).args([name, OsStr::new("a\nb.ptn")]), if reader == "draw" { 2 } else { 1 });
            assert!(error.lines().count() == 1 && (reader == "draw" || error.contains("read a\\nb.ptn: ")), "{error}");
        }
        let text = succeed(folder.command("replay game.ptn").arg(name));
        assert_eq!(text.lines().count(), 2, "{text}");
    }
}

/// A terminal that `script` of util-linux makes.
#[cfg(target_os = "linux")]
#[test]
fn a_terminal_tells_the_colours_apart_and_shows_no_control_characters() {
    let folder = Folder::new("inputs-terminal");
    folder.file("\u{1b}[31mred.ptn", "[TPS \"x2,2/1,1,1/2,2,x 2 3\"]\n");
    let run = |words: &str, variables: &[(&str, &str)], input: &str| {
        let program = format!("{} {words}", crate::support::BINARY);
        let mut command = std::process::Command::new("script");
        command.args(["-qec", &program, "/dev/null"]).current_dir(&folder.0);
        command.env_remove("NO_COLOR").env("TERM", "xterm").env("LC_ALL", "C.UTF-8").envs(variables.iter().copied());
        String::from_utf8(output_for(&mut command, input).stdout).unwrap()
    };
    let shown = |variables: &[(&str, &str)]| run("analyse *red.ptn", variables, "");
    // A complaint once, without the place in the program.
    let complaint = run("", &[], "foo\nquit\n");
    assert!(complaint.matches("unknown command").count() == 1 && !complaint.contains("::"), "{complaint}");
    let piped = output_for(&mut folder.command(""), "foo\n");
    assert_eq!(piped.stderr, b"warning: info error unknown command \"foo\"\n");
    let colored = shown(&[]);
    assert!(colored.contains("2  \u{1b}[30;107m1\u{1b}[0m \u{1b}[30;107m1\u{1b}[0m"), "{colored:?}");
    assert!(colored.contains("annotate \\u{1b}[31mred.ptn"), "{colored:?}");
    let signs = shown(&[("NO_COLOR", "1")]);
    assert!(signs.contains("2  ○ ○ ○") && signs.contains("○ White  ● Black"), "{signs:?}");
    assert!(!signs.contains(|c: char| c.is_control() && c != '\r' && c != '\n'), "{signs:?}");
    assert!(shown(&[("NO_COLOR", "1"), ("LC_ALL", "C")]).contains("2  1 1 1"));
}
