//! The `info` lines of an engine about the move that it is about to play.

use crate::tei::info::{Claim, Info, Rest};

/// Most characters kept of an error message.
const LONGEST_ERROR: usize = 200;

/// The last report about the best move in the `info` lines so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchInfo {
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
    /// The expected moves, in the engine's own words.
    pub pv: Option<String>,
    /// The engine's error message, for example about a position that it does not accept.
    pub error: Option<String>,
}

impl SearchInfo {
    /// Adds one more line. Values that it does not mention are kept. The exception is a `cp` score, which revokes an earlier
    /// claim: an engine that has proven a result repeats the claim after it.
    pub fn note(&mut self, info: Info) {
        // Only the best line of play belongs to the move.
        if info.multipv.is_some_and(|rank| rank != 1) {
            return;
        }
        if info.bound.is_none() {
            if info.cp.is_some() || info.solved.is_some() {
                self.solved = info.solved;
            }
            self.score_cp = info.cp.or(self.score_cp);
        }
        self.depth = info.depth.or(self.depth);
        self.seldepth = info.seldepth.or(self.seldepth);
        self.nodes = info.nodes.or(self.nodes);
        match info.rest {
            Some(Rest::Pv(moves)) => self.pv = Some(moves),
            Some(Rest::Error(text)) => {
                self.error = Some(text.chars().take(LONGEST_ERROR).collect());
            }
            Some(Rest::Text(_)) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tei::reply::{self, Reply};

    fn read(lines: &[&str]) -> SearchInfo {
        let mut search_info = SearchInfo::default();
        for line in lines {
            match reply::parse(&format!("info {line}")) {
                Ok(Reply::Info(info)) => search_info.note(info),
                other => panic!("{line}: {other:?}"),
            }
        }
        search_info
    }

    fn claim(result: &str, plies: u32) -> Option<Claim> {
        Claim::new(result, plies)
    }

    #[test]
    fn the_last_word_counts() {
        let search_info = read(&[
            "depth 3 seldepth 5 nodes 100 score cp 20 pv a1 b2",
            "depth 4 nodes 300 time 5 score cp -7 pv c3",
            "currmove a1",
        ]);
        assert_eq!(
            search_info,
            SearchInfo {
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
    fn a_claim_lasts_until_a_score_without_one() {
        let both = read(&["score cp 29000 pv a1", "score solved win 3 pv a1"]);
        assert_eq!((both.score_cp, both.solved), (Some(29000), claim("win", 3)));
        let repeated = read(&["score solved win 3", "depth 9 nodes 5"]);
        assert_eq!(repeated.solved, claim("win", 3));
        let taken_back = read(&["score solved win 3", "score cp 10"]);
        assert_eq!(taken_back.solved, None);
        let drawn = read(&["score cp 10", "score solved draw 3"]);
        assert_eq!((drawn.score_cp, drawn.solved), (Some(10), claim("draw", 3)));
    }

    #[test]
    fn other_lines_bounds_and_nonsense_do_not_count() {
        let search_info = read(&[
            "multipv 1 score cp 5 pv a1",
            "multipv 2 score cp 1 depth 9 pv b1",
            "score cp 900 lowerbound",
            "score",
            "score cp",
            "score cp x nodes -1 depth 1e9 pv",
            "string score cp 3",
            "error no position: score cp 4",
        ]);
        assert_eq!(search_info.score_cp, Some(5));
        assert_eq!(search_info.error.as_deref(), Some("no position: score cp 4"));
        assert_eq!((search_info.depth, search_info.nodes), (None, None));
        assert_eq!(search_info.pv.as_deref(), Some("a1"));
        assert_eq!(read(&["score cp 99999999999"]).score_cp, Some(i32::MAX));
        let long = read(&[&format!("error {}", "x".repeat(1000))]);
        assert_eq!(long.error.map(|text| text.len()), Some(LONGEST_ERROR));
    }
}
