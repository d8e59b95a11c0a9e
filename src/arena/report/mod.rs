//! The report: one HTML page that needs nothing else, neither network nor scripts.

pub(crate) mod charts;
mod games;
mod sections;
pub(crate) mod series;

use std::io;
use std::path::Path;

use maud::{Markup, PreEscaped, html};

use super::record::GameRecord;
use super::settings::TournamentSettings;
use super::standings::{headline, ranking, shown_name};
use super::stats::Statistics;
use crate::html;
use crate::system::files;

/// Writes the report to a file. The file is replaced at once: a reader sees the old page or the complete next one.
///
/// # Errors
/// When the file cannot be written; it is then as it was.
pub fn write(path: &Path, settings: &TournamentSettings, games: &[GameRecord]) -> io::Result<()> {
    files::replace(path, page(settings, games).as_bytes())
}

/// The whole page.
#[must_use]
pub fn page(settings: &TournamentSettings, games: &[GameRecord]) -> String {
    let statistics = Statistics::of(settings.engines.len(), games);
    let page = Page { settings, statistics: &statistics, games, ranking: ranking(&statistics) };
    let subject = headline(settings, &statistics);
    html::page("Tak tournament", &html! { (subject) }, STYLE, &page.sections())
}

/// The colours of the charts and of the crosstable.
pub(crate) const STYLE: &str = include_str!("report.css");

/// What the page is about.
struct Page<'a> {
    settings: &'a TournamentSettings,
    statistics: &'a Statistics,
    games: &'a [GameRecord],
    /// Engines, best first.
    ranking: Vec<usize>,
}

/// A chart, and above it what its colours mean. The legend has a name of the style sheet and a text for each colour.
pub(crate) fn figure(chart: String, legend: &[(String, String)]) -> Markup {
    html! {
        figure {
            @if !legend.is_empty() {
                figcaption {
                    @for (color, text) in legend {
                        span { i style={ "background:var(--" (color) ")" } {} bdi { (text) } }
                    }
                }
            }
            (PreEscaped(chart))
        }
    }
}

impl Page<'_> {
    fn sections(&self) -> Markup {
        if self.games.is_empty() {
            return html! {
                section { p { "No game is over yet." } }
                (self.conditions())
            };
        }
        html! {
            (self.standings())
            (self.sprt())
            (self.crosstable())
            (self.course())
            (self.endings())
            (self.effort())
            (self.conditions())
            (self.meetings())
        }
    }

    fn name(&self, engine: usize) -> Markup {
        html::isolated(&shown_name(self.settings, engine))
    }
}
