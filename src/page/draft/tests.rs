//! Drafts compared with the list of legal moves.

use rand::rngs::SmallRng;
use rand::seq::IndexedRandom;
use rand::{RngExt, SeedableRng};

use super::*;
use crate::board::{Komi, Size};

fn square(text: &str) -> Square {
    text.parse::<Move>().unwrap().square()
}

fn all_squares(size: Size) -> impl Iterator<Item = Square> {
    let width = size.width();
    (0..width).flat_map(move |row| (0..width).map(move |column| Square::new(column, row)))
}

/// Positions of random games that prefer spreads, so that stacks grow.
fn positions(count: usize) -> Vec<AnyPosition> {
    let mut random = SmallRng::seed_from_u64(15);
    let mut positions = Vec::new();
    while positions.len() < count {
        let size = Size::ALL[random.random_range(0..6)];
        let mut position = AnyPosition::start(size, Komi::ZERO);
        for _ in 0..random.random_range(10..120) {
            let mut moves = position.legal_moves();
            let spreads: Vec<Move> = moves.iter().copied().filter(|mv| mv.is_spread()).collect();
            if !spreads.is_empty() && random.random_bool(0.6) {
                moves = spreads;
            }
            let Some(&mv) = moves.choose(&mut random) else {
                break;
            };
            position.play_unchecked(mv);
        }
        if position.outcome().is_none() {
            positions.push(position);
        }
    }
    positions
}

/// Drops one piece after the other by a move.
fn drop_all(position: &AnyPosition, mv: Move) -> Step {
    let MoveKind::Spread(direction, pattern) = mv.kind() else {
        panic!("{mv} is not a spread");
    };
    let mut draft = Draft::lift(position, mv.square(), Some(pattern.lifted())).unwrap();
    for (steps, drop) in (1..).zip(pattern.drops()) {
        for _ in 0..drop.count {
            draft.check(position).unwrap();
            match draft.drop(position, mv.square().step(direction, steps), false).unwrap() {
                Step::On(on) => draft = on,
                end => return end,
            }
        }
    }
    Step::On(draft)
}

#[test]
fn every_legal_spread_can_be_made_and_no_other() {
    let mut made = 0;
    for position in positions(60) {
        let moves = position.legal_moves();
        for &mv in moves.iter().filter(|mv| mv.is_spread()) {
            assert_eq!(drop_all(&position, mv), Step::Done(mv), "{position}");
            made += 1;
        }
    }
    assert!(made > 1000, "only {made} spreads");
}

#[test]
fn random_drops_end_in_a_legal_move() {
    let mut random = SmallRng::seed_from_u64(1);
    for position in positions(200) {
        let moves = position.legal_moves();
        for from in all_squares(position.size()) {
            let Ok(mut draft) = Draft::lift(&position, from, None) else {
                assert!(lifts(&moves, from).is_empty());
                continue;
            };
            loop {
                let next = draft.next(&position);
                // `next` lists the possible squares, and all others have a reason.
                for square in all_squares(position.size()).filter(|&square| square != from) {
                    let reached = draft.reach(&position, square);
                    assert_eq!(reached.is_ok(), next.contains(&square), "{position} {draft:?}");
                    assert_ne!(reached, Err(Refused::Impossible), "{position} {draft:?} {square}");
                }
                let on = *next.choose(&mut random).unwrap();
                let friendly = random.random_bool(0.3);
                match draft.drop(&position, on, friendly) {
                    Ok(Step::On(on)) => draft = on,
                    Ok(Step::Done(mv)) => {
                        assert!(moves.contains(&mv), "{position}: {mv}");
                        break;
                    }
                    Err(Refused::NotFriendly(owner)) => {
                        assert!(friendly && owner != position.to_move());
                        assert_eq!(draft.hand(&position).colors[0], owner);
                    }
                    other => panic!("{position} {draft:?}: {other:?}"),
                }
            }
        }
    }
}

#[test]
fn piles_of_a_draft_are_those_after_the_move() {
    for position in positions(60) {
        for mv in position.legal_moves().into_iter().filter(|mv| mv.is_spread()) {
            let MoveKind::Spread(direction, pattern) = mv.kind() else {
                unreachable!("only spreads are taken");
            };
            let draft = Draft {
                from: mv.square(),
                lifted: pattern.lifted(),
                direction: Some(direction),
                drops: pattern.drops().map(|drop| drop.count).collect(),
            };
            let mut after = position.clone();
            after.play_unchecked(mv);
            for (square, pile) in draft.piles(&position) {
                assert_eq!(pile.colors, Pile::on(&after, square).colors, "{position} {mv} {square}");
            }
        }
    }
}

#[test]
fn friendly_pieces_drop_together() {
    // White's stack on a2, from the bottom: white, white, black, white.
    let position: AnyPosition = "x5/x5/x5/1121,x4/x4,2S 1 20".parse().unwrap();
    let draft = Draft::lift(&position, square("a2"), None).unwrap();
    assert_eq!((draft.lifted, draft.in_hand()), (4, 4));
    assert_eq!(draft.describe(&position), "4 in hand, the bottom one white; next may be a3 or b2 or a1");
    let Ok(Step::On(draft)) = draft.drop(&position, square("b2"), true) else {
        panic!("two are left");
    };
    assert_eq!((&draft.drops[..], draft.in_hand()), (&[2][..], 2));
    assert_eq!(draft.hand(&position).code(), "21");
    assert_eq!(draft.drop(&position, square("b2"), true), Err(Refused::NotFriendly(Color::Black)));
    // Down there is one square only, so all fall at once.
    let down = Draft::lift(&position, square("a2"), Some(3)).unwrap();
    let done = down.drop(&position, square("a1"), false);
    assert_eq!(done, Ok(Step::Done("3a2-".parse().unwrap())));
    assert_eq!(down.drop(&position, square("a2"), false), Ok(Step::Back));
}

#[test]
fn refusals_give_the_reason() {
    // White's capstone on c3 above a black piece, a white wall on c4, a black capstone on b3, a black wall on e3.
    let position: AnyPosition = "x5/x2,1S,x2/x,2C,21C,x,2S/1,x4/2,x4 1 20".parse().unwrap();
    let lift = |from, count| Draft::lift(&position, square(from), count).map_err(|error| error.to_string());
    for (from, count, why) in [
        ("a5", None, "a5 is empty"),
        ("a1", None, "the stack on a1 belongs to Black"),
        ("a2", Some(2), "at most 1 piece can be lifted from a2"),
        ("c3", Some(3), "at most 2 pieces can be lifted from c3"),
        ("c3", Some(0), "at least one piece has to be lifted"),
    ] {
        assert_eq!(lift(from, count), Err(why.to_owned()));
    }
    let draft = lift("c3", None).unwrap();
    let reach = |draft: &Draft, on| draft.reach(&position, square(on)).map_err(|error| error.to_string());
    for (on, why) in [
        ("c4", "only a capstone moving alone can flatten the wall on c4"),
        ("b3", "the black capstone on b3 is in the way"),
        ("d4", "the stack must move in a straight line from c3"),
        ("c1", "drop a piece on c2 first"),
    ] {
        assert_eq!(reach(&draft, on), Err(why.to_owned()));
    }
    let Ok(Step::On(draft)) = draft.drop(&position, square("d3"), false) else {
        panic!("the capstone is left");
    };
    assert!(draft.flattens(&position, square("e3")) && !draft.flattens(&position, square("d3")));
    assert_eq!(draft.describe(&position), "black capstone in hand; next may be d3 or e3".replace("black", "white"));
    assert_eq!(reach(&draft, "c2"), Err("the stack must move in a straight line from c3".to_owned()));
    let flattened = draft.drop(&position, square("e3"), false);
    assert_eq!(flattened, Ok(Step::Done("2c3>11".parse().unwrap())));
    // In the first turn nothing moves, and a stack that is shut in does not either.
    let first: AnyPosition = "x3/x3/2,x2 2 1".parse().unwrap();
    assert_eq!(Draft::lift(&first, square("a1"), None), Err(Refused::FirstTurn));
    let shut: AnyPosition = "x3/2S,x2/1,2S,x 1 9".parse().unwrap();
    assert_eq!(Draft::lift(&shut, square("a1"), None), Err(Refused::Stuck(square("a1"))));
    let over: AnyPosition = "x3/1,1,1/2,2,x 2 4".parse().unwrap();
    assert_eq!(Draft::lift(&over, square("a1"), None), Err(Refused::Over));
}

#[test]
fn drafts_from_outside_are_checked() {
    let position: AnyPosition = "x5/x5/x5/1121,x4/x5 1 20".parse().unwrap();
    let check = |text: &str| serde_json::from_str::<Draft>(text).map(|draft| draft.check(&position));
    let draft = r#"{"from":"a2","lifted":4,"direction":">","drops":[1,2]}"#;
    assert_eq!(check(draft).unwrap(), Ok(()));
    for wrong in [
        r#"{"from":"a2","lifted":4,"direction":">","drops":[]}"#,
        r#"{"from":"a2","lifted":4,"direction":null,"drops":[1]}"#,
        r#"{"from":"a2","lifted":4,"direction":">","drops":[4]}"#,
        r#"{"from":"a2","lifted":4,"direction":">","drops":[1,0]}"#,
        r#"{"from":"a2","lifted":4,"direction":"<","drops":[1]}"#,
        r#"{"from":"a2","lifted":9,"direction":">","drops":[1]}"#,
        r#"{"from":"a2","lifted":4,"direction":">","drops":[4294967295,4294967295]}"#,
        r#"{"from":"h8","lifted":1,"direction":null,"drops":[]}"#,
    ] {
        assert_eq!(check(wrong).unwrap(), Err(Refused::Impossible), "{wrong}");
    }
    for text in [
        r#"{"from":"i9","lifted":1,"direction":null,"drops":[]}"#,
        r#"{"from":"Ca1","lifted":1,"direction":null,"drops":[]}"#,
        r#"{"from":"a2","lifted":-1,"direction":null,"drops":[]}"#,
        r#"{"from":"a2","lifted":1,"direction":"^","drops":[]}"#,
    ] {
        assert!(check(text).is_err(), "{text}");
    }
}
