//! Opening lines that the bot plays without a search.

use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::path::Path;

use rand::SeedableRng;
use rand::prelude::IndexedRandom;
use rand::rngs::Xoshiro256PlusPlus;

use tak_engine::board::{AnyPosition, ByColor, Game, Komi, Move, OpeningRule, Reserve, Size};
use tak_engine::notation::{canonical_tps, counted};
use tak_engine::openings::{BookError, BookLine, load_lines};

/// Lines of play. A move is in the book if it leads to a position of a line, also rotated or mirrored.
#[derive(Debug, Clone, Default)]
pub struct Book {
    /// The number of lines for each size.
    lines: BTreeMap<Size, usize>,
    /// The number of lines with each position. Lines without a komi are for every komi.
    positions: HashMap<(Option<Komi>, String), u64>,
    /// The plies of the longest line.
    longest: u32,
}

impl Book {
    /// Reads opening lines in any format of opening suites. `size` is that of move lists, which do not name it.
    pub fn load(path: &Path, size: Option<Size>) -> Result<Self, BookError> {
        Ok(Self::new(&load_lines(path, size)?))
    }

    pub fn new(lines: &[BookLine]) -> Self {
        let mut book = Self::default();
        for line in lines {
            book.add(line);
        }
        book
    }

    fn add(&mut self, line: &BookLine) {
        // The server does not have this rule. The boards of the other two differ from the first move on.
        if line.start.move_number == 1 && line.start.opening == OpeningRule::NoSwap {
            return;
        }
        let Ok(mut position) = AnyPosition::from_setup(&line.start) else {
            return;
        };
        *self.lines.entry(line.start.size).or_default() += 1;
        self.count(line.komi, &position);
        for &mv in &line.moves {
            if position.play(mv).is_err() {
                return;
            }
            self.count(line.komi, &position);
        }
    }

    fn count(&mut self, komi: Option<Komi>, position: &AnyPosition) {
        let key = (komi, canonical_tps(&position.to_setup()));
        *self.positions.entry(key).or_default() += 1;
        self.longest = self.longest.max(position.ply());
    }

    /// The move to play in `game`, if there is one, chosen at random in proportion to its lines. The same `seed` and
    /// game give the same move.
    pub fn choose(&self, game: &Game, seed: u64) -> Option<Move> {
        let position = game.position();
        let size = position.size();
        let standard = ByColor([Reserve::standard(size); 2]);
        if position.ply() >= self.longest
            || !self.lines.contains_key(&size)
            || game.start().to_setup().reserves != standard
        {
            return None;
        }
        let mut choices: Vec<(Move, String, u64)> = Vec::new();
        for mv in position.legal_moves() {
            let mut after = position.clone();
            after.play_unchecked(mv);
            let key = canonical_tps(&after.to_setup());
            // Moves that are equal by symmetry count as one.
            if choices.iter().any(|(_, known, _)| *known == key) {
                continue;
            }
            let (any, own) = ((None, key.clone()), (Some(position.komi()), key));
            let count = |key| self.positions.get(key).copied().unwrap_or_default();
            let lines = count(&any) + count(&own);
            if lines > 0 {
                choices.push((mv, any.1, lines));
            }
        }
        // A different seed for each move of each game.
        let seed = seed.rotate_left(32) ^ u64::from(position.ply());
        let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
        let chosen = choices.choose_weighted(&mut random, |(_, _, lines)| *lines);
        chosen.ok().map(|(mv, ..)| *mv)
    }
}

impl fmt::Display for Book {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.lines.is_empty() {
            return f.write_str("no line can be used");
        }
        for (index, (size, lines)) in self.lines.iter().enumerate() {
            let comma = if index > 0 { ", " } else { "" };
            let lines = counted(*lines as u64, "line", "lines");
            write!(f, "{comma}{lines} for {size}x{size}")?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;
    use tak_engine::board::{Setup, Symmetry};
    use tak_engine::openings::parse_lines;

    fn book(text: &str) -> Book {
        Book::new(&parse_lines(text, Some(Size::ALL[2])).unwrap())
    }

    fn game(size: Size, half_komi: i64, moves: &[&str]) -> Game {
        let komi = Komi::from_half(half_komi).unwrap();
        let mut game = Game::new(AnyPosition::start(size, komi));
        for mv in moves {
            game.play(mv.parse().unwrap()).unwrap();
        }
        game
    }

    fn five(moves: &[&str]) -> Game {
        game(Size::ALL[2], 0, moves)
    }

    /// The moves chosen by any seed.
    fn choices(book: &Book, game: &Game) -> HashSet<String> {
        let seeds = 0..50;
        let moves = seeds.filter_map(|seed| book.choose(game, seed));
        moves.map(|mv| mv.to_string()).collect()
    }

    #[test]
    fn lines_are_followed_to_their_end() {
        let book = book("a1 e5 c3 c4 c3+\na1 e5 Sb2");
        let all = |texts: &[&str]| texts.iter().map(|&text| text.to_owned()).collect();
        assert_eq!(choices(&book, &five(&[])), all(&["a1"]));
        assert_eq!(choices(&book, &five(&["a1"])), all(&["e5"]));
        assert_eq!(choices(&book, &five(&["a1", "e5"])), all(&["c3", "Sb2"]));
        let after = five(&["a1", "e5", "c3"]);
        // The board is the same when mirrored at the diagonal.
        let next: HashSet<String> = choices(&book, &after);
        assert!(next == all(&["c4"]) || next == all(&["d3"]), "{next:?}");
        let last = five(&["a1", "e5", "c3", "c4"]);
        assert_eq!(choices(&book, &last), all(&["c3+"]));
        for left in [&["a1", "e5", "c3", "c4", "c3+"][..], &["a1", "e5", "Sb2"], &["a1", "e4"], &["a1", "e5", "Sc3"]] {
            assert_eq!(book.choose(&five(left), 1), None, "{left:?}");
        }
    }

    #[test]
    fn lines_match_rotated_and_mirrored() {
        let line = ["a1", "e4", "d2", "b3", "d2<"];
        let book = book(&line.join(" "));
        let size = Size::ALL[2];
        for symmetry in Symmetry::ALL {
            let mut game = five(&[]);
            for mv in line {
                // The first moves are equal in several directions; that of the book leads to the same position in one.
                let chosen = book.choose(&game, 7).unwrap();
                let mut by_book = game.position().clone();
                by_book.play(chosen).unwrap();
                game.play(symmetry.mv(mv.parse().unwrap(), size)).unwrap();
                let [a, b] = [&by_book, game.position()].map(|at| canonical_tps(&at.to_setup()));
                assert_eq!(a, b);
            }
        }
    }

    #[test]
    fn moves_are_chosen_in_proportion_to_lines() {
        // The corners are one choice, four lines in five, regardless of the corner in a line.
        let book = book("a1 b2\na5 b2\ne1 c3\ne5 c3\nc3 d3\n");
        let start = five(&[]);
        let corner = |seed: &u64| book.choose(&start, *seed).unwrap().to_string() == "a1";
        let corners = (0..1000).filter(corner).count();
        assert!((740..860).contains(&corners), "{corners} of 1000");
        // The choice at the next move of the same game is independent.
        let second = five(&["a1"]);
        let centre = |seed: &u64| book.choose(&second, *seed).unwrap().to_string() == "c3";
        let both = (0..1000).filter(|seed| corner(seed) && centre(seed)).count();
        assert!((330..470).contains(&both), "{both} of 1000");
    }

    #[test]
    fn games_of_other_rules_are_not_in_the_book() {
        let komi = "[Size \"5\"]\n[Komi \"2\"]\n1. a1 e5\n\n[Size \"5\"]\n[Opening \"no-swap\"]\n1. c3 d3";
        let book = book(komi);
        assert_eq!(book.to_string(), "1 line for 5x5");
        let size = Size::ALL[2];
        assert!(book.choose(&game(size, 4, &[]), 1).is_some());
        assert_eq!(book.choose(&game(size, 0, &[]), 1), None);
        assert_eq!(book.choose(&game(Size::ALL[3], 4, &[]), 1), None);
        let any = self::book("a1 e5");
        assert!(any.choose(&game(size, 4, &[]), 1).is_some());
        let reserve = Reserve { stones: 30, ..Reserve::standard(size) };
        let setup = Setup { reserves: ByColor([reserve; 2]), ..Setup::empty(size, Komi::ZERO) };
        let other = Game::new(AnyPosition::from_setup(&setup).unwrap());
        assert_eq!(any.choose(&other, 1), None);
        assert_eq!(Book::default().choose(&five(&[]), 1), None);
    }

    #[test]
    fn lines_fit_the_opening() {
        let book =
            book("[Size \"5\"]\n1. a1 e5 2. c3\n\n[Size \"5\"]\n[Opening \"double black stack\"]\n1. 2a1 a5 2. Cb2");
        assert_eq!(book.to_string(), "2 lines for 5x5");
        let double = |moves: &[&str]| {
            let mut game = Game::new(AnyPosition::start_with(Size::ALL[2], Komi::ZERO, OpeningRule::DoubleBlack));
            for mv in moves {
                game.play(mv.parse().unwrap()).unwrap();
            }
            book.choose(&game, 1).map(|mv| mv.to_string())
        };
        assert_eq!(double(&[]).as_deref(), Some("a1"));
        assert_eq!(double(&["a1", "a5"]).as_deref(), Some("Cb2"));
        assert_eq!(double(&["a1", "e5"]), None);
        assert_eq!(choices(&book, &five(&["a1"])), HashSet::from(["e5".to_owned()]));
        assert_eq!(book.choose(&five(&["a1", "a5"]), 1), None);
    }

    #[test]
    fn positions_may_be_reached_by_any_move() {
        // White's flat in one corner and Black's in the opposite one, then a capstone in the centre.
        let book = book("x4,1/x5/x5/x5/2,x4 1 2\nx4,1/x5/x2,1C,x2/x5/2,x4 2 2\n");
        assert_eq!(book.to_string(), "2 lines for 5x5");
        assert_eq!(book.choose(&five(&[]), 1), None);
        let second = book.choose(&five(&["a5"]), 1).unwrap();
        assert_eq!(second.to_string(), "e1");
        let third = book.choose(&five(&["a1", "e5"]), 1).unwrap();
        assert_eq!(third.to_string(), "Cc3");
    }

    #[test]
    fn the_summary_counts_lines_per_size() {
        let sizes = book("[Size \"6\"]\n1. a1 f6\n\n[Size \"5\"]\n1. a1\n\n[Size \"6\"]\n1. b1");
        assert_eq!(sizes.to_string(), "1 line for 5x5, 2 lines for 6x6");
        assert_eq!(Book::default().to_string(), "no line can be used");
    }
}
