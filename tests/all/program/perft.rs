//! `tak-engine perft` through the real binary.

use std::process::Command;

use crate::common::BINARY;
use crate::folder::succeed;

const P: &str = "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9";
const Q: &str =
    "122S,x,2C,21,1S,1S/x2,12S,1221,1,2S/1S,1S,2S,x2,2/1S,x,221,x,1S,1S/2S,2S,21S,x3/1S,121C,x2,22S,11 2 62";

/// The lines of stdout of a run that must succeed.
fn lines(arguments: &[&str]) -> Vec<String> {
    succeed(Command::new(BINARY).arg("perft").args(arguments)).lines().map(str::to_owned).collect()
}

fn total(arguments: &[&str]) -> u64 {
    let lines = lines(arguments);
    let number = lines.last().unwrap().strip_prefix("total ").unwrap();
    number.parse().unwrap()
}

#[test]
fn the_last_two_lines_are_speed_and_total() {
    let lines = lines(&["3", "--size", "5"]);
    assert_eq!(lines.len(), 2);
    let numbers: Vec<&str> = lines[0].split(' ').collect();
    assert_eq!(numbers[1..2], ["s,"]);
    assert_eq!(numbers[3..], ["M", "nodes/s"]);
    assert!(numbers[0].parse::<f64>().is_ok() && numbers[2].parse::<f64>().is_ok());
    assert_eq!(lines[1], "total 43320");
}

#[test]
fn counts_are_those_that_other_programs_publish() {
    assert_eq!(total(&["0"]), 1);
    assert_eq!(total(&["2"]), 1260);
    assert_eq!(total(&["4", "--size", "3"]), 17792);
    assert_eq!(total(&["4", "--tps", P]), 16_224_762);
    assert_eq!(total(&["3", "--tps", Q]), 242_410);
    // First turns without the swap place a piece of three kinds; 22 on a1 is a double black stack, and no-swap's.
    assert_eq!(total(&["2", "--opening", "no-swap"]), 9 * 1260);
    assert_eq!(total(&["2", "--opening", "double-black"]), 1260);
    let stack = "x6/x6/x6/x6/x6/22,x5 2 1";
    assert_eq!(total(&["1", "--tps", stack]), 35);
    // Two of the moves of this game end it, which other programs count as one game each: 11206.
    let finished = "x3/x3/1,1,1 2 4";
    assert_eq!(total(&["2", "--tps", finished]), 0);
}

#[test]
fn a_tps_is_one_argument_or_three() {
    let words: Vec<&str> = Q.split(' ').collect();
    let three = [&["2", "--tps"], words.as_slice()].concat();
    assert_eq!(total(&three), total(&["2", "--tps", Q]));
}

#[test]
fn threads_and_divide_change_nothing_in_the_total() {
    for depth in ["1", "2", "3"] {
        let alone = total(&[depth, "--tps", Q]);
        assert_eq!(total(&[depth, "--tps", Q, "--threads", "3"]), alone);
        let lines = lines(&[depth, "--tps", Q, "--threads", "2", "--divide"]);
        assert_eq!(lines.len(), 52 + 2, "a line for each of the 52 moves");
        let sum: u64 = lines[..52].iter().map(|line| line.split_once(": ").unwrap().1.parse::<u64>().unwrap()).sum();
        assert_eq!(sum, alone);
        assert!(lines.iter().any(|line| line.starts_with("2c5<11: ")), "{lines:?}");
    }
    assert_eq!(lines(&["0", "--divide"]).last().unwrap(), "total 1");
}
