//! A second engine for a page: another program that speaks TEI, which analyses the positions that the page shows and plays
//! games there. It is started with the first of them, and again after a failure with the next.

use std::io;
use std::ops::ControlFlow;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, TryRecvError, channel};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use crate::arena::play::config::{EngineConfig, EngineOptions};
use crate::arena::play::player::{EngineEntry, Failure, Fault, Player, Unfinished};
use crate::arena::play::process::Cancel;
use crate::arena::words::read_words;
use crate::board::{AnyPosition, ByColor, Komi, OpeningRule, Reserve, Size};
use crate::page::{Aim, Consultation, Findings, Question};
use crate::tei::command::{Command, GoWords};

/// Time between two reports to the page.
const INTERVAL: Duration = Duration::from_millis(100);

/// The longest analysis of a position. After that, the user is probably away.
const MAX_ANALYSIS: Duration = Duration::from_secs(3600);

/// The program and its options.
#[derive(Debug, Clone)]
pub struct SecondEngine(Arc<EngineConfig>);

impl SecondEngine {
    /// Takes settings as those of an engine in a tournament, `path=PROGRAM` and so on, without a time control.
    pub fn read(words: &[String]) -> Result<Self, String> {
        let config = read_words::<EngineOptions>("--engine", words)?.untimed();
        config.map(|config| Self(Arc::new(config))).map_err(|fault| format!("--engine: {fault}"))
    }

    pub fn name(&self) -> &str {
        &self.0.name
    }
}

/// Sends an answer to the page; fails if that has disconnected.
type ToPage = dyn Fn(String) -> io::Result<()> + Send;

/// A consultation, or the wish that the present one ends.
type Wish = Option<Consultation>;

/// The engine of one page. It ends with this.
pub struct Second {
    wishes: Option<Sender<Wish>>,
    cancel: Arc<Cancel>,
    thread: Option<JoinHandle<()>>,
}

impl Second {
    pub fn start(SecondEngine(config): SecondEngine, send: Box<ToPage>) -> io::Result<Self> {
        let cancel = Arc::new(Cancel::new()?);
        let (sender, receiver) = channel();
        let own = Arc::clone(&cancel);
        let work = move || work(&config, Wishes { receiver, newest: None }, &own, &*send);
        let thread = thread::Builder::new().name("second-engine".to_owned()).spawn(work)?;
        Ok(Self { wishes: Some(sender), cancel, thread: Some(thread) })
    }

    /// Works on another question, in the place of the present one.
    ///
    /// # Errors
    /// The answer that refuses the question.
    pub fn ask(&self, question: Question) -> Result<(), String> {
        self.wish(Some(Consultation::read(question)?));
        Ok(())
    }

    pub fn stop(&self) {
        self.wish(None);
    }

    fn wish(&self, wish: Wish) {
        // The thread has ended only if the page has disconnected.
        _ = self.wishes.as_ref().map(|wishes| wishes.send(wish));
    }
}

impl Drop for Second {
    fn drop(&mut self) {
        self.wishes = None;
        self.cancel.cancel();
        // A panic has been printed.
        _ = self.thread.take().map(JoinHandle::join);
    }
}

struct Wishes {
    receiver: Receiver<Wish>,
    /// The last one that was received during a consultation.
    newest: Option<Wish>,
}

impl Wishes {
    /// Waits for the next consultation; `None` at the end.
    fn next(&mut self) -> Option<Consultation> {
        loop {
            match self.newest.take() {
                Some(Some(consultation)) => return Some(consultation),
                Some(None) => {}
                None => self.newest = Some(self.receiver.recv().ok()?),
            }
        }
    }

    /// Returns whether the present consultation is no longer wanted.
    fn are_others(&mut self) -> bool {
        loop {
            match self.receiver.try_recv() {
                Ok(wish) => self.newest = Some(wish),
                Err(TryRecvError::Empty) => return self.newest.is_some(),
                Err(TryRecvError::Disconnected) => return true,
            }
        }
    }
}

/// An engine is started for one board, komi and opening.
fn rules(consultation: &Consultation) -> (Size, Komi, OpeningRule) {
    let start = consultation.game().start();
    (start.size(), start.komi(), start.opening())
}

fn work(config: &EngineConfig, mut wishes: Wishes, cancel: &Cancel, send: &ToPage) {
    let mut next = wishes.next();
    while let Some(first) = &next {
        let own = rules(first);
        let entry = EngineEntry::new(config.clone(), own.0, own.1, own.2);
        let mut player = Player::new(&entry, cancel);
        while let Some(consultation) = next.take_if(|next| rules(next) == own) {
            let done = consult(&mut player, &consultation, &mut wishes, send);
            if let Err(failure) = &done {
                match failure {
                    Failure::Unfinished(Unfinished::Cancelled) => return,
                    Failure::Fault(Fault { detail: why, .. }) | Failure::Unfinished(Unfinished::Breakdown(why)) => {
                        _ = send(consultation.failed(why));
                    }
                }
            }
            next = wishes.next();
            // The user sees why, so failed starts are not counted.
            if done.is_err() {
                break;
            }
        }
        player.quit();
    }
}

/// The words of `go`, and when the answer to it is due.
fn limits(aim: &Aim) -> (GoWords<'static>, Option<Duration>) {
    let millis = |time: Duration| i64::try_from(time.as_millis()).ok();
    match *aim {
        Aim::Analysis(_) | Aim::Check => (GoWords { infinite: true, ..GoWords::default() }, None),
        Aim::Move(time) => (GoWords { movetime: millis(time), ..GoWords::default() }, Some(time)),
        Aim::MoveByClock { remaining, increment } => {
            // Some engines need both clocks.
            let (wtime, winc) = (millis(remaining), millis(increment));
            (GoWords { wtime, btime: wtime, winc, binc: winc, ..GoWords::default() }, Some(remaining))
        }
    }
}

fn consult(
    player: &mut Player,
    consultation: &Consultation,
    wishes: &mut Wishes,
    send: &ToPage,
) -> Result<(), Failure> {
    let start = consultation.game().start();
    let standard = AnyPosition::start_with(start.size(), start.komi(), start.opening());
    let setup = start.to_setup();
    if setup.reserves != ByColor([Reserve::standard(setup.size); 2]) {
        _ = send(consultation.failed("it knows games with the usual numbers of pieces only"));
        return Ok(());
    }
    let is_check = matches!(consultation.aim(), Aim::Check);
    if is_check || !player.is_running() {
        player.new_game(&[])?;
    }
    if is_check {
        _ = send(consultation.done());
        return Ok(());
    }
    let moves: Vec<String> = consultation.game().moves().iter().map(ToString::to_string).collect();
    let position = Command::Position {
        tps: (*start != standard).then_some(setup),
        moves: moves.iter().map(String::as_str).collect(),
    };
    let (begun, mut told) = (Instant::now(), None::<Instant>);
    let (mut findings, mut is_new) = (Findings::new(consultation), false);
    let best = player.search(position, consultation.lines(), limits(consultation.aim()), |info| {
        is_new |= info.is_some_and(|info| findings.note(info));
        let mut is_heard = true;
        if is_new && told.is_none_or(|told| told.elapsed() >= INTERVAL) {
            (told, is_new) = (Some(Instant::now()), false);
            is_heard = send(findings.report()).is_ok();
        }
        if is_heard && !wishes.are_others() && begun.elapsed() < MAX_ANALYSIS {
            ControlFlow::Continue(())
        } else {
            ControlFlow::Break(())
        }
    })?;
    if !wishes.are_others() {
        if is_new {
            _ = send(findings.report());
        }
        _ = send(findings.answer(&best));
    }
    Ok(())
}
