//! Which move to search first: the table move, then everything else by a quick score.

use super::history::Memory;
use crate::board::{Bitboard, Color, Move, MoveKind, PieceKind, Position};

/// A move and how promising it looks.
#[derive(Debug, Clone, Copy)]
pub(super) struct Scored {
    pub mv: Move,
    score: i32,
}

/// What ordering wants to know of a node besides its position.
#[derive(Debug, Clone, Copy)]
pub(super) struct Hints {
    pub table: Option<Move>,
    pub killers: [Option<Move>; 2],
    pub counter: Option<Move>,
    /// Squares where a placement threatens a road.
    pub taks: Bitboard,
}

/// What the opponent threatens to do at once.
#[derive(Debug, Clone, Copy)]
pub(super) struct Threat {
    /// Squares where a placement would complete a road.
    pub placements: Bitboard,
    /// A spread that would.
    pub spread: bool,
}

impl Threat {
    /// The threats of `color` against the player to move.
    pub(super) fn of<const N: usize>(position: &Position<N>, color: Color) -> Self {
        let critical = position.critical_squares(color);
        let placements = position.winning_placements(color, critical);
        let spread = placements.is_empty() && position.winning_spread(color, critical).is_some();
        Self { placements, spread }
    }

    /// Whether there is any.
    pub(super) fn exists(self) -> bool {
        self.spread || !self.placements.is_empty()
    }

    /// Whether `mv` can be an answer at all. Moves refused here lose to the same placement as before; what passes may
    /// still fail. The caller has made sure that no move ends the game on flats.
    pub(super) fn may_answer<const N: usize>(self, position: &Position<N>, mv: Move) -> bool {
        if self.placements.is_empty() {
            return true;
        }
        match mv.kind() {
            // One square can be filled, two cannot.
            MoveKind::Place(_) => self.placements == mv.square().bit(),
            // A spread must cover a piece of the road to be, or the square it needs.
            MoveKind::Spread(direction, pattern) => {
                let mut line = Bitboard::EMPTY;
                let mut square = mv.square();
                for _ in 0..pattern.squares() {
                    square = square.step(direction, 1);
                    line |= square.bit();
                }
                line.intersects(self.placements | position.road_pieces(!position.to_move()))
            }
        }
    }
}

/// Fills `list` with the legal moves that may answer `threat`, the table move left out, each with a score.
pub(super) fn score_moves<const N: usize>(
    position: &Position<N>,
    memory: &Memory,
    hints: &Hints,
    threat: Option<Threat>,
    buffer: &mut Vec<Move>,
    list: &mut Vec<Scored>,
) {
    buffer.clear();
    position.legal_moves(buffer);
    list.clear();
    let wanted =
        |mv: &Move| Some(*mv) != hints.table && threat.is_none_or(|t| t.may_answer(position, *mv));
    let quick = Quick::new(position);
    list.extend(buffer.iter().copied().filter(wanted).map(|mv| Scored {
        mv,
        score: quick.score(position, memory, hints, mv),
    }));
}

/// Takes the best of the moves from `from` on to the front of them: a selection sort that stops with the search.
pub(super) fn pick(list: &mut [Scored], from: usize) -> Option<Move> {
    let best = (from..list.len()).max_by_key(|&i| (list[i].score, std::cmp::Reverse(i)))?;
    list.swap(from, best);
    Some(list[from].mv)
}

/// What is the same for all moves of a node.
struct Quick {
    own_road: Bitboard,
    near_own: Bitboard,
    near_enemy: Bitboard,
    near_enemy_tall: Bitboard,
    inner: Bitboard,
}

impl Quick {
    fn new<const N: usize>(position: &Position<N>) -> Self {
        let mover = position.to_move();
        let own_road = position.road_pieces(mover);
        let enemy = position.owned(!mover);
        Self {
            own_road,
            near_own: own_road.neighbours::<N>(),
            near_enemy: enemy.neighbours::<N>(),
            near_enemy_tall: (enemy & position.tall()).neighbours::<N>(),
            inner: Bitboard::board::<N>().without(Bitboard::rim::<N>()),
        }
    }

    fn score<const N: usize>(
        &self,
        position: &Position<N>,
        memory: &Memory,
        hints: &Hints,
        mv: Move,
    ) -> i32 {
        let mut score = memory.history(position.to_move(), mv);
        if hints.killers[0] == Some(mv) {
            score += 9_000;
        } else if hints.killers[1] == Some(mv) {
            score += 7_000;
        } else if hints.counter == Some(mv) {
            score += 5_000;
        }
        let bonus = |set: Bitboard, value: i32| if set.contains(mv.square()) { value } else { 0 };
        score
            + match mv.kind() {
                MoveKind::Place(PieceKind::Flat) => {
                    2_000
                        + bonus(hints.taks, 6_000)
                        + bonus(self.near_own, 800)
                        + bonus(self.near_enemy, 400)
                        + bonus(self.inner, 600)
                }
                MoveKind::Place(PieceKind::Cap) => {
                    1_000
                        + bonus(hints.taks, 3_000)
                        + bonus(self.near_enemy_tall, 1_500)
                        + bonus(self.inner, 1_000)
                }
                MoveKind::Place(PieceKind::Wall) => -2_000 + bonus(self.near_enemy_tall, 2_000),
                MoveKind::Spread(..) => {
                    1_500 * spread_gain(position, mv) - 500 + bonus(self.own_road, -300)
                }
            }
    }
}

/// How a spread changes the mover's flats minus the opponent's, in flats.
pub(super) fn spread_gain<const N: usize>(position: &Position<N>, mv: Move) -> i32 {
    let MoveKind::Spread(direction, pattern) = mv.kind() else {
        return 0;
    };
    let mover = position.to_move();
    let (own, enemy) = (position.flats(mover), position.flats(!mover));
    let source = mv.square();
    let moves_flat = i32::from(position.top_kind(source) == PieceKind::Flat);
    let side = |depth: usize| {
        if position.color_at(source, depth) == mover {
            1
        } else {
            -1
        }
    };
    let lifted = pattern.lifted() as usize;
    let left = if position.height(source) > lifted {
        side(lifted)
    } else {
        0
    };
    let mut gain = left - moves_flat;
    let mut target = source;
    for drop in pattern.drops() {
        target = target.step(direction, 1);
        let before = i32::from(own.contains(target)) - i32::from(enemy.contains(target));
        let after = if drop.above == 0 {
            moves_flat
        } else {
            side(drop.above as usize)
        };
        gain += after - before;
    }
    gain
}
