//! Seeded random games and boards.

use rand::rngs::StdRng;
use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};

use crate::board::{
    AnyPosition, Bitboard, ByColor, Color, Game, Komi, Move, MoveKind, OpeningRule, PieceKind, Position, Reserve,
    Setup, SetupError, SetupStack, Size, Square,
};

/// The way in which random moves are chosen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// All legal moves with equal probability.
    Uniform,
    /// Mostly placements, so that roads and full boards come soon.
    Placements,
    /// Mostly spreads; moves that end the game only if no other is found.
    Spreads,
    /// Mostly whole stacks onto the highest reachable stack; avoids ending the game likewise.
    Towers,
}

/// All of them.
pub const STYLES: [Style; 4] = [Style::Uniform, Style::Placements, Style::Spreads, Style::Towers];

/// Plays one random game of at most `plies` plies and shows every position, including the last one.
pub fn random_game<const N: usize>(
    seed: u64,
    style: Style,
    plies: u32,
    mut visit: impl FnMut(&mut Position<N>, &mut StdRng),
) {
    let mut rng = StdRng::seed_from_u64(seed);
    let mut position = Position::<N>::start(Komi::ZERO);
    for _ in 0..plies {
        visit(&mut position, &mut rng);
        if position.outcome().is_some() {
            return;
        }
        let mv = choose(&mut position, style, &mut rng);
        position.play_unchecked(mv);
    }
    visit(&mut position, &mut rng);
}

/// A move of the given style; the game must not be over.
pub fn choose<const N: usize>(position: &mut Position<N>, style: Style, rng: &mut StdRng) -> Move {
    let moves = position.legal_moves();
    if style == Style::Uniform {
        return *moves.choose(rng).expect("an unfinished game has moves");
    }
    if style == Style::Placements {
        let placements: Vec<Move> = moves.iter().copied().filter(|mv| !mv.is_spread()).collect();
        let list = if rng.random_bool(0.9) && !placements.is_empty() { &placements } else { &moves };
        return *list.choose(rng).expect("an unfinished game has moves");
    }
    let spreads: Vec<Move> = moves.iter().copied().filter(|mv| mv.is_spread()).collect();
    for _ in 0..20 {
        let mv = if spreads.is_empty() || rng.random_bool(0.3) {
            *moves.choose(rng).expect("an unfinished game has moves")
        } else if style == Style::Towers {
            let candidates: Vec<Move> = spreads.sample(rng, 8).copied().collect();
            let tower = |mv: &Move| match mv.kind() {
                MoveKind::Spread(_, pattern) if pattern.squares() == 1 => {
                    pattern.lifted() as usize + position.height(mv.target())
                }
                _ => 0,
            };
            *candidates.iter().max_by_key(|mv| tower(mv)).expect("eight or all")
        } else {
            *spreads.choose(rng).expect("not empty")
        };
        let undo = position.play_unchecked(mv);
        let goes_on = position.outcome().is_none();
        position.unplay(mv, undo);
        if goes_on {
            return mv;
        }
    }
    *moves.choose(rng).expect("an unfinished game has moves")
}

/// A game of uniformly random moves with up to two flats of komi, `plies` long unless it ends before.
pub fn game_of(size: Size, plies: u32, seed: u64) -> Game {
    let mut rng = StdRng::seed_from_u64(seed);
    let komi = Komi::from_half(rng.random_range(0..=4)).unwrap();
    let mut game = Game::new(AnyPosition::start(size, komi));
    for _ in 0..plies {
        let moves = game.position().legal_moves();
        let Some(&mv) = moves.choose(&mut rng) else {
            break;
        };
        game.play(mv).unwrap();
    }
    game
}

/// A random board with many nearly finished roads, which random games rarely reach on large boards. One in four is
/// nearly full. `None` if the game is over.
pub fn random_board<const N: usize>(rng: &mut StdRng) -> Option<Position<N>> {
    let mut setup = Setup::empty(Position::<N>::SIZE, Komi::ZERO);
    setup.reserves = ByColor([Reserve { stones: 60, caps: 2 }; 2]);
    setup.move_number = 40;
    setup.to_move = Color::from_bit(rng.random());
    let mut left = setup.reserves;
    let white_share = rng.random_range(0.3..0.7);
    let density = rng.random_range(0.4..0.9);
    let mut squares: Vec<Square> = Bitboard::board::<N>().into_iter().collect();
    squares.shuffle(rng);
    let is_full = rng.random_bool(0.25);
    if is_full {
        squares.truncate(N * N - rng.random_range(1..=3));
    }
    // With many stacks there are not enough stones for large boards.
    let tall = if is_full && N > 5 { 0.1 } else { 0.3 };
    for square in squares {
        if !is_full && !rng.random_bool(density) {
            continue;
        }
        let height = if rng.random_bool(tall) { rng.random_range(2..9) } else { 1 };
        let mut colors = Vec::new();
        for _ in 0..height {
            let color = if rng.random_bool(white_share) { Color::White } else { Color::Black };
            // One stone stays, so that the game is not over.
            if left[color].stones > 1 {
                left[color].stones -= 1;
                colors.push(color);
            }
        }
        let Some(&owner) = colors.last() else {
            continue;
        };
        let top = match rng.random_range(0..20) {
            0..=2 => PieceKind::Wall,
            3 if left[owner].caps > 0 => PieceKind::Cap,
            _ => PieceKind::Flat,
        };
        if top == PieceKind::Cap {
            left[owner].caps -= 1;
            left[owner].stones += 1;
        }
        setup.stacks.push(SetupStack { square, colors, top });
    }
    let position: Position<N> = setup.position().unwrap();
    position.outcome().is_none().then_some(position)
}

/// Any board, from none to all squares, of one colour or both, with any rule and settings in one of the first moves.
/// Often nearly all pieces are on the board. `None` if the rule and the board exclude each other.
pub fn random_setup<const N: usize>(komi: Komi, rng: &mut StdRng) -> Option<Setup> {
    let mut setup = Setup::empty(Position::<N>::SIZE, komi);
    setup.move_number = *[1, 1, 1, 2, 3].choose(rng).unwrap();
    setup.to_move = Color::from_bit(rng.random());
    let opening = *OpeningRule::ALL.choose(rng).unwrap();
    let white_share = *[0.0, 0.1, 0.5, 0.5, 0.5, 0.9, 1.0].choose(rng).unwrap();
    let tall = *[0.0, 0.1, 0.4].choose(rng).unwrap();
    let highest = *[3, 9, 30, 121].choose(rng).unwrap();
    let mut squares: Vec<_> = Bitboard::board::<N>().into_iter().collect();
    squares.shuffle(rng);
    squares.truncate(*[0, 1, 2, N, N * N / 2, N * N - 2, N * N - 1].choose(rng).unwrap());
    let mut placed = ByColor([Reserve { stones: 0, caps: 0 }; 2]);
    for square in squares {
        let height = if rng.random_bool(tall) { rng.random_range(2..=highest) } else { 1 };
        let mut colors = Vec::new();
        for _ in 0..height {
            let color = if rng.random_bool(white_share) { Color::White } else { Color::Black };
            if placed[color].stones < Reserve::MAX_STONES {
                placed[color].stones += 1;
                colors.push(color);
            }
        }
        let Some(&owner) = colors.last() else { continue };
        let top = *[PieceKind::Flat, PieceKind::Flat, PieceKind::Wall, PieceKind::Cap].choose(rng).unwrap();
        let is_cap = top == PieceKind::Cap && placed[owner].caps < Reserve::MAX_CAPS;
        if is_cap {
            placed[owner].caps += 1;
            placed[owner].stones -= 1;
        }
        let top = if is_cap || top == PieceKind::Wall { top } else { PieceKind::Flat };
        setup.stacks.push(SetupStack { square, colors, top });
    }
    setup.stacks.sort_by_key(|stack| stack.square);
    let few = rng.random_bool(0.7);
    for color in Color::ALL {
        let Reserve { stones, caps } = placed[color];
        let left = if few { rng.random_range(0..=2) } else { rng.random_range(0..=Reserve::MAX_STONES) };
        setup.reserves[color] = Reserve {
            stones: (stones + left).clamp(1, Reserve::MAX_STONES),
            caps: rng.random_range(caps..=Reserve::MAX_CAPS),
        };
    }
    setup.opening = if rng.random() { opening } else { setup.opening_or(opening) };
    match setup.position::<N>() {
        Ok(_) => Some(setup),
        Err(error) => {
            assert!(matches!(error, SetupError::Opening { .. }), "{setup}: {error}");
            None
        }
    }
}

/// Calls a generic test function for every board size.
#[macro_export]
macro_rules! for_all_sizes {
    ($function:ident($($argument:expr),*)) => {
        $function::<3>($($argument),*);
        $function::<4>($($argument),*);
        $function::<5>($($argument),*);
        $function::<6>($($argument),*);
        $function::<7>($($argument),*);
        $function::<8>($($argument),*);
    };
}
