//! Stacks, moves and results in plain words, for screen readers and for captions.

use crate::board::{AnyPosition, Color, EndReason, Komi, Move, MoveKind, Outcome, PieceKind, Square};
use crate::notation;

/// The stack on a square as in TPS; empty for no pieces.
pub fn stack(position: &AnyPosition, square: Square) -> String {
    let depths = (0..position.height(square)).rev();
    let colors: Vec<Color> = depths.map(|depth| position.color_at(square, depth)).collect();
    code(&colors, position.top(square).map_or(PieceKind::Flat, |(_, kind)| kind))
}

/// Pieces from the bottom up as in TPS.
pub fn code(colors: &[Color], top: PieceKind) -> String {
    let digit = |color: &Color| if *color == Color::White { '1' } else { '2' };
    let mut code: String = colors.iter().map(digit).collect();
    match top {
        PieceKind::Flat => {}
        PieceKind::Wall => code.push('S'),
        PieceKind::Cap => code.push('C'),
    }
    code
}

/// `white`.
pub fn adjective(color: Color) -> &'static str {
    match color {
        Color::White => "white",
        Color::Black => "black",
    }
}

/// `capstone`.
pub fn kind(kind: PieceKind) -> &'static str {
    match kind {
        PieceKind::Flat => "flat",
        PieceKind::Wall => "wall",
        PieceKind::Cap => "capstone",
    }
}

/// The effect of a move: `White places a wall on c3`, `Black moves 3 pieces from c3: 2 to d3, 1 to e3, which flattens
/// the wall`.
pub fn played(position: &AnyPosition, mv: Move) -> String {
    let player = position.to_move();
    let square = mv.square();
    match mv.kind() {
        MoveKind::Place(PieceKind::Flat) if is_swap(position) => {
            let placed = if places_two(position) {
                "a stack of two black flats".to_owned()
            } else {
                format!("a {} flat", adjective(!player))
            };
            format!("{player} places {placed} on {square}")
        }
        MoveKind::Place(placed) => format!("{player} places a {} on {square}", kind(placed)),
        MoveKind::Spread(direction, pattern) => {
            let drops: Vec<String> = (1..)
                .zip(pattern.drops())
                .map(|(steps, drop)| format!("{} to {}", drop.count, square.step(direction, steps)))
                .collect();
            let flattened = position.top(mv.target()).is_some_and(|(_, top)| top == PieceKind::Wall);
            let flattens = if flattened { ", which flattens the wall" } else { "" };
            let pieces = notation::counted(pattern.lifted(), "piece", "pieces");
            format!("{player} moves {pieces} from {square}: {}{flattens}", drops.join(", "))
        }
    }
}

/// Returns whether the player to move places a piece of the other colour.
pub fn is_swap(position: &AnyPosition) -> bool {
    crate::board::with_position!(position, p => p.is_opening())
}

/// Returns whether the next move places two black flats. If Black has only one piece, it places that.
pub fn places_two(position: &AnyPosition) -> bool {
    position.to_setup().places_stack() && position.reserves()[Color::Black].stones > 1
}

/// `White wins by a road`.
pub fn ended(position: &AnyPosition, outcome: Outcome) -> String {
    let flats = Color::ALL.map(|color| position.flat_count(color));
    let count = |own: Color| {
        let komi = komi(position.komi());
        format!("{} to {}{komi}", flats[own.index()], flats[(!own).index()])
    };
    match (outcome.winner, outcome.reason) {
        (Some(winner), EndReason::Road) => format!("{winner} wins by a road"),
        (Some(winner), _) => format!("{winner} wins on flats, {}", count(winner)),
        (None, _) => format!("Draw on flats, {}", count(Color::White)),
    }
}

/// The result of counting flats now.
pub fn counted(position: &AnyPosition) -> String {
    let lead = 2 * (position.flat_count(Color::White) as i32 - position.flat_count(Color::Black) as i32)
        - position.komi().half();
    let leader = if lead > 0 { Color::White } else { Color::Black };
    let komi = komi(position.komi());
    let whole = lead.abs() / 2;
    match (whole, lead.abs() % 2) {
        (0, 0) => format!("Flats are even{komi}"),
        (0, _) => format!("{leader} leads by half a flat{komi}"),
        (1, 0) => format!("{leader} leads by 1 flat{komi}"),
        (_, 0) => format!("{leader} leads by {whole} flats{komi}"),
        _ => format!("{leader} leads by {whole}.5 flats{komi}"),
    }
}

fn komi(komi: Komi) -> String {
    if komi.half() == 0 { String::new() } else { format!(" (komi {komi})") }
}

/// The effect of komi on a win on flats.
pub fn komi_means(komi: Komi) -> String {
    let (ahead, behind) = if komi.half() < 0 { (Color::Black, Color::White) } else { (Color::White, Color::Black) };
    let whole = komi.half().abs() / 2;
    let more = if whole == 0 { "a flat".to_owned() } else { format!("{} flats", whole + 1) };
    if komi.half() == 0 {
        "The player with more flats wins on flats; equal numbers are a draw.".to_owned()
    } else if komi.half() % 2 != 0 {
        format!("{ahead} needs {more} more than {behind} to win on flats; there is no draw.")
    } else {
        format!("{ahead} needs {more} more than {behind} to win on flats; with {whole} more it is a draw.")
    }
}

/// The moves of the winner in a win of so many plies: `1 move`, `3 moves`.
pub fn moves_to_win(plies: u32) -> String {
    notation::counted(plies.div_ceil(2), "move", "moves")
}

/// A proven result: `White has a road in 3 moves`. `line` leads from the position to the end of the game, or part of
/// the way.
pub fn proven(position: &AnyPosition, winner: Color, plies: u32, line: &[Move]) -> String {
    let mut end = position.clone();
    for &mv in line {
        end.play_unchecked(mv);
    }
    let moves = moves_to_win(plies);
    match end.outcome().map(|outcome| outcome.reason) {
        Some(EndReason::Road) => format!("{winner} has a road in {moves}"),
        Some(_) => format!("{winner} wins on flats in {moves}"),
        None => format!("{winner} wins in {moves}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{OpeningRule, Size};

    fn position(tps: &str) -> AnyPosition {
        tps.parse().unwrap()
    }

    #[test]
    fn stacks_are_written_as_in_tps() {
        let position = position("x5/x5/x,1,112S,2212C,2212212221/x5/x5 1 20");
        let code = |column| stack(&position, Square::new(column, 2));
        assert_eq!((0..5).map(code).collect::<Vec<_>>(), ["", "1", "112S", "2212C", "2212212221"]);
    }

    #[test]
    fn moves_are_described() {
        let position = position("x5/x5/x,1,112S,2211C,x/x5/x4,2S 1 20");
        for (mv, says) in [
            ("a1", "White places a flat on a1"),
            ("Sa1", "White places a wall on a1"),
            ("b3+", "White moves 1 piece from b3: 1 to b4"),
            ("3d3-21", "White moves 3 pieces from d3: 2 to d2, 1 to d1"),
            ("d3<", "White moves 1 piece from d3: 1 to c3, which flattens the wall"),
        ] {
            position.check_legal(mv.parse().unwrap()).unwrap();
            assert_eq!(played(&position, mv.parse().unwrap()), says);
        }
        let size = Size::ALL[2];
        for (opening, says) in [
            (OpeningRule::Swap, "White places a black flat on a1"),
            (OpeningRule::NoSwap, "White places a flat on a1"),
            (OpeningRule::DoubleBlack, "White places a stack of two black flats on a1"),
        ] {
            let start = AnyPosition::start_with(size, Komi::ZERO, opening);
            assert_eq!(played(&start, "a1".parse().unwrap()), says);
        }
    }

    #[test]
    fn results_and_counts_are_described() {
        let described = |tps: &str, half| {
            let mut setup = position(tps).to_setup();
            setup.komi = Komi::from_half(half).unwrap();
            let position = AnyPosition::from_setup(&setup).unwrap();
            (position.outcome().map(|outcome| ended(&position, outcome)), counted(&position))
        };
        let text = |text: &str| Some(text.to_owned());
        assert_eq!(described("x3/1,1,1/2,2,x 2 4", 0).0, text("White wins by a road"));
        let full = "1,1,2/2,2,1/1,1S,2 1 6";
        assert_eq!(described(full, 0), (text("Draw on flats, 4 to 4"), "Flats are even".to_owned()));
        assert_eq!(described(full, 4).0, text("Black wins on flats, 4 to 4 (komi 2)"));
        for (half, says) in [
            (1, "Black leads by half a flat (komi 0.5)"),
            (2, "Black leads by 1 flat (komi 1)"),
            (5, "Black leads by 2.5 flats (komi 2.5)"),
            (-4, "White leads by 2 flats (komi -2)"),
        ] {
            assert_eq!(described(full, half).1, says);
        }
    }

    #[test]
    fn komi_description_agrees_with_the_rules() {
        // Full boards on which White has this many flats more than Black.
        let boards = [
            "1,1,2/2,2,1/1,1S,2 1 9",
            "1,1,2/2,2,1/1,1S,2S 1 9",
            "1,1,2/2,2S,1/1,1S,2S 1 9",
            "1,1,2/2S,2S,1/1,1S,2S 1 9",
        ];
        let swapped = |tps: &str| tps.replace('1', "w").replace('2', "1").replace('w', "2");
        for (half, needs, says) in [
            (0, 1, "The player with more flats wins on flats; equal numbers are a draw."),
            (1, 1, "White needs a flat more than Black to win on flats; there is no draw."),
            (4, 3, "White needs 3 flats more than Black to win on flats; with 2 more it is a draw."),
            (5, 3, "White needs 3 flats more than Black to win on flats; there is no draw."),
            (-1, 1, "Black needs a flat more than White to win on flats; there is no draw."),
            (-2, 2, "Black needs 2 flats more than White to win on flats; with 1 more it is a draw."),
        ] {
            let komi = Komi::from_half(half).unwrap();
            assert_eq!(komi_means(komi), says);
            let ahead = if half < 0 { Color::Black } else { Color::White };
            let winner = |more: usize| {
                let tps = if half < 0 { swapped(boards[more]) } else { boards[more].to_owned() };
                let mut setup = position(&tps).to_setup();
                setup.komi = komi;
                AnyPosition::from_setup(&setup).unwrap().outcome().unwrap().winner
            };
            assert_eq!(winner(needs), Some(ahead), "{says}");
            let is_drawn = says.ends_with("draw.") && !says.contains("no draw");
            assert_eq!(winner(needs - 1), (!is_drawn).then_some(!ahead), "{says}");
        }
    }

    #[test]
    fn forced_wins_are_named() {
        let road = position("x3/1,1,x/2,2,x 1 3");
        let line = ["c2".parse().unwrap()];
        assert_eq!(proven(&road, Color::White, 1, &line), "White has a road in 1 move");
        assert_eq!(proven(&road, Color::Black, 2, &[]), "Black wins in 1 move");
        let flats = position("1,1,2/2,2,1/1,x,2 1 6");
        let line = ["b1".parse().unwrap()];
        assert_eq!(proven(&flats, Color::White, 1, &line), "White wins on flats in 1 move");
    }
}
