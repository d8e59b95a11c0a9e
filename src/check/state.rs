//! The state of a script: what the engine has said, and the game.

use std::time::Duration;

use super::clock::Clocks;
use super::script::SCRIPTS;
use crate::arena::play::identity::Identity;
use crate::board::{AnyPosition, ByColor, Game, Komi, Move, Reserve, Setup, Size};
use crate::notation::{moves_text, parse_move};
use crate::tei::info::{Info, Rest};
use crate::tei::reply::{self, OptionKind, OptionLine, Reply};

pub struct State {
    /// The board to use if the engine leaves a choice.
    wanted_size: Size,
    pub scale: f64,
    pub identity: Identity,
    /// The number of lines of the answer to the first `tei`; `None` before it.
    pub greeting: Option<usize>,
    /// The lines of the last answer.
    pub said: Vec<String>,
    /// What followed the last `bestmove`.
    pub best: String,
    /// The `info` lines before it.
    pub infos: Vec<Info>,
    /// The time that the last `go` grants.
    pub granted: Duration,
    /// The time from the last line sent to the last answer.
    pub elapsed: Duration,
    /// The game whose position was sent last, or that was played since.
    pub game: Game,
    pub clocks: Clocks,
    pub game_number: usize,
    /// The board, the komi and the reserves to use in the place of the usual ones.
    pub size: Option<Size>,
    pub komi: Option<Komi>,
    pub reserve: Option<Reserve>,
    /// An option and its value to try.
    pub option: Option<(OptionLine, String)>,
    /// True if a check has found something to check.
    pub seen: bool,
    /// The line or number that the last condition has found.
    found: String,
}

/// A word of a script that means nothing.
#[derive(Debug, thiserror::Error)]
#[error("{0}")]
pub struct Unknown(pub String);

impl State {
    pub fn new(wanted_size: Size, scale: f64) -> Self {
        Self {
            wanted_size,
            scale,
            identity: Identity::default(),
            greeting: None,
            said: Vec::new(),
            best: String::new(),
            infos: Vec::new(),
            granted: Duration::ZERO,
            elapsed: Duration::ZERO,
            game: Game::new(AnyPosition::start(wanted_size, Komi::ZERO)),
            clocks: Clocks::default(),
            game_number: 0,
            size: None,
            komi: None,
            reserve: None,
            option: None,
            seen: false,
            found: String::new(),
        }
    }

    /// Reads the answer to `tei`.
    pub fn greet(&mut self) {
        self.identity = Identity::default();
        for line in &self.said {
            self.identity.read_line(line);
        }
        self.greeting = Some(self.said.len());
    }

    /// The boards that the engine announces; for one without `size` lines that of the settings.
    pub fn sizes(&self) -> Vec<Size> {
        if !self.identity.has_sizes() {
            return vec![self.wanted_size];
        }
        let widths = self.identity.sizes.iter().flat_map(|line| &line.widths);
        let widths: Vec<i64> = widths.copied().collect();
        Size::ALL.into_iter().filter(|size| widths.contains(&(size.width() as i64))).collect()
    }

    /// The board in use: by default that of the settings, or the nearest that is announced.
    fn size(&self) -> Size {
        let distance = |size: &Size| size.width().abs_diff(self.wanted_size.width());
        let usual = || self.sizes().into_iter().min_by_key(distance).unwrap_or(self.wanted_size);
        self.size.unwrap_or_else(usual)
    }

    /// The komi that the engine announces for the board, smallest first.
    pub fn komis(&self) -> Vec<Komi> {
        let halves = Komi::MIN_HALF..=Komi::MAX_HALF;
        let komis = halves.filter_map(|half| Komi::from_half(half).ok());
        komis.filter(|&komi| self.identity.check_rules(self.size(), komi).is_ok()).collect()
    }

    /// The komi in use: by default 0, or the one next to it for an engine without.
    fn komi(&self) -> Komi {
        let usual = || self.komis().into_iter().min_by_key(|komi| komi.half().abs()).unwrap_or(Komi::ZERO);
        self.komi.unwrap_or_else(usual)
    }

    fn start(&self) -> AnyPosition {
        let start = AnyPosition::start(self.size(), self.komi());
        let with_reserve = self.reserve.and_then(|reserve| {
            AnyPosition::from_setup(&Setup { reserves: ByColor([reserve; 2]), ..start.to_setup() }).ok()
        });
        with_reserve.unwrap_or(start)
    }

    /// Follows a line that is sent. One that is wrong changes no game.
    pub fn follow(&mut self, line: &str) {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words[..] {
            ["teinewgame", ..] => {
                self.game = Game::new(self.start());
                self.clocks = Clocks::default();
            }
            ["position", ref words @ ..] => {
                if let Some(game) = self.read_position(words) {
                    self.game = game;
                }
            }
            ["go", ref limits @ ..] => {
                let clock = ["wtime", "btime"][self.game.position().to_move().index()];
                let own = limits.windows(2).filter(|pair| [clock, "winc", "movetime"].contains(&pair[0]));
                let millis = own.filter_map(|pair| pair[1].parse::<u64>().ok());
                self.granted = Duration::from_millis(millis.fold(0, u64::saturating_add));
            }
            _ => self.granted = Duration::ZERO,
        }
    }

    fn read_position(&self, words: &[&str]) -> Option<Game> {
        let start = match words {
            ["startpos", ..] => self.start(),
            ["tps", board, side, number, ..] => format!("{board} {side} {number}").parse().ok()?,
            _ => return None,
        };
        let mut game = Game::new(start);
        let moves = words.iter().skip_while(|word| **word != "moves").skip(1);
        play(&mut game, moves.copied())?;
        Some(game)
    }

    /// The engine's move, if it is legal.
    pub fn legal(&self) -> Result<Move, String> {
        let word = self.best.split_whitespace().next().ok_or("bestmove without a move")?;
        let position = self.game.position();
        let mv = parse_move(word, position.size());
        let mv = mv.map_err(|error| format!("bestmove {word} is not a move: {error}"))?;
        position.check_legal(mv).map_err(|error| format!("bestmove {word} is illegal: {error}"))?;
        Ok(mv)
    }

    /// The values of a field in the `info` lines before the last `bestmove`.
    fn values(&self, field: &str) -> Result<Vec<i64>, Unknown> {
        let value = |info: &Info| match field {
            "nodes" => Ok(info.nodes.map(|nodes| nodes as i64)),
            "time" => Ok(info.time.map(|time| time as i64)),
            "hashfull" => Ok(info.hashfull.map(i64::from)),
            "cp" => Ok(info.cp.map(i64::from)),
            "wdl" => Ok(info.wdl.map(|wdl| wdl.map(i64::from).iter().sum())),
            "pv" => Ok(pv(info).next().map(|_| 0)),
            _ => Err(Unknown(format!("unknown field {field:?}"))),
        };
        // An unknown field is found without a line too.
        value(&Info::default())?;
        self.infos.iter().filter_map(|info| value(info).transpose()).collect()
    }

    /// Returns whether a condition holds.
    pub fn holds(&mut self, condition: &str) -> Result<bool, Unknown> {
        let words: Vec<&str> = condition.split_whitespace().collect();
        let number =
            |text: &str| text.parse::<i64>().map_err(|_| Unknown(format!("{text:?} in {condition:?} is no number")));
        let kind = |name: &str| self.identity.option(name).map(|option| &option.kind);
        Ok(match words[..] {
            ["hello"] => self.greeting.is_some(),
            ["open"] => self.game.position().outcome().is_none(),
            ["repetition"] => self.game.occurrences() > 2,
            ["late"] => self.clocks.is_late,
            ["komi"] => self.komi() != Komi::ZERO,
            ["sizes"] => self.identity.has_sizes(),
            ["several", "sizes"] => self.sizes().len() > 1,
            ["several", "komis"] => self.komis().len() > 1,
            ["board", width] => self.sizes().iter().any(|size| size.width().to_string() == width),
            ["options"] => !self.identity.options.is_empty(),
            ["buttons"] => self.identity.options.iter().any(|option| option.kind == OptionKind::Button),
            ["option", name] => kind(name).is_some(),
            ["spin", name] => matches!(kind(name), Some(OptionKind::Spin { .. })),
            ["spin", name, value] => {
                let value = number(value)?;
                matches!(kind(name), Some(OptionKind::Spin { min, max }) if (min..=max).contains(&&value))
            }
            ["default", name, value] => {
                self.identity.option(name).is_some_and(|option| option.default.as_deref() == Some(value))
            }
            ["seen"] => self.seen,
            ["move"] => !self.best.is_empty(),
            ["one", "word"] => self.best.split_whitespace().count() == 1,
            ["same", one, other] => one == other,
            ["same", ..] => false,
            ["given", ref text @ ..] => !text.is_empty(),
            ["blank"] => self.said.iter().any(|line| line.trim().is_empty()),
            ["repeated"] => self.greeting.is_some_and(|lines| lines + 1 == self.said.len()),
            ["last", "line", word] => self.said.last().and_then(|line| line.split_whitespace().next()) == Some(word),
            ["said", ref pattern @ ..] => {
                let begins = |line: &&String| {
                    let mut words = line.split_whitespace();
                    pattern.iter().all(|word| words.next().is_some_and(|found| *word == "+" || *word == found))
                };
                let found = self.said.iter().find(begins).cloned();
                self.find(found)
            }
            ["other", ref known @ ..] => {
                let is_other =
                    |line: &&String| line.split_whitespace().next().is_some_and(|word| !known.contains(&word));
                let found = self.said.iter().find(is_other).cloned();
                self.find(found)
            }
            ["info", field] => !self.values(field)?.is_empty(),
            ["info", field, "falls"] => {
                let values = self.values(field)?;
                let fallen = values.windows(2).find(|pair| pair[0] > pair[1]).map(|pair| pair[1].to_string());
                self.find(fallen)
            }
            [which @ ("info" | "last"), field, side @ ("above" | "below"), limit] => {
                let limit = number(limit)?;
                let values = self.values(field)?;
                let first = if which == "last" { values.len().saturating_sub(1) } else { 0 };
                let is_out = |value: &i64| if side == "above" { *value > limit } else { *value < limit };
                self.find(values[first..].iter().find(|value| is_out(value)).map(i64::to_string))
            }
            _ => return Err(Unknown(format!("unknown condition {condition:?}"))),
        })
    }

    fn find(&mut self, found: Option<String>) -> bool {
        let is_found = found.is_some();
        self.found = found.unwrap_or_default();
        is_found
    }

    pub fn fill(&self, text: &str) -> Result<String, Unknown> {
        self.fill_with(text, |value| value)
    }

    /// The same with each value changed by `change`.
    fn fill_with(&self, text: &str, change: impl Fn(String) -> String) -> Result<String, Unknown> {
        let (mut filled, mut rest) = (String::new(), text);
        while let Some((before, (name, after))) =
            rest.split_once('{').and_then(|(before, after)| Some((before, after.split_once('}')?)))
        {
            filled.push_str(before);
            filled.push_str(&change(self.value(name)?));
            rest = after;
        }
        Ok(filled + rest)
    }

    /// The bytes of a text that has placeholders, and `\n`, `\r`, `\s` and `\xNN` outside them.
    pub fn bytes(&self, text: &str) -> Result<Vec<u8>, Unknown> {
        // A text of the engine may have backslashes too.
        let filled = self.fill_with(text, |value| value.replace('\\', "\\x5c"))?;
        let (mut bytes, mut rest) = (Vec::new(), &*filled);
        while let Some((before, after)) = rest.split_once('\\') {
            bytes.extend(before.bytes());
            let digits = || after.strip_prefix('x')?.get(..2);
            let (byte, length) = match after.as_bytes() {
                [b'n', ..] => (b'\n', 1),
                [b'r', ..] => (b'\r', 1),
                [b's', ..] => (b' ', 1),
                _ => {
                    let byte = digits().and_then(|digits| u8::from_str_radix(digits, 16).ok());
                    (byte.ok_or_else(|| Unknown(format!("unknown escape in {text:?}")))?, 3)
                }
            };
            bytes.push(byte);
            rest = &after[length..];
        }
        bytes.extend(rest.bytes());
        Ok(bytes)
    }

    fn value(&self, name: &str) -> Result<String, Unknown> {
        let size = self.size();
        let width = size.width();
        let standard = Reserve::standard(size);
        let unknown = || Unknown(format!("unknown placeholder {{{name}}}"));
        let number = |text: &str| text.parse::<usize>().map_err(|_| unknown());
        let option =
            |text: fn(&OptionLine) -> String| self.option.as_ref().map_or_else(String::new, |(line, _)| text(line));
        let word = self.best.split_whitespace().next().unwrap_or_default().trim_end_matches('*');
        let shown = |word: &str| parse_move(word, size).map_or_else(|_| word.to_owned(), |mv| mv.to_string());
        let words: Vec<&str> = name.split_whitespace().collect();
        Ok(match words[..] {
            ["N"] => width.to_string(),
            ["last"] => char::from(b'a' + width as u8 - 1).to_string(),
            ["halfkomi"] => self.komi().half().to_string(),
            ["stones"] => standard.stones.to_string(),
            ["caps"] => standard.caps.to_string(),
            ["moves"] => moves_text(self.game.moves()),
            ["moves_"] => self.game.moves().iter().flat_map(|mv| [mv.to_string(), " ".to_owned()]).collect(),
            ["tps"] => self.game.position().to_string(),
            ["start"] => self.game.start().to_string(),
            ["opening", count] => {
                let moves = SCRIPTS.text("opening", width).ok_or_else(unknown)?;
                moves.split(' ').take(number(count)?).collect::<Vec<_>>().join(" ")
            }
            ["varied", "opening"] => {
                let mut game = self.game.clone();
                for step in [0, 5] {
                    let moves = game.legal_moves();
                    game.play_unchecked(moves[(self.game_number * 7 + step) % moves.len()]);
                }
                moves_text(game.moves())
            }
            ["white"] => self.clocks.millis()[0].to_string(),
            ["black"] => self.clocks.millis()[1].to_string(),
            ["longer", "white"] => self.clocks.longer_millis(self.scale)[0].to_string(),
            ["longer", "black"] => self.clocks.longer_millis(self.scale)[1].to_string(),
            ["overrun"] => self.clocks.overrun.clone(),
            ["scale"] => self.scale.to_string(),
            ["repeat", count, text] => text.replace(r"\s", " ").repeat(number(count)?),
            ["best"] => self.best.clone(),
            ["word"] => word.to_owned(),
            ["move"] => shown(word),
            ["pv"] => {
                let mut best = self.infos.iter().rev().filter(|info| info.multipv.is_none_or(|rank| rank == 1));
                best.find_map(|info| pv(info).next()).map_or_else(String::new, shown)
            }
            ["name"] => option(|line| line.name.clone()),
            ["lower"] => option(|line| line.name.to_lowercase()),
            ["upper"] => option(|line| line.name.to_uppercase()),
            ["default"] => option(|line| line.default.clone().unwrap_or_default()),
            ["value"] => self.option.as_ref().map_or_else(String::new, |(_, value)| value.clone()),
            ["found"] => self.found.clone(),
            _ => SCRIPTS.text(name, width).ok_or_else(unknown)?.to_owned(),
        })
    }
}

/// The moves of a line of play.
pub fn pv(info: &Info) -> impl Iterator<Item = &str> {
    let Some(Rest::Pv(pv)) = &info.rest else { return "".split_whitespace() };
    pv.split_whitespace()
}

pub fn infos(lines: &[String]) -> Vec<Info> {
    let infos = lines.iter().filter_map(|line| match reply::parse(line) {
        Ok(Reply::Info(info)) => Some(info),
        _ => None,
    });
    infos.collect()
}

/// Plays all moves; `None` if one is illegal.
pub fn play<'a>(game: &mut Game, moves: impl Iterator<Item = &'a str>) -> Option<()> {
    let size = game.position().size();
    moves.into_iter().try_for_each(|word| game.play(parse_move(word, size).ok()?).ok())
}
