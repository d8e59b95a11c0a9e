//! The tags of a game, and the start that they describe.

use super::leniency::plain;
use super::number::is_number;
use super::opening::read_opening;
use super::results::standard_result;
use super::size::{SizeTextError, read_size};
use super::tag::{TagText, is_tag, known_tag};
use super::tps::read_tps;
use super::{Deviations, Leniency, PtnFault, PtnTextError, opening_tag};
use crate::board::{Color, Komi, OpeningRule, Reserve, Setup, Size};
use crate::notation::komi::read_komi;

/// The tags of one game, as they are read.
pub(super) struct Tags {
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

    /// Gives it the standard form of its value.
    fn standardise(&mut self, value: &str, deviations: &mut Deviations) {
        if self.value != value {
            self.note(Leniency::TagValue, deviations);
            value.clone_into(&mut self.value);
        }
    }

    /// Does the same for a value that was read with these deviations of its own.
    fn standardise_read(&mut self, value: &impl ToString, own: &Deviations, deviations: &mut Deviations) {
        if !own.is_empty() || is_odd(&self.value) {
            self.note(Leniency::TagValue, deviations);
            self.value = value.to_string();
        }
    }

    fn skip(&mut self, deviations: &mut Deviations) {
        self.is_skipped = true;
        self.note(Leniency::TagSkipped, deviations);
    }
}

/// The tags that decide the start of a game. Of repeated tags the first counts.
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
        match tag.name.as_str() {
            "Result" if tag.is_given() => match standard_result(&tag.value) {
                Some(result) => tag.standardise(result, deviations),
                None => tag.skip(deviations),
            },
            "Rating1" | "Rating2" => tag.standardise(&standard_rating(&tag.value), deviations),
            _ => {}
        }
        self.tags.push(tag);
    }

    /// Returns whether there is a tag of this name with a value.
    pub fn has(&self, name: &str) -> bool {
        self.find(name).is_some()
    }

    /// The names and values of those that can be read. The others become comments.
    pub fn into_pairs(self, comments: &mut Vec<String>) -> Vec<(String, String)> {
        let (skipped, read): (Vec<_>, Vec<_>) = self.tags.into_iter().partition(|tag| tag.is_skipped);
        comments.extend(skipped.iter().map(|tag| format!("[{} \"{}\"]", tag.name, tag.value)));
        read.into_iter().map(|tag| (tag.name, tag.value)).collect()
    }

    fn find(&self, name: &str) -> Option<usize> {
        self.find_from(0, name)
    }

    fn find_from(&self, from: usize, name: &str) -> Option<usize> {
        let place = self.tags[from..].iter().position(|tag| is_tag(&tag.name, name) && tag.is_given());
        place.map(|place| from + place)
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
        let mut from = 0;
        while let Some(tag) = self.find_from(from, "Size") {
            from = tag + 1;
            let mut own = Deviations::default();
            let fault = match read_size(self.tags[tag].value.trim(), &mut own) {
                Ok(size) => {
                    self.tags[tag].standardise_read(&size, &own, deviations);
                    return Ok(Some(size));
                }
                Err(_) if self.find_from(from, "Size").is_some() || self.has("TPS") => {
                    self.tags[tag].skip(deviations);
                    continue;
                }
                Err(SizeTextError::Unsupported(error)) => error.into(),
                Err(SizeTextError::NoNumber(value)) => PtnFault::Number { name: "Size", value },
            };
            return self.error(tag, fault);
        }
        Ok(None)
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
        let mut from = 0;
        while let Some(at) = self.find_from(from, name) {
            let (tag, mut own) = (&mut self.tags[at], Deviations::default());
            if let Ok(value) = read(tag.value.trim(), &mut own) {
                tag.standardise_read(&value, &own, deviations);
                return Some(value);
            }
            tag.skip(deviations);
            from = at + 1;
        }
        None
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
        if let (Some(tag), Some(rule)) = (self.find("Opening"), given) {
            self.tags[tag].standardise(opening_tag(rule), deviations);
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

/// A rating without the fraction that some servers write. Another text than a number stays as it is.
fn standard_rating(text: &str) -> String {
    let rounded =
        text.split_once(['.', ',']).filter(|(_, fraction)| is_number(fraction)).and_then(|(whole, fraction)| {
            let whole: u32 = whole.parse().ok()?;
            Some(u64::from(whole) + u64::from(fraction.as_bytes()[0] >= b'5'))
        });
    rounded.map_or_else(|| text.to_owned(), |rating| rating.to_string())
}

fn read_count(text: &str, deviations: &mut Deviations) -> Result<u64, std::num::ParseIntError> {
    super::leniency::read_or_fold(text, deviations, str::parse, |text| Some((plain(text)?, Leniency::TagValue)))
}
