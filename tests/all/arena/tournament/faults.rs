//! Engines that break every rule lose their games, and the others play on.

use std::collections::BTreeSet;
use std::thread;

use super::*;
use tak_engine::arena::record::{GameRecord, Termination};

/// The good engine against a bad one and another good one, which shows whether the tournament continues. Checks
/// that every game is there, that the bad engine lost all of its four, and how.
fn expect_faults(test: &str, answers: &Answers, settings: &str, expected: [Termination; 4]) -> Folder {
    let folder = new_folder(test);
    folder.file("openings", "a1 e5\n");
    let bad = folder.script("bad", answers);
    // The same opening every time: White's first move cannot go to a1.
    succeed(&mut folder.tournament(&format!(
        "{bad} {settings} {} {} --size 5 --openings openings --games 2 --concurrency 1",
        good("one"),
        good("two")
    )));
    let games = folder.journal().games;
    let numbers: BTreeSet<u64> = games.iter().map(|game| game.pairing.game).collect();
    assert_eq!(numbers, (0..6).collect());
    let (bad, others): (Vec<&GameRecord>, Vec<_>) =
        games.iter().partition(|game| game.pairing.white == 0 || game.pairing.black == 0);
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

#[test]
fn illegal_moves() {
    let answers = Answers { go: "printf 'bestmove a1\\n'", ..WELL_BEHAVED };
    let folder = expect_faults("illegal", &answers, "", [Termination::IllegalMove; 4]);
    let game = &folder.journal().games[0];
    assert!(game.detail.as_ref().unwrap().starts_with("a1: "), "{:?}", game.detail);
    // It is not started again for that.
    assert_eq!(folder.text("bad.pids").lines().count(), 2);
}

#[test]
fn wrong_answers_and_missing_ones() {
    use Termination::{Disconnect, Flood, MalformedMove, Stall, StartFailure, TimeForfeit};
    let garbage =
        r"printf '\ninfo\ninfo depth\n\377\376 bestmove\nbestmoved a1\ninfo score cp x pv\nbestmove 9z9 ponder\n'";
    let go = |go| Answers { go, ..WELL_BEHAVED };
    let later = "[ $starts = 1 ] || hang";
    let faults = [
        (
            "garbage",
            Answers { tei: r"printf 'option name\noption\nid\nsize x\n\nhello\n';", ..go(garbage) },
            "",
            [MalformedMove; 4],
        ),
        ("no-move", go(r"printf 'bestmove\n'"), "", [MalformedMove; 4]),
        ("late", go("sleep 0.5; printf 'bestmove b2\\n'"), "st=0.1 timemargin=100", [TimeForfeit; 4]),
        ("disconnect", go("exec >&-; hang"), "", [Disconnect; 4]),
        ("flood", go("yes info depth 1"), "", [Flood; 4]),
        ("flood-line", go("tr '\\0' x < /dev/zero"), "", [Flood; 4]),
        ("stall-go", go("hang"), "st=0.1 stall=0.8", [Stall; 4]),
        ("stall-newgame", Answers { new_game: later, ..WELL_BEHAVED }, "stall=0.8", [Stall; 4]),
        (
            "stall-isready",
            Answers { isready: "[ $starts = 1 ] || hang;", ..WELL_BEHAVED },
            "stall=0.8",
            [Stall, Stall, Stall, StartFailure],
        ),
    ];
    thread::scope(|scope| {
        for (test, answers, settings, expected) in &faults {
            scope.spawn(|| expect_faults(test, answers, settings, *expected));
        }
    });
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
    assert!(log.starts_with(&format!("{start}quit\n{as_white}tei\n")), "{log}");
    assert_eq!(log.matches(start).count(), 5);
}

#[test]
fn engines_that_do_not_start_again_are_given_up() {
    let answers = Answers { start: "[ $starts = 1 ] || hang", ..WELL_BEHAVED };
    let (stall, given_up) = (Termination::Stall, Termination::StartFailure);
    let expected = [stall, stall, stall, given_up];
    let folder = expect_faults("stall-start", &answers, "stall=0.8", expected);
    assert_eq!(folder.text("bad.pids").lines().count(), 4);
}

#[test]
fn answers_before_the_question_do_not_count() {
    // The second move is printed while the opponent thinks; as an answer it would be illegal.
    let answers =
        Answers { go: "n=$((n + 1)); printf 'bestmove b%s\\nbestmove b%s\\n' $n $n", new_game: "n=0", ..WELL_BEHAVED };
    let folder = new_folder("early");
    folder.file("openings", "a1 e5\n");
    let script = folder.script("eager", &answers);
    let other =
        folder.script("other", &Answers { go: "n=$((n + 1)); sleep 0.1; printf 'bestmove c%s\\n' $n", ..answers });
    let other = other.replace("name=bad", "name=other");
    succeed(&mut folder.tournament(&format!("{script} {other} --size 5 --openings openings --games 2 --max-plies 8")));
    for game in folder.journal().games {
        assert_eq!(game.termination, Termination::MaxPlies, "{:?}", game.detail);
        let [b1, c1] = ["b1", "c1"].map(|mv| game.moves.iter().position(|m| m.mv == mv));
        assert!(b1.is_some() && c1.is_some());
    }
}
