//! Settings of tournaments: dialects, flags, files, cores, other openings, suites.

use std::collections::BTreeSet;

use super::*;
use tak_engine::arena::record::GameResult::{BlackWin, Draw, WhiteWin};

#[test]
fn both_dialects_are_spoken() {
    let folder = new_folder("dialects");
    folder.file("openings", "x5/x5/x2,1,x2/x5/2,x4 1 2\n");
    let spin = folder.script(
        "spin",
        &Answers { tei: "printf 'option name halfkomi type spin default 0 min 0 max 4\\n';", ..WELL_BEHAVED },
    );
    let sizes = folder.script(
        "sizes",
        &Answers {
            tei: "printf 'size 3 4 5 halfkomi 0 1 2 3 4\\noption name HalfKomi type spin default 0 min 0 max 4\\n';",
            ..WELL_BEHAVED
        },
    );
    let sizes = sizes.replace("name=bad", "name=sizes");
    succeed(&mut folder.tournament(&format!(
        "{spin} nodes=9 {sizes} st=0.5 depth=3 --size 5 --komi 2 --openings openings --games 2 --concurrency 1"
    )));
    let position = "position tps x5/x5/x2,1,x2/x5/2,x4 1 2 moves\n";
    let spin = "tei\nsetoption name halfkomi value 4\nisready\nteinewgame 5\nisready\n";
    assert!(folder.text("spin.log").contains(&format!("{spin}{position}go nodes 9\n")));
    assert!(folder.text("sizes.log").starts_with("tei\nisready\nteinewgame size 5"));
    let sizes = "teinewgame size 5 halfkomi 4\nisready\n";
    let go = "go movetime 500 depth 3\n";
    assert!(folder.text("sizes.log").contains(&format!("{sizes}{position}{go}")));
}

#[test]
fn wrong_settings_in_a_file_are_named() {
    let folder = new_folder("usage");
    for (setting, expected) in [
        ("wheels = 4", "line 2, \"wheels = 4\": unknown setting `wheels`, expected one of"),
        ("games = 1.5", "invalid value `1.5`: expected a whole number"),
        ("engine = 3", "invalid value `3`: expected a list"),
        ("games = [", "line 2, \"games = [\": unclosed array, expected `]`"),
        ("max-plies = 0", "invalid number 0: expected 1 to 4294967295"),
        ("concurrency = 0", "invalid number 0: expected 1 to 1024"),
        ("concurrency = 1025", "invalid number 1025: expected 1 to 1024"),
    ] {
        folder.file("bad.toml", format!("size = 5\n{setting}\n"));
        let error = fail(&mut folder.tournament("--config bad.toml"), 1);
        assert!(
            error.contains("bad.toml") && error.lines().count() == 1 && error.contains(expected),
            "{setting}: {error}"
        );
    }
}

#[test]
fn a_file_of_settings_means_the_same_as_flags() {
    let folder = new_folder("config");
    let settings = "--size 4 --komi -0.5 --games 2 --seed 9 --repetitions 0 --max-plies 60 --resign score=900 --draw";
    succeed(&mut folder.tournament(&format!(
        "--engine path={BINARY} name=one option.Hash=1 --engine path={BINARY} depth=2 --all-engines nodes=20 {settings}"
    )));
    let flags = folder.journal();
    fs::remove_file(folder.0.join("games.jsonl")).unwrap();
    folder.file(
        "match.toml",
        format!(
            r#"
            size = 7
            komi = -0.5
            games = 2
            seed = 9
            repetitions = 0
            max-plies = 60
            resign = {{ score = 900 }}
            draw = {{}}
            all-engines = {{ nodes = 20 }}
            [[engine]]
            path = "{BINARY}"
            name = "one"
            option = {{ Hash = 1 }}
            [[engine]]
            path = "{BINARY}"
            depth = 2
            "#
        ),
    );
    succeed(&mut folder.tournament("--config match.toml --size 4"));
    let file = folder.journal();
    assert_eq!(flags.settings, file.settings);
    assert_eq!(flags.settings.half_komi, -1);
    assert_eq!(moves(&flags.games), moves(&file.games));

    // The journal may be named in the file as well.
    let text = folder.text("match.toml");
    folder.file("match.toml", format!("journal = \"games.jsonl\"\n{text}"));
    let standings = folder.succeed("tournament --config match.toml --size 4 --resume");
    assert!(standings.contains("2 of 2 games"), "{standings}");
    assert_eq!(moves(&folder.journal().games), moves(&file.games));
}

/// What docs/tournaments.md says of processor cores.
#[cfg(target_os = "linux")]
#[test]
fn taskset_keeps_an_engine_to_its_cores() {
    let folder = new_folder("cores");
    let allowed = |status: &str| {
        let list = status.lines().find_map(|line| line.strip_prefix("Cpus_allowed_list:"));
        list.unwrap().trim().to_owned()
    };
    let own = allowed(&fs::read_to_string("/proc/self/status").unwrap());
    let first = own.split([',', '-']).next().unwrap();
    let noting = Answers { start: "grep Cpus_allowed_list: /proc/$$/status >> $0.cores", ..WELL_BEHAVED };
    let script = folder.script("one", &noting);
    let kept = script.replacen("path=", &format!("path=taskset arg=-c arg={first} arg="), 1);
    succeed(&mut folder.tournament(&format!("{kept} {} nodes=1 --games 2 --concurrency 1", good("free"))));
    assert!(folder.text("one.cores").lines().all(|line| allowed(line) == first), "{}", folder.text("one.cores"));
}

#[test]
fn games_with_other_openings_are_played_and_kept() {
    for (opening, tag) in [("no-swap", "no-swap"), ("double-black", "double black stack")] {
        let folder = new_folder(&format!("opening-{opening}"));
        let script = folder.script(
            "script",
            &Answers {
                tei: "printf 'option name opening type combo default swap var swap var no-swap var double-black\\n';",
                ..WELL_BEHAVED
            },
        );
        // The engine's own setting does not change the rules of the tournament.
        let words = format!(
            "{} option.Opening=swap {} --opening {opening} --size 5 --games 4 --ptn games.ptn",
            good("one"),
            good("two")
        );
        let standings = succeed(&mut folder.tournament(&words));
        assert!(
            standings.starts_with(&format!("5x5, komi 0, opening {opening}, nodes=20, round-robin")),
            "{standings}"
        );
        let journal = folder.journal();
        assert_eq!(journal.settings.opening_rule.to_string(), opening);
        assert!(journal.games.iter().all(|game| game.at_fault().is_none()));
        let ptn = folder.text("games.ptn");
        assert_eq!(ptn.matches(&format!("[Opening \"{tag}\"]")).count(), 4);
        assert_eq!(ptn.contains("\n1. 2"), opening == "double-black", "{ptn}");
        let replay = succeed(&mut folder.command("replay games.ptn"));
        for (line, game) in replay.lines().zip(&journal.games) {
            let by_rules = match game.result {
                WhiteWin => "-0, tag",
                BlackWin => "result 0-",
                Draw => "1/2-1/2",
            };
            assert!(line.contains(by_rules), "{line}");
        }
        // Another opening is another tournament.
        let other = words.replace(opening, "swap");
        let error = fail(&mut folder.tournament(&format!("{other} --resume")), 1);
        assert!(error.contains("opening rule"), "{error}");

        // A suite with this opening, and an engine of the older dialect that gets the option.
        let make = format!("openings --opening {opening} --size 5 --plies 3 --count 4 --depth 2 --max-score 300");
        let suite = succeed(&mut folder.command(&make));
        folder.file("suite.txt", &suite);
        fs::remove_file(folder.0.join("games.jsonl")).unwrap();
        let words = format!(
            "{script} {} --opening {opening} --size 5 --openings suite.txt --games 2 --max-plies 6",
            good("good")
        );
        succeed(&mut folder.tournament(&words));
        let expected_log = format!("tei\nsetoption name opening value {opening}\nisready\nteinewgame 5\n");
        assert!(folder.text("script.log").starts_with(&expected_log));
    }
}

#[test]
fn suites_are_made_and_played() {
    let folder = new_folder("openings");
    let make = |words: &str| folder.command(&format!("openings {words}"));
    let words = "--size 4 --plies 3 --count 20 --max-score 150 --depth 2 --komi 0.5";
    let suite = succeed(&mut make(&format!("{words} --threads 1")));
    assert_eq!(suite.lines().count(), 20);
    assert!(suite.lines().all(|line| line.split(' ').count() == 3));
    assert_eq!(suite.lines().collect::<BTreeSet<_>>().len(), 20);
    succeed(&mut make(&format!("{words} --threads 2 --out suite.txt --force")));
    assert_eq!(folder.text("suite.txt"), suite);
    succeed(&mut folder.tournament(&format!(
        "{} {} --size 4 --openings suite.txt --games 4",
        good("one"),
        good("two")
    )));
    for game in folder.journal().games {
        let opening: Vec<&str> = game.moves[..3].iter().map(|played| played.mv.as_str()).collect();
        assert_eq!(opening.join(" "), suite.lines().nth(usize::try_from(game.pairing.game / 2).unwrap()).unwrap());
    }
    let larger = format!("{} {} --size 5 --openings suite.txt --games 2", good("one"), good("two"));
    let stderr = folder.tournament(&larger).output().unwrap().stderr;
    assert!(String::from_utf8(stderr).unwrap().contains("are they for a smaller one?"));
    let error = fail(&mut make("--size 3 --plies 1 --count 9 --depth 1"), 1);
    assert!(error.contains("there are no more of this kind"), "{error}");
}
