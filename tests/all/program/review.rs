//! The page about annotated games, by the real program.

use crate::folder::Folder;
use crate::support::review_page::{self, RESULTS, games, games_with_results, page};

/// Checks a page whose one script sorts tables.
fn check(page: &str) {
    review_page::check(page);
    assert!(page.contains("href=\"#") && page.matches("<script").count() == 1);
    assert!(page.split_once("</script>").unwrap().1.starts_with("</main>"));
}

#[test]
fn every_move_of_one_game_has_its_diagram() {
    let folder = Folder::new("review-one");
    let ptn = games(4).split("\n\n[").last().map(|game| format!("[{game}")).unwrap();
    let page = page(&folder, &ptn);
    check(&page);
    let plies = page.matches("<a class=\"point").count();
    assert!(plies >= 20, "{plies}");
    assert_eq!(page.matches("<figure class=\"board").count(), plies + 1);
    for ply in 1..=plies {
        assert_eq!(page.matches(&format!("id=\"g1p{ply}\"")).count(), 1);
        // From the graph, from the list of moves, and from the neighbours.
        assert!(page.matches(&format!("href=\"#g1p{ply}\"")).count() >= 3);
    }
    assert!(page.contains("id=\"g1end\"") && !page.contains("table class=\"sortable\""));
}

#[test]
fn many_games_have_tables_and_turning_points() {
    let folder = Folder::new("review-many");
    let page = page(&folder, &games(30));
    check(&page);
    assert_eq!(page.matches("table class=\"sortable\"").count(), 2);
    assert_eq!(page.matches("<section class=\"game\"").count(), 30);
    assert!(page.contains("&lt;/svg&gt;&lt;script&gt;"));
    // The games after the first have diagrams of their turning points only.
    let figures = |game: u64| page.matches(&format!("id=\"g{game}p")).count();
    assert!(figures(1) >= 5 && figures(30) <= 6, "{} {}", figures(1), figures(30));
}

#[test]
fn scores_and_results_have_sort_keys() {
    let folder = Folder::new("review-sorted");
    let page = page(&folder, &games_with_results());
    check(&page);
    for score in [
        "data-sort=\"1\">1/1<",
        "data-sort=\"0.5\">½/1<",
        "data-sort=\"0.375\">3/8<",
        "data-sort=\"0\">0/1<",
        "<td class=\"text name\"><bdi>Open</bdi></td><td>1</td><td>–<",
    ] {
        assert_eq!(page.matches(score).count(), 1, "{score}");
    }
    for (_, _, result) in RESULTS {
        let worth = match result {
            "1-0" | "R-0" | "F-0" => " data-sort=\"1\"",
            "0-1" | "0-R" | "0-F" => " data-sort=\"0\"",
            "1/2-1/2" => " data-sort=\"0.5\"",
            _ => "",
        };
        let cell = format!("<td class=\"text\"{worth}><bdi>{result}<");
        assert!(page.contains(&cell), "{cell}");
    }
}
