//! Searches: their limits and lines, and input while they run.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::Stdio;
use std::thread;

use super::{Score, WIN_IN_ONE, check_search};
use crate::common::{Tei, speaker, wait_for};
use crate::dialogue::Dialogue;
use crate::local::Local;
use tak_engine::engine::{Permissions, TimeSource};
use tak_engine::tei::conversation::{Action, Conversation};

#[test]
fn go_obeys_nodes_and_depth() {
    let mut tei = Local::start();
    tei.send("teinewgame 5");
    tei.send("position startpos moves a1 e5 c3");
    for (line, limit) in [("go nodes 1", 1), ("go nodes 700 depth 30 movetime 60000", 700)] {
        let (lines, best) = tei.go(line);
        let infos = check_search(&lines, &best);
        assert!(infos.iter().all(|info| info.nodes <= limit), "{lines:#?}");
    }
    let (lines, best) = tei.go("go depth 2 wtime 600000 btime 600000");
    check_search(&lines, &best);
    assert!(lines.iter().all(|line| line.starts_with("info depth 1 ") || line.starts_with("info depth 2 ")));
    // Overstepped clocks and no time at all still give a move.
    for line in [
        "go wtime -1000 btime -5",
        "go wtime 0 btime 0 winc 0 binc 0 movestogo 1",
        "go winc 10",
        "go movestogo 3",
        "go movetime 0",
        "go wtime -9223372036854775808 btime -9223372036854775808",
        "go wtime 9223372036854775807 btime 9223372036854775807 winc 9223372036854775807 binc 9223372036854775807 \
         movestogo 9223372036854775807 nodes 50",
        "go movetime 9223372036854775807 nodes 50",
        "go depth 9223372036854775807 nodes 9223372036854775807 movetime 10",
    ] {
        let (lines, best) = tei.go(line);
        check_search(&lines, &best);
    }
}

#[test]
fn proven_results_end_in_cp_and_solved_lines() {
    let mut tei = Local::start();
    tei.send("teinewgame size 6 halfkomi 0");
    tei.send(&format!("position tps {WIN_IN_ONE}"));
    let (lines, best) = tei.go("go movetime 60000");
    assert_eq!(best, "f1");
    let infos = check_search(&lines, "f1");
    let last = infos.last().unwrap();
    assert_eq!(last.score, Score::Solved("win".to_owned(), 1));
    // Black cannot answer two threats.
    tei.send("position tps x6/x6/2,x5/2,2,x4/1,1,1,1,1,x/1,1,1,1,1,x 2 12");
    let (lines, best) = tei.go("go movetime 60000");
    let infos = check_search(&lines, &best);
    assert_eq!(infos.last().unwrap().score, Score::Solved("loss".to_owned(), 2));
}

#[test]
fn only_supporting_clients_get_solved() {
    let solved = |tei: &mut Local, go: &str| {
        tei.send(&format!("position tps {WIN_IN_ONE}"));
        let (lines, best) = tei.go(go);
        let infos = check_search(&lines, &best);
        assert_eq!(best, "f1");
        let is_solved_sent = infos.iter().any(|info| matches!(info.score, Score::Solved(..)));
        // Either way the number says it.
        assert!(infos.iter().any(|info| matches!(info.score, Score::Cp(29_999)) && info.wdl == [1000, 0, 0]));
        is_solved_sent
    };
    for (line, tells) in [
        ("stop", false),
        ("teinewgame 6", false),
        ("teinewgame 6 halfkomi 2", false),
        ("teinewgame size 6", true),
        ("teinewgame size 6 halfkomi 2", true),
    ] {
        let mut tei = Local::start();
        tei.ask(line);
        assert_eq!(solved(&mut tei, "go depth 4"), tells, "{line}");
        // Who asks for it knows it, from then on.
        assert!(solved(&mut tei, "go solved nodes 10000"), "{line}");
        assert!(solved(&mut tei, "go depth 4"), "{line}");
    }
}

#[test]
fn an_endless_search_holds_its_move_until_stop() {
    for go in ["go", "go infinite"] {
        let mut tei = Tei::start();
        tei.send(&format!("position tps {WIN_IN_ONE}"));
        tei.send(go);
        tei.until("info depth ");
        for _ in 0..20 {
            let said = tei.ask("");
            assert!(said.iter().all(|line| !line.starts_with("bestmove")));
            thread::sleep(std::time::Duration::from_millis(5));
        }
        assert_eq!(tei.go("stop").1, "f1");
        // The next one is let go by the end of the input.
        tei.send(go);
        tei.until("info depth ");
        let ended = tei.close();
        assert!(ended.status.success());
        assert_eq!(ended.rest.last().unwrap(), "bestmove f1");
    }
}

#[test]
fn a_script_gets_a_move_for_every_go() {
    let mut tei = Tei::start();
    let script = "position startpos moves a1\ngo movetime 60000\nstop\nstop\n".repeat(20)
        + &"go nodes 100\nposition startpos\ngo infinite\nteinewgame 4\n".repeat(10);
    tei.send_bytes(script.as_bytes());
    let ended = tei.close();
    assert!(ended.status.success());
    let moves = ended.rest.iter().filter(|line| line.starts_with("bestmove "));
    assert_eq!(moves.count(), 20 + 2 * 10);
    assert!(!ended.rest.iter().any(|line| line.starts_with("info error")));
}

#[test]
fn lines_behind_a_waiting_line_keep_their_order() {
    let mut tei = Local::start();
    tei.send("go infinite");
    let lines = ["isready", "position startpos moves a1", "show", "isready", "go infinite", "show", "stop", "isready"];
    tei.search_until(2, &lines);
    let mut replies = tei.replies();
    replies.retain(|line| !line.starts_with("info depth "));
    let heads: Vec<&str> = replies.iter().map(|line| line.split(' ').next().unwrap()).collect();
    assert_eq!(heads, ["readyok", "bestmove", "info", "readyok", "info", "bestmove", "readyok"], "{replies:#?}");
}

#[test]
fn quit_and_end_of_input_end_a_search() {
    for quit in [true, false] {
        for go in ["go infinite", "go movetime 600000", "go wtime 36000000"] {
            let mut tei = Tei::start();
            tei.send("position startpos moves a1 f6");
            tei.send(go);
            tei.until("info depth ");
            let ended = if quit {
                tei.send("quit");
                tei.wait()
            } else {
                tei.close()
            };
            assert!(ended.status.success(), "{go}");
            let is_move = |line: &&String| line.starts_with("bestmove ");
            assert_eq!(ended.rest.iter().filter(is_move).count(), 1, "{go}");
            assert!(is_move(&ended.rest.last().unwrap()), "{go}");
        }
    }
    let ended = Tei::start().close();
    assert!(ended.status.success() && ended.rest.is_empty() && ended.stderr.is_empty());
}

#[test]
fn closed_stdout_ends_quietly() {
    for last in ["isready", "go movetime 20", "go infinite"] {
        let mut child = speaker().stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
        let mut stdin = child.stdin.take().unwrap();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        writeln!(stdin, "isready").unwrap();
        let mut line = String::new();
        stdout.read_line(&mut line).unwrap();
        assert_eq!(line, "readyok\n");
        drop(stdout);
        // The engine may be gone before all is written.
        let _ = writeln!(stdin, "position startpos\n{last}");
        let status = wait_for(&mut child);
        drop(stdin);
        let mut stderr = String::new();
        child.stderr.take().unwrap().read_to_string(&mut stderr).unwrap();
        assert!(status.success(), "{last}: {status} {stderr}");
        assert_eq!(stderr, "", "{last}");
    }
}

/// The last line of a search that is ended wherever a limit of nodes falls: of positions where the score changes much.
#[test]
fn an_interrupted_search_keeps_its_line_and_marks_bounds() {
    let mut tei = Local::start();
    tei.send("teinewgame 6");
    let (mut ends, mut bounds) = (0, 0);
    for position in [
        "startpos",
        "tps 2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9",
        "tps x5,1/x6/x2,2,x3/x2,1,x3/x6/2,x5 1 3",
    ] {
        tei.send(&format!("position {position}"));
        for nodes in (3_000..40_000).step_by(1_711) {
            // Results of earlier searches would make this one longer.
            tei.send("teinewgame 6");
            tei.send(&format!("position {position}"));
            let (lines, best) = tei.go(&format!("go nodes {nodes}"));
            let infos = check_search(&lines, &best);
            let [.., before, last] = &infos[..] else { panic!("{lines:#?}") };
            ends += 1;
            if before.pv.len() > 3 && !lines[lines.len() - 1].contains(" cp 29") {
                assert!(last.pv.len() > 1, "{nodes} nodes of {position}: {lines:#?}");
            }
            let is_bound = |line: &String| line.contains(" lowerbound ") || line.contains(" upperbound ");
            assert!(!lines[..lines.len() - 1].iter().any(is_bound), "a full iteration is exact: {lines:#?}");
            bounds += usize::from(is_bound(&lines[lines.len() - 1]));
        }
    }
    assert!(bounds > 0 && bounds < ends, "{bounds} bounds in {ends} searches");
}

#[test]
fn go_solved_proves_or_falls_back_on_a_search() {
    let mut tei = Local::start();
    tei.send("teinewgame 3");
    let (lines, best) = tei.go("go solved nodes 2000000");
    let infos = check_search(&lines, &best);
    let last = &infos[infos.len() - 1].score;
    assert!(matches!(last, Score::Solved(result, _) if result == "win"), "{last:?}");

    tei.send("teinewgame 6");
    let (lines, best) = tei.go("go solved movetime 100");
    assert!(!best.is_empty() && best != "--", "{lines:?}");
    assert!(lines.iter().all(|line| !line.contains(" solved ")));
    tei.send("go solved infinite");
    tei.send("stop");
    tei.until("bestmove ");
    tei.send("go solved depth 3 nodes 100");
    let lines = tei.until("bestmove ");
    let note = "info error solved and depth cannot be combined; the rest of the line is executed";
    assert_eq!(lines.iter().filter(|line| *line == note).count(), 1, "{lines:?}");
    assert_ne!(lines.last().unwrap(), "bestmove --");
}

#[test]
fn go_solved_has_a_move_after_a_repetition() {
    let mut tei = Local::start();
    tei.send("teinewgame 6");
    tei.send(
        "position tps x,1,1,1,1,2/x2,221C,2S,1,2/x,1,2,1,x,211112C/x,1,2,2,1,2/x,2,2,2S,1,2221/x,2,x,1,x,2 2 27 \
         moves b1+ b3+ b2- b4-",
    );
    let (_, best) = tei.go("go solved nodes 200000");
    assert_ne!(best, "--");
    let after = format!(
        "position tps x,1,1,1,1,2/x2,221C,2S,1,2/x,1,2,1,x,211112C/x,1,2,2,1,2/x,2,2,2S,1,2221/x,2,x,1,x,2 2 27 moves {best}"
    );
    assert!(tei.ask(&after).is_empty(), "{best} is legal");
}

/// Only the words after `searchmoves` are searched, whatever else the line asks for.
#[test]
fn searchmoves_are_obeyed() {
    let mut tei = Local::start();
    for (position, words, moves) in [
        ("startpos", "a1 c3", &["a1", "c3"][..]),
        ("startpos moves a1 f6 c3 d4", "Fc4 c3> Sd3 c4", &["c4", "c3>", "Sd3"]),
        // Not the winning move.
        (&format!("tps {WIN_IN_ONE}"), "a3 Sf1", &["a3", "Sf1"]),
    ] {
        for option in ["Level value 0", "MultiPV value 3", "Level value 1", "Level value 25", "Level value 0"] {
            tei.send(&format!("setoption name {option}"));
            tei.send("teinewgame 6");
            tei.send(&format!("position {position}"));
            for go in [
                &format!("go searchmoves {words} nodes 500"),
                &format!("go depth 3 searchmoves {words}"),
                &format!("go wtime 1000 btime 1000 searchmoves {words} winc 10 binc 10"),
                &format!("go solved searchmoves {words} nodes 3000"),
            ] {
                let (lines, best) = tei.go(go);
                assert!(moves.contains(&&*best), "{option}, {position}, {go}: {best}");
                for line in lines {
                    let (_, pv) = line.split_once(" pv ").unwrap();
                    assert!(moves.contains(&pv.split(' ').next().unwrap()), "{option}, {position}, {go}: {line}");
                }
            }
        }
        tei.send("setoption name MultiPV value 1");
    }
    // A search of them leaves no trace: the next one finds the win, and its own move for the same table.
    assert_eq!(tei.go("go depth 3").1, "f1");
    // Several lines, one for each of them.
    tei.send("setoption name MultiPV value 5");
    let (lines, _) = tei.go("go depth 2 searchmoves a3 b3 a3");
    let ranks = lines.iter().filter_map(|line| super::parse_info(line).multipv).max();
    assert_eq!(ranks, Some(2), "{lines:#?}");
    // Words that are no moves of the position are named, and without any other all moves are searched.
    for (words, fault) in [
        ("a1 a3", "searchmoves: move \"a1\" is illegal: square a1 is not empty; the rest of the line is executed"),
        ("x9", "searchmoves: invalid move \"x9\": "),
        ("h8 b9", "searchmoves: invalid move \"h8\": square h8 is not on a 6x6 board; "),
    ] {
        tei.send(&format!("go depth 2 searchmoves {words}"));
        let lines = tei.until("bestmove ");
        let errors: Vec<&String> = lines.iter().filter(|line| line.starts_with("info error ")).collect();
        assert!(errors.len() == 1 && errors[0].starts_with(&format!("info error {fault}")), "{lines:#?}");
        let expected = if words.contains("a3") { "a3" } else { "f1" };
        assert_eq!(lines.last().unwrap(), &format!("bestmove {expected}"));
    }
    // The first move of a game with a double stack, as `position` reads it.
    tei.send("setoption name Opening value double-black");
    tei.send("teinewgame 5");
    assert_eq!(tei.go("go depth 2 searchmoves 2b2").1, "b2");
    // After the game nothing is searched and no word is to blame.
    tei.send(&format!("position tps {WIN_IN_ONE} moves f1"));
    assert_eq!(tei.go("go depth 2 searchmoves a3"), (vec![], "--".to_owned()));
}

/// What is proven holds for the moves that are searched.
#[test]
fn searchmoves_are_solved() {
    let mut tei = Local::start();
    tei.send("teinewgame size 6");
    // f1 wins at once, and after other moves Black wins at f2.
    tei.send("position tps x6/x6/x6/x6/2,2,2,2,2,x/1,1,1,1,1,x 1 6");
    for (words, solved) in [("f1 a3", "win 1"), ("a6 b6", "loss 2"), ("a6 f1", "win 1")] {
        let (lines, best) = tei.go(&format!("go solved searchmoves {words} nodes 20000"));
        let infos = check_search(&lines, &best);
        let Score::Solved(result, plies) = &infos.last().unwrap().score else { panic!("{words}: {lines:#?}") };
        assert_eq!(format!("{result} {plies}"), solved, "{words}");
    }
    // A win that needs the solver, by one of the moves alone.
    tei.send("teinewgame size 4");
    tei.send("position tps 1,2S,2,x/1,2,2,x/1211,1,22S,2111/1S,2S,11,22 2 20");
    let (lines, first) = tei.go("go solved nodes 2000000");
    let whole = check_search(&lines, &first).pop().unwrap().score;
    assert!(matches!(&whole, Score::Solved(result, _) if result == "win"), "{whole:?}");
    let (lines, best) = tei.go(&format!("go solved nodes 2000000 searchmoves d4 {first}"));
    assert_eq!((&best, check_search(&lines, &best).pop().unwrap().score), (&first, whole));
}

/// The memory of a large table is written to in parts, and the end stops that.
#[test]
fn quitting_does_not_wait_for_a_large_table() {
    let is = |actions: &[Action], kind: fn(&Action) -> bool| actions.iter().any(kind);
    for line in ["setoption name Hash value 1024", "isready"] {
        for is_line in [true, false] {
            let mut conversation = Conversation::new(Permissions::default(), TimeSource::default());
            assert!(is(&conversation.line(line), |action| matches!(action, Action::Prepare(_))));
            assert!(conversation.line("isready").is_empty());
            let end = if is_line { conversation.line("quit") } else { conversation.end() };
            assert!(is(&end, |action| matches!(action, Action::Stop)), "{line}: {end:?}");
            let next = conversation.prepared(Ok(()));
            assert!(matches!(&next[..], [.., Action::Prepare(_), Action::Stop]), "for the second line: {next:?}");
            let last = conversation.prepared(Ok(()));
            assert!(matches!(&last[..], [Action::Say(_), Action::Quit]), "{line}: {last:?}");
        }
    }
}
