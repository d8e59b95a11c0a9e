//! `tak-engine explore` as a user runs it, against a slow recomputation by the texts of positions.

#![cfg(feature = "cli")]

use std::collections::{BTreeMap, BTreeSet};

use rand::rngs::StdRng;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};

use crate::folder::{Folder, ended, output_for, succeed};
use crate::playout::game_of;
use tak_engine::analysis::{OpeningRow, Openings};
use tak_engine::board::{AnyPosition, Color, Game, Move, Size, Symmetry};
use tak_engine::notation::{PtnGame, canonical_tps};
use tak_engine::openings::random::first_moves;

/// The text that all images of a board have in common, without the number of the move, but with that of a first turn.
fn board(position: &AnyPosition) -> String {
    let text = canonical_tps(&position.to_setup());
    let (board, number) = text.rsplit_once(' ').unwrap();
    format!("{board} {}", number.parse::<u32>().unwrap().min(2))
}

/// Games, rated players, and the sum of their ratings, and games by result: White, draw, Black, unknown.
type Sums = (u64, u64, u64, [u64; 4]);

/// A game of the collection.
struct Played {
    game: Game,
    ratings: Option<[u32; 2]>,
    /// As its text tells it.
    result: &'static str,
}

impl Played {
    fn text(&self) -> String {
        let mut ptn = PtnGame::from(&self.game);
        if let Some(ratings) = self.ratings {
            let tags = ["Rating1", "Rating2"].iter().zip(ratings);
            ptn.tags.extend(tags.map(|(name, rating)| ((*name).to_owned(), rating.to_string())));
        }
        if ptn.result.is_none() {
            ptn.result = Some(self.result.to_owned());
        }
        ptn.to_string()
    }

    fn place_of_result(&self) -> usize {
        match (self.game.position().outcome(), self.result) {
            (Some(outcome), _) => match outcome.winner {
                Some(Color::White) => 0,
                None => 1,
                Some(Color::Black) => 2,
            },
            (None, "1-0") => 0,
            (None, "1/2-1/2") => 1,
            (None, "0-1") => 2,
            _ => 3,
        }
    }
}

fn collection(size: Size, count: u64) -> Vec<Played> {
    let mut rng = StdRng::seed_from_u64(size.width() as u64);
    let results = ["1-0", "0-1", "1/2-1/2", "*"];
    (0..count)
        .map(|seed| Played {
            // Few seeds, so that games have many positions in common.
            game: game_of(size, rng.random_range(0..12), seed % 40),
            ratings: rng.random_bool(0.5).then(|| [rng.random_range(1..3000), rng.random_range(1..3000)]),
            result: results[rng.random_range(0..4)],
        })
        .collect()
}

/// The counts that the program should have: by the boards after the moves, and the games that end.
fn expected(games: &[Played], wanted: &str) -> (BTreeMap<String, Sums>, u64) {
    let (mut sums, mut ended) = (BTreeMap::<String, Sums>::new(), 0);
    for played in games {
        let mut position = played.game.start().clone();
        let mut boards = vec![(board(&position), position.to_move())];
        for &mv in played.game.moves() {
            position.play(mv).unwrap();
            boards.push((board(&position), position.to_move()));
        }
        let Some(place) = boards.iter().position(|(board, _)| board == wanted) else { continue };
        let Some((next, _)) = boards.get(place + 1) else {
            ended += 1;
            continue;
        };
        let sum = sums.entry(next.clone()).or_default();
        sum.0 += 1;
        if let Some(ratings) = played.ratings {
            sum.1 += 1;
            sum.2 += u64::from(ratings[boards[place].1.index()]);
        }
        sum.3[played.place_of_result()] += 1;
    }
    (sums, ended)
}

/// The answer of the program in the same form.
fn counted(answer: &Value, position: &AnyPosition) -> BTreeMap<String, Sums> {
    let mut sums = BTreeMap::<String, Sums>::new();
    for row in answer["moves"].as_array().unwrap() {
        let mut after = position.clone();
        after.play(row["move"].as_str().unwrap().parse().unwrap()).unwrap();
        let number = |name: &str| row[name].as_u64().unwrap();
        let sum = sums.entry(board(&after)).or_default();
        sum.0 += number("games");
        sum.1 += number("rated");
        sum.2 += (row["rating"].as_f64().unwrap_or(0.0) * number("rated") as f64).round() as u64;
        for (place, name) in ["white", "draw", "black", "unknown"].into_iter().enumerate() {
            sum.3[place] += number(name);
        }
    }
    sums
}

fn answer(folder: &Folder, position: Option<&AnyPosition>, words: &str) -> Value {
    let mut command = folder.command(&format!("explore {words} --json"));
    if let Some(position) = position {
        command.arg("--tps").arg(position.to_string());
    }
    serde_json::from_str(&succeed(&mut command)).unwrap()
}

/// The explorer of a page, which gets these files in parts that end anywhere.
#[cfg(feature = "page")]
fn explorer(files: &[String]) -> tak_engine::page::Explorer {
    let bytes: usize = files.iter().map(String::len).sum();
    let mut explorer = tak_engine::page::Explorer::new(bytes as u64);
    ask(&mut explorer, &json!({"do": "collect", "bytes": bytes}));
    for (number, file) in files.iter().enumerate() {
        let characters: Vec<char> = file.chars().collect();
        for part in characters.chunks(1000 + 37 * number) {
            ask(&mut explorer, &json!({"do": "collect", "text": part.iter().collect::<String>()}));
        }
        ask(&mut explorer, &json!({"do": "collect", "end": true}));
    }
    explorer
}

#[cfg(feature = "page")]
fn ask(explorer: &mut tak_engine::page::Explorer, question: &Value) -> Value {
    let mut question = question.clone();
    question["id"] = json!(7);
    let question = tak_engine::page::Question::read(&question.to_string()).unwrap();
    let answer: Value = serde_json::from_str(&explorer.answer(question)).unwrap();
    assert_eq!(answer["id"], 7);
    answer
}

#[cfg(feature = "page")]
fn explore(explorer: &mut tak_engine::page::Explorer, position: &AnyPosition) -> Value {
    let start =
        json!({"size": position.size().width(), "opening": "swap", "half_komi": 0, "tps": position.to_string()});
    ask(explorer, &json!({"do": "explore", "game": {"start": start, "moves": []}}))
}

#[test]
fn counts_are_those_of_a_recomputation() {
    for width in [3, 4, 5] {
        let size = Size::new(width).unwrap();
        let games = collection(size, 300);
        let folder = Folder::new(&format!("explore-{width}"));
        let texts: Vec<String> = games.iter().map(Played::text).collect();
        folder.file("a.ptn", texts[..100].concat());
        folder.file("b.ptn", texts[100..].concat());
        #[cfg(feature = "page")]
        let mut explorer = explorer(&[texts[..100].concat(), texts[100..].concat()]);
        let mut asked = 0;
        for (number, played) in games.iter().step_by(23).enumerate() {
            let mut position = played.game.start().clone();
            for &mv in played.game.moves().iter().take(number % 7) {
                position.play(mv).unwrap();
            }
            if position.outcome().is_some() {
                continue;
            }
            let (sums, ended) = expected(&games, &board(&position));
            let found = answer(&folder, Some(&position), &format!("a.ptn b.ptn --threads {}", 1 + number % 3));
            assert_eq!(counted(&found, &position), sums, "{position}");
            assert_eq!(found["ended"], json!(ended), "{position}");
            let whole = ended + sums.values().map(|sum| sum.0).sum::<u64>();
            assert_eq!((&found["games"], &found["read"]), (&json!(whole), &json!(300)), "{position}");
            // The page counts the same.
            #[cfg(feature = "page")]
            assert_eq!(explore(&mut explorer, &position)["explored"], found, "{position}");
            asked += usize::from(whole > 1);
        }
        assert!(asked > 5, "only {asked} positions were in several games");
    }
}

const GAMES: &str = "[Size \"5\"]\n[Rating1 \"1500\"]\n\n1. a1 e5 2. c3 1-0\n\n[Size \"5\"]\n\n1. e5 a1 2. c3 c2 0-1\n\n\
    [Size \"5\"]\n\n1. a5 e1 2. d3\n\n";

#[test]
fn equivalent_moves_are_one_and_moves_lead_deeper() {
    let folder = Folder::new("explore-deeper");
    folder.file("games.ptn", GAMES);
    let start = answer(&folder, None, "games.ptn");
    assert_eq!(
        start["moves"],
        json!([{"move": "a1", "games": 3, "white": 1, "draw": 0, "black": 1, "unknown": 1, "rating": 1500.0, "rated": 1}])
    );
    let deeper = succeed(folder.command("explore games.ptn --json --moves").arg("e5 a1"));
    let deeper: Value = serde_json::from_str(&deeper).unwrap();
    assert_eq!(deeper["tps"], "x4,2/x5/x5/x5/1,x4 1 2");
    let moves: Vec<_> = deeper["moves"].as_array().unwrap().iter().map(|row| (&row["move"], &row["games"])).collect();
    assert_eq!(moves, [(&json!("c3"), &json!(2)), (&json!("c2"), &json!(1))]);
}

/// Games of other kinds, and three that are damaged.
const OTHERS: &str = "[Size \"6\"]\n\n1. a1 f6\n\n[Size \"5\"]\n[Komi \"2\"]\n\n1. a1 e5\n\n[Size \"5\"]\n[Flats \"10\"]\n\n1. a1 e5\n\n\
        [Size \"5\"]\n[Opening \"no-swap\"]\n\n1. a1 e5\n\n[Size \"5\"]\n\n1. a1 a1\n\n[Size \"9\"]\n\n1. a1\n\n[Size \"5\"]\n\n1. a1 {";

#[test]
fn what_is_left_out_is_said() {
    let folder = Folder::new("explore-mixed");
    folder.file("games.ptn", format!("{GAMES}{OTHERS}"));
    folder.file("empty.ptn", "");
    let (printed, said) = ended(&mut folder.command("explore games.ptn empty.ptn --komi 0"), 0);
    let left = "left out of 10 games: 1 on 6x6, 1 with komi 2, 1 with another opening rule, 1 with other reserves, 3 damaged\n";
    assert!(printed.ends_with(left), "{printed}");
    for part in ["games.ptn, game 8: line 3", "game 9: ", "game 10: ", "warning: no game in empty.ptn"] {
        assert!(said.contains(part), "{part}: {said}");
    }
    let found = answer(&folder, None, "games.ptn --komi 0");
    assert_eq!(found["left_out"], json!({"size": 1, "komi": 1, "opening": 1, "reserves": 1, "damaged": 3}));
    assert_eq!(answer(&folder, None, "games.ptn")["games"], 4);
    assert_eq!(answer(&folder, None, "games.ptn --size 6")["games"], 1);

    let piped = output_for(&mut folder.command("explore - --json"), GAMES);
    assert_eq!(serde_json::from_slice::<Value>(&piped.stdout).unwrap()["games"], 3);
    let unknown = succeed(folder.command("explore games.ptn --tps").arg("x5/x5/x2,1S,x2/x5/x5 2 9"));
    assert!(unknown.contains("no game has this position"));
}

/// The table that comes with the program, from every side of the board, by playing its moves.
#[test]
fn without_games_the_table_of_openings_answers() {
    let table: Openings = include_str!("../../web/openings.tsv").parse().unwrap();
    let folder = Folder::new("explore-openings");
    let mut seen = BTreeSet::new();
    let count = table.rows.len().div_ceil(20);
    for (index, row) in table.rows.iter().enumerate() {
        let turn = Symmetry::ALL[index % 8];
        let end = |moves: &[Move], turn: Symmetry| {
            let mut position = row.start();
            for &mv in moves {
                position.play(turn.mv(mv, row.size)).unwrap();
            }
            canonical_tps(&position.to_setup())
        };
        let board = (row.size, row.komi.half(), row.rule.to_string());
        assert!(seen.insert((board, end(&row.moves, Symmetry::ALL[0]))), "{row} comes twice");
        if index % count != 0 {
            continue;
        }
        let words = format!("explore --json --size {} --komi {} --opening {}", row.size, row.komi, row.rule);
        let ask = |moves: &[Move]| -> Value {
            let moves: Vec<_> = moves.iter().map(|&mv| turn.mv(mv, row.size).to_string()).collect();
            let mut command = folder.command(&words);
            serde_json::from_str(&succeed(command.arg("--moves").arg(moves.join(" ")))).unwrap()
        };
        let start = ask(&[]);
        let of_board = |other: &&OpeningRow| (other.size, other.komi, other.rule) == (row.size, row.komi, row.rule);
        assert_eq!(start["openings"], first_moves(row.size, row.komi, row.rule).len());
        assert_eq!(start["searched"], table.rows.iter().filter(of_board).count());
        let names = ask(&row.moves[..1])["moves"].as_array().unwrap().clone();
        let found = ask(&row.moves)["moves"][0].take();
        assert_eq!(found["score"], row.score.to_string());
        assert!(names.iter().any(|each| each["name"] == found["name"] && each["score"] == found["score"]), "{row}");
        let line = [&found["move"]].into_iter().chain(found["line"].as_array().unwrap());
        let line: Vec<Move> = line.map(|mv| mv.as_str().unwrap().parse().unwrap()).collect();
        let moves = row.moves.map(|mv| turn.mv(mv, row.size));
        let told: Vec<Move> = moves.into_iter().chain(line).collect();
        let own: Vec<Move> = row.moves.iter().chain(&row.line).copied().collect();
        assert_eq!(end(&told, Symmetry::ALL[0]), end(&own, turn), "{row}");
    }
    let printed = folder.succeed("explore --size 8");
    assert!(
        printed.contains("this position is not in the table of openings, which has the first two plies on 4x4"),
        "{printed}"
    );
}

#[cfg(feature = "page")]
#[test]
fn a_page_is_told_what_is_left_out() {
    let start = |size| AnyPosition::start(size, tak_engine::board::Komi::ZERO);
    let files = [format!("{GAMES}{OTHERS}"), String::new(), "nonsense {".to_owned(), GAMES.replace('\n', "\r\n")];
    let mut explorer = explorer(&files);
    let collected = ask(&mut explorer, &json!({"do": "collect"}))["collected"].take();
    assert_eq!((&collected["games"], &collected["damaged"]), (&json!(14), &json!(4)));
    assert_eq!(collected["sizes"], json!([[5, 9], [6, 1]]));
    assert_eq!(collected["faults"].as_array().unwrap().len(), 4);
    assert!(collected["faults"][0].as_str().unwrap().starts_with("game 8: line 35: illegal move a1"), "{collected}");
    let answer = explore(&mut explorer, &start(Size::FIVE));
    assert_eq!((&answer["explored"]["games"], &answer["explored"]["moves"][0]["games"]), (&json!(7), &json!(7)));
    let left = "left out of 14 games: 1 on 6x6, 1 with another opening rule, 1 with other reserves, 4 damaged";
    assert_eq!(answer["left_out"], left);
    assert_eq!(explore(&mut explorer, &start(Size::SIX))["explored"]["games"], 1);
    // Any line ends, also where the file is one long line without them.
    let mut explorer = self::explorer(&[GAMES.repeat(10_000).replace('\n', "\r")]);
    assert_eq!(ask(&mut explorer, &json!({"do": "collect"}))["collected"]["sizes"], json!([[5, 30_000]]));
}

#[cfg(feature = "page")]
#[test]
fn a_page_has_a_limit() {
    let mut explorer = tak_engine::page::Explorer::new(3_000_000);
    // Nothing is collected before the size is named, and no more than that.
    for question in [json!({"text": "1. a1"}), json!({"bytes": 3_000_001}), json!({"text": "1. a1"})] {
        let mut question = question;
        question["do"] = json!("collect");
        let error = ask(&mut explorer, &question)["error"].take();
        let reason =
            "the files have 4 MB, and at most 3 MB can be explored here; tak-engine explore reads files of any size";
        assert_eq!(error, reason);
    }
    ask(&mut explorer, &json!({"do": "collect", "bytes": 1}));
    let part = "{ a comment without end ".repeat(20_000);
    for number in 0..8 {
        let answer = ask(&mut explorer, &json!({"do": "collect", "text": part}));
        assert_eq!(answer["error"].is_null(), number < 6, "{number}: {answer}");
    }
    let answer = ask(&mut explorer, &json!({"do": "collect", "end": true}));
    assert_eq!(answer["collected"]["faults"], json!(["game 1: longer than 1 MiB"]));
    for other in [json!({"do": "view"}), json!({"do": "explore"}), json!({"do": "explore", "game": 1})] {
        assert!(ask(&mut explorer, &other)["error"].is_string(), "{other}");
    }
    let game = json!({"start": {"size": 5, "opening": "swap"}, "moves": ["a1", "a1"]});
    let error = ask(&mut explorer, &json!({"do": "explore", "game": game}))["error"].take();
    assert_eq!(error, "move 2, a1, is not possible: square a1 is not empty");
}
