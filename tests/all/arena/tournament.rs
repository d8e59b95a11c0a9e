//! Tournaments through the real binary: engines that break every rule, runs that are killed, shares that are added up.
//! Bad engines are small shell scripts; the good one is the binary itself.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tak_engine::arena::journal::{Contents, read};
use tak_engine::arena::record::GameResult::{BlackWin, Draw, WhiteWin};
use tak_engine::arena::record::{GameRecord, GameResult, Termination};

const BINARY: &str = env!("CARGO_BIN_EXE_tak-engine");
/// Far longer than anything here takes, even on a loaded machine.
const GUARD: Duration = Duration::from_secs(60);

/// A folder of a test's own, empty at first.
struct Folder(PathBuf);

impl Folder {
    fn new(test: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("tournament-{test}"));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }

    fn write(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }

    fn text(&self, name: &str) -> String {
        fs::read_to_string(self.0.join(name)).unwrap_or_default()
    }

    fn journal(&self) -> Contents {
        read(&self.0.join("games.jsonl")).unwrap()
    }

    /// A runner with these words as arguments, whose journal is `games.jsonl`.
    fn tournament(&self, words: &str) -> Command {
        let mut command = Command::new(BINARY);
        command.arg("tournament").args(words.split_whitespace());
        command.args(["--journal", &self.path("games.jsonl")]);
        command.current_dir(&self.0).env_remove("RUST_LOG");
        command
    }

    /// Writes a scripted engine. It notes its process number and what it is told in `NAME.pids` and `NAME.log`.
    fn script(&self, name: &str, answers: &Answers) -> String {
        let text = format!(
            r#"
            printf '%s\n' "$$" >> {name}.pids
            starts=$(wc -l < {name}.pids)
            hang() {{ while :; do sleep 5; done; }}
            {start}
            while read -r line; do
                printf '%s\n' "$line" >> {name}.log
                case "$line" in
                    tei) {tei} printf 'id name Script\nteiok\n' ;;
                    teinewgame*) {new_game} ;;
                    isready) {isready} printf 'readyok\n' ;;
                    go*) {go} ;;
                    quit) exit 0 ;;
                esac
            done
            {end}
            "#,
            start = answers.start,
            tei = answers.tei,
            new_game = answers.new_game,
            isready = answers.isready,
            go = answers.go,
            end = answers.end,
        );
        self.write(name, &text);
        format!("--engine path=/bin/sh arg={name} name=bad")
    }
}

/// What a scripted engine does, as shell commands.
struct Answers {
    start: &'static str,
    tei: &'static str,
    new_game: &'static str,
    isready: &'static str,
    go: &'static str,
    end: &'static str,
}

const WELL_BEHAVED: Answers = Answers {
    start: "",
    tei: "",
    new_game: ":",
    isready: "",
    go: "printf 'bestmove a1\\n'",
    end: "",
};

/// The binary at a speed that makes games of milliseconds.
fn good(name: &str) -> String {
    format!("--engine path={BINARY} name={name} nodes=20 option.Hash=1")
}

fn succeed(command: &mut Command) -> String {
    let output = command.output().unwrap();
    assert!(output.status.success(), "{}", told(&output));
    String::from_utf8(output.stdout).unwrap()
}

/// What a runner says that must fail with `code`.
fn fail(command: &mut Command, code: i32) -> String {
    let output = command.output().unwrap();
    assert_eq!(output.status.code(), Some(code), "{}", told(&output));
    String::from_utf8(output.stderr).unwrap()
}

fn told(output: &Output) -> String {
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    format!(
        "{}\n{}\n{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    )
}

/// The good engine against a bad one and another good one, so that it shows whether the tournament goes on. Checks
/// that every game is there, that the bad engine lost all of its four, and how.
fn expect_faults(
    test: &str,
    answers: &Answers,
    settings: &str,
    expected: [Termination; 4],
) -> Folder {
    let folder = Folder::new(test);
    folder.write("openings", "a1 e5\n");
    let bad = folder.script("bad", answers);
    // The same opening every time: White's first move cannot go to a1.
    succeed(&mut folder.tournament(&format!(
        "{bad} {settings} {} {} --size 5 --openings openings --games 2 --concurrency 1",
        good("one"),
        good("two")
    )));
    let games = folder.journal().games;
    let numbers: BTreeSet<u64> = games.iter().map(|game| game.game).collect();
    assert_eq!(numbers, (0..6).collect());
    let (bad, others): (Vec<&GameRecord>, Vec<_>) = games
        .iter()
        .partition(|game| game.white == 0 || game.black == 0);
    let terminations: Vec<Termination> = bad.iter().map(|game| game.termination).collect();
    assert_eq!(terminations, expected, "{:?}", bad[0].detail);
    for game in bad {
        assert_eq!(game.at_fault(), Some(0));
        assert_eq!(game.half_points(0), Some(0));
    }
    for game in others {
        assert!(!game.termination.is_fault(), "{:?}", game.detail);
    }
    no_process_left(&folder, "bad.pids");
    folder
}

fn wait_until(what: &str, mut condition: impl FnMut() -> bool) {
    let start = Instant::now();
    while !condition() {
        assert!(start.elapsed() < GUARD, "waited in vain for {what}");
        sleep(Duration::from_millis(5));
    }
}

/// Waits until all processes are gone whose numbers are in the file.
fn no_process_left(folder: &Folder, pids: &str) {
    for pid in folder.text(pids).lines() {
        wait_until(&format!("process {pid} to end"), || !is_running(pid));
    }
}

/// Whether the process exists and is not merely waiting for its parent to take notice of its end.
fn is_running(pid: &str) -> bool {
    if Path::new("/proc/self/stat").exists() {
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        let state = stat.rsplit(')').next().unwrap_or_default();
        return !matches!(state.trim_start().chars().next(), None | Some('Z' | 'X'));
    }
    let status = Command::new("kill")
        .args(["-0", pid])
        .stderr(Stdio::null())
        .status();
    status.unwrap().success()
}

fn signal(child: &Child, signal: &str) {
    let pid = child.id().to_string();
    let status = Command::new("kill").args([signal, &pid]).status().unwrap();
    assert!(status.success());
}

#[test]
fn illegal_moves() {
    let answers = Answers {
        go: "printf 'bestmove a1\\n'",
        ..WELL_BEHAVED
    };
    let folder = expect_faults("illegal", &answers, "", [Termination::IllegalMove; 4]);
    let game = &folder.journal().games[0];
    assert!(
        game.detail.as_ref().unwrap().starts_with("a1: "),
        "{:?}",
        game.detail
    );
    // It is not started again for that.
    assert_eq!(folder.text("bad.pids").lines().count(), 2);
}

#[test]
fn malformed_moves_among_garbage() {
    let answers = Answers {
        tei: r"printf 'option name\noption\nid\nsize x\n\nhello\n';",
        go: r"printf '\ninfo\ninfo depth\n\377\376 bestmove\nbestmoved a1\ninfo score cp x pv\nbestmove 9z9 ponder\n'",
        ..WELL_BEHAVED
    };
    expect_faults("malformed", &answers, "", [Termination::MalformedMove; 4]);
}

#[test]
fn a_bestmove_without_a_move() {
    let answers = Answers {
        go: r"printf 'bestmove\n'",
        ..WELL_BEHAVED
    };
    expect_faults("nomove", &answers, "", [Termination::MalformedMove; 4]);
}

#[test]
fn time_forfeits() {
    let answers = Answers {
        go: "sleep 0.5; printf 'bestmove b2\\n'",
        ..WELL_BEHAVED
    };
    let settings = "st=0.1 timemargin=100";
    expect_faults("late", &answers, settings, [Termination::TimeForfeit; 4]);
}

#[test]
fn crashes_and_options_afterwards() {
    let answers = Answers {
        tei: r"printf 'option name Style type string default x\noption name Size type spin default 1 min 0 max 9\n';",
        go: "exit 3",
        ..WELL_BEHAVED
    };
    let settings = "option.style=wild option.Size=7";
    let folder = expect_faults("crash", &answers, settings, [Termination::Crash; 4]);
    let detail = folder.journal().games[0].detail.clone().unwrap();
    assert_eq!(detail, "at go: it ended (exit status: 3)");
    let start = "tei\nsetoption name Style value wild\nsetoption name Size value 7\nisready\nteinewgame 5\nisready\n";
    let go = "go wtime 10000 btime 10000 winc 100 binc 100\n";
    let as_white = format!("{start}position startpos moves a1 e5\n{go}");
    // Once for the check before the first game, then for each game.
    let log = folder.text("bad.log");
    assert!(
        log.starts_with(&format!("{start}quit\n{as_white}tei\n")),
        "{log}"
    );
    assert_eq!(log.matches(start).count(), 5);
}

#[test]
fn killed_by_a_signal() {
    let answers = Answers {
        go: "kill -9 $$",
        ..WELL_BEHAVED
    };
    let folder = expect_faults("signal", &answers, "", [Termination::Crash; 4]);
    let detail = folder.journal().games[0].detail.clone().unwrap();
    assert!(detail.contains("signal: 9"), "{detail}");
}

#[test]
fn disconnects() {
    let answers = Answers {
        go: "exec >&-; hang",
        ..WELL_BEHAVED
    };
    expect_faults("disconnect", &answers, "", [Termination::Disconnect; 4]);
}

#[test]
fn stalls_at_go() {
    let answers = Answers {
        go: "hang",
        ..WELL_BEHAVED
    };
    let settings = "st=0.1 stall=0.8";
    expect_faults("stall-go", &answers, settings, [Termination::Stall; 4]);
}

#[test]
fn stalls_at_a_new_game() {
    let answers = Answers {
        new_game: "[ $starts = 1 ] || hang",
        ..WELL_BEHAVED
    };
    expect_faults(
        "stall-newgame",
        &answers,
        "stall=0.8",
        [Termination::Stall; 4],
    );
}

#[test]
fn stalls_at_isready() {
    let answers = Answers {
        isready: "[ $starts = 1 ] || hang;",
        ..WELL_BEHAVED
    };
    let (stall, given_up) = (Termination::Stall, Termination::StartFailure);
    let expected = [stall, stall, stall, given_up];
    expect_faults("stall-isready", &answers, "stall=0.8", expected);
}

#[test]
fn engines_that_do_not_start_again_are_given_up() {
    let answers = Answers {
        start: "[ $starts = 1 ] || hang",
        ..WELL_BEHAVED
    };
    let (stall, given_up) = (Termination::Stall, Termination::StartFailure);
    let expected = [stall, stall, stall, given_up];
    let folder = expect_faults("stall-start", &answers, "stall=0.8", expected);
    assert_eq!(folder.text("bad.pids").lines().count(), 4);
}

#[test]
fn floods_of_lines_and_of_one_line() {
    let lines = Answers {
        go: "yes info depth 1",
        ..WELL_BEHAVED
    };
    expect_faults("flood", &lines, "", [Termination::Flood; 4]);
    let one_line = Answers {
        go: "tr '\\0' x < /dev/zero",
        ..WELL_BEHAVED
    };
    expect_faults("flood-line", &one_line, "", [Termination::Flood; 4]);
}

#[test]
fn answers_before_the_question_do_not_count() {
    // The second move is printed while the opponent thinks; as an answer it would be illegal.
    let answers = Answers {
        go: "n=$((n + 1)); printf 'bestmove b%s\\nbestmove b%s\\n' $n $n",
        new_game: "n=0",
        ..WELL_BEHAVED
    };
    let folder = Folder::new("early");
    folder.write("openings", "a1 e5\n");
    let script = folder.script("eager", &answers);
    let other = folder.script(
        "other",
        &Answers {
            go: "n=$((n + 1)); sleep 0.1; printf 'bestmove c%s\\n' $n",
            ..answers
        },
    );
    let other = other.replace("name=bad", "name=other");
    succeed(&mut folder.tournament(&format!(
        "{script} {other} --size 5 --openings openings --games 2 --max-plies 8"
    )));
    for game in folder.journal().games {
        assert_eq!(game.termination, Termination::MaxPlies, "{:?}", game.detail);
        let [b1, c1] = ["b1", "c1"].map(|mv| game.moves.iter().position(|m| m.mv == mv));
        assert!(b1.is_some() && c1.is_some());
    }
}

#[test]
fn engines_are_checked_before_the_first_game() {
    let check = |test: &str, answers: &Answers, settings: &str| {
        let folder = Folder::new(&format!("check-{test}"));
        let bad = folder.script("bad", answers);
        let words = format!("{} {bad} {settings}", good("fine"));
        let error = fail(&mut folder.tournament(&words), 1);
        assert!(!folder.0.join("games.jsonl").exists());
        no_process_left(&folder, "bad.pids");
        error
    };
    let spin = Answers {
        tei: "printf 'option name HalfKomi type spin default 0 min 0 max 4\\n';",
        ..WELL_BEHAVED
    };
    let sizes = Answers {
        tei: "printf 'size 5 6 halfkomi 0 4\\n';",
        ..WELL_BEHAVED
    };
    let mute = Answers {
        tei: "hang;",
        ..WELL_BEHAVED
    };
    let dead = Answers {
        start: "exit 0",
        ..WELL_BEHAVED
    };
    for (test, answers, settings, expected) in [
        (
            "komi",
            &WELL_BEHAVED,
            "--komi 2",
            "bad: it does not play a komi of 2: it has neither",
        ),
        (
            "spin",
            &spin,
            "--komi 2.5",
            "it does not play a komi of 2.5: its HalfKomi is a number from 0 to 4",
        ),
        (
            "halfkomi",
            &sizes,
            "--komi 1",
            "it does not play a komi of 1: it offers half komi 0 4",
        ),
        (
            "size",
            &sizes,
            "--size 7",
            "it does not play 7x7; it offers 5 6",
        ),
        (
            "option",
            &spin,
            "option.Hash=1",
            "it has no option \"Hash\"; it has HalfKomi",
        ),
        (
            "opening",
            &spin,
            "--opening double-black",
            "it does not play the opening double-black: it has no option Opening",
        ),
        (
            "mute",
            &mute,
            "stall=0.3",
            "bad: stall: at tei: it did not answer in time",
        ),
        (
            "dead",
            &dead,
            "",
            "bad: crash: at tei: it ended (exit status: 0)",
        ),
    ] {
        let error = check(test, answers, settings);
        assert!(error.starts_with("error: engine bad: "), "{test}: {error}");
        assert!(error.contains(expected), "{test}: {error}");
    }
    let folder = Folder::new("check-missing");
    let error = fail(
        &mut folder.tournament(&format!("{} --engine path=./no-such-engine", good("fine"))),
        1,
    );
    assert!(error.contains("engine no-such-engine: "), "{error}");
    assert!(error.contains("cannot be started"), "{error}");
}

/// The runner's own trouble is nobody's loss.
#[test]
fn too_few_open_files_are_told_before_the_first_game() {
    let folder = Folder::new("files");
    let bad = folder.script("bad", &WELL_BEHAVED);
    let words = format!("{} {bad} --games 40", good("good"));
    let mut shell = Command::new("sh");
    shell.args([
        "-c",
        "ulimit -n 40 && exec \"$0\" \"$@\"",
        BINARY,
        "tournament",
    ]);
    shell
        .args(words.split_whitespace())
        .args(["--concurrency", "20"]);
    shell
        .args(["--journal", "games.jsonl"])
        .current_dir(&folder.0);
    let error = fail(&mut shell, 1);
    assert!(
        error.contains("20 games at once") && error.contains("ulimit -n"),
        "{error}"
    );
    assert!(!folder.0.join("games.jsonl").exists());
    assert!(!folder.0.join("bad.pids").exists(), "no engine was started");
}

/// After its second start the engine is gone for good and cannot be started again, for want of `starving`.
fn expect_breakdown(test: &str, starve: impl Fn(&Folder, &Child), expected: &str) {
    let folder = Folder::new(test);
    let answers = Answers {
        go: "touch thinking; while ! [ -e starved ]; do sleep 0.01; done; exit 3",
        ..WELL_BEHAVED
    };
    let bad = folder.script("bad", &answers);
    let words = format!(
        "{bad} st=30 {} --games 6 --size 5 --concurrency 1",
        good("good")
    );
    let mut command = folder.tournament(&words);
    let mut child = command
        .stderr(Stdio::piped())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the first move", || folder.0.join("thinking").exists());
    starve(&folder, &child);
    folder.write("starved", "");
    wait_until("the end", || child.try_wait().unwrap().is_some());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1), "{}", told(&output));
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error.matches(expected).count(), 1, "{error}");
    assert!(
        error.contains("engine bad: it cannot be started: /bin/sh: Too many open files"),
        "{error}"
    );
    // The game that it crashed in is its own, no other is.
    let games = folder.journal().games;
    let ends: Vec<Termination> = games.iter().map(|game| game.termination).collect();
    assert_eq!(ends, [Termination::Crash]);
}

#[cfg(target_os = "linux")]
#[test]
fn files_that_cannot_be_opened_are_no_loss_of_an_engine() {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};
    let starve = |_: &Folder, runner: &Child| {
        let few = Rlimit {
            current: Some(3),
            maximum: Some(3),
        };
        prlimit(Pid::from_raw(runner.id() as i32), Resource::Nofile, few).unwrap();
    };
    expect_breakdown(
        "files-later",
        starve,
        "raise the limit of open files (ulimit -n)",
    );
}

#[test]
fn a_log_that_cannot_be_opened_is_no_loss_of_an_engine() {
    let folder = Folder::new("log");
    let bad = folder.script("bad", &WELL_BEHAVED);
    let words = format!("{bad} stderr=none/such.log {}", good("good"));
    let error = fail(&mut folder.tournament(&words), 1);
    assert!(error.contains("none/such.log: No such file"), "{error}");
    assert!(!folder.0.join("games.jsonl").exists());
}

#[test]
fn a_full_disk_ends_the_run_with_what_was_played() {
    let folder = Folder::new("disk");
    let words = format!(
        "{} {} --size 3 --games 40 --concurrency 2",
        good("one"),
        good("two")
    );
    let mut shell = Command::new("sh");
    let script = "trap '' XFSZ; ulimit -f 16 && exec \"$0\" \"$@\"";
    shell
        .args(["-c", script, BINARY, "tournament"])
        .args(words.split_whitespace());
    shell
        .args(["--journal", "games.jsonl"])
        .current_dir(&folder.0);
    let error = fail(&mut shell, 1);
    assert!(
        error.contains("games.jsonl: cannot append to it"),
        "{error}"
    );
    assert_eq!(error.matches("too large").count(), 1, "{error}");
    let contents = folder.journal();
    assert_eq!(contents.torn_bytes, 0);
    assert!((1..40).contains(&contents.games.len()));
    assert!(
        contents
            .games
            .iter()
            .all(|game| !game.termination.is_fault())
    );
    succeed(&mut folder.tournament(&format!("{words} --resume")));
    assert_eq!(folder.journal().games.len(), 40);
}

#[test]
fn both_dialects_are_spoken() {
    let folder = Folder::new("dialects");
    folder.write("openings", "x5/x5/x2,1,x2/x5/2,x4 1 2\n");
    let spin = folder.script(
        "spin",
        &Answers {
            tei: "printf 'option name halfkomi type spin default 0 min 0 max 4\\n';",
            ..WELL_BEHAVED
        },
    );
    let sizes = folder.script(
        "sizes",
        &Answers {
            tei: "printf 'size 3 4 5 halfkomi 0 1 2 3 4\\noption name HalfKomi type spin default 0 min 0 max 4\\n';",
            ..WELL_BEHAVED
        },
    );
    let sizes = sizes.replace("name=bad", "name=sizes");
    succeed(&mut folder.tournament(&format!(
        "{spin} nodes=9 {sizes} st=0.5 depth=3 --size 5 --komi 2 --openings openings --games 2 --concurrency 1"
    )));
    let position = "position tps x5/x5/x2,1,x2/x5/2,x4 1 2 moves\n";
    let spin = "tei\nsetoption name halfkomi value 4\nisready\nteinewgame 5\nisready\n";
    assert!(
        folder
            .text("spin.log")
            .contains(&format!("{spin}{position}go nodes 9\n"))
    );
    assert!(
        folder
            .text("sizes.log")
            .starts_with("tei\nisready\nteinewgame size 5")
    );
    let sizes = "teinewgame size 5 halfkomi 4\nisready\n";
    let go = "go movetime 500 depth 3\n";
    assert!(
        folder
            .text("sizes.log")
            .contains(&format!("{sizes}{position}{go}"))
    );
}

#[test]
fn wrong_usage_exits_with_2() {
    let folder = Folder::new("usage");
    let one = good("one");
    for (words, expected) in [
        (String::new(), "at least 2"),
        (one.clone(), "at least 2"),
        (format!("{one} {}", good("one")), "\"one\" is taken"),
        (
            format!("{one} --engine name=two"),
            "engine 2 (two): path=PROGRAM is missing",
        ),
        (
            format!("{one} {one} --games 3").replacen("name=one", "", 1),
            "must be even",
        ),
        (format!("{one} {} --size 9", good("two")), "board size 9"),
        (format!("{one} {} --komi 0.3", good("two")), "komi"),
        (
            format!("{one} {} --sprt elo0=5 elo1=1", good("two")),
            "elo0",
        ),
        (format!("{one} {} --shard 3/2", good("two")), "3/2"),
        (format!("{one} {} --openings none", good("two")), "none"),
        (format!("{one} {} --config none", good("two")), "none"),
        (format!("{one} {} --wheels 4", good("two")), "--wheels"),
    ] {
        let error = fail(&mut folder.tournament(&words), 2);
        assert!(error.contains(expected), "{words}: {error}");
    }
    folder.write("bad.toml", "size = 5\nwheels = 4\n");
    let error = fail(&mut folder.tournament("--config bad.toml"), 2);
    assert!(
        error.contains("bad.toml") && error.contains("wheels"),
        "{error}"
    );
}

#[test]
fn a_file_of_settings_means_the_same_as_flags() {
    let folder = Folder::new("config");
    let settings = "--size 4 --komi -0.5 --games 2 --seed 9 --repetitions 0 --max-plies 60 --resign score=900 --draw";
    succeed(&mut folder.tournament(&format!(
        "--engine path={BINARY} name=one option.Hash=1 --engine path={BINARY} depth=2 --all-engines nodes=20 {settings}"
    )));
    let flags = folder.journal();
    fs::remove_file(folder.path("games.jsonl")).unwrap();
    folder.write(
        "match.toml",
        &format!(
            r#"
            size = 7
            komi = -0.5
            games = 2
            seed = 9
            repetitions = 0
            max-plies = 60
            resign = {{ score = 900 }}
            draw = {{}}
            all-engines = {{ nodes = 20 }}
            [[engine]]
            path = "{BINARY}"
            name = "one"
            option = {{ Hash = 1 }}
            [[engine]]
            path = "{BINARY}"
            depth = 2
            "#
        ),
    );
    succeed(&mut folder.tournament("--config match.toml --size 4"));
    let file = folder.journal();
    assert_eq!(flags.settings, file.settings);
    assert_eq!(flags.settings.half_komi, -1);
    assert_eq!(moves(&flags.games), moves(&file.games));
}

/// A core that the system lets this process have.
#[cfg(target_os = "linux")]
fn allowed_cores(status: &str) -> String {
    let mut lines = status.lines();
    let list = lines.find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
    list.unwrap().trim().to_owned()
}

#[cfg(target_os = "linux")]
#[test]
fn engines_are_kept_to_their_cores() {
    let folder = Folder::new("affinity");
    let own = allowed_cores(&fs::read_to_string("/proc/self/status").unwrap());
    let edge = |at: &[char], last: bool| {
        let mut numbers = own.split(at);
        let number = if last {
            numbers.next_back()
        } else {
            numbers.next()
        };
        number.unwrap().to_owned()
    };
    let (first, last) = (edge(&[',', '-'], false), edge(&[',', '-'], true));
    let noting = Answers {
        start: "grep Cpus_allowed_list: /proc/$$/status >> $0.cores",
        ..WELL_BEHAVED
    };
    let one = folder.script("one", &noting);
    let two = folder
        .script("two", &noting)
        .replace("name=bad", "name=other");
    let free = folder
        .script("free", &noting)
        .replace("name=bad", "name=free");
    let words = format!(
        "{one} affinity={first} {two} affinity={last} affinity={first} {free} nodes=1 --games 2 --concurrency 1"
    );
    succeed(&mut folder.tournament(&words));
    let kept = |name: &str| {
        let text = folder.text(&format!("{name}.cores"));
        let lists: BTreeSet<String> = text.lines().map(allowed_cores).collect();
        assert_eq!(lists.len(), 1, "{lists:?}");
        lists.into_iter().next().unwrap()
    };
    assert_eq!(kept("one"), first);
    let both = if first == last {
        first.clone()
    } else if first.parse::<usize>().unwrap() + 1 == last.parse::<usize>().unwrap() {
        format!("{first}-{last}")
    } else {
        format!("{first},{last}")
    };
    assert_eq!(kept("two"), both);
    assert_eq!(kept("free"), own);

    // As many games at once as there are cores, or it is told.
    fs::remove_file(folder.path("games.jsonl")).unwrap();
    let words = format!(
        "{one} affinity={first} {} --games 2 --concurrency 2",
        good("fine")
    );
    let output = folder.tournament(&words).output().unwrap();
    assert!(
        told(&output).contains("engine bad: the 2 games at once share its 1 cores"),
        "{}",
        told(&output)
    );

    let folder = Folder::new("affinity-missing");
    let words = |cores: &str| format!("{} {} affinity={cores}", good("fine"), good("lost"));
    let error = fail(&mut folder.tournament(&words("1023")), 1);
    assert!(
        error.contains("engine lost: it cannot be started"),
        "{error}"
    );
    assert!(error.contains("it cannot be kept to cores 1023"), "{error}");
    let error = fail(&mut folder.tournament(&words("one")), 2);
    assert!(error.contains("engine 2 (lost): affinity=one: "), "{error}");
    // In a file it may be a number, a text or a list.
    for value in [
        first.clone(),
        format!("\"{first}\""),
        format!("[{first}, {last}]"),
    ] {
        let _ = fs::remove_file(folder.path("games.jsonl"));
        folder.write(
            "match.toml",
            &format!(
                "games = 2\nmax-plies = 4\nconcurrency = 1\nall-engines = {{ nodes = 20, affinity = {value} }}\n\
                 [[engine]]\npath = \"{BINARY}\"\n[[engine]]\npath = \"{BINARY}\"\n"
            ),
        );
        succeed(&mut folder.tournament("--config match.toml"));
    }
}

/// An engine that thinks on its opponent's time is told when there is none any more.
#[test]
fn engines_that_ponder_hear_of_the_end_of_a_game() {
    for (ponder, stops) in [("true", 2), ("false", 0)] {
        let folder = Folder::new(&format!("rest-{ponder}"));
        let answers = Answers {
            tei: "printf 'option name Ponder type check default false\\n';",
            ..WELL_BEHAVED
        };
        let script = folder.script("script", &answers);
        let words = format!(
            "{script} option.Ponder={ponder} {} --games 2 --concurrency 1",
            good("fine")
        );
        succeed(&mut folder.tournament(&words));
        let log = folder.text("script.log");
        let told = log.lines().filter(|line| *line == "stop").count();
        assert_eq!(told, stops, "{log}");
    }
}

/// Whole games in which one thinks on the other's time: nothing illegal, nothing late.
#[test]
fn games_with_pondering_are_played_to_their_end() {
    let folder = Folder::new("ponder");
    let words = format!(
        "--engine path={BINARY} name=ponders option.Ponder=true --engine path={BINARY} name=waits \
         --all-engines tc=0.2+0.02 timemargin=1000 option.Hash=4 --size 5 --games 2 --concurrency 1"
    );
    succeed(&mut folder.tournament(&words));
    let games = folder.journal().games;
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.at_fault(), None, "{game:?}");
        assert!(game.moves.len() > 8, "{game:?}");
    }
}

/// The games without what depends on time, by number.
fn moves(games: &[GameRecord]) -> Vec<(u64, usize, usize, usize, GameResult, Vec<String>)> {
    let mut list: Vec<_> = games
        .iter()
        .map(|game| {
            let moves = game.moves.iter().map(|played| played.mv.clone()).collect();
            (
                game.game,
                game.white,
                game.black,
                game.opening,
                game.result,
                moves,
            )
        })
        .collect();
    list.sort_by_key(|game| game.0);
    list
}

#[test]
fn games_do_not_depend_on_how_many_are_played_at_once() {
    let folder = Folder::new("deterministic");
    let words = format!(
        "{} {} --size 5 --games 6 --seed 3 --ptn games.ptn",
        good("one"),
        good("two")
    );
    succeed(&mut folder.tournament(&format!("{words} --concurrency 1")));
    let alone = folder.journal();
    fs::remove_file(folder.path("games.jsonl")).unwrap();
    fs::remove_file(folder.path("games.ptn")).unwrap();
    let standings = succeed(&mut folder.tournament(&format!("{words} --concurrency 3")));
    let together = folder.journal();
    assert_eq!(alone.settings, together.settings);
    assert_eq!(moves(&alone.games), moves(&together.games));
    assert!(standings.contains("6 of 6 games"), "{standings}");
    for pair in moves(&alone.games).chunks(2) {
        assert_eq!(pair[0].3, pair[1].3, "both colours play the opening");
        assert_eq!((pair[0].1, pair[0].2), (pair[1].2, pair[1].1));
    }

    // What was played can be played by the rules, and ends as it was written.
    let replay = succeed(Command::new(BINARY).args(["replay", &folder.path("games.ptn")]));
    assert_eq!(replay.lines().count(), 6);
    let ptn = folder.text("games.ptn");
    for tag in [
        "Player1",
        "Size \"5\"",
        "Komi \"0\"",
        "Date \"2",
        "Round \"1\"",
        "Clock \"nodes=20\"",
        "Opening \"swap\"",
        "Termination",
    ] {
        assert!(ptn.contains(&format!("[{tag}")), "{tag}");
    }
    // Neither file may be overwritten by accident.
    let error = fail(&mut folder.tournament(&words), 1);
    assert!(error.contains("games.jsonl exists already"), "{error}");
}

#[test]
fn no_file_is_written_over_another() {
    let folder = Folder::new("apart");
    folder.write("suite.txt", "a1 b2\n");
    folder.write("games.jsonl", "kept");
    let words = format!(
        "{} {} --size 3 --openings suite.txt --games 2",
        good("one"),
        good("two")
    );
    for (more, named) in [
        ("--report games.jsonl", "games.jsonl"),
        ("--ptn ./games.jsonl --resume", "games.jsonl"),
        ("--report suite.txt", "suite.txt"),
        ("--ptn a.ptn --report a.ptn", "a.ptn"),
    ] {
        let error = fail(&mut folder.tournament(&format!("{words} {more}")), 2);
        assert!(
            error.contains(&format!("{named} is named twice")),
            "{more}: {error}"
        );
    }
    let mut merge = Command::new(BINARY);
    merge.args([
        "tournament",
        "merge",
        "games.jsonl",
        "--report",
        "games.jsonl",
    ]);
    let error = fail(merge.current_dir(&folder.0), 1);
    assert!(error.contains("games.jsonl is named twice"), "{error}");
    assert_eq!(
        (folder.text("games.jsonl"), folder.text("suite.txt")),
        ("kept".into(), "a1 b2\n".into())
    );
}

#[test]
fn a_killed_run_is_resumed_without_a_game_lost_or_played_twice() {
    const GAMES: usize = 200;
    let folder = Folder::new("resume");
    let script = folder.write(
        "noted",
        &format!("printf '%s\\n' \"$$\" >> noted.pids\nexec {BINARY}\n"),
    );
    let words = format!(
        "--engine path=/bin/sh arg={script} nodes=5 option.Hash=1 {} --size 3 --games {GAMES} --ptn games.ptn",
        good("two")
    );
    let finished = || folder.text("games.jsonl").lines().count().saturating_sub(1);
    let mut runner = folder
        .tournament(&words)
        .stderr(Stdio::null())
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("a quarter of the games", || finished() >= GAMES / 4);
    runner.kill().unwrap();
    runner.wait().unwrap();
    no_process_left(&folder, "noted.pids");
    assert!(finished() < GAMES, "killed too late to show anything");

    // What a crash in the middle of a line leaves behind.
    let mut torn = folder.text("games.jsonl");
    torn.push_str("{\"settings\":\"");
    folder.write("games.jsonl", &torn);
    let output = folder
        .tournament(&format!("{words} --resume"))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", told(&output));
    assert!(String::from_utf8_lossy(&output.stderr).contains("incomplete last line"));

    let contents = folder.journal();
    assert_eq!((contents.games.len(), contents.duplicates), (GAMES, 0));
    let numbers: BTreeSet<u64> = contents.games.iter().map(|game| game.game).collect();
    assert_eq!(numbers, (0..GAMES as u64).collect());
    let replay = succeed(Command::new(BINARY).args(["replay", &folder.path("games.ptn")]));
    assert_eq!(replay.lines().count(), GAMES);
    // No game is left to be played, but a crash may have torn the PTN file.
    let whole = folder.text("games.ptn");
    folder.write("games.ptn", &whole[..whole.len() / 2]);
    let standings = succeed(&mut folder.tournament(&format!("{words} --resume")));
    assert!(standings.contains("200 of 200 games"), "{standings}");
    assert_eq!(folder.text("games.ptn"), whole);
}

/// Starts a tournament in which an engine thinks forever, with a child process of its own.
fn endless(folder: &Folder) -> Child {
    let answers = Answers {
        go: "sleep 1000 & printf '%s\\n' $! >> bad.pids; hang",
        end: "hang",
        ..WELL_BEHAVED
    };
    let bad = folder.script("bad", &answers);
    let words = format!("{bad} tc=1000 {} --games 2", good("fine"));
    let mut command = folder.tournament(&words);
    let runner = command
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the engine to think", || {
        folder.text("bad.log").contains("go ")
    });
    wait_until("its child to start", || {
        folder.text("bad.pids").lines().count() >= 3
    });
    runner
}

#[test]
fn no_process_outlives_a_killed_runner() {
    let folder = Folder::new("orphans");
    let mut runner = endless(&folder);
    runner.kill().unwrap();
    runner.wait().unwrap();
    no_process_left(&folder, "bad.pids");
}

#[test]
fn ctrl_c_ends_a_run_with_the_standings() {
    for kind in ["-INT", "-TERM"] {
        let folder = Folder::new("interrupt");
        let runner = endless(&folder);
        signal(&runner, kind);
        let output = runner.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", told(&output));
        let standings = String::from_utf8_lossy(&output.stdout);
        assert!(standings.contains("0 of 2 games"), "{standings}");
        no_process_left(&folder, "bad.pids");
        assert_eq!(folder.journal().games.len(), 0);
    }
}

#[test]
fn shares_add_up_to_the_whole() {
    let folder = Folder::new("shards");
    let words = format!(
        "{} {} {} --size 3 --games 4",
        good("a"),
        good("b"),
        good("c")
    );
    let share = |index: usize| {
        let mut command = Command::new(BINARY);
        command.arg("tournament").args(words.split_whitespace());
        let journal = folder.path(&format!("share{index}.jsonl"));
        command.args(["--shard", &format!("{index}/3"), "--journal", &journal]);
        command
    };
    let mut runners: Vec<Child> = (1..=3)
        .map(|index| {
            share(index)
                .stdout(Stdio::null())
                .stderr(Stdio::null())
                .spawn()
                .unwrap()
        })
        .collect();
    for runner in &mut runners {
        assert!(runner.wait().unwrap().success());
    }
    succeed(&mut folder.tournament(&words));
    let merge = |names: &[&str]| {
        let mut command = Command::new(BINARY);
        command.args(["tournament", "merge"]);
        command.args(names.iter().map(|name| folder.path(name)));
        command
    };
    let files = ["share1.jsonl", "share2.jsonl", "share3.jsonl"];
    let merged = succeed(&mut merge(&files));
    assert!(merged.contains("12 of 12 games"), "{merged}");

    let mut games = Vec::new();
    for name in files {
        let contents = read(&folder.0.join(name)).unwrap();
        assert_eq!(contents.settings, folder.journal().settings);
        assert_eq!(contents.games.len(), 4);
        games.extend(contents.games);
    }
    assert_eq!(moves(&games), moves(&folder.journal().games));

    // Games that are there twice count once; other tournaments do not count at all.
    let twice = succeed(&mut merge(&["share1.jsonl", "share1.jsonl", "games.jsonl"]));
    assert!(twice.contains("12 of 12 games"), "{twice}");
    fs::remove_file(folder.path("games.jsonl")).unwrap();
    succeed(&mut folder.tournament(&format!("{words} --seed 2")));
    let error = fail(&mut merge(&["share1.jsonl", "games.jsonl"]), 1);
    assert!(error.contains("seed"), "{error}");
}

#[test]
fn a_sequential_test_stops_by_itself() {
    let folder = Folder::new("sprt");
    folder.write("openings", "a1 e5\n");
    let bad = folder.script("bad", &WELL_BEHAVED);
    let words = format!(
        "{} {bad} --size 5 --openings openings --games 1000 --sprt elo0=0 elo1=50",
        good("fine")
    );
    let standings = succeed(&mut folder.tournament(&words));
    assert!(standings.contains("H1 accepted"), "{standings}");
    let games = folder.journal().games.len();
    assert!((2..500).contains(&games), "{games} games");
    // A decided test stays decided.
    succeed(&mut folder.tournament(&format!("{words} --resume")));
    assert_eq!(folder.journal().games.len(), games);
}

#[test]
fn adjudication_through_the_runner() {
    let folder = Folder::new("adjudication");
    // Both play legal moves for a while: White along the b file, Black along the c file.
    let player = |name: &str, file: &str, info: &'static str| {
        let go: &'static str = Box::leak(
            format!("n=$((n + 1)); printf 'info {info} pv {file}%s\\nbestmove {file}%s\\n' $n $n")
                .into_boxed_str(),
        );
        let answers = Answers {
            new_game: "n=0",
            go,
            ..WELL_BEHAVED
        };
        folder
            .script(name, &answers)
            .replace("name=bad", &format!("name={name}"))
    };
    folder.write("openings", "a1 e5\n");
    let play = |white: &'static str, black: &'static str, flags: &str| {
        let _ = fs::remove_file(folder.path("games.jsonl"));
        let one = player("one", "b", white);
        let two = player("two", "c", black);
        succeed(&mut folder.tournament(&format!(
            "{one} {two} --size 5 --openings openings --games 2 --max-plies 8 {flags}"
        )));
        let game = folder
            .journal()
            .games
            .into_iter()
            .find(|game| game.game == 0)
            .unwrap();
        (game.termination, game.result)
    };
    let (lost, won) = ("score cp -900", "score cp 900");
    assert_eq!(play(lost, won, ""), (Termination::MaxPlies, Draw));
    let resign = "--resign movecount=2 score=800 twosided=true";
    assert_eq!(
        play(lost, won, resign),
        (Termination::ResignAdjudication, BlackWin)
    );
    let draw = "--draw movenumber=1 movecount=1 score=5";
    assert_eq!(
        play("score cp 5", "score cp 0", draw),
        (Termination::DrawAdjudication, Draw)
    );
    assert_eq!(
        play("score solved win 3", "score mate -2", "--solved-agreement"),
        (Termination::SolvedAgreement, WhiteWin)
    );
}

#[test]
fn games_with_other_openings_are_played_and_kept() {
    for (opening, tag) in [
        ("no-swap", "no-swap"),
        ("double-black", "double black stack"),
    ] {
        let folder = Folder::new(&format!("opening-{opening}"));
        let script = folder.script(
            "script",
            &Answers {
                tei: "printf 'option name opening type combo default swap var swap var no-swap var double-black\\n';",
                ..WELL_BEHAVED
            },
        );
        // The engine's own setting does not change the rules of the tournament.
        let words = format!(
            "{} option.Opening=swap {} --opening {opening} --size 5 --games 4 --ptn games.ptn",
            good("one"),
            good("two")
        );
        let standings = succeed(&mut folder.tournament(&words));
        assert!(
            standings.starts_with(&format!("5x5, komi 0, opening {opening}, round-robin")),
            "{standings}"
        );
        let journal = folder.journal();
        assert_eq!(journal.settings.opening_rule.to_string(), opening);
        assert!(journal.games.iter().all(|game| game.at_fault().is_none()));
        let ptn = folder.text("games.ptn");
        assert_eq!(ptn.matches(&format!("[Opening \"{tag}\"]")).count(), 4);
        assert_eq!(ptn.contains("\n1. 2"), opening == "double-black", "{ptn}");
        let replay = succeed(Command::new(BINARY).args(["replay", &folder.path("games.ptn")]));
        for (line, game) in replay.lines().zip(&journal.games) {
            let by_rules = match game.result {
                WhiteWin => "-0, tag",
                BlackWin => "result 0-",
                Draw => "1/2-1/2",
            };
            assert!(line.contains(by_rules), "{line}");
        }
        // Another opening is another tournament.
        let other = words.replace(opening, "swap");
        let error = fail(&mut folder.tournament(&format!("{other} --resume")), 1);
        assert!(error.contains("opening rule"), "{error}");

        // A suite of its own, and an engine of the older dialect that is told.
        let make = format!(
            "openings --opening {opening} --size 5 --plies 3 --count 4 --depth 2 --max-score 300"
        );
        let suite = succeed(Command::new(BINARY).args(make.split(' ')));
        folder.write("suite.txt", &suite);
        fs::remove_file(folder.path("games.jsonl")).unwrap();
        let words = format!(
            "{script} {} --opening {opening} --size 5 --openings suite.txt --games 2 --max-plies 6",
            good("good")
        );
        succeed(&mut folder.tournament(&words));
        let told = format!("tei\nsetoption name opening value {opening}\nisready\nteinewgame 5\n");
        assert!(folder.text("script.log").starts_with(&told));
    }
}

#[test]
fn suites_are_made_and_played() {
    let folder = Folder::new("openings");
    let make = |words: &str| {
        let mut command = Command::new(BINARY);
        command
            .arg("openings")
            .args(words.split_whitespace())
            .current_dir(&folder.0);
        command
    };
    let words = "--size 4 --plies 3 --count 20 --max-score 150 --depth 2 --komi 0.5";
    let suite = succeed(&mut make(&format!("{words} --threads 1")));
    assert_eq!(suite.lines().count(), 20);
    assert!(suite.lines().all(|line| line.split(' ').count() == 3));
    assert_eq!(suite.lines().collect::<BTreeSet<_>>().len(), 20);
    succeed(&mut make(&format!("{words} --threads 2 --out suite.txt")));
    assert_eq!(folder.text("suite.txt"), suite);
    succeed(&mut folder.tournament(&format!(
        "{} {} --size 4 --openings suite.txt --games 4",
        good("one"),
        good("two")
    )));
    for game in folder.journal().games {
        let opening: Vec<&str> = game.moves[..3]
            .iter()
            .map(|played| played.mv.as_str())
            .collect();
        assert_eq!(
            opening.join(" "),
            suite
                .lines()
                .nth(usize::try_from(game.game / 2).unwrap())
                .unwrap()
        );
    }
    let error = fail(&mut make("--size 3 --plies 1 --count 9 --depth 1"), 1);
    assert!(error.contains("there are only"), "{error}");
}
