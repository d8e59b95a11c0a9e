//! The engine of a page, on a thread of its own: it answers the last question, and nobody waits for the ones before.

use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering::Relaxed};
use std::time::Instant;

use serde::Serialize;

use super::annotation::AnnotationView;
use super::words;
use crate::annotate::examine::{Examiner, examine};
use crate::annotate::judge::judge;
use crate::annotate::source::Source;
use crate::board::{AnyPosition, Color, Game};
use crate::engine::{Engine, EngineThread, HashError, Level, Limits, Settings, WeightSet};
use crate::search::{Bound, Line, Players, Report, Solved};
use crate::tei::options::Grant;

/// What the engine is to do.
pub enum Task {
    /// To think about a position.
    Think(Question),
    /// To look at every position of a game, and to visit so many positions for each.
    Annotate { source: Source, nodes: u64 },
}

/// A position to think about.
pub struct Question {
    pub game: Game,
    pub limits: Limits,
    /// How many of the best moves to tell of.
    pub lines: usize,
    /// How strong to play; `None` for full strength.
    pub level: Option<Level>,
    /// What a level does by chance is the same with the same seed.
    pub seed: u64,
}

/// What the engine has to say.
pub enum Thought {
    Report(ReportView),
    /// The end of the search, with the move to play.
    Best(Option<String>),
    /// How many positions of the game have been looked at.
    Looked(usize),
    Annotated(Box<AnnotationView>),
    Failed(HashError),
}

/// How far a search is.
#[derive(Debug, Serialize)]
pub struct ReportView {
    depth: u32,
    nodes: u64,
    nodes_per_second: u64,
    milliseconds: u64,
    lines: Vec<LineView>,
}

/// One of the best moves, and what may follow.
#[derive(Debug, Serialize)]
struct LineView {
    /// That White wins, that it is a draw, that Black wins, in thousandths.
    chances: [u32; 3],
    /// Flats that White is ahead, or what is proven.
    score: String,
    /// What is proven, in words.
    #[serde(skip_serializing_if = "Option::is_none")]
    proven: Option<String>,
    moves: Vec<String>,
    /// Where the first of them leads from, and to; the same square where a piece is placed.
    from: String,
    to: String,
}

/// The way to the engine.
pub struct Thinker {
    grant: Grant,
    thread: EngineThread,
}

impl Thinker {
    /// An engine that gets its memory while nobody has asked it anything.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(grant: Grant) -> io::Result<Self> {
        // The panic has been printed. The page asks in vain until it is loaded again.
        let mut thread = EngineThread::start(new_engine(grant), |_| {})?;
        // Whoever asks something is told why it fails.
        thread.submit(|engine, _| _ = engine.prepare());
        Ok(Self { grant, thread })
    }

    /// Asks something. What is being thought about is ended, and no more is told of it.
    pub fn ask(&mut self, task: Task, tell: impl Fn(Thought) + Send + Sync + 'static) {
        self.thread.stop();
        let (grant, asked) = (self.grant, Instant::now());
        self.thread.submit(move |engine, stop| {
            // A later question has come already.
            if stop.load(Relaxed) {
                return;
            }
            match &task {
                Task::Think(question) => think(engine, grant, question, asked, stop, &tell),
                Task::Annotate { source, nodes } => {
                    // This takes a table of its own, and there is to be no more than one.
                    *engine = new_engine(grant);
                    annotate(grant, source, *nodes, stop, &tell);
                    _ = engine.prepare();
                }
            }
        });
    }

    /// Ends what is in progress. The best move of a search is told, of a game that is looked at nothing more.
    pub fn stop(&mut self) {
        self.thread.stop();
    }
}

fn new_engine(grant: Grant) -> Engine {
    Engine::new(settings(grant))
}

/// All that is granted.
fn settings(grant: Grant) -> Settings {
    Settings { hash_mib: grant.hash_mib as usize, threads: grant.threads as usize, ..Settings::default() }
}

type Tell<'a> = &'a (dyn Fn(Thought) + Sync);

fn think(engine: &mut Engine, grant: Grant, question: &Question, asked: Instant, stop: &AtomicBool, tell: Tell) {
    let game = &question.game;
    engine.set(Settings { multipv: question.lines, level: question.level, seed: question.seed, ..settings(grant) });
    let position = game.position();
    let report = engine
        .analysis(game)
        .limits(question.limits)
        .waited(asked.elapsed())
        .stop(stop)
        .observer(|report| tell(Thought::Report(view(position, report))))
        .run();
    tell(match report {
        Ok(report) => {
            tell(Thought::Report(view(position, &report)));
            Thought::Best(report.best().map(|mv| mv.to_string()))
        }
        Err(error) => Thought::Failed(error),
    });
}

fn annotate(grant: Grant, source: &Source, nodes: u64, stop: &Arc<AtomicBool>, tell: Tell) {
    let limits = Limits::nodes(nodes);
    let mut settings = Examiner::settings(&limits, WeightSet::default());
    settings.hash_mib = settings.hash_mib.min(grant.hash_mib as usize);
    let Some(game) = &source.game else {
        return;
    };
    let looks = Examiner::new(settings, limits, Instant::now()).and_then(|examiner| {
        let mut examiner = examiner.stopped_by(Arc::clone(stop));
        let steps = AtomicUsize::new(0);
        let step = || {
            // Two for each position, and the last of them ends the work.
            let done = steps.fetch_add(1, Relaxed) + 1;
            if done.is_multiple_of(2) && done / 2 <= game.moves().len() {
                tell(Thought::Looked(done / 2));
            }
        };
        examine(&mut [examiner.examination()], game, Vec::new(), &step)
    });
    match looks {
        Ok(_) if stop.load(Relaxed) => {}
        Ok(looks) => {
            let judged = judge(source.clone(), &looks);
            let view = AnnotationView::of(game.start(), &judged);
            tell(Thought::Annotated(Box::new(view)));
        }
        Err(error) => tell(Thought::Failed(error)),
    }
}

fn view(position: &AnyPosition, report: &Report) -> ReportView {
    ReportView {
        depth: report.depth,
        nodes: report.nodes,
        nodes_per_second: report.nps(),
        milliseconds: report.time.as_millis().try_into().unwrap_or(u64::MAX),
        lines: report.lines.iter().map(|line| line_view(position, line, report.wdl(line, Players::People))).collect(),
    }
}

/// `chances` are those of the player to move.
fn line_view(position: &AnyPosition, line: &Line, mut chances: [u32; 3]) -> LineView {
    let to_move = position.to_move();
    let mut centiflats = line.score.value();
    if to_move == Color::Black {
        chances.reverse();
        centiflats = -centiflats;
    }
    let solved = line.solved.or(line.score.solved());
    let proven = solved.map(|solved| {
        let (winner, plies) = match solved {
            Solved::Win(plies) => (to_move, plies),
            Solved::Loss(plies) => (!to_move, plies),
        };
        words::proven(position, winner, plies, &line.pv)
    });
    let bound = match (line.bound, to_move) {
        (None, _) => "",
        (Some(Bound::Lower), Color::White) | (Some(Bound::Upper), Color::Black) => "≥ ",
        (Some(_), _) => "≤ ",
    };
    LineView {
        chances,
        score: match solved {
            Some(solved) => format!("{}", solved.plies()),
            None => format!("{bound}{:+.2}", f64::from(centiflats) / 100.0),
        },
        proven,
        moves: line.pv.iter().map(ToString::to_string).collect(),
        from: line.pv.first().map_or_else(String::new, |mv| mv.square().to_string()),
        to: line.pv.first().map_or_else(String::new, |mv| mv.target().to_string()),
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
    use std::thread;
    use std::time::Duration;

    use super::*;

    const GRANT: Grant = Grant { hash_mib: 1, threads: 1, files: false };

    fn question(tps: &str, time: Duration) -> Task {
        Task::Think(Question {
            game: Game::new(tps.parse().unwrap()),
            limits: Limits::move_time(time),
            lines: 2,
            level: None,
            seed: 0,
        })
    }

    fn ask(thinker: &mut Thinker, task: Task) -> Receiver<Thought> {
        let (sender, thoughts) = channel();
        thinker.ask(task, move |thought| drop(sender.send(thought)));
        thoughts
    }

    /// Everything up to the end of the search.
    fn wait(thoughts: &Receiver<Thought>) -> (Vec<ReportView>, Option<String>) {
        let mut reports = Vec::new();
        loop {
            match thoughts.recv_timeout(Duration::from_secs(60)) {
                Ok(Thought::Report(report)) => reports.push(report),
                Ok(Thought::Best(best)) => return (reports, best),
                Ok(Thought::Failed(error)) => panic!("{error}"),
                Ok(Thought::Looked(_) | Thought::Annotated(_)) => {
                    panic!("no game was to be annotated")
                }
                Err(error) => panic!("{error}"),
            }
        }
    }

    #[test]
    fn chances_are_those_of_white_and_wins_are_named() {
        let mut thinker = Thinker::start(GRANT).unwrap();
        for (tps, best, says, chances) in [
            ("x3/1,1,x/2,2,x 1 3", "c2", "White has a road in 1 ply", [1000, 0, 0]),
            ("x3/1,1,x/2,2,x 2 3", "c1", "Black has a road in 1 ply", [0, 0, 1000]),
        ] {
            let thoughts = ask(&mut thinker, question(tps, Duration::from_secs(20)));
            let (reports, found) = wait(&thoughts);
            assert_eq!(found.as_deref(), Some(best));
            let line = &reports[reports.len() - 1].lines[0];
            assert_eq!((line.proven.as_deref(), line.chances), (Some(says), chances));
        }
    }

    #[test]
    fn a_question_ends_the_one_before_and_the_end_ends_all() {
        let mut thinker = Thinker::start(GRANT).unwrap();
        let long = |thinker: &mut Thinker| ask(thinker, question("x6/x6/x6/x6/x6/x6 1 1", Duration::from_secs(600)));
        let first = long(&mut thinker);
        assert!(first.recv_timeout(Duration::from_secs(60)).is_ok());
        let second = long(&mut thinker);
        assert!(wait(&first).1.is_some());
        assert!(second.recv_timeout(Duration::from_secs(60)).is_ok());
        thinker.stop();
        assert!(wait(&second).1.is_some());
        // A game that is looked at ends as well, and nothing more is told of it.
        let ptn = "[Size \"6\"]\n1. a1 f6 2. c3 d4 3. c4 d3".to_owned();
        let source = Source::stored(0, ptn, None);
        let nodes = u64::MAX;
        let annotated = ask(&mut thinker, Task::Annotate { source, nodes });
        thread::sleep(Duration::from_millis(50));
        let third = long(&mut thinker);
        assert!(third.recv_timeout(Duration::from_secs(60)).is_ok());
        assert!(annotated.recv().is_err());
        drop(thinker);
        // The thread is gone, and with it the only one who could tell more.
        while third.try_recv().is_ok() {}
        assert_eq!(third.recv_timeout(Duration::ZERO).err(), Some(RecvTimeoutError::Disconnected));
    }
}
