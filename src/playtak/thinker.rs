//! The engine in a thread of its own, which answers one question after the other, and may think about the next one before
//! it is asked.

use std::sync::atomic::{AtomicBool, Ordering::Relaxed};
use std::sync::mpsc::{Sender, channel};
use std::sync::{Arc, OnceLock};
use std::thread;
use std::time::{Duration, Instant};

use super::bot::Question;
use crate::board::{Game, Move};
use crate::engine::{Engine, HashError, Ponder, Settings};
use crate::search::Report;

enum Order {
    NewGame,
    Think {
        question: Box<Question>,
        asked: Instant,
        stop: Arc<AtomicBool>,
    },
    Ponder {
        game: Box<Game>,
        line: Vec<Move>,
        /// Where it is put for the other side.
        ponder: Arc<OnceLock<Ponder>>,
        stop: Arc<AtomicBool>,
    },
}

/// Says so when the thread that has it ends by a panic.
struct OnPanic<F: Fn()>(F);

impl<F: Fn()> Drop for OnPanic<F> {
    fn drop(&mut self) {
        if thread::panicking() {
            (self.0)();
        }
    }
}

/// The way to the engine. Its thread ends when this does.
pub(super) struct Thinker {
    orders: Sender<Order>,
    stop: Arc<AtomicBool>,
    /// What is being thought about without a question, once the engine has got there.
    ponder: Option<Arc<OnceLock<Ponder>>>,
}

impl Thinker {
    /// Sets the engine to work; its answers go to `tell`. Should it break down there will be none, and `lost` is called.
    pub fn start(
        mut engine: Engine,
        tell: impl Fn(u64, Result<Report, HashError>) + Send + 'static,
        lost: impl Fn() + Send + 'static,
    ) -> Self {
        let (orders, received) = channel();
        thread::spawn(move || {
            let _lost = OnPanic(lost);
            // What was thought about without a question, and what came of it.
            let mut pondered: Option<(Game, Report)> = None;
            for order in received {
                let known = pondered.take();
                match order {
                    Order::NewGame => engine.clear(),
                    Order::Think { question, asked, stop } => {
                        engine.set(Settings {
                            level: question.level,
                            seed: question.seed,
                            ..engine.settings().clone()
                        });
                        let report = match known {
                            Some((game, report)) if game == question.game => Ok(report),
                            _ => engine
                                .analysis(&question.game)
                                .limits(question.limits)
                                .waited(asked.elapsed())
                                .stop(&stop)
                                .run(),
                        };
                        tell(question.number, report);
                    }
                    Order::Ponder { game, line, ponder, stop } => {
                        let Some(expected) = engine.ponder(&game, &line) else {
                            continue;
                        };
                        let ponder = ponder.get_or_init(|| expected);
                        let report = ponder.run(&mut engine, &stop, |_| {});
                        // Without a question it only ends when the result is known.
                        let is_done = !stop.load(Relaxed);
                        let report = report.ok().filter(|_| is_done);
                        pondered = report.map(|report| (ponder.game().clone(), report));
                    }
                }
            }
        });
        Self { orders, stop: Arc::default(), ponder: None }
    }

    /// Forgets the last game.
    pub fn new_game(&mut self) {
        self.stop();
        self.order(Order::NewGame);
    }

    /// Asks for a move. What is still being thought about is answered soon; but if it is this question, which was expected,
    /// it becomes the answer.
    pub fn think(&mut self, question: Box<Question>) {
        let ponder = self.ponder.take();
        let ponder = ponder.as_deref().and_then(OnceLock::get);
        let hit = ponder.filter(|ponder| *ponder.game() == question.game).zip(question.limits.clock);
        if let Some((ponder, clock)) = hit {
            ponder.hit(clock, Duration::ZERO);
        } else {
            self.stop();
            self.stop = Arc::default();
        }
        self.order(Order::Think { question, asked: Instant::now(), stop: Arc::clone(&self.stop) });
    }

    /// Thinks about what the next question may be, once the first move of `line` has been played in `game`. Nobody is told
    /// of it.
    pub fn ponder(&mut self, game: Box<Game>, line: Vec<Move>) {
        self.stop();
        self.stop = Arc::default();
        let ponder = Arc::default();
        self.ponder = Some(Arc::clone(&ponder));
        self.order(Order::Ponder { game, line, ponder, stop: Arc::clone(&self.stop) });
    }

    fn order(&self, order: Order) {
        // If the thread has panicked there is nobody to tell, and `lost` has been called.
        let _ = self.orders.send(order);
    }

    /// Ends the search in progress.
    pub fn stop(&mut self) {
        self.stop.store(true, Relaxed);
        self.ponder = None;
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::Receiver;

    use super::*;
    use crate::board::{AnyPosition, Komi, Size};
    use crate::engine::{Level, Limits};
    use crate::search::Clock;

    type Answers = Receiver<(u64, Result<Report, HashError>)>;

    fn start() -> (Thinker, Answers) {
        let settings = Settings { hash_mib: 1, ..Settings::default() };
        let engine = Engine::new(settings);
        let (sender, answers) = channel();
        let tell = move |number, report| drop(sender.send((number, report)));
        (Thinker::start(engine, tell, || {}), answers)
    }

    fn question(number: u64, game: &Game) -> Box<Question> {
        let clock = Clock { remaining: Duration::from_secs(2), ..Clock::default() };
        Box::new(Question { number, game: game.clone(), limits: Limits::clock(clock), level: None, seed: number })
    }

    fn answer(answers: &Answers, number: u64) -> Report {
        let (answered, report) = answers.recv_timeout(Duration::from_secs(60)).unwrap();
        assert_eq!(answered, number);
        report.unwrap()
    }

    /// Waits until the engine is at it.
    fn wait(thinker: &Thinker) {
        let ponder = thinker.ponder.clone().unwrap();
        while ponder.get().is_none() {
            thread::sleep(Duration::from_millis(1));
        }
    }

    #[test]
    fn the_expected_question_is_answered_by_what_was_thought_before() {
        let (mut thinker, answers) = start();
        let game = Game::new(AnyPosition::start(Size::ALL[2], Komi::ZERO));
        thinker.think(question(1, &game));
        let line = answer(&answers, 1).lines.swap_remove(0).pv;
        let mut next = game.clone();
        next.play(line[0]).unwrap();
        next.play(line[1]).unwrap();
        thinker.ponder(Box::new(game.clone()), line.clone());
        wait(&thinker);
        let pause = Duration::from_millis(300);
        thread::sleep(pause);
        assert!(answers.try_recv().is_err(), "nobody has asked");
        thinker.think(question(2, &next));
        let report = answer(&answers, 2);
        assert!(report.time > pause, "{:?}", report.time);
        assert!(next.legal_moves().contains(&report.best().unwrap()));

        // Another reply: the question is thought about from its beginning.
        thinker.ponder(Box::new(game.clone()), line.clone());
        wait(&thinker);
        let mut other = game.clone();
        other.play(line[0]).unwrap();
        let reply = other.legal_moves().into_iter().find(|mv| *mv != line[1]);
        other.play(reply.unwrap()).unwrap();
        thinker.think(question(3, &other));
        let report = answer(&answers, 3);
        assert!(other.legal_moves().contains(&report.best().unwrap()));

        // What was stopped is no answer, not even to the same question.
        thinker.ponder(Box::new(game), line);
        wait(&thinker);
        thread::sleep(pause);
        thinker.stop();
        thinker.think(question(4, &next));
        let report = answer(&answers, 4);
        assert!(next.legal_moves().contains(&report.best().unwrap()));
        assert!(answers.try_recv().is_err());
    }

    #[test]
    fn an_engine_that_breaks_down_is_noticed() {
        let engine = Engine::new(Settings::default());
        let (sender, lost) = channel();
        let mut thinker = Thinker::start(
            engine,
            |_, _| panic!("as an engine might"),
            move || {
                let _ = sender.send(());
            },
        );
        let game = Game::new(AnyPosition::start(Size::ALL[0], Komi::ZERO));
        thinker.think(question(1, &game));
        lost.recv_timeout(Duration::from_secs(60)).unwrap();
    }

    #[test]
    fn a_game_at_a_level_is_not_thought_about_between_the_questions() {
        let (mut thinker, answers) = start();
        let game = Game::new(AnyPosition::start(Size::ALL[2], Komi::ZERO));
        let at_level = |number| Box::new(Question { level: Level::new(5), ..*question(number, &game) });
        thinker.think(at_level(1));
        let line = answer(&answers, 1).lines.swap_remove(0).pv;
        thinker.ponder(Box::new(game.clone()), line);
        let ponder = thinker.ponder.clone().unwrap();
        thinker.think(at_level(2));
        answer(&answers, 2);
        assert!(ponder.get().is_none());
    }
}
