//! What options have in common in all commands: short forms, groups in the help, names of values.

use clap::{Arg, Command};

use super::values;

/// Options by their long name: short form, name of the value.
const COMMON: [(&str, Option<char>, Option<&str>); 10] = [
    ("time", Some('t'), Some("TIME")),
    ("depth", Some('d'), Some("PLIES")),
    ("nodes", Some('n'), Some("N")),
    ("threads", Some('j'), Some("N")),
    ("hash", None, Some("MIB")),
    ("size", Some('s'), Some("N")),
    ("komi", Some('k'), Some("FLATS")),
    ("opening", None, Some("RULE")),
    ("out", Some('o'), None),
    ("force", Some('f'), None),
];

/// Groups of options in the help, after those that belong to one command alone.
const GROUPS: [(&str, &[&str]); 5] = [
    ("Engines", &["engine", "all-engines", "level", "multipv", "threads", "hash", "weights"]),
    ("Position", &["tps", "size", "komi", "opening", "game", "ply", "moves", "openings", "book-format"]),
    ("Limits", &["time", "depth", "nodes", "max-plies"]),
    (
        "Games",
        &["games", "format", "sprt", "order", "seed", "shard", "repetitions", "resign", "draw", "solved-agreement"],
    ),
    (
        "Input and output",
        &[
            "config", "input", "out", "report", "ptn", "terms", "color", "json", "markdown", "force", "journal",
            "resume",
        ],
    ),
];

/// The command, and those below it, with their options arranged.
pub(super) fn arranged(command: Command) -> Command {
    command.mut_args(arranged_option).mut_subcommands(arranged)
}

fn arranged_option(option: Arg) -> Arg {
    let Some(name) = option.get_long().map(str::to_owned) else {
        return option;
    };
    let group = GROUPS.iter().find(|(_, names)| names.contains(&name.as_str()));
    let option = match group {
        Some((heading, _)) => option.help_heading(*heading),
        None => option,
    };
    let Some(&(_, short, value)) = COMMON.iter().find(|(common, ..)| *common == name) else {
        return option;
    };
    let option = option.short(short);
    let option = match value {
        Some(value) => option.value_name(value),
        None => option,
    };
    match &*name {
        "opening" => option.ignore_case(true).value_parser(values::opening()),
        // As other programs have it.
        "threads" => option.aliases(["jobs", "concurrency"]),
        _ => option,
    }
}
