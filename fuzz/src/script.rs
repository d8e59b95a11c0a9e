//! Sessions of mostly sensible commands, made from any bytes: games in progress, positions of all sizes, options at
//! their limits, `go` with all words.

use arbitrary::{Result, Unstructured};
use tak_engine::board::{AnyPosition, Game};
use tak_engine::board::{Komi, Size};
use tak_engine::tei::options::OPTIONS;

/// Commands of a session.
const MAX_COMMANDS: usize = 40;

/// Special positions: the start, threats, a board with one empty square, tall stacks, a finished game.
const POSITIONS: [&str; 14] = [
    "x3/x3/x3 1 1",
    "x3/x3/x,2,x 2 1",
    "121,x,1/x,1S,1S/2,x,1 1 58",
    "1,2S,2,x/1,2,2,x/1211,1,22S,2111/1S,2S,11,22 2 20",
    "11,1S,2,1S/2,1S,1S,2/1,111,2,211S/x3,12122 1 20",
    "x5/x5/x2,1,x2/x5/2,x4 1 2",
    "1,222,21,2/2S,111,22,2S/2S,x,2,1/211S,x,1,2S 2 20",
    "x5/x5/x5/x5/1,1,1,1,1 2 5",
    "x,1,1,1,1,2/x2,221C,2S,1,2/x,1,2,1,x,211112C/x,1,2,2,1,2/x,2,2,2S,1,2221/x,2,x,1,x,2 2 27",
    "x6/x6/x6/x6/2,2,2,2,x2/1,1,1,1,1,x 1 6",
    "2,x4,1/x2,2,1,x2/x,2,1C,2C,1,x/x,2,1,1,x2/x,1,2,x3/1,x4,2 1 9",
    "x7/x7/x3,1222222112C,x3/x7/x7/x7/x6,1 1 30",
    "x8/x8/x8/x3,12121212,x,1C,x2/x8/x3,2S,x4/x8/x6,2,x 2 40",
    "x8/x8/x8/x8/x8/x8/x8/x8 1 1",
];

/// Makes a session of the bytes, runs and checks it.
pub fn session(data: &[u8]) {
    let mut script = Script {
        source: Unstructured::new(data),
        text: Vec::new(),
        start: "startpos".to_owned(),
        game: start(Size::ALL[3]),
    };
    for _ in 0..MAX_COMMANDS {
        if script.source.is_empty() || script.command().is_err() {
            break;
        }
    }
    super::tei::session(&script.text);
}

fn start(size: Size) -> Game {
    Game::new(AnyPosition::start(size, Komi::ZERO))
}

struct Script<'a> {
    source: Unstructured<'a>,
    text: Vec<u8>,
    /// The start of the game, in the form of `position`.
    start: String,
    /// The game if the server has executed all commands so far, without komi and reserves.
    game: Game,
}

impl Script<'_> {
    fn say(&mut self, line: &str) {
        self.text.extend(line.as_bytes());
        self.text.push(b'\n');
    }

    fn command(&mut self) -> Result<()> {
        match self.source.int_in_range(0..=15)? {
            0 => {
                let word = self.source.choose(&["tei", "isready", "isready now", "", " \t"])?;
                self.say(word);
            }
            1 => self.say("stop"),
            2 | 3 => self.option()?,
            4 => self.new_game()?,
            5 => {
                self.start = String::from("startpos");
                self.game = start(self.game.position().size());
                self.position()?;
            }
            6 | 7 => {
                let tps = *self.source.choose(&POSITIONS)?;
                let position: AnyPosition = tps.parse().expect("a position");
                if self.source.ratio(1, 2)? {
                    self.say(&format!("teinewgame {}", position.size()));
                }
                self.start = format!("tps {tps}");
                self.game = Game::new(position);
                self.position()?;
            }
            8..=10 => self.position()?,
            11..=14 => self.go()?,
            _ => {
                let junk = self.source.arbitrary_len::<u8>()?.min(40);
                let junk = self.source.bytes(junk)?.to_vec();
                self.text.extend(junk);
                self.text.push(b'\n');
            }
        }
        Ok(())
    }

    fn option(&mut self) -> Result<()> {
        if self.source.ratio(1, 12)? {
            let line =
                *self.source.choose(&["name Clear Hash", "name clear hash value", "name Clear  HASH value x"])?;
            self.say(&format!("setoption {line}"));
            return Ok(());
        }
        let option = self.source.choose(&OPTIONS)?;
        let value = match self.source.int_in_range(0..=7)? {
            0 => option.text(option.min),
            1 => option.text(option.max),
            2 => option.text(option.min.saturating_sub(1)),
            3 => option.text(option.max.saturating_add(1)),
            4 => option.text(option.default),
            5 => self.source.choose(&[i64::MIN, i64::MAX, i64::from(i32::MIN)])?.to_string(),
            6 if option.words.is_empty() => {
                let ends = [".0", ".", "e0", ".5", "e400", "e-1", ".0.0"];
                format!("{}{}", self.source.int_in_range(option.min..=option.max)?, self.source.choose(&ends)?)
            }
            _ => option.text(self.source.int_in_range(option.min..=option.max)?),
        };
        self.say(&format!("setoption name {} value {value}", option.name));
        Ok(())
    }

    fn new_game(&mut self) -> Result<()> {
        let size = *self.source.choose(&Size::ALL)?;
        let line = match self.source.int_in_range(0..=3)? {
            0 => format!("teinewgame {size}"),
            1 => format!("teinewgame size {size}"),
            2 => format!("teinewgame size {size} halfkomi {}", self.source.int_in_range(-21..=21)?),
            _ => format!("teinewgame {}", self.source.arbitrary::<i16>()?),
        };
        self.say(&line);
        self.start = String::from("startpos");
        self.game = start(size);
        Ok(())
    }

    /// The game with a few more moves, as clients send it after each move, or a faulty variant.
    fn position(&mut self) -> Result<()> {
        for _ in 0..self.source.int_in_range(0..=12)? {
            let moves = self.game.position().legal_moves();
            if moves.is_empty() {
                break;
            }
            let mv = *self.source.choose(&moves)?;
            self.game.play(mv).expect("a legal move");
        }
        let mut line = format!("position {}", self.start);
        if !self.game.moves().is_empty() {
            line += " moves";
        }
        for &mv in self.game.moves() {
            line += " ";
            line += &mv.to_string();
        }
        if self.source.ratio(1, 8)? {
            line += self.source.choose(&[" a1", " Cc3", " 9a1>", " h8", " moves", " a1+ a2-", " --"])?;
        }
        self.say(&line);
        Ok(())
    }

    fn go(&mut self) -> Result<()> {
        const WORDS: [&str; 8] = ["wtime", "btime", "winc", "binc", "movestogo", "movetime", "depth", "nodes"];
        let mut words = vec!["go".to_owned()];
        match self.source.int_in_range(0..=5)? {
            // A search that ends by itself, so that there is a result to check.
            0 | 1 => words.push(format!("nodes {}", self.source.int_in_range(1..=1000)?)),
            2 => words.push(format!("depth {}", self.source.int_in_range(1..=2)?)),
            3 => words.push(format!("solved nodes {}", self.source.int_in_range(1..=1000)?)),
            4 => words.push("infinite".to_owned()),
            _ => {}
        }
        for _ in 0..self.source.int_in_range(0..=3)? {
            let word = *self.source.choose(&WORDS)?;
            let number = match self.source.int_in_range(0..=3)? {
                0 => self.source.int_in_range(0..=3)?,
                1 => *self.source.choose(&[i64::MAX, i64::MIN, 4_294_966_796, u32::MAX.into(), -1])?,
                2 => self.source.arbitrary::<i16>()?.into(),
                _ => self.source.arbitrary()?,
            };
            let end = *self.source.choose(&["", "", "", ".0", ".5", "e0", "e1", "e400", "e-3", "nan"])?;
            words.push(format!("{word} {number}{end}"));
        }
        if self.source.ratio(1, 4)? {
            let at = self.source.int_in_range(1..=words.len())?;
            let moves = self.searchmoves()?;
            words.insert(at, moves);
        }
        self.say(&words.join(" "));
        Ok(())
    }

    /// Some legal moves, and some that are not.
    fn searchmoves(&mut self) -> Result<String> {
        let mut words = "searchmoves".to_owned();
        let moves = self.game.position().legal_moves();
        for _ in 0..self.source.int_in_range(0..=4)? {
            let word = match self.source.int_in_range(0..=5)? {
                0 => (*self.source.choose(&["a1", "2a1", "h8", "x", "9a1>", "--", "a1,"])?).to_owned(),
                _ if moves.is_empty() => "b2".to_owned(),
                1 => format!("{}!", self.source.choose(&moves)?),
                _ => self.source.choose(&moves)?.to_string(),
            };
            words += " ";
            words += &word;
        }
        Ok(words)
    }
}
