//! The `info` lines of an engine about the move that it is about to play.

use crate::arena::record::MoveRecord;
use crate::tei::info::{Info, Rest};

/// Most characters kept of an error message.
const MAX_ERROR_CHARS: usize = 200;

/// The last report about the best move in the `info` lines so far.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct SearchInfo {
    /// The values reported, the expected moves in the engine's own words.
    pub said: MoveRecord,
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
        let said = &mut self.said;
        if info.bound.is_none() {
            if info.cp.is_some() || info.solved.is_some() {
                said.solved = info.solved;
            }
            said.score_cp = info.cp.or(said.score_cp);
        }
        said.depth = info.depth.or(said.depth);
        said.seldepth = info.seldepth.or(said.seldepth);
        said.nodes = info.nodes.or(said.nodes);
        match info.rest {
            Some(Rest::Pv(moves)) => said.pv = Some(moves),
            Some(Rest::Error(text)) => {
                self.error = Some(text.chars().take(MAX_ERROR_CHARS).collect());
            }
            Some(Rest::Text(_)) | None => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tei::info::Claim;
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

    #[test]
    fn the_last_word_counts() {
        let found = read(&[
            "depth 3 seldepth 5 nodes 100 score cp 20 pv a1 b2",
            "depth 4 nodes 300 time 5 score cp -7 pv c3",
            "currmove a1",
        ]);
        let said = MoveRecord {
            depth: Some(4),
            seldepth: Some(5),
            nodes: Some(300),
            score_cp: Some(-7),
            pv: Some("c3".into()),
            ..MoveRecord::default()
        };
        assert_eq!(found, SearchInfo { said, error: None });
    }

    #[test]
    fn a_claim_lasts_until_a_score_without_one() {
        let win = Claim::new("win", 3);
        for (lines, score, claim) in [
            (["score cp 29000 pv a1", "score solved win 3 pv a1"], Some(29000), win),
            (["score solved win 3", "depth 9 nodes 5"], None, win),
            (["score solved win 3", "score cp 10"], Some(10), None),
            (["score cp 10", "score solved draw 3"], Some(10), Claim::new("draw", 3)),
        ] {
            let found = read(&lines).said;
            assert_eq!((found.score_cp, found.solved), (score, claim), "{lines:?}");
        }
    }

    #[test]
    fn other_lines_bounds_and_nonsense_do_not_count() {
        let SearchInfo { said, error } = read(&[
            "multipv 1 score cp 5 pv a1",
            "multipv 2 score cp 1 depth 9 pv b1",
            "score cp 900 lowerbound",
            "score",
            "score cp",
            "score cp x nodes -1 depth 1e9 pv",
            "string score cp 3",
            "error no position: score cp 4",
        ]);
        assert_eq!(said, MoveRecord { score_cp: Some(5), pv: Some("a1".into()), ..MoveRecord::default() });
        assert_eq!(error.as_deref(), Some("no position: score cp 4"));
        let long = read(&[&format!("error {}", "x".repeat(1000))]);
        assert_eq!(long.error.map(|text| text.len()), Some(MAX_ERROR_CHARS));
    }
}
