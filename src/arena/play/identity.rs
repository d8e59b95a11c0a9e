//! The answer of an engine to `tei`, and the checks that it can play a tournament.

use anyhow::{anyhow, bail, ensure};

use crate::board::{Komi, OpeningRule, Size};
use crate::tei::reply::{self, HALF_KOMI, OPENING, OptionKind, OptionLine, Reply, ReplyError, SizeLine};

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Identity {
    /// From its `size` lines; empty for an engine of the older dialect.
    pub sizes: Vec<SizeLine>,
    /// From its `option` lines, in their order.
    pub options: Vec<OptionLine>,
}

impl Identity {
    /// Reads one line of the answer. Returns whether it was the last, `teiok`. A malformed line is ignored.
    pub fn read_line(&mut self, line: &str) -> bool {
        match reply::parse(line) {
            Ok(Reply::TeiOk) => return true,
            Ok(Reply::Size(size)) => self.sizes.push(size),
            Ok(Reply::Option(option)) => self.options.push(option),
            Err(error @ ReplyError::Malformed(_)) => log::warn!("ignored {line:?}: {error}"),
            Ok(_) | Err(ReplyError::Unknown) => {}
        }
        false
    }

    /// The option of this name, upper and lower case being the same.
    pub fn option(&self, name: &str) -> Option<&OptionLine> {
        self.options.iter().find(|option| option.name.eq_ignore_ascii_case(name))
    }

    /// Returns whether the engine takes size and komi with `teinewgame`; otherwise komi is an option, if the engine has komi at
    /// all.
    pub fn has_sizes(&self) -> bool {
        !self.sizes.is_empty()
    }

    /// Checks that the engine plays this board with this komi. One without `size` lines may still refuse the board in its
    /// first game.
    pub fn check_rules(&self, size: Size, komi: Komi) -> anyhow::Result<()> {
        if !self.has_sizes() {
            let is_usual = komi == Komi::ZERO;
            let missing = format!("it has neither a size line nor an option {HALF_KOMI}");
            return self
                .check_rule(HALF_KOMI, &komi.half().to_string(), is_usual, missing)
                .map_err(|reason| anyhow!("it does not play a komi of {komi}: {reason}"));
        }
        let width = i64::from(size.width() as u8);
        let lines: Vec<&SizeLine> = self.sizes.iter().filter(|line| line.widths.contains(&width)).collect();
        let widths = self.sizes.iter().flat_map(|line| &line.widths);
        ensure!(!lines.is_empty(), "it does not play {size}x{size}; it offers {}", list(widths));
        let mut komis = lines.iter().flat_map(|line| &line.half_komi);
        ensure!(
            komis.clone().any(|&half| half == i64::from(komi.half())),
            "it does not play a komi of {komi}: it offers half komi {}",
            list(&mut komis)
        );
        Ok(())
    }

    /// Checks that the engine plays this opening. Without an option for it, an engine plays the usual one.
    pub fn check_opening(&self, opening: OpeningRule) -> anyhow::Result<()> {
        let missing = format!("it has no option {OPENING}");
        self.check_rule(OPENING, &opening.to_string(), opening.is_swap(), missing)
            .map_err(|reason| anyhow!("it does not play the opening {opening}: {reason}"))
    }

    /// Checks that an option for a rule takes this value. An engine without the option only plays by the usual rule.
    fn check_rule(&self, name: &str, value: &str, is_usual: bool, missing: String) -> Result<(), String> {
        match self.option(name) {
            None if is_usual => Ok(()),
            None => Err(missing),
            Some(option) => check(&option.kind, value).map_err(|expected| format!("its {name} is {expected}")),
        }
    }

    pub fn check_option(&self, name: &str, value: &str) -> anyhow::Result<()> {
        let Some(option) = self.option(name) else {
            let names: Vec<&str> = self.options.iter().map(|option| option.name.as_str()).collect();
            let offered =
                if names.is_empty() { ", nor any other".into() } else { format!("; it has {}", names.join(", ")) };
            bail!("it has no option {name:?}{offered}");
        };
        let name = &option.name;
        check(&option.kind, value)
            .map_err(|expected| anyhow!("option {name}: invalid value {value:?}: expected {expected}"))
    }
}

/// Checks that an option of this kind takes `value`; an error lists the valid values.
fn check(kind: &OptionKind, value: &str) -> Result<(), String> {
    let (fits, expected) = match kind {
        OptionKind::Check => (matches!(value, "true" | "false"), "true or false".into()),
        OptionKind::Spin { min, max } => (
            value.parse().is_ok_and(|number: i64| (min..=max).contains(&&number)),
            format!("a number from {min} to {max}"),
        ),
        OptionKind::Combo(values) => {
            (values.iter().any(|known| known == value), format!("one of {}", values.join(", ")))
        }
        OptionKind::Button => (value.is_empty(), "no value".into()),
        OptionKind::Text => (true, String::new()),
    };
    if fits { Ok(()) } else { Err(expected) }
}

fn list<'a>(numbers: impl Iterator<Item = &'a i64>) -> String {
    let mut numbers: Vec<i64> = numbers.copied().collect();
    numbers.sort_unstable();
    numbers.dedup();
    let texts: Vec<String> = numbers.iter().map(ToString::to_string).collect();
    texts.join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn identity(text: &str) -> Identity {
        let mut identity = Identity::default();
        let ended = text.lines().filter(|line| identity.read_line(line)).count();
        assert_eq!(ended, usize::from(text.contains("teiok")));
        identity
    }

    const SIX: Size = Size::ALL[3];

    /// Checks that an engine that answers so plays 6x6 with these komi in half points, and refuses the others.
    fn expect_komi(text: &str, played: &[i64], refused: &[i64]) {
        let engine = identity(text);
        for (half, is_played) in played.iter().map(|half| (half, true)).chain(refused.iter().map(|half| (half, false)))
        {
            let checked = engine.check_rules(SIX, Komi::from_half(*half).unwrap());
            assert_eq!(checked.is_ok(), is_played, "{text}: {half}: {checked:?}");
        }
    }

    #[test]
    fn komi_is_read_from_size_lines_and_options() {
        expect_komi("id name A b\nsize 5 6 halfkomi 0 4\nsize 7\nteiok", &[0, 4], &[3]);
        expect_komi("option name HalfKomi type spin default 0 min 0 max 12", &[0, 12], &[-1, 13]);
        expect_komi("option name HalfKomi type combo default 0 var 0 var 4", &[0, 4], &[2]);
        expect_komi("option name HalfKomi type spin default 0", &[0, -9], &[10]);
        expect_komi("", &[0], &[1]);
        let engine = identity("size 5 6 halfkomi 0 4\nsize 7");
        assert!(engine.check_rules(Size::ALL[4], Komi::ZERO).is_ok());
        let error = engine.check_rules(Size::ALL[5], Komi::ZERO).unwrap_err();
        assert_eq!(error.to_string(), "it does not play 8x8; it offers 5 6 7");
    }

    #[test]
    fn options_are_checked_by_type() {
        let engine = identity(
            "option name Move Overhead type spin default 10 min 0 max 1000\n\
             option name Ponder type check default false\n\
             option name Style type combo default wild var wild var calm and cool\n\
             option name Book type string default <empty>\n\
             option name Clear type button",
        );
        for (name, value, is_valid) in [
            ("move overhead", "30", true),
            ("Move Overhead", "1001", false),
            ("Move Overhead", "x", false),
            ("Ponder", "true", true),
            ("Ponder", "yes", false),
            ("Style", "calm and cool", true),
            ("Style", "calm", false),
            ("Book", "any thing", true),
            ("Clear", "", true),
            ("Hash", "1", false),
        ] {
            assert_eq!(engine.check_option(name, value).is_ok(), is_valid, "{name} {value}");
        }
    }
}
