//! The report: one HTML page that needs nothing else, neither network nor scripts.

mod charts;
mod games;
mod sections;
mod series;

use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, Write as _};
use std::path::Path;

use super::record::{GameRecord, TournamentSettings};
use super::stats::Statistics;
use super::table::{headline, ranking, shown_name};

/// Writes the report to a file. The file is replaced at once: a reader sees the old page or the whole of the other.
///
/// # Errors
/// When the file cannot be written; it is then as it was.
pub fn write(path: &Path, settings: &TournamentSettings, games: &[GameRecord]) -> io::Result<()> {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(format!(".{}.tmp", std::process::id()));
    let temporary = path.with_file_name(name);
    let write = || {
        let mut file = File::create(&temporary)?;
        file.write_all(page(settings, games).as_bytes())?;
        file.sync_all()?;
        fs::rename(&temporary, path)
    };
    write().inspect_err(|_| {
        // What is left of it is of no use, and the error that matters is the first one.
        let _ = fs::remove_file(&temporary);
    })
}

/// The whole page.
#[must_use]
pub fn page(settings: &TournamentSettings, games: &[GameRecord]) -> String {
    let statistics = Statistics::of(settings.engines.len(), games);
    let report = Report {
        settings,
        statistics: &statistics,
        games,
        ranking: ranking(&statistics),
    };
    let mut html = String::new();
    report.write(&mut html);
    html
}

/// Text with everything that means something in HTML made harmless.
fn escaped(text: &str) -> String {
    let mut safe = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '&' => safe.push_str("&amp;"),
            '<' => safe.push_str("&lt;"),
            '>' => safe.push_str("&gt;"),
            '"' => safe.push_str("&quot;"),
            '\'' => safe.push_str("&#39;"),
            '\n' | '\t' => safe.push(c),
            c if c.is_control() => safe.push('\u{fffd}'),
            c => safe.push(c),
        }
    }
    safe
}

struct Report<'a> {
    settings: &'a TournamentSettings,
    statistics: &'a Statistics,
    games: &'a [GameRecord],
    /// Engines, best first.
    ranking: Vec<usize>,
}

/// Writes to a string, which cannot fail.
macro_rules! put {
    ($html:expr, $($arg:tt)*) => {{
        let _ = writeln!($html, $($arg)*);
    }};
}
use put;

/// A chart, and above it what its colours mean: classes of the style sheet with texts in HTML.
fn figure(html: &mut String, chart: &str, legend: &[(String, String)]) {
    put!(html, "<figure>");
    if !legend.is_empty() {
        put!(html, "<figcaption>");
        for (class, text) in legend {
            put!(
                html,
                "<span><i style=\"background:var(--{class})\"></i>{text}</span>"
            );
        }
        put!(html, "</figcaption>");
    }
    put!(html, "{chart}</figure>");
}

impl Report<'_> {
    fn write(&self, html: &mut String) {
        let style = include_str!("page.css");
        let title = escaped(&headline(self.settings, self.statistics));
        put!(
            html,
            "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">"
        );
        put!(
            html,
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
        );
        put!(
            html,
            "<title>Tak tournament: {title}</title>\n<style>\n{style}</style>\n</head>"
        );
        put!(
            html,
            "<body>\n<header>\n<h1>Tak tournament</h1>\n<p>{title}</p>\n</header>\n<main>"
        );
        if self.games.is_empty() {
            put!(html, "<section><p>No game is over yet.</p></section>");
            self.conditions(html);
        } else {
            self.standings(html);
            self.sprt(html);
            self.crosstable(html);
            self.course(html);
            self.endings(html);
            self.effort(html);
            self.conditions(html);
            games::write(self, html);
        }
        put!(html, "</main>\n</body>\n</html>");
    }

    /// A name for HTML.
    fn name(&self, engine: usize) -> String {
        escaped(&shown_name(self.settings, engine))
    }
}
