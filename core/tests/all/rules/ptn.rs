//! PTN files: reading, writing, variations, and error messages.

use std::time::{Duration, Instant};

use super::notation::size;
use crate::cases::cases;
use crate::for_all_sizes;
use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, IteratorRandom};
use rand::{RngExt, SeedableRng};
use tak_engine_core::board::{AnyPosition, ByColor, Color, Game, Komi, Move, OpeningRule, Reserve, Setup};
use tak_engine_core::notation::{PtnGame, PtnMove, PtnVariation, opening_tag, parse_games, parse_move, read_games};

fn one(text: &str) -> Result<PtnGame, String> {
    let mut games: Vec<_> = parse_games(text).collect();
    assert_eq!(games.len(), 1, "{games:?}");
    games.remove(0).map_err(|error| error.to_string())
}

pub(super) fn moves(game: &PtnGame) -> Vec<String> {
    game.moves.iter().map(|m| m.mv.to_string()).collect()
}

#[test]
fn a_game_is_read_with_everything_in_it() {
    let game =
        one("[Site \"PlayTak.com\"]\n[Player1 \"a \\\"b\\\" \\\\c\"]\n[Size \"5\"]\n[Komi \"2.5\"]\n[Flats \"20\"]\n\
         [Caps2 \"2\"]\n[Opening \"swap\"]\n[Result \"0-1\"]\n\n{A game}\n1. a1 e5! {first\nturn} {done}\n\
         2.Cc3 b2'' 3. c3< ...Sd4?{!?}\n4. 2b3-11*' 0-1\n")
        .unwrap();
    assert_eq!(game.tag("player1"), Some("a \"b\" \\c"));
    assert_eq!(game.tag("Nothing"), None);
    assert_eq!(game.start.size, size(5));
    assert_eq!(game.start.komi.half(), 5);
    assert_eq!(game.start.reserves[Color::White].stones, 20);
    assert_eq!(game.start.reserves[Color::Black].stones, 20);
    assert_eq!(game.start.reserves[Color::White].caps, 1);
    assert_eq!(game.start.reserves[Color::Black].caps, 2);
    assert_eq!(moves(&game), ["a1", "e5", "Cc3", "b2", "c3<", "Sd4", "2b3-11"]);
    assert_eq!(game.comments, ["A game"]);
    assert_eq!(game.moves[1].comments, ["first\nturn", "done"]);
    assert_eq!(game.moves[5].comments, ["!?"]);
    let comments = game.moves.iter().map(|m| m.comments.len());
    assert_eq!(comments.sum::<usize>(), 3);
    let marks: Vec<_> = game.moves.iter().map(|m| m.marks.as_str()).collect();
    assert_eq!(marks, ["", "!", "", "''", "", "?", "*'"]);
    assert_eq!(game.result.as_deref(), Some("0-1"));
}

#[test]
fn every_result_is_known_and_nothing_else() {
    for result in ["R-0", "0-R", "F-0", "0-F", "1-0", "0-1", "1/2-1/2", "0-0", "*"] {
        let game = one(&format!("[Size \"6\"]\n1. a1 f6\n2. {result}")).unwrap();
        assert_eq!(game.result.as_deref(), Some(result));
        assert_eq!(game.moves.len(), 2);
    }
    let error = one("[Size \"6\"]\n1. a1 f6\n2. R-1").unwrap_err();
    assert!(error.starts_with("line 3: invalid move \"R-1\""), "{error}");
    let error = one("[Size \"6\"]\n1. a1 R-0\n2. a2").unwrap_err();
    assert_eq!(error, "line 3: \"a2\" comes after the result");
}

/// The moves before the last one of each variation, by following its parents.
fn line_of(game: &PtnGame, index: usize) -> Vec<String> {
    let variation = &game.variations[index];
    let mut line = variation.parent.map_or_else(|| moves(game), |parent| line_of(game, parent));
    line.truncate(variation.ply);
    line.extend(variation.moves.iter().map(|played| played.mv.to_string()));
    line
}

/// In every form the variations have the same lines, and the game is as without them.
#[test]
fn variations_are_read_in_all_forms() {
    let tag = "[Size \"5\"]\n";
    let main = "1. a1 e5\n2. c3 c4 {good}\n3. d3 d4";
    let lines = ["a1 e5 c3 d4 e3 e2", "a1 e5 c3 d4 a3", "a1 e5 b2"]
        .map(|line| line.split(' ').map(str::to_owned).collect::<Vec<_>>());
    for (text, names) in [
        (
            format!("{main}\n\n{{2b_d4}}\n2. -- d4\n3. e3 e2\n\n{{2b_d4/3w_a3}}\n3. a3\n\n{{2w_b2}}\n2. b2"),
            "2b_d4 2b_d4/3w_a3 2w_b2",
        ),
        (format!("{main}\n\n2-1.2. -- d4\n2-1.3. e3 e2\n\n2-1.3-1.3. a3\n\n2-2.2. b2"), "2-1 2-1/3-1 2-2"),
        (format!("{main}\n\n{{x}}\n2... d4\n3. e3 e2\n\n{{x/y z}}\n3. a3\n\n{{ö}}\n2. b2"), "x x/y z ö"),
    ] {
        for end in ["", " R-0"] {
            let text = text.replacen("d3 d4", &format!("d3 d4{end}"), 1);
            let game = one(&format!("{tag}{text}")).unwrap();
            assert_eq!(
                PtnGame { variations: Vec::new(), ..game.clone() },
                one(&format!("{tag}{main}{end}")).unwrap(),
                "{text}"
            );
            assert_eq!([0, 1, 2].map(|index| line_of(&game, index)), lines, "{text}");
            let read: Vec<&str> = game.variations.iter().map(|variation| variation.name.as_str()).collect();
            assert_eq!(read.join(" "), names);
            assert_eq!(one(&game.to_string()).as_ref(), Ok(&game));
        }
    }
    // In brackets they come where they leave the game.
    let game = one(&format!("{tag}1. a1 e5\n2. c3 (2. b2) c4 {{good}} (2... d4 3. e3 (3. a3) e2) 3. d3 d4")).unwrap();
    assert_eq!(moves(&game), ["a1", "e5", "c3", "c4", "d3", "d4"]);
    assert_eq!([1, 2, 0].map(|index| line_of(&game, index)), lines);
    assert_eq!(one(&game.to_string()).as_ref(), Ok(&game));
    // Comments stay in their places, also before a variation.
    let game = one("[Size \"5\"]\n{x} 1. a1 e5 ({before} 1... {too} d4 {after})").unwrap();
    assert_eq!(game.variations[0].comments, ["before", "too"]);
    assert!(game.to_string().ends_with("{x}\n1. a1 e5\n\n{1b_d4}\n1. -- {before} {too} d4 {after}\n"), "{game}");
    // After a result the game may be continued.
    let game = one(&format!("{tag}{main} 1-0\n\n{{4w_e1}}\n4. e1")).unwrap();
    assert_eq!(line_of(&game, 0).join(" "), "a1 e5 c3 c4 d3 d4 e1");
    // A variation that leaves nothing is dropped, and an invalid move ends one.
    let game =
        one(&format!("{tag}{main}\n\n{{a}}\n2. -- d4\n3. z9 a3\n\n{{b}}\n9. e1\n\n{{c}}\n\n{{a/d}}\n3. e1 {{x}}"))
            .unwrap();
    assert_eq!([0, 1].map(|index| line_of(&game, index).join(" ")), ["a1 e5 c3 d4", "a1 e5 c3 d4 e1"]);
    assert_eq!(game.variations.len(), 2);
    assert_eq!(game.variations[1].moves[0].comments, ["x"]);
}

const COMMENTS: [&str; 9] =
    ["good", "", "+0.5/8 [x] \"y\"", "[Size \"4\"]", "1. a1 (b1 R-0", "{;%$1", "2b_d4", "ö 🦀", " *two\u{a0} words"];

fn random_comments(rng: &mut StdRng) -> Vec<String> {
    let count = rng.random_range(0..6_usize).saturating_sub(3);
    (0..count).map(|_| (*COMMENTS.choose(rng).unwrap()).to_owned()).collect()
}

fn random_notes(rng: &mut StdRng, mv: Move) -> PtnMove {
    let marks = ["", "", "'", "*!?", "''??", "\"", "!!", "?"].choose(rng).unwrap();
    PtnMove { mv, marks: (*marks).to_owned(), comments: random_comments(rng) }
}

/// A game with comments, marks, results, and variations of variations in all places.
fn random_tree<const N: usize>(rng: &mut StdRng) -> PtnGame {
    let mut setup = Setup::empty(size(N as u64), Komi::from_half(rng.random_range(-2..4)).unwrap());
    setup.opening = *OpeningRule::ALL.choose(rng).unwrap();
    let choices = [setup.reserves[Color::White], Reserve { stones: 7, caps: 2 }];
    setup.reserves = ByColor([(); 2].map(|()| *choices.choose(rng).unwrap()));
    let mut game = Game::new(AnyPosition::from_setup(&setup).unwrap());
    let firsts = game.legal_moves();
    for _ in 0..rng.random_range(0..5) {
        game.play(*game.legal_moves().choose(rng).unwrap()).unwrap();
    }
    game = Game::new(game.position().clone());
    while let Some(&mv) = game.legal_moves().choose(rng).filter(|_| game.moves().is_empty() || rng.random_bool(0.9)) {
        game.play(mv).unwrap();
    }
    let mut ptn = PtnGame::from(&game);
    assert_eq!(ptn.game().as_ref(), Ok(&game));
    ptn.tags.insert(0, ("Player1".into(), "Tak \"the\" \\ bot".into()));
    ptn.comments = random_comments(rng);
    ptn.moves = game.moves().iter().map(|&mv| random_notes(rng, mv)).collect();
    ptn.result = Some("0-0".to_owned());
    for _ in 0..rng.random_range(0..9) {
        let parent = (0..ptn.variations.len()).choose(rng).filter(|_| rng.random());
        let from = parent.map_or(0, |parent| ptn.variations[parent].ply + 1);
        let ply = rng.random_range(from..=ptn.plies(parent));
        let moves: Vec<Move> = firsts.sample(rng, 4).copied().collect();
        let moves: Vec<PtnMove> = moves.into_iter().map(|mv| random_notes(rng, mv)).collect();
        let name = ptn.variation_name(parent, ply, &moves[0]);
        if ptn.variations.iter().all(|other| other.name != name) {
            let result = rng.random_bool(0.2).then(|| "0-R".to_owned());
            ptn.variations.push(PtnVariation { name, parent, ply, comments: random_comments(rng), moves, result });
        }
    }
    ptn.result = ptn.result.filter(|_| !ptn.variations.is_empty() || rng.random());
    ptn
}

/// Writes a game in PGN's form: variations in brackets, marks by number, comments to the end of the line.
struct Pgn<'a> {
    game: &'a PtnGame,
    rng: &'a mut StdRng,
    text: String,
    /// Variations in the order of the text.
    order: Vec<usize>,
}

impl Pgn<'_> {
    fn comments(&mut self, comments: &[String]) {
        for comment in comments {
            let is_plain = !comment.is_empty() && !comment.starts_with([' ', ';']);
            let to_line_end = is_plain && self.rng.random();
            let text = if to_line_end { format!(" ;{comment}\n") } else { format!("{{{comment}}} ") };
            self.text.push_str(&text);
        }
    }

    fn line(&mut self, line: Option<usize>) {
        let game = self.game;
        let (from, before, moves, result) = match line.map(|index| &game.variations[index]) {
            None => (0, &game.comments, &game.moves, &game.result),
            Some(own) => (own.ply, &own.comments, &own.moves, &own.result),
        };
        self.order.extend(line);
        self.comments(before);
        for (ply, PtnMove { mv, marks, comments }) in (from..).zip(moves) {
            let plies = game.start.to_move.index() + ply;
            let dots = if plies % 2 == 1 { "..." } else { "." };
            let count = if ply == 0 && game.start.places_stack() { "2" } else { "" };
            let turn = format!("{}{dots} {count}{mv}", game.start.move_number as usize + plies / 2);
            self.text.push_str(&turn);
            let number = ["!", "?", "!!", "??"].iter().position(|numbered| numbered == marks);
            let shown = match number.filter(|_| self.rng.random()) {
                Some(number) => format!(" ${} ", number + 1),
                None => format!("{marks} "),
            };
            self.text.push_str(&shown);
            self.comments(comments);
            let is_last = ply + 1 == from + moves.len();
            for (index, own) in game.variations.iter().enumerate() {
                if own.parent == line && (own.ply == ply || (is_last && own.ply == ply + 1)) {
                    self.text += "(";
                    self.line(Some(index));
                    self.text += ") ";
                }
            }
        }
        self.text += result.as_deref().unwrap_or_default();
    }
}

fn trees_are_read_back<const N: usize>() {
    let mut rng = StdRng::seed_from_u64(44);
    let games: Vec<PtnGame> = (0..cases(60)).map(|_| random_tree::<N>(&mut rng)).collect();
    let text: String = games.iter().map(ToString::to_string).collect();
    let read: Vec<_> = read_games(&text).collect();
    assert_eq!(read.len(), games.len());
    for (read, game) in read.iter().zip(&games) {
        assert_eq!((&read.game, &read.fault, read.deviations.count()), (game, &None, 0), "{game}");
    }
    for game in games {
        let tags: Vec<String> = game.tags.iter().map(|(name, value)| format!("[{name} {value:?}]\n")).collect();
        let mut pgn = Pgn { game: &game, rng: &mut rng, text: tags.concat(), order: Vec::new() };
        pgn.line(None);
        let (text, order) = (pgn.text, pgn.order);
        let moved = |index: usize| order.iter().position(|&old| old == index).unwrap();
        let variations = order.iter().map(|&index| {
            let own = game.variations[index].clone();
            PtnVariation { parent: own.parent.map(moved), ..own }
        });
        assert_eq!(one(&text), Ok(PtnGame { variations: variations.collect(), ..game.clone() }), "{text}");
    }
}

/// Everything in games of all kinds is written and read back, in PTN Ninja's form and in brackets.
#[test]
fn trees_of_moves_are_read_back_with_everything() {
    for_all_sizes!(trees_are_read_back());
}

#[test]
fn games_after_variations_and_comments_between_moves_stay() {
    let main = "[Size \"5\"]\n1. a1 e5\n2. c3 c4 {good}\n3. d3 d4";
    let branches = "\n\n{2b_d4}\n2. -- d4\n3. e3\n\n{2b_d4/3w_a3}\n3. a3 z9";
    let game = format!("{main}{branches}\n\n[Size \"4\"]\n1. a1");
    let games: Vec<_> = parse_games(&game).map(|game| moves(&game.unwrap()).len()).collect();
    assert_eq!(games, [6, 1]);
    // A comment between the moves is not a variation.
    for (text, count) in [
        ("1. a1 e5\n\n{a comment}\n2. c3", 3),
        ("1. a1 e5\n2. c3\n\n{a comment}\n2. ... c4", 4),
        ("1. a1 e5\n2. c3\n\n{a comment}\n2... c4", 4),
        ("1. a1 e5\n2. c3\n{a comment}\n\n2... c4", 4),
        ("1. a1 e5\n\n{a comment}\n\nc3", 3),
        ("1. a1 e5\n\n{a comment}\n\n99999999999999999999999. c3", 3),
    ] {
        let game = one(&format!("[Size \"5\"]\n{text}")).unwrap();
        assert_eq!((moves(&game).len(), game.comments.len()), (count, 0), "{text}");
    }
}

/// The features of PGN in PTN: comments to the end of the line, escape lines, variations in brackets, and numbered
/// marks.
#[test]
fn pgn_features_are_read() {
    let game = one("% made by a program {\n; a game\n[Size \"5\"]\n; played\n[Komi \"2\"]\n%another [Size \"9\"]\n\n\
         1. a1 $1 e5$4 ; corners {both\n2. c3 (2. d4 {(} (2. e4) ; x )\n c4) (2. b2) c4 !? $18 ;;; \n\
         % (\n{good} 3. d3'(3. a3) d4 *\n")
    .unwrap();
    assert_eq!(moves(&game), ["a1", "e5", "c3", "c4", "d3", "d4"]);
    let marks: Vec<_> = game.moves.iter().map(|m| m.marks.as_str()).collect();
    assert_eq!(marks, ["!", "??", "", "!?", "'", ""]);
    assert_eq!(game.comments, ["a game", "played"]);
    assert_eq!(game.moves[1].comments, ["corners {both"]);
    assert_eq!(game.moves[3].comments, ["$18", "good"]);
    assert_eq!(game.start.komi.half(), 4);
    assert_eq!(game.result.as_deref(), Some("*"));
    assert_eq!(game.variations.len(), 4);
    assert_eq!(one(&game.to_string()).as_ref(), Ok(&game));
    for (text, message) in [
        ("1. a1 (1. b1\n2. c3", "line 2: unterminated variation"),
        ("1. a1 (1. b1 {x\n2. c3)", "line 2: unterminated comment"),
        ("1. a1\ne5 ) c3", "line 3: invalid move \")\""),
        ("1. a1 $ e5", "line 2: invalid move \"$\""),
        ("1. a1 $x e5", "line 2: invalid move \"$x\""),
    ] {
        let error = one(&format!("[Size \"5\"]\n{text}")).unwrap_err();
        assert!(error.starts_with(message), "{text}: {error}");
    }
    // Nesting is not limited.
    let deep = "(".repeat(1_000_000) + &")".repeat(1_000_000);
    assert_eq!(moves(&one(&format!("[Size \"5\"]\n1. a1 {deep} e5")).unwrap()).len(), 2);
}

#[test]
fn lines_end_as_on_any_system() {
    let unix = "[Size \"5\"]\n[Komi \"2\"]\n\n1. a1 e5 {two\nlines} ; rest\n% out\n2. c3 c4\n\n{2w_d4}\n2. d4\n\n\
                [Size \"4\"]\n[TPS \"x4/x4/x4/x4 1 1\"]\n\n1. a1 zz\n\n[Size \"6\"]\n1. a1\n";
    let read = |text: &str| parse_games(text).collect::<Vec<_>>();
    let games = read(unix);
    assert_eq!(games.len(), 3);
    assert_eq!(moves(games[0].as_ref().unwrap()), ["a1", "e5", "c3", "c4"]);
    assert_eq!(games[1].as_ref().unwrap_err().line, 15);
    for end in ["\r", "\r\n", "\r\r\n"] {
        assert_eq!(read(&unix.replace('\n', end)), games, "{end:?}");
    }
    // Joined files have a byte order mark each, and some end with a control character.
    let marked = format!("\u{feff}{unix}\u{1a}\n\u{feff}{unix}");
    let joined = read(&marked);
    assert_eq!(joined.len(), 6);
    assert_eq!(joined[..3], games);
    assert_eq!(joined[3], games[0]);
}

#[test]
fn text_before_the_tags_belongs_to_the_game() {
    for text in [
        "{Round 1,\nboard 2}\n\n[Size \"5\"]\n1. a1",
        "; Round 1\n{board 2}\n[Size \"5\"]\n1. a1",
        "\n% x\n[Size \"5\"]\n{Round 1} {board 2}\n1. a1",
    ] {
        let game = one(text).unwrap();
        assert_eq!(moves(&game), ["a1"], "{text}");
        assert!(!game.comments.is_empty() && game.comments.len() < 3, "{text}");
    }
    // An unterminated comment affects only its own game.
    let games: Vec<_> = parse_games("{Round 1\n[Size \"5\"]\n1. a1").collect();
    assert_eq!(games.len(), 2);
    assert!(games[0].is_err() && games[1].is_ok());
    assert_eq!(parse_games("% nothing\n\n%").count(), 0);
}

#[test]
fn blank_tags_are_ignored() {
    let game = one(
        "[Size\"5\"]\n[Komi \"\"]\n[Opening \"?\"]\n[TPS \"\"]\n[Flats \" \"]\n[Komi \"2\"] [Caps \"?\"]\n\n1. a1 1/2",
    )
    .unwrap();
    assert_eq!((game.start.size, game.start.komi.half()), (size(5), 4));
    assert_eq!(game.start.reserves[Color::White].stones, 21);
    assert_eq!(game.result.as_deref(), Some("1/2-1/2"));
    assert_eq!(one("[Size \"?\"]\n1. a1").unwrap_err(), "line 1: the game has neither a Size nor a TPS tag");
}

#[test]
fn positions_with_black_to_move_are_read() {
    let text = "[Size \"3\"]\n[TPS \"x3/x,1,x/2,x2 2 2\"]\n\n2. -- a3\n3. b3 c3\n";
    let game = one(text).unwrap();
    assert_eq!((game.start.to_move, game.start.move_number), (Color::Black, 2));
    assert_eq!(moves(&game), ["a3", "b3", "c3"]);
    assert_eq!(game.to_string(), text);
    // The size may come from the TPS; a number may consist of dots.
    assert_eq!(one("[TPS \"x3/x,1,x/2,x2 2 2\"] 2... a3").unwrap().moves.len(), 1);
    for word in ["load", "Load", "-", "---", "..."] {
        let other = text.replace("--", word);
        assert_eq!(moves(&one(&other).unwrap()), ["a3", "b3", "c3"], "{word}");
    }
    assert_eq!(one("[Size \"3\"]\n\n1. -- a3").unwrap_err(), "line 3: unexpected --: White is to move");
    // Old servers wrote it after the last move.
    assert_eq!(moves(&one("[TPS \"x3/x,1,x/2,x2 2 2\"]\n2. -- a3\n3. a2 --").unwrap()), ["a3", "a2"]);
}

#[test]
fn ptn_errors_name_reason_and_line() {
    let cases = [
        ("1. a1 a2", "line 1: the game has neither a Size nor a TPS tag"),
        ("\n\n[Size \"5x\"]", "line 3: invalid tag Size \"5x\": expected a whole number"),
        ("[Site \"\"]\n[Size \"9\"]", "line 2: tag Size: board size 9 is not supported, expected 3 to 8"),
        ("[Size \"5\"]\n[TPS \"x3/x3/x3 1 1\"]", "line 2: tag Size is 5, but the TPS is 3x3"),
        ("[TPS \"x3/x4/x3 1 1\"]", "line 1: tag TPS: row 2 has 4 squares, expected 3"),
        ("[Size \"5\"]\n\n1. a1 e5\n2. {never closed\n3. b1", "line 4: unterminated comment"),
        ("[Size \"5\"]\n1. a1\n2. f1", "line 3: invalid move \"f1\": square f1 is not on a 5x5 board"),
        ("[Size \"5\"]\n1. a1 {x {y} z}", "line 2: comments cannot be nested: the first } ends a comment"),
    ];
    for (text, message) in cases {
        assert_eq!(one(text).expect_err(text), message, "{text}");
    }
    // The check of the position refuses a reserve that is too large.
    let game = one("[Size \"5\"]\n[Flats \"99999\"]").unwrap();
    assert_eq!(
        game.start.position::<5>().unwrap_err().to_string(),
        "White starts with 255 stones and 1 capstones, expected 1 to 60 and 0 to 3"
    );
}

#[test]
fn a_malformed_game_costs_only_itself() {
    let text = "\u{feff}[Size \"3\"]\n1. a1 a2 R-0\n\n\
                [Size \"5\"]\n[Site \"x]\n[Komi \"0\"]\n1. a1 e5\n\n\
                [Size \"4\"]\n1. a1 {open\n\n\
                [Size \"6\"]\n[Site \"y\"]\n1. a1 f6 {closed\n[not a tag]\n}\n2. b1 R-0\n\
                [Size \"3\"]\n\n[Size \"4\"]\n1. xx\n\
                [Size \"7\"]\n1. g7 {x} 0-0\n";
    let games: Vec<Result<String, usize>> = parse_games(text)
        .map(|game| game.map(|game| format!("{} {}", game.start.size, game.moves.len())).map_err(|error| error.line))
        .collect();
    let ok = |text: &str| Ok(text.to_owned());
    assert_eq!(games, [ok("3 2"), ok("5 2"), Err(10), ok("6 3"), ok("3 0"), Err(21), ok("7 1")]);
    assert_eq!(parse_games("").count(), 0);
    assert_eq!(parse_games(" \n\n\t").count(), 0);
}

#[test]
fn tags_may_be_unknown_and_repeated() {
    // As in the test games of the engine Taktician, where each Move tag names a position to try.
    let game = one("[Size \"6\"]\n[Depth \"7\"]\n[size \"6\"]\n[Move \"1 white\"]\n[Move \"1 black\"]\n\n\
         [Move \"3 black\"]\n1. a1")
    .unwrap();
    assert_eq!(game.tags.len(), 6);
    assert_eq!(game.tag("Move"), Some("1 white"));
    assert_eq!(moves(&game), ["a1"]);
}

#[test]
fn games_without_moves_are_split() {
    let text = "[Player1 \"a\"]\n[Size \"3\"]\n\n[Player1 \"b\"]\n[Size \"4\"]\n\n[Player1 \"c\"]\n\
                [TPS \"x3/x3/x3 1 1\"]\n\n0-0\n[Player1 \"d\"]\n[Size \"5\"]\n";
    let games: Vec<PtnGame> = parse_games(text).map(Result::unwrap).collect();
    let described = |game: &PtnGame| format!("{} {}", game.tag("Player1").unwrap(), game.start.size);
    let described: Vec<String> = games.iter().map(described).collect();
    assert_eq!(described, ["a 3", "b 4", "c 3", "d 5"]);
}

#[test]
fn many_tags_take_no_longer_than_their_length() {
    let names: Vec<String> = (0..400_000).map(|i| format!("[t{i} \"\"]")).collect();
    let names = names.join("\n");
    let komi = "[Komi \"0\"]\n".repeat(100_000);
    let begin = Instant::now();
    let game = one(&format!("[Size \"5\"]\n{names}\n{komi}1. a1")).unwrap();
    assert_eq!((game.tags.len(), game.moves.len()), (500_001, 1));
    // Comparing each tag with all before it took minutes.
    assert!(begin.elapsed() < Duration::from_secs(20));
}

#[test]
fn unplayable_game_names_the_reason() {
    let refused = |text: &str| one(text).unwrap().game().unwrap_err().to_string();
    assert_eq!(
        refused("[Size \"5\"]\n[Flats \"0\"]\n1. a1"),
        "cannot start: White starts with 0 stones and 1 capstones, expected 1 to 60 and 0 to 3"
    );
    assert_eq!(
        refused("[TPS \"x5/x5/x5/x5/1,2,x3 2 7\"]\n7. -- b1"),
        "illegal move 7 of Black, b1: square b1 is not empty"
    );
}

/// As PTN Ninja writes them: the tag's spelling, and the count before the stack.
#[test]
fn games_with_other_openings_are_read_and_written() {
    for (tag, opening, first) in [
        ("swap", OpeningRule::Swap, "a1"),
        ("no-swap", OpeningRule::NoSwap, "Ca1"),
        ("double black stack", OpeningRule::DoubleBlack, "2a1"),
    ] {
        assert_eq!(opening_tag(opening), tag);
        for name in [tag, &tag.to_uppercase(), &opening.to_string()] {
            assert_eq!(name.parse::<OpeningRule>(), Ok(opening));
        }
        let text = format!("[Size \"5\"]\n[Opening \"{tag}\"]\n\n1. {first} e5\n2. a2\n");
        let game = one(&text).unwrap();
        assert_eq!(game.start.opening, opening);
        assert_eq!(game.to_string(), text);
        assert_eq!(moves(&game)[0], first.trim_start_matches('2'));
    }
    // Without the count, and with a count without a stack to place.
    let double = "[Size \"5\"]\n[Opening \"Double Black Stack\"]\n\n";
    assert_eq!(one(&format!("{double}1. a1! e5")).unwrap().moves, one(&format!("{double}1. 2a1! e5")).unwrap().moves);
    for text in [
        format!("{double}1. 3a1 e5"),
        format!("{double}1. a1 2e5"),
        "[Size \"5\"]\n[Opening \"no-swap\"]\n1. 2a1 e5".to_owned(),
    ] {
        assert!(one(&text).unwrap_err().contains("invalid move"), "{text}");
    }
    // A position shows it without a tag; a contradicting tag is detected when the position is used.
    let shown = |tags: &str| one(&format!("{tags}[TPS \"x3/x3/22,x2 2 1\"]\n\n1. -- b2")).unwrap();
    assert_eq!(shown("").start.opening, OpeningRule::DoubleBlack);
    assert!(shown("").start.position::<3>().is_ok());
    let contradiction = shown("[Opening \"swap\"]\n").start;
    assert!(contradiction.position::<3>().is_err());
    assert_eq!(one("[Size \"5\"]\n[Opening \"pie\"]").unwrap().start.opening, OpeningRule::Swap);
}

#[test]
fn text_that_breaks_ptn_is_escaped() {
    let mv = parse_move("a1", size(3)).unwrap();
    let game = PtnGame {
        tags: vec![("Size".into(), "3".into()), ("Site".into(), "a\nb".into())],
        comments: vec!["\n[Size \"5\"]".into()],
        moves: vec![PtnMove { mv, marks: "! {x".into(), comments: vec!["} [Size \"4\"]\n[Size \"4\"]\n".into()] }],
        ..PtnGame::new(Setup::empty(size(3), Komi::ZERO))
    };
    let read = one(&game.to_string()).unwrap();
    assert_eq!(read.tag("Site"), Some("a b"));
    assert_eq!(read.moves.len(), 1);
    assert_eq!(read.comments, [" [Size \"5\"]"]);
    assert_eq!(read.moves[0].marks, "!");
    assert_eq!(read.moves[0].comments, [") [Size \"4\"] [Size \"4\"] "]);
}
