//! The engine of the bot: it answers one question after the other, and may ponder before the next one.

use std::io;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

use crate::bot::{Event, Question};
use tak_engine::board::{Game, Move};
use tak_engine::engine::{Engine, EngineThread, Limits, Ponder, SearchRequest, Settings};
use tak_engine::search::Report;
use tokio::sync::mpsc::UnboundedSender;

/// Nodes to score the move of a level: some milliseconds, after a search of at most 10,000 nodes.
const JUDGED_NODES: u64 = 2000;

/// A ponder search.
#[derive(Debug, Default)]
struct Pondering {
    /// Set when the engine begins, unless no position is expected.
    ponder: OnceLock<Ponder>,
    /// The result, if the search has ended by itself.
    report: OnceLock<Report>,
}

impl Pondering {
    /// Turns it into the search for the answer, if this is the expected question.
    fn hit(&self, question: &Question) -> bool {
        let ponder = self.ponder.get().filter(|ponder| *ponder.game() == question.game);
        let Some((ponder, clock)) = ponder.zip(question.limits.clock) else {
            return false;
        };
        ponder.hit(clock, Duration::ZERO);
        true
    }
}

/// Controls the engine on its thread, which ends when this is dropped.
pub struct Thinker {
    thread: EngineThread,
    events: UnboundedSender<Event>,
    pondering: Option<Arc<Pondering>>,
}

impl Thinker {
    /// Starts the thread. Answers go to `events`; a panic ends them with [`Event::EngineLost`].
    pub fn start(engine: Engine, events: UnboundedSender<Event>) -> io::Result<Self> {
        let lost = events.clone();
        let thread = EngineThread::start(engine, move |_| drop(lost.send(Event::EngineLost)))?;
        Ok(Self { thread, events, pondering: None })
    }

    pub fn new_game(&mut self) {
        self.stop();
        self.thread.submit(|engine, _| engine.clear());
    }

    /// Asks for a move. A search in progress ends, unless it ponders on this question: then it continues as the answer.
    pub fn think(&mut self, question: Box<Question>) {
        let pondered = self.pondering.take().filter(|pondering| pondering.hit(&question));
        if pondered.is_none() {
            self.thread.stop();
        }
        let (events, asked) = (self.events.clone(), Instant::now());
        self.thread.submit(move |engine, stop| {
            engine.set(Settings { level: question.level, seed: question.seed, ..engine.settings().clone() });
            let known = pondered.and_then(|pondering| pondering.report.get().cloned());
            let mut report = known.map_or_else(
                || {
                    let request = SearchRequest::new(question.game.clone(), question.limits);
                    engine.run_with(&SearchRequest { waited: asked.elapsed(), ..request }, Some(stop), |_| {})
                },
                Ok,
            );
            if let Ok(report) = &mut report
                && question.level.is_some()
            {
                judge(engine, &question.game, report, stop);
            }
            // Without a receiver the bot has ended.
            let _ = events.send(Event::Judged(question.number, report));
        });
    }

    /// Ponders on the expected position after the first move of `line` in `game`, without an answer.
    pub fn ponder(&mut self, game: Box<Game>, line: Vec<Move>) {
        self.stop();
        let pondering = Arc::new(Pondering::default());
        self.pondering = Some(Arc::clone(&pondering));
        self.thread.submit(move |engine, stop| {
            let Some(expected) = engine.ponder(&game, &line) else {
                return;
            };
            let report = pondering.ponder.get_or_init(|| expected).run(engine, stop, |_| {});
            // Without a question it ends only with a proven result.
            if let Ok(report) = report
                && !stop.load(Relaxed)
            {
                let _ = pondering.report.set(report);
            }
        });
    }

    pub fn stop(&mut self) {
        self.thread.stop();
        self.pondering = None;
    }
}

/// Replaces the score of a level's move, which may be chosen without one, by that of a short search at full strength.
/// It decides about draws and is part of the comment in the PTN.
fn judge(engine: &mut Engine, game: &Game, report: &mut Report, stop: &AtomicBool) {
    let Some(line) = report.lines.first_mut() else {
        return;
    };
    let mut after = game.clone();
    let is_open = line.pv.first().is_some_and(|&mv| after.play(mv).is_ok()) && after.position().outcome().is_none();
    if !is_open {
        return;
    }
    let settings = engine.settings().clone();
    engine.set(Settings { level: None, multipv: 1, ..settings.clone() });
    let request = SearchRequest::new(after, Limits::nodes(JUDGED_NODES));
    let judged = engine.run_with(&request, Some(stop), |_| {});
    engine.set(settings);
    if let Some(best) = judged.ok().as_ref().and_then(|judged| judged.lines.first()) {
        line.score = -best.score;
    }
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tokio::sync::mpsc::{UnboundedReceiver, unbounded_channel};

    use super::*;
    use tak_engine::board::{AnyPosition, Komi, Size};
    use tak_engine::engine::Level;
    use tak_engine::search::Clock;

    fn start() -> (Thinker, UnboundedReceiver<Event>) {
        let engine = Engine::new(Settings { hash_mib: 1, ..Settings::default() });
        let (sender, answers) = unbounded_channel();
        (Thinker::start(engine, sender).unwrap(), answers)
    }

    fn question(number: u64, game: &Game) -> Box<Question> {
        let clock = Clock { remaining: Duration::from_secs(2), ..Clock::default() };
        Box::new(Question { number, game: game.clone(), limits: Limits::clock(clock), level: None, seed: number })
    }

    fn answer(answers: &mut UnboundedReceiver<Event>, number: u64) -> Report {
        match answers.blocking_recv() {
            Some(Event::Judged(answered, Ok(report))) if answered == number => report,
            other => panic!("{other:?}"),
        }
    }

    /// Waits until the engine ponders.
    fn wait(thinker: &Thinker) {
        let pondering = thinker.pondering.clone().unwrap();
        while pondering.ponder.get().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn a_ponder_hit_is_answered_by_the_ponder_search() {
        let (mut thinker, mut answers) = start();
        let game = Game::new(AnyPosition::start(Size::ALL[2], Komi::ZERO));
        thinker.think(question(1, &game));
        let line = answer(&mut answers, 1).lines.swap_remove(0).pv;
        let mut next = game.clone();
        next.play(line[0]).unwrap();
        next.play(line[1]).unwrap();
        thinker.ponder(Box::new(game.clone()), line.clone());
        wait(&thinker);
        let pause = Duration::from_millis(300);
        thread::sleep(pause);
        assert!(answers.try_recv().is_err(), "an answer without a question");
        thinker.think(question(2, &next));
        let report = answer(&mut answers, 2);
        assert!(report.time > pause, "{:?}", report.time);
        assert!(next.legal_moves().contains(&report.best().unwrap()));

        // Another reply: the search starts from the beginning.
        thinker.ponder(Box::new(game.clone()), line.clone());
        wait(&thinker);
        let mut other = game.clone();
        other.play(line[0]).unwrap();
        let reply = other.legal_moves().into_iter().find(|mv| *mv != line[1]);
        other.play(reply.unwrap()).unwrap();
        thinker.think(question(3, &other));
        let report = answer(&mut answers, 3);
        assert!(other.legal_moves().contains(&report.best().unwrap()));

        // A stopped ponder search does not answer even the same question.
        thinker.ponder(Box::new(game), line);
        wait(&thinker);
        thread::sleep(pause);
        thinker.stop();
        thinker.think(question(4, &next));
        let report = answer(&mut answers, 4);
        assert!(next.legal_moves().contains(&report.best().unwrap()));
        assert!(answers.try_recv().is_err());
    }

    #[test]
    fn a_level_has_the_score_of_full_strength() {
        let (mut thinker, mut answers) = start();
        // White has a road at a5 or at e3. The static evaluation of a level misses it.
        let game = Game::new("x2,2,2,2/1,x4/1,1,1,1,x/1,x4/1,x,2,2,2 2 7".parse().unwrap());
        for seed in 0..20 {
            thinker.think(Box::new(Question { level: Level::new(1), ..*question(seed, &game) }));
            let report = answer(&mut answers, seed);
            assert!(report.lines[0].score.is_loss(), "{seed}: {report:?}");
        }
    }
}
