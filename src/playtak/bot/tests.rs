//! The bot against everything that can happen, line by line.

use super::*;
use crate::arena::book::parse_lines;
use crate::board::Size;
use crate::notation::PtnGame;
use crate::search::{Line, Score};

/// A bot, and the time as it sees it.
struct Desk {
    bot: Bot,
    now: Duration,
}

const START: &str = "Game Start 7 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0";
const AS_BLACK: &str = "Game Start 7 alice vs Guest1 black 5 600 10 4 21 1 0 0 0 0 0";

fn settings() -> Settings {
    Settings {
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

impl Desk {
    fn new(settings: Settings) -> Self {
        Self { bot: Bot::new(settings, Timestamp::UNIX_EPOCH), now: Duration::ZERO }
    }

    /// A bot that is logged in and has its seek on offer.
    fn ready(settings: Settings) -> Self {
        let mut desk = Self::new(settings);
        desk.connect(&[]);
        desk
    }

    /// A bot with a game that has just begun.
    fn playing(settings: Settings, start: &str) -> Self {
        let mut desk = Self::ready(settings);
        desk.hear(start);
        desk
    }

    fn tell(&mut self, event: Event) -> Vec<Request> {
        self.bot.handle(event, self.now)
    }

    fn hear(&mut self, line: &str) -> Vec<Request> {
        self.tell(Event::Line(line.into()))
    }

    fn wait(&mut self, seconds: u64) -> Vec<Request> {
        self.now += Duration::from_secs(seconds);
        self.tell(Event::Tick)
    }

    /// Logs in; the server tells `game` of a game that goes on.
    fn connect(&mut self, game: &[&str]) -> Vec<Request> {
        self.tell(Event::Connected { is_private: false });
        let mut requests = self.hear("Login or Register");
        for line in ["OK", "OK", "Welcome Guest1!"] {
            requests.extend(self.hear(line));
        }
        for line in game {
            requests.extend(self.hear(line));
        }
        requests.extend(self.hear("OK"));
        requests
    }

    /// The engine answers the last question.
    fn judge(&mut self, mv: &str, score: Score) -> Vec<Request> {
        self.tell(Event::Judged(self.bot.questions, Ok(report(mv, score))))
    }
}

fn report(mv: &str, score: Score) -> Report {
    Report {
        lines: vec![Line { score, bound: None, solved: score.solved(), pv: vec![mv.parse().unwrap()] }],
        ..Report::default()
    }
}

fn even() -> Score {
    Score::DRAW
}

fn sent(requests: &[Request]) -> Vec<String> {
    let lines = requests.iter().filter_map(|request| match request {
        Request::Send(command) => Some(command.line()),
        _ => None,
    });
    lines.collect()
}

fn said(requests: &[Request]) -> String {
    let texts = requests.iter().filter_map(|request| match request {
        Request::Say(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn question(requests: &[Request]) -> Option<&Question> {
    requests.iter().find_map(|request| match request {
        Request::Think(question) => Some(&**question),
        _ => None,
    })
}

fn kept(requests: &[Request]) -> Option<&PtnGame> {
    requests.iter().find_map(|request| match request {
        Request::Keep(game) => Some(&**game),
        _ => None,
    })
}

fn end(requests: &[Request]) -> Option<Result<(), Failure>> {
    requests.iter().find_map(|request| match request {
        Request::End(end) => Some(*end),
        _ => None,
    })
}

#[test]
fn a_guest_logs_in_and_offers_a_game() {
    let mut desk = Desk::new(settings());
    let requests = desk.connect(&[]);
    let lines = sent(&requests);
    assert!(lines[0].starts_with("Client tak-engine-"), "{lines:?}");
    let rest = ["Protocol 2", "Login Guest abcdefghijklmnopqrst", "PING", "Seek 5 600 10 A 4 21 1 0 0 0 0 "];
    assert_eq!(lines[1..], rest);
    assert!(desk.wait(1).is_empty());
}

#[test]
fn passwords_need_a_private_way() {
    let login =
        Login::User { name: "alice".into(), password: super::super::protocol::Password::new("open-sesame").unwrap() };
    let user = Settings { login, ..settings() };
    let mut desk = Desk::new(user.clone());
    desk.tell(Event::Connected { is_private: false });
    let requests = desk.hear("Login or Register");
    assert_eq!(end(&requests), Some(Err(Failure::Exposed)));
    assert!(sent(&requests).is_empty());
    let mut desk = Desk::new(user);
    desk.tell(Event::Connected { is_private: true });
    let requests = desk.hear("Login or Register");
    assert_eq!(sent(&requests)[2], "Login alice open-sesame");
    assert!(!format!("{requests:?}").contains("sesame"));
    let requests = desk.hear("Authentication failure");
    assert_eq!(end(&requests), Some(Err(Failure::Login)));
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut desk = Desk::ready(settings());
    let requests = desk.hear(START);
    let first = question(&requests).unwrap();
    let clock = first.limits.clock.unwrap();
    assert_eq!(clock.remaining, Duration::from_secs(600));
    assert_eq!(clock.increment, Duration::from_secs(10));
    assert!(requests.contains(&Request::NewGame));
    let requests = desk.judge("a1", even());
    assert_eq!(sent(&requests), ["Game#7 P A1"]);
    assert!(desk.hear("Game#7 Timems 598000 600000").is_empty());
    assert!(desk.hear("OK").is_empty());
    // The clocks come before the move of the opponent.
    assert!(desk.hear("Game#7 Timems 598000 590000").is_empty());
    let requests = desk.hear("Game#7 P E5");
    let second = question(&requests).unwrap();
    assert_eq!(second.game.moves().len(), 2);
    assert_eq!(second.limits.clock.unwrap().remaining, Duration::from_secs(598));
    let requests = desk.hear("Game#7 Over 1-0");
    assert!(requests.contains(&Request::StopThinking));
    let game = kept(&requests).unwrap();
    assert_eq!(game.tag("Result"), Some("1-0"));
    assert_eq!(game.tag("Date"), Some("1970.01.01"));
    assert!(!game.moves[0].comments.is_empty() && game.moves[1].comments.is_empty());
    assert!(said(&requests).contains("1 won, 0 lost"), "{}", said(&requests));
    // The next seek is the other one.
    assert_eq!(sent(&requests), ["Seek 6 600 5 A 4 30 1 0 0 0 0 "]);
    // An answer that comes too late plays nothing.
    assert!(desk.judge("b2", even()).is_empty());
}

#[test]
fn a_game_is_kept_before_anybody_is_told() {
    let mut desk = Desk::playing(settings(), START);
    let requests = desk.hear("Game#7 Over 1-0");
    let place = |is_it: fn(&Request) -> bool| requests.iter().position(is_it).unwrap();
    let kept = place(|request| matches!(request, Request::Keep(_)));
    assert!(kept < place(|request| matches!(request, Request::Say(_))), "{requests:?}");
}

#[test]
fn other_games_are_none_of_its_business() {
    let mut desk = Desk::playing(settings(), AS_BLACK);
    for line in ["Game#8 P A1", "Game#8 Over R-0", "Game#8 Abandoned. bob quit"] {
        assert!(desk.hear(line).is_empty(), "{line}");
    }
    assert!(question(&desk.hear("Game#7 P A1")).is_some());
}

#[test]
fn garbage_changes_nothing() {
    let mut desk = Desk::playing(settings(), AS_BLACK);
    for line in [
        "",
        "\u{1b}[2J",
        "Game#7",
        "Game#7 Timems x y",
        "Game#7 Dance",
        "Game#-1 P A1",
        "Game Start",
        "Game Start x y vs z white",
        "Seek new",
        "Tell <",
        "OK",
        "NOK",
    ] {
        assert!(desk.hear(line).is_empty(), "{line:?}");
    }
    assert!(question(&desk.hear("Game#7 P A1")).is_some());
}

#[test]
fn illegal_moves_end_a_game_and_not_the_bot() {
    for (line, why) in [
        ("Game#7 M A1 A2 1", "an illegal move"),
        ("Game#7 P A1 C", "an illegal move"),
        ("Game#7 P H8", "an illegal move"),
        ("Game#7 P Z9", "a move that cannot be read"),
        ("Game#7 M A1 A1", "a move that cannot be read"),
    ] {
        let mut desk = Desk::playing(settings(), AS_BLACK);
        let requests = desk.hear(line);
        assert_eq!(sent(&requests), ["Game#7 Resign"], "{line}");
        assert!(said(&requests).contains(why), "{}", said(&requests));
        // What comes before the server has heard of it is not played any more.
        assert!(desk.hear("Game#7 P A1").is_empty());
        let requests = desk.hear("Game#7 Over 1-0");
        assert_eq!(kept(&requests).unwrap().tag("Termination"), Some(why));
        assert!(sent(&requests)[0].starts_with("Seek 6"));
    }
}

#[test]
fn a_move_out_of_turn_is_no_move() {
    let mut desk = Desk::playing(settings(), START);
    let requests = desk.hear("Game#7 P A1");
    assert_eq!(sent(&requests), ["Game#7 Resign"]);
    assert!(requests.contains(&Request::StopThinking));
}

#[test]
fn a_move_that_the_server_refuses_ends_the_game() {
    let mut desk = Desk::playing(settings(), START);
    desk.judge("a1", even());
    let requests = desk.hear("NOK");
    assert_eq!(sent(&requests), ["Game#7 Resign"]);
    assert!(said(&desk.hear("Error:Square not empty")).contains("Square not empty"));
    let requests = desk.hear("Game#7 Over 0-1");
    assert!(kept(&requests).unwrap().moves.is_empty());
    // Where not even the resignation is taken, there is no such game.
    let mut desk = Desk::playing(settings(), START);
    desk.judge("a1", even());
    desk.hear("NOK");
    let requests = desk.hear("NOK");
    assert_eq!(kept(&requests).unwrap().tag("Result"), Some("*"));
}

#[test]
fn a_refusal_after_the_end_is_not_one_of_the_next_seek() {
    let mut desk = Desk::playing(settings(), START);
    desk.judge("a1", even());
    // The flag fell while the move was on its way.
    assert_eq!(sent(&desk.hear("Game#7 Over 0-1")).len(), 1);
    assert!(desk.hear("NOK").is_empty());
    let requests = desk.hear("NOK");
    assert!(said(&requests).contains("refuses the seek"));
    assert!(sent(&requests).is_empty());
    assert!(sent(&desk.wait(5))[0].starts_with("Seek 6"));
}

#[test]
fn terms_that_cannot_be_played_are_refused() {
    let mut desk = Desk::ready(settings());
    let requests = desk.hear("Game Start 9 Guest1 vs alice white 6 600 10 4 80 1 0 0 0 0 0");
    assert_eq!(sent(&requests), ["Game#9 Resign"]);
    assert!(said(&requests).contains("80 stones"), "{}", said(&requests));
    assert!(desk.hear("Game#9 P A1").is_empty());
    assert!(sent(&desk.hear("Game#9 Over 0-1"))[0].starts_with("Seek 5"));
}

#[test]
fn opponents_may_leave() {
    let mut desk = Desk::playing(settings(), START);
    assert!(!said(&desk.hear("Message alice has disconnected. They have 120 seconds to reconnect")).is_empty());
    let requests = desk.hear("Game#7 Abandoned. alice quit");
    assert_eq!(kept(&requests).unwrap().tag("Result"), Some("1-0"));
    let mut desk = Desk::playing(settings(), AS_BLACK);
    let requests = desk.hear("Game#7 Abandoned. alice quit");
    assert_eq!(kept(&requests).unwrap().tag("Result"), Some("0-1"));
    let mut desk = Desk::playing(settings(), AS_BLACK);
    let requests = desk.hear("Game#7 Abandoned. Guest1 quit");
    assert_eq!(kept(&requests).unwrap().tag("Result"), Some("1-0"));
}

#[test]
fn a_game_is_taken_up_after_a_lost_connection() {
    let mut desk = Desk::playing(settings(), START);
    desk.judge("a1", even());
    desk.hear("Game#7 P E5");
    let requests = desk.tell(Event::Disconnected);
    assert_eq!(requests, [Request::StopThinking]);
    // What the engine found after that is not sent to the next connection.
    let requests = desk.judge("b2", even());
    assert!(requests.is_empty());
    let told = [START, "Game#7 P A1", "Game#7 P E5", "Game#7 Timems 300000 600000", "Message Your game is resumed"];
    let requests = desk.connect(&told);
    let lines = sent(&requests);
    assert_eq!(lines.last().unwrap(), "PING", "nothing else is sent: {lines:?}");
    assert!(!requests.contains(&Request::NewGame));
    let asked: Vec<_> = requests.iter().filter(|request| matches!(request, Request::Think(_))).collect();
    assert_eq!(asked.len(), 1);
    let question = question(&requests).unwrap();
    assert_eq!(question.game.moves().len(), 2);
    assert_eq!(question.limits.clock.unwrap().remaining, Duration::from_secs(300));
    desk.judge("b2", even());
    let requests = desk.hear("Game#7 Over 1-0");
    let comments: Vec<bool> = kept(&requests).unwrap().moves.iter().map(|mv| !mv.comments.is_empty()).collect();
    assert_eq!(comments, [true, false, true]);
}

#[test]
fn a_move_that_got_through_is_not_played_twice() {
    let mut desk = Desk::playing(settings(), START);
    desk.judge("a1", even());
    desk.tell(Event::Disconnected);
    // A guest hears of the game before the welcome.
    desk.tell(Event::Connected { is_private: true });
    desk.hear("Login or Register");
    for line in
        ["OK", "OK", START, "Game#7 P A1", "Game#7 Timems 1 1", "Message Your game is resumed", "Welcome Guest1!", "OK"]
    {
        let requests = desk.hear(line);
        assert!(question(&requests).is_none(), "{line}");
        assert!(sent(&requests).iter().all(|line| line == "PING"), "{line}");
    }
    assert!(question(&desk.hear("Game#7 P E5")).is_some());
}

#[test]
fn a_game_that_is_begun_twice_is_told_from_its_beginning() {
    let mut desk = Desk::playing(settings(), START);
    desk.judge("a1", even());
    desk.hear("Game#7 Timems 1 1");
    assert!(question(&desk.hear("Game#7 P E5")).is_some());
    // What is being thought about is another position than the next one.
    let requests = desk.hear(START);
    assert_eq!(requests[0], Request::StopThinking);
    assert_eq!(question(&requests).unwrap().game.moves().len(), 0);
}

#[test]
fn a_program_that_was_started_anew_takes_up_its_game() {
    let mut desk = Desk::new(settings());
    let requests = desk.connect(&[AS_BLACK, "Game#7 P A1", "Message Your game is resumed"]);
    assert!(requests.contains(&Request::NewGame));
    assert_eq!(question(&requests).unwrap().game.moves().len(), 1);
}

#[test]
fn a_game_that_the_server_has_forgotten_is_kept_without_a_result() {
    let mut desk = Desk::playing(settings(), START);
    desk.judge("a1", even());
    desk.tell(Event::Disconnected);
    let requests = desk.connect(&[]);
    let game = kept(&requests).unwrap();
    assert_eq!((game.tag("Result"), game.moves.len()), (Some("*"), 1));
    assert!(sent(&requests).last().unwrap().starts_with("Seek 6"));
}

#[test]
fn a_new_game_ends_the_old_one() {
    let mut desk = Desk::playing(settings(), START);
    let requests = desk.hear("Game Start 8 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0");
    assert_eq!(kept(&requests).unwrap().tag("Result"), Some("*"));
    assert!(requests.contains(&Request::NewGame));
    assert!(question(&requests).is_some());
}

#[test]
fn signs_of_life_are_given_and_asked_for() {
    let mut desk = Desk::ready(settings());
    assert!(desk.bot.wake_at() <= Duration::from_secs(30));
    assert_eq!(sent(&desk.wait(30)), ["PING"]);
    assert!(desk.hear("OK").is_empty());
    assert_eq!(sent(&desk.wait(30)), ["PING"]);
    assert_eq!(sent(&desk.wait(30)), ["PING"]);
    // Nothing for 75 s.
    let requests = desk.wait(15);
    assert!(requests.contains(&Request::HangUp));
    assert!(desk.wait(1).is_empty());
    // A server that accepts connections and says nothing.
    desk.tell(Event::Disconnected);
    desk.tell(Event::Connected { is_private: false });
    assert!(desk.wait(74).is_empty());
    assert!(desk.wait(1).contains(&Request::HangUp));
}

#[test]
fn a_login_without_an_end_is_taken_as_complete() {
    let mut desk = Desk::new(settings());
    desk.tell(Event::Connected { is_private: false });
    desk.hear("Login or Register");
    desk.hear("Welcome Guest1!");
    assert!(desk.wait(9).is_empty());
    assert!(sent(&desk.wait(1))[0].starts_with("Seek"));
}

#[test]
fn draws_are_agreed_to_without_an_advantage_only() {
    let mut desk = Desk::playing(settings(), START);
    let mine = ["a1", "b1", "b2", "b3", "b4", "b5"];
    let theirs = ["E5", "E4", "E3", "E2", "D5", "D4"];
    let mut lines = Vec::new();
    for (ply, (mine, theirs)) in mine.into_iter().zip(theirs).enumerate() {
        let score = if ply == 0 { Score::centiflats(1) } else { even() };
        lines = sent(&desk.judge(mine, score));
        desk.hear("Game#7 Timems 500000 500000");
        if ply == 0 {
            assert!(sent(&desk.hear("Game#7 OfferDraw")).is_empty());
        }
        if lines.len() > 1 {
            assert_eq!(ply, 4, "four even moves after the first");
            break;
        }
        desk.hear(&format!("Game#7 P {theirs}"));
    }
    assert_eq!(lines[..1], ["Game#7 OfferDraw"]);
    assert!(lines[1].starts_with("Game#7 P"));
    // The offer was taken back meanwhile, so what was sent would be an offer of its own.
    assert_eq!(sent(&desk.hear("Game#7 RemoveDraw")), ["Game#7 RemoveDraw"]);
    assert_eq!(sent(&desk.hear("Game#7 OfferDraw")), ["Game#7 OfferDraw"]);
    let requests = desk.hear("Game#7 Over 1/2-1/2");
    assert!(said(&requests).contains("0 won, 0 lost, 1 neither"));
}

#[test]
fn moves_are_taken_back_only_if_that_was_asked_for() {
    let mut desk = Desk::playing(settings(), START);
    desk.judge("a1", even());
    desk.hear("Game#7 Timems 1 1");
    assert!(desk.hear("Game#7 RequestUndo").is_empty());

    let lenient = Settings { undo: true, ..settings() };
    let mut desk = Desk::playing(lenient, START);
    desk.judge("a1", even());
    // The move and the wish crossed: the move has made it void.
    assert!(desk.hear("Game#7 RequestUndo").is_empty());
    desk.hear("Game#7 Timems 1 1");
    desk.hear("Game#7 P E5");
    let requests = desk.hear("Game#7 RequestUndo");
    assert_eq!(requests[0], Request::StopThinking);
    assert_eq!(sent(&requests), ["Game#7 RequestUndo"]);
    assert!(question(&requests).is_none());
    assert!(desk.hear("Game#7 Undo").is_empty());
    let requests = desk.hear("Game#7 P D4");
    let moves: Vec<String> = question(&requests).unwrap().game.moves().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["a1", "d4"]);
    // The wish was taken back before it was agreed to.
    desk.hear("Game#7 RequestUndo");
    let requests = desk.hear("Game#7 RemoveUndo");
    assert_eq!(sent(&requests), ["Game#7 RemoveUndo"]);
    assert!(question(&requests).is_some());
}

#[test]
fn lost_games_are_resigned_only_if_that_was_asked_for() {
    let lost = Score::loss_in(4);
    let mut desk = Desk::playing(settings(), START);
    assert_eq!(sent(&desk.judge("a1", lost)), ["Game#7 P A1"]);
    let polite = Settings { resign: true, ..settings() };
    let mut desk = Desk::playing(polite, START);
    assert_eq!(sent(&desk.judge("a1", Score::centiflats(-2000))), ["Game#7 P A1"]);
    desk.hear("Game#7 P E5");
    assert_eq!(sent(&desk.judge("b1", lost)), ["Game#7 Resign"]);
    let requests = desk.hear("Game#7 Over 0-1");
    assert_eq!(kept(&requests).unwrap().tag("Termination"), Some("resignation"));
}

#[test]
fn players_are_answered_with_pauses() {
    let mut desk = Desk::ready(settings());
    let lines = sent(&desk.hear("Tell <alice> Help "));
    assert!(lines[0].starts_with("Tell alice I am tak-engine"), "{lines:?}");
    assert!(lines[0].len() < 256 && lines.len() == 1);
    assert!(desk.hear("Tell <bob> help").is_empty());
    desk.wait(4);
    assert!(desk.hear("Tell <bob> help").is_empty());
    desk.wait(1);
    assert!(desk.hear("Tell <bob> hello").is_empty());
    assert!(desk.hear("Told <bob> help").is_empty());
    assert!(desk.hear("Shout <bob> help").is_empty());
    assert_eq!(sent(&desk.hear("Tell <bob> help")).len(), 1);
    let mut desk = Desk::ready(Settings { chat: false, ..settings() });
    assert!(desk.hear("Tell <alice> help").is_empty());
}

#[test]
fn the_opponents_time_is_used_until_something_happens() {
    let ponders = || Settings { ponder: true, undo: true, ..settings() };
    let pondered = |requests: &[Request]| {
        requests.iter().find_map(|request| match request {
            Request::Ponder(game, line) => Some((game.moves().len(), line.len())),
            _ => None,
        })
    };
    let stops = |requests: &[Request]| requests.contains(&Request::StopThinking);
    let desk = || {
        let mut desk = Desk::playing(ponders(), START);
        let requests = desk.judge("a1", even());
        assert_eq!(pondered(&requests), Some((0, 1)));
        desk
    };
    // The next question decides by itself what becomes of it; clocks and words do not matter.
    let mut quiet = desk();
    for line in ["Game#7 Timems 1000 1000", "Game#7 OfferDraw", "Game#7 RemoveDraw"] {
        assert_eq!(quiet.hear(line), [], "{line}");
    }
    let requests = quiet.hear("Game#7 P E5");
    assert!(question(&requests).is_some() && !stops(&requests));
    for line in [
        "Game#7 RequestUndo",
        "Game#7 Undo",
        "Game#7 Over 1-0",
        "Game#7 Abandoned. alice quit",
        "Game#7 P A9",
        "Game#7 P A1",
    ] {
        let mut desk = desk();
        desk.hear("Game#7 Timems 1000 1000");
        assert!(stops(&desk.hear(line)), "{line}");
        // There is nothing more to end, unless another move is due.
        let is_asked = line.ends_with(" Undo");
        assert_eq!(stops(&desk.tell(Event::Disconnected)), is_asked, "{line}");
    }
    assert!(stops(&desk().tell(Event::Disconnected)));
    // A game that is over, or given up, is not thought about.
    let mut last = Desk::ready(Settings { resign: true, ..ponders() });
    last.hear("Game Start 7 Guest1 vs alice white 3 600 10 4 10 0 0 0 0 0 0");
    for (own, other) in [("a3", "C1"), ("a1", "C2"), ("b1", "")] {
        let requests = last.judge(own, even());
        let is_last = own == "b1";
        assert_eq!(pondered(&requests).is_none(), is_last, "{own}: {requests:?}");
        if !is_last {
            last.hear(&format!("Game#7 P {other}"));
        }
    }
    let mut lost = desk();
    lost.bot.settings.resign = true;
    lost.hear("Game#7 P E5");
    assert_eq!(pondered(&lost.judge("b1", Score::loss_in(2))), None);
    // Without the wish there is none of it.
    let mut desk = Desk::playing(settings(), START);
    assert_eq!(pondered(&desk.judge("a1", even())), None);
}

#[test]
fn a_player_chooses_the_level_of_the_next_game() {
    let usual = Settings { level: Level::new(4), ..settings() };
    let level_of = |desk: &mut Desk, number: u64, opponent: &str| {
        let start = format!("Game Start {number} Guest1 vs {opponent} white 5 600 10 4 21 1 0 0 0 0 0");
        let requests = desk.hear(&start);
        let question = question(&requests).unwrap();
        assert_eq!(question.seed, number);
        question.level.map(Level::number)
    };
    let mut desk = Desk::ready(usual.clone());
    assert_eq!(level_of(&mut desk, 7, "alice"), Some(4));
    let lines = sent(&desk.hear("Tell <alice> level 9"));
    assert_eq!(lines, ["Tell alice Our next game is at level 9 of 20"]);
    // A wish counts also where there is no answer to it, but not for the game in progress.
    assert_eq!(sent(&desk.hear("Tell <bob> LEVEL 0")), [""; 0]);
    desk.judge("a1", even());
    let requests = desk.hear("Game#7 P E5");
    assert_eq!(question(&requests).unwrap().level, Level::new(4));
    desk.hear("Game#7 Over 0-1");
    assert_eq!(level_of(&mut desk, 8, "alice"), Some(9));
    desk.hear("Game#8 Over 0-1");
    assert_eq!(level_of(&mut desk, 9, "bob"), None);
    desk.wait(5);
    // The game is taken up at the level at which it began.
    desk.hear("Tell <bob> level 1");
    desk.tell(Event::Disconnected);
    let start = "Game Start 9 Guest1 vs bob white 5 600 10 4 21 1 0 0 0 0 0";
    let requests = desk.connect(&[start, "Game#9 P A1", "Game#9 P E5"]);
    assert_eq!(question(&requests).unwrap().level, None);
    desk.wait(5);
    let lines = sent(&desk.hear("Tell <bob> level 21"));
    assert_eq!(lines, ["Tell bob Levels are 1 to 20, and 0 is full strength"]);
    let mut deaf = Desk::ready(Settings { chat: false, ..usual });
    assert!(deaf.hear("Tell <alice> level 9").is_empty());
    assert_eq!(level_of(&mut deaf, 7, "alice"), Some(4));
}

fn book(text: &str) -> Book {
    Book::new(&parse_lines(text, Some(Size::ALL[2])).unwrap())
}

#[test]
fn lines_of_the_book_are_played_without_a_thought() {
    let bookish = || Settings { book: book("a1 e5 Cc3 d4 b2"), level: Level::new(3), ..settings() };
    let mut desk = Desk::ready(bookish());
    let requests = desk.hear(START);
    assert_eq!(sent(&requests), ["Game#7 P A1"]);
    assert_eq!(question(&requests), None);
    desk.hear("Game#7 Timems 600000 600000");
    let requests = desk.hear("Game#7 P E5");
    assert_eq!(sent(&requests), ["Game#7 P C3 C"]);
    // A game that is told again is not played on before all is told.
    desk.tell(Event::Disconnected);
    let told = [START, "Game#7 P A1", "Game#7 P E5", "Message Your game is resumed"];
    let requests = desk.connect(&told);
    assert_eq!(sent(&requests).last().unwrap(), "Game#7 P C3 C");
    let plays = sent(&requests).iter().filter(|line| line.starts_with("Game#")).count();
    assert_eq!(plays, 1, "{requests:?}");
    // The other player leaves the line.
    let requests = desk.hear("Game#7 P D3");
    assert_eq!(sent(&requests), [""; 0]);
    assert_eq!(question(&requests).unwrap().game.moves().len(), 4);
    desk.judge("b2", even());
    let requests = desk.hear("Game#7 Over 1-0");
    let comments: Vec<&[String]> = kept(&requests).unwrap().moves.iter().map(|mv| &mv.comments[..]).collect();
    assert_eq!(comments[0], ["book"]);
    assert!(comments[1].is_empty() && comments[3].is_empty());
    assert_eq!(comments[2], ["book"]);
    assert!(comments[4][0] != "book", "{comments:?}");
    // The next game is on another board.
    let six = "Game Start 8 Guest1 vs alice white 6 600 10 4 30 1 0 0 0 0 0";
    assert!(question(&desk.hear(six)).is_some());
}

#[test]
fn the_seed_of_a_game_chooses_among_lines() {
    let bookish = Settings { book: book("a1\na5\nc3\n"), ..settings() };
    let first = |number: u64| {
        let mut desk = Desk::ready(bookish.clone());
        let requests = desk.hear(&START.replace('7', &number.to_string()));
        sent(&requests)[0].split(' ').next_back().unwrap().to_owned()
    };
    let firsts: Vec<String> = (1..=60).map(first).collect();
    let again: Vec<String> = (1..=60).map(first).collect();
    assert_eq!(firsts, again);
    let corners = firsts.iter().filter(|mv| *mv == "A1").count();
    assert!((30..50).contains(&corners), "{firsts:?}");
    assert!(firsts.iter().all(|mv| mv == "A1" || mv == "C3"));
}

#[test]
fn moves_of_the_book_are_moves_like_others() {
    let bookish = || Settings { book: book("a1 e5 c3 d4 b2"), ponder: true, undo: true, ..settings() };
    // The server refuses one.
    let mut desk = Desk::playing(bookish(), START);
    assert_eq!(sent(&desk.hear("NOK")), ["Game#7 Resign"]);
    let requests = desk.hear("Game#7 Over 0-1");
    assert!(kept(&requests).unwrap().moves.is_empty());
    // The opponent takes one back, and gets the same answer to the same move.
    let mut desk = Desk::playing(bookish(), START);
    desk.hear("Game#7 Timems 600000 600000");
    assert_eq!(sent(&desk.hear("Game#7 P E5")), ["Game#7 P C3"]);
    desk.hear("Game#7 Timems 600000 600000");
    assert_eq!(sent(&desk.hear("Game#7 RequestUndo")), ["Game#7 RequestUndo"]);
    assert_eq!(sent(&desk.hear("Game#7 Undo")), ["Game#7 P C3"]);
    // One that the book does not know is taken back, and one that it knows is played.
    let mut desk = Desk::playing(bookish(), AS_BLACK);
    assert!(question(&desk.hear("Game#7 P B1")).is_some());
    desk.hear("Game#7 Undo");
    let requests = desk.hear("Game#7 P A1");
    assert_eq!(sent(&requests), ["Game#7 P E5"]);
    assert_eq!(question(&requests), None);
}

#[test]
fn a_game_that_comes_back_into_the_book_is_not_thought_about_any_more() {
    let bookish = Settings { book: book("a1 e5 c3 d4 b2 d5 b3"), ponder: true, ..settings() };
    let mut desk = Desk::playing(bookish, START);
    desk.hear("Game#7 Timems 600000 600000");
    assert_eq!(sent(&desk.hear("Game#7 P E5")), ["Game#7 P C3"]);
    desk.hear("Game#7 Timems 600000 600000");
    assert!(question(&desk.hear("Game#7 P D5")).is_some());
    let requests = desk.judge("b2", even());
    let ponders = |request: &Request| matches!(request, Request::Ponder(..));
    assert!(requests.iter().any(ponders));
    let requests = desk.hear("Game#7 P D4");
    assert_eq!(requests[0], Request::StopThinking);
    assert_eq!(sent(&requests), ["Game#7 P B3"]);
}

#[test]
fn a_certain_player_is_waited_for() {
    let mut desk = Desk::ready(Settings { opponents: Opponents::Of("alice".into()), ..settings() });
    assert!(desk.hear("Seek new 3 bob 5 600 20 A 4 21 1 0 0 0 0 0 0").is_empty());
    assert_eq!(sent(&desk.hear("Seek new 4 alice 5 600 20 A 4 21 1 0 0 0 0 0 0")), ["Accept 4"]);
    // It was for somebody else; the same one is not asked for again.
    assert!(desk.hear("NOK").is_empty());
    assert!(desk.wait(5).is_empty());
    assert_eq!(sent(&desk.hear("Seek new 5 alice 5 600 20 A 4 21 1 0 0 0 0 0 0")), ["Accept 5"]);
    let requests = desk.hear("Game Start 7 5 Guest1 vs alice white 600 4 21 1");
    assert_eq!(question(&requests).unwrap().limits.clock.unwrap().increment, Duration::from_secs(20));
    // A seek that comes and goes while a game is on.
    desk.hear("Seek new 6 alice 5 600 20 A 4 21 1 0 0 0 0 0 0");
    desk.hear("Seek remove 6 alice 5 600 20 A 4 21 1 0 0 0 0 0 0");
    assert!(sent(&desk.hear("Game#7 Over 1-0")).is_empty());
}

#[test]
fn it_ends_after_as_many_games_as_were_asked_for() {
    let mut desk = Desk::playing(Settings { games: Some(1), ..settings() }, START);
    let requests = desk.hear("Game#7 Over 1-0");
    assert_eq!(sent(&requests), ["quit"]);
    assert!(kept(&requests).is_some());
    assert_eq!(end(&requests), Some(Ok(())));
}

#[test]
fn an_interrupt_lets_a_game_end() {
    let mut desk = Desk::playing(settings(), START);
    assert!(said(&desk.tell(Event::Interrupted)).contains("after this game"));
    assert_eq!(sent(&desk.judge("a1", even())), ["Game#7 P A1"]);
    // Not even a lost connection ends it.
    desk.tell(Event::Disconnected);
    assert!(desk.wait(60).is_empty());
    desk.connect(&[START, "Game#7 P A1", "Message Your game is resumed"]);
    let requests = desk.hear("Game#7 Over 0-1");
    assert_eq!(end(&requests), Some(Ok(())));
}

#[test]
fn an_interrupt_takes_the_seek_back() {
    let mut desk = Desk::ready(settings());
    let requests = desk.tell(Event::Interrupted);
    assert_eq!(sent(&requests), ["Seek 0 0 0"]);
    assert_eq!(end(&requests), None);
    assert_eq!(end(&desk.wait(1)), Some(Ok(())));
    // Somebody was quicker, and gets the game.
    let mut desk = Desk::ready(settings());
    desk.tell(Event::Interrupted);
    assert!(question(&desk.hear(START)).is_some());
    assert_eq!(end(&desk.wait(5)), None);
    assert_eq!(end(&desk.hear("Game#7 Over 1-0")), Some(Ok(())));
    // Without a connection there is nothing to wait for.
    let mut desk = Desk::new(settings());
    assert_eq!(end(&desk.tell(Event::Interrupted)), Some(Ok(())));
}

#[test]
fn a_removal_that_came_too_late_is_no_refusal_of_a_move() {
    let mut desk = Desk::ready(settings());
    desk.tell(Event::Interrupted);
    desk.hear(START);
    assert_eq!(sent(&desk.judge("a1", even())), ["Game#7 P A1"]);
    assert!(desk.hear("NOK").is_empty());
    assert_eq!(sent(&desk.hear("NOK")), ["Game#7 Resign"]);
}

#[test]
fn a_game_on_terms_that_cannot_be_read_is_resigned() {
    let mut desk = Desk::ready(settings());
    let requests = desk.hear("Game Start 7 Guest1 vs alice white 5 600 10 0.5 21 1 0 0 0 0 0");
    assert_eq!(sent(&requests), ["Game#7 Resign"]);
    assert!(said(&requests).contains("cannot be read, 7 Guest1"));
    assert!(sent(&desk.hear("Game#7 Over 0-1"))[0].starts_with("Seek 5"));
    // In the middle of another game it is nonsense.
    let mut desk = Desk::playing(settings(), START);
    assert!(desk.hear("Game Start 8 2 3").is_empty());
}

#[test]
fn endless_clocks_are_long_ones() {
    let most = u64::MAX;
    let start = format!("Game Start 7 Guest1 vs alice white 5 {most} {most} 4 21 1 0 0 10 {most} 0");
    let mut desk = Desk::ready(settings());
    let requests = desk.hear(&start);
    let question = question(&requests).unwrap();
    let settings = crate::engine::Settings { hash_mib: 1, ..crate::engine::Settings::default() };
    let mut engine = crate::engine::Engine::new(settings);
    let limits = crate::engine::Limits { nodes: Some(100), ..question.limits };
    assert!(engine.analyse(&question.game, limits).unwrap().best().is_some());
}

#[test]
fn a_login_that_is_refused_without_a_reason_is_tried_again() {
    let mut desk = Desk::new(settings());
    desk.tell(Event::Connected { is_private: false });
    desk.hear("Login or Register");
    // An older server does not know the first two commands.
    assert!(desk.hear("NOK").is_empty() && desk.hear("NOK").is_empty());
    assert!(desk.hear("NOK").contains(&Request::HangUp));
}

#[test]
fn two_programs_do_not_throw_each_other_out() {
    let mut desk = Desk::ready(settings());
    let requests = desk.hear("Message You've logged in from another window. Disconnecting");
    assert_eq!(end(&requests), Some(Err(Failure::Replaced)));
}

#[test]
fn an_engine_without_memory_ends_the_bot() {
    let mut desk = Desk::playing(settings(), START);
    let requests = desk.tell(Event::Judged(1, Err(HashError(64))));
    assert_eq!(end(&requests), Some(Err(Failure::Hash(HashError(64)))));
}
