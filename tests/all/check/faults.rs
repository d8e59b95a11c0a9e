//! This engine behind filters of its input and output, which give it one fault each: the case that is about the fault
//! finds it, and cases about other things do not.

use std::collections::BTreeMap;
use std::process::Output;

use super::{SCALE, check, found};
use crate::cases::step;
use crate::common::BINARY;

/// Faults in groups, with the cases that find them.
const FAULTS: &str = include_str!("faults.txt");

/// Cases that most faults do not touch. By default one of them is asked.
const OTHERS: [&str; 2] = ["prints-only-tei", "startpos-moves"];

/// What faults.txt has of a fault besides cases.
const COMMANDS: [&str; 6] = ["scale", "first", "in", "out", "at end", "last"];

struct Fault<'a> {
    text: &'a str,
    commands: BTreeMap<&'a str, &'a str>,
    /// Cases with their verdicts.
    cases: Vec<(&'a str, &'a str)>,
}

impl<'a> Fault<'a> {
    /// Reads a paragraph of faults.txt.
    fn read(text: &'a str) -> Self {
        let lines = text.lines().map(|line| line.split_once(": ").unwrap());
        let (commands, cases): (Vec<_>, Vec<_>) = lines.partition(|(name, _)| COMMANDS.contains(name));
        Self { text, commands: commands.into_iter().collect(), cases }
    }

    fn check(&self, words: &[&str]) -> Output {
        let command = |name, without| self.commands.get(name).copied().unwrap_or(without);
        let [first, at_end, last] = ["first", "at end", "last"].map(|name| command(name, ":"));
        let [input, output] = ["in", "out"].map(|name| command(name, ""));
        let text = format!(
            r"{first}
            {{ sed -u -e '{input}' -e '/^quit/q5' && {at_end}; }} | '{BINARY}' | sed -u -e '{output}'
            {last}"
        );
        let words = [&["--json", "--scale", command("scale", SCALE)], words, &["--", "-c", &text]].concat();
        check("/bin/sh", &words)
    }

    /// Checks that its cases end as they should, and that others pass.
    fn is_found(&self) {
        let names = self.cases.iter().map(|(name, _)| *name).chain(OTHERS.into_iter().step_by(step(2)));
        let words: Vec<&str> = names.flat_map(|name| ["--only", name]).collect();
        let mut found = found(&self.check(&words));
        for (name, expected) in &self.cases {
            let case = found.remove(*name).unwrap();
            assert_eq!(case.verdict, *expected, "{}: {:#}", self.text, case.object);
        }
        for case in found.values() {
            assert_eq!(case.verdict, "pass", "{}: {:#}", self.text, case.object);
        }
    }
}

fn are_found(group: &str) {
    let mut groups = FAULTS.split("\n== ").skip(1).map(|group| group.split_once("\n\n").unwrap());
    assert!(groups.clone().all(|(name, _)| GROUPS.contains(&name)), "a group has no test");
    let (_, faults) = groups.find(|(name, _)| *name == group).unwrap();
    faults.split("\n\n").for_each(|fault| Fault::read(fault).is_found());
}

macro_rules! tests_of_groups {
    ($($name:ident)*) => {
        const GROUPS: &[&str] = &[$(stringify!($name)),*];
        $(
            #[test]
            fn $name() {
                are_found(stringify!($name));
            }
        )*
    };
}

tests_of_groups! { starting_and_ending handshake positions options_and_searches output client }

#[test]
fn without_a_fault_all_is_well() {
    Fault::read("").is_found();
}

/// Late by half a second on the longest clock.
#[test]
fn a_move_fails_if_late_three_times() {
    let late = Fault::read("scale: 3\nout: /^bestmove/e sleep 3.5");
    let found = found(&late.check(&["--only", "one-second"]));
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
            Some((name, sent.nth(4)?.to_owned()))
        })
        .filter(|(_, line)| line.bytes().all(|byte| (b' '..=b'~').contains(&byte)) && !line.ends_with(" ..."))
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
        let found = found(&Fault::read(&format!("in: {script}")).check(&["--only", "malformed"]));
        for (index, (name, line)) in lines.iter().enumerate() {
            let expected = if is_bad(index) { "crash" } else { "pass" };
            assert_eq!(found[name].verdict, expected, "{line}: {:#}", found[name].object);
        }
    }
}
