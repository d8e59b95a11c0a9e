//! The `info` lines of an engine: what it claims of the move it is about to play.

use super::record::Claim;

/// What is kept of a complaint, in characters.
const LONGEST_ERROR: usize = 200;

/// What the lines so far said of the best move.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Info {
    /// Plies.
    pub depth: Option<u32>,
    /// Plies of the longest line.
    pub seldepth: Option<u32>,
    /// Positions searched.
    pub nodes: Option<u64>,
    /// Centiflats for the player to move.
    pub score_cp: Option<i32>,
    /// A result claimed as proven, for the player to move.
    pub solved: Option<Claim>,
    /// The expected line, in the engine's own words.
    pub pv: Option<String>,
    /// What it complained of, such as a position that it does not take.
    pub error: Option<String>,
}

impl Info {
    /// Takes in the words after `info`. What a line does not mention stays as it was, except that a `cp` score takes
    /// back an earlier claim: an engine that has proven a result repeats the claim after it.
    pub fn read(&mut self, line: &str) {
        let mut words = line.split_ascii_whitespace();
        let mut next = Self::default();
        let mut bound = false;
        while let Some(word) = words.next() {
            match word {
                "multipv" => {
                    // Only the best line belongs to the move.
                    let is_best = words.next() == Some("1");
                    if !is_best {
                        return;
                    }
                }
                "depth" => next.depth = words.next().and_then(|word| word.parse().ok()),
                "seldepth" => next.seldepth = words.next().and_then(|word| word.parse().ok()),
                "nodes" => next.nodes = words.next().and_then(|word| word.parse().ok()),
                "lowerbound" | "upperbound" => bound = true,
                "score" => match (words.next(), words.next()) {
                    (Some("cp"), Some(value)) => next.score_cp = parse_cp(value),
                    (Some("mate"), Some(plies)) => next.solved = parse_mate(plies),
                    (Some("solved"), Some(result)) => {
                        next.solved = parse_claim(result, words.next());
                    }
                    (Some(result), plies) => next.solved = parse_claim(result, plies),
                    (None, _) => {}
                },
                "pv" => {
                    let moves: Vec<&str> = words.by_ref().collect();
                    next.pv = Some(moves.join(" ")).filter(|moves| !moves.is_empty());
                }
                "error" => {
                    let text: Vec<&str> = words.by_ref().collect();
                    next.error = Some(text.join(" ").chars().take(LONGEST_ERROR).collect());
                }
                "string" => break,
                _ => {}
            }
        }
        if !bound {
            if next.score_cp.is_some() || next.solved.is_some() {
                self.solved = next.solved;
            }
            self.score_cp = next.score_cp.or(self.score_cp);
        }
        self.depth = next.depth.or(self.depth);
        self.seldepth = next.seldepth.or(self.seldepth);
        self.nodes = next.nodes.or(self.nodes);
        self.pv = next.pv.or(self.pv.take());
        self.error = next.error.or(self.error.take());
    }
}

/// Some engines write wins as numbers beyond any evaluation; they are kept within 32 bits.
fn parse_cp(text: &str) -> Option<i32> {
    let value: i64 = text.parse().ok()?;
    Some(value.clamp(i32::MIN.into(), i32::MAX.into()) as i32)
}

fn parse_claim(result: &str, plies: Option<&str>) -> Option<Claim> {
    let plies = plies?.parse().ok()?;
    match result {
        "win" => Some(Claim::Win(plies)),
        "loss" => Some(Claim::Loss(plies)),
        "draw" => Some(Claim::Draw(plies)),
        _ => None,
    }
}

/// `mate 3` wins, `mate -3` loses. Engines do not agree on plies or moves here; the number is kept as it is.
fn parse_mate(text: &str) -> Option<Claim> {
    let distance: i32 = text.parse().ok()?;
    Some(if text.starts_with('-') {
        Claim::Loss(distance.unsigned_abs())
    } else {
        Claim::Win(distance.unsigned_abs())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(lines: &[&str]) -> Info {
        let mut info = Info::default();
        for line in lines {
            info.read(line);
        }
        info
    }

    #[test]
    fn the_last_word_counts() {
        let info = read(&[
            "depth 3 seldepth 5 nodes 100 score cp 20 pv a1 b2",
            "depth 4 nodes 300 time 5 score cp -7 pv c3",
            "currmove a1",
        ]);
        assert_eq!(
            info,
            Info {
                depth: Some(4),
                seldepth: Some(5),
                nodes: Some(300),
                score_cp: Some(-7),
                solved: None,
                pv: Some("c3".into()),
                error: None,
            }
        );
    }

    #[test]
    fn claims_of_all_dialects_are_read() {
        let solved = |line| read(&[line]).solved;
        assert_eq!(solved("score solved win 5 pv a1"), Some(Claim::Win(5)));
        assert_eq!(solved("score solved draw 9"), Some(Claim::Draw(9)));
        assert_eq!(solved("score loss 4"), Some(Claim::Loss(4)));
        assert_eq!(solved("score mate -3"), Some(Claim::Loss(3)));
        assert_eq!(solved("score mate 2"), Some(Claim::Win(2)));
        let both = read(&["score cp 29000 pv a1", "score solved win 3 pv a1"]);
        assert_eq!(
            (both.score_cp, both.solved),
            (Some(29000), Some(Claim::Win(3)))
        );
        let taken_back = read(&["score solved win 3", "score cp 10"]);
        assert_eq!(taken_back.solved, None);
    }

    #[test]
    fn other_lines_bounds_and_nonsense_do_not_count() {
        let info = read(&[
            "multipv 1 score cp 5 pv a1",
            "multipv 2 score cp 1 depth 9 pv b1",
            "score cp 900 lowerbound",
            "score",
            "score cp",
            "score cp x nodes -1 depth 1e9 pv",
            "string score cp 3",
            "error no position: score cp 4",
        ]);
        assert_eq!(info.score_cp, Some(5));
        assert_eq!(info.error.as_deref(), Some("no position: score cp 4"));
        assert_eq!((info.depth, info.nodes), (None, None));
        assert_eq!(info.pv.as_deref(), Some("a1"));
        assert_eq!(read(&["score cp 99999999999"]).score_cp, Some(i32::MAX));
    }
}
