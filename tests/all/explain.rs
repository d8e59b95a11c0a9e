//! Sentences about moves. What each says is derived again from its words alone, with the rules of fast-tak.

#![cfg(feature = "annotate")]

use std::collections::BTreeMap;
use std::str::FromStr;
use std::sync::Mutex;

use crate::cases::{are_many, cases, step};
use crate::for_all_sizes;
use crate::playout::{STYLES, random_game};
use crate::rules::setups::fast_tak_game;
use fast_tak::GameResult;
use fast_tak::takparse::{self, Color as TheirColor, Move as TheirMove, Piece, Square as TheirSquare};
use rand::seq::IndexedRandom;
use regex::Regex;
use tak_engine::analysis::annotate::{AnnotatedGame, AnnotatedPly, Mark, annotate, reasons_of};
use tak_engine::analysis::explain::{Reason, mistake, reasons};
use tak_engine::board::{AnyPosition, Color, Game, Move};
use tak_engine::engine::{Engine, Limits, Settings};
use tak_engine::notation::parse_games;
use tak_engine::search::{Line, Score};

pub type Their<const N: usize> = fast_tak::Game<N, 0>;
pub type Place = (usize, usize);
pub type Top = Option<(Piece, TheirColor)>;

/// Compiled once.
static PATTERNS: Mutex<BTreeMap<&str, Regex>> = Mutex::new(BTreeMap::new());

/// What sentences are about: a move, the game before and after it, and a better move with the lines of both.
struct Claim<'a, const N: usize> {
    before: &'a Their<N>,
    mv: String,
    after: Their<N>,
    lines: [Vec<String>; 2],
    context: String,
}

fn color(name: &str) -> TheirColor {
    if name == "White" { TheirColor::White } else { TheirColor::Black }
}

pub fn after<const N: usize>(game: &Their<N>, mv: &str) -> Option<Their<N>> {
    let mut game = game.clone();
    game.play(TheirMove::from_str(mv).ok()?).ok()?;
    Some(game)
}

pub fn all_moves<const N: usize>(game: &Their<N>) -> Vec<String> {
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
pub fn roads<const N: usize>(game: &Their<N>, player: TheirColor) -> Vec<String> {
    let game = turned(game, player);
    let mut moves = all_moves(&game);
    moves.retain(|mv| is_road_of(&after(&game, mv).unwrap(), player));
    moves
}

fn flats<const N: usize>(game: &Their<N>, player: TheirColor) -> i64 {
    squares(game).iter().filter(|(_, top)| *top == Some((Piece::Flat, player))).count() as i64
}

/// All squares with their top pieces.
pub fn squares<const N: usize>(game: &Their<N>) -> Vec<(Place, Top)> {
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

/// The words in a text that has this form.
fn words(pattern: &'static str, text: &str) -> Option<Vec<String>> {
    let mut patterns = PATTERNS.lock().unwrap();
    let pattern = patterns.entry(pattern).or_insert_with(|| Regex::new(&format!("^{pattern}$")).unwrap());
    let found = pattern.captures(text)?;
    Some(found.iter().skip(1).flatten().map(|part| part.as_str().to_owned()).collect())
}

fn number(text: &str) -> i64 {
    ["zero", "one", "two"].iter().position(|&word| word == text).map_or_else(|| text.parse().unwrap(), |at| at as i64)
}

/// "2.5 flats ahead" in half flats.
fn half_flats(text: &str) -> i64 {
    let ahead = text.strip_suffix(" ahead").or_else(|| text.strip_suffix(" behind")).unwrap_or(text);
    let size = match ahead.split(' ').next().unwrap() {
        "level" => 0,
        "half" => 1,
        flats => (2.0 * flats.parse::<f64>().unwrap()) as i64,
    };
    if text.ends_with("behind") { -size } else { size }
}

/// What two moves give if both players then only place flats: the last player and the lead of `player`, without komi.
fn filled<const N: usize>(game: &Their<N>, player: TheirColor) -> (TheirColor, i64) {
    let pieces = |color| {
        let reserves = if color == TheirColor::White { game.white_reserves } else { game.black_reserves };
        i64::from(reserves.stones) + i64::from(reserves.caps)
    };
    let empty = squares(game).iter().filter(|(_, top)| top.is_none()).count() as i64;
    let mover = game.to_move;
    let plies = empty.min(2 * pieces(mover) - 1).min(2 * pieces(!mover));
    let placed = |color| if color == mover { (plies + 1) / 2 } else { plies / 2 };
    let total = |color| flats(game, color) + placed(color);
    (if plies % 2 == 1 { mover } else { !mover }, total(player) - total(!player))
}

impl<const N: usize> Claim<'_, N> {
    fn is(&self, what: bool, text: &str) {
        assert!(what, "{}: {text}", self.context);
    }

    /// Checks what a move of a game does.
    fn check_effect(&self, game: &Their<N>, mv: &str, text: &str) {
        let Some(then) = after(game, mv) else { panic!("{}: {mv} cannot be played: {text}", self.context) };
        let (mover, opponent) = (game.to_move, !game.to_move);
        let is = |what: bool| self.is(what, &format!("{mv} {text}"));
        let is_road = |mv: &String| roads(&then, mover).contains(mv);
        if let Some(said) = words(
            r"threatens (?:a road|roads) with (.+?)(?: and (.+): no answer stops them all| that no answer stops)",
            text,
        ) {
            is(said.iter().all(is_road));
            is(all_moves(&then).iter().all(|mv| {
                let reply = after(&then, mv).unwrap();
                reply.result() == GameResult::Ongoing && !roads(&reply, mover).is_empty()
            }));
        } else if let Some(said) = words(r"threatens a road with (\S+)(?: or (\S+))?", text) {
            is(said.iter().all(is_road) && said.get(1) != Some(&said[0]));
        } else if let Some(said) = words(r"flattens the wall on (..)", text) {
            is(at(game, &said[0]).top().is_some_and(|(piece, _)| piece == Piece::Wall));
            is(at(&then, &said[0]).top() == Some((Piece::Cap, mover)));
        } else if let Some(said) = words(r"captures the stack of (\d+) on (..)", text) {
            let owner = |game| at(game, &said[1]).top().map(|(_, owner)| owner);
            is(owner(game) == Some(opponent) && owner(&then) == Some(mover));
            is(i64::from(at(game, &said[1]).size()) == number(&said[0]));
        } else if let Some(said) =
            words(r"(?:un)?covers (\S+) (?:of (\w+)’s|own) flats?(?: and uncovers (\S+) of (\w+)’s)?", text)
        {
            let mine = |game| flats(game, mover);
            if text.starts_with("un") {
                return is(mine(&then) - mine(game) == number(&said[0]));
            }
            let covered = squares(game)
                .into_iter()
                .zip(squares(&then))
                .filter(|((_, top), (_, then))| *top == Some((Piece::Flat, opponent)) && then.is_some() && then != top);
            is(covered.count() as i64 == number(&said[0]) && color(&said[1]) == opponent);
            is(said.get(2).is_none_or(|own| mine(&then) - mine(game) == number(own) && color(&said[3]) == mover));
        } else if let Some(said) = words(r"comes within (\d+) empty squares? of a road", text) {
            is(missing(&then, mover).map(|squares| squares as i64) == Some(number(&said[0])));
            is(missing(game, mover).is_none_or(|squares| squares as i64 > number(&said[0])));
        } else if let Some(said) = words(r"stops (\w+)’s road with (\S+)", text) {
            is(color(&said[0]) == opponent && roads(game, opponent).contains(&said[1]));
            is(roads(&then, opponent).is_empty());
        } else if words(r"leaves (\w+) no road over empty squares", text).is_some() {
            is(missing(&then, opponent).is_none() && missing(game, opponent).is_some());
        } else if let Some(said) = words(r"leaves (\w+) (\d+) empty squares from a road instead of (\d+)", text) {
            let needs = |game| missing(game, color(&said[0])).map(|squares| squares as i64);
            is(needs(&then) == Some(number(&said[1])) && needs(game) == Some(number(&said[2])));
        } else if let Some(said) = words(r"joins (\w+) of (\w+)’s groups", text) {
            is(groups_beside(game, &mv[mv.len() - 2..], mover) as i64 == number(&said[0]) && color(&said[1]) == mover);
        } else if let Some(said) =
            words(r"places the capstone (beside (\d) of (\w+)’s pieces|in the centre|next to the centre)", text)
        {
            let place = (usize::from(mv.as_bytes()[1] - b'a'), usize::from(mv.as_bytes()[2] - b'1'));
            let enemies = squares(game)
                .into_iter()
                .filter(|&(at, top)| are_beside(at, place) && top.is_some_and(|(_, owner)| owner == opponent));
            // Twice the distance from the middle of the board.
            let distance = [place.0, place.1].map(|along| (2 * along).abs_diff(N - 1)).into_iter().max().unwrap();
            is(mv.starts_with('C'));
            is(if said.len() > 1 {
                enemies.count() as i64 == number(&said[1])
            } else {
                (distance < 2) == (said[0] == "in the centre") && distance <= 2
            });
        } else {
            panic!("{}: unknown sentence {mv} {text:?}", self.context);
        }
    }

    fn check(&self, reason: &Reason) {
        let (mover, opponent) = (self.before.to_move, !self.before.to_move);
        let text = reason.text.strip_suffix('.').unwrap();
        let is = |what: bool| self.is(what, text);
        let then = |mv: &str| after(self.before, mv).unwrap();
        if let Some(said) = words(r"(\S+) completes (?:a|(\w+)’s) road", text) {
            is(is_road_of(&then(&said[0]), said.get(1).map_or(mover, |owner| color(owner))));
        } else if let Some(said) = words(r"(\S+) ends the game: (\w+) wins by (.+) flats?", text) {
            let end = then(&said[0]);
            let lead = flats(&end, color(&said[1])) - flats(&end, !color(&said[1]));
            is(said[2] == lead.to_string() && lead > 0 && end.result() != GameResult::Ongoing);
        } else if let Some(said) = words(r"(\S+) ends the game with equal flats, komi counted", text) {
            is(flats(&then(&said[0]), mover) == flats(&then(&said[0]), opponent));
        } else if let Some(said) = words(r"(\w+) leaves (..) open: (\w+) completes a road there", text) {
            is(color(&said[0]) == mover && color(&said[2]) == opponent);
            is(roads(&self.after, opponent).iter().all(|mv| mv.ends_with(&said[1])));
            is(!roads(&self.after, opponent).is_empty());
        } else if let Some(said) = words(r"After (\S+) (\w+) completes a road with (\S+)", text) {
            is(color(&said[1]) == opponent && roads(&then(&said[0]), opponent).contains(&said[2]));
        } else if let Some(said) = words(r"(?:Only )?(a piece on ..|\S+) stops (\w+)’s road with (\S+)", text) {
            let square = said[0].strip_prefix("a piece on ");
            is(roads(self.before, opponent).contains(&said[2]));
            is(square.is_some() || roads(&then(&said[0]), opponent).is_empty());
            if text.starts_with("Only") {
                let answers = all_moves(self.before).into_iter().filter(|mv| {
                    let next = then(mv);
                    match next.result() {
                        GameResult::Ongoing => roads(&next, opponent).is_empty(),
                        result => matches!(result, GameResult::Winner { color, .. } if color == mover),
                    }
                });
                match square {
                    Some(square) => is(answers.into_iter().all(|mv| mv.ends_with(square))),
                    None => is(answers.collect::<Vec<_>>() == [said[0].clone()]),
                }
            }
        } else if let Some(said) = words(
            r"After (\S+) (\w+) can answer (\S+), which (.+?)(?:; (\S+) (?:prevents that|threatens first))?",
            text,
        ) {
            is(color(&said[1]) == opponent);
            self.check_effect(&then(&said[0]), &said[2], &said[3]);
            is(!text.ends_with("threatens first") || !roads(&then(&said[4]), mover).is_empty());
            is(said.get(4).is_none_or(|better| !can_do(&then(better), &then(&said[0]), &said[2], &said[3])));
        } else if let Some(said) = words(r"(\S+) (keeps|prepares) (\S+), which (.+)", text) {
            let waiting = turned(&then(&said[0]), mover);
            self.check_effect(&waiting, &said[2], &said[3]);
            let other = turned(&self.after, mover);
            is(!can_do(&other, &waiting, &said[2], &said[3]));
            let [now, then] = [self.before, &waiting].map(|game| strength(game, &said[2], &said[3]));
            is((said[1] == "keeps") == (now >= then));
        } else if let Some(said) =
            words(r"After (\S+) the engine expects (White|Black) to take (..) with ([^ ,]+)(?:, which (.+))?", text)
        {
            said.get(4).into_iter().for_each(|effect| self.check_effect(&then(&said[0]), &said[3], effect));
            let line = self.lines.iter().find(|line| line[0] == said[0]).unwrap();
            is(line[1] == said[3] && said[3].ends_with(&said[2]) && color(&said[1]) == opponent);
            is(self.lines[1][0].ends_with(&said[2]));
        } else if let Some(said) = words(r"After (.+) the engine expects (White|Black)’s (\S+), which (.+)", text) {
            let game = self.followed(&said[0]);
            is(game.to_move == color(&said[1]));
            is(self.lines.iter().any(|line| line.join(" ").starts_with(&format!("{} {}", said[0], said[2]))));
            self.check_effect(&game, &said[2], &said[3]);
        } else if let Some(said) = words(r"If (\w+) does nothing, (\w+) has (\S+), which (.+)", text) {
            is(color(&said[0]) == mover && color(&said[1]) == opponent);
            self.check_effect(&turned(self.before, opponent), &said[2], &said[3]);
        } else if let Some(said) =
            words(r"If (\w+) does nothing, (\w+) forces a road in (?:at most )?(\d+) moves, beginning with (\S+)", text)
        {
            is(color(&said[1]) == opponent
                && (said[2] != "2" || wins_in_two(&turned(self.before, opponent), &said[3])));
        } else if let Some(said) =
            words(r"After (\S+) (\w+) forces a win in (?:at most )?(\d+) moves?(?:, beginning with (\S+))?", text)
        {
            is(color(&said[1]) == opponent && (said[2] != "2" || wins_in_two(&then(&said[0]), &said[3])));
        } else if let Some(said) = words(r"With (\S+) (\w+) forces a win in (?:at most )?(\d+) moves?", text) {
            is(color(&said[1]) == mover && (said[2] != "2" || wins_in_two(self.before, &said[0])));
        } else {
            self.check_count(text);
        }
    }

    /// Checks a sentence about flats or squares, or about what the move does.
    fn check_count(&self, text: &str) {
        let (mover, opponent) = (self.before.to_move, !self.before.to_move);
        let is = |what: bool| self.is(what, text);
        let then = |mv: &str| after(self.before, mv).unwrap();
        let needs = |game: &Their<N>, player: &str| {
            missing(game, color(player)).map_or_else(String::new, |squares| squares.to_string())
        };
        if let Some(said) = words(r"(\S+) ((?:un)?covers .+); then (.+)", text) {
            self.check_effect(self.before, &said[0], &said[1]);
            let [own, enemy] = [mover, opponent].map(|player| flats(&then(&said[0]), player));
            let name = |player| if player == TheirColor::White { "White" } else { "Black" };
            is(said[2]
                == match own.cmp(&enemy) {
                    std::cmp::Ordering::Greater => format!("{} leads {own} to {enemy}", name(mover)),
                    std::cmp::Ordering::Equal => format!("both have {own}"),
                    std::cmp::Ordering::Less => format!("{} leads {enemy} to {own}", name(opponent)),
                });
        } else if let Some(said) = words(r"If both only place flats after (\S+), (.+), (\w+) placing last", text) {
            let (last, lead) = filled(&then(&said[0]), TheirColor::White);
            is(last == color(&said[2]));
            is(match words(r"(\w+) wins by (.+)", &said[1]) {
                Some(won) => half_flats(&won[1]) == if won[0] == "White" { 2 * lead } else { -2 * lead },
                None => lead == 0,
            });
        } else if let Some(said) =
            words(r"If both only place flats, (\w+) ends (.+) after (\S+), (.+) after (\S+)", text)
        {
            let lead = |mv: &str| 2 * filled(&then(mv), color(&said[0])).1;
            is(color(&said[0]) == mover
                && half_flats(&said[1]) == lead(&said[2])
                && half_flats(&said[3]) == lead(&said[4]));
        } else if let Some(said) =
            words(r"On (..) the capstone stands on a flat of its own colour, which it can leave behind", text)
        {
            is(at(self.before, &said[0]).top() == Some((Piece::Flat, mover)));
        } else if let Some(said) =
            words(r"For a road (\w+) needs (\d+) more empty squares? after (.+), but (\d+) after (.+)", text)
        {
            is(needs(&self.followed(&said[2]), &said[0]) == said[1]);
            is(needs(&self.followed(&said[4]), &said[0]) == said[3]);
        } else if let Some(said) =
            words(r"After (\S+) (\w+) needs (\d+) more empty squares? for a road instead of (\d+)", text)
        {
            is(needs(&then(&said[0]), &said[1]) == said[2]);
            is(missing(self.before, color(&said[1])).is_none_or(|before| before.to_string() == said[3]));
        } else if let Some(said) =
            words(r"After (\S+) (\w+) needs (\d+) more empty squares? for a road, (White|Black) (\d+)", text)
        {
            is(needs(&then(&said[0]), &said[1]) == said[2] && needs(&then(&said[0]), &said[3]) == said[4]);
        } else if let Some(said) = words(
            r"After (.+) (White|Black) is (.+ahead|.+behind|level in flats), after (.+?) (\S+ flats? .+|half .+|level .+)",
            text,
        ) {
            let lead = |path: &str| {
                let game = self.followed(path);
                is(roads(&game, mover).is_empty() && roads(&game, opponent).is_empty());
                2 * (flats(&game, mover) - flats(&game, opponent))
            };
            is(color(&said[1]) == mover);
            is(lead(&said[0]) == half_flats(&said[2]) && lead(&said[3]) == half_flats(&said[4]));
        } else if let Some(said) =
            words(r"The wall on (..) (?:adds no flat and )?is part of no road(; the capstone.+)?", text)
        {
            is(self.mv == format!("S{}", said[0]));
            is(self.lines[1][0] == format!("{}{}", if said.len() > 1 { "C" } else { "" }, said[0]));
        } else if let Some(said) = words(r"(..) adds a flat and keeps the capstone for later", text) {
            is(self.mv == format!("C{}", said[0]) && self.lines[1][0] == said[0]);
        } else if let Some(said) = words(r"S(..) keeps the capstone for later", text) {
            is(self.mv == format!("C{}", said[0]));
        } else if let Some(said) = words(
            r"(\w+) can cover a flat on (..) with (\S+), but (not the capstone|a wall only with the capstone)",
            text,
        ) {
            let piece = if said[3].starts_with("not") { "C" } else { "S" };
            is(self.mv == said[1] && self.lines[1][0] == format!("{piece}{}", said[1]) && color(&said[0]) == opponent);
            is(at(&after(&self.after, &said[2]).unwrap(), &said[1]).size() > 1);
        } else if let Some(said) = words(r"After (\S+) (White|Black) has the top piece on (..)(?: and (..))*", text) {
            let owner = |game, square: &str| at(game, square).top().map(|(_, owner)| owner);
            is(said[0] == self.mv && color(&said[1]) == opponent);
            let is_given = |square: &String| {
                owner(self.before, square) == Some(mover) && owner(&self.after, square) == Some(opponent)
            };
            is(said[2..].iter().all(is_given));
        } else if let Some(said) = words(r"(\S+) leaves (..) empty", text) {
            is(said[0] == self.mv && at(self.before, &said[1]).top().is_some_and(|(_, owner)| owner == mover));
            is(at(&self.after, &said[1]).is_empty());
        } else if let Some(said) = words(r"(\S+) places (\w+)’s first flat (.+)", text) {
            is(color(&said[1]) == opponent && self.before.ply < 2);
            let is_far = |sign: u8, first: u8| sign == first || sign == first + N as u8 - 1;
            let edges = [(0, b'a'), (1, b'1')].map(|(at, first)| is_far(said[0].as_bytes()[at], first));
            let count = edges.into_iter().filter(|&is_edge| is_edge).count();
            is(count
                == match &*said[2] {
                    "away from the edge" => 0,
                    "on the edge" => 1,
                    _ => 2,
                });
        } else if let Some(said) = words(r"The engine expects the answer (\S+) to (\S+)", text) {
            is(after(&then(&said[1]), &said[0]).is_some());
        } else if let Some(said) = words(r"(\S+) (.+)", text) {
            self.check_effect(self.before, &said[0], &said[1]);
        }
    }

    /// The game after the beginning of a line.
    fn followed(&self, path: &str) -> Their<N> {
        self.is(self.lines.iter().any(|line| format!("{} ", line.join(" ")).starts_with(&format!("{path} "))), path);
        path.split(' ').fold(self.before.clone(), |game, mv| after(&game, mv).unwrap())
    }
}

/// What a move does, as a number; the road threats that no move stops count more.
fn strength<const N: usize>(game: &Their<N>, mv: &str, text: &str) -> Option<i64> {
    let (mover, then) = (game.to_move, after(game, mv)?);
    if then.result() != GameResult::Ongoing || !roads(&then, !mover).is_empty() {
        return None;
    }
    if text.starts_with("threatens") {
        let is_sure = || {
            all_moves(&then).iter().all(|reply| {
                let reply = after(&then, reply).unwrap();
                reply.result() == GameResult::Ongoing && !roads(&reply, mover).is_empty()
            })
        };
        let sure = text.contains("no answer stops");
        return (!roads(&then, mover).is_empty() && (!sure || is_sure())).then_some(1);
    }
    let board = || squares(game).into_iter().zip(squares(&then));
    let owner = |top: Top| top.map(|(_, owner)| owner);
    if text.starts_with("captures") {
        let taken = board().filter(|((_, top), (_, now))| owner(*top) == Some(!mover) && owner(*now) == Some(mover));
        let height =
            |(column, row): Place| game.board.get(TheirSquare::new(column as u8, row as u8)).unwrap().size() as i64;
        return taken.map(|((place, _), _)| height(place)).max();
    }
    if text.starts_with("flattens") {
        let is_wall = |((_, top), (_, now)): &((Place, Top), (Place, Top))| {
            matches!(top, Some((Piece::Wall, _))) && matches!(now, Some((Piece::Cap, _)))
        };
        return board().any(|pair| is_wall(&pair)).then_some(1);
    }
    let covered =
        board().filter(|((_, top), (_, now))| *top == Some((Piece::Flat, !mover)) && top != now && now.is_some());
    let uncovered = if mv.chars().count() > 3 || mv.contains(['+', '-', '<', '>']) {
        (flats(&then, mover) - flats(game, mover)).max(0)
    } else {
        0
    };
    Some(covered.count() as i64 + uncovered)
}

/// Returns whether a move of the player to move does at least as much as another move does elsewhere.
fn can_do<const N: usize>(game: &Their<N>, elsewhere: &Their<N>, mv: &str, text: &str) -> bool {
    let least = strength(elsewhere, mv, text).unwrap();
    all_moves(game).iter().any(|mv| strength(game, mv, text).is_some_and(|strength| strength >= least))
}

/// Returns whether this move wins against every answer with the next one at the latest.
fn wins_in_two<const N: usize>(game: &Their<N>, mv: &str) -> bool {
    let (player, then) = (game.to_move, after(game, mv).unwrap());
    let is_won = |game: &Their<N>| matches!(game.result(), GameResult::Winner { color, .. } if color == player);
    let wins = |game: &Their<N>| all_moves(game).iter().any(|mv| is_won(&after(game, mv).unwrap()));
    let answers = all_moves(&then);
    is_won(&then)
        || answers
            .iter()
            .map(|mv| after(&then, mv).unwrap())
            .all(|game| is_won(&game) || game.result() == GameResult::Ongoing && wins(&game))
}

fn at<'a, const N: usize>(game: &'a Their<N>, square: &str) -> &'a fast_tak::Stack {
    game.board.get(TheirSquare::from_str(square).unwrap()).unwrap()
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

type Seen = BTreeMap<&'static str, usize>;

fn check_positions<const N: usize>(seen: &mut Seen) {
    for seed in 0..cases(1) as u64 {
        for style in STYLES {
            random_game::<N>(seed, style, 60, |position, rng| {
                if position.outcome().is_some() {
                    return;
                }
                let any = AnyPosition::from_setup(&position.to_setup()).unwrap();
                let winning = position.winning_move(position.to_move()).filter(|_| position.ply() > 1);
                for mv in winning.into_iter().chain(position.legal_moves().sample(rng, 1).copied()) {
                    check_reasons::<N>(&Game::new(any.clone()), &line_of(&[mv]), None, seen);
                }
                let lines = [0; 2].map(|_| playout(&any, rng));
                check_mistake::<N>(&any, [&line_of(&lines[0]), &line_of(&lines[1])], seen);
            });
        }
    }
}

/// Some random moves.
fn playout(position: &AnyPosition, rng: &mut impl rand::Rng) -> Vec<Move> {
    let mut position = position.clone();
    let mut line = Vec::new();
    while line.len() < 6 && position.outcome().is_none() {
        let mv = *position.legal_moves().choose(rng).unwrap();
        position.play(mv).unwrap();
        line.push(mv);
    }
    line
}

fn line_of(pv: &[Move]) -> Line {
    Line { score: Score::DRAW, bound: None, solved: None, pv: pv.to_vec() }
}

fn texts(moves: &[Move]) -> Vec<String> {
    moves.iter().map(Move::to_string).collect()
}

/// Checks the reasons for a move.
fn check_reasons<const N: usize>(game: &Game, line: &Line, engine: Option<&mut Engine>, seen: &mut Seen) {
    check::<N>(game.position(), line.pv[0], [texts(&line.pv), Vec::new()], &reasons(game, line, engine), seen);
}

/// Checks the reasons why the first of two lines is worse.
fn check_mistake<const N: usize>(position: &AnyPosition, [played, better]: [&Line; 2], seen: &mut Seen) {
    let after = Line { pv: played.pv[1..].to_vec(), ..played.clone() };
    let found = mistake(position, played.pv[0], &after, better, None);
    check::<N>(position, played.pv[0], [texts(&played.pv), texts(&better.pv)], &found, seen);
}

fn check<const N: usize>(position: &AnyPosition, mv: Move, lines: [Vec<String>; 2], found: &[Reason], seen: &mut Seen) {
    let before = fast_tak_game::<N, 0>(&position.to_setup().position().unwrap());
    let mv = mv.to_string();
    let context = format!("{position} {mv} {lines:?}");
    assert!(found.len() <= 3, "{context}");
    let claim = Claim { after: after(&before, &mv).unwrap(), before: &before, mv, lines, context };
    for reason in found {
        assert!(reason.text.chars().count() <= Reason::MAX_CHARS, "{}", reason.text);
        claim.check(reason);
        *seen.entry(reason.kind).or_default() += 1;
    }
    *seen.entry(if found.is_empty() { "none" } else { "some" }).or_default() += 1;
    let is_named = |reason: &Reason| words(r".*[a-h][1-8].*", &reason.text).is_some();
    *seen.entry("named").or_default() += usize::from(found.iter().any(is_named));
}

#[test]
fn sentences_hold_by_other_rules() {
    let mut seen = BTreeMap::new();
    for_all_sizes!(check_positions(&mut seen));
    if are_many() {
        let kinds = [
            "road",
            "flats",
            "leaves-road",
            "threats",
            "stops-road",
            "threat",
            "flattens",
            "answer",
            "captures",
            "covers",
            "prepares",
            "expected-square",
            "filled",
            "expected-flats",
            "cuts",
            "last-piece",
            "squares-missing",
            "nears",
            "capstone",
            "joins",
            "hard-capstone",
            "piece",
            "race",
            "first-turn",
            "expected-answer",
        ];
        for kind in kinds {
            assert!(seen.get(kind).is_some_and(|&count| count > 10), "{kind}: {seen:?}");
        }
    }
    assert!(seen["some"] > 3 * seen["none"], "{seen:?}");
}

/// Sentences about the games of the PTN files in `GAMES`, and how many positions have some.
#[test]
#[ignore = "needs files of games in GAMES"]
fn sentences_about_games_hold_by_other_rules() {
    let files = std::env::var("GAMES").expect("names of files");
    let mut engine = Engine::new(Settings { hash_mib: 16, threads: 1, ..Settings::default() });
    let (mut best, mut mistakes) = (Seen::new(), Seen::new());
    for file in files.split_whitespace() {
        let text = std::fs::read_to_string(file).unwrap();
        for source in parse_games(&text) {
            let game = source.unwrap_or_else(|fault| panic!("{file}: {fault}")).game().unwrap();
            let mut played = Game::new(game.start().clone());
            for &mv in game.moves() {
                let check = match played.position().size().width() {
                    3 => check_played::<3>,
                    4 => check_played::<4>,
                    5 => check_played::<5>,
                    6 => check_played::<6>,
                    7 => check_played::<7>,
                    _ => check_played::<8>,
                };
                check(&mut engine, &played, mv, &mut best, &mut mistakes);
                played.play(mv).unwrap();
            }
        }
    }
    println!("best {best:?}\nmistakes {mistakes:?}");
    for seen in [best, mistakes] {
        let (some, none) = (seen["some"], seen.get("none").copied().unwrap_or(0));
        assert!(20 * some >= 19 * (some + none) && 5 * seen["named"] >= 3 * (some + none), "{seen:?}");
    }
}

/// Checks the reasons for the best move, and those against the move played if that is worse by the engine's judgement.
fn check_played<const N: usize>(engine: &mut Engine, game: &Game, mv: Move, best: &mut Seen, mistakes: &mut Seen) {
    let limits = || Limits::nodes(500);
    let line = engine.analyse(game, limits()).unwrap().lines[0].clone();
    check_reasons::<N>(game, &line, Some(engine), best);
    let mut next = game.clone();
    next.play(mv).unwrap();
    let after = engine.analyse(&next, limits()).unwrap().lines.first().cloned();
    let Some(after) = after.filter(|after| line.pv[0] != mv && -after.score < line.score) else { return };
    let played = Line { pv: [mv].into_iter().chain(after.pv.iter().copied()).collect(), ..after };
    check_mistake::<N>(game.position(), [&played, &line], mistakes);
}

/// The file of mistakes: the position, the move played, a better one, and the sentences.
const MISTAKES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/games/mistakes.tsv");

fn annotated(game: &Game, nodes: u64) -> AnnotatedGame {
    let mut engine = Engine::new(Settings { hash_mib: 16, threads: 1, ..Settings::default() });
    annotate(game, Limits::nodes(nodes), &mut engine).unwrap().unwrap()
}

fn is_mistake(ply: &AnnotatedPly) -> bool {
    matches!(ply.mark, Some(Mark::Mistake | Mark::Blunder))
}

/// The line of that file about a move, if it is a mistake.
fn mistake_line(position: &AnyPosition, mv: Move) -> Option<String> {
    let mut game = Game::new(position.clone());
    game.play(mv).unwrap();
    let annotated = annotated(&game, 20_000);
    let sentences: Vec<String> = reasons_of(&annotated, None).concat().into_iter().map(|reason| reason.text).collect();
    let ply = annotated.plies.first().filter(|ply| is_mistake(ply))?;
    Some(format!("{position}\t{mv}\t{}\t{}", ply.best[0], sentences.join(" ")))
}

/// `MISTAKES_OF=games.ptn` makes the file from some mistakes of each game, `UPDATE_EXAMPLES=1` its sentences anew.
#[test]
fn mistakes_of_real_games_are_explained_as_in_their_file() {
    if let Some(file) = std::env::var_os("MISTAKES_OF") {
        let mut lines = vec!["position\tplayed\tbetter\tsentences".to_owned()];
        for source in parse_games(&std::fs::read_to_string(file).unwrap()) {
            let game = source.unwrap().game().unwrap();
            let mut played = Game::new(game.start().clone());
            let mut found = Vec::new();
            for ply in annotated(&game, 1_000).plies {
                if ply.loss > 4.0 {
                    found.push((played.position().clone(), ply.mv));
                }
                played.play(ply.mv).unwrap();
            }
            let of_game = found.iter().filter_map(|(position, mv)| mistake_line(position, *mv));
            lines.extend(of_game.take(9));
        }
        std::fs::write(MISTAKES, lines.join("\n") + "\n").unwrap();
    }
    let file = std::fs::read_to_string(MISTAKES).unwrap();
    let explained = |line: &str| {
        let [position, mv, ..] = *line.split('\t').collect::<Vec<_>>() else { panic!("{line}") };
        mistake_line(&position.parse().unwrap(), mv.parse().unwrap())
    };
    if std::env::var_os("UPDATE_EXAMPLES").is_some() {
        let lines: Vec<String> = file.lines().skip(1).filter_map(explained).collect();
        let head = file.lines().next().unwrap();
        return std::fs::write(MISTAKES, format!("{head}\n{}\n", lines.join("\n"))).unwrap();
    }
    for line in file.lines().skip(1).step_by(step(25)) {
        assert_eq!(explained(line).as_deref(), Some(line));
    }
}

#[test]
fn the_player_who_reads_is_addressed() {
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
