//! The bot against everything that can happen, as scripts: what happens to it, and what it wants to be done.

use super::*;
use crate::arena::openings::book::parse_lines;
use crate::board::Size;
use crate::notation::PtnGame;
use crate::search::{Line, Score};

const START: &str = "Game Start 7 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0";
const AS_BLACK: &str = "Game Start 7 alice vs Guest1 black 5 600 10 4 21 1 0 0 0 0 0";

/// A bot, and the time as it sees it.
struct TestBot {
    bot: Bot,
    now: Duration,
}

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

impl TestBot {
    fn new(settings: Settings) -> Self {
        Self { bot: Bot::new(settings, Timestamp::UNIX_EPOCH), now: Duration::ZERO }
    }

    /// A bot that is logged in and has its seek on offer.
    fn ready(settings: Settings) -> Self {
        let mut bot = Self::new(settings);
        bot.run("log in\nOK");
        bot
    }

    /// A bot with a game that has just begun.
    fn playing(settings: Settings, start: &str) -> Self {
        let mut bot = Self::ready(settings);
        bot.hear(start);
        bot
    }

    fn tell(&mut self, event: Event) -> Vec<Request> {
        self.bot.handle(event, self.now)
    }

    fn hear(&mut self, line: &str) -> Vec<Request> {
        self.tell(Event::Line(line.into()))
    }

    /// Plays a script. Each line, or part of one between ` / `, is something that happens, and after `->` all requests that
    /// follow from it, with `;` between them; without `->` they are not checked. What happens is a line of the server, or one
    /// of these:
    ///
    /// `log in` up to the welcome, `connected`, `connected privately`, `cut`, `interrupt`, `wait SECONDS`, `engine MOVE
    /// SCORE` for the answer to the last question, with centiflats or `lost`.
    ///
    /// Requests are lines for the server (of a seek two words), or `think PLIES`, `ponder PLIES`, `stop`, `new`,
    /// `hang up`, `end`, and `keep RESULT MOVES`, where a move with a comment has a `*`. `...` stands for the rest of
    /// one. What the operator is told is checked by `say PART` and otherwise left out.
    fn run(&mut self, script: &str) {
        let mut faults = Vec::new();
        for line in script.lines().flat_map(|line| line.split(" / ")).map(str::trim) {
            let (event, expected) = match line.split_once("->") {
                Some((event, expected)) => (event.trim(), Some(expected)),
                None => (line, None),
            };
            let requests = self.happen(event);
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
                None => actual == expected,
            };
            let are_said = says.iter().all(|part| said.contains(&part[4..]));
            if actual.len() != expected.len() || !actual.iter().zip(&expected).all(is_same) || !are_said {
                faults.push(format!("{line}\n    but {}; say {said}", actual.join("; ")));
            }
        }
        assert!(faults.is_empty(), "{}", faults.join("\n"));
    }

    fn happen(&mut self, event: &str) -> Vec<Request> {
        let words: Vec<&str> = event.split(' ').collect();
        match words[..] {
            ["log", "in"] => {
                let mut requests = self.happen("connected");
                for line in ["Login or Register", "OK", "OK", "Welcome Guest1!"] {
                    requests.extend(self.hear(line));
                }
                requests
            }
            ["connected", ref privately @ ..] => self.tell(Event::Connected { is_private: !privately.is_empty() }),
            ["cut"] => self.tell(Event::Disconnected),
            ["interrupt"] => self.tell(Event::Interrupted),
            ["wait", seconds] => {
                self.now += Duration::from_secs(seconds.parse().unwrap());
                self.tell(Event::Tick)
            }
            ["engine", mv, score] => {
                let score = score.parse().map_or(Score::loss_in(4), Score::centiflats);
                let line = Line { score, bound: None, solved: score.solved(), pv: vec![mv.parse().unwrap()] };
                let report = Report { lines: vec![line], ..Report::default() };
                self.tell(Event::Judged(self.bot.questions, Ok(report)))
            }
            _ => self.hear(event),
        }
    }
}

/// A request as a script has it.
fn text(request: &Request) -> Option<String> {
    Some(match request {
        Request::Send(command) => {
            let line = command.line();
            let words = if line.starts_with("Seek ") { 2 } else { usize::MAX };
            line.trim_end().split(' ').take(words).collect::<Vec<_>>().join(" ")
        }
        Request::HangUp => "hang up".to_owned(),
        Request::NewGame => "new".to_owned(),
        Request::Think(question) => format!("think {}", question.game.moves().len()),
        Request::Ponder(game, _) => format!("ponder {}", game.moves().len()),
        Request::StopThinking => "stop".to_owned(),
        Request::Keep(game) => {
            let mark = |commented: bool| if commented { "*" } else { "" };
            let moves = game.moves.iter().map(|ptn| format!(" {}{}", ptn.mv, mark(!ptn.comments.is_empty())));
            format!("keep {}{}", game.result.as_deref().unwrap(), moves.collect::<String>())
        }
        Request::Say(_) => return None,
        Request::End(Ok(())) => "end".to_owned(),
        Request::End(Err(failure)) => format!("end {failure:?}"),
    })
}

/// All that the operator is told.
fn said(requests: &[Request]) -> String {
    let texts = requests.iter().filter_map(|request| match request {
        Request::Say(text) => Some(text.as_str()),
        _ => None,
    });
    texts.collect::<Vec<_>>().join("\n")
}

fn question(requests: &[Request]) -> &Question {
    let mut questions = requests.iter().filter_map(|request| match request {
        Request::Think(question) => Some(&**question),
        _ => None,
    });
    questions.next().unwrap()
}

fn kept(requests: &[Request]) -> &PtnGame {
    let mut games = requests.iter().filter_map(|request| match request {
        Request::Keep(game) => Some(&**game),
        _ => None,
    });
    games.next().unwrap()
}

#[test]
#[should_panic(expected = "wait 1 -> Seek 5\n    but ")]
fn a_script_that_is_not_followed_fails() {
    TestBot::ready(settings()).run("wait 1 -> Seek 5");
}

#[test]
fn a_guest_logs_in_and_offers_a_game() {
    let mut bot = TestBot::new(settings());
    bot.run(
        "log in -> Client tak-engine-...; Protocol 2; Login Guest abcdefghijklmnopqrst; PING
         OK -> Seek 5
         wait 1 ->",
    );
}

#[test]
fn passwords_need_a_private_way() {
    let password = super::super::protocol::Password::new("open-sesame").unwrap();
    let user = Settings { login: Login::User { name: "alice".into(), password }, ..settings() };
    let mut bot = TestBot::new(user.clone());
    bot.run("connected / Login or Register -> end Exposed");
    let mut bot = TestBot::new(user);
    bot.run("connected privately");
    let requests = bot.hear("Login or Register");
    assert!(!format!("{requests:?}").contains("sesame"));
    assert_eq!(text(&requests[2]).unwrap(), "Login alice open-sesame");
    bot.run("Authentication failure -> end Login");
}

#[test]
fn a_game_is_played_to_its_end() {
    let mut bot = TestBot::ready(settings());
    let requests = bot.hear(START);
    let clock = question(&requests).limits.clock.unwrap();
    assert_eq!((clock.remaining, clock.increment), (Duration::from_secs(600), Duration::from_secs(10)));
    assert!(requests.contains(&Request::NewGame));
    // The clocks come before the move of the opponent.
    bot.run(
        "engine a1 0 -> Game#7 P A1
         Game#7 Timems 598000 600000 -> / OK -> / Game#7 Timems 598000 590000 ->",
    );
    let requests = bot.hear("Game#7 P E5");
    assert_eq!(question(&requests).game.moves().len(), 2);
    assert_eq!(question(&requests).limits.clock.unwrap().remaining, Duration::from_secs(598));
    // The next seek is the other one, and an answer that comes too late plays nothing.
    let requests = bot.hear("Game#7 Over 1-0");
    let game = kept(&requests);
    assert_eq!([game.tag("Result"), game.tag("Date")], [Some("1-0"), Some("1970.01.01")]);
    let texts: Vec<String> = requests.iter().filter_map(text).collect();
    assert_eq!(texts, ["stop", "keep 1-0 a1* e5", "Seek 6"]);
    assert!(said(&requests).contains("1 won, 0 lost"), "{}", said(&requests));
    bot.run("engine b2 0 ->");
}

#[test]
fn a_game_is_kept_before_anybody_is_told() {
    let requests = TestBot::playing(settings(), START).hear("Game#7 Over 1-0");
    let place = |is_it: fn(&Request) -> bool| requests.iter().position(is_it).unwrap();
    let kept = place(|request| matches!(request, Request::Keep(_)));
    assert!(kept < place(|request| matches!(request, Request::Say(_))), "{requests:?}");
}

#[test]
fn other_games_are_none_of_its_business() {
    TestBot::playing(settings(), AS_BLACK)
        .run("Game#8 P A1 -> / Game#8 Over R-0 -> / Game#8 Abandoned. bob quit -> / Game#7 P A1 -> think 1");
}

#[test]
fn garbage_changes_nothing() {
    let mut bot = TestBot::playing(settings(), AS_BLACK);
    assert!(bot.hear("").is_empty());
    bot.run(
        "\u{1b}[2J -> / Game#7 -> / Game#7 Timems x y -> / Game#7 Dance -> / Game#-1 P A1 -> / Game Start ->
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
        let mut bot = TestBot::playing(settings(), AS_BLACK);
        // What comes before the server has heard of it is not played any more.
        bot.run(&format!(
            "Game#7 {line} -> Game#7 Resign; say {why}
             Game#7 P A1 ->"
        ));
        let requests = bot.hear("Game#7 Over 1-0");
        assert_eq!(kept(&requests).tag("Termination"), Some(why));
        assert_eq!(requests.last().and_then(text).as_deref(), Some("Seek 6"));
    }
}

#[test]
fn a_move_out_of_turn_is_no_move() {
    TestBot::playing(settings(), START).run("Game#7 P A1 -> stop; Game#7 Resign");
}

#[test]
fn a_move_that_the_server_refuses_ends_the_game() {
    TestBot::playing(settings(), START).run(
        "engine a1 0
         NOK -> Game#7 Resign
         Error:Square not empty -> say Square not empty
         Game#7 Over 0-1 -> keep 0-1; Seek 6",
    );
    // If not even the resignation is taken, the server does not know the game.
    TestBot::playing(settings(), START).run(
        "engine a1 0
         NOK -> Game#7 Resign
         NOK -> keep *; Seek 6",
    );
}

#[test]
fn a_refusal_after_the_end_is_not_one_of_the_next_seek() {
    // The flag fell while the move was on its way.
    TestBot::playing(settings(), START).run(
        "engine a1 0 / Game#7 Over 0-1 -> keep 0-1; Seek 6
         NOK -> / NOK -> say refuses the seek
         wait 5 -> Seek 6",
    );
}

#[test]
fn a_kept_game_ends_where_the_servers_does() {
    // A draw is agreed to together with a move, and a flag may fall while a move is on its way. Then the move is refused.
    for (clocks, result, moves, refusal) in [
        ("OK", "1/2-1/2", "a1* e5", ""),
        ("OK", "0-1", "a1* e5", ""),
        ("Game#7 Timems 0 600000", "0-1", "a1* e5", ""),
        ("Game#7 Timems 1 600000", "0-1", "a1* e5 b2*", "say refuses the seek"),
    ] {
        TestBot::playing(settings(), START).run(&format!(
            "engine a1 0 / Game#7 P E5 / engine b2 0
             {clocks} -> / Game#7 Over {result} -> keep {result} {moves}; Seek 6
             NOK -> {refusal}"
        ));
    }
    // The move that ends the game belongs to it, whether its clocks have come or not.
    TestBot::ready(settings()).run(
        "Game Start 7 Guest1 vs alice white 3 600 10 4 10 0 0 0 0 0 0 / engine a3 0 / Game#7 P C1 / engine a1 0
         Game#7 P C2 / engine b1 0 / Game#7 Over R-0 -> keep R-0 a3* c1 a1* c2 b1*; Seek 6",
    );
}

#[test]
fn terms_that_cannot_be_played_are_refused() {
    TestBot::ready(settings()).run(
        "Game Start 9 Guest1 vs alice white 6 600 10 4 80 1 0 0 0 0 0 -> Game#9 Resign; say 80 stones
         Game#9 P A1 -> / Game#9 Over 0-1 -> Seek 5",
    );
    // The same with terms that cannot be read; in the middle of another game they are nonsense.
    TestBot::ready(settings()).run(
        "Game Start 7 Guest1 vs alice white 5 600 10 0.5 21 1 0 0 0 0 0 -> Game#7 Resign; say cannot be read, 7 Guest1
         Game#7 Over 0-1 -> Seek 5",
    );
    TestBot::playing(settings(), START).run("Game Start 8 2 3 ->");
}

#[test]
fn opponents_may_leave() {
    for (start, who, result) in [(START, "alice", "1-0"), (AS_BLACK, "alice", "0-1"), (AS_BLACK, "Guest1", "1-0")] {
        let mut bot = TestBot::playing(settings(), start);
        bot.run("Message alice has disconnected. They have 120 seconds to reconnect -> say alice has disconnected");
        let requests = bot.hear(&format!("Game#7 Abandoned. {who} quit"));
        assert_eq!(kept(&requests).tag("Result"), Some(result));
    }
}

#[test]
fn a_game_is_taken_up_after_a_lost_connection() {
    let mut bot = TestBot::playing(settings(), START);
    // What the engine found after the cut is not sent to the next connection.
    bot.run(&format!(
        "engine a1 0 / Game#7 P E5 / cut -> stop
         engine b2 0 -> / log in / {START} -> / Game#7 P A1 -> / Game#7 P E5 ->
         Game#7 Timems 300000 600000 ->"
    ));
    let requests = bot.hear("Message Your game is resumed");
    assert_eq!(question(&requests).game.moves().len(), 2);
    assert_eq!(question(&requests).limits.clock.unwrap().remaining, Duration::from_secs(300));
    bot.run("OK -> / engine b2 0 / Game#7 Timems 299000 600000 / Game#7 Over 1-0 -> keep 1-0 a1* e5 b2*; Seek 6");
}

#[test]
fn a_move_that_got_through_is_not_played_twice() {
    // A guest hears of the game before the welcome.
    TestBot::playing(settings(), START).run(&format!(
        "engine a1 0 / cut / connected privately / Login or Register / OK -> / OK -> / {START} ->
         Game#7 P A1 -> / Game#7 Timems 1 1 -> / Message Your game is resumed -> / Welcome Guest1! -> PING
         OK -> / Game#7 P E5 -> think 2"
    ));
}

#[test]
fn a_game_that_is_begun_twice_is_told_from_its_beginning() {
    // What is being thought about is another position than the next one.
    TestBot::playing(settings(), START).run(&format!(
        "engine a1 0 / Game#7 Timems 1 1 / Game#7 P E5 -> think 2
         {START} -> stop; think 0"
    ));
}

#[test]
fn a_restarted_program_resumes_its_game() {
    TestBot::new(settings()).run(&format!(
        "log in / {AS_BLACK} -> new
         Game#7 P A1 -> / Message Your game is resumed -> think 1"
    ));
}

#[test]
fn a_game_that_the_server_has_forgotten_is_kept_without_a_result() {
    TestBot::playing(settings(), START).run("engine a1 0 / cut -> / log in / OK -> keep * a1*; Seek 6");
}

#[test]
fn a_new_game_ends_the_old_one() {
    TestBot::playing(settings(), START)
        .run("Game Start 8 Guest1 vs alice white 5 600 10 4 21 1 0 0 0 0 0 -> stop; keep *; new; think 0");
}

#[test]
fn signs_of_life_are_given_and_asked_for() {
    let mut bot = TestBot::ready(settings());
    assert!(bot.bot.wake_at() <= Duration::from_secs(30));
    // Nothing is heard for 75 s; later from a server that accepts connections and says nothing.
    bot.run(
        "wait 30 -> PING
         OK -> / wait 30 -> PING
         wait 30 -> PING
         wait 15 -> hang up
         wait 1 -> / cut -> / connected -> / wait 74 -> / wait 1 -> hang up",
    );
}

#[test]
fn a_login_without_an_end_is_taken_as_complete() {
    TestBot::new(settings()).run("connected / Login or Register / Welcome Guest1! / wait 9 -> / wait 1 -> Seek 5");
}

#[test]
fn draws_are_agreed_to_without_an_advantage_only() {
    // Four even moves after the first. Then the offer is taken back, so what was sent would be an offer of its own.
    TestBot::playing(settings(), START).run(
        "engine a1 1 -> Game#7 P A1
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
fn moves_are_taken_back_only_if_that_was_asked_for() {
    TestBot::playing(settings(), START).run("engine a1 0 / Game#7 Timems 1 1 / Game#7 RequestUndo ->");
    // First the move and the wish cross: the move makes it void. Then the wish is taken back before it is agreed to.
    let mut bot = TestBot::playing(Settings { undo: true, ..settings() }, START);
    bot.run(
        "engine a1 0 / Game#7 RequestUndo -> / Game#7 Timems 1 1 / Game#7 P E5 -> think 2
         Game#7 RequestUndo -> stop; Game#7 RequestUndo
         Game#7 Undo ->",
    );
    let requests = bot.hear("Game#7 P D4");
    let moves: Vec<String> = question(&requests).game.moves().iter().map(ToString::to_string).collect();
    assert_eq!(moves, ["a1", "d4"]);
    bot.run(
        "Game#7 RequestUndo -> stop; Game#7 RequestUndo
         Game#7 RemoveUndo -> Game#7 RemoveUndo; think 2",
    );
}

#[test]
fn lost_games_are_resigned_only_if_that_was_asked_for() {
    TestBot::playing(settings(), START).run("engine a1 lost -> Game#7 P A1");
    let mut bot = TestBot::playing(Settings { resign: true, ..settings() }, START);
    bot.run(
        "engine a1 -2000 -> Game#7 P A1
         Game#7 P E5 -> think 2
         engine b1 lost -> Game#7 Resign",
    );
    assert_eq!(kept(&bot.hear("Game#7 Over 0-1")).tag("Termination"), Some("resignation"));
}

#[test]
fn players_are_answered_with_pauses() {
    let mut bot = TestBot::ready(settings());
    let help = bot.hear("Tell <alice> Help ").first().and_then(text).unwrap();
    assert!(help.starts_with("Tell alice I am tak-engine") && help.len() < 256, "{help}");
    bot.run(
        "Tell <bob> help -> / wait 4 -> / Tell <bob> help -> / wait 1 -> / Tell <bob> hello ->
         Told <bob> help -> / Shout <bob> help -> / Tell <bob> help -> Tell bob I am...",
    );
    TestBot::ready(Settings { chat: false, ..settings() }).run("Tell <alice> help ->");
}

#[test]
fn the_opponents_time_is_used_until_something_happens() {
    let ponders = || Settings { ponder: true, undo: true, ..settings() };
    let bot = || {
        let mut bot = TestBot::playing(ponders(), START);
        bot.run(
            "engine a1 0 -> Game#7 P A1; ponder 0
             Game#7 Timems 1000 1000 ->",
        );
        bot
    };
    // The next question decides by itself what becomes of it; clocks and words do not matter.
    bot().run("Game#7 OfferDraw -> / Game#7 RemoveDraw -> / Game#7 P E5 -> think 2");
    // There is nothing more to end after these, unless another move is due.
    for (line, requests, after) in [
        ("RequestUndo", "stop; Game#7 RequestUndo", ""),
        ("Undo", "stop; think 0", "stop"),
        ("Over 1-0", "stop; keep 1-0 a1*; Seek 6", ""),
        ("Abandoned. alice quit", "stop; keep 1-0 a1*; Seek 6", ""),
        ("P A9", "stop; Game#7 Resign", ""),
        ("P A1", "stop; Game#7 Resign", ""),
    ] {
        bot().run(&format!("Game#7 {line} -> {requests}\ncut -> {after}"));
    }
    bot().run("cut -> stop");
    // A game that is over, or given up, is not thought about.
    TestBot::ready(Settings { resign: true, ..ponders() }).run(
        "Game Start 7 Guest1 vs alice white 3 600 10 4 10 0 0 0 0 0 0 -> new; think 0
         engine a3 0 -> Game#7 P A3; ponder 0
         Game#7 P C1 -> think 2
         engine a1 0 -> Game#7 P A1; ponder 2
         Game#7 P C2 -> think 4
         engine b1 0 -> Game#7 P B1",
    );
    let mut lost = bot();
    lost.bot.settings.resign = true;
    lost.run(
        "Game#7 P E5 -> think 2
         engine b1 lost -> Game#7 Resign",
    );
}

#[test]
fn a_player_chooses_the_level_of_the_next_game() {
    let usual = Settings { level: Level::new(4), ..settings() };
    let level_of = |bot: &mut TestBot, number: u64, opponent: &str| {
        let requests = bot.hear(&format!("Game Start {number} Guest1 vs {opponent} white 5 600 10 4 21 1 0 0 0 0 0"));
        assert_eq!(question(&requests).seed, number);
        question(&requests).level.map(Level::number)
    };
    let mut bot = TestBot::ready(usual.clone());
    assert_eq!(level_of(&mut bot, 7, "alice"), Some(4));
    // A wish counts also where there is no answer to it, but not for the game in progress.
    bot.run(
        "Tell <alice> level 9 -> Tell alice Our next game is at level 9 of 20
         Tell <bob> LEVEL 0 -> / engine a1 0",
    );
    assert_eq!(question(&bot.hear("Game#7 P E5")).level, Level::new(4));
    bot.hear("Game#7 Over 0-1");
    assert_eq!(level_of(&mut bot, 8, "alice"), Some(9));
    bot.hear("Game#8 Over 0-1");
    assert_eq!(level_of(&mut bot, 9, "bob"), None);
    // The game is taken up at the level at which it began.
    bot.run(
        "wait 5 / Tell <bob> level 1 / cut / log in / Game Start 9 Guest1 vs bob white 5 600 10 4 21 1 0 0 0 0 0
         Game#9 P A1 / Game#9 P E5",
    );
    assert_eq!(question(&bot.hear("OK")).level, None);
    bot.run("wait 5 / Tell <bob> level 21 -> Tell bob Levels are 1 to 20, and 0 is full strength");
    let mut deaf = TestBot::ready(Settings { chat: false, ..usual });
    deaf.run("Tell <alice> level 9 ->");
    assert_eq!(level_of(&mut deaf, 7, "alice"), Some(4));
}

fn book(text: &str) -> Book {
    Book::new(&parse_lines(text, Some(Size::ALL[2])).unwrap())
}

#[test]
fn lines_of_the_book_are_played_without_a_thought() {
    let bookish = Settings { book: book("a1 e5 Cc3 d4 b2"), level: Level::new(3), ..settings() };
    let mut bot = TestBot::ready(bookish);
    // A game that is told again is not played on before all is told. Then the other player leaves the line.
    bot.run(&format!(
        "{START} -> new; Game#7 P A1
         Game#7 Timems 600000 600000 -> / Game#7 P E5 -> Game#7 P C3 C
         cut / log in / {START} -> / Game#7 P A1 -> / Game#7 P E5 ->
         Message Your game is resumed -> Game#7 P C3 C
         OK -> / Game#7 P D3 -> think 4
         engine b2 0 / Game#7 Timems 600000 600000"
    ));
    let requests = bot.hear("Game#7 Over 1-0");
    let comments = kept(&requests).moves.iter().map(|mv| mv.comments.join(" "));
    let comments: Vec<String> = comments.collect();
    assert_eq!(comments[..4], ["book", "", "book", ""]);
    assert!(!["", "book"].contains(&comments[4].as_str()), "{comments:?}");
    // The next game is on another board.
    bot.run("Game Start 8 Guest1 vs alice white 6 600 10 4 30 1 0 0 0 0 0 -> new; think 0");
}

#[test]
fn the_seed_of_a_game_chooses_among_lines() {
    let bookish = Settings { book: book("a1\na5\nc3\n"), ..settings() };
    let first = |number: u64| {
        let requests = TestBot::ready(bookish.clone()).hear(&START.replace('7', &number.to_string()));
        requests.last().and_then(text).unwrap().split(' ').next_back().unwrap().to_owned()
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
    TestBot::playing(bookish(), START).run(
        "NOK -> Game#7 Resign
         Game#7 Over 0-1 -> keep 0-1; Seek 6",
    );
    // The opponent takes one back, and gets the same answer to the same move.
    TestBot::playing(bookish(), START).run(
        "Game#7 Timems 600000 600000 / Game#7 P E5 -> Game#7 P C3
         Game#7 Timems 600000 600000 / Game#7 RequestUndo -> Game#7 RequestUndo
         Game#7 Undo -> Game#7 P C3",
    );
    // One that the book does not know is taken back, and one that it knows is played.
    TestBot::playing(bookish(), AS_BLACK).run(
        "Game#7 P B1 -> think 1
         Game#7 Undo / Game#7 P A1 -> Game#7 P E5",
    );
}

#[test]
fn a_game_that_comes_back_into_the_book_is_not_thought_about_any_more() {
    let bookish = Settings { book: book("a1 e5 c3 d4 b2 d5 b3"), ponder: true, ..settings() };
    TestBot::playing(bookish, START).run(
        "Game#7 Timems 600000 600000 / Game#7 P E5 -> Game#7 P C3
         Game#7 Timems 600000 600000 / Game#7 P D5 -> think 4
         engine b2 0 -> Game#7 P B2; ponder 4
         Game#7 P D4 -> stop; Game#7 P B3",
    );
}

#[test]
fn a_certain_player_is_waited_for() {
    let mut bot = TestBot::ready(Settings { opponents: Opponents::Of("alice".into()), ..settings() });
    // The second seek was for somebody else; the same one is not asked for again.
    bot.run(
        "Seek new 3 bob 5 600 20 A 4 21 1 0 0 0 0 0 0 ->
         Seek new 4 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> Accept 4
         NOK -> / wait 5 -> / Seek new 5 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> Accept 5",
    );
    let requests = bot.hear("Game Start 7 5 Guest1 vs alice white 600 4 21 1");
    assert_eq!(question(&requests).limits.clock.unwrap().increment, Duration::from_secs(20));
    // A seek that comes and goes while a game is on.
    bot.run(
        "Seek new 6 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 ->
         Seek remove 6 alice 5 600 20 A 4 21 1 0 0 0 0 0 0 -> / Game#7 Over 1-0 -> stop; keep 1-0",
    );
}

#[test]
fn it_ends_after_as_many_games_as_were_asked_for() {
    TestBot::playing(Settings { games: Some(1), ..settings() }, START)
        .run("Game#7 Over 1-0 -> stop; keep 1-0; quit; end");
}

#[test]
fn an_interrupt_lets_a_game_end() {
    // Not even a lost connection ends it.
    TestBot::playing(settings(), START).run(&format!(
        "interrupt -> say after this game
         engine a1 0 -> Game#7 P A1
         cut -> / wait 60 -> / log in / {START} -> / Game#7 P A1 -> / Message Your game is resumed ->
         Game#7 Over 0-1 -> keep 0-1 a1*; quit; end"
    ));
}

#[test]
fn an_interrupt_takes_the_seek_back() {
    TestBot::ready(settings()).run(
        "interrupt -> Seek 0
         wait 1 -> quit; end",
    );
    // Somebody was quicker, and gets the game.
    TestBot::ready(settings()).run(&format!(
        "interrupt / {START} -> new; think 0
         wait 5 -> / Game#7 Over 1-0 -> stop; keep 1-0; quit; end"
    ));
    // Without a connection there is nothing to wait for.
    TestBot::new(settings()).run("interrupt -> end");
}

#[test]
fn a_removal_that_came_too_late_is_no_refusal_of_a_move() {
    TestBot::ready(settings()).run(&format!(
        "interrupt / {START} / engine a1 0 -> Game#7 P A1
         NOK -> / NOK -> Game#7 Resign"
    ));
}

#[test]
fn endless_clocks_are_long_ones() {
    let most = u64::MAX;
    let start = format!("Game Start 7 Guest1 vs alice white 5 {most} {most} 4 21 1 0 0 10 {most} 0");
    let requests = TestBot::ready(settings()).hear(&start);
    let question = question(&requests);
    let settings = crate::engine::Settings { hash_mib: 1, ..crate::engine::Settings::default() };
    let mut engine = crate::engine::Engine::new(settings);
    let limits = crate::engine::Limits { nodes: Some(100), ..question.limits };
    assert!(engine.analyse(&question.game, limits).unwrap().best().is_some());
}

#[test]
fn a_login_that_is_refused_without_a_reason_is_tried_again() {
    // An older server does not know the first two commands.
    TestBot::new(settings()).run(
        "connected / Login or Register
         NOK -> / NOK -> / NOK -> hang up",
    );
}

#[test]
fn two_programs_do_not_throw_each_other_out() {
    TestBot::ready(settings()).run("Message You've logged in from another window. Disconnecting -> quit; end Replaced");
}

#[test]
fn an_engine_without_memory_ends_the_bot() {
    let requests = TestBot::playing(settings(), START).tell(Event::Judged(1, Err(HashError(64))));
    assert!(requests.contains(&Request::End(Err(Failure::Hash(HashError(64))))), "{requests:?}");
}
