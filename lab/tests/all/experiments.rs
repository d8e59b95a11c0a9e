//! docs/lab/experiments.csv is a table that programs can read.

use std::fs;
use std::path::Path;

use regex::Regex;

/// The fields of a line, of which some are in quotes.
fn fields(line: &str) -> Vec<&str> {
    let field = Regex::new(r#"(?:^|,)(?:"([^"]*)"|([^",]*))"#).unwrap();
    let found = field.captures_iter(line).map(|found| found.get(1).or(found.get(2)).unwrap().as_str()).collect();
    let length: usize = field.find_iter(line).map(|field| field.len()).sum();
    assert_eq!(length, line.len(), "{line}");
    found
}

#[test]
fn fields_may_have_quotes_with_commas() {
    assert_eq!(fields(r#"2026-11-21,,"one, two",6x6,"#), ["2026-11-21", "", "one, two", "6x6", ""]);
}

#[test]
fn experiments_have_plausible_fields() {
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/lab/experiments.csv");
    let text = fs::read_to_string(file).unwrap();
    let (head, rows) = text.split_once('\n').unwrap();
    let names = fields(head);
    assert_eq!(names, ["date", "commit", "change", "nodes_or_time", "size", "games", "elo", "error", "kept", "note"]);
    let forms = [
        "20[0-9][0-9]-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])",
        "([0-9a-f]{8,12})?",
        ".+",
        r"([1-9][0-9]{2,7}|[0-9]+(\.[0-9]+)?s\+[0-9]+(\.[0-9]+)?s)?",
        r"[3-8]x[3-8](\+[3-8]x[3-8])?",
        "([1-9][0-9]*)?",
        "(-?[0-9]{1,3})?",
        r"([1-9][0-9]{0,2}(\.[0-9])?)?",
        "(yes|no|partly)?",
        ".*",
    ]
    .map(|form| Regex::new(&format!("^(?:{form})$")).unwrap());
    let mut last = "";
    for row in rows.lines() {
        let fields = fields(row);
        assert_eq!(fields.len(), names.len(), "{row}");
        for ((name, field), form) in names.iter().zip(&fields).zip(&forms) {
            assert!(form.is_match(field), "{name} {field:?}: {row}");
        }
        assert!(last <= fields[0], "not in the order of dates: {row}");
        last = fields[0];
    }
    assert!(rows.lines().count() > 300);
}
