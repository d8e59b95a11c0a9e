//! Ctrl-C keeps the results so far.

use regex::Regex;

use crate::support::folder::Folder;
use crate::support::terminal::Terminal;

/// What is shown by a command that is interrupted once it has done some of these units.
fn interrupted(folder: &Folder, words: &str, unit: &str) -> String {
    let run = Terminal::start(&mut folder.command(words));
    let some = Regex::new(&format!("[1-9][0-9]*(/[0-9]+)? {unit}")).unwrap();
    run.wait_until(|shown| some.is_match(shown));
    run.interrupt();
    let output = run.end();
    let shown = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(130), "{shown}");
    shown
}

#[test]
fn datagen_stopped_by_ctrl_c_is_continued() {
    let folder = Folder::new("stop-datagen");
    let shown = interrupted(&folder, "datagen --size 4 --games 100000 --nodes 20 --out games.bin", "games");
    assert!(shown.contains("interrupted: the same command plays the missing games"), "{shown}");
}

#[test]
fn a_fit_stopped_by_ctrl_c_writes_its_weights() {
    let folder = Folder::new("stop-tune");
    folder.succeed("datagen --size 3 --games 20 --nodes 20 --out games.bin");
    let words = "tune --size 3 --games games.bin --epochs 1000000000";
    for (out, kept) in [(" --out w.txt", "the weights so far are in w.txt"), ("", "nothing is written")] {
        let shown = interrupted(&folder, &format!("{words}{out}"), "epochs");
        assert!(shown.contains(&format!("interrupted: {kept}")), "{shown}");
    }
    folder.succeed("datagen --size 3 --games 1 --nodes 20 --out more.bin --weights w.txt");
}
