//! TEI as text, both directions: printed lines are read back as the same, and no line causes a panic.

use crate::cases::cases;
use proptest::prelude::*;
use tak_engine_core::engine::Permissions;
use tak_engine_core::tei::info::{Info, Rest};
use tak_engine_core::tei::reply::{self, Reply};
use tak_engine_core::tei::{command, output};

/// Words of TEI, some numbers at the ends of their ranges, and some texts that are neither.
const WORDS: &str = "\
    tei isready setoption name value teinewgame size halfkomi komi position startpos tps x3/x,12C,x/x3 moves go \
    wtime btime winc binc movestogo movetime depth nodes infinite solved searchmoves stop quit show d help id option type spin \
    combo check button string default min max var HalfKomi info multipv wdl score cp mate win draw lowerbound pv \
    error bestmove -- a1 3 5 0 -1 0.4 4.0 1.5e3 1e400 nan 4294966796 18446744073709551116 99999999999999999999 \
    \u{e9}\u{a0}\u{2028}";

/// Lines that begin well.
const STARTS: &str = "\
    go|go wtime 5000 btime|go searchmoves a1|teinewgame|teinewgame size|teinewgame 5 halfkomi|setoption name|\
    setoption name Clear|position startpos moves|position tps x3/x,12C,x/x3 1 5|position tps|info|info depth 9 score|\
    info score solved|info wdl 1 2|option name|option name HalfKomi type spin|\
    option name Style type combo default calm var|option name Book type string default|size|size 5 halfkomi|id|bestmove";

/// A line that a careless or hostile program may write.
fn hostile_line() -> impl Strategy<Value = String> {
    let word = prop_oneof![
        8 => prop::sample::select(WORDS.split(' ').collect::<Vec<_>>()).prop_map(str::to_owned),
        1 => "[!-~\u{e9}\u{a0}]{1,6}",
        1 => any::<String>(),
    ];
    let blank = prop::sample::select(vec![" ", " ", " ", "  ", "\t", "\r", "\u{a0}", ""]);
    let pairs = prop::collection::vec((blank, word), 0..14);
    pairs.prop_map(|pairs| {
        let pairs = pairs.into_iter();
        pairs.flat_map(|(blank, word)| [blank.to_owned(), word]).collect()
    })
}

/// Lines of which more than the first word is read.
fn almost_good_line() -> impl Strategy<Value = String> {
    let start = prop::sample::select(STARTS.split('|').collect::<Vec<_>>());
    (start, hostile_line()).prop_map(|(start, rest)| format!("{start} {rest}"))
}

fn same_when_printed(line: &str) {
    if let Ok(command) = command::read(line).command {
        let printed = command.to_string();
        assert_eq!(command::parse(&printed), Ok(command), "{line:?}");
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
    fn hostile_lines_are_refused_or_read_as_printed(line in hostile_line()) {
        same_when_printed(&line);
    }

    #[test]
    fn almost_good_lines_are_refused_or_read_as_printed(line in almost_good_line()) {
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
        let is_error = matches!(read, Ok(Reply::Info(Info { rest: Some(Rest::Error(_)), .. })));
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
