//! Runs the script of a case.

use std::time::{Duration, Instant};

use super::script::SCRIPTS;
use super::settings::CheckError;
use super::state::{State, Unknown, infos, play, pv};
use super::talk::{Stop, Talk, fail};
use super::{clock, lines};
use crate::board::{Komi, Move, Reserve, Size};
use crate::notation::parse_move;
use crate::tei::reply::{HALF_KOMI, NO_MOVE, OptionKind, OptionLine};

/// More of a table or of threads than this is a question to the machine, not to the engine.
const MAX_VALUES: [(&str, i64); 2] = [("Hash", 256), ("Threads", 8)];

/// More games on a busy machine would tell little more.
const MAX_BUSY_GAMES: usize = 4;

pub struct Run<'t, 'a> {
    pub talk: &'t mut Talk<'a>,
    pub state: State,
    /// The time when the last line was sent.
    sent_at: Instant,
}

/// A member of a set in `each`.
enum Item {
    Game(usize),
    Size(Size),
    Komi(Komi),
    /// With its value to try.
    Option(OptionLine, String),
}

impl From<Unknown> for Stop {
    fn from(fault: Unknown) -> Self {
        Self::Error(CheckError::Script(fault))
    }
}

impl<'t, 'a> Run<'t, 'a> {
    pub fn new(talk: &'t mut Talk<'a>) -> Self {
        let state = State::new(talk.settings.size, talk.settings.scale);
        Self { talk, state, sent_at: Instant::now() }
    }

    /// Runs a step and all that it consists of.
    pub fn step(&mut self, step: &str) -> Result<(), Stop> {
        let unknown = || Stop::from(Unknown(format!("invalid step {step:?}")));
        let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
        let two = |separator: &str| rest.split_once(separator).ok_or_else(unknown);
        match word {
            ">" => self.send(&format!("{rest}\\n"))?,
            ">>" => self.send(rest)?,
            "<" => self.wait(rest)?,
            "quiet" => {
                let (time, doing) = two(" ")?;
                let time = Duration::from_millis(time.parse().map_err(|_| unknown())?);
                self.state.said = self.talk.said_within(time, doing)?;
            }
            "eof" => self.talk.end_input(),
            "exit" => self.talk.exit(rest)?,
            "fail" => return fail(self.state.fill(rest)?),
            "absent" => return Err(Stop::NotAnnounced(self.state.fill(rest)?)),
            "warn" => self.talk.warn(self.state.fill(rest)?),
            "if" => {
                let (conditions, then) = two(": ")?;
                if self.hold(conditions)? {
                    self.step(then)?;
                }
            }
            "each" => {
                let (set, part) = two(": ")?;
                for item in items(&self.state, self.talk.settings.clock_games, set).ok_or_else(unknown)? {
                    match item {
                        Item::Game(number) => self.state.game_number = number,
                        Item::Size(size) => self.state.size = Some(size),
                        Item::Komi(komi) => self.state.komi = Some(komi),
                        Item::Option(option, value) => self.state.option = Some((option, value)),
                    }
                    self.step(part)?;
                }
                // The board of `board` stays.
                self.state.size = self.state.size.filter(|_| !set.starts_with("size"));
                self.state.komi = None;
            }
            "busily" => clock::busy(|| self.step(rest))?,
            "forgive" => match self.step(rest) {
                Err(Stop::Crash(reason)) => self.talk.warn(reason),
                ended => ended?,
            },
            "board" => self.state.size = Some(rest.parse().map_err(|_| unknown())?),
            "pieces" => {
                let (stones, caps) = two(" ")?;
                let number = |text: &str| text.parse().map_err(|_| unknown());
                self.state.reserve = Some(Reserve { stones: number(stones)?, caps: number(caps)? });
                self.state.follow("teinewgame");
            }
            "play" => {
                let moves = self.state.fill(if rest.is_empty() { "{word}" } else { rest })?;
                play(&mut self.state.game, moves.split_whitespace()).ok_or_else(unknown)?;
            }
            "reply" => {
                if let Some(mv) = self.reply(rest) {
                    self.state.game.play_unchecked(mv);
                }
            }
            "check" => self.check(rest)?,
            _ => match (word.parse::<u32>(), SCRIPTS.part(word, rest)) {
                (Ok(count), _) => {
                    let step = rest.strip_prefix("times ").ok_or_else(unknown)?;
                    (0..count).try_for_each(|_| self.step(step))?;
                }
                (_, Some(steps)) => steps.iter().try_for_each(|step| self.step(step))?,
                _ => return Err(unknown()),
            },
        }
        Ok(())
    }

    /// Returns whether all conditions hold, which are joined by "and".
    fn hold(&mut self, conditions: &str) -> Result<bool, Unknown> {
        for condition in conditions.split(" and ") {
            let (is_negated, condition) =
                condition.strip_prefix("not ").map_or((false, condition), |rest| (true, rest));
            let condition = self.state.fill(condition)?;
            if self.state.holds(&condition)? == is_negated {
                return Ok(false);
            }
        }
        Ok(true)
    }

    fn send(&mut self, text: &str) -> Result<(), Stop> {
        let bytes = self.state.bytes(text)?;
        String::from_utf8_lossy(&bytes).lines().for_each(|line| self.state.follow(line));
        self.sent_at = Instant::now();
        self.talk.send(&bytes)
    }

    /// Waits for a line with this first word. For `bestmove` the kind of move can follow.
    fn wait(&mut self, expected: &str) -> Result<(), Stop> {
        let (head, kind) = expected.split_once(' ').unwrap_or((expected, ""));
        let is_best = head == "bestmove";
        let granted = if is_best { self.state.granted } else { Duration::ZERO };
        let (lines, rest) = self.talk.until(head, granted + self.talk.settings.patience())?;
        self.state.said = lines;
        if is_best {
            self.state.elapsed = self.sent_at.elapsed();
            self.state.infos = infos(&self.state.said);
            self.state.best = rest;
        } else if head == "teiok" {
            self.state.greet();
        }
        match kind {
            "LEGAL or --" if self.state.best == NO_MOVE => Ok(()),
            "LEGAL" | "LEGAL or --" => self.state.legal().map(drop).map_err(Stop::Fail),
            _ => Ok(()),
        }
    }

    /// A move for the opponent: the first legal one that does not end the game, the one that the engine expects, or any
    /// but that.
    fn reply(&self, which: &str) -> Option<Move> {
        let game = &self.state.game;
        let moves = game.legal_moves();
        let expected = self.state.infos.iter().rev().find_map(|info| pv(info).nth(1));
        let expected = expected.and_then(|word| parse_move(word, game.position().size()).ok());
        let expected = expected.filter(|mv| moves.contains(mv));
        let other = moves.iter().copied().find(|mv| Some(*mv) != expected);
        let goes_on = |mv: &Move| {
            let mut next = game.clone();
            next.play_unchecked(*mv);
            next.position().outcome().is_none()
        };
        match which {
            "expected" => expected.or(other),
            "other" => other,
            _ => moves.iter().copied().find(goes_on),
        }
    }

    /// A check that is no script.
    fn check(&mut self, what: &str) -> Result<(), Stop> {
        let state = &mut self.state;
        let words: Vec<&str> = what.split(' ').collect();
        let checked = match words[..] {
            ["size-lines"] => lines::sizes(&state.said),
            ["option-lines"] => lines::options(state),
            ["option-names"] => lines::option_names(&state.identity.options),
            ["info-lines"] => lines::infos(&state.said),
            ["time"] => lines::time(state),
            ["pv"] => lines::pvs(state),
            ["solved", result, plies] => lines::solved(state, result, plies),
            ["multipv"] => lines::multipv(&state.infos),
            [kind @ ("clock" | "longer-clock")] => {
                let (player, elapsed) = (state.game.position().to_move().index(), state.elapsed);
                match kind {
                    "clock" => state.clocks.charge(player, elapsed),
                    _ => state.clocks.compare_longer(player, elapsed, state.scale),
                }
                Ok(Vec::new())
            }
            _ => return Err(Unknown(format!("unknown check {what:?}")).into()),
        };
        let warnings = checked.map_err(Stop::Fail)?;
        for warning in warnings {
            self.talk.warn(warning);
        }
        Ok(())
    }
}

/// The members of a set; `None` if there is no such set.
fn items(state: &State, clock_games: usize, set: &str) -> Option<Vec<Item>> {
    let komis = |is_in: &dyn Fn(&Komi, &[Komi]) -> bool| {
        let all = state.komis();
        all.iter().filter(|komi| is_in(komi, &all)).map(|komi| Item::Komi(*komi)).collect()
    };
    let options = |value: &dyn Fn(&OptionLine) -> Option<String>| {
        let options = state.identity.options.iter();
        options.filter_map(|option| Some(Item::Option(option.clone(), value(option)?))).collect()
    };
    Some(match set {
        "game" => (0..clock_games).map(Item::Game).collect(),
        "busy game" => (0..clock_games.min(MAX_BUSY_GAMES)).map(Item::Game).collect(),
        "size" => state.sizes().into_iter().map(Item::Size).collect(),
        "size downwards" => state.sizes().into_iter().rev().map(Item::Size).collect(),
        "komi" => komis(&|_, _| true),
        "least komi" => komis(&|komi, all| all.first() == Some(komi)),
        "greatest komi" => komis(&|komi, all| all.last() == Some(komi)),
        "outer komi" => komis(&|komi, all| [all.first(), all.last(), Some(&Komi::ZERO)].contains(&Some(komi))),
        "button" => options(&|option| (option.kind == OptionKind::Button).then(String::new)),
        "option default" => options(&|option| option.default.clone().filter(|_| option.kind != OptionKind::Button)),
        "option least" => options(&|option| end(option, true)),
        "option greatest" => options(&|option| end(option, false)),
        "applied option" => applied(&state.identity.options),
        _ => return None,
    })
}

/// The least or the greatest value of an option. A bound that is not announced is none to try.
fn end(option: &OptionLine, is_least: bool) -> Option<String> {
    match &option.kind {
        OptionKind::Button | OptionKind::Spin { min: i64::MIN, .. } if is_least => None,
        OptionKind::Button | OptionKind::Spin { max: i64::MAX, .. } => None,
        OptionKind::Text => option.default.clone(),
        OptionKind::Check => Some((!is_least).to_string()),
        OptionKind::Spin { min, .. } if is_least => Some(min.to_string()),
        OptionKind::Spin { min, max } => {
            let most = MAX_VALUES.iter().find(|(name, _)| option.name.eq_ignore_ascii_case(name));
            Some(most.map_or(*max, |(_, most)| (*most).clamp(*min, *max)).to_string())
        }
        OptionKind::Combo(values) => if is_least { values.first() } else { values.last() }.cloned(),
    }
}

/// The options that PTN Ninja sets by "Apply Options": all of them, those about pieces excepted, defaults included, MultiPV
/// last.
fn applied(options: &[OptionLine]) -> Vec<Item> {
    let mut options = options.to_vec();
    options.retain(|option| {
        let is_hidden = ["Flats", "Caps", "Flats1", "Flats2", "Caps1", "Caps2"].contains(&&*option.name);
        !is_hidden && option.name != HALF_KOMI && option.kind != OptionKind::Button
    });
    options.sort_by_key(|option| option.name == "MultiPV");
    options.into_iter().map(|option| Item::Option(option, String::new())).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Size;

    /// Checks that a step and its parts are known, without an engine.
    fn assert_known(state: &mut State, step: &str) {
        let (word, rest) = step.split_once(' ').unwrap_or((step, ""));
        match word {
            ">" | ">>" | "fail" | "absent" | "warn" | "play" => drop(state.bytes(rest).unwrap()),
            "<" | "quiet" | "eof" | "exit" | "board" | "pieces" | "reply" | "check" => {}
            "if" => {
                let (conditions, then) = rest.split_once(": ").unwrap();
                for condition in conditions.split(" and ") {
                    let condition = state.fill(condition.trim_start_matches("not ")).unwrap();
                    state.holds(&condition).unwrap();
                }
                assert_known(state, then);
            }
            "each" => {
                let (set, part) = rest.split_once(": ").unwrap();
                assert!(items(state, 1, set).is_some(), "{step}");
                assert_known(state, part);
            }
            "forgive" | "busily" => assert_known(state, rest),
            _ if word.parse::<u32>().is_ok() => assert_known(state, rest.strip_prefix("times ").unwrap()),
            _ => {
                let steps = SCRIPTS.part(word, rest).unwrap_or_else(|| panic!("{step}"));
                for step in steps {
                    assert_known(state, &step);
                }
            }
        }
    }

    /// Steps that no engine of the tests reaches would fail only with that of a user.
    #[test]
    fn all_steps_of_the_scripts_are_known() {
        let mut state = State::new(Size::USUAL, 1.0);
        assert!(SCRIPTS.cases.len() > 160);
        for case in &SCRIPTS.cases {
            assert!(!case.steps.is_empty(), "{}", case.name);
            assert_eq!(SCRIPTS.cases.iter().filter(|other| other.name == case.name).count(), 1, "{}", case.name);
            case.steps.iter().for_each(|step| assert_known(&mut state, step));
        }
        assert!(matches!(state.holds("no such condition"), Err(Unknown(_))));
        assert_eq!(state.bytes(r"\x00{repeat 2 a1\s}").unwrap(), b"\0a1 a1 ");
        for fault in ["{nothing}", "\\y", "\\xg0", "\\x0"] {
            assert!(state.bytes(fault).is_err(), "{fault}");
        }
    }

    #[test]
    fn texts_of_the_engine_are_no_script() {
        let mut state = State::new(Size::USUAL, 1.0);
        let name = r"\n {N} and: \\".to_owned();
        state.option = Some((OptionLine { name: name.clone(), default: None, kind: OptionKind::Text }, String::new()));
        assert_eq!(state.bytes(r"{name}\n").unwrap(), format!("{name}\n").into_bytes());
        assert!(!state.holds(&state.fill("same {name} x").unwrap()).unwrap());
    }
}
