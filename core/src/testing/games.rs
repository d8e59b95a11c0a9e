//! Games of all kinds to search: random games and random boards, with any komi and reserves, nearly full boards, tall
//! stacks, last pieces, and repetitions.

use rand::RngExt;
use rand::rngs::StdRng;
use rand::seq::IndexedRandom;

use super::fast_rules::MAX_HEIGHT;
use super::playout::{STYLES, choose};
use crate::board::{
    Bitboard, ByColor, Color, Direction, Komi, Move, MoveKind, OpeningRule, Pattern, PieceKind, Position, Reserve,
    Setup, SetupStack, Square,
};

/// A game up to the position to search.
pub struct Sample {
    /// The start.
    pub setup: Setup,
    /// Its moves.
    pub moves: Vec<Move>,
    /// The number of last plies to search as well, one after the other.
    pub looks: usize,
}

/// A game that is not over, with stacks low enough for fast-tak in the next plies too.
pub fn sample<const N: usize>(rng: &mut StdRng) -> Sample {
    loop {
        let mut setup = Setup::empty(Position::<N>::SIZE, random_komi(rng));
        let mut moves = Vec::new();
        let mut looks = rng.random_range(1..=3);
        if rng.random_bool(0.5) {
            setup.reserves = random_reserves(rng, setup.reserves);
            if rng.random_bool(0.3) {
                setup.opening = *OpeningRule::ALL.choose(rng).unwrap();
            }
            moves = random_moves::<N>(rng, &setup);
        } else {
            throw_together::<N>(rng, &mut setup);
        }
        let Some(mut position) = replay::<N>(&setup, &moves) else {
            continue;
        };
        // Most positions have a win in one, which tests little.
        let at_hand = position.winning_move(position.to_move()).is_some();
        if at_hand && rng.random_bool(0.9) {
            continue;
        }
        if rng.random_bool(0.3) {
            let shuffled = shuffle(rng, &mut position, &mut moves);
            if shuffled {
                looks = rng.random_range(1..=6);
            }
        }
        let tallest = (0..64).map(|index| position.height(Square::from_index(index)));
        if position.outcome().is_none() && tallest.max().unwrap_or(0) <= MAX_HEIGHT - 5 * N / 2 {
            looks = looks.min(moves.len() + 1);
            return Sample { setup, moves, looks };
        }
    }
}

fn random_komi(rng: &mut StdRng) -> Komi {
    let half = match rng.random_range(0..4) {
        0 => 0,
        1 => rng.random_range(-4..=4),
        2 => 4,
        _ => rng.random_range(Komi::MIN_HALF..=Komi::MAX_HALF),
    };
    Komi::from_half(half).unwrap()
}

fn random_reserves(rng: &mut StdRng, standard: ByColor<Reserve>) -> ByColor<Reserve> {
    if rng.random_bool(0.5) {
        return standard;
    }
    let most = if rng.random_bool(0.5) { 15 } else { 60 };
    ByColor(
        [(); 2].map(|()| Reserve { stones: rng.random_range(1..=most), caps: rng.random_range(0..=Reserve::MAX_CAPS) }),
    )
}

/// A game of one style. Most styles avoid ending it, so that boards fill up and reserves run low.
fn random_moves<const N: usize>(rng: &mut StdRng, setup: &Setup) -> Vec<Move> {
    let mut position: Position<N> = setup.position().unwrap();
    let style = *STYLES.choose(rng).unwrap();
    let tries = if rng.random_bool(0.7) { 20 } else { 1 };
    let plies = rng.random_range(0..3 * N * N);
    let mut moves = Vec::new();
    while moves.len() < plies {
        let goes_on = |mv: &Move| {
            let mut after = position.clone();
            after.play_unchecked(*mv);
            after.outcome().is_none()
        };
        let mut next = (0..tries).map(|_| choose(&mut position.clone(), style, rng));
        let Some(mv) = next.find(goes_on) else { break };
        position.play_unchecked(mv);
        moves.push(mv);
    }
    moves
}

/// The position after `moves`, `None` if the game ended before.
fn replay<const N: usize>(setup: &Setup, moves: &[Move]) -> Option<Position<N>> {
    let mut position: Position<N> = setup.position().ok()?;
    for &mv in moves {
        if position.outcome().is_some() {
            return None;
        }
        position.play_unchecked(mv);
    }
    Some(position)
}

/// Stacks on nearly all squares, or on some, as high as the stones allow.
fn throw_together<const N: usize>(rng: &mut StdRng, setup: &mut Setup) {
    setup.reserves = ByColor([Reserve { stones: 60, caps: 2 }; 2]);
    // In the first turns a placement may complete the opponent's road.
    setup.move_number = if rng.random_bool(0.1) { 1 } else { rng.random_range(2..=60) };
    setup.to_move = Color::from_bit(rng.random_range(0..2));
    let mut left = setup.reserves;
    let gaps = match rng.random_range(0..4) {
        0 => rng.random_range(1..N * N),
        _ => rng.random_range(1..=N),
    };
    let mut squares: Vec<Square> = Bitboard::board::<N>().into_iter().collect();
    // A spread can fill gaps in a line.
    if rng.random_bool(0.5) {
        let start = rng.random_range(0..N * N);
        let step = if rng.random_bool(0.5) { 1 } else { N };
        let line: Vec<Square> = (0..gaps).filter_map(|place| squares.get(start + place * step).copied()).collect();
        squares.retain(|square| !line.contains(square));
    } else {
        for _ in 0..gaps {
            squares.swap_remove(rng.random_range(0..squares.len()));
        }
    }
    let white_share = rng.random_range(0.3..0.7);
    let tall_share = rng.random_range(0.0..0.6);
    let wall_share = rng.random_range(0.05..0.4);
    for square in squares {
        let height = if rng.random_bool(tall_share) { rng.random_range(2..=N + 2) } else { 1 };
        let mut colors = Vec::new();
        for _ in 0..height {
            let color = Color::from_bit(u8::from(!rng.random_bool(white_share)));
            // One stone stays, so that the game is not over.
            if left[color].stones > 1 {
                left[color].stones -= 1;
                colors.push(color);
            }
        }
        let Some(&owner) = colors.last() else {
            continue;
        };
        let top = match rng.random_bool(wall_share) {
            true if left[owner].caps > 0 && rng.random_bool(0.3) => PieceKind::Cap,
            true => PieceKind::Wall,
            false => PieceKind::Flat,
        };
        if top == PieceKind::Cap {
            left[owner].caps -= 1;
            left[owner].stones += 1;
        }
        setup.stacks.push(SetupStack { square, colors, top });
    }
    // Few pieces left, or many.
    for color in Color::ALL {
        let spare = left[color].stones - 1;
        let taken = match rng.random_range(0..3) {
            0 => spare,
            1 => spare - rng.random_range(0..=spare.min(3)),
            _ => 0,
        };
        setup.reserves[color].stones -= taken;
        let caps = rng.random_range(0..=left[color].caps);
        setup.reserves[color].caps -= caps;
    }
}

/// Both players move a piece back and forth, once or more, and stop anywhere in between. False if neither can.
fn shuffle<const N: usize>(rng: &mut StdRng, position: &mut Position<N>, moves: &mut Vec<Move>) -> bool {
    if position.outcome().is_some() || position.is_opening() {
        return false;
    }
    let Some(cycle) = (0..200).find_map(|_| cycle(rng, &mut position.clone())) else {
        return false;
    };
    let plies = rng.random_range(2..=11);
    for &mv in cycle.iter().cycle().take(plies) {
        position.play_unchecked(mv);
        moves.push(mv);
    }
    true
}

/// Four spreads that lead back to the position.
fn cycle<const N: usize>(rng: &mut StdRng, position: &mut Position<N>) -> Option<[Move; 4]> {
    let start = position.hash();
    let mut there = [None; 2];
    for mv in &mut there {
        let mut moves = Vec::new();
        position.spreads(&mut moves);
        moves.retain(|mv| back(*mv).is_some());
        let chosen = *moves.choose(rng)?;
        position.play_unchecked(chosen);
        if position.outcome().is_some() {
            return None;
        }
        *mv = Some(chosen);
    }
    let [first, second] = [there[0]?, there[1]?];
    let [third, fourth] = [back(first)?, back(second)?];
    for mv in [third, fourth] {
        if !position.is_pseudo_legal(mv) {
            return None;
        }
        position.play_unchecked(mv);
        if position.outcome().is_some() {
            return None;
        }
    }
    (position.hash() == start).then_some([first, second, third, fourth])
}

/// The reverse of a spread over one square.
fn back(mv: Move) -> Option<Move> {
    match mv.kind() {
        MoveKind::Spread(direction, pattern) if pattern.squares() == 1 => {
            let opposite = match direction {
                Direction::North => Direction::South,
                Direction::South => Direction::North,
                Direction::East => Direction::West,
                Direction::West => Direction::East,
            };
            let all = Pattern::from_drops(&[pattern.lifted() as u8])?;
            Some(Move::spread(mv.square().step(direction, 1), opposite, all))
        }
        _ => None,
    }
}
