//! Scripts of the bot's events and of the requests that it makes.

mod transcripts;

use super::*;
use crate::book::Book;
use tak_engine::board::Size;
use tak_engine::engine::Level;
use tak_engine::notation::parse_games;
use tak_engine::openings::parse_lines;
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

#[test]
fn older_servers_are_recognised_by_their_seeks() {
    let offers = |terms: &str, script: &str| {
        let opponents = Opponents::Seeks(vec![format!("size=5 time=60 {terms}").parse().unwrap()]);
        run(Settings { opponents, ..settings() }, script);
    };
    let [v2, v3, v4] = ["A", "1 A", "1 A"].map(|words| format!("Seek new 3 Guest1 5 60 1 {words} 0 21 1 0 0 0 0 0 0"));
    let v4 = format!("{v4} 0");
    // The own seek is misread by an older server. That of protocol 2 offers it without its opponent and its komi.
    offers("inc=1 scales", &format!("log in / OK -> Seek 5 60 1 1 A 0 21 1 0 0 0 0 0 / {v4} -> / {v4} ->"));
    offers("inc=1 scales", &format!("ready / {v3} -> Seek 5 60 1 1 A 0 21 1 0 0 0 0 / {v3} ->"));
    offers("inc=1 scales", &format!("ready / {v2} -> quit; end OldServer(V2)"));
    offers("opening=double-black", &format!("log in / OK -> Seek 5 60 0 0 A 0 21 1 0 0 0 0 1 / {v4} ->"));
    offers("opening=double-black", &format!("log in / {v3} -> / OK -> quit; end OldServer(V3)"));
    // A seek with common terms is offered in the oldest form, which all servers know.
    for seek in [v2, v3, v4] {
        offers("inc=1", &format!("log in / OK -> Seek 5 60 1 A 0 21 1 0 0 0 0 / {seek} ->"));
    }
}

#[test]
fn a_gift_of_time_confirms_no_move() {
    let gift = "Game#7 GivenTime white 15000 -> / Game#7 Timems 615000 600000 ->";
    for (clocks, kept) in [("OK", ""), ("Game#7 Timems 614000 600000", " a1*")] {
        script(&format!(
            "ready / start / engine a1 0 / {gift} / {clocks} -> / Game#7 Over 0-1 -> keep 0-1{kept}; Seek 6"
        ));
    }
    script(&format!("ready / start black / {gift} / Game#7 P A1 -> think 1 full 600+10"));
}

#[test]
fn passwords_need_a_private_connection() {
    let password = crate::protocol::Password::new("open-sesame").unwrap();
    let user = Settings { login: Login::User { name: "alice".into(), password }, ..settings() };
    run(user.clone(), "connected / Login or Register -> end Exposed");
    run(
        user,
        "connected privately / Login or Register -> Client tak-engine-...; Protocol 4; Login alice open-sesame
         Authentication failure -> end Login",
    );
}

#[test]
fn a_game_is_played_to_its_end() {
    // The clocks come before the opponent's move. The next seek is the other one, and a late answer plays nothing.
    script(
        "ready / start -> new; think 0 full 600+10 7
         engine a1 0 -> Game#7 P A1
         Game#7 Timems 598000 600000 -> / OK -> / Game#7 Timems 598000 590000 ->
         Game#7 P E5 -> think 2 full 598+10
         Game#7 Over 1-0 -> stop; keep 1-0 a1* e5; Seek 6; say 1 won, 0 lost
         engine b2 0 ->",
    );
}

#[test]
fn a_game_is_kept_before_output_that_may_fail() {
    let requests = TestBot::after(settings(), &["ready", "start"]).happen("Game#7 Over 1-0");
    let [Request::StopThinking, Request::Keep(game), Request::Say(_), ..] = &requests[..] else {
        panic!("{requests:?}");
    };
    assert_eq!([game.tag("Result"), game.tag("Date")], [Some("1-0"), Some("1970.01.01")]);
}

#[test]
fn garbage_and_other_games_change_nothing() {
    script(
        "ready / start black
         Game#8 P A1 -> / Game#8 Over R-0 -> / Game#8 Abandoned. bob quit -> / Game#8 Undo ->
         -> / \u{1b}[2J -> / Game#7 -> / Game#7 Timems x y -> / Game#7 Dance -> / Game#-1 P A1 -> / Game Start ->
         Game Start x y vs z white -> / Seek new -> / Tell < -> / OK -> / NOK -> / Game#7 P A1 -> think 1",
    );
}

#[test]
fn illegal_moves_end_a_game_and_not_the_bot() {
    for (line, why) in [
        ("M A1 A2 1", "an illegal move"),
        ("P A1 C", "an illegal move"),
        ("P H8", "an illegal move"),
        ("P Z9", "a move that cannot be read"),
        ("M A1 A1", "a move that cannot be read"),
    ] {
        // Moves that the server sends before the resignation reaches it are not played.
        script(&format!(
            "ready / start black / Game#7 {line} -> Game#7 Resign; say {why}
                 Game#7 P A1 -> / Game#7 Over 1-0 -> keep 1-0; Seek 6; say ({why})"
        ));
    }
    // A move out of turn.
    script("ready / start / Game#7 P A1 -> stop; Game#7 Resign");
}

#[test]
fn a_move_that_the_server_refuses_ends_the_game() {
    script(
        "ready / start / engine a1 0
         NOK -> Game#7 Resign
         Error:Square not empty -> say Square not empty
         Game#7 Over 0-1 -> keep 0-1; Seek 6",
    );
    // If the resignation is refused too, the server has no such game.
    script("ready / start / engine a1 0 / NOK -> Game#7 Resign / NOK -> keep *; Seek 6");
}

#[test]
fn a_late_refusal_does_not_concern_the_next_seek() {
    // The flag fell before the move arrived.
    script(
        "ready / start / engine a1 0 / Game#7 Over 0-1 -> keep 0-1; Seek 6
         NOK -> / NOK -> say refuses the seek
         wait 5 -> Seek 6",
    );
}

#[test]
fn a_kept_game_ends_like_the_servers() {
    // A draw is agreed to together with a move, and a flag may fall before a move arrives. Then the move is refused.
    for (clocks, result, moves, refusal) in [
        ("OK", "1/2-1/2", "a1* e5", ""),
        ("OK", "0-1", "a1* e5", ""),
        ("Game#7 Timems 0 600000", "0-1", "a1* e5", ""),
        ("Game#7 Timems 1 600000", "0-1", "a1* e5 b2*", "say refuses the seek"),
    ] {
        script(&format!(
            "ready / start / engine a1 0 / Game#7 P E5 / engine b2 0
                 {clocks} -> / Game#7 Over {result} -> keep {result} {moves}; Seek 6
                 NOK -> {refusal}"
        ));
    }
    // The move that ends the game belongs to it, whether its clocks have come or not.
    script(
        "ready
         Game Start 7 Guest1 vs alice white 3 600 10 4 10 0 0 0 0 0 0 / engine a3 0 / Game#7 P C1 / engine a1 0
         Game#7 P C2 / engine b1 0 / Game#7 Over R-0 -> keep R-0 a3* c1 a1* c2 b1*; Seek 6",
    );
}

#[test]
fn terms_that_cannot_be_played_are_refused() {
    script(
        "ready / Game Start 9 Guest1 vs alice white 6 600 10 4 80 1 0 0 0 0 0 -> Game#9 Resign; say 80 stones
         Game#9 P A1 -> / Game#9 Over 0-1 -> Seek 5",
    );
    // The same for unreadable terms; during another game they are ignored.
    script(
        "ready
         Game Start 7 Guest1 vs alice white 5 600 10 0.5 21 1 0 0 0 0 0 -> Game#7 Resign; say cannot be read, 7 Guest1
         Game#7 Over 0-1 -> Seek 5",
    );
    script("ready / start / Game Start 8 2 3 ->");
}

#[test]
fn opponents_may_leave() {
    for (start, who, result) in
        [("start", "alice", "1-0"), ("start black", "alice", "0-1"), ("start black", "Guest1", "1-0")]
    {
        script(&format!(
            "ready / {start} / engine a1 0
                 Message alice has disconnected. They have 120 seconds to reconnect -> say alice has disconnected
                 Game#7 Abandoned. {who} quit -> keep {result}...; Seek 6"
        ));
    }
}

#[test]
fn a_game_is_resumed_after_a_lost_connection() {
    // A result of the engine after the cut is not sent to the next connection.
    script(
        "ready / start / engine a1 0 / Game#7 P E5 / cut -> stop
         engine b2 0 -> / log in / start -> / Game#7 P A1 -> / Game#7 P E5 ->
         Game#7 Timems 300000 600000 -> / Message Your game is resumed -> think 2 full 300+10
         OK -> / engine b2 0 / Game#7 Timems 299000 600000 / Game#7 Over 1-0 -> keep 1-0 a1* e5 b2*; Seek 6",
    );
}

#[test]
fn a_move_that_got_through_is_not_played_twice() {
    // A guest gets the game before the welcome.
    script(
        "ready / start / engine a1 0 / cut / connected privately / Login or Register / OK -> / OK -> / start ->
         Game#7 P A1 -> / Game#7 Timems 1 1 -> / Message Your game is resumed -> / Welcome Guest1! -> PING
         OK -> / Game#7 P E5 -> think 2",
    );
}

#[test]
fn a_second_start_of_a_game_begins_it_again() {
    // The engine searches another position than the next one.
    script(
        "ready / start / engine a1 0 / Game#7 Timems 1 1 / Game#7 P E5 -> think 2
         start -> stop; think 0",
    );
}

#[test]
fn a_restarted_program_resumes_its_game() {
    script("log in / start black -> new / Game#7 P A1 -> / Message Your game is resumed -> think 1");
}

#[test]
fn a_forgotten_game_is_kept_without_a_result() {
    script("ready / start / engine a1 0 / cut -> / log in / OK -> keep * a1*; Seek 6");
}

#[test]
fn a_new_game_ends_the_old_one() {
    script(
        "ready / start / Game Start 8 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0 -> stop; keep *; new; think 0",
    );
}

#[test]
fn silence_ends_a_connection() {
    // The server is silent for 75 s; later another accepts connections and sends nothing.
    script(
        "ready / wait 30 -> PING
         OK -> / wait 30 -> PING
         wait 30 -> PING
         wait 15 -> hang up
         wait 1 -> / cut -> / connected -> / wait 74 -> / wait 1 -> hang up",
    );
    assert!(TestBot::after(settings(), &["ready"]).bot.wake_at() <= Duration::from_secs(30));
}

#[test]
fn a_login_without_an_end_is_taken_as_complete() {
    script("connected / Login or Register / Welcome Guest1! / wait 9 -> / wait 1 -> Seek 5");
}

#[test]
fn draws_are_accepted_without_an_advantage_only() {
    // Four even moves after the first. Then the offer is withdrawn, so the bot withdraws its own.
    script(
        "ready / start / engine a1 1 -> Game#7 P A1
         Game#7 OfferDraw -> / Game#7 P E5 / engine b1 0 -> Game#7 P B1
         Game#7 P E4 / engine b2 0 -> Game#7 P B2
         Game#7 P E3 / engine b3 0 -> Game#7 P B3
         Game#7 P E2 / engine b4 0 -> Game#7 OfferDraw; Game#7 P B4
         Game#7 RemoveDraw -> Game#7 RemoveDraw
         Game#7 OfferDraw -> Game#7 OfferDraw
         Game#7 Over 1/2-1/2 -> keep 1/2-1/2 a1* e5 b1* e4 b2* e3 b3* e2; Seek 6; say 0 won, 0 lost, 1 neither",
    );
}

#[test]
fn moves_are_taken_back_only_with_the_option() {
    script("ready / start / engine a1 0 / Game#7 Timems 1 1 / Game#7 RequestUndo ->");
    // First move and request cross: the move voids the request. At the end the request is withdrawn.
    run(
        Settings { undo: true, ..settings() },
        "ready / start / engine a1 0 / Game#7 RequestUndo -> / Game#7 Timems 1 1 / Game#7 P E5 -> think 2
         Game#7 RequestUndo -> stop; Game#7 RequestUndo
         Game#7 Undo -> / Game#7 P D4 -> think 2
         Game#7 RequestUndo -> stop; Game#7 RequestUndo
         Game#7 RemoveUndo -> Game#7 RemoveUndo; think 2
         Game#7 Over 1-0 -> stop; keep 1-0 a1* d4; Seek 6",
    );
}

#[test]
fn lost_games_are_resigned_only_with_the_option() {
    script("ready / start / engine a1 lost -> Game#7 P A1");
    run(
        Settings { resign: true, ..settings() },
        "ready / start / engine a1 -2000 -> Game#7 P A1
         Game#7 P E5 -> think 2
         engine b1 lost -> Game#7 Resign
         Game#7 Over 0-1 -> keep 0-1 a1* e5; Seek 6; say (resignation)",
    );
}

#[test]
fn players_are_answered_with_pauses() {
    let help = TestBot::after(settings(), &["ready"]).happen("Tell <alice> Help ").first().and_then(text).unwrap();
    assert!(help.starts_with("Tell alice I am tak-engine") && help.len() < 256, "{help}");
    script(
        "ready / Tell <alice> help
         Tell <bob> help -> / wait 4 -> / Tell <bob> help -> / wait 1 -> / Tell <bob> hello ->
         Told <bob> help -> / Shout <bob> help -> / Tell <bob> help -> Tell bob I am...",
    );
    run(Settings { chat: false, ..settings() }, "ready / Tell <alice> help ->");
}

#[test]
fn the_opponents_time_is_used_until_something_happens() {
    let ponders = Settings { ponder: true, undo: true, ..settings() };
    let run_on = |script: &str| {
        let start = "ready / start / engine a1 0 -> Game#7 P A1; ponder 0 / Game#7 Timems 1000 1000 ->";
        run(ponders.clone(), &format!("{start}\n{script}"));
    };
    // The next question ends pondering by itself; clocks and chat do not matter.
    run_on("Game#7 OfferDraw -> / Game#7 RemoveDraw -> / Game#7 P E5 -> think 2");
    run_on("cut -> stop");
    // After these nothing is left to stop, unless another move is due.
    for (line, requests, after) in [
        ("RequestUndo", "stop; Game#7 RequestUndo", ""),
        ("Undo", "stop; think 0", "stop"),
        ("Over 1-0", "stop; keep 1-0 a1*; Seek 6", ""),
        ("Abandoned. alice quit", "stop; keep 1-0 a1*; Seek 6", ""),
        ("P A9", "stop; Game#7 Resign", ""),
        ("P A1", "stop; Game#7 Resign", ""),
    ] {
        run_on(&format!("Game#7 {line} -> {requests} / cut -> {after}"));
    }
    // There is no pondering after the end of a game or its resignation.
    run(
        Settings { resign: true, ..ponders.clone() },
        "ready / Game Start 7 Guest1 vs alice white 3 600 10 4 10 0 0 0 0 0 0 -> new; think 0
         engine a3 0 -> Game#7 P A3; ponder 0
         Game#7 P C1 -> think 2
         engine a1 0 -> Game#7 P A1; ponder 2
         Game#7 P C2 -> think 4
         engine b1 0 -> Game#7 P B1",
    );
    run(
        Settings { resign: true, ..ponders.clone() },
        "ready / start / engine a1 0 / Game#7 P E5 -> think 2 / engine b1 lost -> Game#7 Resign",
    );
}

#[test]
fn a_player_chooses_the_level_of_the_next_game() {
    let usual = Settings { level: Level::new(4), ..settings() };
    let elo = Level::new(9).unwrap().elo();
    let most = Level::MAX;
    // A request counts even if it gets no answer, but not for the game in progress. A resumed game keeps its level.
    let script = format!(
        "ready / start -> new; think 0 4 600+10 7
         Tell <alice> level 9 -> Tell alice Our next game is at level 9 of {most} (Elo {elo})
         Tell <bob> LEVEL 0 -> / engine a1 0 / Game#7 P E5 -> think 2 4 / Game#7 Over 0-1
         Game Start 8 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0 -> new; think 0 9 600+10 8
         Game#8 Over 0-1
         Game Start 9 Guest1 vs bob white 5 600 10 4 21 1 0 0 0 0 0 -> new; think 0 full 600+10 9
         wait 5 / Tell <bob> level 1 / cut / log in / Game Start 9 Guest1 vs bob white 5 600 10 4 21 1 0 0 0 0 0
         Game#9 P A1 / Game#9 P E5 / OK -> think 2 full
         wait 5 / Tell <bob> level 31 -> Tell bob Levels are 1 to {most}, and 0 is full strength"
    );
    run(usual.clone(), &script);
    run(Settings { chat: false, ..usual }, "ready / Tell <alice> level 9 -> / start -> new; think 0 4");
}

fn with_book(lines: &str) -> Settings {
    let book = Book::new(&parse_lines(lines, Some(Size::ALL[2])).unwrap());
    Settings { book, ponder: true, undo: true, ..settings() }
}

#[test]
fn lines_of_the_book_are_played_without_a_search() {
    // A resumed game waits for all its moves. Then the opponent leaves the line. The next game has another size.
    run(
        Settings { ponder: false, level: Level::new(3), ..with_book("a1 e5 Cc3 d4 b2") },
        "ready / start -> new; Game#7 P A1
         Game#7 Timems 600000 600000 -> / Game#7 P E5 -> Game#7 P C3 C
         cut / log in / start -> / Game#7 P A1 -> / Game#7 P E5 ->
         Message Your game is resumed -> Game#7 P C3 C
         OK -> / Game#7 P D3 -> think 4
         engine b2 0 / Game#7 Timems 600000 600000
         Game#7 Over 1-0 -> keep 1-0 a1(book) e5 Cc3(book) d3 b2*; Seek 6
         Game Start 8 Guest1 vs alice white 6 600 10 4 30 1 0 0 0 0 0 -> new; think 0",
    );
}

#[test]
fn moves_of_the_book_are_moves_like_others() {
    let with_book = with_book("a1 e5 c3 d4 b2");
    run(with_book.clone(), "ready / start / NOK -> Game#7 Resign / Game#7 Over 0-1 -> keep 0-1; Seek 6");
    // The opponent takes a move back, and gets the same answer to the same move.
    run(
        with_book.clone(),
        "ready / start / Game#7 Timems 600000 600000 / Game#7 P E5 -> Game#7 P C3
         Game#7 Timems 600000 600000 / Game#7 RequestUndo -> Game#7 RequestUndo
         Game#7 Undo -> Game#7 P C3",
    );
    // A move outside the book is taken back, and one of the book is played.
    run(
        with_book,
        "ready / start black / Game#7 P B1 -> think 1
         Game#7 Undo / Game#7 P A1 -> Game#7 P E5",
    );
}

#[test]
fn a_return_to_the_book_ends_the_search() {
    run(
        with_book("a1 e5 c3 d4 b2 d5 b3"),
        "ready / start / Game#7 Timems 600000 600000 / Game#7 P E5 -> Game#7 P C3
         Game#7 Timems 600000 600000 / Game#7 P D5 -> think 4
         engine b2 0 -> Game#7 P B2; ponder 4
         Game#7 P D4 -> stop; Game#7 P B3",
    );
}

#[test]
fn seeks_of_a_certain_player_are_accepted() {
    // The second seek is for another player; the same one is not accepted again. The last one is withdrawn during a
    // game.
    run(
        Settings { opponents: Opponents::Of("alice".into()), ..settings() },
        "ready / Seek new 3 bob 5 600 20 A 4 21 1 0 0 0 0 0 0 ->
         Seek new 4 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> Accept 4
         NOK -> / wait 5 -> / Seek new 5 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> Accept 5
         Game Start 7 Guest1 vs alice white 5 600 20 4 21 1 0 0 0 0 0 -> new; think 0 full 600+20
         Seek new 6 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 ->
         Seek remove 6 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> / Game#7 Over 1-0 -> stop; keep 1-0",
    );
}

#[test]
fn the_bot_ends_after_the_number_of_games() {
    run(Settings { games: Some(1), ..settings() }, "ready / start / Game#7 Over 1-0 -> stop; keep 1-0; quit; end");
}

#[test]
fn an_interrupt_lets_a_game_end() {
    // Not even a lost connection ends it.
    script(
        "ready / start / interrupt -> say after this game
         engine a1 0 -> Game#7 P A1
         cut -> / wait 60 -> / log in / start -> / Game#7 P A1 -> / Message Your game is resumed ->
         Game#7 Over 0-1 -> keep 0-1 a1*; quit; end",
    );
}

#[test]
fn an_interrupt_removes_the_seek() {
    script("ready / interrupt -> Seek 0 / wait 1 -> quit; end");
    // A player who has accepted it before gets the game.
    script(
        "ready / interrupt / start -> new; think 0
         wait 5 -> / Game#7 Over 1-0 -> stop; keep 1-0; quit; end",
    );
    // Without a connection there is nothing to wait for.
    script("interrupt -> end");
    // The refusal of a late removal is not one of a move.
    script(
        "ready / interrupt / start / engine a1 0 -> Game#7 P A1
         NOK -> / NOK -> Game#7 Resign",
    );
}

#[test]
fn a_login_refused_without_a_reason_is_tried_again() {
    // An older server does not support the first two commands.
    script("connected / Login or Register / NOK -> / NOK -> / NOK -> hang up");
}

#[test]
fn two_programs_do_not_disconnect_each_other_forever() {
    script("ready / Message You've logged in from another window. Disconnecting -> quit; end Replaced");
}

#[test]
fn endless_clocks_are_long_ones() {
    let most = u64::MAX;
    let start = format!("Game Start 7 Guest1 vs alice white 5 {most} {most} 4 21 1 0 0 10 {most} 0");
    // 100 days.
    script(&format!("ready / {start} -> new; think 0 full 8640000+8640000"));
}

#[test]
fn an_engine_without_memory_ends_the_bot() {
    let mut bot = TestBot::after(settings(), &["ready", "start"]);
    let requests = bot.handle(Event::Judged(1, Err(HashError(64))));
    assert!(requests.contains(&Request::End(Err(Failure::Hash(HashError(64))))), "{requests:?}");
}
