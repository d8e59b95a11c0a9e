//! Reports and standings of tournaments of every kind, from no game to very many.

use super::data::{games, settings, sprt_settings};
use crate::support::review_page::check;
use tak_engine::arena::record::{GameRecord, Termination};
use tak_engine::arena::report;
use tak_engine::arena::tournament::settings::TournamentSettings;
use tak_engine::arena::tournament::standings::standings;
use tak_engine::arena::tournament::statistics::Statistics;

/// The page, after checks that hold for every page.
fn checked_page(settings: &TournamentSettings, games: &[GameRecord]) -> String {
    let page = report::page(settings, &Statistics::of(settings.engines.len(), games), games);
    check(&page);
    assert!(!page.contains("<script"), "nothing runs");
    page
}

#[test]
fn a_round_robin_has_every_part() {
    let settings = settings(&["topaz", "tiltak", "takkerus"], 20);
    let games = games(&settings);
    let page = checked_page(&settings, &games);
    assert_eq!(page.matches("<svg ").count(), 4);
    assert_eq!(page.matches("<details ").count(), 60);
    for pairing in ["games-0-1", "games-0-2", "games-1-2"] {
        assert_eq!(page.matches(&format!("href=\"#{pairing}\"")).count(), 2);
    }
    assert!(page.contains("[Player1 &quot;topaz&quot;]"));
    assert!(page.contains("60 of 60 games"));
    assert!(!page.contains("Sequential test"));
}

#[test]
fn a_test_shows_its_ratio() {
    let settings = sprt_settings(400);
    let games = games(&settings);
    let page = checked_page(&settings, &games);
    assert_eq!(page.matches("<svg ").count(), 5);
    let pairs = Statistics::of(2, &games).total(0).pairs;
    let llr = settings.sprt.unwrap().log_likelihood_ratio(pairs);
    assert!(page.contains(&format!("LLR {llr:.2} (-2.94, 2.94)")));
}

#[test]
fn any_number_of_games_makes_a_page() {
    let settings = sprt_settings(20);
    let all = games(&settings);
    assert!(checked_page(&settings, &[]).contains("No game is over yet"));
    for count in 1..=4 {
        let page = checked_page(&settings, &all[..count]);
        assert_eq!(page.matches("<details ").count(), count);
    }
    // An engine that wins everything has no finite Elo.
    let mut won: Vec<GameRecord> = all.clone();
    for game in &mut won {
        let winner = if game.pairing.white == 0 { "\"1-0\"" } else { "\"0-1\"" };
        game.result = serde_json::from_str(winner).unwrap();
    }
    assert!(checked_page(&settings, &won).contains("+inf ± ?"));
}

#[test]
fn many_games_do_not_make_a_huge_page() {
    let settings = sprt_settings(20_000);
    let mut games = games(&settings);
    for game in &mut games {
        game.moves.truncate(30);
    }
    let page = checked_page(&settings, &games);
    assert_eq!(page.matches("<details ").count(), 500);
    assert!(page.contains("500 of 20000 games, those with faults first"));
    assert!(page.len() < 3_000_000, "{} bytes", page.len());
}

#[test]
fn scores_are_compared_with_the_results_of_their_engine() {
    let settings = sprt_settings(100);
    let mut games = games(&settings);
    for (number, game) in games.iter_mut().enumerate() {
        // The first engine wins seven of ten games, and always says that it is a flat ahead.
        let is_white = game.pairing.white == 0;
        let result = if (number % 10 < 7) == is_white { "\"1-0\"" } else { "\"0-1\"" };
        game.result = serde_json::from_str(result).unwrap();
        game.termination = Termination::Road;
        // As many scores in every game.
        game.moves.truncate(game.opening_plies + 6);
        for index in 0..game.moves.len() {
            let is_first = game.engine(game.mover(index)) == 0;
            game.moves[index].score_cp = Some(if is_first { 100 } else { -100 });
        }
    }
    let scales = |games: &[GameRecord]| {
        let statistics = Statistics::of(2, games);
        [0, 1].map(|engine| statistics.score_scale(engine).map(f64::round))
    };
    // 100 / ln(0.7 / 0.3)
    assert_eq!(scales(&games), [Some(118.0); 2]);
    assert_eq!(scales(&games[..99]), [None; 2]);
    for game in &mut games {
        game.termination = Termination::ResignAdjudication;
    }
    assert_eq!(scales(&games), [None; 2]);
}

#[test]
fn many_engines_fit() {
    let names: Vec<String> = (0..40).map(|number| format!("engine-{number}")).collect();
    let names: Vec<&str> = names.iter().map(String::as_str).collect();
    let settings = settings(&names, 2);
    let games = games(&settings);
    let page = checked_page(&settings, &games);
    assert!(page.contains("Only the first 24 engines have a column"));
    let text = standings(&settings, &Statistics::of(40, &games));
    assert!(text.contains("engine-39"));
}

#[test]
fn hostile_texts_stay_texts() {
    let hostile = "</svg><script>alert('1')</script>\u{1b}[31m\"&";
    let mut settings = settings(&[hostile, "b", "c"], 2);
    settings.engines[1].time = hostile.to_owned();
    settings.engines[2].settings = hostile.to_owned();
    settings.openings_hash = hostile.to_owned();
    settings.rules.insert(hostile.to_owned(), hostile.to_owned());
    let mut games = games(&settings);
    games[0].detail = Some(hostile.to_owned());
    games[1].start_tps = hostile.to_owned();
    games[2].moves[0].mv = hostile.to_owned();
    games[3].moves[5].pv = Some(hostile.to_owned());
    let page = checked_page(&settings, &games);
    assert!(page.contains("&lt;script&gt;"));
    assert!(!page.contains('\u{1b}'));
    let text = standings(&settings, &Statistics::of(3, &games));
    assert!(!text.contains('\u{1b}'), "{text}");
}

/// Every figure follows from the six games by hand: Elo +338.0, for example, is 400 log10(7) for a score of 7/8.
#[test]
fn standings_of_a_small_tournament() {
    let settings = settings(&["ape", "bee", "cat"], 2);
    let mut games = games(&settings);
    let results = ["1-0", "0-1", "1-0", "1/2-1/2", "0-1", "0-1"];
    let ends = ["road", "road", "flats-reserves", "flats-board-full", "crash", "road"];
    for ((game, result), end) in games.iter_mut().zip(results).zip(ends) {
        game.result = serde_json::from_str(&format!("\"{result}\"")).unwrap();
        game.termination = serde_json::from_str(&format!("\"{end}\"")).unwrap();
        game.moves.truncate(6);
        for mv in &mut game.moves[2..] {
            mv.time_us = 10_000;
            mv.depth = Some(4);
            mv.nodes = Some(500);
        }
    }
    let statistics = Statistics::of(3, &games);
    let text = standings(&settings, &statistics);
    let expected = "\
6x6, komi 2, tc=10+0.1, round-robin of 3 engines: 6 of 6 games

engine  games   score   results            Elo            nElo      LOS
ape         4  87.5 %  +3 =1 -0     +338.0 ± ?  +737.0 ± 340.5  100.0 %
cat         4  37.5 %  +1 =1 -2  -88.7 ± 136.3  -245.7 ± 340.5    7.9 %
bee         4  25.0 %  +1 =0 -3     -190.8 ± ?  -245.7 ± 340.5    7.9 %

engine     pairs 0 to 2   draws  as White  as Black
ape     [0, 0, 0, 1, 1]  25.0 %   100.0 %    75.0 %
cat     [0, 1, 1, 0, 0]  25.0 %    25.0 %    50.0 %
bee     [1, 0, 1, 0, 0]   0.0 %     0.0 %    50.0 %

   points against      1      2    3
1  ape                 -  1.5/2  2/2
2  cat             0.5/2      -  1/2
3  bee               0/2    1/2    -

White +2 =1 -3 (41.7 %), mean length 6.0 plies
how games ended     games   share  White  drawn  Black
road                    3  50.0 %      1      0      2
flats (board full)      1  16.7 %      0      1      0
flats (reserves)        1  16.7 %      1      0      0
crash                   1  16.7 %      0      0      1
fault of bee: crash, once

engine  moves  mean depth  nodes/s  mean ms  longest ms  total s  cp/e  faults
ape         8         4.0    50000    10.00        10.0      0.1     -       0
cat         8         4.0    50000    10.00        10.0      0.1     -       0
bee         8         4.0    50000    10.00        10.0      0.1     -       1
";
    assert_eq!(text, expected, "{text}");
}
