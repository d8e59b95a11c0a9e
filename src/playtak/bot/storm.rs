//! The bot against a server that sends random lines at random times.

use rand::prelude::*;
use rand::rngs::StdRng;

use super::*;
use crate::arena::openings::book::parse_lines;
use crate::board::{Move, Size};
use crate::notation::parse_games;
use crate::playtak::book::Book;
use crate::search::{Line, Score, Solved};

/// Lines of the server, with places for the number of a game and a move.
const LINES: [&str; 36] = [
    "Login or Register",
    "Welcome Guest1!",
    "OK",
    "OK",
    "OK",
    "NOK",
    "Authentication failure",
    "Seek new 3 carol 5 600 20 A 4 21 1 0 0 0 0 0",
    "Seek new 4 Guest1 5 600 20 A 4 21 1 0 0 0 0 0",
    "Seek remove 3 carol 5 600 20 A 4 21 1 0 0 0 0 0",
    "Game Start {n} Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0",
    "Game Start {n} alice vs Guest1 black 3 600 10 0 10 0 0 0 20 300 0",
    "Game Start {n} alice vs Guest1 black 8 1 0 -7 50 2 0 0 0 0 1",
    "Game Start {n} alice vs Guest1 black 9 1 0 4 50 2 0 0 0 0 1",
    "Game Start {n} 5 alice vs Guest1 black 600 4 21 1",
    "Message Your game is resumed",
    "Message You've logged in from another window. Disconnecting",
    "Message alice has disconnected.",
    "Error:Square not empty",
    "Tell <alice> level 3",
    "Tell <alice> help",
    "Tell <Guest1> help",
    "Game#{n} {m}",
    "Game#{n} {m}",
    "Game#{n} {m}",
    "Game#{n} {m}",
    "Game#{n} P Z9",
    "Game#{n} Timems 1500 20",
    "Game#{n} Time 0 0",
    "Game#{n} Over 1-0",
    "Game#{n} Abandoned. alice quit",
    "Game#{n} OfferDraw",
    "Game#{n} RemoveDraw",
    "Game#{n} RequestUndo",
    "Game#{n} RemoveUndo",
    "Game#{n} Undo",
];

/// A random line of the server: mostly the next one of a regular game, sometimes damaged.
fn line(bot: &Bot, rng: &mut StdRng) -> String {
    let mut template = *LINES.choose(rng).unwrap();
    let mut number = rng.random_range(1..=2);
    let mut mv = "a1".parse().unwrap();
    match &bot.seat {
        Seat::Playing(play) => {
            if play.given_up.is_some() && rng.random() {
                template = "Game#{n} Over 0-1";
                number = play.game.number();
            } else if rng.random_bool(if play.game.is_own_turn() { 0.02 } else { 0.9 }) {
                template = "Game#{n} {m}";
                number = play.game.number();
            }
            if let Some(&legal) = play.game.played().legal_moves().choose(rng) {
                mv = legal;
            }
        }
        _ if rng.random_bool(0.8) => template = LINES[..3].choose(rng).unwrap(),
        _ => {}
    }
    let played = Command::Play(0, mv).line();
    let mut line = template.replace("{n}", &number.to_string());
    line = line.replace("{m}", played.trim_start_matches("Game#0 "));
    if rng.random_bool(0.02) {
        let at = rng.random_range(0..=line.len());
        line.insert(at, *['\u{e9}', '-', '9', ' ', '\0'].choose(rng).unwrap());
    }
    line
}

/// An answer to a question, in most cases with a legal move.
fn answer(question: &Question, rng: &mut StdRng) -> Event {
    let mv = question.game.legal_moves().choose(rng).copied();
    let mv = mv.filter(|_| rng.random_bool(0.95));
    let score = *[Score::DRAW, Score::centiflats(300), Score::centiflats(-300)].choose(rng).unwrap();
    let report = Report {
        lines: vec![Line {
            score,
            bound: None,
            solved: rng.random_bool(0.05).then_some(Solved::Loss(2)),
            pv: mv.into_iter().collect(),
        }],
        ..Report::default()
    };
    let number = question.number - u64::from(rng.random_bool(0.1));
    Event::Judged(number, Ok(report))
}

/// Returns whether the bot has just played this move by its book.
fn is_known(bot: &Bot, mv: Move) -> bool {
    let Seat::Playing(play) = &bot.seat else {
        return false;
    };
    let mut game = play.game.played().clone();
    game.take_back() == Some(mv) && bot.settings.book.choose(&game, play.game.number()) == Some(mv)
}

/// Runs the bot. Returns the numbers of moves, of book moves and of stored games.
fn storm(seed: u64) -> [u32; 3] {
    let mut rng = StdRng::seed_from_u64(seed);
    let settings = Settings {
        login: Login::Guest { token: "abcdefghijklmnopqrst".into() },
        opponents: if rng.random() {
            Opponents::Of("carol".into())
        } else {
            Opponents::Seeks(vec!["size=5 komi=2 time=10:00 inc=10".parse().unwrap()])
        },
        games: rng.random_bool(0.3).then_some(3),
        undo: rng.random(),
        resign: rng.random(),
        chat: true,
        level: None,
        book: if rng.random() {
            let lines = parse_lines("a1 e5 c3 c4\na1 b1\nb2 d4", Some(Size::ALL[2]));
            Book::new(&lines.unwrap())
        } else {
            Book::default()
        },
        ponder: rng.random(),
    };
    let mut bot = Bot::new(settings, SystemTime::UNIX_EPOCH);
    let mut now = Duration::ZERO;
    let mut asked: Option<Question> = None;
    let [mut played, mut known, mut kept] = [0; 3];
    for step in 0..400 {
        let is_answer = asked.is_some() && rng.random_bool(0.8);
        let event = match rng.random_range(0..60) {
            _ if is_answer => answer(asked.as_ref().unwrap(), &mut rng),
            0 => Event::Connected { is_private: false },
            1 if rng.random_bool(0.3) => Event::Disconnected,
            2 if rng.random_bool(0.1) => Event::Interrupted,
            3 | 4 => {
                now += Duration::from_millis(rng.random_range(0..50_000));
                Event::Tick
            }
            _ => Event::Line(line(&bot, &mut rng)),
        };
        // Lines that end the bot are rare.
        if matches!(&event, Event::Line(line) if line.contains("Authentication") || line.contains("another window"))
            && rng.random_bool(0.9)
        {
            continue;
        }
        let mut answered = match &event {
            Event::Judged(number, _) => asked.take_if(|question| question.number == *number),
            _ => None,
        };
        let context = format!("seed {seed}, step {step}: {event:?}");
        let requests = bot.handle(event, now);
        for request in &requests {
            match request {
                Request::Send(command) => {
                    let line = command.line();
                    assert!(!line.contains(['\n', '\r', '\0']), "{context}: {line:?}");
                    if let Command::Play(_, mv) = command {
                        if let Some(question) = answered.take() {
                            assert!(question.game.legal_moves().contains(mv), "{context}: {mv}");
                        } else {
                            assert!(is_known(&bot, *mv), "{context}: {mv} without a question");
                            assert_eq!(asked, None, "{context}: a question is left");
                            known += 1;
                        }
                        played += 1;
                    }
                }
                Request::Think(question) => {
                    let game = &question.game;
                    assert_eq!(game.position().outcome(), None, "{context}");
                    asked = Some((**question).clone());
                }
                Request::Ponder(game, line) => {
                    assert!(line.first().is_some_and(|mv| game.legal_moves().contains(mv)), "{context}");
                }
                Request::StopThinking => asked = None,
                Request::Keep(game) => {
                    // A stored game can be read, regardless of the names and texts of the server.
                    let text = game.to_string();
                    let games: Vec<_> = parse_games(&text).collect();
                    assert!(matches!(games[..], [Ok(_)]), "{context}: {text}");
                    kept += 1;
                }
                Request::End(_) => return [played, known, kept],
                Request::HangUp | Request::NewGame | Request::Say(_) => {}
            }
        }
        assert!(bot.wake_at() > now, "{context}: it would wake forever");
    }
    [played, known, kept]
}

#[test]
fn random_lines_cause_no_unrequested_move() {
    let mut total = [0; 3];
    for seed in 0..500 {
        for (sum, count) in total.iter_mut().zip(storm(seed)) {
            *sum += count;
        }
    }
    let [played, known, kept] = total;
    assert!(played > 1_000 && known > 100 && kept > 100, "only {played} moves, {known} by the book, and {kept} games");
}
