//! Many games at once, without a call from Python for each.

use std::sync::atomic::Ordering::Relaxed;

use numpy::{PyArray1, PyArrayMethods, PyReadonlyArray1};
use pyo3::exceptions::{PyIndexError, PyTypeError};
use pyo3::prelude::*;
use pyo3::types::{PyIterator, PyList, PyString};
use rand::rngs::SmallRng;
use rand::{RngExt, SeedableRng};
use rayon::prelude::*;
use tak_engine::board::{AnyPosition, Color, Game, Komi, Move, OpeningRule, Outcome, Setup, Size};

use crate::arrays::{
    encode_into, filled, index_of, mask_into, move_at, need_numpy, plane_count, policy_size, reserved, with_position,
};
use crate::errors::{guarded, invalid};
use crate::game::PyGame;
use crate::values::{Index, KomiArgument, OpeningArgument, SizeArgument, Whole};
use crate::waiting::interruptible;

/// The largest number of games.
const MAX_GAMES: usize = 1 << 20;

/// An item for each game: true if it is over; its winner, 1 for White, -1 for Black, 0 for neither.
type Ends<'py> = (Bound<'py, PyArray1<bool>>, Bound<'py, PyArray1<i8>>);

/// Policy indices of all games, and where those of each game begin.
type Indices<'py> = (Bound<'py, PyArray1<i64>>, Bound<'py, PyArray1<i64>>);

/// Games that are played at once, on all processors, without a call for each.
///
/// `count` games begin as `Game` does with the same arguments. `seed` determines the moves of `step_random` and
/// `play_random`. Methods that return arrays need NumPy. Moves are policy indices, see `move_index`. One thread at a time
/// uses a batch: RuntimeError is raised in another.
///
/// >>> batch = Batch(3, size=5, seed=1)
/// >>> done, winner = batch.step([0, 24 * 123, -1])
/// >>> [game.tps for game in batch]
/// ['x5/x5/x5/x5/2,x4 2 1', 'x4,2/x5/x5/x5/x5 2 1', 'x5/x5/x5/x5/x5 1 1']
/// >>> bool(done.any()), batch.encode().shape, batch.legal_mask().sum(axis=1).tolist()
/// (False, (3, 25, 5, 5), [24, 24, 25])
#[pyclass(module = "tak_engine")]
pub struct Batch {
    slots: Vec<Slot>,
}

/// One of the games.
#[derive(Clone)]
struct Slot {
    game: Game,
    outcome: Option<Outcome>,
    random: SmallRng,
}

impl Slot {
    fn new(game: Game, seed: u64, number: usize) -> Self {
        let outcome = game.position().outcome();
        // The generator mixes the bits of its seed, so that neighbours are no more alike than others.
        let random = SmallRng::seed_from_u64(seed.wrapping_mul(MAX_GAMES as u64).wrapping_add(number as u64));
        Self { game, outcome, random }
    }

    fn play(&mut self, mv: Move) {
        self.game.play_unchecked(mv);
        self.outcome = self.game.position().outcome();
    }

    /// Plays any legal move; each is equally likely.
    fn play_random(&mut self, moves: &mut Vec<Move>) {
        moves.clear();
        with_position!(self.game.position(), position => position.generate_moves(moves));
        let index = self.random.random_range(0..moves.len());
        self.play(moves[index]);
    }

    fn restart(&mut self) {
        self.game = Game::new(self.game.start().clone());
        self.outcome = self.game.position().outcome();
    }
}

impl Batch {
    fn size(&self) -> Size {
        // There is always a game.
        self.slots[0].game.position().size()
    }

    /// The games as they are, and those that are over begun anew if that is asked for.
    fn ends<'py>(&mut self, py: Python<'py>, restart: bool) -> Ends<'py> {
        let done = self.slots.iter().map(|slot| slot.outcome.is_some()).collect();
        let won = |outcome: Outcome| match outcome.winner {
            Some(Color::White) => 1,
            Some(Color::Black) => -1,
            None => 0,
        };
        let winner = self.slots.iter().map(|slot| slot.outcome.map_or(0, won)).collect();
        if restart {
            self.slots.iter_mut().filter(|slot| slot.outcome.is_some()).for_each(Slot::restart);
        }
        (PyArray1::from_vec(py, done), PyArray1::from_vec(py, winner))
    }

    /// The moves with these indices, each checked.
    fn read(&self, indices: &[i64]) -> PyResult<Vec<Option<Move>>> {
        if indices.len() != self.slots.len() {
            return Err(invalid(format!("{} moves for {} games", indices.len(), self.slots.len())));
        }
        let size = self.size();
        let read = |(number, (slot, &index)): (usize, (&Slot, &i64))| {
            if index == -1 {
                return Ok(None);
            }
            let index = usize::try_from(index).ok().filter(|&index| index < policy_size(size));
            let mv = index.and_then(|index| move_at(index, size));
            let mv = mv.ok_or_else(|| invalid(format!("game {number}: there is no such move")))?;
            let legal = slot.game.position().check_legal(mv);
            legal.map_err(|reason| invalid(format!("game {number}: illegal move {mv}: {reason}")))?;
            Ok(Some(mv))
        };
        // The first wrong one is named, however many threads there are.
        let read: Vec<_> = self.slots.par_iter().zip(indices).enumerate().map(read).collect();
        read.into_iter().collect()
    }

    fn of_games(games: impl ExactSizeIterator<Item = Game>, seed: u64) -> PyResult<Self> {
        if games.len() == 0 || games.len() > MAX_GAMES {
            return Err(invalid(format!(
                "a batch of {} games is out of range, expected 1 to {MAX_GAMES}",
                games.len()
            )));
        }
        let mut slots = reserved(games.len())?;
        slots.extend(games.enumerate().map(|(number, game)| Slot::new(game, seed, number)));
        Ok(Self { slots })
    }
}

#[pymethods]
impl Batch {
    #[new]
    #[pyo3(
        signature = (count, size = None, komi = None, opening = None, *, seed = Whole(Ok(0))),
        text_signature = "(count, size=6, komi=0, opening='swap', *, seed=0)"
    )]
    fn new(
        py: Python<'_>,
        count: Whole,
        size: Option<SizeArgument>,
        komi: Option<KomiArgument>,
        opening: Option<OpeningArgument>,
        seed: Whole,
    ) -> PyResult<Self> {
        let (count, seed) = (count.within("count", 1, MAX_GAMES as u64)? as usize, seed.within("seed", 0, u64::MAX)?);
        let komi = komi.map_or(Komi::ZERO, |komi| komi.0);
        let opening = opening.map_or(OpeningRule::Swap, |opening| opening.0);
        let setup = Setup { opening, ..Setup::empty(size.map_or(Size::SIX, |size| size.0), komi) };
        let game = Game::new(AnyPosition::from_setup(&setup).map_err(invalid)?);
        py.detach(|| Self::of_games(std::iter::repeat_n(game, count), seed))
    }

    /// A batch of these games, which must have boards of the same size. They are copied.
    ///
    /// >>> len(Batch.of([Game(size=5), Game(tps="x5/x5/x2,1,x2/x5/2,x4 1 2")]))
    /// 2
    #[staticmethod]
    #[pyo3(signature = (games, *, seed = Whole(Ok(0))), text_signature = "(games, *, seed=0)")]
    fn of(games: Vec<PyRef<'_, PyGame>>, seed: Whole) -> PyResult<Self> {
        let seed = seed.within("seed", 0, u64::MAX)?;
        let size = games.first().map(|game| game.game.position().size());
        if games.iter().any(|game| Some(game.game.position().size()) != size) {
            return Err(invalid("the games of a batch must have boards of the same size"));
        }
        Self::of_games(games.iter().map(|game| game.game.clone()), seed)
    }

    fn __len__(&self) -> usize {
        self.slots.len()
    }

    fn __reduce__(&self) -> PyResult<()> {
        Err(PyTypeError::new_err("a batch cannot be copied or pickled: take list(batch), and make one with Batch.of"))
    }

    fn __iter__<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyIterator>> {
        let games = self.slots.iter().map(|slot| Bound::new(py, PyGame::from(slot.game.clone())));
        PyList::new(py, games.collect::<PyResult<Vec<_>>>()?)?.try_iter()
    }

    /// A copy of one of the games.
    fn __getitem__(&self, index: Index) -> PyResult<PyGame> {
        let count = self.slots.len();
        let place = index.0.and_then(|index| if index < 0 { index.checked_add(count as i64) } else { Some(index) });
        let slot = place.and_then(|place| usize::try_from(place).ok()).and_then(|place| self.slots.get(place));
        let slot = slot.ok_or_else(|| PyIndexError::new_err(format!("index out of range, there are {count} games")))?;
        Ok(slot.game.clone().into())
    }

    /// The results as `Game.result`, in the order of the games.
    #[getter]
    fn results<'py>(&self, py: Python<'py>) -> Vec<Option<Bound<'py, PyString>>> {
        let text = |outcome: Outcome| PyString::intern(py, &outcome.to_string());
        self.slots.iter().map(|slot| slot.outcome.map(text)).collect()
    }

    /// Plays one move in each game. `moves` has a policy index for each, -1 for none.
    ///
    /// Returns `done`, an array of bool, and `winner`, one of int8: 1 White, -1 Black, 0 nobody. With `restart` the
    /// games that are over begin anew after that. Raises ValueError for a wrong number of moves, and if one is illegal;
    /// none is then played.
    ///
    /// >>> Batch(2, size=5).step([0, 1])
    /// Traceback (most recent call last):
    ///     ...
    /// ValueError: game 1: illegal move Sa1: each player's first turn places a flat (of the opponent's colour)
    #[pyo3(signature = (moves, restart = false))]
    fn step<'py>(&mut self, py: Python<'py>, moves: &Bound<'py, PyAny>, restart: bool) -> PyResult<Ends<'py>> {
        need_numpy(py)?;
        let moves: Vec<i64> = match moves.extract::<PyReadonlyArray1<'_, i64>>() {
            Ok(array) => array.as_array().to_vec(),
            Err(_) => moves.extract().map_err(|_| {
                PyTypeError::new_err("moves must be an array or a list of policy indices, whole numbers of 64 bits")
            })?,
        };
        py.detach(|| {
            guarded(|| {
                let moves = self.read(&moves)?;
                self.slots.par_iter_mut().zip(moves).for_each(|(slot, mv)| mv.into_iter().for_each(|mv| slot.play(mv)));
                Ok(())
            })
        })?;
        Ok(self.ends(py, restart))
    }

    /// Plays a random legal move in each game that is not over. Returns what `step` does.
    #[pyo3(signature = (restart = false))]
    fn step_random<'py>(&mut self, py: Python<'py>, restart: bool) -> PyResult<Ends<'py>> {
        need_numpy(py)?;
        let slots = &mut self.slots;
        py.detach(|| {
            guarded(|| {
                let running = slots.par_iter_mut().filter(|slot| slot.outcome.is_none());
                running.for_each_init(Vec::new, |moves, slot| slot.play_random(moves));
                Ok(())
            })
        })?;
        Ok(self.ends(py, restart))
    }

    /// Plays random legal moves to the end of each game and returns the results. Ctrl-C ends it; the games are then
    /// somewhere on the way.
    ///
    /// >>> results = Batch(100, size=5, seed=1).play_random()
    /// >>> len(results), None in results
    /// (100, False)
    fn play_random<'py>(&mut self, py: Python<'py>) -> PyResult<Vec<Option<Bound<'py, PyString>>>> {
        let slots = &mut self.slots;
        interruptible(py, |stop| {
            slots.par_iter_mut().for_each_init(Vec::new, |moves, slot| {
                while slot.outcome.is_none() && !stop.load(Relaxed) {
                    slot.play_random(moves);
                }
            });
            Ok(())
        })?;
        Ok(self.results(py))
    }

    /// Begins all games anew.
    fn restart(&mut self) {
        self.slots.iter_mut().for_each(Slot::restart);
    }

    /// The planes of all positions, see `Game.encode`: an array of float32 with the shape (games, planes, rows,
    /// columns).
    fn encode<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        need_numpy(py)?;
        let (size, slots) = (self.size(), &self.slots);
        let length = plane_count(size) * size.squares();
        let planes = py.detach(|| {
            guarded(|| {
                let mut planes = filled(0.0, slots.len() * length)?;
                let by_slot = planes.par_chunks_exact_mut(length).zip(slots);
                by_slot.for_each(|(planes, slot)| encode_into(slot.game.position(), planes));
                Ok(planes)
            })
        })?;
        let shape = [slots.len(), plane_count(size), size.width(), size.width()];
        Ok(PyArray1::from_vec(py, planes).reshape(shape)?.into_any())
    }

    /// The legal moves of all games, see `Game.legal_mask`: an array of bool with the shape (games, policy size).
    fn legal_mask<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyAny>> {
        need_numpy(py)?;
        let (length, slots) = (policy_size(self.size()), &self.slots);
        let mask = py.detach(|| {
            guarded(|| {
                let mut mask = filled(false, slots.len() * length)?;
                let places = mask.par_chunks_exact_mut(length).zip(slots);
                places.for_each(|(mask, slot)| mask_into(slot.game.position(), mask));
                Ok(mask)
            })
        })?;
        Ok(PyArray1::from_vec(py, mask).reshape([slots.len(), length])?.into_any())
    }

    /// The policy indices of the legal moves of all games, one after the other, and where those of each game begin: two
    /// arrays of int64, the second with one number more than there are games.
    ///
    /// >>> moves, starts = Batch(2, size=3).legal_indices()
    /// >>> len(moves), starts.tolist()
    /// (18, [0, 9, 18])
    fn legal_indices<'py>(&self, py: Python<'py>) -> PyResult<Indices<'py>> {
        need_numpy(py)?;
        let (size, slots) = (self.size(), &self.slots);
        let (indices, starts) = py.detach(|| {
            guarded(|| {
                let count = |slot: &Slot| match slot.outcome {
                    Some(_) => 0,
                    None => with_position!(slot.game.position(), position => position.count_moves()) as usize,
                };
                let counts: Vec<usize> = slots.par_iter().map(count).collect();
                let mut indices = filled(0, counts.iter().sum())?;
                let mut rest = &mut indices[..];
                let mut places = Vec::with_capacity(slots.len());
                for &count in &counts {
                    places.push(rest.split_off_mut(..count).unwrap_or_default());
                }
                let by_slot = places.into_par_iter().zip(slots).filter(|(place, _)| !place.is_empty());
                by_slot.for_each_init(Vec::new, |moves, (place, slot)| {
                    moves.clear();
                    with_position!(slot.game.position(), position => position.generate_moves(moves));
                    for (index, &mv) in place.iter_mut().zip(&*moves) {
                        *index = index_of(mv, size) as i64;
                    }
                });
                let mut starts = vec![0];
                starts.extend(counts.iter().scan(0, |sum, &count| {
                    *sum += count as i64;
                    Some(*sum)
                }));
                Ok((indices, starts))
            })
        })?;
        Ok((PyArray1::from_vec(py, indices), PyArray1::from_vec(py, starts)))
    }

    fn __repr__(&self) -> String {
        let (size, over) = (self.size(), self.slots.iter().filter(|slot| slot.outcome.is_some()).count());
        format!("<Batch of {} games on {size}x{size}, {over} over>", self.slots.len())
    }
}
