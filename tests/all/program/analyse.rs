//! `tak-engine analyse` and `bench` as a user runs them.

use std::io::{BufRead, BufReader};
use std::process::{Command, Output, Stdio};

use crate::cases::cases;
use crate::folder::{Folder, ended, output_for};
use crate::tempo::{QUIET, only_tempo};
use serde_json::Value;

fn run(args: &[&str], input: impl AsRef<[u8]>) -> Output {
    output_for(Command::new(env!("CARGO_BIN_EXE_tak-engine")).args(args), input)
}

fn stdout(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).unwrap()
}

fn json(args: &[&str]) -> Value {
    let output = run(args, "");
    assert!(output.status.success(), "{output:?}");
    let text = stdout(&output);
    assert_eq!(text.lines().count(), 1);
    serde_json::from_str(&text).unwrap()
}

const TPS: &str = "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9";

/// What scripts read begins a line; the rest is for people.
#[test]
fn text_names_the_move_the_player_and_the_chance() {
    let output = run(&["analyse", TPS, "--depth", "4", "--threads", "1"], "");
    assert!(output.status.success() && output.stderr.is_empty(), "no live output without a terminal: {output:?}");
    let text = stdout(&output);
    assert!(text.contains("4  . 2 1C 2C 1 .") && !text.contains('\u{1b}'), "{text}");
    let line = |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).expect(name).trim();
    assert!(line("best move").len() >= 2 && line("search").starts_with("depth 4, "), "{text}");
    assert!(line("score").starts_with("White is better, 9") && line("line").contains(' '), "{text}");
    // The same for Black, with whom the colours change.
    let black = "1,x4,2/x2,1,2,x2/x,1,2C,1C,2,x/x,1,2,2,x2/x,2,1,x3/2,x4,1 2 9";
    let text = stdout(&run(&["analyse", black, "--depth", "4", "--threads", "1"], ""));
    assert!(text.contains("\nscore      Black is better, 9"), "{text}");
    // Colours only if they are asked for, and the terms as a table.
    let text = stdout(&run(&["analyse", TPS, "--nodes", "100", "--color", "always", "--terms"], ""));
    assert!(text.starts_with("6  \u{1b}[97;40m2\u{1b}[0m . .") && text.contains("\u{1b}[30;107m1C\u{1b}[0m"), "{text}");
    assert!(text.contains("turn to move") && text.lines().last().unwrap().starts_with("sum "), "{text}");
}

#[test]
fn an_unproven_position_is_searched_with_a_third_of_the_limit() {
    // Roads and flats are far: nothing can be proven.
    let solve = |words: &[&str]| {
        let fixed = ["analyse", "x5/x5/x2,1,x2/x5/2,x4 1 2", "--solve", "--threads", "1"];
        stdout(&run(&[&fixed, words].concat(), ""))
    };
    let text = solve(&["--nodes", "30000"]);
    assert!(text.contains("\n\nnot proven\nbest move  ") && text.contains("\nscore      White is better"), "{text}");
    let depth = |text: &str| text.split("depth ").nth(1).unwrap().split(',').next().unwrap().parse::<u32>().unwrap();
    let searched = ["analyse", "x5/x5/x2,1,x2/x5/2,x4 1 2", "--nodes", "5000", "--threads", "1"];
    let searched = stdout(&run(&searched, ""));
    assert!(depth(&text) >= depth(&searched), "{text}{searched}");
    let answer: Value = serde_json::from_str(&solve(&["--nodes", "3000", "--json"])).unwrap();
    assert!(answer["solved"].is_null() && answer["best"].is_string(), "{answer}");
}

#[test]
fn json_has_every_documented_field_and_legal_moves() {
    let mut args = vec!["analyse"];
    args.extend(TPS.split(' '));
    args.extend(["--json", "--nodes", "3000", "--multipv", "3", "--komi", "2.5", "--threads", "1"]);
    let answer = json(&args);
    let object = answer.as_object().unwrap();
    let mut fields: Vec<&str> = object.keys().map(String::as_str).collect();
    fields.sort_unstable();
    let documented = [
        "best", "depth", "komi", "lines", "nodes", "outcome", "pv", "reasons", "score_cp", "shortest", "size",
        "solved", "terms", "time_ms", "tps", "wdl",
    ];
    assert_eq!(fields, documented);
    assert_eq!(answer["tps"], TPS);
    assert_eq!(answer["komi"], 2.5);
    assert_eq!(answer["size"], 6);
    assert_eq!(answer["best"], answer["pv"][0]);
    assert_eq!(answer["lines"].as_array().unwrap().len(), 3);
    assert_eq!(answer["lines"][0]["score_cp"], answer["score_cp"]);
    for line in answer["lines"].as_array().unwrap() {
        let reasons = line["reasons"].as_array().unwrap();
        assert!((1..=3).contains(&reasons.len()), "{line}");
        assert!(reasons.iter().all(|reason| reason["text"].is_string() && reason["squares"].is_array()), "{line}");
    }
    assert_eq!(answer["lines"][0]["reasons"], answer["reasons"]);
    let chances: u64 = answer["wdl"].as_array().unwrap().iter().map(|n| n.as_u64().unwrap()).sum();
    assert_eq!(chances, 1000);
    assert!(answer["nodes"].as_u64().unwrap() <= 3000);
    assert!(answer["terms"].as_array().unwrap().iter().any(|term| term["term"] == "tempo"));
}

#[test]
fn a_forced_win_and_a_finished_game_are_named() {
    let answer = json(&["analyse", "x3/1,1,x/2,2,x 1 3", "--depth", "3", "--json"]);
    assert_eq!(answer["best"], "c2");
    assert_eq!(answer["solved"]["result"], "win");
    assert_eq!(answer["solved"]["plies"], 1);
    let over = json(&["analyse", "x3/1,1,1/2,2,x 2 3", "--json"]);
    assert_eq!(over["outcome"]["winner"], "white");
    assert_eq!(over["outcome"]["reason"], "road");
    assert_eq!(over["best"], Value::Null);
    let text = stdout(&run(&["analyse", "x3/1,1,1/2,2,x 2 3"], ""));
    assert!(text.contains("White wins by a road"), "{text}");
}

#[test]
fn solve_answers_each_line_of_a_batch() {
    let output =
        run(&["analyse", "-", "--solve", "--nodes", "50000", "--json"], "x3/1,1,x/2,2,x 1 3\nx6/x6/x6/x6/x6/x6 1 1\n");
    let answers: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers[0]["solved"]["plies"], 1);
    assert_eq!(answers[1]["solved"], Value::Null);
    assert!(answers[1]["best"].is_string());
}

/// The second game has an illegal move, the third cannot be read, and the fourth cannot begin.
const MIXED: &str = "[Size \"5\"]\n\n1. a1 e5\n2. c3\n\n\
    [Size \"3\"]\n\n1. a1 c3\n2. b2 b2\n\n\
    [Size \"4\"]\n\n1. a1 zz\n\n\
    [TPS \"x3/1,x2/x2 1 1\"]\n\n\
    [Size \"3\"]\n\n1. a1 c3 2. b2\n";

#[test]
fn a_bad_game_of_a_file_costs_only_itself() {
    let folder = Folder::new("analyse-bad");
    folder.file("games.ptn", MIXED);
    let analyse =
        |words: &str| ended(&mut folder.command(&format!("analyse games.ptn --depth 1 --threads 1 {words}")), 1);
    let faults = [
        "game 2: line 9: ply 4 (b2) is illegal: square b2 is not empty",
        "game 3: line 13: invalid move \"zz\"",
        "game 4: line 15: ",
    ];
    let (text, stderr_text) = analyse("");
    let stderr_text: Vec<&str> = stderr_text.lines().collect();
    for (stderr_text, fault) in stderr_text.iter().zip(faults) {
        assert!(stderr_text.starts_with(fault), "{stderr_text}");
    }
    assert_eq!(stderr_text[3..], ["error: 3 of 5 games could not be analysed"]);
    let answers: Vec<&str> = text.split("\n\ngame ").collect();
    assert_eq!(text.matches("best move").count(), 2, "{text}");
    assert!(answers[0].starts_with("game 1\n") && answers[0].contains("5x5"));
    assert!(text.contains("\n\ngame 2\nnot analysed\n\ngame 3\n"), "{text}");
    assert!(text.contains("\n\ngame 5\n"), "{text}");
    let (text, stderr_text) = analyse("--json");
    assert_eq!(stderr_text.lines().count(), 4);
    let answers = text.lines().map(serde_json::from_str::<Value>);
    let answers: Vec<Value> = answers.map(Result::unwrap).collect();
    assert_eq!(answers.len(), 5);
    for (index, answer) in answers.iter().enumerate() {
        let is_bad = (1..4).contains(&index);
        assert_eq!(answer["best"].is_string(), !is_bad, "{answer}");
        assert_eq!(answer["error"].is_string(), is_bad, "{answer}");
        if is_bad {
            assert_eq!(answer["game"], index + 1);
        }
    }
    // Before the fault there is nothing wrong.
    let (text, stderr_text) = analyse("--ply 2 --json");
    assert_eq!(text.lines().filter(|line| line.contains("\"best\"")).count(), 3, "{stderr_text}");
}

#[test]
fn a_batch_answers_in_order_despite_bad_lines() {
    let mut input = String::new();
    for _ in 0..20 {
        input.push_str("x3/x3/x3 1 1\nx4/x4/x4/x4 1 1 ; a comment\nnothing\nx5/x5/x5/x5 1 1\n");
    }
    input.push('\u{fffd}');
    let output = run(&["analyse", "-", "--nodes", "200", "--json", "--threads", "2"], &input);
    assert_eq!(output.status.code(), Some(1));
    let answers: Vec<Value> = stdout(&output).lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(answers.len(), 81);
    for (index, answer) in answers.iter().enumerate() {
        let fault = match index % 4 {
            _ if index == 80 => "",
            0 => {
                assert_eq!(answer["size"], 3);
                continue;
            }
            1 => {
                assert_eq!(answer["size"], 4);
                continue;
            }
            2 => "three words",
            _ => "row",
        };
        assert_eq!(answer["line"], index + 1);
        assert!(answer["error"].as_str().unwrap().contains(fault), "{answer}");
    }
}

#[test]
fn answers_of_a_batch_do_not_depend_on_threads() {
    let input = format!("{TPS}\nx5/x5/x5/x5/x5 1 1\n{TPS}\nx6/x6/x2,1,x3/x6/x6/x6 2 1\n").repeat(6);
    let answers = |threads: &str| {
        let output = run(&["analyse", "-", "--nodes", "3000", "--threads", threads], &input);
        assert!(output.status.success(), "{output:?}");
        stdout(&output)
    };
    let alone = answers("1");
    assert_eq!(alone.lines().next(), alone.lines().nth(2), "the first answer comes again");
    for threads in ["2", "3", "2"] {
        assert_eq!(answers(threads), alone, "{threads} threads");
    }
}

/// Each thread of a batch has a table, and they have to fit together.
#[test]
fn a_batch_needs_memory_for_all_its_tables() {
    let batch = |mib: &str, threads: &str| {
        let args = ["analyse", "-", "--nodes", "50", "--hash", mib, "--threads", threads];
        run(&args, "x3/x3/x3 1 1\n")
    };
    // One of these tables may well fit, a thousand of them do not.
    let output = batch("8192", "1000");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(error, "error: not enough memory for a 8192000 MiB transposition table\n");
    assert_eq!((output.status.code(), output.stdout.len()), (Some(1), 0));
    let output = batch("1", "2");
    assert!(output.status.success(), "{output:?}");
    assert_eq!(stdout(&output).lines().count(), 1);
}

/// The first lines of a bench: so many, after which it is ended, or all there are.
fn bench(args: &str, most: usize) -> Vec<String> {
    let mut bench = Command::new(env!("CARGO_BIN_EXE_tak-engine"))
        .arg("bench")
        .args(args.split_whitespace())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let lines = BufReader::new(bench.stdout.take().unwrap()).lines();
    let lines: Vec<String> = lines.take(most).map(Result::unwrap).collect();
    if lines.len() == most {
        bench.kill().unwrap();
        bench.wait().unwrap();
    } else {
        assert!(bench.wait().unwrap().success());
    }
    lines
}

#[test]
fn bench_ends_with_plain_integers_and_is_repeatable() {
    // In CI all of them.
    let most = cases(5);
    let [usual, again] = [(); 2].map(|()| bench("", most));
    let nodes = |lines: &[String]| -> Vec<String> {
        let nodes = lines.iter().filter(|line| line.contains(" nodes"));
        nodes.cloned().collect()
    };
    assert_eq!(nodes(&usual), nodes(&again));
    assert!(nodes(&usual).len() >= 5, "{usual:?}");
    let whole = bench("--threads 2 --hash 1", usize::MAX);
    for lines in [&usual, &again, &whole] {
        if lines.len() < whole.len() {
            continue;
        }
        let [.., nodes, nps] = lines.as_slice() else { panic!("{lines:?}") };
        for (line, unit) in [(nodes, " nodes"), (nps, " nps")] {
            let number = line.strip_suffix(unit).expect(line);
            number.parse::<u64>().expect(line);
        }
    }
}

#[test]
fn bench_deepens_only_the_larger_boards() {
    // Small boards are searched to their end. The fourth position is the first of a larger one.
    let depth_of_fourth = |deeper: u32| -> u32 {
        let lines = bench(&format!("--deeper {deeper}"), 4);
        let (_, rest) = lines[3].split_once(" nodes at depth ").unwrap();
        rest.split(' ').next().unwrap().parse().unwrap()
    };
    assert_eq!(depth_of_fourth(1), depth_of_fourth(0) + 1);
}

#[test]
fn first_turns_show_their_opening_or_take_an_option() {
    let analyse = |words: &[&str]| {
        let fixed = ["analyse", "--depth", "3", "--threads", "1", "--json"];
        run(&[&fixed, words].concat(), "")
    };
    for words in [
        &["--size", "3", "--opening", "no-swap"][..],
        &["--size", "3", "--opening", "double-black"],
        &["x3/x3/22,x2 2 1"],
        &["x3/x3/1S,x2 2 1"],
        &["x3/x3/22,x2 2 1", "--opening", "double-black"],
    ] {
        let output = analyse(words);
        assert!(output.status.success(), "{words:?}: {output:?}");
        let answer: Value = serde_json::from_str(&stdout(&output)).unwrap();
        assert!(answer["best"].is_string(), "{words:?}");
    }
}

#[test]
fn analyse_takes_weights_from_files() {
    let folder = Folder::new("analyse-weights");
    folder.file("first.txt", only_tempo(100));
    folder.file("second.txt", only_tempo(200));
    folder.file("junk.txt", format!("{}junk\n", only_tempo(1)));
    let analyse = |weights: &str, code| {
        let words = format!("analyse --depth 1 --threads 1 --hash 1 --json {weights}");
        ended(folder.command(&words).arg(QUIET), code)
    };
    let score = |weights: &str| {
        let answer: Value = serde_json::from_str(&analyse(weights, 0).0).unwrap();
        let mut shares = answer["terms"].as_array().unwrap().iter();
        let tempo = shares.find(|share| share["term"] == "tempo").unwrap();
        (answer["score_cp"].as_i64().unwrap(), tempo["score_cp"].as_f64().unwrap())
    };
    assert_eq!(score("--weights first.txt"), (-100, 100.0));
    assert_eq!(score("--weights second.txt --weights first.txt"), (-100, 100.0));
    assert_eq!(score("--weights first.txt --weights second.txt"), (-200, 200.0));
    assert_ne!(score("").0, -200);
    for (weights, fault) in [
        ("--weights junk.txt", "junk.txt: line 4: unknown term \"junk\""),
        ("--weights none.txt", "none.txt: No such file"),
    ] {
        let (_, error) = analyse(weights, 1);
        assert!(error.contains(fault), "{error}");
    }
}
