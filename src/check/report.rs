//! Findings as text, JSON and Markdown.

use std::fmt::{self, Write};

use serde::Serialize;

use super::LEVELS;
use super::case::{Case, Finding, Verdict};
use crate::notation::shown;

pub struct Row<'a> {
    pub case: &'a Case,
    pub finding: Finding,
}

#[derive(Serialize)]
struct Object<'a> {
    level: &'a str,
    case: &'a str,
    verdict: String,
    reasons: &'a [String],
    /// True if the text of TEI decides it.
    defined: bool,
    basis: &'a str,
    lines: &'a [String],
}

impl Row<'_> {
    pub fn json(&self) -> serde_json::Result<String> {
        let Case { level, name, is_defined, basis, .. } = *self.case;
        serde_json::to_string(&Object {
            level,
            case: name,
            verdict: self.finding.verdict.to_string(),
            reasons: &self.finding.reasons,
            defined: is_defined,
            basis,
            lines: &self.finding.lines,
        })
    }
}

/// The numbers of a group of cases.
struct Count([usize; Verdict::ALL.len()]);

impl Count {
    fn of<'a>(rows: impl Iterator<Item = &'a Row<'a>>) -> Self {
        let mut counts = [0; Verdict::ALL.len()];
        for row in rows {
            counts[row.finding.verdict as usize] += 1;
        }
        Self(counts)
    }
}

/// `12 pass, 1 warn`.
impl fmt::Display for Count {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let found = Verdict::ALL.into_iter().filter(|&verdict| self.0[verdict as usize] > 0);
        let texts: Vec<String> = found.map(|verdict| format!("{} {verdict}", self.0[verdict as usize])).collect();
        f.write_str(if texts.is_empty() { "-" } else { "" })?;
        f.write_str(&texts.join(", "))
    }
}

/// The name that the engine gave itself, if any case got that far.
pub fn engine_name(rows: &[Row]) -> Option<String> {
    let mut said = rows.iter().flat_map(|row| &row.finding.lines);
    let id = |line: &String, key: &str| Some(line.strip_prefix("< id ")?.strip_prefix(key)?.trim().to_owned());
    let name = said.clone().find_map(|line| id(line, "name"))?;
    let version = said.find_map(|line| id(line, "version"));
    Some(version.map_or(name.clone(), |version| format!("{name} {version}")))
}

/// A line for each level, and below them all that did not pass, with what was said.
pub fn table(rows: &[Row]) -> String {
    let mut text = String::new();
    for (level, _) in LEVELS {
        let rows = || rows.iter().filter(move |row| row.case.level == level);
        if rows().next().is_some() {
            // Writing to a string cannot fail.
            let _ = writeln!(text, "{level:<10} {}", Count::of(rows()));
        }
    }
    for row in rows.iter().filter(|row| row.finding.verdict != Verdict::Pass) {
        let (case, finding) = (row.case, &row.finding);
        let reasons = shown(&finding.reasons.join("; "));
        let verdict = finding.verdict;
        if verdict == Verdict::NotAnnounced {
            let _ = writeln!(text, "\n{verdict}: {}/{}: {reasons}", case.level, case.name);
            continue;
        }
        let source = if case.is_defined { "text" } else { "undefined" };
        let _ = writeln!(text, "\n{verdict}: {}/{}: {reasons}\n  {source}: {}", case.level, case.name, case.basis);
        for line in &finding.lines {
            let _ = writeln!(text, "    {}", shown(line));
        }
    }
    text
}

/// A table with one line for the engine: the levels, and each client. Warnings count as passed.
pub fn markdown(rows: &[Row], name: &str) -> String {
    let (mut head, mut cells) = (vec!["engine".to_owned()], vec![shown(name).replace('|', "\\|")]);
    for (level, _) in LEVELS.into_iter().filter(|(level, _)| *level != "clients") {
        let asked = rows.iter().filter(|row| row.case.level == level && row.finding.verdict != Verdict::NotAnnounced);
        let failed = asked.clone().filter(|row| row.finding.verdict.is_failure()).count();
        let asked = asked.count();
        head.push(level.to_string());
        cells.push(if asked == 0 { "-".to_owned() } else { format!("{} of {asked}", asked - failed) });
    }
    for row in rows.iter().filter(|row| row.case.level == "clients") {
        head.push(row.case.name.to_owned());
        cells.push(match row.finding.verdict {
            Verdict::NotAnnounced => "-".to_owned(),
            verdict => verdict.to_string(),
        });
    }
    let line = |cells: &[String]| format!("| {} |\n", cells.join(" | "));
    let rule = vec!["---".to_owned(); head.len()];
    [line(&head), line(&rule), line(&cells)].concat()
}
