//! `tak-engine annotate` as a user runs it.

use std::fs;
use std::io::Write;
use std::process::Stdio;
use std::time::{Duration, Instant};

use crate::cases::{are_many, cases};
use crate::folder::Folder;
use crate::playout::{STYLES, random_game};
use regex::Regex;
use tak_engine::board::{AnyPosition, Color, EndReason, Game, Komi, Move, Outcome, Position, Setup, Size};
use tak_engine::notation::{EngineComment, PtnGame, PtnMove, parse_games};

impl Folder {
    /// What it prints when nothing is wrong.
    fn annotate(&self, words: &str) -> String {
        let output = self.run(&format!("annotate {words}"));
        assert!(output.status.success(), "{words}: {output:?}");
        assert!(output.stderr.is_empty(), "{words}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    }
}

/// Written by commit 6790af0, with a check sum in each line.
#[test]
fn journals_with_check_sums_are_merged() {
    let folder = Folder::new("annotate-old");
    let journal = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/tests/files/annotation.jsonl")).unwrap();
    folder.file("old.jsonl", journal);
    let game = one(&folder.annotate("merge old.jsonl"));
    let moves: Vec<String> = game.moves.iter().map(|played| played.mv.to_string()).collect();
    assert_eq!(moves, ["a1", "c3", "b2", "c2", "b1", "a2", "b3"]);
}

/// Times are not the same in every run.
fn timeless(ptn: &str) -> String {
    let ms = Regex::new(" [0-9]+ms").unwrap();
    ms.replace_all(ptn, " #ms").into_owned()
}

fn read(ptn: &str) -> Vec<PtnGame> {
    parse_games(ptn).map(Result::unwrap).collect()
}

/// The only game of a text.
fn one(ptn: &str) -> PtnGame {
    let mut games = read(ptn);
    assert_eq!(games.len(), 1, "{ptn}");
    games.remove(0)
}

/// What the engine said of a move.
fn said(played: &PtnMove) -> EngineComment {
    let mut said = played.comments.iter().filter_map(|text| text.parse().ok());
    let comment: EngineComment = said.next().expect("a comment of the engine");
    assert!(said.next().is_none(), "two comments: {played:?}");
    comment
}

/// The engine's words of a move or a game.
fn notes(comments: &[String]) -> Vec<&str> {
    let notes = comments.iter().filter_map(|text| text.strip_prefix("*tak-engine: "));
    notes.collect()
}

/// Random games of all sizes, numbered by the tag `Round`.
fn random_games(count: u64, plies: u32) -> String {
    fn game<const N: usize>(seed: u64, plies: u32) -> PtnGame {
        let mut positions: Vec<Position<N>> = Vec::new();
        let style = STYLES[seed as usize % STYLES.len()];
        random_game::<N>(seed, style, plies, |position, _| {
            positions.push(position.clone());
        });
        let moves = positions.windows(2).map(|pair| {
            let mut next = pair[0].clone();
            let legal = pair[0].legal_moves().into_iter();
            let played = legal.filter(|&mv| {
                let undo = next.play_unchecked(mv);
                let same = next == pair[1];
                next.unplay(mv, undo);
                same
            });
            PtnMove::from(played.last().unwrap())
        });
        PtnGame {
            tags: vec![
                ("Round".into(), seed.to_string()),
                ("Player1".into(), format!("one {}", seed % 3)),
                ("Player2".into(), "two".into()),
                ("Size".into(), N.to_string()),
                ("Komi".into(), positions[0].komi().to_string()),
            ],
            comments: vec![],
            start: Setup::empty(Position::<N>::SIZE, positions[0].komi()),
            moves: moves.collect(),
            result: None,
        }
    }
    let games = (0..count).map(|seed| match seed % 4 {
        0 => game::<5>(seed, plies).to_string(),
        1 => game::<4>(seed, plies).to_string(),
        2 => game::<6>(seed, plies).to_string(),
        _ => game::<3>(seed, plies).to_string(),
    });
    games.collect::<Vec<_>>().join("\n")
}

/// A random game on 5x5.
#[cfg(unix)]
pub fn random_game_of(plies: u32) -> String {
    random_games(1, plies)
}

/// As much as there is of everything that people put into PTN files.
const RICH: &str = "[Site \"PlayTak.com\"]\n[Event \"a \\\"cup\\\" \\\\ \"]\n[Player1 \"Ann\"]\n[Player2 \"Bob\"]\n\
    [Size \"5\"]\n[Komi \"2\"]\n[Opening \"swap\"]\n[Result \"R-0\"]\n[Strange \"42\"]\n[Strange \"43\"]\n\n\
    {Before the\ngame}\n1. a1 e5! {first} {second, 50% [x]}\n2. e3 c5?! 3. d3 b5'' {@Bob:1: hi}\n\
    4. c3 {cp:-5 -0.01/3 10 nodes 1ms pv> a2} d1\n5. b3\" Sc1??\n6. a3 R-0 {gg}\n";

#[test]
fn what_was_there_stays_and_what_is_added_is_read_back() {
    let folder = Folder::new("annotate-rich");
    folder.file("game.ptn", RICH);
    let text = folder.annotate("game.ptn --nodes 500");
    let (before, after) = (one(RICH), one(&text));
    assert_eq!(after.tags, before.tags);
    assert_eq!(after.result, before.result);
    assert_eq!(after.start, before.start);
    assert_eq!(after.comments[0], "Before the game");
    assert_eq!(after.moves.len(), before.moves.len());
    let mut game = Game::new(AnyPosition::from_setup(&after.start).unwrap());
    for (was, is) in before.moves.iter().zip(&after.moves) {
        assert_eq!(is.mv, was.mv);
        assert!(is.marks.starts_with(&was.marks), "{was:?} {is:?}");
        for marks in [&['!', '?'][..], &['\'', '"']] {
            if was.marks.contains(marks) {
                let count = |text: &str| text.matches(marks).count();
                assert_eq!(count(&is.marks), count(&was.marks), "{was:?} {is:?}");
            }
        }
        let kept = is.comments.iter().zip(&was.comments);
        for (is, was) in kept {
            assert_eq!(is, &was.replace('\n', " "));
        }
        game.play(is.mv).unwrap();
        let rest = PtnMove { comments: is.comments[was.comments.len()..].to_vec(), ..is.clone() };
        let said = said(&rest);
        assert_eq!(said.wdl.unwrap().iter().sum::<u32>(), 1000);
        assert!((0.0..=100.0).contains(&said.loss.unwrap()));
        if game.position().outcome().is_some() {
            assert_eq!(said.to_string(), "name:\"tak-engine\" wdl:1000,0,0 score:W0 +1.00 loss:0.0");
            continue;
        }
        assert!(said.nodes.unwrap() > 0 && said.ms.is_some(), "{said}");
        let [win, _, loss] = said.wdl.unwrap();
        assert!((said.cp.unwrap() > 0) == (win > loss) || win == loss, "{said}");
        // The line goes on from here.
        let mut ahead = game.clone();
        assert!(!said.pv.is_empty());
        for mv in said.pv.split(' ') {
            ahead.play(mv.parse().unwrap()).unwrap();
        }
    }
    // White wins with the last move, and had threatened it.
    let last = after.moves.len() - 1;
    assert_eq!(after.moves[last].marks, "");
    assert_eq!(after.moves[last].comments[0], "gg");
    let notes = notes(&after.comments);
    assert!(notes[0].starts_with("White accuracy "), "{notes:?}");
    // Once more, and nothing is there twice.
    folder.file("again.ptn", &text);
    let again = folder.annotate("again.ptn --nodes 500");
    assert_eq!(timeless(&again), timeless(&text));
    // A better look takes back the marks of a glance, and no others.
    let glance = folder.annotate("game.ptn --nodes 5");
    folder.file("glance.ptn", &glance);
    let marks = |text: &str| one(text).moves.iter().map(|mv| mv.marks.clone()).collect::<Vec<_>>();
    assert_ne!(marks(&glance), marks(&text), "nothing to take back");
    let better = folder.annotate("glance.ptn --nodes 500");
    assert_eq!(timeless(&better), timeless(&text));
}

/// What PTN Ninja 3.5.5 looks for in a comment, by the description of its grammar: one form at a time, anywhere in it.
struct PtnNinja {
    wdl: Regex,
    cp: Regex,
    score: Regex,
    evaluation: Regex,
    depth: Regex,
    nodes: Regex,
    time: Regex,
    name: Regex,
    line: Regex,
}

impl PtnNinja {
    fn new() -> Self {
        let form = |text: &str| Regex::new(text).unwrap();
        let mv = r"[1-8]?[CS]?[a-h][1-8](?:[<>+-][1-8]*)?[*'?!]*";
        Self {
            wdl: form(r"(?:\W|^)wdl:([0-9.]+),([0-9.]+),([0-9.]+)(?:\W|$)"),
            cp: form(r"(?:\W|^)cp:([+-]?[0-9]+)(?:\W|$)"),
            score: form(r"(?:\W|^)score:([RFDTWL][0-9]*)(?:\W|$)"),
            evaluation: form(r"(?:^|\s)([+-][0-9]+\.[0-9]+)(?:/[0-9]+)?(?:\s|$)"),
            depth: form(r"/([0-9]+)(?:\W|$)"),
            nodes: form(r"(?i)(?:\W|^)([0-9]+)\s*nodes(?:\W|$)"),
            time: form(r"(?i)(?:\W|^)([0-9.]+\s*m?s)(?:\W|$)"),
            name: form("name:\"([^\"]*)\""),
            line: form(&format!(r"(?i)(?:\W|^)pv>((?:\s+{mv})+)(?:\W|$)")),
        }
    }

    /// The first thing in this form.
    fn find(form: &Regex, text: &str) -> Option<String> {
        let found = form.captures(text)?;
        Some(found[1].trim().to_owned())
    }
}

#[test]
fn ptn_ninja_finds_in_a_comment_what_was_meant() {
    let folder = Folder::new("annotate-ninja");
    folder.file("games.ptn", random_games(8, 40));
    let text = folder.annotate("games.ptn --nodes 200");
    let ninja = PtnNinja::new();
    let mut proven = 0;
    for game in read(&text) {
        let all = game.moves.iter().flat_map(|played| &played.comments);
        for text in all.chain(&game.comments) {
            // Notes are not searched for numbers, and braces cannot stand in them.
            assert!(!text.contains(['{', '}']), "{text}");
            if text.starts_with('*') {
                continue;
            }
            let meant: EngineComment = text.parse().unwrap();
            let find = |form| PtnNinja::find(form, text);
            let number = |value: Option<u64>| value.map(|value| value.to_string());
            assert_eq!(find(&ninja.name).as_deref(), Some("tak-engine"), "{text}");
            assert_eq!(find(&ninja.cp), meant.cp.map(|cp| cp.to_string()), "{text}");
            assert_eq!(find(&ninja.nodes), number(meant.nodes), "{text}");
            let time = meant.ms.map(|ms| format!("{ms}ms"));
            assert_eq!(find(&ninja.time), time, "{text}");
            assert_eq!(find(&ninja.depth), number(meant.depth.map(u64::from)), "{text}");
            let line = find(&ninja.line).unwrap_or_default();
            assert_eq!(line, meant.pv, "{text}");
            let wdl = ninja.wdl.captures(text).unwrap();
            let wdl: u32 = (1..4).map(|at| wdl[at].parse::<u32>().unwrap()).sum();
            assert_eq!(wdl, 1000, "{text}");
            let evaluation: f64 = find(&ninja.evaluation).unwrap().parse().unwrap();
            assert!((-1.0..=1.0).contains(&evaluation), "{text}");
            if let Some((winner, plies)) = meant.proven {
                proven += 1;
                let letter = match winner {
                    Some(Color::White) => "W",
                    Some(Color::Black) => "L",
                    None => "D",
                };
                assert_eq!(find(&ninja.score), Some(format!("{letter}{plies}")), "{text}");
            }
        }
    }
    assert!(proven > 10, "only {proven} proven results");
}

/// Positions of a suite in which the player to move forces a win in three plies, with their komi.
fn wins_in_three() -> Vec<Setup> {
    let suite = ["5s", "6s"].map(|name| {
        let suite = fs::read_to_string(format!("tests/solve/{name}.txt"));
        suite.unwrap()
    });
    let lines = suite.iter().flat_map(|suite| suite.lines());
    let lines = lines.filter(|line| line.ends_with(" 3"));
    lines
        .map(|line| {
            let words: Vec<&str> = line.split(' ').collect();
            let komi = words[3].parse::<Komi>().unwrap();
            Setup { komi, ..words[..3].join(" ").parse().unwrap() }
        })
        .collect()
}

fn road(color: Color) -> Outcome {
    Outcome { winner: Some(color), reason: EndReason::Road }
}

/// Whether `color` has a road at once after every reply, by trying everything.
fn wins_after_any_reply(position: &AnyPosition, color: Color) -> bool {
    position.outcome().is_none()
        && position.legal_moves().into_iter().all(|reply| {
            let mut after = position.clone();
            after.play(reply).unwrap();
            match after.outcome() {
                Some(outcome) => outcome == road(color),
                None => after.legal_moves().into_iter().any(|mv| {
                    let mut last = after.clone();
                    last.play(mv).unwrap();
                    last.outcome() == Some(road(color))
                }),
            }
        })
}

fn game_of(start: &Setup, mv: Move) -> PtnGame {
    PtnGame {
        tags: vec![
            ("Size".into(), start.size.to_string()),
            ("Komi".into(), start.komi.to_string()),
            ("TPS".into(), start.to_string()),
        ],
        comments: vec![],
        start: start.clone(),
        moves: vec![mv.into()],
        result: None,
    }
}

#[test]
fn forced_roads_are_marked_where_trying_everything_finds_them_and_where_they_are_missed() {
    let folder = Folder::new("annotate-roads");
    let (mut games, mut expected) = (Vec::new(), Vec::new());
    let (mut roads, wanted) = (0, cases(3).min(12));
    for start in &wins_in_three() {
        if roads == wanted {
            break;
        }
        let position = AnyPosition::from_setup(start).unwrap();
        let mover = position.to_move();
        let after = |mv: Move| {
            let mut after = position.clone();
            after.play(mv).unwrap();
            after
        };
        let legal = position.legal_moves();
        let taks = legal.iter().filter(|&&mv| after(mv).winning_move(mover).is_some());
        let wins = taks.into_iter().find(|&&mv| wins_after_any_reply(&after(mv), mover));
        // Others win on flats.
        if wins.is_none() {
            continue;
        }
        roads += 1;
        // A move after which there is not even a threat.
        let quiet = legal.iter().find(|&&mv| {
            let after = after(mv);
            after.outcome().is_none() && after.winning_move(mover).is_none()
        });
        games.extend(wins.map(|&mv| game_of(start, mv)));
        expected.extend(wins.map(|_| true));
        games.extend(quiet.map(|&mv| game_of(start, mv)));
        expected.extend(quiet.map(|_| false));
    }
    assert_eq!(roads, wanted);
    let text: Vec<String> = games.iter().map(ToString::to_string).collect();
    folder.file("games.ptn", text.join("\n"));
    let annotated = read(&folder.annotate("games.ptn --nodes 5000"));
    assert_eq!(annotated.len(), games.len());
    let mut missed = 0;
    for (game, wins) in annotated.iter().zip(expected) {
        let played = &game.moves[0];
        let is_marked = played.marks.contains("''");
        if wins {
            assert!(is_marked, "{game}");
            assert_eq!(said(played).loss, Some(0.0), "{game}");
            continue;
        }
        assert!(!played.marks.contains('\''), "no tak: {game}");
        let notes = notes(&played.comments);
        let Some(note) = notes.iter().find(|note| note.starts_with("misses a win in 3")) else {
            // Still won in another way.
            continue;
        };
        missed += 1;
        // The line that is told ends in a win.
        let (_, line) = note.split_once(": ").unwrap();
        let mut position = AnyPosition::from_setup(&game.start).unwrap();
        let mover = position.to_move();
        for mv in line.split(' ') {
            position.play(mv.parse().unwrap()).unwrap();
        }
        assert_eq!(position.outcome().unwrap().winner, Some(mover), "{game}");
    }
    assert!(missed >= 3 || !are_many(), "only {missed} missed wins");
}

#[test]
fn taks_and_blunders_into_a_loss_are_marked() {
    let folder = Folder::new("annotate-marks");
    // White threatens a road along the third row, Black looks away.
    let open = "[Size \"5\"]\n[Komi \"2\"]\n\n1. a1 e5\n2. c3 c5\n3. d3 b4\n4. b3 a5\n5. e3 e1\n6. a3 R-0\n";
    folder.file("game.ptn", open);
    let text = folder.annotate("game.ptn --nodes 3000");
    let game = one(&text);
    let tak = &game.moves[8];
    assert!(tak.marks.starts_with('\''), "{tak:?}");
    let blunder = &game.moves[9];
    assert!(blunder.marks.ends_with("??"), "{text}");
    let notes = notes(&blunder.comments);
    assert!(notes[0].starts_with("a blunder, chances "), "{notes:?}");
    assert!(notes.contains(&"allows a win in 1 ply: a3"), "{notes:?}: {text}");
    let about = &self::notes(&game.comments)[0];
    assert!(about.contains("decided by 5b e1"), "{about}");
    // Quiet moves have no marks.
    assert!(game.moves[..2].iter().all(|mv| mv.marks.is_empty()), "{text}");
}

/// White's move 4 loses at once, and so does the one that the engine would have played. A third one wins.
#[test]
fn one_more_losing_move_proves_nothing_of_the_rest() {
    let folder = Folder::new("annotate-proofs");
    let game = "[Size \"3\"]\n[Komi \"0.5\"]\n[Flats \"5\"]\n[Caps \"0\"]\n\n\
        1. a3 a2\n2. b1 b3\n3. c3 c2\n4. c3- c3 0-R\n";
    folder.file("game.ptn", game);
    for nodes in [20, 50, 100, 300] {
        let text = folder.annotate(&format!("game.ptn --nodes {nodes}"));
        let proven = said(&one(&text).moves[5]).proven;
        assert!(proven.is_none_or(|(winner, _)| winner == Some(Color::White)), "{nodes} nodes: {text}");
    }
}

#[test]
fn a_bad_game_costs_only_itself() {
    let folder = Folder::new("annotate-bad");
    let games = "[Size \"3\"]\n1. a1 a2\n\n\
        [Size \"3\"]\n[Event \"illegal\"]\n1. a1 a2\n2. b1 b1\n3. c3 R-0\n\n\
        [Event \"no size\"]\n1. a1 a2\n\n\
        [Size \"4\"]\n1. a1 a2\n2. b1 zz {x}\n\n\
        [Size \"5\"]\n1. a1 {open\n2. a2\n\n\
        [TPS \"x3/1C,x2/x3 1 5\"]\n1. a2\n\n\
        [Size \"nine\"]\n[Komi \"2\"]\n1. a1 a2\n\n\
        [Size \"6\"]\n[Event \"last\"]\n1. a1 a2 0-0\n";
    folder.file("games.ptn", games);
    let output = folder.run("annotate games.ptn --nodes 50 --out out.ptn");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    let told: Vec<&str> = told.lines().collect();
    let begins = [
        "game 2: line 7: illegal move 2 of Black, b1: ",
        "game 3: line 10: the game has neither a Size nor a TPS tag",
        "game 4: line 15: invalid move \"zz\"",
        "game 5: line 18: unterminated comment",
        "game 6: line 21: cannot start: ",
        "game 7: line 24: tag Size",
        "error: 6 of 8 games are annotated in part only",
    ];
    assert_eq!(told.len(), begins.len(), "{told:?}");
    for (told, begins) in told.iter().zip(begins) {
        assert!(told.starts_with(begins), "{told}");
    }
    let totals = String::from_utf8(output.stdout).unwrap();
    assert!(totals.starts_with("8 games, "), "{totals}");
    // The game without a board and the one with the unreadable size stay as they are.
    let text = folder.text("out.ptn");
    let read: Vec<_> = parse_games(&text).collect();
    let plies: Vec<Option<usize>> = read.iter().map(|game| game.as_ref().ok().map(|game| game.moves.len())).collect();
    let expected = [Some(2), Some(3), None, Some(3), Some(1), Some(1), None, Some(2)];
    assert_eq!(plies, expected, "{text}");
    let illegal = read[1].as_ref().unwrap();
    let note = notes(&illegal.moves[2].comments);
    assert!(note[0].starts_with("line 7: illegal move 2 of Black"), "{note:?}");
    assert_eq!(illegal.result.as_deref(), Some("R-0"));
    assert!(text.contains("{*tak-engine: line 10: the game has neither"), "{text}");
}

#[test]
fn the_text_of_a_game_that_cannot_begin_stays() {
    let folder = Folder::new("annotate-original");
    for tag in ["[Size \"five\"]", "[TPS \"x5/x5 1\"]", "[TPS \"x3/W,x2/x3 1 2\"]"] {
        let game = format!("{tag}\n[Player1 \"A\"]\n\n1. a1 e5 {{good}}\n2. c3 R-0\n");
        folder.file("game.ptn", &game);
        let first = folder.run("annotate game.ptn --nodes 50").stdout;
        let text = String::from_utf8(first).unwrap();
        assert!(text.starts_with(&format!("{game}{{*tak-engine: line 1: ")), "{text}");
        folder.file("game.ptn", &text);
        assert_eq!(folder.run("annotate game.ptn --nodes 50").stdout, text.as_bytes());
    }
    folder.file("game.ptn", "[Size \"5\"] [Komi \"2\"] [Player1 \"A\"] [Size \"6\"]\n1. a1 e5");
    let output = folder.run("annotate game.ptn --nodes 50");
    assert!(output.status.success(), "{output:?}");
    let game = one(&String::from_utf8(output.stdout).unwrap());
    assert_eq!((game.tag("Player1"), game.moves.len()), (Some("A"), 2));
}

#[test]
fn wrong_results_are_corrected() {
    let folder = Folder::new("annotate-result");
    for (tag, end, right) in
        [("", "2. c2 a2 3. b2 a3 R-0", "0-R"), ("[Result \"R-0\"]\n", "2. c2 a2 3. b2 a3 0-R", "0-R")]
    {
        folder.file("game.ptn", format!("[Size \"3\"]\n{tag}1. a1 c3 {end}"));
        let output = folder.run("annotate game.ptn --nodes 50 --out out.ptn --force");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("result that contradicts the rules"), "{told}");
        assert_eq!(one(&folder.text("out.ptn")).result.as_deref(), Some(right), "{end}");
        let replayed = folder.run("replay --strict out.ptn");
        assert!(replayed.status.success() && replayed.stderr.is_empty(), "{replayed:?}");
    }
}

#[test]
fn line_ends_encodings_and_stdin_make_no_difference() {
    let folder = Folder::new("annotate-encodings");
    let game = |name: &[u8]| {
        let before = b"[Player1 \"Jos".to_vec();
        let after = b"\"]\n[Size\"4\"]\n\n1. a1 {un\nd} d4 $2 ; why\n% me\n2. b2 (2. b1 {no} a2) c3 !\n";
        [before, name.to_vec(), after.to_vec()].concat()
    };
    let with_ends = |text: &[u8], end: &[u8]| {
        let lines: Vec<&[u8]> = text.split(|&byte| byte == b'\n').collect();
        lines.join(end)
    };
    let windows = |text: &[u8]| with_ends(text, b"\r\n");
    let plain = game("é".as_bytes());
    let files = [
        plain.clone(),
        game(b"\xe9"),
        windows(&plain),
        with_ends(&plain, b"\r"),
        [b"\xef\xbb\xbf".to_vec(), windows(&plain)].concat(),
    ];
    let mut texts = Vec::new();
    for file in &files {
        folder.file("game.ptn", file);
        let output = folder.run("annotate game.ptn --nodes 100");
        let warning = String::from_utf8(output.stderr).unwrap();
        assert!(output.status.success(), "{warning}");
        assert!(warning.starts_with("game 1: warning: ") && warning.lines().count() == 1, "{warning}");
        texts.push(timeless(&String::from_utf8(output.stdout).unwrap()));
    }
    let kept = one(&texts[0]);
    let marks: Vec<_> = kept.moves.iter().map(|mv| mv.marks.as_str()).collect();
    assert_eq!(marks, ["", "?", "", "!"]);
    assert_eq!(kept.moves[0].comments[0], "un d");
    assert_eq!(kept.moves[1].comments[0], "why");
    assert_eq!(kept.moves[2].comments.len(), 1, "{kept}");
    assert!(texts[0].contains("[Player1 \"José\"]"), "{}", texts[0]);
    for text in &texts[1..] {
        assert_eq!(text, &texts[0]);
    }
    let mut child =
        folder.command("annotate - --nodes 100").stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().unwrap();
    child.stdin.take().unwrap().write_all(&plain).unwrap();
    let output = child.wait_with_output().unwrap();
    assert!(output.status.success());
    assert_eq!(timeless(&String::from_utf8(output.stdout).unwrap()), texts[0]);
}

#[test]
fn games_come_out_in_their_order_whatever_the_jobs() {
    let folder = Folder::new("annotate-order");
    let count = cases(8) as u64;
    folder.file("games.ptn", random_games(count, 30));
    let one_by_one = folder.annotate("games.ptn --nodes 60 --jobs 1");
    let together = folder.annotate("games.ptn --nodes 60 --jobs 4");
    assert_eq!(timeless(&together), timeless(&one_by_one));
    let rounds: Vec<String> = read(&together).iter().map(|game| game.tag("Round").unwrap().to_owned()).collect();
    let expected: Vec<String> = (0..count).map(|round| round.to_string()).collect();
    assert_eq!(rounds, expected);
}

#[test]
fn a_killed_run_is_resumed_without_a_game_lost_or_looked_at_twice() {
    let folder = Folder::new("annotate-resume");
    let count = cases(5);
    folder.file("games.ptn", random_games(count as u64, 30));
    let words = "games.ptn --nodes 300 --jobs 1 --journal games.jsonl --resume --out out.ptn";
    let whole = folder.annotate("games.ptn --nodes 300");
    let mut child = folder.command(&format!("annotate {words}")).stdout(Stdio::null()).spawn().unwrap();
    let begin = Instant::now();
    let lines = || fs::read_to_string(folder.0.join("games.jsonl")).map_or(0, |text| text.matches('\n').count());
    while lines() < 4 && child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(100));
        std::thread::sleep(Duration::from_millis(1));
    }
    // SIGKILL.
    child.kill().unwrap();
    child.wait().unwrap();
    let held = folder.text("games.jsonl");
    let complete: Vec<&str> = held.split_inclusive('\n').filter(|line| line.ends_with('\n')).collect();
    assert!(complete.len() >= 4);
    // A torn line costs nothing but itself.
    folder.file("games.jsonl", complete.concat() + "{\"settings\":\"12");
    let output = folder.run(&format!("annotate {words}"));
    assert!(output.status.success(), "{output:?}");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("dropped an incomplete last line of 15 bytes"), "{told}");
    assert_eq!(timeless(&folder.text("out.ptn")), timeless(&whole));
    let after = folder.text("games.jsonl");
    assert!(after.starts_with(&complete.concat()), "what was held is still there");
    assert_eq!(after.lines().count(), 1 + count);
    // When all is done, the file can be written again, times and all.
    let first = folder.text("out.ptn");
    folder.annotate(words);
    assert_eq!(folder.text("out.ptn"), first);
    assert_eq!(folder.text("games.jsonl"), after);
    // With other settings or another file it is refused.
    let other = folder.run("annotate games.ptn --nodes 301 --journal games.jsonl --resume");
    assert_eq!(other.status.code(), Some(1));
    let told = String::from_utf8(other.stderr).unwrap();
    assert!(told.contains("an annotation with different settings: time, nodes or depth"), "{told}");
    folder.file("other.ptn", random_games(count as u64, 29));
    let other = folder.run("annotate other.ptn --nodes 300 --journal games.jsonl --resume");
    let told = String::from_utf8(other.stderr).unwrap();
    assert!(told.contains("different settings: file of games"), "{told}");
    let again = folder.run("annotate games.ptn --nodes 300 --journal games.jsonl");
    let told = String::from_utf8(again.stderr).unwrap();
    assert!(told.contains("already exists; continue it with --resume"), "{told}");
    assert_eq!(folder.text("games.jsonl"), after);
}

#[test]
fn shares_add_up_to_the_whole() {
    let folder = Folder::new("annotate-shares");
    folder.file("games.ptn", random_games(11, 20) + "\n[Size \"3\"]\n1. a1 zz\n");
    let whole = folder.run("annotate games.ptn --nodes 60");
    assert_eq!(whole.status.code(), Some(1));
    let whole = String::from_utf8(whole.stdout).unwrap();
    let mut rounds = 0;
    for index in 1..=3 {
        let output =
            folder.run(&format!("annotate games.ptn --nodes 60 --shard {index}/3 --journal share{index}.jsonl"));
        rounds += parse_games(&String::from_utf8(output.stdout).unwrap()).count();
    }
    assert_eq!(rounds, 12);
    let shares = "share3.jsonl share1.jsonl share2.jsonl";
    let output = folder.run(&format!("annotate merge {shares} --out all.ptn"));
    assert_eq!(output.status.code(), Some(1), "the fault is still there: {output:?}");
    assert_eq!(timeless(&folder.text("all.ptn")), timeless(&whole));
    // Without some of them there are gaps, which are told; the rest is written.
    for (index, shares) in ["share1.jsonl share2.jsonl", "share3.jsonl"].iter().enumerate() {
        let output = folder.run(&format!("annotate merge {shares} --out part{index}.ptn"));
        assert_eq!(output.status.code(), Some(1), "{output:?}");
        // The game with the fault is the last one and has no round.
        let games = read(&folder.text(&format!("part{index}.ptn")));
        let found = games.iter().map(|game| match game.tag("Round") {
            Some(round) => round.parse::<usize>().unwrap() + 1,
            None => 12,
        });
        let found: Vec<usize> = found.collect();
        let told = String::from_utf8(output.stderr).unwrap();
        let told = told.lines().last().unwrap();
        let count = 12 - found.len();
        let begin = format!("error: {count} of 12 games are in no journal: ");
        let runs = told.strip_prefix(&begin).expect(told).split(", ");
        let missing = runs.flat_map(|run| {
            let (first, last) = run.split_once(" to ").unwrap_or((run, run));
            first.parse::<usize>().unwrap()..=last.parse().unwrap()
        });
        let missing: Vec<usize> = missing.collect();
        assert_eq!(missing.len(), count, "{told}");
        assert!(missing.is_sorted() && missing.iter().all(|game| !found.contains(game)));
        assert_eq!(told.contains(" to "), index == 1, "{told}");
    }
    // A share of something else does not belong there.
    folder.run("annotate games.ptn --nodes 61 --shard 3/3 --journal other.jsonl");
    let output = folder.run("annotate merge share1.jsonl other.jsonl");
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("their settings differ in time, nodes or depth"), "{told}");
}

#[cfg(target_os = "linux")]
#[test]
fn nothing_is_overwritten_and_wrong_usage_is_refused() {
    let folder = Folder::new("annotate-usage");
    folder.file("game.ptn", "[Size \"3\"]\n1. a1 a2\n");
    folder.file("there.ptn", "kept");
    std::os::unix::fs::symlink("game.ptn", folder.0.join("link.ptn")).unwrap();
    folder.file("empty.ptn", "\n");
    for (words, code, reason) in [
        ("game.ptn --out there.ptn --nodes 9", 1, "cannot write there.ptn"),
        ("game.ptn --out ./game.ptn --nodes 9", 2, "game.ptn is named twice"),
        ("game.ptn --report link.ptn --nodes 9", 2, "link.ptn is named twice"),
        ("game.ptn --out a.ptn --report a.ptn", 2, "a.ptn is named twice"),
        ("game.ptn --report a.ptn --out ./a.ptn", 2, "a.ptn is named twice"),
        ("game.ptn --journal a.jsonl --report a.jsonl", 2, "a.jsonl is named twice"),
        ("game.ptn --journal a.jsonl --resume --out game.ptn", 2, "game.ptn is named twice"),
        ("merge game.ptn there.ptn --report there.ptn", 2, "there.ptn is named twice"),
        ("- --journal x.jsonl", 2, "stdin cannot be read again"),
        ("empty.ptn", 1, "no game in empty.ptn"),
        ("none.ptn", 1, "cannot read none.ptn"),
        ("-", 1, "no game in the input"),
        ("merge none.jsonl", 1, "none.jsonl"),
        ("merge game.ptn", 1, "settings of an annotation"),
        ("", 2, "FILE.ptn"),
        ("game.ptn --nodes 5 --depth 5", 2, "--depth"),
        ("game.ptn --resume", 2, "--journal"),
        ("game.ptn --shard 3/2", 2, "3/2"),
        ("game.ptn --jobs 0", 2, "--threads"),
    ] {
        let output = folder.run(&format!("annotate {words}"));
        assert_eq!(output.status.code(), Some(code), "{words}: {output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains(reason), "{words}: {told}");
    }
    assert_eq!(folder.text("game.ptn"), "[Size \"3\"]\n1. a1 a2\n");
    assert_eq!(folder.text("there.ptn"), "kept");
    // What a refused run leaves is not in the way of the next one.
    let journal = "game.ptn --nodes 9 --journal left.jsonl --out";
    for (out, code) in [("there.ptn", 1), ("new.ptn", 0)] {
        let output = folder.run(&format!("annotate {journal} {out}"));
        assert_eq!(output.status.code(), Some(code), "{out}: {output:?}");
    }
    for (input, code) in [("-", 1), ("game.ptn", 0)] {
        let output = folder.run(&format!("annotate {input} --nodes 9 --out again.ptn"));
        assert_eq!(output.status.code(), Some(code), "{input}: {output:?}");
    }
    // A link to a device and not the device itself, so that nothing is lost should this fail.
    std::os::unix::fs::symlink("/dev/full", folder.0.join("full")).unwrap();
    let output = folder.run("annotate game.ptn --nodes 9 --report full");
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert!(!fs::metadata(folder.0.join("full")).unwrap().is_file());
}

/// The most memory that the program had while it annotated so many games with long comments, in MiB.
#[cfg(target_os = "linux")]
fn peak_mib(folder: &Folder, games: usize) -> usize {
    let comment = "word ".repeat(2_000);
    let game = format!("[Size \"3\"]\n\n1. a1 {{{comment}}} c3\n\n");
    folder.file("games.ptn", game.repeat(games));
    let mut child = folder
        .command("annotate games.ptn --nodes 1 --jobs 2 --out out.ptn --journal games.jsonl")
        .stdout(Stdio::null())
        .spawn()
        .unwrap();
    let mut peak = 0;
    let begin = Instant::now();
    while child.try_wait().unwrap().is_none() {
        assert!(begin.elapsed() < Duration::from_secs(300));
        let status = fs::read_to_string(format!("/proc/{}/status", child.id()));
        let line = status.unwrap_or_default();
        let line = line.lines().find_map(|line| line.strip_prefix("VmHWM:"));
        let kib = line.and_then(|line| line.split_whitespace().next()?.parse::<usize>().ok());
        peak = peak.max(kib.unwrap_or(0) / 1024);
        std::thread::sleep(Duration::from_millis(2));
    }
    assert!(child.wait().unwrap().success());
    let out = folder.text("out.ptn");
    assert_eq!(out.matches("[Size").count(), games);
    for name in ["games.ptn", "games.jsonl", "out.ptn"] {
        fs::remove_file(folder.0.join(name)).unwrap();
    }
    peak
}

#[cfg(target_os = "linux")]
#[test]
fn the_memory_does_not_grow_with_the_games() {
    let folder = Folder::new("annotate-memory");
    let few = peak_mib(&folder, 60);
    // 6 MB of text.
    let many = peak_mib(&folder, 600);
    assert!(many <= few + 4, "{few} MiB for few games, {many} MiB for many");
}

#[test]
fn a_finished_game_is_pointed_to_annotate_and_earlier_positions_are_analysed() {
    let folder = Folder::new("annotate-analyse");
    folder.file("game.ptn", RICH);
    let analyse = |words: &str| {
        let output = folder.run(&format!("analyse game.ptn --depth 1 --threads 1 {words}"));
        let text = String::from_utf8(output.stdout).unwrap();
        (output.status.code(), text, String::from_utf8(output.stderr).unwrap())
    };
    let (code, text, _) = analyse("");
    assert_eq!(code, Some(0));
    assert!(text.contains("game over: White wins by a road"), "{text}");
    assert!(text.contains("tak-engine annotate game.ptn"), "{text}");
    let json = |words: &str| {
        let (code, text, told) = analyse(&format!("{words} --json"));
        assert_eq!(code, Some(0), "{told}");
        let answer: serde_json::Value = serde_json::from_str(&text).unwrap();
        answer["tps"].as_str().unwrap().to_owned()
    };
    // After so many plies, by the rules.
    let source = one(RICH);
    let mut position = AnyPosition::from_setup(&source.start).unwrap();
    for (ply, played) in source.moves.iter().enumerate() {
        assert_eq!(json(&format!("--ply {ply}")), position.to_string());
        let side = if position.to_move() == Color::White { 'w' } else { 'b' };
        let place = format!("{}{side}", position.move_number());
        assert_eq!(json(&format!("--ply {place}")), position.to_string());
        position.play(played.mv).unwrap();
    }
    for (words, reason) in [
        ("--ply 12", "the game has 11 plies"),
        ("--ply 9w", "the game has no move 9 of White"),
        ("--ply 0b", "the game has no move 0 of Black"),
    ] {
        let (code, _, told) = analyse(words);
        assert_eq!(code, Some(1), "{words}");
        assert!(told.contains(reason), "{words}: {told}");
    }
    for words in ["--ply x", "--ply -1", "--ply 3x"] {
        assert_eq!(analyse(words).0, Some(2), "{words}");
    }
    for words in ["", "-"] {
        let output = folder.run(&format!("analyse {words} --ply 3 --depth 1"));
        assert_eq!(output.status.code(), Some(2), "{words:?}: {output:?}");
        let told = String::from_utf8(output.stderr).unwrap();
        assert!(told.contains("--ply is a place in the games"), "{told}");
    }
    assert!(Size::ALL.contains(&source.start.size));
}

#[test]
fn players_without_names_are_white_and_black() {
    let folder = Folder::new("annotate-nameless");
    folder.file("games.ptn", "[Size \"3\"]\n1. a1 c3\n\n[Size \"3\"]\n[Player1 \"?\"]\n[Player2 \" \"]\n1. a1 c3\n");
    let output = folder.run("annotate games.ptn --nodes 50 --out a.ptn --report a.html");
    let totals = String::from_utf8(output.stdout).unwrap();
    let names = totals.lines().filter_map(|line| line.split_whitespace().next());
    let mut players: Vec<&str> = names.skip_while(|word| *word != "player").skip(1).collect();
    players.sort_unstable();
    assert_eq!(players, ["Black", "White"], "{totals}");
    let page = folder.text("a.html");
    assert!(page.contains("<bdi>White</bdi> – <bdi>Black</bdi>") && !page.contains("<bdi>?</bdi>"));
}

#[test]
fn a_name_does_not_turn_the_text_around_it() {
    let folder = Folder::new("annotate-turned");
    folder.file("game.ptn", "[Size \"3\"]\n[Player1 \"a\u{202e}b\"]\n[Player2 \"c\u{1b}[1m\"]\n1. a1 c3 R-0\n");
    let output = folder.run("annotate game.ptn --nodes 50 --out a.ptn --report a.html");
    let totals = String::from_utf8(output.stdout).unwrap();
    assert!(totals.contains("a\u{fffd}b  "), "{totals:?}");
    assert!(!totals.contains(['\u{202e}', '\u{1b}']), "{totals:?}");
    let page = folder.text("a.html");
    assert!(page.contains("<bdi>a\u{fffd}b</bdi>") && !page.contains('\u{202e}'));
}

#[test]
fn comments_of_versions_without_a_name_are_replaced() {
    let folder = Folder::new("annotate-unnamed");
    folder.file("game.ptn", "[Size \"3\"]\n1. a1 {cp:5 +0.01/3 10 nodes 1ms loss:0.0} c3 {cp:5 +0.01/3 10 nodes}\n");
    let text = folder.annotate("game.ptn --nodes 50");
    assert!(!text.contains("{cp:5 +0.01/3 10 nodes 1ms loss:0.0}"), "{text}");
    assert!(text.contains("{cp:5 +0.01/3 10 nodes}"), "another engine's: {text}");
}

#[test]
fn the_number_of_threads_changes_nothing_in_one_game() {
    let folder = Folder::new("annotate-threads");
    folder.file("game.ptn", random_games(1, 30));
    let [one, three] =
        ["1", "3"].map(|count| timeless(&folder.annotate(&format!("game.ptn --nodes 400 --threads {count}"))));
    assert_eq!(one, three);
    let piped = folder
        .command("annotate - --nodes 400 --threads 2")
        .stdin(fs::File::open(folder.0.join("game.ptn")).unwrap())
        .output();
    assert_eq!(timeless(&String::from_utf8(piped.unwrap().stdout).unwrap()), one);
}
