//! PTN Ninja: the lines that its version 3.5.5 sent from a browser to this program.

use super::serving::{Serving, Socket};
use crate::page::GAME;

/// The options that "Apply Options" sends: all that it shows, as they are.
const OPTIONS: [&str; 13] = [
    "Opening value swap",
    "Hash value 4",
    "Threads value 1",
    "Ponder value false",
    "MoveOverhead value 10",
    "Repetitions value 3",
    "Level value 0",
    "LimitStrength value false",
    "Elo value 3334",
    "Seed value 0",
    "Flatstones value 0",
    "Capstones value -1",
    "MultiPV value 3",
];

/// PTN Ninja, connected, from its own site or from a copy on this computer.
struct Ninja(Socket);

impl Ninja {
    fn connect(serving: &Serving, origin: &str) -> Self {
        let mut ninja = Self(serving.try_socket("/", Some(origin)).unwrap());
        ninja.0.send("tei");
        let lines = ninja.0.until("teiok").join("\n");
        assert!(lines.lines().any(|line| line.starts_with("size 3 4 5 6 7 8 halfkomi")));
        for option in OPTIONS {
            let name = option.split(' ').next().unwrap();
            assert!(lines.contains(&format!("option name {name} ")), "{name}");
            ninja.0.send(&format!("setoption name {option}"));
        }
        ninja.ready();
        ninja
    }

    /// Nothing but the answer comes: nothing before was refused.
    fn ready(&mut self) {
        self.0.send("isready");
        assert_eq!(self.0.until("readyok"), ["readyok"]);
    }

    fn begin(&mut self, game: &str) {
        self.0.send(&format!("teinewgame {game}"));
        self.ready();
    }

    /// `moves` only where there are any.
    fn position(&mut self, moves: &[&str]) {
        self.0.send(&match moves {
            [] => "position startpos".to_owned(),
            _ => format!("position startpos moves {}", moves.join(" ")),
        });
    }

    /// All that is said until the search ends.
    fn go(&mut self, limit: &str) -> Vec<String> {
        self.0.send(&format!("go {limit}"));
        self.0.until("bestmove")
    }

    /// As [`go`](Self::go), where everything is well.
    fn analyse(&mut self, limit: &str) -> Vec<String> {
        let said = self.go(limit);
        assert!(said.iter().all(|text| !text.contains("error") && !text.contains("bestmove --")), "{said:?}");
        said
    }
}

/// Connect, options, "Analyze Position", interactive analysis with fast steps, "Analyze Game", and a second connection.
#[test]
fn ptn_ninja_is_served() {
    let serving = Serving::start(&[]);
    for origin in ["https://ptn.ninja", "http://localhost:8080"] {
        let mut ninja = Ninja::connect(&serving, origin);
        ninja.begin("size 5 halfkomi 4");
        ninja.position(&["a1", "e5", "c3"]);
        let said = ninja.analyse("nodes 2000");
        // All lines of one depth come together, with it none of another.
        for report in said.iter().filter(|text| text.starts_with("info")) {
            let depths: Vec<&str> = report.lines().map(|line| line.split(' ').nth(2).unwrap()).collect();
            assert_eq!(depths, vec![depths[0]; 3], "{report}");
        }
        // Interactive: at each step it says stop, however often, and continues at its step when the answer comes.
        let moves: Vec<&str> = GAME.split(' ').collect();
        for at in [3, 7, 1, 9] {
            ninja.position(&moves[..at]);
            ninja.0.send("go infinite");
            for _ in 0..4 {
                ninja.0.send("stop");
            }
            ninja.0.until("bestmove");
        }
        ninja.0.send("stop");
        // One search after the other, each when the one before is done. The last position is over, and skipped.
        for at in 0..moves.len() {
            ninja.position(&moves[..at]);
            let said = ninja.analyse("movetime 20");
            // Of a proven result the two lines come as one message, which its timer cannot split.
            let split = |text: &&String| text.contains("score solved") && !text.contains('\n');
            assert_eq!(said.iter().find(split), None);
        }
        // A position alone comes as a TPS, here of another board, and its piece counts as options.
        ninja.0.send("setoption name Flats value 20");
        ninja.ready();
        ninja.0.send("position tps x6/x6/x6/x6/x6/2,x4,1 1 2");
        ninja.analyse("movetime 50");
    }
}

/// "Analyze Game" right after a change of the board sends no `teinewgame`, and nothing afterwards does until PTN Ninja is
/// connected again. Moves that the board of the engine has no room for begin a game on the next that has.
#[test]
fn ptn_ninja_sends_nothing_for_another_board() {
    let serving = Serving::start(&[]);
    let mut ninja = Ninja::connect(&serving, "https://ptn.ninja");
    ninja.begin("size 5 halfkomi 4");
    ninja.position(&["a1", "e5"]);
    ninja.analyse("movetime 20");
    ninja.position(&["a1", "f6"]);
    let said = ninja.go("movetime 20");
    let note =
        r#"info error move 2: invalid move "f6": square f6 is not on a 5x5 board: taken as a new game of size 6"#;
    assert_eq!(said[0], note);
    assert!(said.last().unwrap().starts_with("bestmove ") && !said.contains(&"bestmove --".to_owned()), "{said:?}");
    ninja.position(&["a1", "f6", "c3"]);
    ninja.analyse("movetime 20");
}
