//! Runs from their first game to their last: pondering, adjudication, sequential tests, ends and new beginnings, shares.

use std::collections::BTreeSet;

use super::*;
use crate::cases::cases;
use tak_engine::arena::record::GameResult::{BlackWin, Draw, WhiteWin};
use tak_engine::arena::record::Termination;

/// An engine that thinks on its opponent's time gets a `stop` at the end.
#[test]
fn pondering_engines_are_stopped_after_a_game() {
    for (ponder, stops) in [("true", 2), ("false", 0)] {
        let folder = new_folder(&format!("rest-{ponder}"));
        let answers = Answers { tei: "printf 'option name Ponder type check default false\\n';", ..WELL_BEHAVED };
        let script = folder.script("script", &answers);
        let words = format!("{script} option.Ponder={ponder} {} --games 2 --concurrency 1", good("fine"));
        succeed(&mut folder.tournament(&words));
        let log = folder.text("script.log");
        let stops_sent = log.lines().filter(|line| *line == "stop").count();
        assert_eq!(stops_sent, stops, "{log}");
    }
}

/// Whole games in which one thinks on the other's time: nothing illegal, nothing late.
#[test]
fn games_with_pondering_are_played_to_their_end() {
    let folder = new_folder("ponder");
    // The longer the clocks, the more time goes by pondering.
    let [base, increment] = [50, 5].map(|millis| cases(millis) as f64 / 1000.0);
    let words = format!(
        "--engine path={BINARY} name=ponders option.Ponder=true --engine path={BINARY} name=waits \
         --all-engines tc={base}+{increment} timemargin=1000 option.Hash=4 --size 5 --games 2 --concurrency 1"
    );
    succeed(&mut folder.tournament(&words));
    let games = folder.journal().games;
    assert_eq!(games.len(), 2);
    for game in &games {
        assert_eq!(game.at_fault(), None, "{game:?}");
        assert!(game.moves.len() > 8, "{game:?}");
    }
}

#[test]
fn games_are_independent_of_the_concurrency() {
    let folder = new_folder("deterministic");
    let words = format!("{} {} --size 5 --games 6 --seed 3 --ptn games.ptn", good("one"), good("two"));
    succeed(&mut folder.tournament(&format!("{words} --concurrency 1")));
    let alone = folder.journal();
    fs::remove_file(folder.0.join("games.jsonl")).unwrap();
    fs::remove_file(folder.0.join("games.ptn")).unwrap();
    let standings = succeed(&mut folder.tournament(&format!("{words} --concurrency 3")));
    let together = folder.journal();
    assert_eq!(alone.settings, together.settings);
    assert_eq!(moves(&alone.games), moves(&together.games));
    assert!(standings.contains("6 of 6 games"), "{standings}");
    for pair in moves(&alone.games).chunks(2) {
        assert_eq!(pair[0].3, pair[1].3, "both colours play the opening");
        assert_eq!((pair[0].1, pair[0].2), (pair[1].2, pair[1].1));
    }

    // The games replay by the rules and end with the recorded results.
    let replay = succeed(&mut folder.command("replay games.ptn"));
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
    assert!(error.contains("games.jsonl already exists"), "{error}");
}

/// Obstacles are reported before the first game, and a refused run leaves none for the next one.
#[test]
fn a_refused_run_does_not_block_the_next() {
    let folder = new_folder("refused");
    folder.file("there.ptn", "mine");
    let words = format!("{} {} --size 3 --games 2", good("one"), good("two"));
    let mistaken = words.replacen("Hash=1", "Hush=1", 1);
    let error = fail(&mut folder.tournament(&format!("{mistaken} --resume")), 1);
    assert!(error.contains("no option \"Hush\""), "{error}");
    for flags in ["", "--resume"] {
        for again in ["", "--resume"] {
            let there = format!("{words} --seed 2 --ptn there.ptn {again}");
            let error = fail(&mut folder.tournament(&there), 1);
            assert!(error.contains("cannot write there.ptn"), "{error}");
        }
        succeed(&mut folder.tournament(&format!("{words} {flags}")));
        assert_eq!(folder.journal().games.len(), 2);
        fs::remove_file(folder.0.join("games.jsonl")).unwrap();
    }
    assert_eq!(folder.text("there.ptn"), "mine");
    // An existing journal is reported before the PTN file is opened, and neither blocks the next run.
    folder.file("games.jsonl", "mine");
    let error = fail(&mut folder.tournament(&format!("{words} --ptn new.ptn")), 1);
    assert!(error.contains("games.jsonl already exists"), "{error}");
    folder.file("new.ptn", "");
    fs::remove_file(folder.0.join("games.jsonl")).unwrap();
    succeed(&mut folder.tournament(&format!("{words} --ptn new.ptn")));
    assert_eq!(folder.text("new.ptn").matches("[Size").count(), 2);
}

#[test]
fn an_unwritable_report_is_refused_before_the_first_game() {
    let folder = new_folder("report");
    let words = format!("{} {} --size 3 --games 2", good("one"), good("two"));
    let report = "--report none/such.html";
    let error = fail(&mut folder.tournament(&format!("{words} {report}")), 1);
    assert!(error.contains("cannot write none/such.html"), "{error}");
    assert!(!folder.0.join("games.jsonl").exists());
    succeed(&mut folder.tournament(&words));
    let merge = format!("tournament merge games.jsonl --ptn games.ptn {report}");
    let error = fail(&mut folder.command(&merge), 1);
    assert!(error.contains("cannot write none/such.html"), "{error}");
    assert!(!folder.0.join("games.ptn").exists());
}

#[test]
fn a_killed_run_resumes_without_lost_or_repeated_games() {
    const GAMES: usize = 200;
    let folder = new_folder("resume");
    folder.file("noted", format!("printf '%s\\n' \"$$\" >> noted.pids\nexec {BINARY}\n"));
    let words = format!(
        "--engine path=/bin/sh arg=noted nodes=5 option.Hash=1 {} --size 3 --games {GAMES} --ptn games.ptn",
        good("two")
    );
    let finished = || folder.so_far("games.jsonl").lines().count().saturating_sub(1);
    let mut runner = folder.tournament(&words).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    wait_until("a quarter of the games", || finished() >= GAMES / 4);
    runner.kill().unwrap();
    runner.wait().unwrap();
    no_process_left(&folder, "noted.pids");
    assert!(finished() < GAMES, "killed too late to show anything");

    // The remains of a crash in the middle of a line.
    let mut journal = folder.text("games.jsonl");
    journal.push_str("{\"settings\":\"");
    folder.file("games.jsonl", &journal);
    let (_, error) = ended(&mut folder.tournament(&format!("{words} --resume")), 0);
    assert!(error.contains("incomplete last line"), "{error}");

    let contents = folder.journal();
    assert_eq!((contents.games.len(), contents.duplicates), (GAMES, 0));
    let numbers: BTreeSet<u64> = contents.games.iter().map(|game| game.pairing.game).collect();
    assert_eq!(numbers, (0..GAMES as u64).collect());
    let replay = succeed(&mut folder.command("replay games.ptn"));
    assert_eq!(replay.lines().count(), GAMES);
    // No game is left to be played, but a crash may have truncated the PTN file.
    let whole = folder.text("games.ptn");
    folder.file("games.ptn", &whole[..whole.len() / 2]);
    let standings = succeed(&mut folder.tournament(&format!("{words} --resume")));
    assert!(standings.contains("200 of 200 games"), "{standings}");
    assert_eq!(folder.text("games.ptn"), whole);
}

#[test]
fn a_larger_number_of_games_extends_a_match() {
    let folder = new_folder("extended");
    let words = |games: u64| format!("{} {} --size 3 --games {games}", good("one"), good("two"));
    succeed(&mut folder.tournament(&words(4)));
    let played = folder.journal().games;
    let error = fail(&mut folder.tournament(&format!("{} --resume", words(2))), 1);
    assert!(error.contains("games.jsonl: invalid number of games 2: expected at least 4"), "{error}");
    let error = fail(&mut folder.tournament(&format!("{} --seed 2 --resume", words(6))), 1);
    assert!(error.contains("different settings: seed\n"), "{error}");
    assert_eq!(folder.journal().games, played);

    let standings = succeed(&mut folder.tournament(&format!("{} --resume", words(8))));
    assert!(standings.contains("8 of 8 games"), "{standings}");
    let extended = folder.journal();
    assert_eq!((extended.settings.games, extended.games.len()), (8, 8));
    assert_eq!(extended.games[..4], played);
    // The same games as those of a match that had this length from the beginning.
    fs::remove_file(folder.0.join("games.jsonl")).unwrap();
    succeed(&mut folder.tournament(&words(8)));
    assert_eq!(moves(&extended.games), moves(&folder.journal().games));
}

#[test]
fn progress_is_shown_before_the_first_game_ends() {
    let folder = new_folder("progress");
    let mut runner = endless(&folder, Stdio::piped());
    signal(&runner, "-INT");
    let mut text = String::new();
    std::io::Read::read_to_string(&mut runner.stderr.take().unwrap(), &mut text).unwrap();
    assert_eq!(runner.wait_with_output().unwrap().stdout, b"", "no table of nothing");
    let begin = "6x6, komi 0, tc=1000+0 (bad), nodes=20 (fine), round-robin of 2 engines: 0 of 2 games; 2 at once: a game \
        needs 1 core and 297 MiB (bad 276 since it has no option Hash, fine 21)";
    assert!(text.starts_with(begin), "{text}");
    assert!(text.contains("\n0/2 games, the first games are being played, "), "{text}");
    assert!(
        text.contains("\ninterrupted: 0 of 2 games are played; the same command with --resume continues"),
        "{text}"
    );
}

/// Starts a tournament in which an engine thinks forever, with a child process of its own.
fn endless(folder: &Folder, stderr: Stdio) -> Child {
    let answers = Answers { go: "sleep 1000 & printf '%s\\n' $! >> bad.pids; hang", end: "hang", ..WELL_BEHAVED };
    let bad = folder.script("bad", &answers);
    let words = format!("{bad} tc=1000 {} --games 2", good("fine"));
    let mut command = folder.tournament(&words);
    let runner = command.stdout(Stdio::piped()).stderr(stderr).spawn().unwrap();
    wait_until("the engine to think", || folder.so_far("bad.log").contains("go "));
    wait_until("its child to start", || folder.so_far("bad.pids").lines().count() >= 3);
    runner
}

#[test]
fn no_process_outlives_a_killed_runner() {
    let folder = new_folder("orphans");
    let mut runner = endless(&folder, Stdio::null());
    runner.kill().unwrap();
    runner.wait().unwrap();
    no_process_left(&folder, "bad.pids");
}

#[test]
fn ctrl_c_ends_a_run_and_its_engines() {
    for kind in ["-INT", "-TERM"] {
        let folder = new_folder("interrupt");
        let runner = endless(&folder, Stdio::null());
        signal(&runner, kind);
        let output = runner.wait_with_output().unwrap();
        assert_eq!(output.status.code(), Some(130), "{}", described(&output));
        assert_eq!(String::from_utf8_lossy(&output.stdout), "", "there is nothing to show");
        no_process_left(&folder, "bad.pids");
        assert_eq!(folder.journal().games.len(), 0);
    }
}

#[test]
fn a_sequential_test_stops_by_itself() {
    let folder = new_folder("sprt");
    folder.file("openings", "a1 e5\n");
    let bad = folder.script("bad", &WELL_BEHAVED);
    let words = format!("{} {bad} --size 5 --openings openings --games 1000 --sprt elo0=0 elo1=50", good("fine"));
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
    let folder = new_folder("adjudication");
    // Both play legal moves for a while: White along the b file, Black along the c file.
    let player = |name: &str, file: &str, info: &'static str| {
        let go: &'static str = Box::leak(
            format!("n=$((n + 1)); printf 'info {info} pv {file}%s\\nbestmove {file}%s\\n' $n $n").into_boxed_str(),
        );
        let answers = Answers { new_game: "n=0", go, ..WELL_BEHAVED };
        folder.script(name, &answers).replace("name=bad", &format!("name={name}"))
    };
    folder.file("openings", "a1 e5\n");
    let play = |white: &'static str, black: &'static str, flags: &str| {
        let _ = fs::remove_file(folder.0.join("games.jsonl"));
        let one = player("one", "b", white);
        let two = player("two", "c", black);
        succeed(
            &mut folder
                .tournament(&format!("{one} {two} --size 5 --openings openings --games 2 --max-plies 8 {flags}")),
        );
        let game = folder.journal().games.into_iter().find(|game| game.pairing.game == 0).unwrap();
        (game.termination, game.result)
    };
    let (lost, won) = ("score cp -900", "score cp 900");
    assert_eq!(play(lost, won, ""), (Termination::MaxPlies, Draw));
    let resign = "--resign movecount=2 score=800 twosided=true";
    assert_eq!(play(lost, won, resign), (Termination::ResignAdjudication, BlackWin));
    let draw = "--draw movenumber=1 movecount=1 score=5";
    assert_eq!(play("score cp 5", "score cp 0", draw), (Termination::DrawAdjudication, Draw));
    assert_eq!(
        play("score solved win 3", "score mate -2", "--solved-agreement"),
        (Termination::SolvedAgreement, WhiteWin)
    );
}
