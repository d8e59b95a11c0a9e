//! Games, roads and counts by the rules of fast-tak.

use std::collections::BTreeSet;
use std::str::FromStr;

use fast_tak::GameResult;
use fast_tak::takparse::{self, Color as TheirColor, Move as TheirMove, Piece, Square as TheirSquare};

pub type Their<const N: usize> = fast_tak::Game<N, 0>;
pub type Place = (usize, usize);
pub type Top = Option<(Piece, TheirColor)>;

pub fn after<const N: usize>(game: &Their<N>, mv: &str) -> Option<Their<N>> {
    let mut game = game.clone();
    game.play(TheirMove::from_str(mv).ok()?).ok()?;
    Some(game)
}

fn possible<const N: usize>(game: &Their<N>) -> Vec<TheirMove> {
    let mut moves = Vec::new();
    game.possible_moves(&mut moves);
    moves
}

fn played<const N: usize>(game: &Their<N>, mv: TheirMove) -> Their<N> {
    let mut game = game.clone();
    game.play(mv).unwrap();
    game
}

/// The games after each move.
pub fn answers<const N: usize>(game: &Their<N>) -> impl Iterator<Item = Their<N>> {
    possible(game).into_iter().map(|mv| played(game, mv))
}

pub fn all_moves<const N: usize>(game: &Their<N>) -> Vec<String> {
    possible(game).iter().map(ToString::to_string).collect()
}

pub fn is_road_of<const N: usize>(game: &Their<N>, winner: TheirColor) -> bool {
    let result: Option<takparse::GameResult> = game.result().try_into().ok();
    let road = if winner == TheirColor::White { "R-0" } else { "0-R" };
    result.is_some_and(|result| result.to_string() == road)
}

/// The game with this player to move.
pub fn turned<const N: usize>(game: &Their<N>, player: TheirColor) -> Their<N> {
    let mut game = game.clone();
    if game.to_move != player {
        (game.to_move, game.ply) = (player, game.ply + 1);
    }
    game
}

/// The moves that complete a road for a player who is to move.
pub fn roads<const N: usize>(game: &Their<N>, player: TheirColor) -> Vec<String> {
    let game = turned(game, player);
    possible(&game).into_iter().filter(|&mv| is_road_of(&played(&game, mv), player)).map(|mv| mv.to_string()).collect()
}

pub fn flats<const N: usize>(game: &Their<N>, player: TheirColor) -> i64 {
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

pub fn are_beside((column, row): (usize, usize), (other, line): (usize, usize)) -> bool {
    column.abs_diff(other) + row.abs_diff(line) == 1
}

/// The empty squares on the cheapest road: distances that are lowered until nothing changes.
pub fn missing<const N: usize>(game: &Their<N>, player: TheirColor) -> Option<usize> {
    missing_with(game, player, &[])
}

/// The same with flats of the player on some empty squares.
pub fn missing_with<const N: usize>(game: &Their<N>, player: TheirColor, filled: &[&str]) -> Option<usize> {
    let mut board = squares(game);
    for (place, top) in &mut board {
        let name = format!("{}{}", char::from(b'a' + place.0 as u8), place.1 + 1);
        if top.is_none() && filled.contains(&&*name) {
            *top = Some((Piece::Flat, player));
        }
    }
    let cost = |top: Option<(Piece, TheirColor)>| match top {
        None => Some(1),
        Some((Piece::Wall, _)) => None,
        Some((_, owner)) => (owner == player).then_some(0),
    };
    let across = |is_row: bool| {
        let along = |(column, row): (usize, usize)| if is_row { row } else { column };
        let mut total: Vec<Option<usize>> =
            board.iter().map(|&(at, top)| if along(at) == 0 { cost(top) } else { None }).collect();
        loop {
            let before = total.clone();
            for (index, &((column, row), top)) in board.iter().enumerate() {
                let Some(cost) = cost(top) else { continue };
                // The squares stand column by column.
                let beside = [
                    (column > 0).then(|| index - N),
                    (column + 1 < N).then_some(index + N),
                    (row > 0).then(|| index - 1),
                    (row + 1 < N).then_some(index + 1),
                ];
                let best =
                    beside.into_iter().flatten().filter_map(|other| total[other]).min().map(|least| least + cost);
                total[index] = [total[index], best].into_iter().flatten().min();
            }
            if total == before {
                break;
            }
        }
        let ends = board.iter().zip(&total).filter(|((at, _), _)| along(*at) == N - 1);
        ends.filter_map(|(_, total)| *total).min()
    };
    [across(false), across(true)].into_iter().flatten().min()
}

/// Returns whether a next move of a player leaves more than one empty square fewer than it needs now, or threatens a road
/// although it needs more than two.
pub fn comes_nearer<const N: usize>(game: &Their<N>, player: TheirColor) -> bool {
    let needed = missing(game, player).unwrap();
    let game = turned(game, player);
    answers(&game).any(|then| {
        let is_threat = || then.result() == GameResult::Ongoing && !roads(&then, player).is_empty();
        missing(&then, player).is_some_and(|left| left + 1 < needed) || needed > 2 && is_threat()
    })
}

/// How many flats each player places if both only place flats, that of `player` first.
fn placed<const N: usize>(game: &Their<N>, player: TheirColor) -> [i64; 2] {
    let pieces = |color| {
        let reserves = if color == TheirColor::White { game.white_reserves } else { game.black_reserves };
        i64::from(reserves.stones) + i64::from(reserves.caps)
    };
    let empty = squares(game).iter().filter(|(_, top)| top.is_none()).count() as i64;
    let mover = game.to_move;
    let plies = empty.min(2 * pieces(mover) - 1).min(2 * pieces(!mover));
    [player, !player].map(|color| if color == mover { (plies + 1) / 2 } else { plies / 2 })
}

/// If both only place flats: the player who places the last one, and the lead of `player`, without komi.
pub fn filled<const N: usize>(game: &Their<N>, player: TheirColor) -> (TheirColor, i64) {
    let [own, enemy] = placed(game, player);
    let (mover, plies) = (game.to_move, own + enemy);
    let lead = flats(game, player) + own - flats(game, !player) - enemy;
    (if plies % 2 == 1 { mover } else { !mover }, lead)
}

/// Returns whether so many flats are enough for a road of either player.
pub fn fills_a_road<const N: usize>(game: &Their<N>) -> bool {
    let players = [TheirColor::White, TheirColor::Black];
    players.into_iter().any(|color| missing(game, color).is_some_and(|least| least as i64 <= placed(game, color)[0]))
}

/// Returns whether a player has a capstone, on top of a stack or in reserve.
pub fn has_capstone<const N: usize>(game: &Their<N>, player: TheirColor) -> bool {
    let reserves = if player == TheirColor::White { game.white_reserves } else { game.black_reserves };
    reserves.caps > 0 || squares(game).iter().any(|(_, top)| *top == Some((Piece::Cap, player)))
}

/// Returns whether this move wins against every answer with the next one at the latest.
pub fn wins_in_two<const N: usize>(game: &Their<N>, mv: &str) -> bool {
    let (player, then) = (game.to_move, after(game, mv).unwrap());
    let is_won = |game: &Their<N>| matches!(game.result(), GameResult::Winner { color, .. } if color == player);
    let wins = |game: &Their<N>| answers(game).any(|game| is_won(&game));
    is_won(&then) || answers(&then).all(|game| is_won(&game) || game.result() == GameResult::Ongoing && wins(&game))
}

pub fn at<'a, const N: usize>(game: &'a Their<N>, square: &str) -> &'a fast_tak::Stack {
    game.board.get(TheirSquare::from_str(square).unwrap()).unwrap()
}

/// The groups of a player's road pieces: neighbours with the same number are connected.
fn groups<const N: usize>(game: &Their<N>, player: TheirColor) -> Vec<(Place, usize)> {
    let is_road = |top: Top| top.is_some_and(|(piece, owner)| owner == player && piece != Piece::Wall);
    let mut groups: Vec<(Place, usize)> = Vec::new();
    for (place, _) in squares(game).into_iter().filter(|&(_, top)| is_road(top)) {
        let number = groups.len();
        let joined: Vec<usize> =
            groups.iter().filter(|(other, _)| are_beside(place, *other)).map(|&(_, group)| group).collect();
        groups.push((place, number));
        groups.iter_mut().filter(|(_, group)| joined.contains(group)).for_each(|(_, group)| *group = number);
    }
    groups
}

/// The numbers of the groups next to a square.
fn numbers_beside(groups: &[(Place, usize)], square: &str) -> BTreeSet<usize> {
    let at = (usize::from(square.as_bytes()[0] - b'a'), usize::from(square.as_bytes()[1] - b'1'));
    groups.iter().filter(|(place, _)| are_beside(*place, at)).map(|&(_, group)| group).collect()
}

pub fn groups_beside<const N: usize>(game: &Their<N>, square: &str, player: TheirColor) -> usize {
    numbers_beside(&groups(game, player), square).len()
}

/// Returns whether the player to move can connect two of its groups next to a square with one move.
pub fn can_join<const N: usize>(game: &Their<N>, square: &str) -> bool {
    let (player, mut before) = (game.to_move, groups(game, game.to_move));
    let beside = numbers_beside(&before, square);
    before.retain(|(_, group)| beside.contains(group));
    answers(game).any(|then| {
        let then = groups(&then, player);
        let number = |place: Place| then.iter().find(|(other, _)| *other == place).map(|&(_, group)| group);
        let left: Vec<(usize, usize)> =
            before.iter().filter_map(|&(place, group)| Some((group, number(place)?))).collect();
        left.iter().any(|one| left.iter().any(|other| one.0 != other.0 && one.1 == other.1))
    })
}
