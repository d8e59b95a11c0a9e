//! Answers to the questions of the page, as JSON: one object per message, answers with the `id` of the question.

use std::time::Duration;

use serde_json::{Value, json};

use super::notation;
use super::question::{Kind, Question, message, refusal, table, unknown};
use super::record::{Fault, Record};
use super::view::{line, view};
use super::words;
use crate::analysis::annotate::source::Source;
use crate::board::{AnyPosition, Game, Komi, Reserve, Size};
use crate::engine::{Level, Limits, Settings};
use crate::notation::{PtnGame, game_texts};
use crate::search::Clock;

/// The longest thinking time, in seconds.
const MAX_SECONDS: f64 = 86_400.0;

/// The most nodes per position of an annotated game.
const MAX_NODES: u64 = 10_000_000;

/// The most lines of play in a report.
pub(super) const MAX_LINES: usize = 5;

/// The most plies of a puzzle.
const MAX_PLIES: u32 = 30;

/// A time of a page in seconds.
pub(super) fn seconds(seconds: f64) -> Duration {
    // `max` turns NaN into 0.
    Duration::from_secs_f64(seconds.clamp(0.0, MAX_SECONDS).max(0.0))
}

impl Question {
    pub(super) fn game(&mut self) -> Result<Record, Fault> {
        self.take("game")
    }

    /// The game up to the position meant, which is not over there.
    pub(super) fn unfinished(&mut self) -> Result<Game, Fault> {
        let game = self.game()?.play()?.game;
        if game.position().outcome().is_some() {
            Err("there is nothing to analyse: the game is over".into())
        } else {
            Ok(game)
        }
    }

    /// The limits of a search, at least one. Times are in seconds: for this move, or on the clock of the player to move.
    fn limits(&mut self) -> Result<Limits, Fault> {
        let mut limits = Limits {
            depth: self.take("depth")?,
            nodes: self.take("nodes")?,
            move_time: self.take::<Option<f64>>("seconds")?.map(seconds),
            clock: None,
        };
        if let Some(left) = self.take("left")? {
            let [remaining, increment] = [left, self.take("increment")?].map(seconds);
            limits.clock = Some(Clock { remaining, increment, moves_to_go: None });
        }
        if limits == Limits::default() { Err("a search needs a limit".into()) } else { Ok(limits) }
    }
}

/// A response to a question of the page.
///
/// ```
/// use tak_engine::page::{Question, Response, answer};
///
/// let game = r#"{"start": {"size": 5, "half_komi": 0, "opening": "swap"}, "moves": ["a1", "e5"]}"#;
/// let question = Question::read(&format!(r#"{{"id": 1, "do": "view", "game": {game}}}"#)).ok_or("no question")?;
/// let Response::Answer(text) = answer(question) else { panic!("a view needs no engine") };
/// assert!(text.starts_with(r#"{"id":1,"view":{"#));
/// # Ok::<(), &str>(())
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
/// use tak_engine::page::{Question, Response, answer, think};
///
/// let start = r#"{"size": 3, "half_komi": 0, "opening": "swap", "tps": "x3/1,1,x/2,2,x 1 3"}"#;
/// let game = format!(r#"{{"start": {start}, "moves": []}}"#);
/// let question = format!(r#"{{"id": 7, "do": "think", "game": {game}, "seconds": 1, "lines": 1}}"#);
/// let question = Question::read(&question).ok_or("no question")?;
/// let Response::Task(task) = answer(question) else { panic!("a search needs an engine") };
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

/// Responds to a question of the page, which is not for the explorer.
pub fn answer(question: Question) -> Response {
    let id = question.id;
    respond(question).unwrap_or_else(|fault| Response::Answer(refusal(id, &fault)))
}

fn respond(mut question: Question) -> Result<Response, Fault> {
    let (id, kind) = (question.id, question.kind.ok_or_else(unknown)?);
    let task = |work| Ok(Response::Task(Task { id, work }));
    let answer = match kind {
        Kind::View => view(&question.game()?.play()?),
        Kind::Moves => {
            let moves = question.game()?.play()?.game.legal_moves();
            moves.iter().map(ToString::to_string).collect()
        }
        Kind::Line => line(&question.game()?.play()?)?,
        Kind::Read => json!(notation::read(&question.take::<String>("text")?, &question.take("like")?)?),
        // The main line of the file is that of the game if absent.
        Kind::Write => {
            let game = question.game()?;
            let tps = game.play()?.game.position().to_string();
            let main: Option<_> = question.take("main")?;
            let written = Record { moves: main.unwrap_or(game.moves), ..game };
            let names = question.take_or_default("names")?;
            let ptn = notation::write(&written, &names, &question.take_or_default::<Vec<_>>("lines")?)?;
            let alone = PtnGame { variations: Vec::new(), ..ptn.clone() }.to_string();
            json!({"ptn": alone, "variations": ptn.to_string()[alone.len()..], "tps": tps})
        }
        // Level 0 is full strength. An Elo means the level that is nearest to it.
        Kind::Think => {
            let game = Box::new(question.unfinished()?);
            let level = match (question.take("elo")?, question.take_or_default("level")?) {
                (Some(elo), _) => Some(Level::of_elo(elo)),
                (None, 0) => None,
                (None, level) => Some(Level::new(level).ok_or_else(|| format!("invalid level {level}"))?),
            };
            let lines = question.take::<usize>("lines")?.clamp(1, Settings::MAX_MULTIPV);
            let seed = question.take_or_default("seed")?;
            return task(Work::Think { game, limits: question.limits()?, lines, level, seed });
        }
        Kind::Annotate => {
            let (game, names) = (question.game()?, question.take_or_default("names")?);
            let lines: Vec<_> = question.take_or_default("lines")?;
            // A whole file, of which `game` is the first game, stays as it is.
            let text: Option<String> = question.take("text")?;
            let text = text.as_deref().and_then(|text| game_texts(text).next());
            let written = || notation::write(&game, &names, &lines).map(|ptn| ptn.to_string().into());
            let source = Source::read(0, &text.map_or_else(written, Ok)?, Size::new(game.start.size).ok());
            let source = Box::new(source);
            return task(Work::Annotate { source, nodes: question.take::<u64>("nodes")?.clamp(1, MAX_NODES) });
        }
        Kind::Defend => {
            let position = Box::new(question.unfinished()?.position().clone());
            return task(Work::Defend { position, plies: question.take::<u32>("plies")?.min(MAX_PLIES) });
        }
        Kind::Stop => return Ok(Response::Stop),
        Kind::Collect
        | Kind::Explore
        | Kind::Openings
        | Kind::Print
        | Kind::List
        | Kind::Draw
        | Kind::Why
        | Kind::Reasons
        | Kind::Consult => return Err(unknown()),
    };
    Ok(Response::Answer(message(id, kind.answer(answer))))
}

/// A level: its strength, and whom it is meant for.
fn level_view(level: Level) -> Value {
    json!({"elo": level.elo(), "player": level.player()})
}

/// The first message to a page: boards, komi, levels, limits and questions, and the name of a second engine.
pub fn hello(second: Option<&str>) -> String {
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
        // Levels from 1 on.
        "levels": Level::all().map(level_view).collect::<Value>(),
        // The most stones and capstones.
        "reserve": [Reserve::MAX_STONES, Reserve::MAX_CAPS],
        "lines": MAX_LINES,
        // By its name each question with who answers it, and the name of the answer.
        "questions": table(),
        "second": second,
    });
    json!({"hello": hello}).to_string()
}
