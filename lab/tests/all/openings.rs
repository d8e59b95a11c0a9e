//! The table of openings.

use crate::support::folder::Folder;

#[test]
fn a_table_of_openings_goes_on_where_it_ended() {
    let folder = Folder::new("openings");
    let words = "openings --size 3 --nodes 300 --out table.tsv";
    folder.succeed(words);
    let whole = folder.text("table.tsv");
    // 12 pairs of squares up to symmetry, with two komis and two rules.
    assert_eq!(whole.lines().count(), 2 + 12 * 4);
    // A run that is killed may leave a part of a row.
    for left in [0, 10, whole.len() / 2, whole.len() - 1] {
        folder.file("table.tsv", &whole[..left]);
        folder.succeed(words);
        assert_eq!(folder.text("table.tsv"), whole, "{left}");
    }
    let said = folder.fail("openings --size 3 --nodes 301 --out table.tsv", 1);
    assert!(said.contains("table.tsv is of another version or number of nodes"), "{said}");
    folder.file("table.tsv", "something else\n");
    folder.fail(words, 1);
    assert_eq!(folder.text("table.tsv"), "something else\n");
}
