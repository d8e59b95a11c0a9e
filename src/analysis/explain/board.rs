//! What the rules say about a position, on boards of any size. Nothing here is searched.

use std::collections::VecDeque;

use crate::board::{AnyPosition, Color, Direction, EndReason, Move, PieceKind, Size, Square};

/// The same position with this player to move; `None` in the first turns, in which a player places the opponent's piece,
/// and after the end of the game.
pub fn with_turn(position: &AnyPosition, color: Color) -> Option<AnyPosition> {
    if position.ply() < 2 || position.outcome().is_some() {
        return None;
    }
    if position.to_move() == color {
        return Some(position.clone());
    }
    let mut setup = position.to_setup();
    // A pass of Black begins the next move.
    setup.move_number += u32::from(color == Color::White);
    setup.to_move = color;
    AnyPosition::from_setup(&setup).ok()
}

/// The moves with which `color` would complete a road if it were to move.
pub fn roads_in_one(position: &AnyPosition, color: Color) -> Vec<Move> {
    if position.winning_move(color).is_none() {
        return Vec::new();
    }
    let Some(mut position) = with_turn(position, color) else { return Vec::new() };
    let mut moves = position.legal_moves();
    moves.retain(|&mv| {
        let undo = position.play_unchecked(mv);
        let wins = position
            .outcome()
            .is_some_and(|outcome| outcome.winner == Some(color) && outcome.reason == EndReason::Road);
        position.unplay(mv, undo);
        wins
    });
    moves
}

/// The moves after which the opponent has no road with the next move, and has not won.
pub fn stops(position: &AnyPosition) -> Vec<Move> {
    let (mover, mut position) = (position.to_move(), position.clone());
    let mut moves = position.legal_moves();
    moves.retain(|&mv| {
        let undo = position.play_unchecked(mv);
        let stops = match position.outcome() {
            Some(outcome) => outcome.winner == Some(mover),
            None => position.winning_move(!mover).is_none(),
        };
        position.unplay(mv, undo);
        stops
    });
    moves
}

/// Returns whether the player who has just moved completes a road next against every answer.
pub fn is_unstoppable(position: &AnyPosition) -> bool {
    let attacker = !position.to_move();
    let mut position = position.clone();
    position.legal_moves().into_iter().all(|mv| {
        let undo = position.play_unchecked(mv);
        let wins = position.outcome().is_none() && position.winning_move(attacker).is_some();
        position.unplay(mv, undo);
        wins
    })
}

/// White's lead in half flats, with komi.
pub fn half_lead(position: &AnyPosition) -> i32 {
    flat_lead(position) * 2 - position.komi().half()
}

/// The player who places the last piece if both only place flats, and White's lead in half flats then, with komi;
/// `None` unless that takes at most as many plies as the board is wide, or if flats could complete a road meanwhile.
pub fn filled(position: &AnyPosition) -> Option<(Color, i32)> {
    let mut empty = squares(position.size()).filter(|&square| position.top(square).is_none()).count();
    let (mut reserves, mut player, mut lead) = (position.reserves(), position.to_move(), half_lead(position));
    // How many flats each has placed.
    let mut placed = [0; 2];
    for _ in 0..position.size().width() {
        placed[player as usize] += 1;
        let reserve = &mut reserves[player];
        reserve.stones = reserve.stones.checked_sub(1)?;
        lead += if player == Color::White { 2 } else { -2 };
        empty -= 1;
        if empty == 0 || reserve.total() == 0 {
            let has_road = |color: Color| {
                missing_squares(position, color).is_some_and(|squares| squares.len() <= placed[color as usize])
            };
            return (!Color::ALL.into_iter().any(has_road)).then_some((player, lead));
        }
        player = !player;
    }
    None
}

/// White's flats on the board less Black's.
pub fn flat_lead(position: &AnyPosition) -> i32 {
    let [white, black] = Color::ALL.map(|color| position.flat_count(color).cast_signed());
    white - black
}

/// The fewest empty squares that `color` has to fill for a road, with all stacks as they stand, and those of one such
/// road; `None` if all roads are cut off.
pub fn missing_squares(position: &AnyPosition, color: Color) -> Option<Vec<Square>> {
    let roads = [false, true].map(|is_upward| missing_along(position, color, is_upward));
    roads.into_iter().flatten().min_by_key(Vec::len)
}

/// Returns whether a next move of a player brings it nearer to a road than a placement would, of the empty squares that
/// it needs: a spread leaves fewer of them, or the move threatens a road.
pub fn comes_nearer(position: &AnyPosition, color: Color, needed: usize) -> bool {
    let Some(mut position) = with_turn(position, color) else { return false };
    position.legal_moves().into_iter().any(|mv| {
        let undo = position.play_unchecked(mv);
        let left = missing_squares(&position, color).map_or(needed, |squares| squares.len());
        let is_threat = position.outcome().is_none() && position.winning_move(color).is_some();
        position.unplay(mv, undo);
        1 + if is_threat { left.min(1) } else { left } < needed
    })
}

/// The same for roads from west to east, or from south to north: a search in which road pieces cost nothing.
fn missing_along(position: &AnyPosition, color: Color, is_upward: bool) -> Option<Vec<Square>> {
    let size = position.size();
    let last = size.width() - 1;
    let cost = |square: Square| match position.top(square) {
        None => Some(1),
        Some((owner, kind)) => (owner == color && kind != PieceKind::Wall).then_some(0),
    };
    let along = |square: Square| if is_upward { square.row() } else { square.column() };
    let mut best = [u32::MAX; 64];
    let mut from: [Option<Square>; 64] = [None; 64];
    let mut queue = VecDeque::new();
    for square in squares(size).filter(|&square| along(square) == 0) {
        if let Some(cost) = cost(square) {
            best[square.index()] = cost;
            if cost == 0 { queue.push_front(square) } else { queue.push_back(square) }
        }
    }
    while let Some(square) = queue.pop_front() {
        for next in neighbours(square, size) {
            let Some(step) = cost(next) else { continue };
            let total = best[square.index()] + step;
            if total < best[next.index()] {
                (best[next.index()], from[next.index()]) = (total, Some(square));
                if step == 0 { queue.push_front(next) } else { queue.push_back(next) }
            }
        }
    }
    let ends = squares(size).filter(|&square| along(square) == last && best[square.index()] < u32::MAX);
    let end = ends.min_by_key(|square| best[square.index()])?;
    let road = std::iter::successors(Some(end), |square| from[square.index()]);
    Some(road.filter(|&square| position.top(square).is_none()).collect())
}

/// The groups of road pieces of `color` next to a square, each once: those that are connected without it are one.
pub fn groups_beside(position: &AnyPosition, color: Color, square: Square) -> Vec<Vec<Square>> {
    let starts = neighbours(square, position.size()).filter(|&at| is_road_piece(position, color, at));
    let mut groups: Vec<Vec<Square>> = Vec::new();
    for start in starts {
        if !groups.iter().any(|group| group.contains(&start)) {
            groups.push(connected(position, color, &[start], Some(square)));
        }
    }
    groups
}

/// Returns whether the player to move can connect two of these groups of its pieces with one move. A group stays one if
/// pieces leave it: those that moved are part of it.
pub fn can_join(position: &AnyPosition, groups: &[Vec<Square>]) -> bool {
    let (player, mut position) = (position.to_move(), position.clone());
    position.legal_moves().into_iter().any(|mv| {
        let undo = position.play_unchecked(mv);
        let grown = groups.iter().map(|group| {
            let moved = if mv.is_spread() && group.contains(&mv.square()) {
                mv.covered().into_iter().collect()
            } else {
                Vec::new()
            };
            let is_left = |at: &Square| is_road_piece(&position, player, *at);
            group.iter().copied().chain(moved).filter(is_left).collect::<Vec<_>>()
        });
        let grown: Vec<Vec<Square>> = grown.collect();
        let joins = grown.iter().enumerate().any(|(index, group)| {
            let reached = connected(&position, player, group, None);
            grown[..index].iter().flatten().any(|square| reached.contains(square))
        });
        position.unplay(mv, undo);
        joins
    })
}

/// The road pieces of `color` that are connected to these, without a square.
fn connected(position: &AnyPosition, color: Color, starts: &[Square], without: Option<Square>) -> Vec<Square> {
    let mut seen = [false; 64];
    let (mut open, mut found) = (starts.to_vec(), Vec::new());
    while let Some(at) = open.pop() {
        if !std::mem::replace(&mut seen[at.index()], true) {
            found.push(at);
            let next = neighbours(at, position.size());
            open.extend(next.filter(|&next| Some(next) != without && is_road_piece(position, color, next)));
        }
    }
    found
}

fn is_road_piece(position: &AnyPosition, color: Color, square: Square) -> bool {
    position.top(square).is_some_and(|(owner, kind)| owner == color && kind != PieceKind::Wall)
}

/// All squares, from a1.
pub fn squares(size: Size) -> impl Iterator<Item = Square> {
    let width = size.width();
    (0..width).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
}

/// The squares beside a square.
pub fn neighbours(square: Square, size: Size) -> impl Iterator<Item = Square> {
    let last = size.width() - 1;
    let is_inside = move |direction: &Direction| match direction {
        Direction::North => square.row() < last,
        Direction::South => square.row() > 0,
        Direction::East => square.column() < last,
        Direction::West => square.column() > 0,
    };
    Direction::ALL.into_iter().filter(is_inside).map(move |direction| square.step(direction, 1))
}
