//! Scripts of the bot's events and of the requests that it makes.

mod connection;
mod games;
mod races;
mod thinking;
mod transcripts;

use super::*;
use crate::book::Book;
use tak_engine::notation::parse_games;
use tak_engine::search::{Line, Score};

const START: &str = "Game Start 7 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0";
const START_BLACK: &str = "Game Start 7 alice vs Guest1 black 5 600 10 4 21 1 0 0 0 0 0";

fn settings() -> Settings {
    Settings {
        site: "PlayTak.com".into(),
        login: Login::Guest { token: "abcdefghijklmnopqrst".into() },
        opponents: Opponents::Seeks(vec![
            "size=5 komi=2 time=10:00 inc=10".parse().unwrap(),
            "size=6 komi=2 time=10:00 inc=5".parse().unwrap(),
        ]),
        games: None,
        undo: false,
        ponder: false,
        resign: false,
        chat: true,
        level: None,
        book: Book::default(),
    }
}

/// A bot and its clock.
struct TestBot {
    bot: Bot,
    now: Duration,
}

/// Runs a script with a new bot. Each line, or part of one between ` / `, is an event; after `->` come all requests
/// that follow from it, separated by `;`. Without `->` they are not checked. An event is a line of the server, or one
/// of these:
///
/// `log in` up to the welcome, `ready` up to the first seek, `start` and `start black` for a game, `connected`,
/// `connected privately`, `cut`, `interrupt`, `wait SECONDS`, `engine MOVE SCORE` for the answer to the last question,
/// with centiflats or `lost`.
///
/// Requests are lines for the server (the first words of a seek), or `stop`, `new`, `hang up`, `end`, `ponder PLIES`, `think
/// PLIES LEVEL SECONDS+INCREMENT SEED`, whose last words may be missing, and `keep RESULT MOVES`, in which a move with
/// a comment has a `*`, one of the book `(book)`. `...` stands for the rest of one. Output for the operator is only
/// checked by `say PART`.
fn run(settings: Settings, script: &str) {
    let mut bot = TestBot::after(settings, &[]);
    let mut faults = Vec::new();
    for line in script.lines().flat_map(|line| line.split(" / ")).map(str::trim) {
        let (event, expected) = match line.split_once("->") {
            Some((event, expected)) => (event.trim(), Some(expected)),
            None => (line, None),
        };
        let requests = bot.happen(event);
        let Some(expected) = expected else { continue };
        let (says, expected): (Vec<&str>, Vec<&str>) = expected
            .split(';')
            .map(str::trim)
            .filter(|part| !part.is_empty())
            .partition(|part| part.starts_with("say "));
        let said = said(&requests);
        let actual: Vec<String> = requests.iter().filter_map(text).collect();
        let is_same = |(actual, expected): (&String, &&str)| match expected.strip_suffix("...") {
            Some(start) => actual.starts_with(start),
            None if expected.starts_with("think ") || expected.starts_with("Seek ") => {
                format!("{actual} ").starts_with(&format!("{expected} "))
            }
            None => actual == expected,
        };
        let are_said = says.iter().all(|part| said.contains(&part[4..]));
        if actual.len() != expected.len() || !actual.iter().zip(&expected).all(is_same) || !are_said {
            faults.push(format!("{line}\n    but {}; say {said}", actual.join("; ")));
        }
    }
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

/// Runs a script with the usual settings.
fn script(script: &str) {
    run(settings(), script);
}

impl TestBot {
    fn after(settings: Settings, events: &[&str]) -> Self {
        let mut bot = Self { bot: Bot::new(settings, SystemTime::UNIX_EPOCH), now: Duration::ZERO };
        for event in events {
            bot.happen(event);
        }
        bot
    }

    /// Passes an event on, and checks what holds after all of them.
    fn handle(&mut self, event: Event) -> Vec<Request> {
        let requests = self.bot.handle(event, self.now);
        for request in &requests {
            match request {
                Request::Send(command) => assert!(!command.line().contains(char::is_control), "{command:?}"),
                Request::Think(question) => assert_eq!(question.game.position().outcome(), None),
                Request::Ponder(game, line) => assert!(line.first().is_some_and(|mv| game.legal_moves().contains(mv))),
                Request::Keep(game) => assert!(parse_games(&game.to_string()).all(|game| game.is_ok()), "{game}"),
                _ => {}
            }
        }
        let is_over = requests.iter().any(|request| matches!(request, Request::End(_)));
        assert!(is_over || self.bot.wake_at() > self.now, "it would wake forever");
        requests
    }

    fn happen(&mut self, event: &str) -> Vec<Request> {
        let words: Vec<&str> = event.split(' ').collect();
        let mut all = |events: &[&str]| events.iter().flat_map(|event| self.happen(event)).collect();
        match words[..] {
            ["log", "in"] => all(&["connected", "Login or Register", "OK", "OK", "Welcome Guest1!"]),
            ["ready"] => all(&["log in", "OK"]),
            ["start"] => all(&[START]),
            ["start", "black"] => all(&[START_BLACK]),
            ["connected", ref privately @ ..] => self.handle(Event::Connected { is_private: !privately.is_empty() }),
            ["cut"] => self.handle(Event::Disconnected),
            ["interrupt"] => self.handle(Event::Interrupted),
            ["wait", seconds] => {
                self.now += Duration::from_secs(seconds.parse().unwrap());
                self.handle(Event::Tick)
            }
            ["engine", mv, score] => {
                let score = score.parse().map_or(Score::loss_in(4), Score::centiflats);
                let line = Line { score, bound: None, solved: score.solved(), pv: vec![mv.parse().unwrap()] };
                let report = Report { lines: vec![line], ..Report::default() };
                self.handle(Event::Judged(self.bot.questions, Ok(report)))
            }
            _ => self.handle(Event::Line(event.into())),
        }
    }
}

/// A request as a script has it.
fn text(request: &Request) -> Option<String> {
    Some(match request {
        Request::Send(command) => command.line().trim_end().to_owned(),
        Request::HangUp => "hang up".to_owned(),
        Request::NewGame => "new".to_owned(),
        Request::Think(question) => {
            let clock = question.limits.clock.unwrap();
            let level = question.level.map_or_else(|| "full".to_owned(), |level| level.number().to_string());
            let (plies, left, increment) = (question.game.moves().len(), clock.remaining, clock.increment);
            format!("think {plies} {level} {}+{} {}", left.as_secs(), increment.as_secs(), question.seed)
        }
        Request::Ponder(game, _) => format!("ponder {}", game.moves().len()),
        Request::StopThinking => "stop".to_owned(),
        Request::Keep(game) => {
            let mut text = format!("keep {}", game.result.as_deref().unwrap());
            for ptn in &game.moves {
                let mark = match ptn.comments.first().map(String::as_str) {
                    None => "",
                    Some("book") => "(book)",
                    Some(_) => "*",
                };
                text.extend([" ", &ptn.mv.to_string(), mark]);
            }
            text
        }
        Request::Say(_) => return None,
        Request::End(Ok(())) => "end".to_owned(),
        Request::End(Err(failure)) => format!("end {failure:?}"),
    })
}

/// All output for the operator.
fn said(requests: &[Request]) -> String {
    let texts = requests.iter().filter_map(|request| match request {
        Request::Say(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

#[test]
#[should_panic(expected = "wait 1 -> Seek 5\n    but ")]
fn a_script_that_is_not_followed_fails() {
    script("ready / wait 1 -> Seek 5");
}
