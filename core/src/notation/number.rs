//! Move numbers of PTN files, also with the name of a variation before them.

use super::leniency::plain;

const DOTS: [char; 3] = ['.', '…', '．'];

/// A move number: `12.`, `12...`, `12)`, `12:`, a bare `12`, or dots alone. `2-1.2.` is number 2 in the variation
/// `2-1.`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Number<'a> {
    pub word: &'a str,
    /// In bytes.
    pub length: usize,
    pub name: Option<&'a str>,
    /// `None` for dots alone, or if no game has the number.
    pub value: Option<usize>,
    /// True if its dots stand for White's move.
    pub is_black: bool,
}

impl<'a> Number<'a> {
    /// The number that a word begins with.
    pub fn read(word: &'a str) -> Option<Self> {
        // The last part is the number of the move. The parts before it number the variation, or the place in it.
        let (mut last, mut end) = (None, 0);
        while let Some(part) = Part::read(&word[end..]).filter(|part| part.dots > 0) {
            if part.digits == 0 && last.is_some() {
                break;
            }
            last = Some((end, part));
            end += part.length;
        }
        if let Some((begin, part)) = last {
            let (name, own) = word[..end].split_at(begin);
            // `2-1.` is the first variation at move 2.
            return (!part.is_branch).then(|| Self {
                word,
                length: end,
                name: Some(name).filter(|name| name.starts_with(is_digit)),
                value: value(&own[..part.digits]),
                is_black: part.dots > 1,
            });
        }
        let digits = Part::read(word)?.digits;
        let rest = &word[digits..];
        let length = digits + usize::from(rest.starts_with([')', ':']));
        let is_number = digits > 0 && (rest.is_empty() || length > digits);
        is_number.then(|| Self { word, length, name: None, value: value(&word[..digits]), is_black: false })
    }

    /// Returns whether it is only digits and a full stop, with a blank after it.
    pub fn is_standard(&self) -> bool {
        self.word.strip_suffix('.').is_some_and(is_number)
    }

    /// Returns whether dots end it.
    pub fn has_dots(&self) -> bool {
        self.word[..self.length].ends_with(DOTS)
    }
}

/// Returns whether a text is only digits of ASCII.
pub(super) fn is_number(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || ('０'..='９').contains(&c)
}

fn value(digits: &str) -> Option<usize> {
    match plain(digits) {
        Some(digits) => digits.parse().ok(),
        None => digits.parse().ok(),
    }
}

/// Digits, then `-` and more digits in the name of a variation, then dots.
#[derive(Debug, Clone, Copy)]
struct Part {
    /// The first digits, in bytes.
    digits: usize,
    is_branch: bool,
    dots: usize,
    length: usize,
}

impl Part {
    fn read(text: &str) -> Option<Self> {
        let digits = text.len() - text.trim_start_matches(is_digit).len();
        let branch = text[digits..]
            .strip_prefix('-')
            .map_or("", |after| &after[..after.len() - after.trim_start_matches(is_digit).len()]);
        let is_branch = digits > 0 && !branch.is_empty();
        let begin = if is_branch { digits + 1 + branch.len() } else { digits };
        let after = text[begin..].trim_start_matches(DOTS);
        let dots = &text[begin..text.len() - after.len()];
        (begin > 0 || !dots.is_empty()).then(|| Self {
            digits,
            is_branch,
            dots: dots.chars().map(|c| if c == '…' { 3 } else { 1 }).sum(),
            length: begin + dots.len(),
        })
    }
}
