//! `bench --forced` on suites of forced wins.

use std::collections::BTreeMap;

use crate::folder::Folder;

/// The suite of 5x5, the first wins of each length only.
fn suite() -> String {
    let mut of_length = BTreeMap::new();
    let lines = include_str!("../../solve/5s.txt").lines().filter(|line| !line.starts_with('#'));
    let first = lines.filter(|line| {
        let count = of_length.entry(line.rsplit(' ').next().unwrap()).or_insert(0);
        *count += 1;
        *count <= 2
    });
    first.collect::<Vec<_>>().join("\n")
}

#[test]
fn the_solver_is_counted_by_length() {
    let folder = Folder::new("bench-forced");
    folder.file("suite.txt", format!("\u{feff}# A suite.\n\n{} ; the end\n", suite()));
    let table = folder.succeed("bench --forced suite.txt --nodes 200000");
    let rows: Vec<Vec<&str>> = table.lines().skip(1).map(|line| line.split_ascii_whitespace().collect()).collect();
    let counts: Vec<[&str; 2]> = rows.iter().map(|row| [row[0], row[1]]).collect();
    assert_eq!(counts, [["3", "2"], ["5", "2"], ["7", "2"], ["9", "2"], ["all", "8"]], "{table}");
    assert_eq!(rows[0][2..5], ["2", "100.0", "%"], "{table}");
}

#[test]
fn positions_without_a_win_are_an_error() {
    let folder = Folder::new("bench-forced-bad");
    for (line, expected) in [
        ("1,1,1,x/x4/1,1,1,x/2,2,x2 2 5 0 3", "is a win, not Loss(2)"),
        ("x3/1,1,x/2,2,x 1 3 0.25 1", "line 1: invalid komi \"0.25\""),
        ("x3/1,1,x/2,2,x 2 3 0 x", "invalid number of plies \"x\""),
        ("x3/x3/x3 1 1", "expected a TPS, a komi and a number of plies: five words, found 3"),
        ("# nothing\n\n", "no position in suite.txt"),
    ] {
        folder.file("suite.txt", line);
        let error = folder.fail("bench --forced suite.txt --nodes 1000", 1);
        assert!(error.contains(expected), "{line}: {error}");
    }
}
