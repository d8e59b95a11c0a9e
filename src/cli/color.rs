//! Colours on a terminal.

use std::env;
use std::io::{self, IsTerminal, Write};

use crate::board::Setup;
use crate::draw::{BoardStyle, TerminalBoard};
use crate::tei::diagram::Diagram;

/// Whether boards are shown in colour.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, clap::ValueEnum)]
pub(super) enum ColorChoice {
    /// On a terminal, unless NO_COLOR is set
    #[default]
    Auto,
    /// Also in a pipe
    Always,
    /// Never
    Never,
}

impl ColorChoice {
    /// Writes a board: in colour, or with signs on a terminal without colours, or else as plain text.
    pub fn write_board(self, setup: &Setup, out: &mut dyn Write) -> io::Result<()> {
        match self.style(io::stdout().is_terminal(), |name| env::var(name).ok()) {
            None => write!(out, "{}", Diagram(setup)),
            Some(style) => {
                // `out` would escape the sequences of colours.
                out.flush()?;
                write!(io::stdout().lock(), "{}", TerminalBoard { setup, style })
            }
        }
    }

    fn style(self, is_terminal: bool, variable: impl Fn(&str) -> Option<String>) -> Option<BoardStyle> {
        let is_set = |name| variable(name).is_some_and(|value| !value.is_empty());
        let has_colors = match self {
            Self::Auto => is_terminal && !is_set("NO_COLOR") && variable("TERM").is_none_or(|term| term != "dumb"),
            Self::Always => true,
            Self::Never => false,
        };
        if has_colors {
            return Some(BoardStyle::Colors);
        }
        // The first that is set decides.
        let locale = ["LC_ALL", "LC_CTYPE", "LANG"].into_iter().find(|name| is_set(name)).and_then(variable);
        let is_utf8 = locale.is_some_and(|locale| locale.to_ascii_lowercase().replace('-', "").contains("utf8"));
        (is_terminal && is_utf8).then_some(BoardStyle::Signs)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use BoardStyle::{Colors, Signs};
    use ColorChoice::{Always, Auto, Never};

    #[test]
    fn pipes_are_plain_and_terminals_tell_colors_apart() {
        let style = |choice: ColorChoice, is_terminal, variables: &[(&str, &str)]| {
            choice.style(is_terminal, |name| {
                variables.iter().find(|(found, _)| *found == name).map(|(_, value)| (*value).to_owned())
            })
        };
        let utf8 = ("LANG", "en_GB.UTF-8");
        assert_eq!(style(Auto, false, &[utf8]), None);
        assert_eq!(style(Auto, true, &[utf8]), Some(Colors));
        assert_eq!(style(Auto, true, &[utf8, ("NO_COLOR", "")]), Some(Colors));
        assert_eq!(style(Auto, true, &[utf8, ("NO_COLOR", "1")]), Some(Signs));
        assert_eq!(style(Auto, true, &[utf8, ("TERM", "dumb")]), Some(Signs));
        assert_eq!(style(Never, true, &[utf8, ("LC_ALL", "C")]), None);
        assert_eq!(style(Never, false, &[utf8]), None);
        assert_eq!(style(Always, false, &[("NO_COLOR", "1")]), Some(Colors));
    }
}
