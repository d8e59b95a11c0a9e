//! Questions of the page and their answers, as JSON: one object per message, answers with the `id` of the question.

use std::time::Duration;

use serde::Deserialize;
use serde_json::{Value, json};

use super::draft::texts::square_text;
use super::draft::{Draft, Refused, Step};
use super::files::{self, Names, ReadError};
use super::lines::Line;
use super::record::{Played, Record, RecordError, Start};
use super::view::{draft_view, line, view};
use super::words;
use crate::analysis::annotate::source::Source;
use crate::board::{AnyPosition, Game, Komi, Reserve, Size, Square};
use crate::engine::{Level, Limits};
use crate::notation::PtnGame;
use crate::search::Clock;

/// The longest thinking time, in seconds.
const MAX_SECONDS: f64 = 86_400.0;

/// The most nodes per position of an annotated game.
const MAX_NODES: u64 = 10_000_000;

/// The most lines of play in a report.
const MAX_LINES: usize = 5;

/// The most plies of a puzzle.
const MAX_PLIES: u32 = 30;

/// A question of the page.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Question {
    /// Describe a position of a game.
    View { game: Record },
    /// Lift pieces.
    Lift {
        game: Record,
        #[serde(with = "square_text")]
        square: Square,
        count: Option<u32>,
    },
    /// Drop one piece, or the friendly ones.
    Drop {
        game: Record,
        draft: Draft,
        #[serde(with = "square_text")]
        square: Square,
        #[serde(default)]
        friendly: bool,
    },
    /// Check that a piece may be dropped there.
    Reach {
        game: Record,
        draft: Draft,
        #[serde(with = "square_text")]
        square: Square,
    },
    /// List the legal moves.
    Moves { game: Record },
    /// List the positions of the game.
    Line { game: Record },
    /// Read PTN or TPS.
    Read { text: String, like: Start },
    /// Write PTN and TPS.
    Write {
        game: Record,
        /// The main line of the file; that of `game` if absent.
        #[serde(default)]
        main: Option<Vec<String>>,
        #[serde(default)]
        lines: Vec<Line>,
        #[serde(default)]
        names: Names,
    },
    /// Search a position.
    Think {
        game: Record,
        #[serde(flatten)]
        limit: Limit,
        lines: usize,
        /// 0 for full strength.
        #[serde(default)]
        level: u8,
        #[serde(default)]
        seed: u64,
    },
    /// Annotate the whole game.
    Annotate {
        game: Record,
        #[serde(default)]
        lines: Vec<Line>,
        #[serde(default)]
        names: Names,
        /// Nodes per position.
        nodes: u64,
    },
    /// Find the best defence in a puzzle.
    Defend {
        game: Record,
        /// In which the opponent of the player to move should win.
        plies: u32,
    },
    /// End the search or annotation in progress.
    Stop,
}

/// The limit of a search. Times are in seconds: for this move, or on the clock of the player to move.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Limit {
    Move { seconds: f64 },
    Clock { left: f64, increment: f64 },
    Nodes { nodes: u64 },
    Depth { depth: u32 },
}

impl Limit {
    fn limits(self) -> Limits {
        // `max` turns NaN into 0.
        let duration = |seconds: f64| Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS).max(0.0));
        match self {
            Self::Move { seconds } => Limits::move_time(duration(seconds)),
            Self::Clock { left, increment } => {
                Limits::clock(Clock { remaining: duration(left), increment: duration(increment), moves_to_go: None })
            }
            Self::Nodes { nodes } => Limits::nodes(nodes),
            Self::Depth { depth } => Limits::depth(depth),
        }
    }
}

/// A response to a question of the page.
///
/// ```
/// use tak_engine::page::{Response, answer};
///
/// let game = r#"{"start": {"size": 5, "half_komi": 0, "opening": "swap"}, "moves": ["a1", "e5"]}"#;
/// let question = format!(r#"{{"id": 1, "do": "view", "game": {game}}}"#);
/// let Some(Response::Answer(text)) = answer(&question) else { panic!("a view needs no engine") };
/// assert!(text.starts_with(r#"{"id":1,"view":{"#));
/// ```
#[derive(Debug)]
pub enum Response {
    /// The answer.
    Answer(String),
    /// Work for an engine, see [`think`](super::think()). It replaces the task in progress.
    Task(Task),
    /// The task in progress should stop.
    Stop,
}

/// Work for an engine, see [`think`](super::think()).
///
/// ```
/// use std::sync::Mutex;
/// use std::sync::atomic::AtomicBool;
/// use std::time::Duration;
/// use tak_engine::engine::{Engine, Settings};
/// use tak_engine::page::{Response, answer, think};
///
/// let start = r#"{"size": 3, "half_komi": 0, "opening": "swap", "tps": "x3/1,1,x/2,2,x 1 3"}"#;
/// let game = format!(r#"{{"start": {start}, "moves": []}}"#);
/// let question = format!(r#"{{"id": 7, "do": "think", "game": {game}, "seconds": 1, "lines": 1}}"#);
/// let Some(Response::Task(task)) = answer(&question) else { panic!("a search needs an engine") };
/// let mut engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
/// let answers = Mutex::new(Vec::new());
/// let send = |text| answers.lock().unwrap().push(text);
/// think(&task, &mut engine, Duration::ZERO, &AtomicBool::new(false), &send);
/// assert_eq!(answers.into_inner()?.pop().as_deref(), Some(r#"{"best":"c2","id":7}"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct Task {
    /// The number of the question.
    pub(super) id: u64,
    pub(super) work: Work,
}

impl Task {
    /// The board size of the game.
    #[must_use]
    pub fn size(&self) -> Option<Size> {
        match &self.work {
            Work::Think { game, .. } => Some(game.position().size()),
            Work::Defend { position, .. } => Some(position.size()),
            Work::Annotate { source, .. } => source.game.as_ref().map(|game| game.start().size()),
        }
    }
}

#[derive(Debug)]
pub(super) enum Work {
    Think {
        game: Box<Game>,
        limits: Limits,
        /// The number of best moves to report.
        lines: usize,
        /// `None` for full strength.
        level: Option<Level>,
        /// Determines the random choices of a level.
        seed: u64,
    },
    Annotate {
        source: Box<Source>,
        /// Nodes per position.
        nodes: u64,
    },
    Defend {
        position: Box<AnyPosition>,
        plies: u32,
    },
}

/// The reason why a question has no proper answer.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("protocol error between page and program: try reloading the page ({0})")]
    Question(#[from] serde_json::Error),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("there is nothing to analyse: the game is over")]
    Over,
    #[error("invalid level {0}")]
    Level(u8),
}

/// Responds to a question of the page. `None` if the text has no question number and so cannot be answered.
#[must_use]
pub fn answer(question: &str) -> Option<Response> {
    let question: Value = serde_json::from_str(question).ok()?;
    let id = question["id"].as_u64()?;
    let error = |fault: Fault| Response::Answer(message(id, json!({"error": fault.to_string()})));
    Some(respond(id, question).unwrap_or_else(error))
}

/// An answer with the number of its question.
pub(super) fn message(id: u64, mut answer: Value) -> String {
    answer["id"] = id.into();
    answer.to_string()
}

fn respond(id: u64, question: Value) -> Result<Response, Fault> {
    let task = |work| Ok(Response::Task(Task { id, work }));
    let answer = match Question::deserialize(question)? {
        Question::View { game } => json!({"view": view(&game.play()?)}),
        Question::Lift { game, square, count } => {
            let played = game.play()?;
            let position = played.game.position();
            json!({"draft": draft_view(position, &Draft::lift(position, square, count)?)})
        }
        Question::Drop { game, draft, square, friendly } => {
            let played = checked(&game, &draft)?;
            let position = played.game.position();
            match draft.drop(position, square, friendly)? {
                Step::On(draft) => json!({"draft": draft_view(position, &draft)}),
                Step::Done(mv) => json!({"move": mv.to_string()}),
                Step::Back => json!({"back": true}),
            }
        }
        Question::Reach { game, draft, square } => {
            draft.reach(checked(&game, &draft)?.game.position(), square)?;
            json!({"reach": true})
        }
        Question::Moves { game } => {
            let moves = game.play()?.game.legal_moves();
            json!({"legal": moves.iter().map(ToString::to_string).collect::<Vec<_>>()})
        }
        Question::Line { game } => json!({"line": line(&game.play()?).map_err(RecordError::from)?}),
        Question::Read { text, like } => json!({"found": files::read(&text, &like)?}),
        Question::Write { game, main, lines, names } => {
            let tps = game.play()?.game.position().to_string();
            let written = Record { moves: main.unwrap_or(game.moves), ..game };
            let ptn = files::write(&written, &names, &lines)?;
            let alone = PtnGame { variations: Vec::new(), ..ptn.clone() }.to_string();
            json!({"text": {"ptn": alone, "variations": ptn.to_string()[alone.len()..], "tps": tps}})
        }
        Question::Think { game, limit, lines, level, seed } => {
            let game = Box::new(unfinished(&game)?);
            let level = match level {
                0 => None,
                _ => Some(Level::new(level).ok_or(Fault::Level(level))?),
            };
            return task(Work::Think { game, limits: limit.limits(), lines: lines.clamp(1, MAX_LINES), level, seed });
        }
        Question::Annotate { game, lines, names, nodes } => {
            let source = Box::new(Source::stored(0, files::write(&game, &names, &lines)?.to_string(), None));
            return task(Work::Annotate { source, nodes: nodes.clamp(1, MAX_NODES) });
        }
        Question::Defend { game, plies } => {
            let position = Box::new(unfinished(&game)?.position().clone());
            return task(Work::Defend { position, plies: plies.min(MAX_PLIES) });
        }
        Question::Stop => return Ok(Response::Stop),
    };
    Ok(Response::Answer(message(id, answer)))
}

/// The game up to the position meant, which is not over there.
fn unfinished(game: &Record) -> Result<Game, Fault> {
    let game = game.play()?.game;
    if game.position().outcome().is_some() { Err(Fault::Over) } else { Ok(game) }
}

/// The game of a draft that is possible in it.
fn checked(game: &Record, draft: &Draft) -> Result<Played, Fault> {
    let played = game.play()?;
    draft.check(played.game.position())?;
    Ok(played)
}

/// A level in a list.
fn title(level: Level) -> String {
    let (number, elo) = (level.number(), level.elo());
    level
        .player()
        .map_or_else(|| format!("level {number}, Elo {elo}"), |player| format!("level {number}, Elo {elo}: {player}"))
}

/// The first message to a page: boards, komi, levels and limits.
///
/// ```
/// assert!(tak_engine::page::hello().starts_with(r#"{"hello":{"#));
/// ```
#[must_use]
pub fn hello() -> String {
    let sizes = Size::ALL.map(|size| {
        let reserve = Reserve::standard(size);
        (size.width(), reserve.stones, reserve.caps)
    });
    let komis = (Komi::MIN_HALF..=Komi::MAX_HALF).filter_map(|half| Komi::from_half(half).ok());
    let hello = json!({
        "version": env!("CARGO_PKG_VERSION"),
        // Width, stones and capstones of each board size.
        "sizes": sizes,
        // The range of half komi, and a sentence on each.
        "half_komi": [Komi::MIN_HALF, Komi::MAX_HALF],
        "komi_means": komis.map(words::komi_means).collect::<Vec<_>>(),
        // Levels from 1 on, in words.
        "levels": Level::all().map(title).collect::<Vec<_>>(),
        "elo": Level::all().map(Level::elo).collect::<Vec<_>>(),
        // The most stones and capstones.
        "reserve": [Reserve::MAX_STONES, Reserve::MAX_CAPS],
        "lines": MAX_LINES,
    });
    json!({"hello": hello}).to_string()
}
