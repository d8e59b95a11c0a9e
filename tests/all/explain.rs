//! Sentences about moves. What each says is derived again from its words alone, with the rules of fast-tak.

#![cfg(feature = "annotate")]

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Mutex;

use crate::cases::{are_many, cases};
use crate::for_all_sizes;
use crate::playout::{STYLES, random_game};
use crate::rules::setups::fast_tak_game;
use fast_tak::GameResult;
use fast_tak::takparse::{self, Color as TheirColor, Move as TheirMove, Piece, Square as TheirSquare};
use rand::seq::IndexedRandom;
use regex::Regex;
use tak_engine::analysis::explain::{Basis, Reason, reasons};
use tak_engine::board::{AnyPosition, Color, Game, Position};
use tak_engine::search::{Line, Score};

type Their<const N: usize> = fast_tak::Game<N, 0>;
type Place = (usize, usize);
type Top = Option<(Piece, TheirColor)>;

/// Compiled once.
static PATTERNS: Mutex<BTreeMap<&str, Regex>> = Mutex::new(BTreeMap::new());

/// One sentence about a move, and the game before and after it.
struct Claim<'a, const N: usize> {
    before: &'a Their<N>,
    after: Their<N>,
    context: String,
}

fn color(name: &str) -> TheirColor {
    if name == "White" { TheirColor::White } else { TheirColor::Black }
}

fn after<const N: usize>(game: &Their<N>, mv: &str) -> Option<Their<N>> {
    let mut game = game.clone();
    game.play(TheirMove::from_str(mv).ok()?).ok()?;
    Some(game)
}

fn all_moves<const N: usize>(game: &Their<N>) -> Vec<String> {
    let mut moves = Vec::new();
    game.possible_moves(&mut moves);
    moves.iter().map(ToString::to_string).collect()
}

fn is_road_of<const N: usize>(game: &Their<N>, winner: TheirColor) -> bool {
    let result: Option<takparse::GameResult> = game.result().try_into().ok();
    let road = if winner == TheirColor::White { "R-0" } else { "0-R" };
    result.is_some_and(|result| result.to_string() == road)
}

/// The game with this player to move.
fn turned<const N: usize>(game: &Their<N>, player: TheirColor) -> Their<N> {
    let mut game = game.clone();
    if game.to_move != player {
        (game.to_move, game.ply) = (player, game.ply + 1);
    }
    game
}

/// The moves that complete a road for a player who is to move.
fn roads<const N: usize>(game: &Their<N>, player: TheirColor) -> Vec<String> {
    let game = turned(game, player);
    let mut moves = all_moves(&game);
    moves.retain(|mv| is_road_of(&after(&game, mv).unwrap(), player));
    moves
}

fn flats<const N: usize>(game: &Their<N>, player: TheirColor) -> i64 {
    squares(game).iter().filter(|(_, top)| *top == Some((Piece::Flat, player))).count() as i64
}

/// All squares with their top pieces.
fn squares<const N: usize>(game: &Their<N>) -> Vec<(Place, Top)> {
    let places = (0..N).flat_map(|column| (0..N).map(move |row| (column, row)));
    let top = |&(column, row): &(usize, usize)| {
        let stack = game.board.get(TheirSquare::new(column as u8, row as u8)).unwrap();
        stack.top()
    };
    places.map(|place| (place, top(&place))).collect()
}

fn are_beside((column, row): (usize, usize), (other, line): (usize, usize)) -> bool {
    column.abs_diff(other) + row.abs_diff(line) == 1
}

/// The empty squares on the cheapest road: distances that are lowered until nothing changes.
fn missing<const N: usize>(game: &Their<N>, player: TheirColor) -> Option<usize> {
    let board = squares(game);
    let cost = |top: Option<(Piece, TheirColor)>| match top {
        None => Some(1),
        Some((Piece::Wall, _)) => None,
        Some((_, owner)) => (owner == player).then_some(0),
    };
    let across = |is_row: bool| {
        let along = |(column, row): (usize, usize)| if is_row { row } else { column };
        let mut total: Vec<Option<usize>> =
            board.iter().map(|&(at, top)| if along(at) == 0 { cost(top) } else { None }).collect();
        for _ in 0..N * N {
            for (index, &(at, top)) in board.iter().enumerate() {
                let Some(cost) = cost(top) else { continue };
                let beside = board.iter().zip(&total).filter(|((other, _), _)| are_beside(at, *other));
                let best = beside.filter_map(|(_, total)| *total).min().map(|least| least + cost);
                total[index] = [total[index], best].into_iter().flatten().min();
            }
        }
        let ends = board.iter().zip(&total).filter(|((at, _), _)| along(*at) == N - 1);
        ends.filter_map(|(_, total)| *total).min()
    };
    [across(false), across(true)].into_iter().flatten().min()
}

impl<const N: usize> Claim<'_, N> {
    fn check(&self, reason: &Reason) {
        let words = |pattern: &'static str| -> Option<Vec<String>> {
            let mut patterns = PATTERNS.lock().unwrap();
            let pattern = patterns.entry(pattern).or_insert_with(|| Regex::new(&format!("^{pattern}\\.$")).unwrap());
            let found = pattern.captures(&reason.text)?;
            Some(found.iter().skip(1).flatten().map(|part| part.as_str().to_owned()).collect())
        };
        let mover = self.before.to_move;
        let opponent = !mover;
        let context = &self.context;
        let is = |what: bool| assert!(what, "{context}: {}", reason.text);
        let is_same = |left: Option<usize>, right: &str| {
            assert_eq!(left.map(|count| count.to_string()).as_deref(), Some(right), "{context}: {}", reason.text);
        };
        if words("(.+) completes a road").is_some() {
            is(is_road_of(&self.after, mover));
        } else if let Some(said) = words("(.+) ends the game: (\\w+) wins by (.+) flats?") {
            let lead = flats(&self.after, color(&said[1])) - flats(&self.after, !color(&said[1]));
            is(said[2] == lead.to_string() && lead > 0);
            is(self.after.result() != GameResult::Ongoing);
        } else if words("(.+) ends the game with equal flats, komi counted").is_some() {
            is(flats(&self.after, mover) == flats(&self.after, opponent));
        } else if let Some(said) = words("(\\w+) leaves (..) open: (\\w+) completes a road there") {
            is(color(&said[0]) == mover && color(&said[2]) == opponent);
            is(roads(&self.after, opponent).iter().all(|mv| mv.ends_with(&said[1])));
            is(!roads(&self.after, opponent).is_empty());
        } else if let Some(said) = words("After (.+) (\\w+) completes a road with (.+)") {
            is(color(&said[1]) == opponent && roads(&self.after, opponent).contains(&said[2]));
        } else if let Some(said) =
            words("(.+) threatens roads? with (.+?)(?: and (.+): no answer stops them all| that no answer stops)")
        {
            is(said[1..].iter().all(|mv| roads(&self.after, mover).contains(mv)));
            is(all_moves(&self.after).iter().all(|mv| {
                let reply = after(&self.after, mv).unwrap();
                reply.result() == GameResult::Ongoing && !roads(&reply, mover).is_empty()
            }));
        } else if let Some(said) = words("(.+) threatens a road with (.+?)(?: or (.+))?") {
            is(said[1..].iter().all(|mv| roads(&self.after, mover).contains(mv)));
        } else if let Some(said) = words("(?:Only )?(.+) stops (\\w+)’s road with (.+)") {
            is(roads(self.before, opponent).contains(&said[2]) && roads(&self.after, opponent).is_empty());
            if reason.text.starts_with("Only") {
                let answers = all_moves(self.before).into_iter().filter(|mv| {
                    let next = after(self.before, mv).unwrap();
                    match next.result() {
                        GameResult::Ongoing => roads(&next, opponent).is_empty(),
                        result => matches!(result, GameResult::Winner { color, .. } if color == mover),
                    }
                });
                match said[0].strip_prefix("a piece on ") {
                    Some(square) => is(answers.into_iter().all(|mv| mv.ends_with(square))),
                    None => is(answers.collect::<Vec<_>>() == [said[0].clone()]),
                }
            }
        } else if let Some(said) = words("The capstone flattens the wall on (..)") {
            let at = |game: &Their<N>| game.board.get(TheirSquare::from_str(&said[0]).unwrap()).unwrap().top();
            is(at(self.before).is_some_and(|(piece, _)| piece == Piece::Wall));
            is(at(&self.after) == Some((Piece::Cap, mover)));
        } else if let Some(said) = words("(.+) covers (\\d+) flats? of (\\w+); then (.+)") {
            let covered = squares(self.before)
                .into_iter()
                .zip(squares(&self.after))
                .filter(|((_, top), (_, then))| *top == Some((Piece::Flat, opponent)) && then.is_some() && then != top);
            is_same(Some(covered.count()), &said[1]);
            let [own, enemy] = [mover, opponent].map(|player| flats(&self.after, player));
            let name = |player| if player == TheirColor::White { "White" } else { "Black" };
            is(said[3]
                == match own.cmp(&enemy) {
                    std::cmp::Ordering::Greater => format!("{} leads {own} to {enemy}", name(mover)),
                    std::cmp::Ordering::Equal => format!("both have {own}"),
                    std::cmp::Ordering::Less => format!("{} leads {enemy} to {own}", name(opponent)),
                });
        } else if words("(.+) cuts off every road of (\\w+) over empty squares").is_some() {
            is(missing(&self.after, opponent).is_none() && missing(self.before, opponent).is_some());
        } else if let Some(said) =
            words("After (.+) (\\w+) needs (\\d+) more empty squares? for a road instead of (\\d+)")
        {
            is_same(missing(&self.after, color(&said[1])), &said[2]);
            is_same(missing(self.before, color(&said[1])), &said[3]);
        } else if let Some(said) = words("After (.+) (\\w+) needs (\\d+) more empty squares? for a road, (\\w+) (\\d+)")
        {
            is_same(missing(&self.after, color(&said[1])), &said[2]);
            is_same(missing(&self.after, color(&said[3])), &said[4]);
        } else if let Some(said) = words("(.+) joins (\\w+) of (\\w+)’s groups") {
            let square = &said[0][said[0].len() - 2..];
            is_same(Some(groups_beside(self.before, square, mover)), if said[1] == "two" { "2" } else { &said[1] });
        } else {
            panic!("{context}: unknown sentence {:?}", reason.text);
        }
    }
}

/// Groups next to a square: neighbours with the same number are connected.
fn groups_beside<const N: usize>(game: &Their<N>, square: &str, player: TheirColor) -> usize {
    let at = (usize::from(square.as_bytes()[0] - b'a'), usize::from(square.as_bytes()[1] - b'1'));
    let is_road =
        |top: Option<(Piece, TheirColor)>| top.is_some_and(|(piece, owner)| owner == player && piece != Piece::Wall);
    let mut groups: Vec<((usize, usize), usize)> = Vec::new();
    for (place, _) in squares(game).into_iter().filter(|&(_, top)| is_road(top)) {
        let number = groups.len();
        let joined: Vec<usize> =
            groups.iter().filter(|(other, _)| are_beside(place, *other)).map(|&(_, group)| group).collect();
        groups.push((place, number));
        groups.iter_mut().filter(|(_, group)| joined.contains(group)).for_each(|(_, group)| *group = number);
    }
    let mut beside: Vec<usize> =
        groups.into_iter().filter(|(place, _)| are_beside(*place, at)).map(|(_, group)| group).collect();
    beside.sort_unstable();
    beside.dedup();
    beside.len()
}

fn check_positions<const N: usize>(seen: &mut BTreeMap<&'static str, usize>) {
    for seed in 0..cases(1) as u64 {
        for style in STYLES {
            random_game::<N>(seed, style, 60, |position, rng| {
                if position.outcome().is_some() || position.ply() < 2 {
                    return;
                }
                let any = AnyPosition::from_setup(&position.to_setup()).unwrap();
                let winning = position.winning_move(position.to_move());
                let moves = position.legal_moves();
                for mv in winning.into_iter().chain(moves.sample(rng, 1).copied()) {
                    check_move::<N>(position, &any, mv, seen);
                }
            });
        }
    }
}

fn check_move<const N: usize>(
    position: &Position<N>,
    any: &AnyPosition,
    mv: tak_engine::board::Move,
    seen: &mut BTreeMap<&'static str, usize>,
) {
    let before = fast_tak_game::<N, 0>(position);
    let line = Line { score: Score::DRAW, bound: None, solved: None, pv: vec![mv] };
    let found = reasons(&Game::new(any.clone()), &line, None);
    let context = format!("{any} {mv}");
    assert!(found.len() <= 3, "{context}");
    let claim = Claim { after: after(&before, &mv.to_string()).unwrap(), before: &before, context };
    for reason in &found {
        assert!(reason.text.chars().count() <= Reason::MAX_CHARS, "{}", reason.text);
        assert_eq!(reason.basis, Basis::Rules);
        claim.check(reason);
        *seen.entry(reason.kind).or_default() += 1;
    }
    *seen.entry(if found.is_empty() { "none" } else { "some" }).or_default() += 1;
}

#[test]
fn what_is_said_of_a_move_holds_by_other_rules() {
    let mut seen = BTreeMap::new();
    for_all_sizes!(check_positions(&mut seen));
    if are_many() {
        let kinds = [
            "road",
            "leaves-road",
            "threats",
            "stops-road",
            "threat",
            "flattens",
            "covers",
            "cuts",
            "joins",
            "nears",
            "race",
        ];
        for kind in kinds {
            assert!(seen.get(kind).is_some_and(|&count| count > 10), "{kind}: {seen:?}");
        }
    }
    assert!(seen["some"] > 3 * seen["none"], "{seen:?}");
}

#[test]
fn the_player_who_reads_is_addressed() {
    use tak_engine::analysis::explain::mistake;
    let position: AnyPosition = "x5/1,1,1,1,x/x5/2,2,2,2,x/2,x4 1 7".parse().unwrap();
    let line = |moves: &str, score: Score| Line {
        score,
        bound: None,
        solved: score.solved(),
        pv: moves.split(' ').map(|mv| mv.parse().unwrap()).collect(),
    };
    let (after, better) = (line("e2", Score::win_in(1)), line("e4", Score::win_in(1)));
    let texts = |reader: Option<Color>| -> Vec<String> {
        let reasons = mistake(&position, "a3".parse().unwrap(), &after, &better, reader);
        reasons.into_iter().map(|reason| reason.text).collect()
    };
    assert_eq!(texts(None), ["e4 completes a road.", "White leaves e2 open: Black completes a road there."]);
    assert_eq!(texts(Some(Color::White))[1], "You leave e2 open: Black completes a road there.");
    assert_eq!(texts(Some(Color::Black))[1], "White leaves e2 open: you complete a road there.");
}
