//! Journals: appended records are read back, incomplete lines are dropped, everything else that does not fit is refused,
//! and shards add up to the whole.

use std::fs::{self, OpenOptions};
use std::io::Write;
use std::path::{Path, PathBuf};

use super::data::{fresh_path, games, settings};
use tak_engine::arena::record::GameRecord;
use tak_engine::arena::tournament::journal::{Journal, JournalError, read, resume};
use tak_engine::arena::tournament::merge::merge;
use tak_engine::arena::tournament::settings::TournamentSettings;
use tak_engine::arena::tournament::statistics::Statistics;
use tak_engine::shard::Shard;

/// A journal file with these games.
fn written(name: &str, settings: &TournamentSettings, games: &[GameRecord]) -> PathBuf {
    let path = fresh_path(name);
    let mut journal = Journal::create(&path, settings).unwrap();
    for game in games {
        journal.append(game).unwrap();
    }
    path
}

fn last_line(name: &str, settings: &TournamentSettings, game: &GameRecord) -> String {
    let path = written(name, settings, std::slice::from_ref(game));
    let text = fs::read_to_string(path).unwrap();
    text.lines().last().unwrap().to_owned() + "\n"
}

fn append_raw(path: &Path, bytes: &[u8]) {
    let mut file = OpenOptions::new().append(true).open(path).unwrap();
    file.write_all(bytes).unwrap();
}

#[test]
fn an_existing_journal_is_only_touched_to_resume() {
    let settings = settings(&["a", "b"], 4);
    let games = games(&settings);
    let path = written("journal-exists.jsonl", &settings, &games[..2]);
    let before = fs::read(&path).unwrap();
    let error = Journal::create(&path, &settings).unwrap_err();
    assert!(matches!(error, JournalError::Exists(_)), "{error}");
    assert!(error.to_string().contains("--resume"), "{error}");
    assert_eq!(fs::read(&path).unwrap(), before);

    let (mut journal, contents) = resume(&path, &settings).unwrap();
    assert_eq!(contents.games, games[..2]);
    for game in &games[2..] {
        journal.append(game).unwrap();
    }
    assert_eq!(read(&path).unwrap().games, games);
}

/// Left by a refused run, it must not block the corrected one.
#[test]
fn a_journal_without_games_accepts_other_settings() {
    let [wrong, right] = [settings(&["a", "c"], 4), settings(&["a", "b"], 4)];
    let path = written("journal-unused.jsonl", &wrong, &[]);
    drop(Journal::create(&path, &right).unwrap());
    assert_eq!(read(&path).unwrap().settings, right);
    drop(resume(&path, &wrong).unwrap());
    assert_eq!(read(&path).unwrap().settings, wrong);
    let (mut journal, contents) = resume(&path, &right).unwrap();
    assert_eq!((contents.games.len(), contents.incomplete_bytes), (0, 0));
    let games = games(&right);
    journal.append(&games[0]).unwrap();
    drop(journal);
    assert_eq!(read(&path).unwrap().games, games[..1]);
    // With a game in it, it is not, and no other file is.
    assert!(Journal::create(&path, &wrong).is_err());
    assert!(resume(&path, &wrong).is_err());
    assert_eq!(read(&path).unwrap().games, games[..1]);
    for text in ["mine\n", "{\"tournament\":{}}\n", "{\"tournament\":"] {
        fs::write(&path, text).unwrap();
        let error = Journal::create(&path, &right).unwrap_err();
        assert!(matches!(error, JournalError::Exists(_)), "{text}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
}

/// A crash can cut the file at any byte. Whatever is left, every game before the cut is kept and the rest can be played.
#[test]
fn a_truncated_journal_loses_at_most_one_game() {
    let settings = settings(&["a", "b"], 2);
    let mut games = games(&settings);
    for game in &mut games {
        game.moves.truncate(3);
    }
    let path = written("journal-cut.jsonl", &settings, &games);
    let whole = fs::read(&path).unwrap();
    let ends: Vec<usize> = (1..=whole.len()).filter(|&end| whole[end - 1] == b'\n').collect();
    for cut in (0..whole.len()).step_by(7).chain(ends.iter().flat_map(|&end| [end - 1, end])) {
        fs::write(&path, &whole[..cut]).unwrap();
        let complete = ends.iter().filter(|&&end| end <= cut).count();
        let kept = complete.saturating_sub(1);
        // To read changes nothing.
        assert_eq!(read(&path).map_or(0, |contents| contents.games.len()), kept, "cut at {cut}");
        assert_eq!(fs::read(&path).unwrap(), whole[..cut], "cut at {cut}");
        let (mut journal, contents) = resume(&path, &settings).unwrap();
        assert_eq!(contents.games, games[..kept], "cut at {cut}");
        let last_end = if complete == 0 { 0 } else { ends[complete - 1] };
        assert_eq!(contents.incomplete_bytes, (cut - last_end) as u64, "cut at {cut}");
        for game in &games[kept..] {
            journal.append(game).unwrap();
        }
        assert_eq!(fs::read(&path).unwrap(), whole, "cut at {cut}");
    }
}

/// A line feed is the last that is written of a line, so no crash leaves these.
#[test]
fn garbage_is_refused_with_its_line() {
    let settings = settings(&["a", "b"], 4);
    let games = games(&settings);
    let [first, second] = [0, 1].map(|game| last_line("journal-line.jsonl", &settings, &games[game]));
    for (lines, number) in [(["garbage\n", &second], 3), ([&second, &first.replacen(':', ";", 1)], 4)] {
        let path = written("journal-garbage.jsonl", &settings, &games[..1]);
        append_raw(&path, lines.concat().as_bytes());
        let before = fs::read(&path).unwrap();
        let error = resume(&path, &settings).unwrap_err();
        assert!(matches!(error, JournalError::NoGame { line, .. } if line == number), "{error}");
        assert_eq!(fs::read(&path).unwrap(), before);
    }
}

#[cfg(unix)]
#[test]
fn a_device_is_refused_as_a_journal() {
    let settings = settings(&["a", "b"], 2);
    for device in ["/dev/full", "/dev/zero"] {
        let device = Path::new(device);
        for error in [resume(device, &settings).unwrap_err(), read(device).unwrap_err()] {
            assert!(error.to_string().contains("not a regular file"), "{error}");
        }
    }
}

#[test]
fn other_files_are_refused_as_journals() {
    let settings = settings(&["a", "b"], 2);
    let path = fresh_path("journal-other.jsonl");
    for text in ["a1 b1\n", "a1 b1", "{}\n", "\n", "{\"tournament\":{}}\n"] {
        fs::write(&path, text).unwrap();
        let error = resume(&path, &settings).unwrap_err();
        assert!(matches!(error, JournalError::NoHeader { .. }), "{text:?}: {error}");
        assert_eq!(fs::read_to_string(&path).unwrap(), text);
    }
    fs::write(&path, "").unwrap();
    assert!(matches!(read(&path).unwrap_err(), JournalError::NoHeader { .. }));
}

/// Shortened to all that was played, but not to less.
#[test]
fn a_journal_has_the_length_of_its_longest_match() {
    let short = settings(&["a", "b", "c"], 2);
    let long = TournamentSettings { games: 6, ..short.clone() };
    let all = games(&long);
    let path = written("journal-extended.jsonl", &long, &all[..10]);
    let error = resume(&path, &short).unwrap_err();
    let expected = "invalid number of games 2: expected at least 4, since game 10 has been played";
    assert!(error.to_string().ends_with(expected), "{error}");
    drop(resume(&path, &TournamentSettings { games: 4, ..short.clone() }).unwrap());
    assert_eq!(read(&path).unwrap().settings.games, 4);
    // Journals of both lengths add up to the longer one.
    let other = written("journal-short.jsonl", &short, &games(&short)[..2]);
    let merged = merge(&[other, written("journal-long.jsonl", &long, &all[3..])]).unwrap();
    assert_eq!((merged.settings.games, merged.games.len()), (6, 17));
}

/// As `cat` joins those of shards. Another tournament is refused with the line of its settings.
#[test]
fn joined_journals_of_a_tournament_are_one() {
    let mine = settings(&["a", "b"], 4);
    let games = games(&mine);
    let [one, two] =
        [&games[..2], &games[2..]].map(|games| fs::read(written("journal-join.jsonl", &mine, games)).unwrap());
    let path = fresh_path("journal-joined.jsonl");
    fs::write(&path, [&one[..], &two].concat()).unwrap();
    assert_eq!(read(&path).unwrap().games, games);
    let other = fs::read(written("journal-join.jsonl", &TournamentSettings { seed: 2, ..mine }, &[])).unwrap();
    fs::write(&path, [one, other].concat()).unwrap();
    let error = read(&path).unwrap_err().to_string();
    assert!(error.ends_with("line 4: not a game: settings that differ from those above: seed"), "{error}");
}

#[test]
fn games_of_other_tournaments_are_refused() {
    let mine = settings(&["a", "b"], 4);
    let other = games(&settings(&["a", "c"], 4))[1].clone();
    let mut swapped = games(&mine)[1].clone();
    (swapped.pairing.white, swapped.pairing.black) = (swapped.pairing.black, swapped.pairing.white);
    let mut beyond = swapped.clone();
    beyond.pairing.game = u64::MAX;
    for (game, expected) in [
        (other, "line 2: not a game: it is of a tournament with other settings"),
        (swapped, "line 2: not a game: game 1 of this tournament is another"),
        (beyond, "line 2: not a game: game 18446744073709551615 of this tournament is another"),
    ] {
        let path = written("journal-mixed.jsonl", &mine, &[game]);
        let error = read(&path).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    }
}

#[test]
fn of_duplicates_the_first_counts() {
    let settings = settings(&["a", "b"], 4);
    let games = games(&settings);
    let mut again = games[1].clone();
    again.wall_ms = 1;
    let path = fresh_path("journal-duplicates.jsonl");
    let mut journal = Journal::create(&path, &settings).unwrap();
    for game in games.iter().chain([&again, &games[0]]) {
        journal.append(game).unwrap();
    }
    let contents = read(&path).unwrap();
    assert_eq!((contents.games, contents.duplicates), (games, 2));
}

#[test]
fn two_runners_cannot_share_a_journal() {
    let settings = settings(&["a", "b"], 2);
    let path = fresh_path("journal-locked.jsonl");
    let journal = Journal::create(&path, &settings).unwrap();
    let error = resume(&path, &settings).unwrap_err();
    assert!(matches!(error, JournalError::InUse(_)), "{error}");
    drop(journal);
    resume(&path, &settings).unwrap();
}

#[test]
fn shards_add_up_to_the_whole() {
    let settings = settings(&["a", "b", "c"], 20);
    let all = games(&settings);
    let mut paths = Vec::new();
    for number in 1..=4 {
        let shard: Shard = format!("{number}/4").parse().unwrap();
        let own: Vec<GameRecord> = all.iter().filter(|game| game.pairing.is_in(shard)).cloned().collect();
        paths.push(written(&format!("shard-{number}.jsonl"), &settings, &own));
    }
    // The last shard was cut short and restarted elsewhere, so that some of its games are there twice.
    append_raw(&paths[3], b"{\"settings\":");
    paths.push(written("shard-again.jsonl", &settings, &all[..10]));
    let merged = merge(&paths).unwrap();
    assert_eq!(merged.settings, settings);
    assert_eq!(merged.duplicates, 10);
    assert_eq!(merged.incomplete, [paths[3].clone()]);
    assert_eq!(merged.games.into_values().collect::<Vec<_>>(), all);

    // The statistics don't depend on the order the games come in.
    let once = Statistics::of(3, &all);
    paths.reverse();
    assert_eq!(Statistics::of(3, merge(&paths).unwrap().games.values()), once);
    assert_eq!(Statistics::of(3, all.iter().rev()), once);
}
