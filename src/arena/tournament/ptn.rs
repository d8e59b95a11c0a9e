//! Games as PTN, with comments from which PTN Ninja draws its evaluation graph.

use super::settings::TournamentSettings;
use crate::arena::record::{GameRecord, GameResult, MoveRecord, Termination};
use crate::board::{Color, Komi, Setup};
use crate::notation::{EngineComment, PtnGame, PtnMove, SetupTextError, opening_tag, parse_move};

/// The PTN form of a game.
///
/// # Errors
/// If the record's first position cannot be read. A move that cannot be read ends the moves.
pub fn ptn_game(settings: &TournamentSettings, record: &GameRecord) -> Result<PtnGame, SetupTextError> {
    let komi = Komi::from_half(settings.half_komi.into()).unwrap_or_default();
    let start = Setup { komi, opening: settings.opening_rule, ..record.start_tps.parse::<Setup>()? };
    let moves = record.moves.iter().enumerate().map_while(|(index, played)| {
        let comment = (index >= record.opening_plies).then(|| comment(record.mover(index), played));
        Some(PtnMove { comments: comment.into_iter().collect(), ..parse_move(&played.mv, start.size).ok()?.into() })
    });
    Ok(PtnGame {
        tags: tags(settings, record, &start),
        moves: moves.collect(),
        result: Some(result_text(record).to_owned()),
        ..PtnGame::new(start)
    })
}

fn tags(settings: &TournamentSettings, record: &GameRecord, start: &Setup) -> Vec<(String, String)> {
    let date = record.started.get(..10).unwrap_or_default();
    let time = record.started.get(11..19).unwrap_or_default();
    let clock = |engine: usize| {
        let time = settings.engines.get(engine).map_or("", |engine| &engine.time);
        time.strip_prefix("tc=").unwrap_or(time).to_owned()
    };
    let (white, black) = (clock(record.pairing.white), clock(record.pairing.black));
    let clock = if white == black { white } else { format!("{white} against {black}") };
    let mut tags = vec![
        ("Event", format!("{} tournament", settings.format)),
        ("Site", "tak-engine".to_owned()),
        ("Date", date.replace('-', ".")),
        ("Time", time.to_owned()),
        ("Round", (record.pairing.game + 1).to_string()),
        ("Player1", settings.name(record.pairing.white).to_owned()),
        ("Player2", settings.name(record.pairing.black).to_owned()),
        ("Size", start.size.to_string()),
        ("Komi", start.komi.to_string()),
        ("Opening", opening_tag(start.opening).to_owned()),
        ("Clock", clock),
        ("Result", result_text(record).to_owned()),
        ("Termination", termination_text(record)),
    ];
    let empty = Setup { opening: start.opening, ..Setup::empty(start.size, start.komi) };
    if *start != empty {
        tags.push(("TPS", start.to_string()));
    }
    let owned = tags.into_iter();
    owned.map(|(name, value)| (name.to_owned(), value)).collect()
}

fn termination_text(record: &GameRecord) -> String {
    match &record.detail {
        Some(detail) => format!("{}: {detail}", record.termination),
        None => record.termination.to_string(),
    }
}

/// `R-0` and `F-0` for wins by the rules, `1-0` for any other.
fn result_text(record: &GameRecord) -> &'static str {
    let by_rules = match record.termination {
        Termination::Road => ("R-0", "0-R"),
        Termination::FlatsBoardFull | Termination::FlatsReserves => ("F-0", "0-F"),
        _ => ("1-0", "0-1"),
    };
    match record.result {
        GameResult::WhiteWin => by_rules.0,
        GameResult::BlackWin => by_rules.1,
        GameResult::Draw => "1/2-1/2",
    }
}

/// The comment to a move of `mover`, for example `cp:35 score:L6 +0.09/12 123456 nodes 900ms pv> c3 d4`, all from White's
/// view. It is about the position after the move, as far as the move is the one that the engine expected.
pub fn comment(mover: Color, played: &MoveRecord) -> String {
    let sign = if mover == Color::White { 1 } else { -1 };
    let pv = played.pv.as_deref().and_then(|pv| pv.split_once(' '));
    let comment = EngineComment {
        cp: played.score_cp.map(|cp| cp.saturating_mul(sign)),
        proven: played.solved.map(|claim| (claim.winner(mover), claim.plies())),
        depth: played.depth,
        nodes: played.nodes,
        ms: Some(played.time_us / 1000),
        pv: pv.map_or_else(String::new, |(_, rest)| rest.to_owned()),
        ..EngineComment::default()
    };
    comment.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::tei::info::Claim;

    fn played(score_cp: Option<i32>, solved: Option<Claim>) -> MoveRecord {
        MoveRecord {
            mv: "c3".into(),
            score_cp,
            solved,
            depth: Some(12),
            seldepth: Some(20),
            nodes: Some(1234),
            time_us: 900_000,
            pv: Some("c3 c4 2d4>11".into()),
        }
    }

    #[test]
    fn comments_are_from_whites_view() {
        let level = played(Some(40), None);
        assert_eq!(comment(Color::White, &level), "cp:40 +0.10/12 1234 nodes 900ms pv> c4 2d4>11");
        assert_eq!(comment(Color::Black, &level), "cp:-40 -0.10/12 1234 nodes 900ms pv> c4 2d4>11");
        let lost = played(Some(-29000), Claim::new("loss", 4));
        assert_eq!(comment(Color::Black, &lost), "cp:29000 score:W4 +1.00/12 1234 nodes 900ms pv> c4 2d4>11");
        let drawn = played(None, Claim::new("draw", 9));
        assert_eq!(comment(Color::Black, &drawn), "score:D9 +0.00/12 1234 nodes 900ms pv> c4 2d4>11");
        let silent = MoveRecord { time_us: 5_999, ..MoveRecord::default() };
        assert_eq!(comment(Color::White, &silent), "5ms");
    }
}
