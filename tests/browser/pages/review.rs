//! The page about annotated games.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

use super::chromium::chromium;
use super::review_page::{folder, games, games_with_results, page};

/// Put into a page: reports the layout to the parent window, and whether its parts work.
const WITNESS: &str = r#"<script>
addEventListener("load", () => {
  const report = {};
  report.wide = document.documentElement.scrollWidth - document.documentElement.clientWidth;
  const cells = () => [...document.querySelectorAll("table.sortable")].map(
    table => [...table.tBodies[0].rows].map(row => row.cells[0].textContent).join());
  const before = cells();
  document.querySelectorAll("table.sortable thead th:first-child button").forEach(button => button.click());
  report.sorted = cells().every((order, table) => order === before[table].split(",").sort(
    (a, b) => parseFloat(b) - parseFloat(a) || b.localeCompare(a)).join());
  const point = document.querySelector("a.point.plain");
  location.hash = point.getAttribute("href");
  requestAnimationFrame(() => {
    const shown = document.querySelector(":target");
    report.shown = Math.round(shown ? shown.getBoundingClientRect().height : 0) > 100;
    report.drawn = [...document.querySelectorAll("figure.turn svg.tak")].every(
      svg => svg.getBoundingClientRect().width > 150 && svg.getBBox().width > 300);
    parent.postMessage(JSON.stringify(report), "*");
  });
});
</script>"#;

/// Put into a page: presses two headings, and reports their columns.
const SORTER: &str = r#"<script>
addEventListener("load", () => {
  const report = ["score", "result"].map(name => {
    const heads = [...document.querySelectorAll("table.sortable th")];
    const head = heads.find(head => head.textContent === name);
    head.querySelector("button").click();
    const rows = [...head.closest("table").tBodies[0].rows];
    return rows.map(row => row.cells[head.cellIndex].textContent).join(" ");
  });
  parent.postMessage(report.join(", "), "*");
});
</script>"#;

/// Loads a page of this width in the browser: the report of the script in it, and the browser's complaints.
fn look(browser: &Path, folder: &Path, page: &str, witness: &str, width: u32) -> (String, Vec<String>) {
    let page = page.replacen("</head>", &format!("{witness}</head>"), 1);
    fs::write(folder.join("witnessed.html"), page).unwrap();
    // A separate window cannot be narrower than the browser's minimum.
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
    let report = dom.split("<pre>").nth(1).and_then(|rest| rest.split("</pre>").next());
    let errors = String::from_utf8_lossy(&output.stderr);
    let complaints = errors.lines().filter(|line| line.contains("CONSOLE"));
    (report.expect("the page around").to_owned(), complaints.map(str::to_owned).collect())
}

pub fn a_browser_shows_it_without_errors_and_overflow() {
    let browser = chromium();
    let folder = folder("browser");
    let page = page(&folder, &games(8));
    for width in [1200, 380] {
        let (report, complaints) = look(&browser, &folder, &page, WITNESS, width);
        assert_eq!(complaints, [""; 0], "at {width} pixels");
        assert_eq!(report, "{\"wide\":0,\"sorted\":true,\"shown\":true,\"drawn\":true}", "at {width} pixels");
    }
    // The script finds the parts that it checks.
    let broken = page.replacen("<main>", "<main><p style=\"width:1500px\">wide</p>", 1).replacen(
        "for (const table",
        "missing(); for (const table",
        1,
    );
    let (report, complaints) = look(&browser, &folder, &broken, WITNESS, 380);
    assert!(complaints.iter().any(|line| line.contains("missing")), "{complaints:?}");
    assert!(report.starts_with("{\"wide\":11") && report.contains("\"sorted\":false"), "{report}");
}

pub fn tables_sort_scores_and_results_by_value() {
    let browser = chromium();
    let folder = folder("sorted-in-browser");
    let page = page(&folder, &games_with_results());
    let (report, complaints) = look(&browser, &folder, &page, SORTER, 1200);
    assert_eq!(complaints, [""; 0]);
    // Equal values are in reverse order.
    assert_eq!(report, "1/1 6½/11 ½/1 3/8 0/1 –, F-0 R-0 R-0 1-0 1/2-1/2 0-R 0-R 0-R 0-F 0-R 0-1 *");
}
