//! The questions of the page and their answers, as JSON: one object a message, answers with the `id` of the question.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::annotation::AnnotationView;
use super::draft::texts::square_text;
use super::draft::{Draft, Refused, Step};
use super::files::{self, Found, Names, ReadError};
use super::record::{Played, Record, RecordError, Start};
use super::socket::{Gone, Inbox, Outbox};
use super::thinker::{Question, ReportView, Task, Thinker, Thought};
use super::view::{DraftView, View};
use super::warnings::warn;
use super::words;
use crate::annotate::source::Source;
use crate::board::{Komi, Reserve, Size, Square};
use crate::engine::Permissions;
use crate::engine::{Level, Limits};
use crate::search::Clock;

/// The longest time that the page can speak of, in seconds.
const LONGEST: f64 = 86_400.0;

/// The most positions to visit for each position of a game.
const MOST_NODES: u64 = 10_000_000;

/// The most lines of play at once.
const MOST_LINES: usize = 5;

/// What the page asks.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase")]
enum Ask {
    /// What is to be seen of a game.
    View { game: Record },
    /// To lift pieces.
    Lift {
        game: Record,
        #[serde(with = "square_text")]
        square: Square,
        count: Option<u32>,
    },
    /// To drop one piece, or the friendly ones.
    Drop {
        game: Record,
        draft: Draft,
        #[serde(with = "square_text")]
        square: Square,
        #[serde(default)]
        friendly: bool,
    },
    /// Whether a piece could be dropped there.
    Reach {
        game: Record,
        draft: Draft,
        #[serde(with = "square_text")]
        square: Square,
    },
    /// To read PTN or TPS.
    Read { text: String, like: Start },
    /// To write PTN and TPS.
    Write {
        game: Record,
        #[serde(default)]
        names: Names,
    },
    /// To think about a position.
    Think {
        game: Record,
        #[serde(flatten)]
        time: Time,
        lines: usize,
        /// 0 for full strength.
        #[serde(default)]
        level: u8,
        #[serde(default)]
        seed: u64,
    },
    /// To annotate the whole game.
    Annotate {
        game: Record,
        #[serde(default)]
        names: Names,
        /// How many positions to visit for each.
        nodes: u64,
    },
    /// To end either.
    Stop,
}

/// How long to think, in seconds: for this move, or as the clock of the player to move allows.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(untagged)]
enum Time {
    Move { seconds: f64 },
    Clock { left: f64, increment: f64 },
}

impl Time {
    fn limits(self) -> Limits {
        // What is no number is no time.
        let duration = |seconds: f64| Duration::from_secs_f64(seconds.clamp(0.0, LONGEST).max(0.0));
        match self {
            Self::Move { seconds } => Limits::move_time(duration(seconds)),
            Self::Clock { left, increment } => {
                Limits::clock(Clock { remaining: duration(left), increment: duration(increment), moves_to_go: None })
            }
        }
    }
}

/// What it is told.
#[derive(Debug, Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer {
    View(Box<View>),
    Draft(DraftView),
    /// A spread that is finished, as a move.
    Move(String),
    /// The pieces are back where they came from.
    Back(bool),
    Reach(bool),
    Found(Found),
    Text {
        ptn: String,
        tps: String,
    },
    Report(ReportView),
    /// The end of a search; no move when the game is over.
    Best(Option<String>),
    /// How many positions of the game have been looked at.
    Looked(usize),
    Annotation(Box<AnnotationView>),
    Error(String),
}

#[derive(Debug, Serialize)]
struct Reply {
    id: u64,
    #[serde(flatten)]
    answer: Answer,
}

/// What the page is told first.
#[derive(Debug, Serialize)]
struct Greeting {
    hello: Hello,
}

#[derive(Debug, Serialize)]
struct Hello {
    version: &'static str,
    /// Width, stones and capstones of every board.
    sizes: Vec<(u64, u8, u8)>,
    /// The range of half komi, and what each means.
    half_komi: (i64, i64),
    komi_means: Vec<String>,
    /// How many levels there are.
    levels: u8,
    /// The most stones and capstones.
    reserve: (u8, u8),
    lines: usize,
}

/// Why a question is not answered as it was meant.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error("the page and the program do not understand each other; reloading the page may help ({0})")]
    Question(#[from] serde_json::Error),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("there is nothing to think about: the game is over")]
    Over,
    #[error("there is no level {0}")]
    Level(u8),
}

/// Serves a page.
pub fn session(inbox: Inbox, outbox: &Outbox, permissions: Permissions) {
    let thinker = match Thinker::start(permissions) {
        Ok(thinker) => thinker,
        Err(error) => return warn(&format!("there is no thread for an engine: {error}")),
    };
    let mut desk = Desk { thinker, outbox: outbox.clone() };
    // Whoever is gone needs no answer.
    let _ = desk.serve(inbox);
}

struct Desk {
    thinker: Thinker,
    outbox: Outbox,
}

impl Desk {
    fn serve(&mut self, inbox: Inbox) -> Result<(), Gone> {
        self.outbox.send(text(&Greeting { hello: hello() }))?;
        for message in inbox {
            let id = serde_json::from_str::<Value>(&message).ok().and_then(|value| value["id"].as_u64());
            // A message without a number cannot be answered.
            let Some(id) = id else {
                // Escaped: what comes from outside must not steer the terminal.
                let start: String = message.chars().take(80).collect();
                warn(&format!("invalid question from a page: {start:?}"));
                continue;
            };
            let answer = self.answer(id, &message).unwrap_or_else(|fault| Some(Answer::Error(fault.to_string())));
            if let Some(answer) = answer {
                self.outbox.send(text(&Reply { id, answer }))?;
            }
        }
        Ok(())
    }

    /// The answer; none yet where the engine has to think about it.
    fn answer(&mut self, id: u64, message: &str) -> Result<Option<Answer>, Fault> {
        Ok(Some(match serde_json::from_str::<Ask>(message)? {
            Ask::View { game } => Answer::View(Box::new(View::of(&game.play()?))),
            Ask::Lift { game, square, count } => {
                let played = game.play()?;
                let position = played.game.position();
                Answer::Draft(DraftView::of(position, Draft::lift(position, square, count)?))
            }
            Ask::Drop { game, draft, square, friendly } => {
                let played = checked(&game, &draft)?;
                let position = played.game.position();
                match draft.drop(position, square, friendly)? {
                    Step::On(draft) => Answer::Draft(DraftView::of(position, draft)),
                    Step::Done(mv) => Answer::Move(mv.to_string()),
                    Step::Back => Answer::Back(true),
                }
            }
            Ask::Reach { game, draft, square } => {
                let played = checked(&game, &draft)?;
                draft.reach(played.game.position(), square)?;
                Answer::Reach(true)
            }
            Ask::Read { text, like } => Answer::Found(files::read(&text, &like)?),
            Ask::Write { game, names } => {
                Answer::Text { ptn: files::write(&game, &names)?, tps: files::tps(game.play()?.game.position()) }
            }
            Ask::Think { game, time, lines, level, seed } => {
                let game = game.play()?.game;
                if game.position().outcome().is_some() {
                    return Err(Fault::Over);
                }
                let question = Question {
                    game,
                    limits: time.limits(),
                    lines: lines.clamp(1, MOST_LINES),
                    level: match level {
                        0 => None,
                        _ => Some(Level::new(level).ok_or(Fault::Level(level))?),
                    },
                    seed,
                };
                self.set_to(id, Task::Think(question));
                return Ok(None);
            }
            Ask::Annotate { game, names, nodes } => {
                let source = Source::stored(0, files::write(&game, &names)?, None);
                let nodes = nodes.clamp(1, MOST_NODES);
                self.set_to(id, Task::Annotate { source, nodes });
                return Ok(None);
            }
            Ask::Stop => {
                self.thinker.stop();
                return Ok(None);
            }
        }))
    }

    /// Sets the engine to work on what was asked.
    fn set_to(&mut self, id: u64, task: Task) {
        let outbox = self.outbox.clone();
        self.thinker.ask(task, move |thought| {
            let answer = match thought {
                Thought::Report(report) => Answer::Report(report),
                Thought::Best(best) => Answer::Best(best),
                Thought::Looked(count) => Answer::Looked(count),
                Thought::Annotated(annotation) => Answer::Annotation(annotation),
                Thought::Failed(error) => Answer::Error(error.to_string()),
            };
            // Whoever is gone needs no answer; the session ends the search.
            let _ = outbox.send(text(&Reply { id, answer }));
        });
    }
}

/// The game of a draft that can be made in it.
fn checked(game: &Record, draft: &Draft) -> Result<Played, Fault> {
    let played = game.play()?;
    draft.check(played.game.position())?;
    Ok(played)
}

fn hello() -> Hello {
    let sizes = Size::ALL.map(|size| {
        let reserve = Reserve::standard(size);
        (size.width() as u64, reserve.stones, reserve.caps)
    });
    Hello {
        version: env!("CARGO_PKG_VERSION"),
        sizes: sizes.to_vec(),
        half_komi: (Komi::MIN_HALF, Komi::MAX_HALF),
        komi_means: (Komi::MIN_HALF..=Komi::MAX_HALF)
            .filter_map(|half| Komi::from_half(half).ok())
            .map(words::komi_means)
            .collect(),
        levels: Level::MAX,
        reserve: (Reserve::MAX_STONES, Reserve::MAX_CAPS),
        lines: MOST_LINES,
    }
}

fn text(message: &impl Serialize) -> String {
    // Nothing that is sent has maps with keys that are no texts, which is all that could fail.
    serde_json::to_string(message).unwrap_or_default()
}
