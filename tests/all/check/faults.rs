//! This engine behind filters of its input and output, which give it one fault each: the case that is about the fault
//! finds it, and cases about other things do not.

use std::process::Output;

use super::{SCALE, check, found};
use crate::common::BINARY;

/// A fault, and the cases that find it.
#[derive(Clone, Copy)]
struct Fault {
    /// A shell command before all.
    first: &'static str,
    /// A `sed` script for the lines to the engine. `Q` ends it, and so the engine.
    input: &'static str,
    /// A `sed` script for its lines.
    output: &'static str,
    /// A shell command when the input has ended without `quit`.
    at_end: &'static str,
    /// A shell command after the engine.
    last: &'static str,
    /// Cases with their verdicts.
    cases: &'static [(&'static str, &'static str)],
}

const NONE: Fault = Fault { first: "", input: "", output: "", at_end: "", last: "", cases: &[] };

/// A fault of reading.
const fn input(input: &'static str, cases: &'static [(&'static str, &'static str)]) -> Fault {
    Fault { input, cases, ..NONE }
}

/// A fault of writing.
const fn output(output: &'static str, cases: &'static [(&'static str, &'static str)]) -> Fault {
    Fault { output, cases, ..NONE }
}

/// Cases that most faults do not touch.
const OTHERS: [&str; 2] = ["prints-only-tei", "startpos-moves"];

impl Fault {
    fn check(&self, scale: &str, words: &[&str]) -> Output {
        let Self { first, input, output, at_end, last, .. } = self;
        let or_nothing = |command: &str| if command.is_empty() { ":".to_owned() } else { command.to_owned() };
        let (first, at_end, last) = (or_nothing(first), or_nothing(at_end), or_nothing(last));
        let text = format!(
            r"{first}
            {{ sed -u -e '{input}' -e '/^quit/q5' && {at_end}; }} | '{BINARY}' | sed -u -e '{output}'
            {last}"
        );
        let words = [&["--json", "--scale", scale], words, &["--", "-c", &text]].concat();
        check("/bin/sh", &words)
    }

    /// Checks that its cases end as they should, and that others pass.
    fn is_found(&self, scale: &str) {
        let names = self.cases.iter().map(|(name, _)| *name).chain(OTHERS);
        let words: Vec<&str> = names.clone().flat_map(|name| ["--only", name]).collect();
        let mut found = found(&self.check(scale, &words));
        let shown = [self.first, self.input, self.output, self.at_end, self.last].concat();
        for (name, expected) in self.cases {
            let case = found.remove(*name).unwrap();
            assert_eq!(case.verdict, *expected, "{shown}: {:#}", case.object);
        }
        for case in found.values() {
            assert_eq!(case.verdict, "pass", "{shown}: {:#}", case.object);
        }
    }
}

fn are_found(faults: &[Fault]) {
    for fault in faults {
        fault.is_found(SCALE);
    }
}

#[test]
fn without_a_fault_all_is_well() {
    are_found(&[NONE]);
}

#[test]
fn faults_of_starting_and_ending() {
    are_found(&[
        Fault { first: "echo info string hello", cases: &[("silent-before-tei", "warn")], ..NONE },
        output("s/^readyok/&\\ninfo string hello/", &[("silent-without-go", "warn")]),
        output("s/^readyok/&\\nbestmove a1/", &[("silent-without-go", "fail"), ("startpos-moves", "fail")]),
        output("s/^teiok/hello\\n&/", &[("prints-only-tei", "warn")]),
        output("s/^teiok/\\n&/", &[("no-blank-lines", "fail"), ("playtak-tei-alion02", "fail")]),
        input("1{/^hello/Q}", &[("junk-before-tei", "crash"), ("junk-in-a-game", "pass")]),
        input("1!{/^hello/Q}", &[("junk-before-tei", "pass"), ("junk-in-a-game", "crash")]),
        input("/\\r$/Q", &[("line-ends-of-windows", "crash")]),
        Fault {
            last: "exit 3",
            cases: &[
                ("quits", "crash"),
                ("quits-while-searching", "crash"),
                ("quit-without-line-end", "crash"),
                ("ends-with-its-input", "crash"),
                ("ends-with-its-input-while-searching", "crash"),
                ("racetrack", "crash"),
            ],
            ..NONE
        },
    ]);
    // These take as long as the patience is.
    input("/^quit/d", &[("quits", "fail")]).is_found("2");
    input("/^go wtime 36000000/,/NEVER/{/^quit/d}", &[("quits", "pass"), ("quits-while-searching", "fail")])
        .is_found("2");
    Fault { at_end: "sleep 1000", cases: &[("ends-with-its-input", "fail"), ("quits", "pass")], ..NONE }.is_found("2");
}

#[test]
fn faults_of_the_handshake() {
    are_found(&[
        output("/^id name/d", &[("names-itself", "fail")]),
        output("/^id author/d", &[("names-its-author", "fail")]),
        output("/^size/d", &[("has-size-lines", "warn"), ("size-lines-are-well-formed", "not announced")]),
        output("s/^size.*/size 6 halfkomi/", &[("size-lines-are-well-formed", "fail")]),
        output("s/^size.*/size 6 9 halfkomi 0/", &[("size-lines-are-well-formed", "fail")]),
        output(
            "s/^option name Hash .*/option name Hash type spin default 64/",
            &[("options-are-well-formed", "warn"), ("each-least", "pass"), ("each-greatest", "pass")],
        ),
        output("s/\\(^option name Hash .*\\) min .*/\\1 min 100/", &[("options-are-well-formed", "fail")]),
        output("s/^\\(option name WeightsFile.*\\) default.*/\\1/", &[("options-are-well-formed", "warn")]),
        output("s/default swap/default other/", &[("options-are-well-formed", "fail")]),
        output("s/name Ponder type check/name Ponder type box/", &[("options-are-well-formed", "fail")]),
        output("s/^option name Threads/option name HASH/", &[("options-have-different-names", "fail")]),
        output("/^size/d;/HalfKomi/d", &[("komi-can-be-set", "warn"), ("has-size-lines", "warn")]),
        output("s/^teiok/&\\ninfo string late/", &[("nothing-after-teiok", "warn")]),
        input("2{/^isready/Q}", &[("isready-before-a-game", "crash"), ("readyok", "crash")]),
        input("/^isready$/{x;/^isready$/{x;Q};x;h;b};h", &[("one-readyok-for-each-isready", "crash")]),
        input("2{/^tei$/Q}", &[("tei-twice", "crash")]),
        input("2{/^tei$/d}", &[("tei-twice", "warn")]),
    ]);
    output(
        "s/^readyok/ready/",
        &[("readyok", "fail"), ("names-itself", "pass"), ("prints-only-tei", "fail"), ("startpos-moves", "fail")],
    )
    .is_found("1");
}

#[test]
fn faults_of_positions() {
    are_found(&[
        input(
            "/^teinewgame size 3 /Q",
            &[("size-3", "crash"), ("size-changes-between-games", "crash"), ("size-4", "pass")],
        ),
        input("/^teinewgame size 8 halfkomi 20/Q", &[("size-8", "crash")]),
        input(
            "2{/^teinewgame size 6 h/Q}",
            &[
                ("newgame-size-halfkomi", "crash"),
                ("newgame-size-alone", "pass"),
                ("startpos-moves", "crash"),
                ("prints-only-tei", "crash"),
            ],
        ),
        input("/^teinewgame size 6$/Q", &[("newgame-size-alone", "crash"), ("newgame-size-komi", "pass")]),
        input("/ komi /Q", &[("newgame-size-komi", "crash")]),
        input(
            "/^teinewgame 6$/Q",
            &[("newgame-number", "crash"), ("racetrack", "crash"), ("tak-server-bridge", "crash")],
        ),
        input("/^teinewgame/{x;s/$/x/;/^xxx$/Q;x}", &[("newgame-twice", "crash"), ("startpos-moves", "crash")]),
        input("/^position startpos$/Q", &[("startpos", "crash")]),
        input("/^position startpos moves $/Q", &[("startpos-empty-moves", "crash"), ("racetrack", "crash")]),
        input("/^position startpos moves a1$/Q", &[("startpos-moves", "crash"), ("startpos", "pass")]),
        input("6{/^position/Q}", &[("startpos-take-back", "crash")]),
        input("/^position tps [^m]*$/Q", &[("tps", "crash"), ("game-by-tps", "crash"), ("tps-moves", "pass")]),
        input("/^position tps.*moves ./Q", &[("tps", "pass"), ("tps-moves", "crash")]),
        input(
            "/^position tps.*moves $/Q",
            &[("tps-start", "crash"), ("racetrack-tps", "crash"), ("racetrack", "pass")],
        ),
        input("s/^\\(position tps .*\\) 1 \\([0-9]*\\)$/\\1 2 \\2/", &[("side-to-move", "warn")]),
        input("/^position startpos moves.\\{60,\\}/Q", &[("game-by-moves", "crash"), ("game-by-tps", "pass")]),
        input("/^position tps .* 1[0-9]$/Q", &[("game-by-moves", "pass"), ("game-by-tps", "crash")]),
        input(
            "/^go wtime 400 btime 400 winc 10 binc 10$/Q",
            &[("go-clock", "crash"), ("go-nodes", "pass"), ("startpos-moves", "crash"), ("prints-only-tei", "crash")],
        ),
        input(
            "/^go wtime [0-9]* btime [0-9]*$/Q",
            &[("go-clock-alone", "crash"), ("go-clock", "pass"), ("no-time-left", "crash")],
        ),
        input("/movestogo/Q", &[("go-movestogo", "crash")]),
        input("/^go movetime/Q", &[("go-movetime", "crash"), ("tak-server-bridge", "crash")]),
        input("/^go nodes/Q", &[("go-nodes", "crash")]),
        input("/^go depth 2$/Q", &[("go-depth", "crash"), ("two-limits", "pass")]),
        input("/^go depth 2 m/Q", &[("go-depth", "pass"), ("two-limits", "crash")]),
        input("/^go infinite$/Q", &[("go-infinite", "crash"), ("go-alone", "pass")]),
        input("/^go$/Q", &[("go-alone", "crash"), ("go-infinite", "pass")]),
        input("s/^go infinite depth/go depth/", &[("infinite-overrides", "fail")]),
        input("/solved/Q", &[("go-solved", "crash")]),
        input("/^go foo/Q", &[("unknown-word-in-go", "crash")]),
        input("/startpos foo/Q", &[("unknown-word-in-position", "crash")]),
        input("/^position startpos moves a6 a1/Q", &[("go-after-the-end", "crash")]),
        output("s/^bestmove --/bestmove 0000/", &[("go-after-the-end", "warn")]),
        output("/^bestmove --/d", &[("go-after-the-end", "warn")]),
        input("/^go wtime 0 /Q", &[("no-time-left", "crash")]),
        input("/^go wtime -50/Q", &[("go-clock-negative", "crash"), ("no-time-left", "pass")]),
        output("s/^bestmove .*/bestmove a1/", &[("go-nodes", "fail"), ("startpos-moves", "fail")]),
        output("s/^bestmove .*/bestmove/", &[("go-nodes", "fail"), ("startpos-moves", "fail")]),
        output("s/^bestmove \\([a-f][1-6]\\)$/bestmove F\\1/", &[("game-by-moves", "warn"), ("racetrack", "fail")]),
        output("s/^bestmove .*/&\\n&/", &[("go-nodes", "fail"), ("go-infinite", "fail")]),
    ]);
}

#[test]
fn faults_of_options_and_searches() {
    let button = Fault {
        input: "/name Clear/Q",
        ..output("s/^teiok/option name Clear type button\\n&/", &[("buttons", "crash")])
    };
    are_found(&[
        input("/^setoption name MoveOverhead value 10$/Q", &[("each-default", "crash")]),
        input("/^setoption name HalfKomi value -20/Q", &[("each-least", "crash"), ("each-default", "pass")]),
        input("/^setoption name MoveOverhead value 5000/Q", &[("each-greatest", "crash"), ("each-default", "pass")]),
        output("s/max 64$/max 100/", &[("each-greatest", "fail")]),
        button,
        input("/^setoption name halfkomi/Q", &[("names-in-any-case", "crash")]),
        input("/NoSuchOption/Q", &[("unknown-option", "crash")]),
        input(
            "/^teinewgame size 4 /Q",
            &[("size-changes-between-games", "crash"), ("komi-changes-between-games", "pass")],
        ),
        input("/^teinewgame size 6 halfkomi 20/Q", &[("komi-changes-between-games", "crash")]),
        input("/^go infinite/,/^stop/{/^isready/Q}", &[("isready-while-searching", "crash")]),
        input("4{/^stop/Q}", &[("stop-without-search", "crash")]),
        input("/^stop$/{x;/^stop$/Q;x;h;b};h", &[("stop-twice", "crash"), ("stop-at-once", "pass")]),
        input("/^stop$/{n;/^position/Q}", &[("stop-and-on", "crash"), ("ptn-ninja", "crash")]),
        input("/^go infinite/{n;/^go infinite/Q}", &[("go-while-searching", "crash")]),
        input("/^go infinite/{n;/^position/Q}", &[("position-while-searching", "crash")]),
        input("/^go infinite/{n;/^teinewgame/Q}", &[("newgame-while-searching", "crash")]),
        input("/^go infinite/{n;/^setoption/Q}", &[("setoption-while-searching", "crash")]),
        input("/^go wtime 50 /Q", &[("many-short-searches", "crash")]),
    ]);
    input("/^stop/d", &[("stop-at-once", "fail"), ("stop-without-search", "pass")]).is_found("2");
    input("/^go wtime 36000000/,/NEVER/{/^stop/d}", &[("stop-ends-a-timed-search", "fail"), ("stop-at-once", "pass")])
        .is_found("2");
}

#[test]
fn faults_of_the_output() {
    are_found(&[
        output("s/^bestmove .*/& ponder a1/", &[("bestmove-is-one-word", "fail"), ("ptn-ninja", "fail")]),
        output("s/^bestmove/hello\\n&/", &[("info-before-bestmove", "warn"), ("prints-only-tei", "warn")]),
        output("s/ nodes [0-9]*/ nodes many/", &[("info-is-well-formed", "fail")]),
        output(
            "/^info depth/d",
            &[("info-has-score-and-pv", "warn"), ("info-before-bestmove", "warn"), ("pv-is-legal", "not announced")],
        ),
        output("s/ pv .*/& a1/", &[("pv-is-legal", "fail"), ("pv-begins-with-bestmove", "pass")]),
        output("s/ pv [^ ]*/ pv Sa5/", &[("pv-begins-with-bestmove", "warn")]),
        output("s/^info depth 1 \\(.*\\) nodes [0-9]*/info depth 1 \\1 nodes 999999999/", &[("numbers-grow", "warn")]),
        output("s/ time [0-9]*/&999/", &[("time-is-in-milliseconds", "fail")]),
        output("s/ wdl [0-9]*/ wdl 5000/", &[("wdl", "fail")]),
        output("s/ hashfull /&5000/", &[("hashfull", "fail")]),
        output("s/ score cp -/ score cp /", &[("score-of-the-side-to-move", "fail")]),
        output("s/solved win/solved loss/", &[("score-solved", "fail"), ("score-of-the-side-to-move", "pass")]),
        output("s/multipv 2/multipv 1/", &[("multipv", "fail")]),
        input("/name Flats value/d", &[("reserves", "fail")]),
        input("/searchmoves/Q", &[("searchmoves", "crash")]),
        input("/^setoption name Ponder value true/Q", &[("ponder", "crash")]),
    ]);
}

#[test]
fn faults_with_a_client() {
    let older = Fault {
        output: "/^size/d",
        input: "/WeightsFile/Q",
        cases: &[("ptn-ninja-older-dialect", "crash"), ("ptn-ninja", "not announced")],
        ..NONE
    };
    are_found(&[
        input("/^setoption name Hash value 16/Q", &[("racetrack", "crash"), ("ptn-ninja", "pass")]),
        input("/WeightsFile/Q", &[("racetrack", "pass"), ("ptn-ninja", "crash")]),
        older,
        Fault { input: "", cases: &[("ptn-ninja-older-dialect", "pass"), ("ptn-ninja", "not announced")], ..older },
        input("/winc 5000/Q", &[("playtak-tei-alion02", "crash"), ("playtak-tei-cdbfoster", "pass")]),
        input("/^go wtime 5000/Q", &[("playtak-tei-alion02", "pass"), ("playtak-tei-cdbfoster", "crash")]),
        input("/^go movetime 200/Q", &[("tak-server-bridge", "crash"), ("playtak-tei-cdbfoster", "pass")]),
    ]);
}

/// Late by half a second on the longest clock.
#[test]
fn a_move_fails_if_late_three_times() {
    let late = output("/^bestmove/e sleep 3.5", &[("one-second", "fail")]);
    let found = found(&late.check("3", &["--only", "one-second"]));
    let case = &found["one-second"];
    assert_eq!(case.verdict, "fail", "{:#}", case.object);
    let reason = case.object["reasons"][0].as_str().unwrap();
    assert!(reason.contains(" s over its clock of 1.000 s, and twice more "), "{:#}", case.object);
}

/// An engine that ends at every second bad line crashes at these and at no others.
#[test]
fn bad_lines_that_end_an_engine_are_found() {
    let lines: Vec<(String, String)> = found(&check(BINARY, &["--only", "malformed", "--json", "--scale", SCALE]))
        .into_iter()
        .filter(|(name, _)| name != "answers-tei")
        .filter_map(|(name, case)| {
            let said = case.object["lines"].as_array().unwrap();
            let mut sent = said.iter().filter_map(|line| line.as_str().unwrap().strip_prefix("> "));
            // After the handshake, a game, `isready` and a position.
            let line = sent.nth(4)?.to_owned();
            line.bytes()
                .all(|byte| (b' '..=b'~').contains(&byte))
                .then_some((name, line))
                .filter(|(_, line)| !line.ends_with(" ..."))
        })
        .collect();
    assert!(lines.len() > 50, "{} lines", lines.len());
    for remainder in [0, 1] {
        let is_bad = |index: usize| index % 2 == remainder;
        let bad = lines.iter().enumerate().filter(|(index, _)| is_bad(*index));
        let patterns = bad.map(|(_, (_, line))| {
            let special = ["\\", "/", "*", ".", "[", "^", "$"].into_iter();
            special.fold(line.clone(), |line, special| line.replace(special, &format!("\\{special}")))
        });
        let script = patterns.map(|pattern| format!("/^{pattern}$/Q")).collect::<Vec<_>>().join(";");
        let fault = input(Box::leak(script.into_boxed_str()), &[]);
        let found = found(&fault.check(SCALE, &["--only", "malformed"]));
        for (index, (name, line)) in lines.iter().enumerate() {
            let expected = if is_bad(index) { "crash" } else { "pass" };
            assert_eq!(found[name].verdict, expected, "{line}: {:#}", found[name].object);
        }
    }
}
