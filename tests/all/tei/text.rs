//! TEI as text, both directions: what is printed is read again as the same, and no line makes a panic.

use crate::cases::cases;
use proptest::prelude::*;
use tak_engine::board::{Komi, Setup, Size};
use tak_engine::engine::Permissions;
use tak_engine::search::Solved;
use tak_engine::tei::command::{self, Command, GoWords};
use tak_engine::tei::info::{Bound, Claim, Info, Rest};
use tak_engine::tei::output;
use tak_engine::tei::reply::{self, OptionKind, OptionLine, Reply, SizeLine};

/// Words of TEI, some numbers at the ends of their ranges, and some texts that are neither.
const WORDS: &str = "\
    tei isready setoption name value teinewgame size halfkomi komi position startpos tps x3/x,12C,x/x3 moves go \
    wtime btime winc binc movestogo movetime depth nodes infinite solved stop quit show d help id option type spin \
    combo check button string default min max var HalfKomi info multipv wdl score cp mate win draw lowerbound pv \
    error bestmove -- a1 3 5 0 -1 4294966796 18446744073709551116 99999999999999999999 \
    \u{e9}\u{a0}\u{2028}";

fn word() -> impl Strategy<Value = String> {
    // What separates the parts of an option line is no part of a name.
    "[!-~\u{e9}\u{a0}]{1,6}".prop_filter("a word of TEI", |word| !WORDS.split(' ').any(|known| known == word))
}

/// Words with one blank between them.
fn words(count: impl Into<prop::collection::SizeRange>) -> impl Strategy<Value = String> {
    prop::collection::vec(word(), count).prop_map(|words| words.join(" "))
}

fn size() -> impl Strategy<Value = Size> {
    prop::sample::select(Size::ALL.to_vec())
}

/// Positions as `position tps` may name them, playable or not.
fn setup() -> impl Strategy<Value = Setup> {
    let square = prop_oneof![3 => Just("x".to_owned()), 1 => "[12]{1,5}[SC]?"];
    let rows = (3..=8_usize).prop_flat_map(move |width| {
        let row = prop::collection::vec(square.clone(), width);
        prop::collection::vec(row, width)
    });
    (rows, 1..=2, 1..200_u32).prop_filter_map("no position", |(rows, side, number)| {
        let rows: Vec<String> = rows.iter().map(|row| row.join(",")).collect();
        format!("{} {side} {number}", rows.join("/")).parse().ok()
    })
}

/// A clock, but for the numbers that stand for one below zero.
fn clock() -> impl Strategy<Value = Option<i64>> {
    prop::option::of(prop_oneof![-100_000..4_000_000_000_i64, Just(i64::MIN), Just(i64::MAX)])
}

fn at_least(min: i64) -> impl Strategy<Value = Option<i64>> {
    prop::option::of(prop_oneof![min..1_000_000, Just(min), Just(i64::MAX)])
}

fn go_words() -> impl Strategy<Value = GoWords> {
    (
        [clock(), clock()],
        [at_least(0), at_least(0), at_least(0)],
        [at_least(1), at_least(1), at_least(1)],
        any::<(bool, bool)>(),
    )
        .prop_map(|([wtime, btime], [winc, binc, movetime], [movestogo, depth, nodes], (infinite, solved))| {
            GoWords {
                wtime,
                btime,
                winc,
                binc,
                movestogo,
                movetime,
                // The two do not go together.
                depth: depth.filter(|_| !solved),
                nodes,
                infinite,
                solved,
            }
        })
}

/// Every command but `position`, which borrows its moves.
fn plain_command() -> impl Strategy<Value = Command<'static>> {
    let komi = Komi::MIN_HALF..=Komi::MAX_HALF;
    let komi = komi.prop_map(|half| Komi::from_half(half).expect("within the range"));
    prop_oneof![
        Just(Command::Tei),
        Just(Command::IsReady),
        Just(Command::Stop),
        Just(Command::Quit),
        Just(Command::Show),
        Just(Command::Draw),
        Just(Command::Help),
        (words(1..4), prop::option::of(words(0..4))).prop_map(|(name, value)| Command::SetOption { name, value }),
        (size(), prop::option::of(komi), any::<bool>()).prop_map(|(size, komi, named)| Command::NewGame {
            size,
            komi,
            named
        }),
        go_words().prop_map(Command::Go),
    ]
}

fn option_line() -> impl Strategy<Value = OptionLine> {
    let kind = prop_oneof![
        Just(OptionKind::Check),
        any::<(i64, i64)>().prop_map(|(min, max)| OptionKind::Spin { min, max }),
        prop::collection::vec(words(0..3), 0..4).prop_map(OptionKind::Combo),
        Just(OptionKind::Button),
        Just(OptionKind::Text),
    ];
    let name = prop_oneof![words(1..4), Just("HalfKomi".to_owned())];
    (name, prop::option::of(words(0..3)), kind).prop_map(|(name, default, kind)| OptionLine { name, default, kind })
}

fn info() -> impl Strategy<Value = Info> {
    let claim = prop_oneof![
        any::<u32>().prop_map(|plies| Solved::Win(plies).into()),
        any::<u32>().prop_map(|plies| Solved::Loss(plies).into()),
        any::<u32>().prop_map(Claim::Draw),
    ];
    let bound = prop_oneof![Just(Bound::Lower), Just(Bound::Upper)];
    let rest = prop_oneof![
        words(1..6).prop_map(Rest::Pv),
        words(0..6).prop_map(Rest::Error),
        words(0..6).prop_map(Rest::Text),
    ];
    let score = (any::<Option<i32>>(), prop::option::of(claim), prop::option::of(bound));
    (
        any::<[Option<u32>; 3]>(),
        any::<[Option<u64>; 3]>(),
        any::<Option<usize>>(),
        any::<Option<[u32; 3]>>(),
        score,
        prop::option::of(rest),
    )
        .prop_map(|([depth, seldepth, hashfull], [time, nodes, nps], multipv, wdl, (cp, solved, bound), rest)| {
            Info { depth, seldepth, multipv, time, nodes, nps, hashfull, wdl, cp, solved, bound, rest }
        })
}

fn any_reply() -> impl Strategy<Value = Reply> {
    let numbers = |count| prop::collection::vec(any::<i64>(), count);
    prop_oneof![
        (word(), words(0..4)).prop_map(|(key, text)| Reply::Id { key, text }),
        (numbers(1..8), numbers(0..8)).prop_map(|(widths, half_komi)| Reply::Size(SizeLine { widths, half_komi })),
        option_line().prop_map(Reply::Option),
        Just(Reply::TeiOk),
        Just(Reply::ReadyOk),
        info().prop_map(Reply::Info),
        words(0..=1).prop_map(Reply::BestMove),
    ]
}

/// A line that a careless or hostile program may write.
fn hostile_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => prop::sample::select(WORDS.split(' ').collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => word(),
        1 => any::<String>(),
    ];
    let blank = prop::sample::select(vec![" ", " ", " ", "  ", "\t", "\r", "\u{a0}", ""]);
    let pairs = prop::collection::vec((blank, word), 0..14);
    pairs.prop_map(|pairs| {
        let pairs = pairs.into_iter();
        pairs.flat_map(|(blank, word)| [blank.to_owned(), word]).collect()
    })
}

/// Lines that begin like commands with much to read, so that more than the first word is tried.
fn almost_command() -> impl Strategy<Value = String> {
    let start = prop::sample::select(vec![
        "go",
        "teinewgame",
        "teinewgame size",
        "setoption name",
        "position startpos moves",
        "position tps x3/x,12C,x/x3 1 5",
        "position tps",
        "info",
        "info score",
        "option name",
        "size",
        "id",
        "bestmove",
    ]);
    (start, hostile_line()).prop_map(|(start, rest)| format!("{start} {rest}"))
}

fn same_when_printed(line: &str) {
    if let Ok(reading) = command::read(line) {
        let printed = reading.command.to_string();
        assert_eq!(command::parse(&printed), Ok(reading.command), "{line:?}");
    }
    if let Ok(reply) = reply::parse(line) {
        let printed = reply.to_string();
        assert_eq!(reply::parse(&printed), Ok(reply), "{line:?}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases(500) as u32)
    })]

    #[test]
    fn commands_are_read_as_printed(command in plain_command()) {
        let line = command.to_string();
        prop_assert_eq!(command::parse(&line), Ok(command), "{}", line);
    }

    #[test]
    fn positions_are_read_as_printed(
        tps in prop::option::of(setup()),
        moves in prop::collection::vec(word(), 0..40),
    ) {
        // Stones on the board in move 1 are read, but not as standard.
        prop_assume!(tps.as_ref().is_none_or(|setup| !setup.begins_with_stones()));
        let moves = moves.iter().map(String::as_str).collect();
        let command = Command::Position { tps, moves };
        let line = command.to_string();
        prop_assert_eq!(command::parse(&line), Ok(command), "{}", line);
    }

    #[test]
    fn replies_are_read_as_printed(reply in any_reply()) {
        let line = reply.to_string();
        prop_assert_eq!(reply::parse(&line), Ok(reply), "{}", line);
    }

    #[test]
    fn hostile_lines_are_refused_or_read_as_printed(line in hostile_line()) {
        same_when_printed(&line);
    }

    #[test]
    fn almost_good_lines_are_refused_or_read_as_printed(line in almost_command()) {
        same_when_printed(&line);
    }

    #[test]
    fn any_text_is_refused_or_read_as_printed(line in any::<String>()) {
        same_when_printed(&line);
    }

    #[test]
    fn complaints_are_read_as_printed(reason in any::<String>()) {
        let line = output::error(&reason).to_string();
        prop_assert!(line.bytes().all(|byte| byte == b' ' || byte.is_ascii_graphic()));
        let read = reply::parse(&line);
        let is_error = matches!(
            read,
            Ok(Reply::Info(Info { rest: Some(Rest::Error(_)), .. }))
        );
        prop_assert!(is_error, "{}: {:?}", line, read);
    }
}

#[test]
fn the_own_handshake_is_read_as_meant() {
    let replies = output::handshake(Permissions::default());
    assert_eq!(replies.last(), Some(&Reply::TeiOk));
    for reply in replies {
        let line = reply.to_string();
        assert_eq!(reply::parse(&line), Ok(reply), "{line}");
    }
}
