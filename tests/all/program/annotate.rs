//! The verdicts of `tak-engine annotate` on games.

use std::collections::BTreeMap;
use std::fs;

use crate::cases::{are_many, cases};
use crate::folder::{Folder, ended};
use crate::playout::game_of;
use regex::Regex;
use tak_engine::board::{AnyPosition, Color, EndReason, Game, Komi, Move, Outcome, Setup, Size, Symmetry};
use tak_engine::engine::{Engine, Limits, Settings};
use tak_engine::notation::{EngineComment, PtnGame, PtnMove, parse_games};

impl Folder {
    /// The stdout of a run in which nothing is wrong.
    pub(super) fn annotate(&self, words: &str) -> String {
        self.succeed_quietly(&format!("annotate {words}"))
    }
}

/// Times are not the same in every run.
pub(super) fn timeless(ptn: &str) -> String {
    let ms = Regex::new(" [0-9]+ms").unwrap();
    ms.replace_all(ptn, " #ms").into_owned()
}

pub(super) fn read(ptn: &str) -> Vec<PtnGame> {
    parse_games(ptn).map(Result::unwrap).collect()
}

/// The only game of a text.
pub(super) fn one(ptn: &str) -> PtnGame {
    let mut games = read(ptn);
    assert_eq!(games.len(), 1, "{ptn}");
    games.remove(0)
}

/// The one comment of the engine on a move.
fn said(played: &PtnMove) -> EngineComment {
    let mut said = played.comments.iter().filter_map(|text| text.parse().ok());
    let comment: EngineComment = said.next().expect("a comment of the engine");
    assert!(said.next().is_none(), "two comments: {played:?}");
    comment
}

/// The engine's words of a move or a game.
pub(super) fn notes(comments: &[String]) -> Vec<&str> {
    let notes = comments.iter().filter_map(|text| text.strip_prefix("*tak-engine: "));
    notes.collect()
}

/// Random games of small sizes, numbered by the tag `Round`.
pub(super) fn random_games(count: u64, plies: u32) -> String {
    let games = (0..count).map(|seed| {
        let width = [5, 4, 6, 3][seed as usize % 4];
        let mut ptn = PtnGame::from(&game_of(Size::new(width).unwrap(), plies, seed));
        let tags =
            [("Round", seed.to_string()), ("Player1", format!("one {}", seed % 3)), ("Player2", "two".to_owned())];
        ptn.tags.splice(0..0, tags.map(|(name, value)| (name.to_owned(), value)));
        ptn.to_string()
    });
    games.collect::<Vec<_>>().join("\n")
}

/// As much as there is of everything that people put into PTN files.
const RICH: &str = "[Site \"PlayTak.com\"]\n[Event \"a \\\"cup\\\" \\\\ \"]\n[Player1 \"Ann\"]\n[Player2 \"Bob\"]\n\
    [Size \"5\"]\n[Komi \"2\"]\n[Opening \"swap\"]\n[Result \"R-0\"]\n[Strange \"42\"]\n[Strange \"43\"]\n\n\
    {Before the\ngame}\n1. a1 e5! {first} {second, 50% [x]}\n2. e3 c5?! 3. d3 b5'' {@Bob:1: hi}\n\
    4. c3 {cp:-5 -0.01/3 10 nodes 1ms pv> a2} d1\n5. b3\" Sc1??\n6. a3 R-0 {gg}\n";

#[test]
fn annotations_read_back_and_keep_existing_content() {
    let folder = Folder::new("annotate-rich");
    folder.file("game.ptn", RICH);
    let text = folder.annotate("game.ptn --nodes 2000");
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
        // The line continues from here.
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
    let again = folder.annotate("again.ptn --nodes 2000");
    assert_eq!(timeless(&again), timeless(&text));
    // A better look takes back the marks of a short one, and no others.
    let glance = folder.annotate("game.ptn --nodes 5");
    folder.file("glance.ptn", &glance);
    let marks = |text: &str| one(text).moves.iter().map(|mv| mv.marks.clone()).collect::<Vec<_>>();
    assert_ne!(marks(&glance), marks(&text), "nothing to take back");
    let better = folder.annotate("glance.ptn --nodes 2000");
    assert_eq!(timeless(&better), timeless(&text));
}

/// The forms that PTN Ninja 3.5.5 looks for in a comment, by the description of its grammar: one at a time, anywhere in
/// it.
fn forms_of_ptn_ninja() -> BTreeMap<&'static str, Regex> {
    let mv = r"[1-8]?[CS]?[a-h][1-8](?:[<>+-][1-8]*)?[*'?!]*";
    let forms = [
        ("wdl", r"(?:\W|^)wdl:([0-9.]+,[0-9.]+,[0-9.]+)(?:\W|$)".to_owned()),
        ("cp", r"(?:\W|^)cp:([+-]?[0-9]+)(?:\W|$)".to_owned()),
        ("score", r"(?:\W|^)score:([RFDTWL][0-9]*)(?:\W|$)".to_owned()),
        ("evaluation", r"(?:^|\s)([+-][0-9]+\.[0-9]+)(?:/[0-9]+)?(?:\s|$)".to_owned()),
        ("depth", r"/([0-9]+)(?:\W|$)".to_owned()),
        ("nodes", r"(?i)(?:\W|^)([0-9]+)\s*nodes(?:\W|$)".to_owned()),
        ("time", r"(?i)(?:\W|^)([0-9.]+\s*m?s)(?:\W|$)".to_owned()),
        ("name", "name:\"([^\"]*)\"".to_owned()),
        ("line", format!(r"(?i)(?:\W|^)pv>((?:\s+{mv})+)(?:\W|$)")),
    ];
    forms.into_iter().map(|(name, form)| (name, Regex::new(&form).unwrap())).collect()
}

#[test]
fn ptn_ninja_reads_the_comments_as_meant() {
    let folder = Folder::new("annotate-ninja");
    folder.file("games.ptn", random_games(8, 40));
    let text = folder.annotate("games.ptn --nodes 200");
    let forms = forms_of_ptn_ninja();
    let mut proven = 0;
    for game in read(&text) {
        let all = game.moves.iter().flat_map(|played| &played.comments);
        for text in all.chain(&game.comments) {
            // Notes are not searched for numbers, and braces cannot stand in them.
            assert!(!text.contains(['{', '}']), "{text}");
            if text.starts_with('*') {
                continue;
            }
            let find = |form: &str| Some(forms[form].captures(text)?[1].trim().to_owned());
            let meant: EngineComment = text.parse().unwrap();
            let score = meant.proven.map(|(winner, plies)| {
                proven += 1;
                let letter = match winner {
                    Some(Color::White) => "W",
                    Some(Color::Black) => "L",
                    None => "D",
                };
                format!("{letter}{plies}")
            });
            for (form, meant) in [
                ("name", Some("tak-engine".to_owned())),
                ("cp", meant.cp.map(|cp| cp.to_string())),
                ("nodes", meant.nodes.map(|nodes| nodes.to_string())),
                ("time", meant.ms.map(|ms| format!("{ms}ms"))),
                ("depth", meant.depth.map(|depth| depth.to_string())),
                ("line", Some(meant.pv).filter(|line| !line.is_empty())),
                ("score", score),
            ] {
                assert_eq!(find(form), meant, "{form}: {text}");
            }
            let wdl: u32 = find("wdl").unwrap().split(',').map(|part| part.parse::<u32>().unwrap()).sum();
            assert_eq!(wdl, 1000, "{text}");
            let evaluation: f64 = find("evaluation").unwrap().parse().unwrap();
            assert!((-1.0..=1.0).contains(&evaluation), "{text}");
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

/// Returns whether `color` has a road at once after every reply, by trying everything.
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

fn one_move(start: &Setup, mv: Move) -> PtnGame {
    let mut game = Game::new(AnyPosition::from_setup(start).unwrap());
    game.play(mv).unwrap();
    PtnGame::from(&game)
}

#[test]
fn forced_roads_are_marked_when_played_and_when_missed() {
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
        games.extend(wins.map(|&mv| one_move(start, mv)));
        expected.extend(wins.map(|_| true));
        games.extend(quiet.map(|&mv| one_move(start, mv)));
        expected.extend(quiet.map(|_| false));
    }
    assert_eq!(roads, wanted);
    let text: Vec<String> = games.iter().map(ToString::to_string).collect();
    folder.file("games.ptn", text.join("\n"));
    let annotated = read(&folder.annotate("games.ptn --nodes 5000"));
    // The depth also limits the searches beside it.
    let by_depth = ["", " --nodes 1e15"].map(|more| timeless(&folder.annotate(&format!("games.ptn --depth 1{more}"))));
    assert_eq!(by_depth[0], by_depth[1]);
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
        // The printed line ends in a win.
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
    // White threatens a road along the third row and has one chance in two; Black looks away.
    let open = "[Size \"5\"]\n[Komi \"2\"]\n\n1. a1 e5\n2. c3 b4\n3. d3 c4\n4. b3 e4\n5. e3 e1\n6. a3 R-0\n";
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

/// Moves that a symmetry turns into each other are equally good, also where few nodes see little.
#[test]
fn games_are_judged_alike_in_every_orientation() {
    let folder = Folder::new("annotate-symmetry");
    let size = Size::new(5).unwrap();
    let games = [game_of(size, 12, 3), game_of(size, 1, 1)];
    for (game, nodes) in games.iter().zip([300, 100]) {
        let judged = |symmetry: Symmetry| {
            let mut turned = Game::new(game.start().clone());
            game.moves().iter().for_each(|&mv| turned.play(symmetry.mv(mv, size)).unwrap());
            folder.file("game.ptn", PtnGame::from(&turned).to_string());
            let annotated = one(&folder.annotate(&format!("game.ptn --nodes {nodes}")));
            let found = |played: &PtnMove| {
                let EngineComment { cp, proven, nodes, loss, .. } = said(played);
                (cp, proven, nodes, loss, played.marks.clone())
            };
            annotated.moves.iter().map(found).collect::<Vec<_>>()
        };
        let [first, rest @ ..] = Symmetry::ALL.map(judged);
        assert!(rest.iter().all(|other| *other == first), "{first:?} {rest:?}");
    }
}

/// The first move of the engine is no mistake, whichever of the equivalent ones is played.
#[test]
fn no_equivalent_of_the_best_move_is_a_mistake() {
    let folder = Folder::new("annotate-equivalent");
    for (width, nodes) in [(5, 50), (5, 200), (6, 50), (6, 200)] {
        let size = Size::new(width).unwrap();
        let start = Setup::empty(size, Komi::default());
        let mut engine = Engine::new(Settings::default());
        let game = Game::new(AnyPosition::from_setup(&start).unwrap());
        let best = engine.analyse(&game, Limits::nodes(nodes)).unwrap().best().unwrap();
        for symmetry in Symmetry::ALL {
            let mv = symmetry.mv(best, size);
            folder.file("game.ptn", one_move(&start, mv).to_string());
            let annotated = one(&folder.annotate(&format!("game.ptn --nodes {nodes}")));
            assert_eq!(annotated.moves[0].marks, "", "{mv} of {width}x{width}: {annotated}");
        }
    }
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
fn wrong_results_are_corrected() {
    let folder = Folder::new("annotate-result");
    for (tag, end, right) in
        [("", "2. c2 a2 3. b2 a3 R-0", "0-R"), ("[Result \"R-0\"]\n", "2. c2 a2 3. b2 a3 0-R", "0-R")]
    {
        folder.file("game.ptn", format!("[Size \"3\"]\n{tag}1. a1 c3 {end}"));
        let (_, stderr_text) = ended(&mut folder.command("annotate game.ptn --nodes 50 --out out.ptn --force"), 0);
        assert!(stderr_text.contains("result that contradicts the rules"), "{stderr_text}");
        assert_eq!(one(&folder.text("out.ptn")).result.as_deref(), Some(right), "{end}");
        folder.succeed_quietly("replay --strict out.ptn");
    }
}

#[test]
fn a_finished_game_is_analysed_at_any_earlier_place() {
    let folder = Folder::new("annotate-analyse");
    folder.file("game.ptn", RICH);
    let analyse = |words: &str| folder.succeed(&format!("analyse game.ptn --depth 1 --threads 1 {words}"));
    let text = analyse("");
    assert!(text.contains("game over: White wins by a road"), "{text}");
    assert!(text.contains("tak-engine annotate game.ptn"), "{text}");
    let json = |words: &str| {
        let answer: serde_json::Value = serde_json::from_str(&analyse(&format!("{words} --json"))).unwrap();
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
}

#[test]
fn players_without_names_are_white_and_black() {
    let folder = Folder::new("annotate-nameless");
    folder.file("games.ptn", "[Size \"3\"]\n1. a1 c3\n\n[Size \"3\"]\n[Player1 \"?\"]\n[Player2 \" \"]\n1. a1 c3\n");
    let totals = folder.succeed("annotate games.ptn --nodes 50 --out a.ptn --report a.html");
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
    let totals = folder.succeed("annotate game.ptn --nodes 50 --out a.ptn --report a.html");
    assert!(totals.contains("a\u{fffd}b  "), "{totals:?}");
    assert!(!totals.contains(['\u{202e}', '\u{1b}']), "{totals:?}");
    let page = folder.text("a.html");
    assert!(page.contains("<bdi>a\u{fffd}b</bdi>") && !page.contains('\u{202e}'));
}

#[test]
fn comments_under_other_names_are_kept() {
    let folder = Folder::new("annotate-names");
    let [own, other] = ["name:\"tak-engine\" cp:5 1ms loss:0.0", "name:\"other\" cp:5 loss:0.0"];
    folder.file("game.ptn", format!("[Size \"3\"]\n1. a1 {{{own}}} c3 {{{other}}}\n"));
    let text = folder.annotate("game.ptn --nodes 50");
    assert!(!text.contains(own) && text.contains(&format!("{{{other}}}")), "{text}");
}

#[test]
fn a_long_name_is_cut_in_the_totals() {
    let folder = Folder::new("annotate-names");
    let name = "A".repeat(70_000);
    folder.file("game.ptn", format!("[Player1 \"{name}\"]\n[Size \"3\"]\n1. a1 b1 2. c3\n"));
    let told = folder.annotate("game.ptn --nodes 50 --out out.ptn");
    assert!(told.contains(&format!("\n{}...  ", "A".repeat(21))), "{told}");
}
