//! The file self-play games are kept in.
//!
//! ```text
//! header   "takgames", format 1, board size                         10 bytes
//! game     number u32, half komi i8, result i8 (1 White, 0 draw, -1 Black), opening plies u8, plies u16,
//!          then for each ply the move u16 and the score i16,
//!          then a check sum u32 over all of the game
//! ```
//!
//! Numbers are little endian. Every position of a game follows from its moves, so a position costs four bytes, and any
//! model of evaluation or move choice can be fitted from the file later. A game that a crash cut short fails its check
//! sum and is dropped with everything after it.

use std::collections::HashSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, Write};
use std::path::Path;

use crate::board::{Color, Move, Size};

/// A move and what the search thought of the position it was played in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Ply {
    /// The move played.
    pub mv: Move,
    /// The score for the player to move, in centiflats as `search::Score` counts; 0 for opening plies, which were not
    /// searched.
    pub score: i16,
}

/// One game of self-play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GameRecord {
    /// Its number, which is also what its opening was drawn from.
    pub number: u32,
    /// Komi in half points.
    pub half_komi: i8,
    /// The winner, `None` for a draw.
    pub winner: Option<Color>,
    /// How many of the first plies were drawn at random.
    pub opening: u8,
    /// All moves. A game that a search has proven won ends there.
    pub plies: Vec<Ply>,
}

/// What is wrong with a game file.
#[derive(Debug, thiserror::Error)]
pub enum GameFileError {
    /// The file cannot be read or written.
    #[error(transparent)]
    Io(#[from] io::Error),
    /// It does not begin as a game file does.
    #[error("not a file of self-play games")]
    NoHeader,
    /// Games of another board size.
    #[error("the file holds {found}x{found} games, expected {expected}x{expected}")]
    WrongSize {
        /// Size in the file.
        found: u8,
        /// Size wanted.
        expected: Size,
    },
}

const MAGIC: &[u8; 9] = b"takgames\x01";
const HEAD: usize = 9;

impl GameRecord {
    fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(HEAD + 4 * self.plies.len() + 4);
        let result = match self.winner {
            Some(Color::White) => 1i8,
            None => 0,
            Some(Color::Black) => -1,
        };
        bytes.extend(self.number.to_le_bytes());
        bytes.extend(self.half_komi.to_le_bytes());
        bytes.extend(result.to_le_bytes());
        bytes.push(self.opening);
        bytes.extend((self.plies.len() as u16).to_le_bytes());
        for ply in &self.plies {
            bytes.extend(ply.mv.bits().to_le_bytes());
            bytes.extend(ply.score.to_le_bytes());
        }
        let sum = check_sum(&bytes);
        bytes.extend(sum.to_le_bytes());
        bytes
    }

    /// The first game of `bytes` and its length, `None` if it is cut short or damaged.
    fn from_bytes(bytes: &[u8]) -> Option<(Self, usize)> {
        let head = bytes.get(..HEAD)?;
        let number = u32::from_le_bytes(head[..4].try_into().ok()?);
        let count = usize::from(u16::from_le_bytes(head[7..9].try_into().ok()?));
        let end = HEAD + 4 * count;
        let body = bytes.get(HEAD..end)?;
        let sum = u32::from_le_bytes(bytes.get(end..end + 4)?.try_into().ok()?);
        if sum != check_sum(&bytes[..end]) {
            return None;
        }
        let plies = body.chunks_exact(4).map(|ply| {
            let mv = Move::from_bits(u16::from_le_bytes([ply[0], ply[1]]))?;
            Some(Ply {
                mv,
                score: i16::from_le_bytes([ply[2], ply[3]]),
            })
        });
        let winner = match head[5] as i8 {
            1 => Some(Color::White),
            0 => None,
            _ => Some(Color::Black),
        };
        let plies = plies.collect::<Option<_>>()?;
        Some((
            Self {
                number,
                half_komi: head[4] as i8,
                winner,
                opening: head[6],
                plies,
            },
            end + 4,
        ))
    }
}

/// FNV-1a, 32 bits.
fn check_sum(bytes: &[u8]) -> u32 {
    bytes.iter().fold(0x811C_9DC5, |sum, &byte| {
        (sum ^ u32::from(byte)).wrapping_mul(0x0100_0193)
    })
}

/// A game file open for more games.
#[derive(Debug)]
pub struct GameFile {
    file: File,
    /// Numbers of the games that the file holds already.
    pub done: HashSet<u32>,
}

impl GameFile {
    /// Opens `path` to add games of `size`, creating it if need be. A torn last game is cut off.
    ///
    /// # Errors
    /// [`GameFileError`] when the file cannot be used or is no game file of that size.
    pub fn open(path: &Path, size: Size) -> Result<Self, GameFileError> {
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(path)?;
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        if bytes.is_empty() {
            file.write_all(MAGIC)?;
            file.write_all(&[size.width() as u8])?;
            return Ok(Self {
                file,
                done: HashSet::new(),
            });
        }
        let mut done = HashSet::new();
        let length = parse(&bytes, size, |game| {
            done.insert(game.number);
        })?;
        if length < bytes.len() {
            log::warn!(
                "{}: dropping {} bytes of a torn game",
                path.display(),
                bytes.len() - length
            );
            file.set_len(length as u64)?;
        }
        file.seek(io::SeekFrom::End(0))?;
        Ok(Self { file, done })
    }

    /// Appends a finished game, in one write.
    ///
    /// # Errors
    /// When the file cannot be written.
    pub fn append(&mut self, game: &GameRecord) -> io::Result<()> {
        self.file.write_all(&game.to_bytes())
    }
}

/// Reads all whole games of a file.
///
/// # Errors
/// [`GameFileError`] when it cannot be read or is no game file of `size`.
pub fn read_games(path: &Path, size: Size) -> Result<Vec<GameRecord>, GameFileError> {
    let mut games = Vec::new();
    parse(&std::fs::read(path)?, size, |game| games.push(game))?;
    Ok(games)
}

/// Hands over every whole game and returns where the last one ends.
fn parse(
    bytes: &[u8],
    size: Size,
    mut game: impl FnMut(GameRecord),
) -> Result<usize, GameFileError> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(GameFileError::NoHeader)?;
    let (&width, mut rest) = rest.split_first().ok_or(GameFileError::NoHeader)?;
    if usize::from(width) != size.width() {
        return Err(GameFileError::WrongSize {
            found: width,
            expected: size,
        });
    }
    while let Some((record, length)) = GameRecord::from_bytes(rest) {
        game(record);
        rest = &rest[length..];
    }
    Ok(bytes.len() - rest.len())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{PieceKind, Square};

    fn record(number: u32, plies: usize) -> GameRecord {
        let mv = Move::place(PieceKind::Wall, Square::new(1, 2));
        let plies = (0..plies)
            .map(|i| Ply {
                mv,
                score: i as i16 - 3,
            })
            .collect();
        GameRecord {
            number,
            half_komi: -4,
            winner: Some(Color::Black),
            opening: 4,
            plies,
        }
    }

    #[test]
    fn a_torn_game_is_dropped_and_the_file_goes_on() {
        let path = std::env::temp_dir().join(format!("tak-games-{}", std::process::id()));
        let size = Size::new(5).unwrap();
        let _ = std::fs::remove_file(&path);
        let mut file = GameFile::open(&path, size).unwrap();
        file.append(&record(7, 3)).unwrap();
        file.append(&record(9, 40)).unwrap();
        drop(file);
        let whole = std::fs::read(&path).unwrap();
        std::fs::write(&path, &whole[..whole.len() - 5]).unwrap();
        let mut file = GameFile::open(&path, size).unwrap();
        assert_eq!(file.done, HashSet::from([7]));
        file.append(&record(9, 2)).unwrap();
        drop(file);
        assert_eq!(
            read_games(&path, size).unwrap(),
            [record(7, 3), record(9, 2)]
        );
        assert!(matches!(
            read_games(&path, Size::new(6).unwrap()),
            Err(GameFileError::WrongSize { found: 5, .. })
        ));
        std::fs::write(&path, "nonsense").unwrap();
        assert!(matches!(
            GameFile::open(&path, size),
            Err(GameFileError::NoHeader)
        ));
        std::fs::remove_file(&path).unwrap();
    }
}
