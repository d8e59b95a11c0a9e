//! The rules of one game, as fast-tak has them, and moves of the protocol as PTN.

use fast_tak::takparse::{Color, GameResult, Move, MoveKind, Piece};
use fast_tak::{Game as FastGame, Reserves};

/// One game.
pub trait Referee: Send {
    /// Plays a move in PTN.
    fn play(&mut self, ptn: &str) -> Result<(), String>;
    /// Plays the first move as that of a double black stack.
    fn play_double(&mut self, ptn: &str) -> Result<(), String>;
    fn result(&self) -> Option<String>;
}

impl<const N: usize, const HALF_KOMI: i8> Referee for FastGame<N, HALF_KOMI> {
    fn play(&mut self, ptn: &str) -> Result<(), String> {
        // fast-tak also draws after fifty reversible plies.
        self.reversible_plies = 0;
        let mv = ptn.parse().map_err(|error| format!("{ptn}: {error:?}"))?;
        FastGame::play(self, mv).map_err(|error| format!("{ptn}: {error:?}"))
    }

    fn play_double(&mut self, ptn: &str) -> Result<(), String> {
        Referee::play(self, ptn)?;
        let mv: Move = ptn.parse().unwrap();
        assert!(matches!(mv.kind(), MoveKind::Place(Piece::Flat)));
        // fast-tak does not have this rule: a second flat of Black's.
        self.board.get_mut(mv.square()).unwrap().stack(Piece::Flat, Color::Black).unwrap();
        self.black_reserves.stones -= 1;
        Ok(())
    }

    fn result(&self) -> Option<String> {
        let result: Option<GameResult> = FastGame::result(self).try_into().ok();
        result.map(|result| result.to_string())
    }
}

/// Standard reserves.
pub fn referee(size: u64, half_komi: u64) -> Box<dyn Referee> {
    fn game<const N: usize, const HALF_KOMI: i8>() -> Box<dyn Referee>
    where
        Reserves<N>: Default,
    {
        Box::new(FastGame::<N, HALF_KOMI>::default())
    }
    match (size, half_komi) {
        (3, 0) => game::<3, 0>(),
        (4, 0) => game::<4, 0>(),
        (5, 0) => game::<5, 0>(),
        (5, 4) => game::<5, 4>(),
        (6, 4) => game::<6, 4>(),
        other => panic!("no referee for {other:?}"),
    }
}

/// A move of the protocol as PTN; `None` if it is invalid.
pub fn ptn(words: &[&str]) -> Option<String> {
    let square = |text: &str| text.to_lowercase();
    match words {
        ["P", at] => Some(square(at)),
        ["P", at, "C"] => Some(format!("C{}", square(at))),
        ["P", at, "W"] => Some(format!("S{}", square(at))),
        ["M", from, to, drops @ ..] => {
            let lifted: u32 = drops.iter().map(|drop| drop.parse::<u32>().unwrap()).sum();
            let (a, b) = (from.as_bytes(), to.as_bytes());
            let direction = match (a[0].cmp(&b[0]) as i8, a[1].cmp(&b[1]) as i8) {
                (0, -1) => '+',
                (0, 1) => '-',
                (-1, 0) => '>',
                (1, 0) => '<',
                _ => return None,
            };
            Some(format!("{lifted}{}{direction}{}", square(from), drops.concat()))
        }
        _ => None,
    }
}
