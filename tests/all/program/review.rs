//! The page about annotated games, by the real program, and in a real browser where there is one.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use crate::chromium::chromium;
use crate::playout::game_of;
use tak_engine::board::Size;

fn folder(name: &str) -> PathBuf {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("review").join(name);
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

const HOSTILE: &str = "</svg><script>alert(1)</script>&'";

/// Games of random moves on all sizes, with names that must stay texts.
fn games(count: u64) -> String {
    let mut ptn = String::new();
    for seed in 0..count {
        let size = Size::ALL[seed as usize % Size::ALL.len()];
        let game = game_of(size, 24, seed);
        let (one, other) = ["Ann", HOSTILE, "Dee"].split_at(seed as usize % 3);
        let names = [other, one].concat();
        write!(
            ptn,
            "[Player1 \"{}\"]\n[Player2 \"{}\"]\n[Size \"{size}\"]\n[Komi \"{}\"]\n",
            names[0],
            names[1],
            game.position().komi()
        )
        .unwrap();
        for (ply, mv) in game.moves().iter().enumerate() {
            let number = ply / 2 + 1;
            let start = if ply % 2 == 0 { format!("\n{number}. ") } else { " ".to_owned() };
            write!(ptn, "{start}{mv}").unwrap();
        }
        ptn.push_str(" *\n\n");
    }
    ptn
}

/// The page about these games.
fn page(folder: &Path, ptn: &str) -> String {
    fs::write(folder.join("games.ptn"), ptn).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tak-engine"))
        .args(["annotate", "games.ptn", "--nodes", "150", "--report", "review.html"])
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    fs::read_to_string(folder.join("review.html")).unwrap()
}

/// What every page must be, whatever is in it.
fn check(page: &str) {
    assert!(page.starts_with("<!DOCTYPE html>") && page.ends_with("</html>\n"));
    for tag in ["section", "table", "figure", "svg", "a", "g", "ol", "li", "p", "tr", "script"] {
        let opened = page.matches(&format!("<{tag}>")).count() + page.matches(&format!("<{tag} ")).count();
        assert_eq!(opened, page.matches(&format!("</{tag}>")).count(), "{tag}");
    }
    // Nothing is fetched, and one script sorts tables.
    let (before, script) = page.split_once("<script>").unwrap();
    assert!(script.split_once("</script>").unwrap().1.starts_with("</main>"));
    let without_format = before.replace("xmlns=\"http://www.w3.org/2000/svg\"", "");
    for forbidden in ["http:", "https:", "<link", "<img", "@import", "url(", "NaN"] {
        assert!(!without_format.contains(forbidden), "{forbidden}");
    }
    assert_eq!(page.matches("<script").count(), 1);
    let names = |start: &str| -> Vec<&str> {
        let parts = page.split(start).skip(1);
        parts.filter_map(|rest| rest.split('"').next()).collect()
    };
    let mut ids = names(" id=\"");
    let links = names("href=\"#");
    ids.sort_unstable();
    assert!(ids.windows(2).all(|pair| pair[0] != pair[1]), "an id is there twice");
    assert!(!links.is_empty());
    for link in links {
        assert!(ids.binary_search(&link).is_ok(), "#{link} leads nowhere");
    }
}

#[test]
fn every_move_of_one_game_has_its_diagram() {
    let folder = folder("one");
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
    let folder = folder("many");
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
fn a_page_that_cannot_be_written_is_told_before_any_work() {
    let folder = folder("refused");
    fs::write(folder.join("games.ptn"), games(1)).unwrap();
    let output = Command::new(env!("CARGO_BIN_EXE_tak-engine"))
        .args(["annotate", "games.ptn", "--time", "3600s"])
        .args(["--report", "no/such/review.html"])
        .current_dir(&folder)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(told.contains("cannot write no/such/review.html"), "{told}");
    assert!(output.stdout.is_empty());
}

/// Put into a page: tells the window around it what it looks like, and whether its parts work.
const WITNESS: &str = r#"<script>
addEventListener("load", () => {
  const told = {};
  told.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const cells = () => [...document.querySelectorAll("table.sortable")].map(
    table => [...table.tBodies[0].rows].map(row => row.cells[0].textContent).join());
  const before = cells();
  document.querySelectorAll("table.sortable thead th:first-child button").forEach(button => button.click());
  told.sorted = cells().every((order, table) => order === before[table].split(",").sort(
    (a, b) => parseFloat(b) - parseFloat(a) || b.localeCompare(a)).join());
  const point = document.querySelector("a.point.plain");
  location.hash = point.getAttribute("href");
  requestAnimationFrame(() => {
    const shown = document.querySelector(":target");
    told.shown = Math.round(shown ? shown.getBoundingClientRect().height : 0) > 100;
    told.drawn = [...document.querySelectorAll("figure.turn svg.tak")].every(
      svg => svg.getBoundingClientRect().width > 150 && svg.getBBox().width > 300);
    parent.postMessage(JSON.stringify(told), "*");
  });
});
</script>"#;

/// Put into a page: presses two headings, and tells what is in their columns then.
const SORTER: &str = r#"<script>
addEventListener("load", () => {
  const told = ["score", "result"].map(name => {
    const heads = [...document.querySelectorAll("table.sortable th")];
    const head = heads.find(head => head.textContent === name);
    head.querySelector("button").click();
    const rows = [...head.closest("table").tBodies[0].rows];
    return rows.map(row => row.cells[head.cellIndex].textContent).join(" ");
  });
  parent.postMessage(told.join(", "), "*");
});
</script>"#;

/// Loads a page as wide as this in the browser: what the witness in it says, and what the browser complains of.
fn look(browser: &Path, folder: &Path, page: &str, witness: &str, width: u32) -> (String, Vec<String>) {
    let page = page.replacen("</head>", &format!("{witness}</head>"), 1);
    fs::write(folder.join("witnessed.html"), page).unwrap();
    // In a window of its own a page cannot be narrower than the browser wants.
    let around = format!(
        "<!DOCTYPE html><meta charset=\"utf-8\"><pre>nothing</pre><script>\
         addEventListener('message', message => document.querySelector('pre').textContent = message.data)\
         </script><iframe src=\"witnessed.html\" style=\"width:{width}px;height:800px;border:0\"></iframe>"
    );
    let file = folder.join("around.html");
    fs::write(&file, around).unwrap();
    let output: Output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--no-first-run"])
        .args(["--enable-logging=stderr", "--virtual-time-budget=10000", "--dump-dom"])
        .arg(format!("--user-data-dir={}", folder.join("profile").display()))
        .arg(format!("--window-size={},900", width.max(1200) + 50))
        .arg(format!("file://{}", file.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{output:?}");
    let dom = String::from_utf8_lossy(&output.stdout);
    let told = dom.split("<pre>").nth(1).and_then(|rest| rest.split("</pre>").next());
    let errors = String::from_utf8_lossy(&output.stderr);
    let complaints = errors.lines().filter(|line| line.contains("CONSOLE"));
    (told.expect("the page around").to_owned(), complaints.map(str::to_owned).collect())
}

#[test]
fn a_browser_shows_it_without_errors_and_overflow() {
    let Some(browser) = chromium() else {
        return;
    };
    let folder = folder("browser");
    let page = page(&folder, &games(8));
    for width in [1200, 380] {
        let (told, complaints) = look(&browser, &folder, &page, WITNESS, width);
        assert_eq!(complaints, [""; 0], "at {width} pixels");
        assert_eq!(told, "{\"wide\":0,\"sorted\":true,\"shown\":true,\"drawn\":true}", "at {width} pixels");
    }
    // What this test looks for is found where it is.
    let broken = page.replacen("<main>", "<main><p style=\"width:1500px\">wide</p>", 1).replacen(
        "for (const table",
        "missing(); for (const table",
        1,
    );
    let (told, complaints) = look(&browser, &folder, &broken, WITNESS, 380);
    assert!(complaints.iter().any(|line| line.contains("missing")), "{complaints:?}");
    assert!(told.starts_with("{\"wide\":11") && told.contains("\"sorted\":false"), "{told}");
}

#[test]
fn scores_and_results_are_sorted_by_what_they_are_worth() {
    let results = [
        ("Once", "Rest", "1-0"),
        ("Rest", "Even", "1/2-1/2"),
        ("Never", "Rest", "0-1"),
        ("Often", "Rest", "R-0"),
        ("Often", "Rest", "R-0"),
        ("Rest", "Often", "F-0"),
        ("Rest", "Often", "0-R"),
        ("Often", "Rest", "0-F"),
        ("Often", "Rest", "0-R"),
        ("Often", "Rest", "0-R"),
        ("Often", "Rest", "0-R"),
        ("Open", "Rest", "*"),
    ];
    let ptn: Vec<String> = results
        .iter()
        .map(|(white, black, result)| {
            format!("[Player1 \"{white}\"]\n[Player2 \"{black}\"]\n[Size \"5\"]\n\n1. a1 e5 {result}\n")
        })
        .collect();
    let folder = folder("sorted");
    let page = page(&folder, &ptn.join("\n"));
    check(&page);
    for score in [
        "data-sort=\"1\">1/1<",
        "data-sort=\"0.5\">½/1<",
        "data-sort=\"0.375\">3/8<",
        "data-sort=\"0\">0/1<",
        "<td class=\"text name\">Open</td><td>1</td><td>–<",
    ] {
        assert_eq!(page.matches(score).count(), 1, "{score}");
    }
    for (_, _, result) in results {
        let worth = match result {
            "1-0" | "R-0" | "F-0" => " data-sort=\"1\"",
            "0-1" | "0-R" | "0-F" => " data-sort=\"0\"",
            "1/2-1/2" => " data-sort=\"0.5\"",
            _ => "",
        };
        let cell = format!("<td class=\"text\"{worth}>{result}<");
        assert!(page.contains(&cell), "{cell}");
    }
    let Some(browser) = chromium() else {
        return;
    };
    let (told, complaints) = look(&browser, &folder, &page, SORTER, 1200);
    assert_eq!(complaints, [""; 0]);
    // Those that are worth the same are in turned order.
    assert_eq!(told, "1/1 6½/11 ½/1 3/8 0/1 –, F-0 R-0 R-0 1-0 1/2-1/2 0-R 0-R 0-R 0-F 0-R 0-1 *");
}
