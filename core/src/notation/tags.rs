//! The tags of a game, and the start that they describe.

use super::leniency::plain;
use super::opening::read_opening;
use super::results::standard_result;
use super::size::read_size;
use super::tag::{TagText, is_tag, known_tag};
use super::tps::read_tps;
use super::{Deviations, Leniency, PtnFault, PtnTextError, opening_tag};
use crate::board::{Color, Komi, OpeningRule, Reserve, Setup, Size};
use crate::notation::komi::read_komi;

/// The tags of one game, as they are read.
pub(super) struct Tags {
    /// The first line of the game.
    first_line: usize,
    tags: Vec<Tag>,
}

struct Tag {
    name: String,
    value: String,
    line: usize,
    /// True if it is skipped because it cannot be read.
    is_skipped: bool,
}

impl Tag {
    /// A blank tag counts as absent.
    fn is_given(&self) -> bool {
        !self.is_skipped && !["", "?"].contains(&self.value.trim())
    }

    fn note(&self, rule: Leniency, deviations: &mut Deviations) {
        deviations.at_line(self.line).note(rule, &format!("{} {}", self.name, self.value));
    }

    fn skip(&mut self, deviations: &mut Deviations) {
        self.is_skipped = true;
        self.note(Leniency::TagSkipped, deviations);
    }
}

/// The tags that decide the start of a game. Of repeated tags the first counts.
#[doc(hidden)]
pub const START_TAGS: [&str; 10] =
    ["Size", "TPS", "Komi", "Opening", "Flats", "Caps", "Flats1", "Flats2", "Caps1", "Caps2"];

type PieceField = fn(&mut Reserve) -> &mut u8;

impl Tags {
    /// Creates the tags of a game that begins on this line.
    pub fn new(first_line: usize) -> Self {
        Self { first_line, tags: Vec::new() }
    }

    /// Adds a tag that was read on this line.
    pub fn push(&mut self, tag: TagText, line: usize, deviations: &mut Deviations) {
        let mut tag = Tag { name: tag.name, value: tag.value, line, is_skipped: false };
        if let Some(known) = known_tag(&tag.name).filter(|&known| known != tag.name) {
            tag.note(Leniency::TagName, deviations);
            known.clone_into(&mut tag.name);
        }
        if is_tag(&tag.name, "Result") && tag.is_given() {
            match standard_result(&tag.value) {
                Some(result) if result == tag.value => {}
                Some(result) => {
                    tag.note(Leniency::TagValue, deviations);
                    result.clone_into(&mut tag.value);
                }
                None => tag.skip(deviations),
            }
        }
        self.tags.push(tag);
    }

    /// Returns whether there is a tag of this name with a value.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The names and values of those that can be read.
    pub fn into_pairs(self) -> Vec<(String, String)> {
        let read = self.tags.into_iter().filter(|tag| !tag.is_skipped);
        read.map(|tag| (tag.name, tag.value)).collect()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.tags.iter().position(|tag| is_tag(&tag.name, name) && tag.is_given())
    }

    fn error<T>(&self, tag: usize, fault: impl Into<PtnFault>) -> Result<T, PtnTextError> {
        Err(PtnTextError { line: self.tags[tag].line, fault: fault.into() })
    }

    /// The position that they describe, on a board of `size` if no tag gives one. Values become standard, and tags that
    /// cannot be read are skipped unless the position needs them.
    pub fn start(&mut self, size: Option<Size>, deviations: &mut Deviations) -> Result<Setup, PtnTextError> {
        let has_size = self.size(deviations)?;
        let mut setup = match (self.find("TPS"), has_size.or(size)) {
            (Some(tag), _) => self.tps(tag, has_size, deviations)?,
            (None, Some(size)) => Setup::empty(size, Komi::ZERO),
            (None, None) => return Err(PtnTextError { line: self.first_line, fault: PtnFault::NoSize }),
        };
        if !self.has("TPS") && has_size.is_none() {
            deviations.at_line(self.first_line).note(Leniency::MissingSize, "");
            self.insert(0, "Size", setup.size.to_string());
        }
        if let Some(komi) = self.value("Komi", deviations, read_komi) {
            setup.komi = komi;
        }
        self.reserves(&mut setup, deviations);
        self.opening(&mut setup, deviations);
        self.skip_repeated(deviations);
        Ok(setup)
    }

    fn insert(&mut self, index: usize, name: &str, value: String) {
        let (name, line) = (name.to_owned(), self.first_line);
        self.tags.insert(index, Tag { name, value, line, is_skipped: false });
    }

    /// The size. A tag that cannot be read is an error, unless the position or another tag gives the size.
    fn size(&mut self, deviations: &mut Deviations) -> Result<Option<Size>, PtnTextError> {
        let Some(tag) = self.find("Size") else { return Ok(None) };
        let value = self.tags[tag].value.trim().to_owned();
        let mut own = Deviations::default();
        let size = read_size(&value, &mut own);
        let others = self.tags[tag + 1..].iter().any(|tag| is_tag(&tag.name, "Size") && tag.is_given());
        if size.is_err() && (others || self.has("TPS")) {
            self.tags[tag].skip(deviations);
            return self.size(deviations);
        }
        match size {
            Ok(size) => {
                if !own.is_empty() || is_odd(&self.tags[tag].value) {
                    self.tags[tag].note(Leniency::TagValue, deviations);
                    self.tags[tag].value = size.to_string();
                }
                Ok(Some(size))
            }
            Err(super::SizeTextError::Unsupported(error)) => self.error(tag, error),
            Err(super::SizeTextError::NoNumber(value)) => self.error(tag, PtnFault::Number { name: "Size", value }),
        }
    }

    fn tps(&mut self, tag: usize, size: Option<Size>, deviations: &mut Deviations) -> Result<Setup, PtnTextError> {
        let mut own = Deviations::default();
        let setup = read_tps(&self.tags[tag].value, &mut own).or_else(|error| self.error(tag, error))?;
        if let Some(size) = size.filter(|&size| size != setup.size) {
            return self.error(tag, PtnFault::SizeAndTps { size, tps: setup.size });
        }
        if let Some(deviation) = own.first() {
            self.tags[tag].note(deviation.rule, deviations);
            self.tags[tag].value = setup.to_string();
        }
        Ok(setup)
    }

    /// The value of a tag, unless it cannot be read.
    fn value<T: ToString, E>(
        &mut self,
        name: &str,
        deviations: &mut Deviations,
        read: impl Fn(&str, &mut Deviations) -> Result<T, E>,
    ) -> Option<T> {
        let tag = self.find(name)?;
        let mut own = Deviations::default();
        let Ok(value) = read(self.tags[tag].value.trim(), &mut own) else {
            self.tags[tag].skip(deviations);
            return self.value(name, deviations, read);
        };
        if !own.is_empty() || is_odd(&self.tags[tag].value) {
            self.tags[tag].note(Leniency::TagValue, deviations);
            self.tags[tag].value = value.to_string();
        }
        Some(value)
    }

    /// The reserves. The tags of one player are more precise than those of both, so they come last.
    fn reserves(&mut self, setup: &mut Setup, deviations: &mut Deviations) {
        let both: &[Color] = &Color::ALL;
        let pieces: [(&str, &[Color], PieceField); 6] = [
            ("Flats", both, |reserve| &mut reserve.stones),
            ("Caps", both, |reserve| &mut reserve.caps),
            ("Flats1", &both[..1], |reserve| &mut reserve.stones),
            ("Flats2", &both[1..], |reserve| &mut reserve.stones),
            ("Caps1", &both[..1], |reserve| &mut reserve.caps),
            ("Caps2", &both[1..], |reserve| &mut reserve.caps),
        ];
        for (name, colors, field) in pieces {
            let Some(count) = self.value(name, deviations, read_count) else { continue };
            for &color in colors {
                // The check of the position refuses a count that is too large.
                *field(&mut setup.reserves[color]) = u8::try_from(count).unwrap_or(u8::MAX);
            }
        }
    }

    /// The first turns: those of the tag, or those that stones on the board in move 1 show.
    fn opening(&mut self, setup: &mut Setup, deviations: &mut Deviations) {
        let read = |text: &str, own: &mut Deviations| read_opening(text, own).map(Opening);
        let given = self.value("Opening", deviations, read).map(|Opening(rule)| rule);
        if let (Some(tag), Some(rule)) = (self.find("Opening"), given)
            && self.tags[tag].value != opening_tag(rule)
        {
            self.tags[tag].note(Leniency::TagValue, deviations);
            opening_tag(rule).clone_into(&mut self.tags[tag].value);
        }
        if !setup.begins_with_stones() {
            setup.opening = given.unwrap_or_else(|| setup.opening_or(OpeningRule::Swap));
            return;
        }
        setup.opening = setup.opening_or(given.unwrap_or_default());
        if given == Some(setup.opening) {
            return;
        }
        if let Some(tag) = self.find("TPS") {
            self.tags[tag].note(Leniency::FirstTurn, deviations);
            let name = opening_tag(setup.opening).to_owned();
            match self.find("Opening") {
                Some(opening) => self.tags[opening].value = name,
                None => self.insert(tag, "Opening", name),
            }
        }
    }

    /// Skips tags that contradict an earlier one of their name.
    fn skip_repeated(&mut self, deviations: &mut Deviations) {
        for name in START_TAGS {
            let Some(first) = self.find(name) else { continue };
            let value = self.tags[first].value.trim().to_owned();
            for tag in self.tags[first + 1..].iter_mut().filter(|tag| is_tag(&tag.name, name) && tag.is_given()) {
                if tag.value.trim() != value {
                    tag.is_skipped = true;
                    tag.note(Leniency::TagRepeated, deviations);
                }
            }
        }
    }
}

/// An opening, whose text is the value of the tag.
struct Opening(OpeningRule);

impl std::fmt::Display for Opening {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(opening_tag(self.0))
    }
}

/// Returns whether a readable value has blanks around it, a plus sign or superfluous zeros.
fn is_odd(value: &str) -> bool {
    let digits = value.strip_prefix('-').unwrap_or(value);
    let second = digits.chars().nth(1);
    value.trim() != value || value.starts_with('+') || (digits.starts_with('0') && second.is_some_and(|c| c != '.'))
}

fn read_count(text: &str, deviations: &mut Deviations) -> Result<u64, std::num::ParseIntError> {
    super::leniency::read_or_fold(text, deviations, str::parse, |text| Some((plain(text)?, Leniency::TagValue)))
}
