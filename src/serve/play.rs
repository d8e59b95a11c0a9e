//! The questions of the page and their answers, as JSON: one object a message, answers with the `id` of the question.

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::draft::{Draft, Refused, Step, square_text};
use super::files::{self, Found, Names, ReadError};
use super::record::{Played, Record, RecordError, Start};
use super::socket::{Gone, Inbox, Outbox};
use super::thinker::{Question, ReportView, Thinker, Thought};
use super::view::{DraftView, View};
use crate::board::{Komi, Reserve, Size, Square};
use crate::tei::options::Grant;

/// The longest search in seconds: nobody looks longer than that without touching anything.
const LONGEST: f64 = 3600.0;

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
        seconds: f64,
        lines: usize,
    },
    /// To end that.
    Stop,
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
    /// The range of half komi.
    half_komi: (i64, i64),
    /// The most stones and capstones.
    reserve: (u8, u8),
    lines: usize,
}

/// Why a question is not answered as it was meant.
#[derive(Debug, thiserror::Error)]
enum Fault {
    #[error(
        "the page and the program do not understand each other; reloading the page may help ({0})"
    )]
    Question(#[from] serde_json::Error),
    #[error(transparent)]
    Record(#[from] RecordError),
    #[error(transparent)]
    Refused(#[from] Refused),
    #[error(transparent)]
    Read(#[from] ReadError),
    #[error("there is nothing to think about: the game is over")]
    Over,
}

/// Serves a page.
pub fn session(inbox: Inbox, outbox: &Outbox, grant: Grant) {
    let thinker = match Thinker::start(grant) {
        Ok(thinker) => thinker,
        Err(error) => return log::warn!("there is no thread for an engine: {error}"),
    };
    let mut desk = Desk {
        thinker,
        outbox: outbox.clone(),
    };
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
            let id = serde_json::from_str::<Value>(&message)
                .ok()
                .and_then(|value| value["id"].as_u64());
            // A message without a number cannot be answered.
            let Some(id) = id else {
                log::warn!("a page has sent no question: {message:.80}");
                continue;
            };
            let answer = self
                .answer(id, &message)
                .unwrap_or_else(|fault| Some(Answer::Error(fault.to_string())));
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
            Ask::Lift {
                game,
                square,
                count,
            } => {
                let played = game.play()?;
                let position = played.game.position();
                Answer::Draft(DraftView::of(
                    position,
                    Draft::lift(position, square, count)?,
                ))
            }
            Ask::Drop {
                game,
                draft,
                square,
                friendly,
            } => {
                let played = checked(&game, &draft)?;
                let position = played.game.position();
                match draft.drop(position, square, friendly)? {
                    Step::On(draft) => Answer::Draft(DraftView::of(position, draft)),
                    Step::Done(mv) => Answer::Move(mv.to_string()),
                    Step::Back => Answer::Back(true),
                }
            }
            Ask::Reach {
                game,
                draft,
                square,
            } => {
                let played = checked(&game, &draft)?;
                draft.reach(played.game.position(), square)?;
                Answer::Reach(true)
            }
            Ask::Read { text, like } => Answer::Found(files::read(&text, &like)?),
            Ask::Write { game, names } => Answer::Text {
                ptn: files::write(&game, &names)?,
                tps: files::tps(game.play()?.game.position()),
            },
            Ask::Think {
                game,
                seconds,
                lines,
            } => {
                self.think(id, game.play()?, seconds, lines)?;
                return Ok(None);
            }
            Ask::Stop => {
                self.thinker.stop();
                return Ok(None);
            }
        }))
    }

    fn think(&mut self, id: u64, played: Played, seconds: f64, lines: usize) -> Result<(), Fault> {
        if played.game.position().outcome().is_some() {
            return Err(Fault::Over);
        }
        // No number at all is the shortest time.
        let seconds = if seconds > 0.0 {
            seconds.min(LONGEST)
        } else {
            0.0
        };
        let question = Question {
            game: played.game,
            time: Duration::from_secs_f64(seconds),
            lines: lines.clamp(1, MOST_LINES),
        };
        let outbox = self.outbox.clone();
        self.thinker.ask(question, move |thought| {
            let answer = match thought {
                Thought::Report(report) => Answer::Report(report),
                Thought::Best(best) => Answer::Best(best),
                Thought::Failed(error) => Answer::Error(error.to_string()),
            };
            // Whoever is gone needs no answer; the session ends the search.
            let _ = outbox.send(text(&Reply { id, answer }));
        });
        Ok(())
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
        reserve: (Reserve::MAX_STONES, Reserve::MAX_CAPS),
        lines: MOST_LINES,
    }
}

fn text(message: &impl Serialize) -> String {
    // Nothing that is sent has maps with keys that are no texts, which is all that could fail.
    serde_json::to_string(message).unwrap_or_default()
}
